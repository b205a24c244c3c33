// SPDX-License-Identifier: Apache-2.0
#include "core/train/trainer.h"

#include <unistd.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/fnv.h"
#include "core/base/guard.h"
#include "core/call/invoke.h"
#include "core/device/device.h"
#include "core/grad/autograd.h"
#include "core/io/file.h"
#include "core/optim/clip.h"

namespace bp {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr uint64_t kBucketBytes = 25u << 20;
constexpr uint32_t kMostDevices = 1024;

// Puts a module and all modules in it into training mode, or out of it, for a scope.
class Mode {
 public:
  Mode(Module& m, bool training) {
    for (const NamedModule& inside : list_modules(m, BP_MODULE_RECURSE))
      before_.emplace_back(Ref<Module>::share(inside.module), inside.module->training);
    train(m, training);
  }
  ~Mode() {
    for (const auto& [m, training] : before_) m->training = training;
  }
  Mode(const Mode&) = delete;
  Mode& operator=(const Mode&) = delete;

 private:
  std::vector<std::pair<Ref<Module>, bool>> before_;
};

int64_t rows(const Batch& batch) {
  if (batch.empty()) return 0;
  return batch.back()->rank() ? batch.back()->shape[0] : 1;
}

std::vector<Tensor*> borrowed(const Batch& batch) {
  std::vector<Tensor*> out;
  for (const Ref<Tensor>& t : batch) out.push_back(t.get());
  return out;
}

// Returns, for each device, its part of each tensor.
std::vector<Batch> cut(const Batch& batch, std::span<const bp_device> devices) {
  std::vector<Batch> parts(devices.size());
  for (const Ref<Tensor>& t : batch) {
    std::vector<Ref<Tensor>> pieces = scattered(*t, devices);
    for (size_t i = 0; i < pieces.size(); ++i) parts[i].push_back(std::move(pieces[i]));
  }
  return parts;
}

Figures new_figures(bool accuracy) {
  return {Ref<Metric>::adopt(new Metric(BP_METRIC_MEAN)),
          accuracy ? Ref<Metric>::adopt(new Metric(BP_METRIC_ACCURACY)) : Ref<Metric>{}};
  // A Ref counts, which the analyzer does not follow to the end.
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks)

void check_desc(const bp_trainer_desc& d) {
  if (d.flags & ~(BP_TRAINER_ACCURACY | BP_TRAINER_SHARD_STATES))
    fail(BP_INVALID_ARGUMENT, "desc.flags has bits that are not known: {:#x}", d.flags);
  if (d.n_devices < 1 || d.n_devices > kMostDevices)
    fail(BP_INVALID_ARGUMENT, "desc.n_devices is {}, expected 1 to {}", d.n_devices, kMostDevices);
  if (d.reserved) fail(BP_INVALID_ARGUMENT, "desc.reserved is {}, expected 0", d.reserved);
  need(d.modules, "desc.modules");
  need(d.optimizers, "desc.optimizers");
  if (!d.loss == !d.compute_loss)
    fail(BP_INVALID_ARGUMENT, "desc needs one of loss and compute_loss, and has {}",
         d.loss ? "both" : "neither");
}

TrainedModel model_of(const bp_trainer_desc& d, uint32_t i) {
  TrainedModel m;
  m.module = Ref<Module>::share(&checked(d.modules[i], "desc.modules"));
  m.optimizer = Ref<Optimizer>::share(&checked(d.optimizers[i]));
  if (d.schedules) m.schedule = Ref<Schedule>::share(&checked(d.schedules[i], "desc.schedules"));
  if (m.schedule && m.schedule->optimizer.get() != m.optimizer.get())
    fail(BP_INVALID_ARGUMENT, "desc.schedules[{}] is not of desc.optimizers[{}]", i, i);
  m.device = &m.optimizer->groups.front().params.front().tensor->device();
  return m;
}

Ref<Replicas> replicas_of(const std::vector<TrainedModel>& models) {
  std::vector<Tensor*> all;
  for (const TrainedModel& m : models)
    for (Tensor* p : m.params())
      if (wants_grad(*p)) all.push_back(p);
  return new_replicas(all, models.size(), kBucketBytes);
}

void shard_states(Trainer& t, bool wanted) {
  std::vector<Optimizer*> optimizers;
  for (const TrainedModel& m : t.models) optimizers.push_back(m.optimizer.get());
  if (wanted)
    t.shards.emplace(optimizers, t.group);
  else
    for (const Optimizer* o : optimizers) need_whole_states(*o);
}

// The members' modules become those of member 0, and this one's those of its first device.
void share_weights(const std::vector<TrainedModel>& models, ProcessGroup& group) {
  const Ref<Dict> first = state_dict(*models[0].module, "");
  const RecordGuard guard(false);
  Fnv mine;
  for (const auto& [name, tensor] : first->entries())
    mine.add(fmt::format("{} {} {}\n", name, tensor->dtype, format_shape(tensor->shape)));
  std::vector<uint64_t> all(group.size());
  all_gather_bytes(group, &mine.value, sizeof mine.value, all.data());
  for (size_t r = 1; r < all.size(); ++r)
    if (all[r] != all[0])
      fail(BP_INVALID_ARGUMENT, "trainer: the modules of ranks 0 and {} have other states", r);
  std::vector<Ref<Work>> works;
  for (const auto& [name, tensor] : first->entries())
    works.push_back(broadcast(group, *tensor, /*root=*/0));
  for (const Ref<Work>& w : works) wait(*w);
  for (size_t i = 1; i < models.size(); ++i)
    load_state_dict(*models[i].module, *first, /*strict=*/true, /*assign=*/false);
}

}  // namespace

