// SPDX-License-Identifier: Apache-2.0
// trainer.h: the training loop. For each batch it does forward, loss, backward and step; on several
// devices each takes a part of the batch, and gradients are averaged. Losses and hits are summed on
// the devices and fetched once an epoch. The C handle bp_trainer is the struct below, and
// bp::Trainer is another name for it. Whoever holds a Ref<Trainer> owns it, and it holds all that
// it works with. One thread at a time may use it; any thread may call stop() and epoch().
//
//   bp_trainer_desc desc{};   // modules, optimisers, a loader and a loss
//   Ref<Trainer> trainer = new_trainer(desc);
//   bool finished = trainer->fit({.max_epochs = 10, .checkpoint = "run.safetensors"});
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/locks.h"
#include "core/io/dict.h"
#include "core/module/module.h"
#include "core/optim/schedule.h"
#include "core/train/loader.h"
#include "core/train/metric.h"
#include "core/train/replicas.h"
#include "core/train/shards.h"

namespace bp {

struct FitOptions {
  uint64_t max_epochs = 0;
  double gradient_clip_val = 0;  // 0 clips nothing
  std::string checkpoint;        // empty writes none
};

// One device's share of the work.
struct TrainedModel {
  Ref<Module> module;
  Ref<Optimizer> optimizer;
  Ref<Schedule> schedule;  // may be empty
  Device* device = nullptr;
  std::vector<Tensor*> params() const;  // the optimiser's
};

// What is summed up over an epoch.
struct Figures {
  Ref<Metric> loss, accuracy;  // accuracy is empty where it is not wanted
};

}  // namespace bp

struct bp_trainer final : bp::Object {
  std::vector<bp::TrainedModel> models;  // one for each device
  bp::Ref<bp::Module> loss;              // empty when a callback computes the loss
  bp::Ref<bp::Loader> loader, val_loader;
  bp::Ref<bp::Replicas> replicas;    // empty with one device in one process
  bp::Ref<bp::ProcessGroup> group;   // empty in one process
  std::optional<bp::Shards> shards;  // of the optimisers' states, where they are wanted
  bool wants_accuracy = false;
  bp_trainer_desc calls{};  // its callbacks count
  std::shared_ptr<void> user;
  std::string csv;  // a table of epochs; empty where none is wanted

  bp_trainer() : Object(bp::Tag::kTrainer) {}
  static void destroy(bp_trainer* t) noexcept { delete t; }

  void reset_sums();
  bool fit(const bp::FitOptions& options);  // false when it was stopped
  void stop() noexcept { stop_.store(true, std::memory_order_relaxed); }
  uint64_t epoch() const noexcept { return epoch_.load(std::memory_order_relaxed); }
  void evaluate(bp::Loader& from, double* loss_out, double* accuracy_out);

  // defined in trainer_state.cc
  bp::Ref<bp::Dict> state();
  // Writes the state with the generators of all members, each of which calls this, and what `extra`
  // of member 0 has.
  void save(const std::string& path, const bp::Dict* extra);
  void load(const bp::Dict& from);

 private:
  struct Result {
    bp::Ref<bp::Tensor> loss, output;
  };
  bp::Batch prepared(bp::Batch batch, bool training);
  Result forward_loss(bp::Module& m, const bp::Batch& batch);
  // What the members' steps have together.
  struct Together {
    int64_t rows = 0;
    double n_batches = 0, n_stops = 0;
  };
  bp::Ref<bp::Tensor> learn(const bp::Batch& batch, const Together& all, double clip);
  Together agree(int64_t rows, bool has_batch);
  void agree_on_run(const bp::FitOptions& options);
  double value_of(bp::Metric& m);
  void average_buffers();
  void evaluate_here(bp::Loader& from, double* loss_out, double* accuracy_out);
  // The members would wait for this one when it cannot go on.
  template <class F>
  auto told(F&& body) {
    try {
      return body();
    } catch (const std::exception& e) {
      if (group) give_up(*group, e.what());
      throw;
    }
  }
  void save_here(const std::string& path, const bp::Dict* extra);
  bp::Ref<bp::Dict> state_of_all();
  bool run(const bp::FitOptions& options);
  bool run_epoch(const bp::FitOptions& options);
  void finish_epoch(const bp::FitOptions& options);
  void begin_table();
  void add_to_table(const bp_train_figures& f);
  void note(const Result& r, const bp::Batch& batch, bp::Figures& into);
  void tell(bp_status (*call)(void*, const bp_train_figures*, bp_error**),
            const bp_train_figures& figures, const char* name);
  bp_train_figures figures() const;
  bool stopped() const noexcept { return stop_.load(std::memory_order_relaxed); }

  bp::CallMutex mutex_;  // callbacks may ask for the state
  std::atomic<bool> running_{false};
  bp::Figures sums_;
  std::atomic<bool> stop_{false};
  std::atomic<uint64_t> epoch_{0};
};

namespace bp {

using Trainer = bp_trainer;

Ref<Trainer> new_trainer(const bp_trainer_desc& desc);
Trainer& checked(const bp_trainer* t);

}  // namespace bp
