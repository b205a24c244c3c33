// SPDX-License-Identifier: Apache-2.0
// Bytes as the checkpoint of a training run: the trainer refuses it with one line, or goes on from
// it; either way its state can be saved, and what was saved can be loaded.
#include "tests/fuzz/fuzz.h"

namespace {

template <class H, void (*kRelease)(H*)>
using Handle = std::unique_ptr<H, fuzz::ReleasedBy<H, kRelease>>;

template <class H, class F, class... A>
H* made(F&& f, A... args) {
  H* out = nullptr;
  if (!fuzz::attempt(f, args..., &out)) fuzz::die("the run cannot be made");
  return out;
}

// A linear net of 2 x 2, Adam, a schedule, and 5 examples in batches of 2.
struct Run {
  Handle<bp_module, bp_module_release> net, loss;
  Handle<bp_optimizer, bp_optimizer_release> optimizer;
  Handle<bp_schedule, bp_schedule_release> schedule;
  Handle<bp_dataset, bp_dataset_release> data;
  Handle<bp_loader, bp_loader_release> loader;
  Handle<bp_trainer, bp_trainer_release> trainer;

  Run() {
    const auto attr = [](const char* name, int64_t v) {
      return bp_attr{name, BP_ATTR_I64, 1, {.i64 = v}, 0};
    };
    const bp_attr sizes[] = {attr("in_features", 2), attr("out_features", 2)};
    const bp_attr* none = nullptr;
    net.reset(made<bp_module>(bp_module_create, "linear", sizes, 2u, fuzz::kCpu, BP_DTYPE_NONE));
    loss.reset(made<bp_module>(bp_module_create, "cross_entropy_loss", none, 0u, fuzz::kCpu,
                               BP_DTYPE_NONE));
    const fuzz::Tensor weight(made<bp_tensor>(bp_module_get, net.get(), "weight")),
        bias(made<bp_tensor>(bp_module_get, net.get(), "bias"));
    bp_tensor* const parameters[] = {weight.get(), bias.get()};
    optimizer.reset(made<bp_optimizer>(bp_optimizer_create, "Adam", parameters, 2u, none, 0u));
    const bp_attr gamma{"gamma", BP_ATTR_F64, 1, {.f64 = 0.5}, 0};
    schedule.reset(
        made<bp_schedule>(bp_schedule_create, "exponential", optimizer.get(), &gamma, 1u));
    const int64_t shape[] = {5, 2};
    const fuzz::Tensor x(made<bp_tensor>(bp_tensor_ones, 2, shape, BP_F32, fuzz::kCpu)),
        y(made<bp_tensor>(bp_tensor_ones, 1, shape, BP_I64, fuzz::kCpu));
    bp_tensor* const columns[] = {x.get(), y.get()};
    data.reset(made<bp_dataset>(bp_dataset_from_tensors, columns, 2u));
    const bp_loader_desc how{sizeof how, BP_LOADER_SHUFFLE, 2, fuzz::kCpu, 0, 0, 1, 0, 1};
    loader.reset(made<bp_loader>(bp_loader_create, data.get(), &how));
    bp_module* modules[] = {net.get()};
    bp_optimizer* optimizers[] = {optimizer.get()};
    bp_schedule* schedules[] = {schedule.get()};
    bp_trainer_desc d{};
    d.struct_size = sizeof d;
    d.n_devices = 1;
    d.modules = modules, d.optimizers = optimizers, d.schedules = schedules;
    d.loss = loss.get(), d.loader = loader.get();
    trainer.reset(made<bp_trainer>(bp_trainer_create, &d));
  }
};

}  // namespace

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::change(fuzz::mutate_safetensors, data, size, most, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::NothingLeft nothing_left;
  bp_dict* d = nullptr;
  bp_error* e = nullptr;
  if (bp_safetensors_parse(data, size, fuzz::kCpu, &d, &e) != BP_OK)
    return bp_error_release(e), 0;  // the target safetensors looks into these
  const fuzz::Dict state(d);
  const Run run;
  const bool ok = fuzz::attempt(bp_trainer_load_state_dict, run.trainer.get(), d);
  if (ok) {
    bp_fit_desc how{};
    how.struct_size = sizeof how;
    how.max_epochs = bp_trainer_epoch(run.trainer.get()) + 1;  // none more after the last number
    fuzz::attempt(bp_trainer_fit, run.trainer.get(), &how);
  }
  const fuzz::Dict saved(made<bp_dict>(bp_trainer_state_dict, run.trainer.get()));
  if (!fuzz::attempt(bp_trainer_load_state_dict, Run().trainer.get(), saved.get()))
    fuzz::die("its own state cannot be loaded");
  return 0;
}
