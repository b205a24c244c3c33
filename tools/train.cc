// SPDX-License-Identifier: Apache-2.0
// backplane train digits, backplane eval: the job of examples/digits.h, its run, its checkpoint,
// and the same model on another backend.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "cli.h"
#include "digits.h"
#include "training_view.h"

namespace cli {
namespace {

namespace bp = backplane;
namespace fs = std::filesystem;

struct Options {
  std::string data = default_data(), device = "auto", devices, out, resume, job;
  std::uint64_t epochs = digits::kEpochs, seed = 42;
  bool quick = false;
};

// The trainer that Ctrl-C stops.
std::atomic<bp_trainer*> running{nullptr};
extern "C" void stop_running(int) {
  if (bp_trainer* t = running.load()) bp_trainer_stop(t);
}

// While it lives, the first Ctrl-C stops the job's run politely; the second ends the process.
class Interruptible {
 public:
  explicit Interruptible(const bp::Trainer& trainer) {
    running = trainer.get();
    struct sigaction how {};
    how.sa_handler = stop_running;
    how.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &how, &before_);
  }
  ~Interruptible() {
    sigaction(SIGINT, &before_, nullptr);
    running = nullptr;
  }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  struct sigaction before_ {};
};

// Returns the first real accelerator, or the cpu.
bp::Device best_device() {
  for (const char* kind : {"cuda", "hip"})
    if (bp::device_count(bp::Device(kind).kind()) > 0) return std::string(kind) + ":0";
  return "cpu";
}

bp::Device device_named(const std::string& name) {
  if (name == "auto") return best_device();
  bp::Device device;
  try {
    device = bp::Device(name);
  } catch (const bp::Error& e) {
    throw BadInput(e.what());
  }
  // throws when there is no such device
  const bp::Device there = bp::Device::from_value(bp::device_info(device).device);
  return there.kind() == BP_KIND_CPU ? bp::Device("cpu") : there;
}

std::vector<bp::Device> chosen(const Options& o) {
  const bp::Device one = device_named(o.device);
  if (o.devices.empty()) return {one};
  if (one.kind() == BP_KIND_CPU)
    throw BadInput("--devices all needs a --device of an accelerator's kind; cpu is one device");
  std::vector<bp::Device> all;
  for (std::int32_t i = 0; i < bp::device_count(one.kind()); ++i)
    all.push_back(bp::Device::make(one.kind(), i));
  return all;
}

std::string names(const std::vector<bp::Device>& devices) {
  std::string out;
  for (bp::Device d : devices) out += (out.empty() ? "" : ", ") + d.str();
  return out;
}

// Checks before hours of work, and not after, that a file can be put there. It is put there by a
// rename, so the folder counts.
void check_writable(const std::string& path) {
  const fs::path folder = fs::absolute(path).parent_path();
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw BadInput(fmt::format("--out: {} is a folder, expected a file's name", path));
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    throw BadInput(fmt::format("--out: cannot write {} into {}: {}",
                               fs::path(path).filename().string(), folder.string(),
                               std::strerror(errno)));
}

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

void save_finished(digits::Job& job, const Options& o, const std::vector<bp::Device>& devices) {
  bp::Dict state = job.trainer().state_dict();
  state.set("predictions", bp::tensor(job.predictions(), "cpu"));
  state.set_meta("digits.devices", names(devices));
  bp::save_safetensors(state, o.out);
}

struct Outcome {
  bool finished = false;
  double accuracy = 0, seconds = 0;
  std::uint64_t epoch = 0;
};

// Makes one run, with its view, from where `resumed` left off. Only the main run is
// reported and kept.
Outcome learn(const Options& o, const digits::Images& images, const digits::Split& split,
              const Kept* resumed, bool main_run) {
  TrainingView view(static_cast<std::int64_t>(split.train.size()), o.epochs);
  digits::Settings settings{chosen(o), o.seed};
  settings.on_batch = [&](const bp::TrainFigures& f) { view.batch(f); };
  settings.on_epoch = [&](const bp::TrainFigures& f) {
    if (main_run) view.epoch(f);
  };
  digits::Job job(settings, images, split);
  if (main_run)
    fmt::print("A convolutional net of {} parameters learns {} of {} images on {}, seed {}.\n",
               job.parameter_count(), split.train.size(), images.count(), names(settings.devices),
               o.seed);
  if (resumed) {
    job.trainer().load_state_dict(resumed->state);
    fmt::print("It goes on behind epoch {}, as {} has it.\n", resumed->epochs, o.resume);
  }
  std::fflush(stdout);
  Outcome run;
  const Interruptible stopped_by_hand(job.trainer());
  run.finished = job.trainer().fit({o.epochs, /*gradient_clip_val=*/0, main_run ? o.out : ""});
  view.clear();
  run.seconds = view.seconds();
  run.epoch = job.trainer().epoch();
  if (!run.finished) return run;
  run.accuracy = job.accuracy();
  if (!main_run) return run;
  save_finished(job, o, settings.devices);
  fmt::print("{}", view.curve());
  return run;
}

int train_digits(Options o) {
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
  check_writable(o.out);
  const digits::Images images = digits::load_images(o.data);
  const digits::Split split = digits::stratified(images, o.seed);
  const Outcome run = learn(o, images, split, resumed ? &*resumed : nullptr, true);
  if (!run.finished) {
    fmt::print(
        stderr,
        "backplane: stopped in epoch {}; go on with: backplane train digits --resume {} --epochs {}\n",
        run.epoch + 1, o.out, o.epochs);
    return 1;
  }
  fmt::print("{:.2f} % of {} held-out images right, in {}; the model is in {}\n",
             100 * run.accuracy, split.held_out.size(), time_text(run.seconds), o.out);
  if (o.quick) return 0;
  std::fflush(stdout);
  const digits::Split harder = digits::in_order(images);
  const Outcome other = learn(o, images, harder, nullptr, false);
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

int evaluate(const Options& o, const std::string& path) {
  const digits::Images images = digits::load_images(o.data);
  const Kept kept = load_run(path);
  const digits::Split split = digits::stratified(images, kept.seed);
  const std::vector<bp::Device> devices{device_named(o.device)};
  digits::Job job({devices, o.seed}, images, split);
  job.load_model(kept.state);
  const auto here = job.predictions(), there = kept_predictions(kept.state);
  fmt::print("{}: {:.2f} % of {} held-out images right on {}\n", path, 100 * job.accuracy(),
             here.size(), names(devices));
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

void data_option(CLI::App& app, Options& o) {
  app.add_option("--data", o.data,
                 "The images: lines of 64 pixels and a label (default: the ones that came with it)")
      ->check(CLI::ExistingFile);
}

}  // namespace

Run train(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("JOB", o->job, "What to learn: digits")
      ->required()
      ->check(CLI::IsMember({"digits"}));
  app.add_option(
      "--device", o->device,
      "Where: auto, cpu, sim:1, cuda:0 ... (default: auto, an accelerator if there is one)");
  app.add_option("--devices", o->devices,
                 "all: every device of that kind takes a part of each batch")
      ->check(CLI::IsMember({"all"}));
  app.add_option("--epochs", o->epochs,
                 fmt::format("Times each image is learned, in all (default: {})", digits::kEpochs))
      ->check(CLI::Range(1, 100000));
  CLI::Option* seed = app.add_option(
      "--seed", o->seed,
      "Of first weights, orders and held-out images (default: 42; a resumed run has its own)");
  app.add_option(
      "--out", o->out,
      "The model and everything to go on from it, written after each epoch (default: digits.safetensors; of a\n"
      "resumed run, its file)");
  app.add_option("--resume", o->resume, "Go on with the run in this file")
      ->check(CLI::ExistingFile)
      ->excludes(seed);
  app.add_flag("--quick", o->quick, "Leave out the second run, on the first 1,437 images");
  data_option(app, *o);
  app.footer(
      "A fifth of the images, chosen by the seed, is held out; the others are learned a little turned, stretched and "
      "moved,\n"
      "so that at first they are harder than those held out. Ctrl-C writes the file and ends with exit code 1; "
      "--resume goes on\n"
      "where it stopped, on the cpu bit for bit as if it had not.");
  return [=] { return train_digits(*o); };
}

Run eval(CLI::App& app) {
  auto o = std::make_shared<Options>();
  auto path = std::make_shared<std::string>();
  app.add_option("FILE", *path, "What `backplane train digits` wrote")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--device", o->device, "Where: auto, cpu, sim:1, cuda:0 ... (default: auto)");
  data_option(app, *o);
  app.footer("The exit code is 1 when a prediction differs from those that the file holds.");
  return [=] { return evaluate(*o, *path); };
}

}  // namespace cli
