// SPDX-License-Identifier: Apache-2.0
// backplane_train.hpp: the training loop; what it means is in c_trainer.h. Include backplane.hpp.
//
//   bp::TrainerOptions what{{net}, {bp::Optimizer("Adam", net.parameters())}, loader};
//   what.loss = bp::Module("cross_entropy_loss");
//   what.on_epoch = [](bp::Trainer&, const bp::TrainFigures& f) { std::cout << f.train_loss << '\n'; };
//   bp::Trainer(what).fit({/*max_epochs=*/10});
#ifndef BACKPLANE_TRAIN_HPP
#define BACKPLANE_TRAIN_HPP

#include <cmath>

#include "backplane_data.hpp"
#include "backplane_group.hpp"
#include "backplane_nn.hpp"
#include "backplane_optim.hpp"

namespace backplane {

class Trainer;
// What the callbacks get. For on_batch, loss is the batch's, on the device. For on_epoch there are
// the numbers of the epoch, NaN where there is none.
struct TrainFigures {
  std::uint64_t epoch = 0, batch = 0, n_batches = 0;
  Tensor loss = {};
  double train_loss = NAN, train_accuracy = NAN, val_loss = NAN, val_accuracy = NAN;
};
struct Loss {
  Tensor loss, output = {};  // output is what the accuracy is computed from
};

// Functions run on the thread of fit. What one throws comes out of fit (or evaluate) as it was.
// They live as long as the trainer. One that needs the trainer gets it as an argument, and should
// not hold a copy.
struct TrainerOptions {
  std::vector<Module> modules;  // one, or one for each device
  std::vector<Optimizer> optimizers;
  Loader loader;
  std::optional<Loader> val_loader = {};
  // None, or one for each optimiser; each makes a step at an epoch's end.
  std::vector<Schedule> schedules = {};
  // Takes the module's result and the batch's last tensor. Without it compute_loss says the loss.
  std::optional<Module> loss = {};
  // The result has a score for each class, and the batch's last tensor holds the right classes.
  bool accuracy = false;
  bool shard_states = false;  // what the optimisers keep is spread over devices and processes
  std::function<Loss(const Module&, const Batch&)> compute_loss = {};
  std::function<void(Batch&, bool training)> prepare_batch = {};  // may change the batch
  std::function<void(Trainer&, const TrainFigures&)> on_batch = {}, on_epoch = {};
  // The processes that train together. All members create their trainers at the same time.
  std::optional<ProcessGroup> group = {};
  // A table that grows by a line for each epoch (bp_trainer_desc.csv), or "".
  std::string csv = {};
};
struct FitOptions {
  std::uint64_t max_epochs = 1;  // finished in all, those of earlier runs included
  double gradient_clip_val = 0;  // 0 clips nothing
  // A file that is written after each epoch and when the loop is stopped, as by save(), or "".
  std::string checkpoint = {};
};
struct Evaluation {
  double loss = NAN, accuracy = NAN;
};

// The training loop. Copies share it.
class Trainer {
 public:
  explicit Trainer(const TrainerOptions& o) {
    const auto modules = detail::borrowed(o.modules);
    const auto optimizers = detail::borrowed(o.optimizers);
    const auto schedules = detail::borrowed(o.schedules);
    if (optimizers.size() != modules.size() ||
        (!schedules.empty() && schedules.size() != modules.size()))
      throw Error(BP_INVALID_ARGUMENT, "Trainer: " + std::to_string(modules.size()) + " modules, " +
                                           std::to_string(optimizers.size()) + " optimizers and " +
                                           std::to_string(schedules.size()) +
                                           " schedules do not go together");
    auto calls =
        std::make_unique<Calls>(Calls{o.compute_loss, o.prepare_batch, o.on_batch, o.on_epoch});
    bp_trainer_desc d{};
    d.struct_size = sizeof d;
    d.flags = (o.accuracy ? std::uint32_t{BP_TRAINER_ACCURACY} : 0) |
              (o.shard_states ? std::uint32_t{BP_TRAINER_SHARD_STATES} : 0);
    d.n_devices = detail::length(modules);
    d.modules = modules.data();
    d.optimizers = optimizers.data();
    d.schedules = schedules.empty() ? nullptr : schedules.data();
    d.loss = o.loss ? o.loss->get() : nullptr;
    d.loader = o.loader.get();
    d.val_loader = o.val_loader ? o.val_loader->get() : nullptr;
    d.group = o.group ? o.group->get() : nullptr;
    d.csv = o.csv.empty() ? nullptr : detail::c_text(o.csv);
    if (o.compute_loss) d.compute_loss = call_loss;
    if (o.prepare_batch) d.prepare_batch = call_prepare;
    if (o.on_batch) d.on_batch = call_batch;
    if (o.on_epoch) d.on_epoch = call_epoch;
    d.user = calls.get();
    d.destroy = [](void* user) { delete static_cast<Calls*>(user); };
    bp_trainer* t = nullptr;
    detail::call([&](bp_error** e) { return bp_trainer_create(&d, &t, e); });
    handle_.reset(t);
    calls->trainer = t;
    calls_ = calls.release();
  }
  bp_trainer* get() const noexcept { return handle_.get(); }

