// SPDX-License-Identifier: Apache-2.0
// digits_run.cc: backplane train digits, and eval of what it wrote: the job of examples/digits.h,
// its run, its checkpoint, and the same model on another backend; declared in run.h.
#include <fmt/format.h>

#include <optional>

#include "digits.h"
#include "train/run.h"
#include "train/view.h"

namespace cli {
namespace {

namespace bp = backplane;

// What a run wrote, and where it stood.
struct Kept {
  bp::Dict state;
  std::uint64_t seed = 0, epochs = 0;
};
Kept load_run(const std::string& path) {
  try {
    bp::Dict state = bp::load_safetensors(path, "cpu");
    const auto number = [&](const char* key) { return std::stoull(state.meta(key)); };
    return {state, number("trainer.loader.seed"), number("trainer.epoch")};
  } catch (const std::exception& e) {
    throw std::runtime_error(
        fmt::format("{} holds no run of `backplane train digits`: {}", path, e.what()));
  }
}

// Returns the predictions that a finished run left in its file, or nothing.
std::vector<std::int64_t> kept_predictions(const bp::Dict& state) {
  return state.contains("predictions") ? state.get("predictions").to(BP_I64).read<std::int64_t>()
                                       : std::vector<std::int64_t>{};
}

void save_finished(digits::Job& job, const RunOptions& o, const std::vector<bp::Device>& devices) {
  bp::Dict more;
  if (o.leads()) more.set("predictions", bp::tensor(job.predictions(), "cpu"));
  more.set_meta("digits.devices", device_names(devices));
  job.trainer().save(o.out, more);
}

struct Outcome {
  bool finished = false;
  double accuracy = 0, seconds = 0;
  std::uint64_t epoch = 0;
};

// Makes one run, with its view, from where `resumed` left off. Only the main run is
// reported and kept.
Outcome learn(const RunOptions& o, const digits::Images& images, const digits::Split& split,
              const Kept* resumed, bool main_run) {
  TrainingView view(static_cast<std::int64_t>(split.train.size()), o.epochs, "images");
  digits::Settings settings{chosen_devices(o), o.seed};
  settings.group = o.members;
  settings.shard_states = o.shard_states;
  if (main_run) settings.csv = o.log;
  if (o.leads()) {
    settings.on_batch = [&](const bp::TrainFigures& f) { view.batch(f); };
    settings.on_epoch = [&](const bp::TrainFigures& f) {
      if (main_run) view.epoch(f);
    };
  }
  digits::Job job(settings, images, split);
  if (main_run && o.leads())
    fmt::print("A convolutional net of {} parameters learns {} of {} images on {}{}, seed {}.\n",
               job.parameter_count(), split.train.size(), images.count(),
               device_names(settings.devices), processes_text(o), o.seed);
  if (resumed) {
    job.trainer().load_state_dict(bp::load_checkpoint(o.resume));
    if (o.leads())
      fmt::print("It goes on behind epoch {}, as {} has it.\n", resumed->epochs, o.resume);
  }
  std::fflush(stdout);
  Outcome run;
  const Interruptible stopped_by_hand(job.trainer());
  run.finished = job.trainer().fit({o.epochs, /*gradient_clip_val=*/0, main_run ? o.out : ""});
  if (o.leads()) view.clear();
  run.seconds = view.seconds();
  run.epoch = job.trainer().epoch();
  if (!run.finished) return run;
  if (o.leads()) run.accuracy = job.accuracy();
  if (!main_run) return run;
  save_finished(job, o, settings.devices);
  if (o.leads()) fmt::print("{}", view.curve());
  return run;
}

}  // namespace

int train_digits(RunOptions o) {
  if (o.data.empty()) o.data = default_data();
  if (o.epochs == 0) o.epochs = digits::kEpochs;
  std::optional<Kept> resumed;
  if (!o.resume.empty()) {
    resumed = load_run(o.resume);
    o.seed = resumed->seed;  // so that the same images are held out
    if (resumed->epochs >= o.epochs)
      throw BadInput(fmt::format(
          "{} has learned {} epochs already; --epochs counts them in, so ask for more than that",
          o.resume, resumed->epochs));
  }
  if (o.out.empty()) o.out = o.resume.empty() ? "digits.safetensors" : o.resume;
  join_members(o);
  if (o.leads()) check_writable(o.out);
  const digits::Images images = digits::load_images(o.data);
  const digits::Split split = digits::stratified(images, o.seed);
  const Outcome run = learn(o, images, split, resumed ? &*resumed : nullptr, true);
  if (!run.finished) {
    if (!o.leads()) return 1;
    fmt::print(
        stderr,
        "backplane: stopped in epoch {}; go on with: backplane train digits --resume {} --epochs {}\n",
        run.epoch + 1, o.out, o.epochs);
    return 1;
  }
  if (o.leads())
    fmt::print("{:.2f} % of {} held-out images right, in {}; the model is in {}\n",
               100 * run.accuracy, split.held_out.size(), time_text(run.seconds), o.out);
  if (o.quick) return 0;
  std::fflush(stdout);
  const digits::Split harder = digits::in_order(images);
  const Outcome other = learn(o, images, harder, nullptr, false);
  if (!o.leads()) return other.finished ? 0 : 1;
  if (!other.finished) {
    fmt::print(stderr, "backplane: stopped before the second run was done; {} is complete\n",
               o.out);
    return 1;
  }
  fmt::print(
      "{:.2f} % of the last {} right when it learns the first {} (other people's handwriting)\n",
      100 * other.accuracy, harder.held_out.size(), harder.train.size());
  return 0;
}

int eval_digits(const RunOptions& o, const std::string& path) {
  const digits::Images images = digits::load_images(o.data.empty() ? default_data() : o.data);
  const Kept kept = load_run(path);
  const digits::Split split = digits::stratified(images, kept.seed);
  const std::vector<bp::Device> devices{device_named(o.device)};
  digits::Job job({devices, o.seed}, images, split);
  job.load_model(kept.state);
  const auto here = job.predictions(), there = kept_predictions(kept.state);
  fmt::print("{}: {:.2f} % of {} held-out images right on {}\n", path, 100 * job.accuracy(),
             here.size(), device_names(devices));
  if (there.empty()) {
    fmt::print("The file holds no predictions to compare with: its run was stopped.\n");
    return 0;
  }
  if (there.size() != here.size())
    throw std::runtime_error(
        fmt::format("{} holds {} predictions, expected {}", path, there.size(), here.size()));
  std::size_t same = 0;
  for (std::size_t i = 0; i < here.size(); ++i) same += here[i] == there[i];
  fmt::print("{} of {} predictions agree with those of {}\n", same, here.size(),
             kept.state.meta("digits.devices"));
  return same == here.size() ? 0 : 1;
}

}  // namespace cli
