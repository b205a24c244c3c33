// SPDX-License-Identifier: Apache-2.0
#include "core/train/all_reduce.h"

#include <vector>

#include "core/call/invoke.h"
#include "core/call/launch.h"
#include "core/device/collective.h"
#include "core/grad/autograd.h"

namespace bp {
namespace {

void check(std::span<Tensor* const> tensors, bool mean) {
  const Tensor& first = *tensors[0];
  if (first.dtype == BP_BOOL) fail(BP_DTYPE_MISMATCH, "all_reduce: expected numbers, got bool");
  if (mean && !is_floating(first.dtype))
    fail(BP_DTYPE_MISMATCH, "all_reduce: expected floating tensors for a mean, got {}",
         dtype_name(first.dtype));
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& t = *tensors[i];
    check_writable(t);
    if (t.dtype != first.dtype || t.shape != first.shape)
      fail(BP_INVALID_ARGUMENT, "all_reduce: tensor {} is {} {}, expected {} {}", i,
           dtype_name(t.dtype), format_shape(t.shape), dtype_name(first.dtype),
           format_shape(first.shape));
    if (t.device().backend != first.device().backend)
      fail(BP_DEVICE_MISMATCH,
           "all_reduce: tensors are on devices of several kinds, {} and {}; sums over devices are "
           "of one kind",
           first.device().label, t.device().label);
    for (size_t k = 0; k < i; ++k)
      if (&tensors[k]->device() == &t.device())
        fail(BP_INVALID_ARGUMENT, "all_reduce: tensors {} and {} are both on {}", k, i,
             t.device().label);
  }
}

using Runs = std::vector<Ref<Tensor>>;

void scale(Ref<Tensor> t, double factor) {
  const bp_value in[] = {tensor_value(*t), number(factor)};
  Ref<Tensor> out[1] = {std::move(t)};
  invoke(*find_op(BP_OP_MUL), in, {}, out);
}

// Sums by the backend's own means. Returns false, having done nothing, when it has none.
bool reduce_together(const Runs& runs, bool mean) {
  const Tensor& first = *runs[0];
  if (first.count == 0) return true;
  std::vector<Share> shares;
  for (const Ref<Tensor>& run : runs) {
    ready_to_write(*run);
    shares.push_back({&run->device(), run->data()});
  }
  Collectives& all = collectives(*first.device().backend);
  const auto done = [&](int32_t operation) {
    return all.all_reduce(shares, operation, first.dtype, first.count);
  };
  const bool is_mean = mean && done(BP_COLLECTIVE_MEAN);
  if (!is_mean && !done(BP_COLLECTIVE_SUM)) return false;
  for (const Ref<Tensor>& run : runs) {
    bump(*run);
    if (mean && !is_mean) scale(run, 1.0 / static_cast<double>(runs.size()));
  }
  return true;
}

// Sums around a ring of copies; each tensor is cut into as many parts as there are devices.
struct Ring {
  const Runs& runs;

  size_t size() const { return runs.size(); }
  Ref<Tensor> part(size_t device, size_t k) const {
    const auto n = static_cast<int64_t>(size()), at = static_cast<int64_t>(k),
               count = runs[device]->count;
    const int64_t from = count * at / n;
    return narrow(*runs[device], 0, from, count * (at + 1) / n - from);
  }
  // Returns the part that device i hands on in a round, when it begins with part `first`.
  size_t turn(size_t i, size_t first, size_t round) const {
    return (i + first + 2 * size() - round) % size();
  }

  void gather_sums() const {
    for (size_t round = 0; round + 1 < size(); ++round)
      for (size_t i = 0; i < size(); ++i) {
        const size_t next = (i + 1) % size(), k = turn(i, 0, round);
        Ref<Tensor> sum = part(next, k);
        if (sum->count == 0) continue;
        const Ref<Tensor> from = to(*part(i, k), sum->device().value, BP_DTYPE_NONE, /*copy=*/true,
                                    /*non_blocking=*/true);
        const bp_value in[] = {tensor_value(*sum), tensor_value(*from)};
        Ref<Tensor> out[1] = {sum};
        invoke(*find_op(BP_OP_ADD), in, {}, out);
      }
  }
  // Each device divides the part that is finished on it: device i has part i + 1.
  void divide() const {
    for (size_t i = 0; i < size(); ++i) {
      Ref<Tensor> mine = part(i, (i + 1) % size());
      if (mine->count) scale(std::move(mine), 1.0 / static_cast<double>(size()));
    }
  }
  void hand_around() const {
    for (size_t round = 0; round + 1 < size(); ++round)
      for (size_t i = 0; i < size(); ++i) {
        const size_t k = turn(i, 1, round);
        const Ref<Tensor> from = part(i, k), into = part((i + 1) % size(), k);
        if (from->count) copy_into(*into, *from, /*non_blocking=*/true);
      }
  }
  void all_reduce(bool mean) const {
    gather_sums();
    if (mean) divide();
    hand_around();
  }
};

}  // namespace

void all_reduce(std::span<Tensor* const> tensors, bool mean) {
  if (tensors.empty()) fail(BP_INVALID_ARGUMENT, "all_reduce: expected at least one tensor");
  const RecordGuard guard(false);
  check(tensors, mean);
  if (tensors.size() == 1) return;
  Runs runs;
  for (Tensor* t : tensors) runs.push_back(flatten(*contiguous(*t), 0, -1));
  if (!reduce_together(runs, mean)) Ring{runs}.all_reduce(mean);
  for (size_t i = 0; i < tensors.size(); ++i)
    if (!tensors[i]->contiguous)
      copy_into(*tensors[i], *reshape(*runs[i], tensors[i]->shape), /*non_blocking=*/true);
}

}  // namespace bp
