// backplane_ops.hpp: one function per op; included by backplane.hpp. Printed by `./dev print` from the op table (core/ops); do not edit.
#pragma once

namespace backplane {
namespace detail {
inline std::vector<bp_tensor*> handles(const std::vector<Tensor>& tensors) {
  std::vector<bp_tensor*> list;
  for (const Tensor& t : tensors) list.push_back(t.get());
  return list;
}
}  // namespace detail

// -x. Integers wrap; bool is refused.
inline Tensor neg(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_neg(x.get(), out, e);
  });
}

// |x|. The most negative integer stays itself.
inline Tensor abs(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_abs(x.get(), out, e);
  });
}

// -1, 0 or 1 by the sign of x; 0 for NaN, as PyTorch.
inline Tensor sign(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_sign(x.get(), out, e);
  });
}

// Square root; NaN below zero.
inline Tensor sqrt(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_sqrt(x.get(), out, e);
  });
}

// 1 / sqrt(x); +inf at +0.
inline Tensor rsqrt(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_rsqrt(x.get(), out, e);
  });
}

// x * x. Integers wrap.
inline Tensor square(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_square(x.get(), out, e);
  });
}

// 1 / x.
inline Tensor reciprocal(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_reciprocal(x.get(), out, e);
  });
}

// e to the x.
inline Tensor exp(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_exp(x.get(), out, e);
  });
}

// exp(x) - 1, accurate near zero.
inline Tensor expm1(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_expm1(x.get(), out, e);
  });
}

// Natural logarithm; -inf at zero, NaN below.
inline Tensor log(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_log(x.get(), out, e);
  });
}

// log(1 + x), accurate near zero.
inline Tensor log1p(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_log1p(x.get(), out, e);
  });
}

// Sine, x in radians.
inline Tensor sin(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_sin(x.get(), out, e);
  });
}

// Cosine, x in radians.
inline Tensor cos(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_cos(x.get(), out, e);
  });
}

// Tangent, x in radians.
inline Tensor tan(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tan(x.get(), out, e);
  });
}

// Hyperbolic tangent.
inline Tensor tanh(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tanh(x.get(), out, e);
  });
}

// 1 / (1 + exp(-x)).
inline Tensor sigmoid(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_sigmoid(x.get(), out, e);
  });
}

// max(x, 0); NaN stays NaN.
inline Tensor relu(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_relu(x.get(), out, e);
  });
}

// x * (1 + erf(x / sqrt 2)) / 2, the exact form (Hendrycks and Gimpel, 2016).
inline Tensor gelu(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_gelu(x.get(), out, e);
  });
}

// x * sigmoid(x).
inline Tensor silu(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_silu(x.get(), out, e);
  });
}

// Error function.
inline Tensor erf(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_erf(x.get(), out, e);
  });
}

// Largest integer not above x; integers as they are.
inline Tensor floor(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_floor(x.get(), out, e);
  });
}

// Smallest integer not below x; integers as they are.
inline Tensor ceil(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_ceil(x.get(), out, e);
  });
}

// Nearest integer, halves to even.
inline Tensor round(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_round(x.get(), out, e);
  });
}

// Nearest integer towards zero.
inline Tensor trunc(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_trunc(x.get(), out, e);
  });
}

// True where x is NaN.
inline Tensor isnan(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_isnan(x.get(), out, e);
  });
}

// True where x is +inf or -inf.
inline Tensor isinf(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_isinf(x.get(), out, e);
  });
}

// True where x is zero.
inline Tensor logical_not(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_logical_not(x.get(), out, e);
  });
}

// a + b. Integers wrap; of bools it is logical or.
inline Tensor add(const Value& a, const Value& b) { return detail::binary(BP_OP_ADD, a, b); }
inline void add_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_ADD, a, b); }

// a - b. Integers wrap; two bools are refused.
inline Tensor sub(const Value& a, const Value& b) { return detail::binary(BP_OP_SUB, a, b); }
inline void sub_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_SUB, a, b); }

// a * b. Integers wrap; of bools it is logical and.
inline Tensor mul(const Value& a, const Value& b) { return detail::binary(BP_OP_MUL, a, b); }
inline void mul_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_MUL, a, b); }

// True division; integers give the default float dtype.
inline Tensor div(const Value& a, const Value& b) { return detail::binary(BP_OP_DIV, a, b); }
inline void div_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_DIV, a, b); }