  // Returns true when all epochs are done, false when the loop was stopped.
  bool fit(const FitOptions& o) {
    const bp_fit_desc how{sizeof how, 0, o.max_epochs, o.gradient_clip_val,
                          o.checkpoint.empty() ? nullptr : detail::c_text(o.checkpoint)};
    return run([&](bp_error** e) { return bp_trainer_fit(get(), &how, e); }) == BP_OK;
  }
  void stop() noexcept { bp_trainer_stop(get()); }  // any thread, signal handlers too
  std::uint64_t epoch() const noexcept { return bp_trainer_epoch(get()); }
  Evaluation evaluate(const Loader& from) {
    Evaluation out;
    run([&](bp_error** e) {
      return bp_trainer_evaluate(get(), from.get(), &out.loss, &out.accuracy, e);
    });
    return out;
  }
  Dict state_dict() const {
    return detail::dict(
        [&](bp_dict** d, bp_error** e) { return bp_trainer_state_dict(get(), d, e); });
  }
  void load_state_dict(const Dict& state) {
    detail::call([&](bp_error** e) { return bp_trainer_load_state_dict(get(), state.get(), e); });
  }
  // Writes a file for load_checkpoint, with what `extra` has as well. All members of a group call
  // it; the first one's extra counts.
  void save(const std::string& path, const std::optional<Dict>& extra = {}) {
    run([&](bp_error** e) {
      return bp_trainer_save(get(), detail::c_text(path), extra ? extra->get() : nullptr, e);
    });
  }

 private:
  // What the C callbacks reach. The trainer owns it.
  struct Calls {
    std::function<Loss(const Module&, const Batch&)> compute_loss;
    std::function<void(Batch&, bool)> prepare_batch;
    std::function<void(Trainer&, const TrainFigures&)> on_batch, on_epoch;
    bp_trainer* trainer = nullptr;
    std::exception_ptr thrown = nullptr;
  };
  Trainer(bp_trainer* owned, Calls* calls) : handle_(owned), calls_(calls) {}
  template <class F>
  bp_status run(F&& f) {
    try {
      return detail::call(f);
    } catch (const Error&) {
      if (calls_->thrown) std::rethrow_exception(std::exchange(calls_->thrown, nullptr));
      throw;
    }
  }
  static bp_status call_loss(void* user, bp_module* m, bp_tensor* const* batch, std::uint32_t n,
                             bp_tensor** loss, bp_tensor** output, bp_error** err) {
    auto& calls = *static_cast<Calls*>(user);
    return detail::guarded(err, &calls.thrown, [&] {
      Loss out = calls.compute_loss(Module::adopt(bp_module_retain(m)), detail::shared(batch, n));
      *loss = out.loss.release();
      *output = out.output.release();
      return bp_status{BP_OK};
    });
  }
  static bp_status call_prepare(void* user, std::uint32_t training, bp_tensor** batch,
                                std::uint32_t n, bp_error** err) {
    auto& calls = *static_cast<Calls*>(user);
    return detail::guarded(err, &calls.thrown, [&] {
      Batch given = detail::shared(batch, n);
      calls.prepare_batch(given, training != 0);
      if (given.size() != n)
        throw Error(BP_INVALID_ARGUMENT, "prepare_batch left " + std::to_string(given.size()) +
                                             " tensors of " + std::to_string(n));
      for (std::uint32_t i = 0; i < n; ++i) {
        bp_tensor_release(batch[i]);
        batch[i] = given[i].release();
      }
      return bp_status{BP_OK};
    });
  }
  static bp_status tell(Calls& calls, const std::function<void(Trainer&, const TrainFigures&)>& to,
                        const bp_train_figures& f, bp_error** err) {
    return detail::guarded(err, &calls.thrown, [&] {
      Trainer self(bp_trainer_retain(calls.trainer), &calls);
      to(self,
         {f.epoch, f.batch, f.n_batches, Tensor::adopt(f.loss ? bp_tensor_retain(f.loss) : nullptr),
          f.train_loss, f.train_accuracy, f.val_loss, f.val_accuracy});
      return bp_status{BP_OK};
    });
  }
  static bp_status call_batch(void* user, const bp_train_figures* f, bp_error** err) {
    auto& calls = *static_cast<Calls*>(user);
    return tell(calls, calls.on_batch, *f, err);
  }
  static bp_status call_epoch(void* user, const bp_train_figures* f, bp_error** err) {
    auto& calls = *static_cast<Calls*>(user);
    return tell(calls, calls.on_epoch, *f, err);
  }
  detail::Handle<bp_trainer, bp_trainer_retain, bp_trainer_release> handle_;
  Calls* calls_ = nullptr;  // lives as long as the trainer
};

// Reads what Trainer::save and Trainer::fit wrote, with the parts of all members.
inline Dict load_checkpoint(const std::string& path, Device device = "cpu") {
  return detail::dict([&](bp_dict** d, bp_error** e) {
    return bp_checkpoint_load(detail::c_text(path), device.value(), d, e);
  });
}

}  // namespace backplane
#endif
