// SPDX-License-Identifier: Apache-2.0
// learner.h: a small training run, on one device or on several, that is the same each time.
//
//   Learner l({device("sim:0")});
//   EXPECT_EQ(l.fit(3, "run.safetensors").message, "");
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kit/modules.h"

namespace bp_test {

constexpr int64_t kExamples = 37, kBatches = 5;  // of 8, the last one of 5

struct Told {
  std::vector<bp_train_figures> batches, epochs;
  std::function<bp_status(const bp_train_figures&)> on_batch, on_epoch;
};
inline bp_status tell_batch(void* user, const bp_train_figures* f, bp_error**) {
  auto& told = *static_cast<Told*>(user);
  told.batches.push_back(*f);
  return told.on_batch ? told.on_batch(*f) : BP_OK;
}
inline bp_status tell_epoch(void* user, const bp_train_figures* f, bp_error** err) {
  auto& told = *static_cast<Told*>(user);
  told.epochs.push_back(*f);
  const bp_status status = told.on_epoch ? told.on_epoch(*f) : BP_OK;
  return status < 0 ? bp_error_set(err, status, "on_epoch of the test refuses") : status;
}

// Two classes that a line divides; a net with dropout, so that generators matter.
struct Learner {
  std::vector<M> nets;
  Told told;
  std::vector<Optimizer> optimizers;
  std::vector<Schedule> schedules;
  Loader loader, val;
  Trainer trainer;

  explicit Learner(std::vector<bp_device> devices = {kCpu}, bool dropout = true, uint32_t flags = 0,
                   const char* csv = nullptr) {
    EXPECT_EQ(bp_manual_seed(7, nullptr), BP_OK);
    for (bp_device d : devices) add_net(d, dropout);
    loader = new_loader(BP_LOADER_SHUFFLE, 8, devices.size() > 1 ? kCpu : devices[0]);
    val = new_loader(0, 16, devices.size() > 1 ? kCpu : devices[0]);
    const M loss = module("cross_entropy_loss");
    std::vector<bp_module*> modules;
    std::vector<bp_optimizer*> steps;
    std::vector<bp_schedule*> rates;
    for (size_t i = 0; i < nets.size(); ++i)
      modules.push_back(nets[i].get()), steps.push_back(optimizers[i].get()),
          rates.push_back(schedules[i].get());
    bp_trainer_desc d{};
    d.struct_size = sizeof d;
    d.flags = BP_TRAINER_ACCURACY | flags;
    d.n_devices = static_cast<uint32_t>(nets.size());
    d.modules = modules.data(), d.optimizers = steps.data(), d.schedules = rates.data();
    d.loss = loss.get(), d.loader = loader.get(), d.val_loader = val.get();
    d.csv = csv;
    d.on_batch = tell_batch, d.on_epoch = tell_epoch, d.user = &told;
    trainer = made<Trainer>(bp_trainer_create, &d);
  }
  void add_net(bp_device d, bool dropout) {
    M net = sequential(linear(2, 16), module("relu"),
                       module("dropout", {attr("p", dropout ? 0.25 : 0.0)}), linear(16, 2));
    if (!nets.empty()) net = made<M>(bp_module_clone, nets.front().get());
    EXPECT_EQ(bp_module_to(net.get(), d, BP_DTYPE_NONE, 0, nullptr), BP_OK);
    std::vector<bp_tensor*> params;
    const auto all = listed(net.get(), bp_module_parameter_at);
    for (const auto& [name, t] : all) params.push_back(t.get());
    const bp_attr lr = attr("lr", 0.02), gamma = attr("gamma", 0.9);
    optimizers.push_back(made<Optimizer>(bp_optimizer_create, "Adam", params.data(),
                                         static_cast<uint32_t>(params.size()), &lr, 1u));
    schedules.push_back(
        made<Schedule>(bp_schedule_create, "exponential", optimizers.back().get(), &gamma, 1u));
    nets.push_back(std::move(net));
  }
  static Loader new_loader(uint32_t flags, int64_t batch_size, bp_device device) {
    std::vector<float> x;
    std::vector<int64_t> y;
    for (int64_t i = 0; i < kExamples; ++i) {
      x.push_back(static_cast<float>(i % 7) - 3), x.push_back(static_cast<float>(i % 5) - 2);
      y.push_back(x[x.size() - 2] + x.back() > 0);
    }
    const T images = tensor<float>({kExamples, 2}, x), labels = tensor<int64_t>({kExamples}, y);
    bp_tensor* const columns[] = {images.get(), labels.get()};
    const Dataset data = made<Dataset>(bp_dataset_from_tensors, columns, 2u);
    const bp_loader_desc how{sizeof how, flags, batch_size, device, 2, 0, 11, 0, 1};
    return made<Loader>(bp_loader_create, data.get(), &how);
  }

  Answer fit(uint64_t epochs, const char* checkpoint = nullptr, double clip = 0) {
    const bp_fit_desc how{sizeof how, 0, epochs, clip, checkpoint};
    return attempt(bp_trainer_fit, trainer.get(), &how);
  }
  std::vector<std::vector<float>> weights(size_t device = 0) const {
    std::vector<std::vector<float>> out;
    for (const auto& [name, t] : listed(nets[device].get(), bp_module_parameter_at))
      out.push_back(values<float>(to(made(bp_tensor_detach, t.get()), kCpu, BP_F32)));
    return out;
  }
  void load(const char* path) {
    const D d = made<D>(bp_checkpoint_load, path, kCpu);
    EXPECT_EQ(attempt(bp_trainer_load_state_dict, trainer.get(), d.get()).message, "");
  }
};

}  // namespace bp_test
