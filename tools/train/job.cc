// SPDX-License-Identifier: Apache-2.0
#include "train/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <random>

#include "train/data.h"
#include "train/model.h"
#include "train/view.h"

namespace cli {
namespace {

namespace bp = backplane;
using nlohmann::json;

constexpr const char* kModel = "run.model";  // the metadata of a run's file
constexpr const char* kFacts = "run.facts";
constexpr const char* kMean = "run.mean";  // tensors of it, with --standardize
constexpr const char* kStd = "run.std";

// What a run is besides its model; everything that eval and --resume need again.
struct Facts {
  std::vector<std::string> targets, classes, columns;
  std::string features, loss, optimizer;
  double lr = 0, hold_out = 0;
  std::int64_t batch_size = 0;
  std::uint64_t seed = 0, epochs = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Facts, targets, classes, columns, features, loss, optimizer, lr,
                                   hold_out, batch_size, seed, epochs)

struct JobRun {
  bp::Dict state;
  Facts facts;
};

JobRun load_job(const std::string& path) {
  bp::Dict state = bp::load_safetensors(path, "cpu");
  try {
    return {state, json::parse(state.meta(kFacts)).get<Facts>()};
  } catch (const std::exception& e) {
    throw std::runtime_error(
        fmt::format("{} holds no run of `backplane train --data`: {}", path, e.what()));
  }
}

// ---- the loss -----------------------------------------------------------------------------------

bool wants_classes(const std::string& loss) {
  return loss == "cross_entropy_loss" || loss == "nll_loss";
}

std::vector<std::string> loss_names() {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < bp_module_kind_count(); ++i) {
    bp_module_kind_info kind{};
    kind.struct_size = sizeof kind;
    bp::detail::call([&](bp_error** e) { return bp_module_kind_at(i, &kind, e); });
    const std::string name = kind.name, tail = "_loss";
    if (name.size() > tail.size() &&
        name.compare(name.size() - tail.size(), tail.size(), tail) == 0)
      names.push_back(name);
  }
  return names;
}

// Returns the loss that was asked for, or the one that goes with the target.
std::string loss_for(const std::string& asked, const Data& data) {
  if (asked.empty()) return data.kind == TargetKind::kNumbers ? "mse_loss" : "cross_entropy_loss";
  const auto names = loss_names();
  if (std::find(names.begin(), names.end(), asked) == names.end())
    throw BadInput(fmt::format("--loss: there is no {}; there are {}{}", asked,
                               fmt::join(names, ", "), did_you_mean(asked, names)));
  const std::string target = fmt::format("{}", fmt::join(data.targets, ", "));
  if (wants_classes(asked) && data.kind == TargetKind::kNumbers)
    throw BadInput(fmt::format(
        "--loss {} wants classes, which are whole numbers or texts; the target '{}' has other "
        "numbers",
        asked, target));
  if (!wants_classes(asked) && data.kind == TargetKind::kText)
    throw BadInput(
        fmt::format("--loss {} wants numbers; the target '{}' has texts", asked, target));
  return asked;
}

// Returns the target as the loss takes it: classes [n], or numbers [n, k].
bp::Tensor target_for(const std::string& loss, const Data& data) {
  if (wants_classes(loss) || data.kind == TargetKind::kNumbers) return data.target;
  return data.target.to(BP_F32).reshape({data.count(), 1});
}

// ---- features -----------------------------------------------------------------------------------

struct Scale {
  bp::Tensor mean, std;  // of each feature; empty: nothing is done
};

Scale scale_of(const bp::Tensor& features) {
  Scale scale{bp::mean(features, {0}, /*keepdims=*/true), {}};
  const bp::Tensor spread =
      bp::sqrt(bp::mean(bp::square(features - scale.mean), {0}, /*keepdims=*/true));
  // A feature that never changes stays as it is, less its mean.
  scale.std = bp::where(bp::eq(spread, bp::zeros_like(spread)), bp::ones_like(spread), spread);
  return scale;
}

bp::Tensor scaled(const bp::Tensor& features, const Scale& scale) {
  return scale.mean.defined() ? (features - scale.mean) / scale.std : features;
}

// ---- the run ------------------------------------------------------------------------------------

struct Parts {
  std::vector<std::int64_t> learned, held_out;
};

// The same seed and count give the same parts on every machine.
Parts parts_of(std::int64_t count, double hold_out, std::uint64_t seed) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int64_t>(i);
  std::mt19937_64 random(seed);
  for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random() % i]);
  const auto held = rows.begin() + static_cast<std::ptrdiff_t>(
                                       std::llround(hold_out * static_cast<double>(count)));
  return {{held, rows.end()}, {rows.begin(), held}};
}

