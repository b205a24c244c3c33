// SPDX-License-Identifier: Apache-2.0
#include "core/optim/clip.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/call/invoke.h"
#include "core/grad/autograd.h"
#include "core/optim/algorithms.h"

namespace bp {
namespace {

// Gradients of one device and dtype, as one op takes them.
struct Batch {
  Device* device;
  bp_dtype dtype;
  std::vector<Ref<Tensor>> grads{};
};

std::vector<Batch> batches_of(std::span<Tensor* const> params) {
  std::vector<Batch> all;
  for (Tensor* p : params) {
    Ref<Tensor> g = grad_of(*p);
    if (!g) continue;
    if (is_complex(g->dtype)) g = view_as_real(*g);
    if (!is_floating(g->dtype))
      fail(BP_DTYPE_MISMATCH, "a gradient of {} cannot be clipped", dtype_name(g->dtype));
    auto at = std::find_if(all.begin(), all.end(), [&](const Batch& b) {
      return b.device == &g->device() && b.dtype == g->dtype && b.grads.size() + 1 < BP_MAX_INPUTS;
    });
    if (at == all.end()) at = all.insert(all.end(), Batch{&g->device(), g->dtype});
    at->grads.push_back(std::move(g));
  }
  return all;
}

std::vector<bp_value> values_of(const Batch& b) {
  std::vector<bp_value> in;
  for (const Ref<Tensor>& g : b.grads) in.push_back(tensor_value(*g));
  return in;
}
Ref<Tensor> moved(const Ref<Tensor>& t, const Device& device, bp_dtype dtype) {
  return to(*t, device.value, dtype, /*copy=*/false, /*non_blocking=*/true);
}
const OpRow& op(uint32_t id) { return *find_op(id); }

Ref<Tensor> norm_of(const std::vector<bp_value>& in, double ord) {
  const bp_attr attrs[] = {float_value(ord)};
  Ref<Tensor> out[1];
  invoke(op(BP_OP_FOREACH_NORM), in, attrs, out);
  return std::move(out[0]);
}

// Returns the norm of the batches' norms on the first one's device, in f64 if any of them is f64.
Ref<Tensor> total_of(const std::vector<Batch>& batches, double ord) {
  std::vector<Ref<Tensor>> parts;
  bp_dtype widest = BP_F32;
  for (const Batch& b : batches) {
    parts.push_back(norm_of(values_of(b), ord));
    widest = std::max(widest, parts.back()->dtype);
  }
  if (parts.size() == 1) return parts[0];
  std::vector<bp_value> in;
  for (Ref<Tensor>& p : parts) {
    p = moved(p, *batches[0].device, widest);
    in.push_back(tensor_value(*p));
  }
  if (ord != 0) return norm_of(in, ord);
  Ref<Tensor> sum = parts[0];  // norm 0 counts elements, and counts add up
  for (size_t i = 1; i < parts.size(); ++i) sum = invoke(BP_OP_ADD, {sum, parts[i]});
  return sum;
}

void refuse(const Tensor& total, double norm_type) {
  const bp_value v = item(const_cast<Tensor&>(total));
  if (std::isfinite(v.as.f64)) return;
  fail(
      BP_INVALID_ARGUMENT,
      "The total norm of order {} for gradients from `parameters` is non-finite, so it cannot be clipped. To disable this "
      "error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`",
      number_text(norm_type));
}

}  // namespace

Ref<Tensor> clip_grad_norm(std::span<Tensor* const> params, double max_norm, double norm_type,
                           bool refuse_nonfinite) {
  if (std::isnan(norm_type)) fail(BP_INVALID_ARGUMENT, "clip_grad_norm: norm_type is nan");
  if (std::isnan(max_norm)) fail(BP_INVALID_ARGUMENT, "clip_grad_norm: max_norm is nan");
  const RecordGuard guard(false);
  const std::vector<Batch> batches = batches_of(params);
  if (batches.empty()) {
    Ref<Tensor> out[1] = {new_tensor(Dims{}, BP_F32, cpu_device())};
    const bp_value zero = number(0.0);
    const bp_attr attrs[] = {ints_value(out[0]->shape), dtype_value(BP_F32)};
    invoke(op(BP_OP_FILL), {&zero, 1}, attrs, out);
    return std::move(out[0]);
  }
  Ref<Tensor> total = total_of(batches, norm_type);
  if (refuse_nonfinite) refuse(*total, norm_type);
  // The factor is max_norm / (total + 1e-6), at most 1.
  Ref<Tensor> factor = invoke(BP_OP_ADD, {total, 1e-6});
  factor = invoke(BP_OP_DIV, {max_norm, factor});
  factor = invoke(BP_OP_MINIMUM, {factor, 1.0});
  for (const Batch& b : batches) {
    std::vector<bp_value> in = values_of(b);
    const Ref<Tensor> here = moved(factor, *b.device, b.dtype == BP_F64 ? BP_F64 : BP_F32);
    in.push_back(tensor_value(*here));
    invoke(op(BP_OP_FOREACH_SCALE), in, {}, {});
  }
  return total;
}

void clip_grad_value(std::span<Tensor* const> params, double limit) {
  if (std::isnan(limit)) fail(BP_INVALID_ARGUMENT, "clip_grad_value: clip_value is nan");
  const RecordGuard guard(false);
  const bp_attr attrs[] = {float_value(-limit), float_value(limit)};
  for (const Batch& b : batches_of(params))
    invoke(op(BP_OP_FOREACH_CLAMP), values_of(b), attrs, {});
}

}  // namespace bp