std::vector<Tensor*> TrainedModel::params() const {
  std::vector<Tensor*> out;
  for (const ParamGroup& g : optimizer->groups)
    for (const Parameter& p : g.params) out.push_back(p.tensor.get());
  return out;
}

Ref<Trainer> new_trainer(const bp_trainer_desc& d) {
  check_desc(d);
  auto t = Ref<Trainer>::adopt(new Trainer);
  for (uint32_t i = 0; i < d.n_devices; ++i) t->models.push_back(model_of(d, i));
  if (d.loss) t->loss = Ref<Module>::share(&checked(d.loss, "desc.loss"));
  t->loader = Ref<Loader>::share(&checked(d.loader, "desc.loader"));
  if (d.val_loader) t->val_loader = Ref<Loader>::share(&checked(d.val_loader, "desc.val_loader"));
  t->wants_accuracy = d.flags & BP_TRAINER_ACCURACY;
  if ((d.loss || t->wants_accuracy) && t->loader->n_tensors() < 2)
    fail(BP_INVALID_ARGUMENT, "the loader's batches have {} tensor, and the last one is the target",
         t->loader->n_tensors());
  if (d.group) t->group = Ref<ProcessGroup>::share(&checked(d.group));
  shard_states(*t, d.flags & BP_TRAINER_SHARD_STATES);
  if (d.n_devices > 1 || t->group) t->replicas = replicas_of(t->models);
  if (t->group) {
    t->replicas->join(*t->group, /*uses_device=*/true);
    share_weights(t->models, *t->group);
  }
  t->reset_sums();
  t->calls = d;
  if (d.csv && (!t->group || t->group->rank() == 0)) t->csv = d.csv;
  t->user = std::shared_ptr<void>(d.user, [destroy = d.destroy](void* u) {
    if (destroy) destroy(u);
  });
  return t;
}

Trainer& checked(const bp_trainer* t) {
  if (need(t, "trainer")->tag != Tag::kTrainer)
    fail(BP_INVALID_ARGUMENT, "trainer is not a trainer");
  if (t->born != generation()) fail(BP_BAD_STATE, "trainer was made before bp_shutdown");
  return *const_cast<Trainer*>(t);
}

}  // namespace bp