// Runs the model on two rows, so that what does not fit is said before the run and not within it.
void check_fit(const bp::Module& model, const std::string& loss, const bp::Tensor& features,
               bp::Tensor& target) {
  const bp::NoGradGuard guard;
  const std::int64_t n = std::min<std::int64_t>(2, features.size(0));
  bp::Tensor out;
  try {
    out = model(features.narrow(0, 0, n));
  } catch (const bp::Error& e) {
    const bp::Shape shape = features.shape();
    throw BadInput(fmt::format("the model does not take rows of shape [{}]: {}",
                               fmt::join(shape.begin() + 1, shape.end(), ", "), e.what()));
  }
  const std::string gives = fmt::format("{}", fmt::join(out.shape(), ", "));
  if (wants_classes(loss)) {
    const std::int64_t most = bp::max(target).item<std::int64_t>(),
                       least = bp::min(target).item<std::int64_t>();
    if (out.rank() != 2 || least < 0 || most >= out.size(1))
      throw BadInput(fmt::format(
          "the model gives [{}] for {} rows, expected a score for each class, and the target's "
          "classes are {} to {}",
          gives, n, least, most));
    return;
  }
  if (out.rank() == 1 && target.rank() == 2 && target.size(1) == 1)
    target = target.reshape({target.size(0)});
  bp::Shape wanted = target.shape();
  wanted[0] = n;
  if (out.shape() != wanted)
    throw BadInput(fmt::format("the model gives [{}] for {} rows, and the target is [{}]", gives, n,
                               fmt::join(wanted, ", ")));
}

struct Job {
  Model model;
  Facts facts;
  Scale scale;
  bp::Tensor features, target;
  Parts parts;
};

Job prepared(const RunOptions& run, const JobOptions& o, const std::optional<JobRun>& resumed) {
  if (o.model.empty() && !resumed)
    throw BadInput(
        "--model is missing: a .json file that describes it, or the file of an earlier run");
  bp::manual_seed(run.seed);
  Model model = resumed ? load_model(run.resume) : load_model(o.model);
  if (!o.weights.empty()) load_weights(model, o.weights);
  DataOptions how{o.targets, o.features};
  how.integers = takes_integers(model.description);
  if (resumed) how.classes = resumed->facts.classes;
  const Data data = load_data(run.data, how);
  Job job{std::move(model), {}, {},
          data.features,    {}, parts_of(data.count(), o.hold_out, run.seed)};
  const std::string loss = loss_for(o.loss, data);
  job.facts = {data.targets, data.classes, data.columns, o.features, loss,      o.optimizer,
               o.lr,         o.hold_out,   o.batch_size, run.seed,   run.epochs};
  job.target = target_for(loss, data);
  if (job.parts.learned.empty())
    throw BadInput(
        fmt::format("--hold-out {} of {} rows leaves none to learn", o.hold_out, data.count()));
  if (resumed && resumed->state.contains(kMean)) {
    job.scale = {resumed->state.get(kMean), resumed->state.get(kStd)};
  } else if (o.standardize && !how.integers) {
    // Held-out rows are to be unknown.
    job.scale = scale_of(bp::index_select(data.features, bp::tensor(job.parts.learned, "cpu"), 0));
  }
  job.features = scaled(data.features, job.scale);
  job.model.module.eval();
  check_fit(job.model.module, loss, job.features, job.target);
  return job;
}

void save(const Job& job, bp::Trainer& trainer, const std::string& path) {
  bp::Dict state;
  state.set_meta(kModel, job.model.description.dump());
  state.set_meta(kFacts, json(job.facts).dump());
  if (job.scale.mean.defined()) state.set(kMean, job.scale.mean), state.set(kStd, job.scale.std);
  trainer.save(path, state);
}

