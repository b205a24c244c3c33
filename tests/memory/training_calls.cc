// SPDX-License-Identifier: Apache-2.0
// training_calls.cc: the calls of datasets, loaders, metrics, the training loop and several
// devices. Some of the library's work is on threads of its own, whose allocations fail too.
#include <unistd.h>

#include "kit/modules.h"
#include "memory/calls.h"

namespace bp_test {
namespace {

const T& inputs() {
  static const T x = counting({8, 3});
  return x;
}
const T& classes() {
  static const T y = tensor<int64_t>({8}, {0, 1, 0, 1, 0, 1, 0, 1});
  return y;
}
bp_dataset* examples() {
  static const Dataset d = [] {
    bp_tensor* all[] = {inputs().get(), classes().get()};
    return made<Dataset>(bp_dataset_from_tensors, static_cast<bp_tensor* const*>(all), 2u);
  }();
  return d.get();
}

bp_status datasets(bp_error** err) {
  static long destroyed = 0;
  const long before = destroyed;
  bool created = false;
  const auto body = [&]() -> bp_status {
    bp_tensor *all[] = {inputs().get(), classes().get()}, *batch[2] = {};
    const int64_t some[] = {3, 1};
    Dataset whole, part, own;
    TRY(bp_dataset_from_tensors(all, 2, into(whole), err));
    TRY(bp_dataset_subset(whole.get(), some, 2, into(part), err));
    TRY(bp_dataset_get(part.get(), some + 1, 1, batch, 2, err));
    for (bp_tensor* t : batch) bp_tensor_release(t);
    bp_dataset_desc d{};
    d.struct_size = sizeof d;
    d.n_tensors = 1;
    d.length = 4;
    d.get = [](void*, const int64_t*, uint64_t, bp_tensor** outs, uint32_t, bp_error** e) {
      return bp_tensor_narrow(inputs().get(), 0, 0, 2, outs, e);
    };
    d.destroy = [](void*) { ++destroyed; };
    TRY(bp_dataset_create(&d, into(own), err));
    created = true;
    bp_tensor* one[1] = {};
    TRY(bp_dataset_get(own.get(), some, 2, one, 1, err));
    bp_tensor_release(one[0]);
    return BP_OK;
  };
  const bp_status status = body();
  if (created) {
    EXPECT_EQ(destroyed, before + 1);
  }
  return status;
}

bp_status loaded(bp_device d, uint32_t prefetch, bp_error** err) {
  bp_loader_desc desc{};
  desc.struct_size = sizeof desc;
  desc.flags = BP_LOADER_SHUFFLE;
  desc.batch_size = 4;
  desc.device = d;
  desc.prefetch = prefetch;
  uint64_t epoch = 0, batch = 0, seed = 0;
  Loader l;
  TRY(bp_loader_create(examples(), &desc, into(l), err));
  for (;;) {
    bp_tensor* out[2] = {};
    const bp_status status = bp_loader_next(l.get(), out, 2, err);
    for (bp_tensor* t : out) bp_tensor_release(t);
    TRY(status);
    if (status == BP_EPOCH_END) break;
  }
  TRY(bp_loader_get_state(l.get(), &epoch, &batch, &seed, err));
  return bp_loader_set_state(l.get(), epoch, batch, seed, err);
}

bp_status metrics(bp_error** err) {
  static const T scores = counting({8, 2});
  Metric mean, accuracy;
  double value = 0;
  TRY(bp_metric_create(BP_METRIC_MEAN, into(mean), err));
  TRY(bp_metric_create(BP_METRIC_ACCURACY, into(accuracy), err));
  TRY(bp_metric_add(mean.get(), scores.get(), nullptr, 1, err));
  TRY(bp_metric_add(accuracy.get(), scores.get(), classes().get(), 1, err));
  TRY(bp_metric_value(mean.get(), &value, err));
  TRY(bp_metric_value(accuracy.get(), &value, err));
  return bp_metric_reset(mean.get(), err);
}

struct Model {
  M net = linear(3, 2), loss = module("cross_entropy_loss");
  Optimizer sgd;
  Schedule schedule;
  Loader loader, val;
  Model() {
    std::vector<bp_tensor*> params;
    const auto all = bp_test::listed(net.get(), bp_module_parameter_at);
    for (const auto& [name, t] : all) params.push_back(t.get());
    const bp_attr rate[] = {attr("lr", 1e-3), attr("momentum", 0.9)};
    const bp_attr gamma[] = {attr("gamma", 0.9)};
    sgd = made<Optimizer>(bp_optimizer_create, "SGD", params.data(),
                          static_cast<uint32_t>(params.size()), rate, 2u);
    schedule = made<Schedule>(bp_schedule_create, "exponential", sgd.get(), gamma, 1u);
    bp_loader_desc desc{};
    desc.struct_size = sizeof desc;
    desc.batch_size = 4;
    desc.device = kCpu;
    loader = made<Loader>(bp_loader_create, examples(), &desc);
    val = made<Loader>(bp_loader_create, examples(), &desc);
  }
};

bp_status trained(bp_error** err) {
  static const Model m;
  bp_module* modules[] = {m.net.get()};
  bp_optimizer* optimizers[] = {m.sgd.get()};
  bp_schedule* schedules[] = {m.schedule.get()};
  static char checkpoint[64];
  std::snprintf(checkpoint, sizeof checkpoint, "/tmp/backplane-memory-%d.ckpt", ::getpid());
  bp_trainer_desc d{};
  d.struct_size = sizeof d;
  d.flags = BP_TRAINER_ACCURACY;
  d.n_devices = 1;
  d.modules = modules;
  d.optimizers = optimizers;
  d.schedules = schedules;
  d.loss = m.loss.get();
  d.loader = m.loader.get();
  d.val_loader = m.val.get();
  bp_fit_desc fit{};
  fit.struct_size = sizeof fit;
  fit.max_epochs = 1;
  fit.gradient_clip_val = 1;
  fit.checkpoint = checkpoint;
  // What an earlier failure left of an epoch is not gone on with.
  EXPECT_EQ(bp_loader_set_state(m.loader.get(), 0, 0, 0, nullptr), BP_OK);
  EXPECT_EQ(bp_loader_set_state(m.val.get(), 0, 0, 0, nullptr), BP_OK);
  Trainer t;
  D state;
  double loss = 0, accuracy = 0;
  TRY(bp_trainer_create(&d, into(t), err));
  TRY(bp_trainer_fit(t.get(), &fit, err));
  TRY(bp_trainer_evaluate(t.get(), m.val.get(), &loss, &accuracy, err));
  TRY(bp_trainer_save(t.get(), checkpoint, nullptr, err));
  TRY(bp_checkpoint_load(checkpoint, device("cpu"), into(state), err));
  state.reset();
  TRY(bp_trainer_state_dict(t.get(), into(state), err));
  return bp_trainer_load_state_dict(t.get(), state.get(), err);
}

bp_status parallel(bp_error** err) {
  static const bp_device both[] = {device("sim:0"), device("sim:1")};
  static const T a = counting({4}, both[0]), b = counting({4}, both[1]), w = leaf(counting({4}));
  bp_tensor *sums[] = {a.get(), b.get()}, *params[] = {w.get()}, *copies[2] = {}, *parts[2] = {};
  TRY(bp_all_reduce(sums, 2, 1, err));
  TRY(bp_scatter_batch(inputs().get(), both, 2, parts, err));
  const T first(parts[0]), second(parts[1]);
  TRY(bp_replicate(params, 1, both, 2, copies, err));
  const T here(copies[0]), there(copies[1]);
  Replicas r;
  TRY(bp_replicas_create(copies, 2, 2, 0, into(r), err));
  for (bp_tensor* copy : copies) {
    T total;
    TRY(bp_sum(copy, nullptr, 0, 0, BP_DTYPE_NONE, into(total), err));
    bp_tensor* roots[] = {total.get()};
    TRY(bp_backward(roots, nullptr, 1, 0, err));
  }
  return bp_replicas_finish(r.get(), err);
}

}  // namespace

std::vector<Call> training_calls() {
  const bp_device sim = device("sim:0");
  return {
      {"training", "datasets", datasets},
      {"training", "loader", [](bp_error** err) { return loaded(kCpu, 0, err); }},
      {"training", "prefetch", [](bp_error** err) { return loaded(kCpu, 2, err); }, Threads::kAll},
      {"training", "onto_device", [=](bp_error** err) { return loaded(sim, 2, err); },
       Threads::kAll},
      {"training", "metrics", metrics},
      {"training", "trained", trained},
      {"training", "parallel", parallel}};
}

}  // namespace bp_test