// Quotient rounded towards -inf, as Python's //. Integers stay integers; an integer divided by 0 is 0. Floating quotients beyond an eighth of 2^p (p bits of precision) may be off by one.
inline Tensor floor_divide(const Value& a, const Value& b) { return detail::binary(BP_OP_FLOOR_DIVIDE, a, b); }
inline void floor_divide_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_FLOOR_DIVIDE, a, b); }

// a - b * floor(a / b), the sign of b, as Python's %. An integer modulo 0 is 0.
inline Tensor remainder(const Value& a, const Value& b) { return detail::binary(BP_OP_REMAINDER, a, b); }
inline void remainder_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_REMAINDER, a, b); }

// a to the b. Integers stay integers and wrap; to a negative integer tensor they give 0, except 1 and -1.
inline Tensor pow(const Value& a, const Value& b) { return detail::binary(BP_OP_POW, a, b); }
inline void pow_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_POW, a, b); }

// The larger; NaN when either is.
inline Tensor maximum(const Value& a, const Value& b) { return detail::binary(BP_OP_MAXIMUM, a, b); }
inline void maximum_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_MAXIMUM, a, b); }

// The smaller; NaN when either is.
inline Tensor minimum(const Value& a, const Value& b) { return detail::binary(BP_OP_MINIMUM, a, b); }
inline void minimum_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_MINIMUM, a, b); }

// a == b, as bool.
inline Tensor eq(const Value& a, const Value& b) { return detail::binary(BP_OP_EQ, a, b); }
inline void eq_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_EQ, a, b); }

// a != b, as bool.
inline Tensor ne(const Value& a, const Value& b) { return detail::binary(BP_OP_NE, a, b); }
inline void ne_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_NE, a, b); }

// a < b, as bool.
inline Tensor lt(const Value& a, const Value& b) { return detail::binary(BP_OP_LT, a, b); }
inline void lt_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_LT, a, b); }

// a <= b, as bool.
inline Tensor le(const Value& a, const Value& b) { return detail::binary(BP_OP_LE, a, b); }
inline void le_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_LE, a, b); }

// a > b, as bool.
inline Tensor gt(const Value& a, const Value& b) { return detail::binary(BP_OP_GT, a, b); }
inline void gt_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_GT, a, b); }

// a >= b, as bool.
inline Tensor ge(const Value& a, const Value& b) { return detail::binary(BP_OP_GE, a, b); }
inline void ge_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_GE, a, b); }

// Both are not zero.
inline Tensor logical_and(const Value& a, const Value& b) { return detail::binary(BP_OP_LOGICAL_AND, a, b); }
inline void logical_and_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_LOGICAL_AND, a, b); }

// At least one is not zero.
inline Tensor logical_or(const Value& a, const Value& b) { return detail::binary(BP_OP_LOGICAL_OR, a, b); }
inline void logical_or_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_LOGICAL_OR, a, b); }

// Exactly one is not zero.
inline Tensor logical_xor(const Value& a, const Value& b) { return detail::binary(BP_OP_LOGICAL_XOR, a, b); }
inline void logical_xor_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_LOGICAL_XOR, a, b); }

// a & b of integers or bools.
inline Tensor bitwise_and(const Value& a, const Value& b) { return detail::binary(BP_OP_BITWISE_AND, a, b); }
inline void bitwise_and_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_BITWISE_AND, a, b); }

// a | b of integers or bools.
inline Tensor bitwise_or(const Value& a, const Value& b) { return detail::binary(BP_OP_BITWISE_OR, a, b); }
inline void bitwise_or_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_BITWISE_OR, a, b); }

// a ^ b of integers or bools.
inline Tensor bitwise_xor(const Value& a, const Value& b) { return detail::binary(BP_OP_BITWISE_XOR, a, b); }
inline void bitwise_xor_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_BITWISE_XOR, a, b); }

// x where condition is true, else y; all broadcast.
inline Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_where(condition.get(), x.get(), y.get(), out, e);
  });
}

// x in another dtype. Float to integer truncates towards zero, NaN gives 0 and values out of range saturate, on every device; integers wrap; to bool: is not zero; complex to real drops the imaginary part.
inline Tensor cast(const Tensor& x, bp_dtype dtype) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_cast(x.get(), dtype, out, e);
  });
}

