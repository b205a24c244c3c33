// SPDX-License-Identifier: Apache-2.0
// parallel.cc: one model on several devices; declared in c_parallel.h.
#include "c_parallel.h"
#include "core/base/guard.h"
#include "core/c_api/lists.h"
#include "core/train/all_reduce.h"
#include "core/train/replicas.h"

using namespace bp;

namespace {

constexpr uint32_t kMostDevices = 1u << 10;

std::span<const bp_device> devices_of(const bp_device* devices, uint32_t n) {
  if (n > kMostDevices)
    fail(BP_INVALID_ARGUMENT, "{} devices, at most {} are possible", n, kMostDevices);
  if (n) need(devices, "devices");
  return {devices, n};
}
void hand_over(std::vector<Ref<Tensor>> made, bp_tensor** outs) {
  for (size_t i = 0; i < made.size(); ++i) outs[i] = made[i].release();
}

}  // namespace

extern "C" {

bp_status bp_all_reduce(bp_tensor* const* tensors, uint32_t n_tensors, uint32_t mean,
                        bp_error** err) {
  return guard(err, [&] { all_reduce(tensor_list(tensors, n_tensors, "tensors"), mean != 0); });
}

bp_status bp_replicate(bp_tensor* const* params, uint32_t n_params, const bp_device* devices,
                       uint32_t n_devices, bp_tensor** outs, bp_error** err) {
  return guard(err, [&] {
    const auto list = tensor_list(params, n_params, "params");
    const auto where = devices_of(devices, n_devices);
    need(outs, "outs");
    hand_over(replicated(list, where), outs);
  });
}

bp_status bp_scatter_batch(bp_tensor* batch, const bp_device* devices, uint32_t n_devices,
                           bp_tensor** outs, bp_error** err) {
  return guard(err, [&] {
    Tensor& x = checked(batch, "batch");
    const auto where = devices_of(devices, n_devices);
    need(outs, "outs");
    hand_over(scattered(x, where), outs);
  });
}

bp_status bp_replicas_create(bp_tensor* const* params, uint32_t n_params, uint32_t n_devices,
                             uint64_t bucket_bytes, bp_replicas** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = new_replicas(tensor_list(params, n_params, "params"), n_devices, bucket_bytes).release();
  });
}

bp_replicas* bp_replicas_retain(bp_replicas* r) {
  if (r && r->tag == Tag::kReplicas) r->refs.fetch_add(1, std::memory_order_relaxed);
  return r;
}
void bp_replicas_release(bp_replicas* r) {
  if (r && r->tag == Tag::kReplicas) Ref<Replicas>::drop(r);
}

bp_status bp_replicas_join(bp_replicas* r, bp_group* g, bp_error** err) {
  return guard(err, [&] {
    Replicas& replicas = checked(r);
    if (g)
      replicas.join(checked(g), /*uses_device=*/false);
    else
      replicas.leave();
  });
}
bp_status bp_replicas_hold(bp_replicas* r, uint32_t on, bp_error** err) {
  return guard(err, [&] { checked(r).hold(on != 0); });
}
bp_status bp_replicas_finish(bp_replicas* r, bp_error** err) {
  return guard(err, [&] { checked(r).finish(); });
}

}  // extern "C"