bp::Trainer trainer_of(const RunOptions& run, const Job& job,
                       const std::vector<bp::Device>& devices, TrainingView& view) {
  const bp::Dataset all({job.features, job.target});
  bp::LoaderOptions how{job.facts.batch_size, /*shuffle=*/true};
  how.device = devices.size() > 1 ? bp::Device("cpu") : devices[0];
  how.seed = job.facts.seed;
  if (run.members) how.part = run.members->rank(), how.n_parts = run.members->size();
  const auto models = bp::replicate(job.model.module, devices);
  bp::TrainerOptions what{models, {}, bp::Loader(all.subset(job.parts.learned), how)};
  how.shuffle = false;
  if (!job.parts.held_out.empty())
    what.val_loader = bp::Loader(all.subset(job.parts.held_out), how);
  for (const bp::Module& m : models)
    what.optimizers.emplace_back(job.facts.optimizer, m.parameters(),
                                 bp::Attrs{{"lr", job.facts.lr}});
  what.loss = bp::Module(job.facts.loss);
  what.accuracy = wants_classes(job.facts.loss);
  what.group = run.members;
  what.shard_states = run.shard_states;
  what.csv = run.log;
  if (run.leads()) {
    what.on_batch = [&view](bp::Trainer&, const bp::TrainFigures& f) { view.batch(f); };
    what.on_epoch = [&view](bp::Trainer&, const bp::TrainFigures& f) { view.epoch(f); };
  }
  return bp::Trainer(what);
}

std::int64_t parameter_count(const bp::Module& m) {
  std::int64_t n = 0;
  for (const bp::Tensor& p : m.parameters()) n += p.numel();
  return n;
}

// A resumed run is the run it goes on with; only its data, its place and its end are given again.
void take_over(RunOptions& run, JobOptions& o, const Facts& facts) {
  if (facts.epochs >= run.epochs && run.epochs != 0)
    throw BadInput(fmt::format(
        "{} has learned {} epochs already; --epochs counts them in, so ask for more than that",
        run.resume, facts.epochs));
  run.seed = facts.seed;
  o.targets = facts.targets, o.features = facts.features, o.loss = facts.loss;
  o.optimizer = facts.optimizer, o.lr = facts.lr, o.hold_out = facts.hold_out;
  o.batch_size = facts.batch_size;
}

// Returns a field as a table has it (RFC 4180).
std::string field_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string class_text(const Facts& facts, std::int64_t number) {
  const auto i = static_cast<std::size_t>(number);
  return i < facts.classes.size() ? field_text(facts.classes[i]) : std::to_string(number);
}

// Writes what the model says of each row: the class, by its name where it has one, or the numbers.
void write_predictions(const std::string& path, const Facts& facts, bool classes,
                       const std::vector<bp::Tensor>& outputs) {
  std::ofstream file(path);
  for (std::size_t i = 0; i < facts.targets.size(); ++i)
    file << (i ? "," : "") << field_text(facts.targets[i]);
  file << '\n';
  for (const bp::Tensor& out : outputs) {
    if (classes) {
      for (const std::int64_t c : bp::argmax(out, {1}).cpu().read<std::int64_t>())
        file << class_text(facts, c) << '\n';
      continue;
    }
    const auto values = out.cpu().read<float>();
    const auto width = static_cast<std::ptrdiff_t>(values.size()) / out.size(0);
    for (auto at = values.begin(); at != values.end(); at += width)
      file << fmt::format("{}\n", fmt::join(at, at + width, ","));
  }
  if (!file.flush()) throw std::runtime_error(fmt::format("{} could not be written", path));
}

}  // namespace