// x's elements, converted to a given output's dtype by the rules of cast.
inline Tensor copy(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_copy(x.get(), out, e);
  });
}

// Every element is value.
inline Tensor fill(const Value& value, const Shape& shape, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_fill(value, detail::rank(shape), shape.data(), dtype, device.value(), out, e);
  });
}

// Sum over axes (none given: all); 0 of nothing. Integers and bools are summed in i64 (u64 in u64). The order of additions depends on the shape alone, not on the number of threads; the bound holds for operands of one sign.
inline Tensor sum(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false, bp_dtype dtype = BP_DTYPE_NONE) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_sum(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, dtype, out, e);
  });
}

// Mean over axes; NaN of nothing. Floating dtypes only. The bound is of sum's kind.
inline Tensor mean(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false, bp_dtype dtype = BP_DTYPE_NONE) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_mean(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, dtype, out, e);
  });
}

// Product over axes; 1 of nothing. dtypes as sum. The bound holds up to 60 factors; each further one adds half an ULP.
inline Tensor prod(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false, bp_dtype dtype = BP_DTYPE_NONE) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_prod(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, dtype, out, e);
  });
}

// Largest over axes; NaN when one is there.
inline Tensor max(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_max(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, out, e);
  });
}

// Smallest over axes; NaN when one is there.
inline Tensor min(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_min(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, out, e);
  });
}

// First position (i64) of the largest along axis, or in the flattened tensor when none is given; the first NaN when one is there.
inline Tensor argmax(const Tensor& x, const std::vector<std::int64_t>& axis = {}, bool keepdims = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_argmax(x.get(), axis.data(), static_cast<std::uint32_t>(axis.size()), keepdims, out, e);
  });
}

// First position of the smallest; see argmax.
inline Tensor argmin(const Tensor& x, const std::vector<std::int64_t>& axis = {}, bool keepdims = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_argmin(x.get(), axis.data(), static_cast<std::uint32_t>(axis.size()), keepdims, out, e);
  });
}

// True when one is not zero (NaN is not); false of nothing.
inline Tensor any(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_any(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, out, e);
  });
}

// True when none is zero; true of nothing.
inline Tensor all(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_all(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, out, e);
  });
}

// Variance over axes: sum of squared distances from the mean over (n - correction), at least 0. Two passes.
inline Tensor var(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false, double correction = 1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_var(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, correction, out, e);
  });
}

// Running sum along axis; dtypes as sum. The bound is relative to the sum of magnitudes.
inline Tensor cumsum(const Tensor& x, std::int64_t axis, bp_dtype dtype = BP_DTYPE_NONE) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_cumsum(x.get(), axis, dtype, out, e);
  });
}

// exp(x - max) / sum(exp(x - max)) along axis.
inline Tensor softmax(const Tensor& x, std::int64_t axis = -1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_softmax(x.get(), axis, out, e);
  });
}

// x - max - log(sum(exp(x - max))) along axis. The bound is relative to the largest term.
inline Tensor log_softmax(const Tensor& x, std::int64_t axis = -1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_log_softmax(x.get(), axis, out, e);
  });
}

// Matrix product: [.., m, k] x [.., k, n] -> [.., m, n], batches broadcast; a 1-D a is a row and a 1-D b a column, dropped again from the result. Equal dtypes; f16 and bf16 are accumulated in f32, integers wrap, of bools it is any(a and b). Error: at most (k + 2) * eps * (|a| x |b|) for each element; larger for f32 where bp_set_matmul_precision allows it.
inline Tensor matmul(const Tensor& a, const Tensor& b) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_matmul(a.get(), b.get(), out, e);
  });
}

// Tensors joined along an axis they have; dtypes promote.
inline Tensor concat(const std::vector<Tensor>& tensors, std::int64_t axis = 0) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_concat(detail::handles(tensors).data(), static_cast<std::uint32_t>(tensors.size()), axis, out, e);
  });
}

// Tensors of one shape joined along a new axis.
inline Tensor stack(const std::vector<Tensor>& tensors, std::int64_t axis = 0) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_stack(detail::handles(tensors).data(), static_cast<std::uint32_t>(tensors.size()), axis, out, e);
  });
}

// out[.., j, ..] = x[.., index[.., j, ..], ..]: index has x's rank and, off the axis, sizes no larger than x's. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu.
inline Tensor gather(const Tensor& x, const Tensor& index, std::int64_t axis) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_gather(x.get(), index.get(), axis, out, e);
  });
}

