// SPDX-License-Identifier: Apache-2.0
#include "core/module/initialiser.h"

#include <cmath>

#include "core/call/invoke.h"
#include "core/device/device.h"
#include "core/grad/autograd.h"

namespace bp::init {
namespace {

void check_dtype_of(const Tensor& t, const char* what) {
  if (!is_floating(t.dtype))
    fail(BP_DTYPE_MISMATCH, "{}: expected a floating dtype, got {}", what, dtype_title(t.dtype));
}

// Fills t with what the op draws, whose two parameters are a and b. The counters are those of the
// generator of t's device.
void draw(Tensor& t, uint32_t id, double a, double b, const char* what) {
  check_dtype_of(t, what);
  const RecordGuard off(false);
  uint64_t seed = 0;
  const uint64_t first = t.device().generator->reserve(t.count, &seed);
  Ref<Tensor> out[1] = {new_tensor(t.shape, t.dtype, cpu_device())};
  const bp_attr attrs[] = {ints_value(t.shape),
                           dtype_value(t.dtype),
                           float_value(a),
                           float_value(b),
                           int_value(static_cast<int64_t>(seed)),
                           int_value(static_cast<int64_t>(first))};
  invoke(*find_op(id), {}, attrs, out);
  copy_into(t, *out[0], /*non_blocking=*/false);
}

double fan(const Tensor& t, std::string_view mode) {
  if (mode != "fan_in" && mode != "fan_out")
    fail(BP_INVALID_ARGUMENT, "Mode {} not supported, please use one of ['fan_in', 'fan_out']",
         mode);
  const Fans f = fans(t);
  return mode == "fan_in" ? f.in : f.out;
}

}  // namespace

void uniform(Tensor& t, double low, double high) { draw(t, BP_OP_UNIFORM, low, high, "uniform_"); }
void normal(Tensor& t, double mean, double std) { draw(t, BP_OP_NORMAL, mean, std, "normal_"); }

void constant(Tensor& t, const bp_value& value) {
  const RecordGuard off(false);
  Ref<Tensor> out[1] = {Ref<Tensor>::share(&t)};
  const bp_attr attrs[] = {ints_value({}), dtype_value(BP_DTYPE_NONE)};
  invoke(*find_op(BP_OP_FILL), {&value, 1}, attrs, out);
}
void constant(Tensor& t, double value) {
  constant(t, is_floating(t.dtype) || is_complex(t.dtype) ? number(value)
                                                          : number(static_cast<int64_t>(value)));
}

// Draws again whatever lies outside, on the cpu, so that no inverse of erf is needed. Each round
// takes counters of its own.
void trunc_normal(Tensor& t, double mean, double std, double low, double high) {
  check_dtype_of(t, "trunc_normal_");
  if (!(low < high))
    fail(BP_INVALID_ARGUMENT, "trunc_normal_: expected a < b, got [{}, {}]", low, high);
  if (!(std > 0 && mean >= low - 2 * std && mean <= high + 2 * std && high - low >= std / 1000))
    fail(BP_INVALID_ARGUMENT, "trunc_normal_: mean {} and std {} hardly ever fall within [{}, {}]",
         mean, std, low, high);
  const RecordGuard off(false);
  Ref<Tensor> kept = new_tensor(t.shape, BP_F64, cpu_device()),
              next = new_tensor(t.shape, BP_F64, cpu_device());
  auto *values = reinterpret_cast<double*>(kept->data()),
       *drawn = reinterpret_cast<double*>(next->data());
  std::vector<int64_t> missing;
  for (int64_t i = 0; i < t.count; ++i) missing.push_back(i);
  while (!missing.empty()) {
    uint64_t seed = 0;
    const uint64_t first = t.device().generator->reserve(t.count, &seed);
    Ref<Tensor> out[1] = {next};
    const bp_attr attrs[] = {ints_value(t.shape),
                             dtype_value(BP_F64),
                             float_value(mean),
                             float_value(std),
                             int_value(static_cast<int64_t>(seed)),
                             int_value(static_cast<int64_t>(first))};
    invoke(*find_op(BP_OP_NORMAL), {}, attrs, out);
    std::erase_if(missing, [&](int64_t i) {
      values[i] = drawn[i];
      return values[i] >= low && values[i] <= high;
    });
  }
  copy_into(t, *kept, /*non_blocking=*/false);
}

void eye(Tensor& t) {
  if (t.rank() != 2) fail(BP_INVALID_ARGUMENT, "Only tensors with 2 dimensions are supported");
  constant(t, 0);
  const RecordGuard off(false);
  constant(*diagonal(t, 0, 0, 1), 1);
}

Fans fans(const Tensor& weight) {
  if (weight.rank() < 2)
    fail(BP_INVALID_ARGUMENT,
         "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions");
  double field = 1;
  for (uint32_t d = 2; d < weight.rank(); ++d) field *= static_cast<double>(weight.shape[d]);
  return {static_cast<double>(weight.shape[1]) * field,
          static_cast<double>(weight.shape[0]) * field};
}

double gain_of(std::string_view kind, double a) {
  if (kind == "linear" || kind == "sigmoid" || kind.starts_with("conv")) {
    for (std::string_view known : {"linear", "sigmoid", "conv1d", "conv2d", "conv3d",
                                   "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"})
      if (kind == known) return 1;
  }
  if (kind == "tanh") return 5.0 / 3;
  if (kind == "relu") return std::sqrt(2.0);
  if (kind == "leaky_relu") return std::sqrt(2 / (1 + a * a));
  if (kind == "selu") return 0.75;
  fail(BP_INVALID_ARGUMENT, "Unsupported nonlinearity {}", kind);
}

void xavier_uniform(Tensor& t, double gain) {
  const Fans f = fans(t);
  const double bound = t.count ? gain * std::sqrt(6 / (f.in + f.out)) : 0;
  uniform(t, -bound, bound);
}
void xavier_normal(Tensor& t, double gain) {
  const Fans f = fans(t);
  normal(t, 0, t.count ? std::abs(gain) * std::sqrt(2 / (f.in + f.out)) : 0);
}
void kaiming_uniform(Tensor& t, double a, std::string_view mode, std::string_view nonlinearity) {
  const double gain = gain_of(nonlinearity, a), n = fan(t, mode),
               bound = n > 0 ? gain * std::sqrt(3 / n) : 0;
  uniform(t, -bound, bound);
}
void kaiming_normal(Tensor& t, double a, std::string_view mode, std::string_view nonlinearity) {
  const double gain = gain_of(nonlinearity, a), n = fan(t, mode);
  normal(t, 0, n > 0 ? gain / std::sqrt(n) : 0);
}
void bounded(Tensor& t, double n) {
  const double bound = n > 0 ? 1 / std::sqrt(n) : 0;
  uniform(t, -bound, bound);
}

void orthogonal(Tensor& t, double gain) {
  if (t.rank() < 2)
    fail(BP_INVALID_ARGUMENT, "Only tensors with 2 or more dimensions are supported");
  check_dtype_of(t, "orthogonal_");
  if (t.count == 0) return;
  const RecordGuard off(false);
  const int64_t rows = t.shape[0], columns = t.count / rows;
  Ref<Tensor> flat =
      new_tensor(Dims{rows, columns}, t.dtype == BP_F64 ? BP_F64 : BP_F32, t.device());
  normal(*flat, 0, 1);
  flat = to(*flat, cpu_device().value, BP_DTYPE_NONE, false, false);
  if (rows < columns) flat = transpose(*flat, 0, 1);
  Ref<Tensor> qr[2];
  const bp_value in[] = {tensor_value(*flat)};
  const bp_attr reduced[] = {flag_value(false)};
  invoke(*find_op(BP_OP_QR), in, reduced, qr);
  // Columns of Q take the signs of R's diagonal, which makes Q uniformly distributed (Mezzadri,
  // 2007).
  Ref<Tensor> sign = invoke(BP_OP_SIGN, {diagonal(*qr[1], 0, 0, 1)});
  Ref<Tensor> q = invoke(BP_OP_MUL, {qr[0], sign});
  if (rows < columns) q = transpose(*q, 0, 1);
  q = invoke(BP_OP_MUL, {q, gain});
  copy_into(t, *reshape(*q, t.shape), /*non_blocking=*/false);
}

}  // namespace bp::init