using namespace bp;

void bp_trainer::reset_sums() { sums_ = new_figures(wants_accuracy); }

Batch bp_trainer::prepared(Batch batch, bool training) {
  if (!calls.prepare_batch) return batch;
  std::vector<bp_tensor*> list;
  list.reserve(batch.size());
  for (Ref<Tensor>& t : batch) list.push_back(t.release());
  bp_error* err = nullptr;
  const bp_status status = calls.prepare_batch(user.get(), training, list.data(),
                                               static_cast<uint32_t>(list.size()), &err);
  for (size_t i = 0; i < list.size(); ++i) batch[i] = Ref<Tensor>::adopt(list[i]);
  if (status < 0) throw_taken(status, err, 0, "prepare_batch failed without saying why");
  bp_error_release(err);
  for (size_t i = 0; i < batch.size(); ++i) checked(batch[i].get(), "what prepare_batch left");
  return batch;
}

bp_trainer::Result bp_trainer::forward_loss(Module& m, const Batch& batch) {
  std::vector<Tensor*> in = borrowed(batch);
  if (loss) {
    Ref<Tensor> out[1], value[1];
    forward(m, std::span(in).first(in.size() - 1), out);
    Tensor* const compared[] = {out[0].get(), in.back()};
    forward(*loss, compared, value);
    return {std::move(value[0]), std::move(out[0])};
  }
  bp_tensor *value = nullptr, *output = nullptr;
  bp_error* err = nullptr;
  const bp_status status = calls.compute_loss(
      user.get(), &m, in.data(), static_cast<uint32_t>(in.size()), &value, &output, &err);
  Result r{Ref<Tensor>::adopt(value), Ref<Tensor>::adopt(output)};
  if (status < 0) throw_taken(status, err, 0, "compute_loss failed without saying why");
  bp_error_release(err);
  if (checked(value, "what compute_loss gave").count != 1)
    fail(BP_INVALID_ARGUMENT, "compute_loss gave a loss of shape {}, expected one number",
         format_shape(value->shape));
  if (wants_accuracy) checked(output, "the output that compute_loss gave");
  return r;
}

void bp_trainer::note(const Result& r, const Batch& batch, Figures& into) {
  into.loss->add(*r.loss, nullptr, static_cast<double>(rows(batch)));
  if (into.accuracy) into.accuracy->add(*r.output, batch.back().get(), 1);
}

// Adds up over the members what this step of theirs has.
bp_trainer::Together bp_trainer::agree(int64_t n, bool has_batch) {
  double sums[] = {static_cast<double>(n), has_batch ? 1.0 : 0.0, group && stopped() ? 1.0 : 0.0};
  if (group) sum_numbers(*group, sums);
  return {static_cast<int64_t>(sums[0]), sums[1], sums[2]};
}

// Makes one step, of `all` rows over all members. Returns the loss of the first device's part.
Ref<Tensor> bp_trainer::learn(const Batch& batch, const Together& all, double clip) {
  std::vector<Batch> parts{batch};
  if (models.size() > 1) {
    std::vector<bp_device> devices;
    for (const TrainedModel& m : models) devices.push_back(m.device->value);
    parts = cut(batch, devices);
  }
  const double n_parts = static_cast<double>(models.size()) * (group ? group->size() : 1);
  std::vector<Ref<Tensor>> losses;
  Ref<Tensor> shown;
  for (size_t i = 0; i < models.size(); ++i) {
    models[i].optimizer->zero_grad(/*set_to_none=*/true);
    if (replicas && rows(parts[i]) == 0) continue;
    Result r = forward_loss(*models[i].module, parts[i]);
    note(r, parts[i], sums_);
    if (i == 0) shown = detach(*r.loss);
    // The mean of these losses over the devices is then the mean over the batch.
    const double share =
        static_cast<double>(rows(parts[i])) * n_parts / static_cast<double>(all.rows);
    if (replicas && share != 1) r.loss = invoke(BP_OP_MUL, {r.loss, share});
    losses.push_back(std::move(r.loss));
  }
  const std::vector<Tensor*> roots = borrowed(losses);
  if (!roots.empty()) backward(roots, {}, {});
  if (replicas) replicas->finish();
  for (TrainedModel& m : models) {
    if (clip > 0) clip_grad_norm(m.params(), clip, /*norm_type=*/2, /*refuse_nonfinite=*/false);
    m.optimizer->step();
  }
  if (shards) shards->deliver();
  return shown;
}