// Slices of x along axis, in the order of the 1-D index.
inline Tensor index_select(const Tensor& x, const Tensor& index, std::int64_t axis) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_index_select(x.get(), index.get(), axis, out, e);
  });
}

// gather with x and index broadcast against each other off the axis; indices may be negative.
inline Tensor take_along(const Tensor& x, const Tensor& index, std::int64_t axis) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_take_along(x.get(), index.get(), axis, out, e);
  });
}

// i64 with a new last axis of num_classes: 1 at x, else 0. Values outside 0 .. num_classes - 1 are errors on the cpu.
inline Tensor one_hot(const Tensor& x, std::int64_t num_classes) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_one_hot(x.get(), num_classes, out, e);
  });
}

// start + i * step for i in 0 .. ceil((end - start) / step) - 1; in i64 for integers, in f64 for floats, then rounded. Without a dtype: i64 when all three are integers, else the default float dtype.
inline Tensor arange(const Value& start, const Value& end, const Value& step, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_arange(start, end, step, dtype, device.value(), out, e);
  });
}

// steps points from start to end, both included, computed in f64 from the nearer end: start + i * range / n in the first half, end - (n - i) * range / n in the second, range = end - start, n = steps - 1.
inline Tensor linspace(const Value& start, const Value& end, std::int64_t steps, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_linspace(start, end, steps, dtype, device.value(), out, e);
  });
}

// Stable sort along axis; NaN is the largest. indices: where each value came from (i64).
inline std::pair<Tensor, Tensor> sort(const Tensor& x, std::int64_t axis = -1, bool descending = false) {
  return detail::make_several<2>([&](bp_tensor** const* out, bp_error** e) {
    return bp_sort(x.get(), axis, descending, out[0], out[1], e);
  });
}

// The indices of sort.
inline Tensor argsort(const Tensor& x, std::int64_t axis = -1, bool descending = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_argsort(x.get(), axis, descending, out, e);
  });
}

// The k largest (or smallest) along axis, best first, ties by position; NaN is the largest.
inline std::pair<Tensor, Tensor> topk(const Tensor& x, std::int64_t k, std::int64_t axis = -1, bool largest = true) {
  return detail::make_several<2>([&](bp_tensor** const* out, bp_error** e) {
    return bp_topk(x.get(), k, axis, largest, out[0], out[1], e);
  });
}

// low + (high - low) * u, u in [0, 1): (w0 >> 8) / 2^24 for f32, f16 and bf16 (the f32 result rounded down), ((w0 >> 5) * 2^26 + (w1 >> 6)) / 2^53 for f64.
inline Tensor uniform(const Shape& shape, bp_dtype dtype = BP_DTYPE_NONE, double low = 0, double high = 1, std::int64_t seed = -1, std::int64_t offset = -1, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_uniform(detail::rank(shape), shape.data(), dtype, low, high, seed, offset, device.value(), out, e);
  });
}

// mean + std * sqrt(-2 ln((w0 + 1) / 2^32)) * cos(2 pi w1 / 2^32) (Box and Muller, 1958). Devices agree within the bound, or 1e-6 std for f32 and narrower.
inline Tensor normal(const Shape& shape, bp_dtype dtype = BP_DTYPE_NONE, double mean = 0, double std = 1, std::int64_t seed = -1, std::int64_t offset = -1, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_normal(detail::rank(shape), shape.data(), dtype, mean, std, seed, offset, device.value(), out, e);
  });
}

// Integers in [low, high): low + floor((w0 + w1 * 2^32) * (high - low) / 2^64).
inline Tensor randint(const Shape& shape, std::int64_t high, bp_dtype dtype = BP_DTYPE_NONE, std::int64_t low = 0, std::int64_t seed = -1, std::int64_t offset = -1, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_randint(detail::rank(shape), shape.data(), dtype, low, high, seed, offset, device.value(), out, e);
  });
}

// 1 with probability p, else 0: (w0 >> 8) / 2^24 < p.
inline Tensor bernoulli(const Shape& shape, bp_dtype dtype = BP_DTYPE_NONE, double p = 0.5, std::int64_t seed = -1, std::int64_t offset = -1, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_bernoulli(detail::rank(shape), shape.data(), dtype, p, seed, offset, device.value(), out, e);
  });
}

}  // namespace backplane