int train_job(RunOptions run, JobOptions o) {
  std::optional<JobRun> resumed;
  if (!run.resume.empty()) {
    resumed = load_job(run.resume);
    take_over(run, o, resumed->facts);
    if (run.epochs == 0) run.epochs = resumed->facts.epochs + 10;
  }
  if (run.epochs == 0) run.epochs = 10;
  if (run.out.empty()) run.out = resumed ? run.resume : "run.safetensors";
  join_members(run);
  if (run.leads()) check_writable(run.out);
  const auto devices = chosen_devices(run);
  Job job = prepared(run, o, resumed);
  TrainingView view(static_cast<std::int64_t>(job.parts.learned.size()), run.epochs, "rows");
  bp::Trainer trainer = trainer_of(run, job, devices, view);
  if (resumed) trainer.load_state_dict(bp::load_checkpoint(run.resume));
  if (run.leads())
    fmt::print(
        "A model of {} parameters learns {} of {} rows of {} on {}{}; {}, {} of rate {:g}, seed {}.\n",
        parameter_count(job.model.module), job.parts.learned.size(), job.features.size(0), run.data,
        device_names(devices), processes_text(run), job.facts.loss, job.facts.optimizer,
        job.facts.lr, run.seed);
  if (resumed && run.leads())
    fmt::print("It goes on behind epoch {}, as {} has it.\n", trainer.epoch(), run.resume);
  std::fflush(stdout);
  const Interruptible stopped_by_hand(trainer);
  bool finished = true;
  while (finished && trainer.epoch() < run.epochs) {
    finished = trainer.fit({trainer.epoch() + 1});
    job.facts.epochs = trainer.epoch();
    save(job, trainer, run.out);
  }
  if (!run.leads()) return finished ? 0 : 1;
  view.clear();
  if (!finished) {
    fmt::print(
        stderr,
        "backplane: stopped in epoch {}; go on with: backplane train --data {} --resume {} --epochs {}\n",
        trainer.epoch() + 1, run.data, run.out, run.epochs);
    return 1;
  }
  fmt::print("{}The model is in {}, learned in {}\n", view.curve(), run.out,
             time_text(view.seconds()));
  return 0;
}

bool is_job_run(const std::string& path) {
  try {
    bp::load_safetensors(path, "cpu").meta(kFacts);
    return true;
  } catch (const bp::Error&) {
    return false;
  }
}

int eval_job(const RunOptions& run, const JobOptions& o, const std::string& path) {
  if (run.data.empty()) throw BadInput("--data is missing: the rows to run the model on");
  const bp::Device device = device_named(run.device);
  if (!o.predictions.empty()) check_writable(o.predictions);
  const JobRun kept = load_job(path);
  Model model = load_model(path);
  DataOptions how{o.targets.empty() ? kept.facts.targets : o.targets,
                  o.features.empty() ? kept.facts.features : o.features};
  how.classes = kept.facts.classes;
  how.integers = takes_integers(model.description);
  const Data data = load_data(run.data, how);
  const std::string loss_name = loss_for(o.loss.empty() ? kept.facts.loss : o.loss, data);
  bp::Tensor target = target_for(loss_name, data), features = data.features;
  if (kept.state.contains(kMean))
    features = scaled(features, {kept.state.get(kMean), kept.state.get(kStd)});
  model.module.eval();
  check_fit(model.module, loss_name, features, target);
  model.module.to(device);
  const bp::NoGradGuard guard;
  const bp::Module loss(loss_name);
  bp::Metric losses = bp::Metric::mean(), right = bp::Metric::accuracy();
  std::vector<bp::Tensor> outputs;
  bp::LoaderOptions batches{/*batch_size=*/512};
  batches.device = device;
  for (const bp::Batch& batch : bp::Loader(bp::Dataset({features, target}), batches)) {
    const bp::Tensor out = model.module(batch[0]);
    losses.add(loss(out, batch[1]), {}, static_cast<double>(batch[0].size(0)));
    if (wants_classes(loss_name)) right.add(out, batch[1]);
    if (!o.predictions.empty()) outputs.push_back(out);
  }
  const std::string share =
      wants_classes(loss_name) ? fmt::format(", {:.2f} %", 100 * right.value()) : "";
  fmt::print("{}: {} {:.4f}{} of {} rows{} on {}\n", path, loss_name, losses.value(), share,
             data.count(), share.empty() ? "" : " right", device.str());
  if (!o.predictions.empty())
    write_predictions(o.predictions, kept.facts, wants_classes(loss_name), outputs);
  return 0;
}

}  // namespace cli