bp_train_figures bp_trainer::figures() const {
  const Place p = loader->place();
  return {sizeof(bp_train_figures),
          0,
          epoch(),
          p.batch,
          static_cast<uint64_t>(loader->length()),
          nullptr,
          kNone,
          kNone,
          kNone,
          kNone};
}

void bp_trainer::tell(bp_status (*tell_them)(void*, const bp_train_figures*, bp_error**),
                      const bp_train_figures& f, const char* name) {
  if (!tell_them) return;
  bp_error* err = nullptr;
  const bp_status status = tell_them(user.get(), &f, &err);
  if (status < 0)
    throw_taken(status, err, 0, fmt::format("{} failed without saying why", name).c_str());
  bp_error_release(err);
  if (status == BP_TRAINING_STOPPED) stop();
}

// A figure's value, over all members.
double bp_trainer::value_of(Metric& m) { return group ? m.value_over(*group) : m.value(); }

// What modules keep beside their parameters, such as means over batches, each member has of its own
// part: they become their mean.
void bp_trainer::average_buffers() {
  if (!group) return;
  const RecordGuard guard(false);
  std::vector<Ref<Work>> works;
  for (const NamedTensor& b : list_buffers(*models[0].module, BP_MODULE_RECURSE))
    if (b.slot->persistent && b.slot->tensor && is_floating(b.slot->tensor->dtype))
      works.push_back(all_reduce(*group, *b.slot->tensor, BP_REDUCE_MEAN));
  for (const Ref<Work>& w : works) wait(*w);
}

void bp_trainer::evaluate(Loader& from, double* loss_out, double* accuracy_out) {
  const std::lock_guard lock(mutex_);
  told([&] { evaluate_here(from, loss_out, accuracy_out); });
}

void bp_trainer::evaluate_here(Loader& from, double* loss_out, double* accuracy_out) {
  average_buffers();
  TrainedModel& m = models.front();
  if ((loss || wants_accuracy) && from.n_tensors() < 2)
    fail(BP_INVALID_ARGUMENT, "the loader's batches have {} tensor, and the last one is the target",
         from.n_tensors());
  const Mode mode(*m.module, false);
  const RecordGuard not_recorded(false);
  Figures sums = new_figures(wants_accuracy);
  const bp_device device[] = {m.device->value};
  for (Batch batch; from.next(batch);) {
    if (group && rows(batch) == 0) continue;
    batch = prepared(std::move(batch), false);
    if (models.size() > 1) batch = std::move(cut(batch, device).front());
    note(forward_loss(*m.module, batch), batch, sums);
  }
  const double mean = value_of(*sums.loss),
               accuracy = sums.accuracy ? value_of(*sums.accuracy) : kNone;
  if (loss_out) *loss_out = mean;
  if (accuracy_out) *accuracy_out = accuracy;
}

void bp_trainer::begin_table() {
  if (csv.empty() || (epoch() > 0 && ::access(csv.c_str(), F_OK) == 0)) return;
  append_file(csv, "epoch,train_loss,train_accuracy,val_loss,val_accuracy\n", /*anew=*/true);
}

void bp_trainer::add_to_table(const bp_train_figures& f) {
  if (csv.empty()) return;
  std::string line = std::to_string(f.epoch + 1);
  for (const double v : {f.train_loss, f.train_accuracy, f.val_loss, f.val_accuracy})
    line += std::isnan(v) ? "," : fmt::format(",{}", v);
  append_file(csv, line + '\n', /*anew=*/false);
}

