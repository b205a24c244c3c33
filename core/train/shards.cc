// SPDX-License-Identifier: Apache-2.0
#include "core/train/shards.h"

#include <algorithm>
#include <numeric>

#include "core/grad/autograd.h"
#include "core/train/replicas.h"

namespace bp {
namespace {

constexpr int64_t kParcelBytes = 25 << 20;

int64_t bytes_of(const Tensor& t) { return t.count * static_cast<int64_t>(dtype_bytes(t.dtype)); }

}  // namespace

Shards::Shards(std::span<Optimizer* const> optimizers, Ref<ProcessGroup> group)
    : group_(std::move(group)), n_devices_(optimizers.size()) {
  if (group_) rank_ = group_->rank();
  for (const Optimizer* o : optimizers)
    for (const ParamGroup& g : o->groups)
      for (const Parameter& p : g.params) params_.push_back(Ref<Tensor>::share(p.tensor.get()));
  n_params_ = params_.size() / n_devices_;
  std::vector<size_t> by_size(n_params_);
  std::iota(by_size.begin(), by_size.end(), 0);
  std::stable_sort(by_size.begin(), by_size.end(), [&](size_t a, size_t b) {
    return bytes_of(param(0, a)) > bytes_of(param(0, b));
  });
  std::vector<int64_t> load(n_devices_ * (group_ ? group_->size() : 1));
  owner_.resize(n_params_);
  for (const size_t i : by_size) {
    const auto least = std::min_element(load.begin(), load.end());
    owner_[i] = static_cast<size_t>(least - load.begin());
    *least += bytes_of(param(0, i));
  }
  for (size_t d = 0; d < n_devices_; ++d) check(*optimizers[d], rank_ * n_devices_ + d);
  if (group_) pack();
  for (size_t d = 0; d < n_devices_; ++d) hand_out(*optimizers[d], rank_ * n_devices_ + d);
}

void Shards::check(Optimizer& o, size_t shard) const {
  const std::lock_guard lock(o.mutex);
  size_t i = 0;
  for (const ParamGroup& g : o.groups)
    for (const Parameter& p : g.params)
      if (owner_[i++] == shard && p.elsewhere)
        fail(
            BP_BAD_STATE,
            "the optimizer has given the state of parameter {} to another member or device before; "
            "go on with a new optimizer and a checkpoint",
            i - 1);
}

void Shards::hand_out(Optimizer& o, size_t shard) const {
  const std::lock_guard lock(o.mutex);
  size_t i = 0;
  for (ParamGroup& g : o.groups)
    for (Parameter& p : g.params) {
      p.elsewhere = owner_[i++] != shard;
      p.keeper = life_;
      if (p.elsewhere) p.state = {};
    }
}

void Shards::pack() {
  for (uint32_t member = 0; member < group_->size(); ++member) {
    std::vector<Parcel> open;  // one of each dtype
    for (size_t i = 0; i < n_params_; ++i) {
      if (owner_[i] / n_devices_ != member || param(0, i).count == 0) continue;
      auto fits = [&](const Parcel& p) { return param(0, p.params[0]).dtype == param(0, i).dtype; };
      auto at = std::find_if(open.begin(), open.end(), fits);
      const int64_t room = kParcelBytes / static_cast<int64_t>(dtype_bytes(param(0, i).dtype));
      if (at != open.end() && at->count + param(0, i).count > room) {
        parcels_.push_back(std::move(*at));
        open.erase(at);
        at = open.end();
      }
      if (at == open.end()) at = open.insert(open.end(), Parcel{member, {}});
      at->params.push_back(i);
      at->count += param(0, i).count;
    }
    std::move(open.begin(), open.end(), std::back_inserter(parcels_));
  }
}

// A parameter alone goes as it is.
Ref<Tensor> Shards::packed(const Parcel& p) const {
  Tensor& first = param(0, p.params[0]);
  if (p.params.size() == 1) return detach(first);
  Ref<Tensor> run = new_tensor(Dims{p.count}, first.dtype, first.device());
  if (p.from != rank_) return run;
  int64_t at = 0;
  for (const size_t i : p.params) {
    Tensor& from = param(0, i);
    copy_into(*view(*narrow(*run, 0, at, from.count), from.shape), from, /*non_blocking=*/true);
    at += from.count;
  }
  return run;
}

void Shards::unpack(const Parcel& p, Tensor& run) const {
  if (p.params.size() == 1 || p.from == rank_) return;
  int64_t at = 0;
  for (const size_t i : p.params) {
    Tensor& to = param(0, i);
    give_values(to, *view(*narrow(run, 0, at, to.count), to.shape));
    at += to.count;
  }
}

// What a device has stepped goes to the member's first one, from there to the other members, and
// there to each device that has not stepped it.
void Shards::deliver() {
  const RecordGuard guard(false);
  for (size_t i = 0; i < n_params_; ++i)
    if (const size_t d = owner_[i] % n_devices_; is_mine(i) && d > 0)
      give_values(param(0, i), param(d, i));
  std::vector<Ref<Tensor>> runs;
  std::vector<Ref<Work>> works;
  for (const Parcel& p : parcels_) {
    runs.push_back(packed(p));
    works.push_back(broadcast(*group_, *runs.back(), p.from));
  }
  for (size_t k = 0; k < works.size(); ++k) {
    wait(*works[k]);
    unpack(parcels_[k], *runs[k]);
  }
  for (size_t d = 1; d < n_devices_; ++d)
    for (size_t i = 0; i < n_params_; ++i)
      if (!is_mine(i) || owner_[i] % n_devices_ != d) give_values(param(d, i), param(0, i));
}

}  // namespace bp
