// SPDX-License-Identifier: Apache-2.0
// shards.h: what optimisers keep, spread over all devices of all members (ZeRO, stage 1:
// Rajbhandari et al., "ZeRO: memory optimizations toward training trillion parameter models",
// SC'20). Each parameter has one shard, a device of a member, whose optimiser keeps its state and
// takes its step; afterwards the others copy the parameter. The parts are alike in bytes: the
// largest parameters come first, each to the shard that has the least so far. Of n shards the
// largest is then at most 4/3 - 1/(3n) times as long as in the best such division (Graham, "Bounds
// on multiprocessing timing anomalies", SIAM J. Appl. Math. 17, 1969), and no longer than the mean
// and one parameter together; no parameter is cut. Every member comes to the same parts by itself.
// Whoever holds the Shards owns them, and they hold the parameters. When they end, an optimiser
// that has given states away neither steps these parameters nor serves others (need_whole_states)
// until it has loaded them.
//
//   Shards shards(optimizers, group);      // the others' states are given up
//   for (Optimizer* o : optimizers) o->step();
//   shards.deliver();                      // all have the same parameters again
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/group/group.h"
#include "core/optim/optimizer.h"

namespace bp {

class Shards {
 public:
  // The optimisers of this member's devices, of the same parameters each. The group may be empty.
  Shards(std::span<Optimizer* const> optimizers, Ref<ProcessGroup> group);
  void deliver();

 private:
  // Parameters of one member and dtype that go over in one message.
  struct Parcel {
    uint32_t from;
    std::vector<size_t> params;
    int64_t count = 0;
  };
  Tensor& param(size_t device, size_t i) const { return *params_[device * n_params_ + i]; }
  bool is_mine(size_t i) const { return owner_[i] / n_devices_ == rank_; }
  void check(Optimizer& o, size_t shard) const;
  void hand_out(Optimizer& o, size_t shard) const;
  void pack();
  Ref<Tensor> packed(const Parcel& p) const;
  void unpack(const Parcel& p, Tensor& run) const;

  Ref<ProcessGroup> group_;
  size_t n_devices_, n_params_, rank_ = 0;
  std::vector<Ref<Tensor>> params_;  // [device][param]
  std::vector<size_t> owner_;        // by parameter: member * n_devices + device
  std::vector<Parcel> parcels_;
  std::shared_ptr<const void> life_ = std::make_shared<char>();
};

}  // namespace bp