void bp_trainer::finish_epoch(const FitOptions& options) {
  bp_train_figures f = figures();
  f.batch = f.n_batches;
  f.train_loss = value_of(*sums_.loss);
  if (sums_.accuracy) f.train_accuracy = value_of(*sums_.accuracy);
  if (val_loader) evaluate(*val_loader, &f.val_loss, &f.val_accuracy);
  for (TrainedModel& m : models)
    if (m.schedule) m.schedule->step();
  epoch_.fetch_add(1);
  reset_sums();
  if (!options.checkpoint.empty()) save_here(options.checkpoint, nullptr);
  add_to_table(f);
  tell(calls.on_epoch, f, "on_epoch");
}

// Returns false when the run was stopped on the way, by any member. One that has no more batches
// takes part in the others' steps until all have none.
bool bp_trainer::run_epoch(const FitOptions& options) {
  const Place end{loader->place().epoch, static_cast<uint64_t>(loader->length()),
                  loader->place().seed};
  for (bool over = false; group || !stopped();) {
    const Place before = over ? end : loader->place();
    Batch batch;
    over = over || !loader->next(batch);
    if (!over && (!group || rows(batch))) batch = prepared(std::move(batch), true);
    const Together all = agree(rows(batch), !over);
    if (all.n_stops > 0) {
      loader->set_place(before);  // what was taken comes first when the run goes on
      return false;
    }
    if (all.n_batches == 0) {
      finish_epoch(options);
      return true;
    }
    const Ref<Tensor> value = learn(batch, all, options.gradient_clip_val);
    if (over) continue;
    bp_train_figures f = figures();
    f.loss = value.get();
    tell(calls.on_batch, f, "on_batch");
  }
  return false;
}

// The members' runs must be one.
void bp_trainer::agree_on_run(const FitOptions& options) {
  struct Run {
    uint64_t epoch, max_epochs, has_checkpoint, is_sharded;
    double clip;
    bool operator==(const Run&) const = default;
  };
  const Run mine{epoch(), options.max_epochs, options.checkpoint.empty() ? 0u : 1u,
                 shards ? 1u : 0u, options.gradient_clip_val};
  std::vector<Run> all(group->size());
  all_gather_bytes(*group, &mine, sizeof mine, all.data());
  const auto text = [](const Run& r) {
    return fmt::format("epoch {} of {}, clipping {}, {}, {}", r.epoch, r.max_epochs, r.clip,
                       r.has_checkpoint ? "a checkpoint" : "no checkpoint",
                       r.is_sharded ? "states in shards" : "whole states");
  };
  for (size_t r = 1; r < all.size(); ++r)
    if (!(all[r] == all[0]))
      fail(BP_INVALID_ARGUMENT, "the members' runs differ: rank 0 has {}; rank {} has {}",
           text(all[0]), r, text(all[r]));
}

bool bp_trainer::run(const FitOptions& options) {
  begin_table();
  while (epoch() < options.max_epochs) {
    if (run_epoch(options)) continue;
    if (!options.checkpoint.empty()) save_here(options.checkpoint, nullptr);
    return false;
  }
  return true;
}

bool bp_trainer::fit(const FitOptions& options) {
  if (running_.exchange(true)) fail(BP_BAD_STATE, "the trainer is running already");
  struct Running {
    bp_trainer& t;
    ~Running() {
      t.running_ = false;
      t.stop_ = false;
    }
  } const running{*this};
  const std::lock_guard lock(mutex_);
  std::vector<std::unique_ptr<Mode>> modes;
  for (TrainedModel& m : models) modes.push_back(std::make_unique<Mode>(*m.module, true));
  const RecordGuard recorded(true);
  if (group) agree_on_run(options);
  return told([&] { return run(options); });
}
