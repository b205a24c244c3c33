// SPDX-License-Identifier: Apache-2.0
// backplane_methods.hpp: ops as methods of Tensor; included by backplane_tensor.hpp. Printed by `./dev print` from the op table (core/ops); do not edit.
#ifndef BACKPLANE_METHODS_HPP
#define BACKPLANE_METHODS_HPP

#include "backplane_base.hpp"

namespace backplane {

class Tensor;
class Value;

namespace detail {

// What Tensor inherits. x.<op>(...) is <op>(x, ...); x.<op>_(...) writes the result into x.
class OpMethods {
 public:
  Tensor neg() const;  // -x. Integers wrap; bool is refused.
  const Tensor& neg_() const;
  Tensor abs() const;  // |x|. The most negative integer stays itself. Of complex numbers the modulus, a real number.
  const Tensor& abs_() const;
  Tensor sign() const;  // -1, 0 or 1 by the sign of x; 0 for NaN, as PyTorch.
  const Tensor& sign_() const;
  Tensor sqrt() const;  // Square root; NaN below zero.
  const Tensor& sqrt_() const;
  Tensor rsqrt() const;  // 1 / sqrt(x); +inf at +0.
  const Tensor& rsqrt_() const;
  Tensor square() const;  // x * x. Integers wrap.
  const Tensor& square_() const;
  Tensor reciprocal() const;  // 1 / x.
  const Tensor& reciprocal_() const;
  Tensor exp() const;  // e to the x.
  const Tensor& exp_() const;
  Tensor expm1() const;  // exp(x) - 1, accurate near zero.
  const Tensor& expm1_() const;
  Tensor log() const;  // Natural logarithm; -inf at zero, NaN below.
  const Tensor& log_() const;
  Tensor log1p() const;  // log(1 + x), accurate near zero.
  const Tensor& log1p_() const;
  Tensor sin() const;  // Sine, x in radians.
  const Tensor& sin_() const;
  Tensor cos() const;  // Cosine, x in radians.
  const Tensor& cos_() const;
  Tensor tan() const;  // Tangent, x in radians.
  const Tensor& tan_() const;
  Tensor tanh() const;  // Hyperbolic tangent.
  const Tensor& tanh_() const;
  Tensor sigmoid() const;  // 1 / (1 + exp(-x)).
  const Tensor& sigmoid_() const;
  Tensor relu() const;  // max(x, 0); NaN stays NaN.
  const Tensor& relu_() const;
  Tensor gelu() const;  // x * (1 + erf(x / sqrt 2)) / 2, the exact form (Hendrycks and Gimpel, 2016).
  const Tensor& gelu_() const;
  Tensor silu() const;  // x * sigmoid(x).
  const Tensor& silu_() const;
  Tensor erf() const;  // Error function.
  const Tensor& erf_() const;
  Tensor floor() const;  // Largest integer not above x; integers as they are.
  const Tensor& floor_() const;
  Tensor ceil() const;  // Smallest integer not below x; integers as they are.
  const Tensor& ceil_() const;
  Tensor round() const;  // Nearest integer, halves to even.
  const Tensor& round_() const;
  Tensor trunc() const;  // Nearest integer towards zero.
  const Tensor& trunc_() const;
  Tensor isnan() const;  // True where x is NaN.
  const Tensor& isnan_() const;
  Tensor isinf() const;  // True where x is +inf or -inf.
  const Tensor& isinf_() const;
  Tensor logical_not() const;  // True where x is zero.
  const Tensor& logical_not_() const;
  Tensor asin() const;  // Inverse sine, in [-pi/2, pi/2]; NaN outside [-1, 1].
  const Tensor& asin_() const;
  Tensor acos() const;  // Inverse cosine, in [0, pi]; NaN outside [-1, 1].
  const Tensor& acos_() const;
  Tensor atan() const;  // Inverse tangent, in [-pi/2, pi/2].
  const Tensor& atan_() const;
  Tensor sinh() const;  // Hyperbolic sine.
  const Tensor& sinh_() const;
  Tensor cosh() const;  // Hyperbolic cosine.
  const Tensor& cosh_() const;
  Tensor asinh() const;  // Inverse hyperbolic sine.
  const Tensor& asinh_() const;
  Tensor acosh() const;  // Inverse hyperbolic cosine; NaN below 1.
  const Tensor& acosh_() const;
  Tensor atanh() const;  // Inverse hyperbolic tangent; infinite at -1 and 1, NaN beyond.
  const Tensor& atanh_() const;
  Tensor log2() const;  // Logarithm to base 2; -inf at zero, NaN below. Exact for powers of two.
  const Tensor& log2_() const;
  Tensor log10() const;  // Logarithm to base 10; -inf at zero, NaN below.
  const Tensor& log10_() const;
  Tensor exp2() const;  // 2 to the x. Exact for integers.
  const Tensor& exp2_() const;
  Tensor isfinite() const;  // True where x is neither infinite nor NaN.
  const Tensor& isfinite_() const;
  Tensor add(const Value& b) const;  // a + b. Integers wrap; of bools it is logical or.
  const Tensor& add_(const Value& b) const;
  Tensor sub(const Value& b) const;  // a - b. Integers wrap; two bools are refused.
  const Tensor& sub_(const Value& b) const;
  Tensor mul(const Value& b) const;  // a * b. Integers wrap; of bools it is logical and.
  const Tensor& mul_(const Value& b) const;
  Tensor div(const Value& b) const;  // True division; integers give the default float dtype.
  const Tensor& div_(const Value& b) const;
  Tensor floor_divide(const Value& b) const;  // Quotient rounded towards -inf, as Python's //. Integers stay integers; an integer divided by 0 is 0. Floating quotients beyond an eighth of 2^p (p bits of precision) may be off by one.
  const Tensor& floor_divide_(const Value& b) const;
  Tensor remainder(const Value& b) const;  // a - b * floor(a / b), the sign of b, as Python's %. An integer modulo 0 is 0.
  const Tensor& remainder_(const Value& b) const;
  Tensor pow(const Value& b) const;  // a to the b. Integers stay integers and wrap; to a negative integer tensor they give 0, except 1 and -1.
  const Tensor& pow_(const Value& b) const;
  Tensor maximum(const Value& b) const;  // The larger; NaN when either is.
  const Tensor& maximum_(const Value& b) const;
  Tensor minimum(const Value& b) const;  // The smaller; NaN when either is.
  const Tensor& minimum_(const Value& b) const;
  Tensor eq(const Value& b) const;  // a == b, as bool.
  const Tensor& eq_(const Value& b) const;
  Tensor ne(const Value& b) const;  // a != b, as bool.
  const Tensor& ne_(const Value& b) const;
  Tensor lt(const Value& b) const;  // a < b, as bool.
  const Tensor& lt_(const Value& b) const;
  Tensor le(const Value& b) const;  // a <= b, as bool.
  const Tensor& le_(const Value& b) const;
  Tensor gt(const Value& b) const;  // a > b, as bool.
  const Tensor& gt_(const Value& b) const;
  Tensor ge(const Value& b) const;  // a >= b, as bool.
  const Tensor& ge_(const Value& b) const;
  Tensor logical_and(const Value& b) const;  // Both are not zero.
  const Tensor& logical_and_(const Value& b) const;
  Tensor logical_or(const Value& b) const;  // At least one is not zero.
  const Tensor& logical_or_(const Value& b) const;
  Tensor logical_xor(const Value& b) const;  // Exactly one is not zero.
  const Tensor& logical_xor_(const Value& b) const;
  Tensor bitwise_and(const Value& b) const;  // a & b of integers or bools.
  const Tensor& bitwise_and_(const Value& b) const;
  Tensor bitwise_or(const Value& b) const;  // a | b of integers or bools.
  const Tensor& bitwise_or_(const Value& b) const;
  Tensor bitwise_xor(const Value& b) const;  // a ^ b of integers or bools.
  const Tensor& bitwise_xor_(const Value& b) const;
  Tensor atan2(const Value& b) const;  // Angle of the point (b, a), in [-pi, pi]; special cases as C's atan2.
  const Tensor& atan2_(const Value& b) const;
  Tensor hypot(const Value& b) const;  // sqrt(a * a + b * b) without overflow on the way; infinite when either is.
  const Tensor& hypot_(const Value& b) const;
  Tensor copysign(const Value& b) const;  // |a| with the sign bit of b.
  const Tensor& copysign_(const Value& b) const;
  Tensor nextafter(const Value& b) const;  // The number of a's dtype that follows a in the direction of b; b where they are equal.
  const Tensor& nextafter_(const Value& b) const;
  Tensor logaddexp(const Value& b) const;  // log(exp(a) + exp(b)) without overflow on the way. The bound is relative to the larger operand.
  const Tensor& logaddexp_(const Value& b) const;
  Tensor fmod(const Value& b) const;  // a - b * trunc(a / b), exact, the sign of a, as C's fmod. An integer modulo 0 is 0.
  const Tensor& fmod_(const Value& b) const;
  Tensor bitwise_left_shift(const Value& b) const;  // a << b; 0 where b is negative or not below the width.
  const Tensor& bitwise_left_shift_(const Value& b) const;
  Tensor bitwise_right_shift(const Value& b) const;  // a >> b, signed numbers keep their sign; where b is negative or not below the width: 0, or -1 for negative a.
  const Tensor& bitwise_right_shift_(const Value& b) const;
  Tensor cast(bp_dtype dtype) const;  // x in another dtype. Float to integer truncates towards zero, NaN gives 0 and values out of range saturate, on every device; integers wrap; narrower floats are reached through f32; to bool: is not zero; complex to real drops the imaginary part.
  const Tensor& cast_(bp_dtype dtype) const;
  Tensor copy() const;  // x's elements, converted to a given output's dtype by the rules of cast.
  const Tensor& copy_() const;
  Tensor sum(const Ints& axes = {}, bool keepdims = false, bp_dtype dtype = BP_DTYPE_NONE) const;  // Sum over axes (none given: all); 0 of nothing. Integers and bools are summed in i64 (u64 in u64). The order of additions depends on the shape alone, not on the number of threads; the bound holds for operands of one sign.
  Tensor mean(const Ints& axes = {}, bool keepdims = false, bp_dtype dtype = BP_DTYPE_NONE) const;  // Mean over axes; NaN of nothing. Floating dtypes only. The bound is of sum's kind.
  Tensor prod(const Ints& axes = {}, bool keepdims = false, bp_dtype dtype = BP_DTYPE_NONE) const;  // Product over axes; 1 of nothing. dtypes as sum. The bound holds up to 60 factors; each further one adds half an ULP.
  Tensor max(const Ints& axes = {}, bool keepdims = false) const;  // Largest over axes; NaN when one is there.
  Tensor min(const Ints& axes = {}, bool keepdims = false) const;  // Smallest over axes; NaN when one is there.
  Tensor argmax(const Ints& axis = {}, bool keepdims = false) const;  // First position (i64) of the largest along axis, or in the flattened tensor when none is given; the first NaN when one is there.
  Tensor argmin(const Ints& axis = {}, bool keepdims = false) const;  // First position of the smallest; see argmax.
  Tensor any(const Ints& axes = {}, bool keepdims = false) const;  // True when one is not zero (NaN is not); false of nothing.
  Tensor all(const Ints& axes = {}, bool keepdims = false) const;  // True when none is zero; true of nothing.
  Tensor var(const Ints& axes = {}, bool keepdims = false, double correction = 1) const;  // Variance over axes: sum of squared distances from the mean over (n - correction), at least 0. Two passes. Of complex numbers it is real.
  Tensor cumsum(std::int64_t axis, bp_dtype dtype = BP_DTYPE_NONE) const;  // Running sum along axis; dtypes as sum. The bound is relative to the sum of magnitudes.
  Tensor softmax(std::int64_t axis = -1) const;  // exp(x - max) / sum(exp(x - max)) along axis.
  Tensor log_softmax(std::int64_t axis = -1) const;  // x - max - log(sum(exp(x - max))) along axis. The bound is relative to the largest term.
  Tensor cumprod(std::int64_t axis, bp_dtype dtype = BP_DTYPE_NONE) const;  // Running product along axis; dtypes as sum. The bound holds up to 60 factors; each further one adds half an ULP.
  Tensor matmul(const Tensor& b) const;  // Matrix product: [.., m, k] x [.., k, n] -> [.., m, n], batches broadcast; a 1-D a is a row and a 1-D b a column, dropped again from the result. Equal dtypes; f16 and bf16 are accumulated in f32, integers wrap, of bools it is any(a and b). Error: at most (k + 2) * eps * (|a| x |b|) for each element; larger for f32 where bp_set_matmul_precision allows it.
  Tensor gather(const Tensor& index, std::int64_t axis) const;  // out[.., j, ..] = x[.., index[.., j, ..], ..]: index has x's rank and, off the axis, sizes no larger than x's. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu.
  Tensor index_select(const Tensor& index, std::int64_t axis) const;  // Slices of x along axis, in the order of the 1-D index.
  Tensor take_along(const Tensor& index, std::int64_t axis) const;  // gather with x and index broadcast against each other off the axis; indices may be negative.
  Tensor one_hot(std::int64_t num_classes) const;  // i64 with a new last axis of num_classes: 1 at x, else 0. Values outside 0 .. num_classes - 1 are errors on the cpu.
  std::pair<Tensor, Tensor> sort(std::int64_t axis = -1, bool descending = false) const;  // Stable sort along axis; NaN is the largest. indices: where each value came from (i64).
  Tensor argsort(std::int64_t axis = -1, bool descending = false) const;  // The indices of sort.
  std::pair<Tensor, Tensor> topk(std::int64_t k, std::int64_t axis = -1, bool largest = true) const;  // The k largest (or smallest) along axis, best first, ties by position; NaN is the largest.
  Tensor signbit() const;  // True where the sign bit is set: x < 0, and -0 and NaN of that sign.
  const Tensor& signbit_() const;
  Tensor bitwise_not() const;  // ~x of integers; of bools it is logical not.
  const Tensor& bitwise_not_() const;
  Tensor softplus(double beta = 1, double threshold = 20) const;  // log(1 + exp(beta * x)) / beta; x itself where beta * x is above threshold.
  const Tensor& softplus_(double beta = 1, double threshold = 20) const;
  Tensor elu(double alpha = 1) const;  // x where x > 0, else alpha * (exp(x) - 1).
  const Tensor& elu_(double alpha = 1) const;
  Tensor leaky_relu(double negative_slope = 0.01) const;  // x where x > 0, else negative_slope * x.
  const Tensor& leaky_relu_(double negative_slope = 0.01) const;
  Tensor hardswish() const;  // x * min(max(x + 3, 0), 6) / 6.
  const Tensor& hardswish_() const;
  Tensor hardsigmoid() const;  // min(max(x + 3, 0), 6) / 6.
  const Tensor& hardsigmoid_() const;
  Tensor mish() const;  // x * tanh(softplus(x)).
  const Tensor& mish_() const;
  Tensor gelu_tanh() const;  // x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2: gelu with approximate='tanh'. The bound is relative to x where x is negative.
  const Tensor& gelu_tanh_() const;
  Tensor hardtanh(double min_val = -1, double max_val = 1) const;  // x kept within min_val and max_val; NaN stays NaN.
  const Tensor& hardtanh_(double min_val = -1, double max_val = 1) const;
  Tensor relu6() const;  // min(max(x, 0), 6); NaN stays NaN.
  const Tensor& relu6_() const;
  Tensor nan_to_num(double nan = 0, double posinf = std::numeric_limits<double>::quiet_NaN(), double neginf = std::numeric_limits<double>::quiet_NaN()) const;  // x with NaN, inf and -inf replaced: by nan, posinf (none: the dtype's largest) and neginf (none: its lowest). Integers as they are.
  const Tensor& nan_to_num_(double nan = 0, double posinf = std::numeric_limits<double>::quiet_NaN(), double neginf = std::numeric_limits<double>::quiet_NaN()) const;
  Tensor lerp(const Tensor& end, const Value& weight) const;  // start + weight * (end - start), computed from the nearer end. The bound is relative to the largest term.
  const Tensor& lerp_(const Tensor& end, const Value& weight) const;
  Tensor lgamma() const;  // log(abs(gamma(x))): inf at 0 and negative integers. Below 0 the error is that bound of the largest term of log(pi / abs(sin(pi x))) - lgamma(1 - x).
  const Tensor& lgamma_() const;
  Tensor digamma() const;  // The derivative of lgamma: -inf at 0, inf at -0, NaN at negative integers. The bound is relative to the largest of the result, log(x + 10) and 1 / x.
  const Tensor& digamma_() const;
  Tensor addcmul(const Tensor& a, const Value& b, double value = 1) const;  // x + value * a * b. Integers wrap, and take the whole part of value. The bound is relative to the largest term.
  const Tensor& addcmul_(const Tensor& a, const Value& b, double value = 1) const;
  Tensor addcdiv(const Tensor& a, const Value& b, double value = 1) const;  // x + value * a / b; integers give the default float dtype. The bound is relative to the largest term.
  const Tensor& addcdiv_(const Tensor& a, const Value& b, double value = 1) const;
  std::pair<Tensor, Tensor> kthvalue(std::int64_t k, std::int64_t axis = -1) const;  // The k-th least element along axis, which stays with size 1, and its place; k counts from 1, ties by position, NaN is the largest.
  Tensor std(const Ints& axes = {}, bool keepdims = false, double correction = 1) const;  // Standard deviation over axes: the square root of var.
  Tensor logsumexp(const Ints& axes = {}, bool keepdims = false) const;  // log(sum(exp(x))) over axes without overflow on the way; -inf of nothing. The bound is relative to the largest term.
  Tensor vector_norm(const Ints& axes = {}, bool keepdims = false, double ord = 2) const;  // sum(|x|^ord)^(1/ord) over axes; ord inf and -inf: the largest and the smallest |x|, 0: how many are not zero. Of complex numbers it is real. The gradient is 0 where the norm is.
  Tensor count_nonzero(const Ints& axes = {}, bool keepdims = false) const;  // How many are not zero over axes (i64); NaN is not.
  Tensor diff(std::int64_t n = 1, std::int64_t axis = -1) const;  // Differences of neighbours along axis, n times; of bools whether they differ.
  Tensor roll(const Ints& shift = {}, const Ints& axis = {}) const;  // Elements moved by shift along axis, what falls off coming in again; without axis as one line.
  Tensor repeat(std::int64_t repeats, const Ints& axis = {}) const;  // Each element of axis repeats times in a row; without axis of the flattened tensor. PyTorch's repeat_interleave.
  Tensor tile(const Ints& repetitions = {}) const;  // The whole repeated along each of the last axes.
  Tensor tril(std::int64_t diagonal = 0) const;  // Of each matrix the elements on and below the diagonal (counted to the right), else 0.
  Tensor triu(std::int64_t diagonal = 0) const;  // Of each matrix the elements on and above the diagonal (counted to the right), else 0.
  Tensor pad(const Ints& pad = {}, const char* mode = "constant", double value = 0) const;  // Elements added before and after: pad holds two numbers for the last axis, then for the one before it, ...; negative ones take away. mode: constant (value), reflect (without the edge), replicate (the edge), circular (of what negative numbers leave).
  Tensor outer(const Tensor& b) const;  // out[i, j] = a[i] * b[j] of two 1-D tensors.
  Tensor vecdot(const Tensor& b, std::int64_t axis = -1) const;  // Sum of a * b along axis, of conj(a) * b where they are complex, broadcast elsewhere. Error as matmul.
  Tensor tensordot(const Tensor& b, const Ints& axes_a = {}, const Ints& axes_b = {}) const;  // Sum of products over axes_a of a and axes_b of b, pair by pair; what is left of a, then of b. Error as matmul.
  Tensor trace(std::int64_t offset = 0, bp_dtype dtype = BP_DTYPE_NONE) const;  // Sum along the diagonal of each matrix, offset to the right; dtypes and bound as sum.
  Tensor cross(const Tensor& b, std::int64_t axis = -1) const;  // Vector product along an axis of 3. The bound is relative to the products that are subtracted.
  Tensor kron(const Tensor& b) const;  // Kronecker product: every element of a times the whole of b, in its place.
  Tensor scatter(const Tensor& index, const Tensor& src, std::int64_t axis) const;  // x with out[.., index[.., j, ..], ..] = src[.., j, ..]; of equal indices the last wins. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu.
  Tensor scatter_add(const Tensor& index, const Tensor& src, std::int64_t axis) const;  // scatter that adds, in the order of j on every device. Of bools it is logical or. The bound is relative to the sum of magnitudes, for a few terms.
  Tensor index_add(const Tensor& index, const Tensor& source, std::int64_t axis, double alpha = 1) const;  // x with alpha * slice j of source added to slice index[j] along axis, in the order of j.
  Tensor masked_fill(const Tensor& mask, const Value& value) const;  // x, and value (a number or 0-dim) where mask is true; mask and x broadcast.
  const Tensor& masked_fill_(const Tensor& mask, const Value& value) const;
  std::pair<Tensor, Tensor> batch_norm_running(const Tensor& running_mean, const Tensor& running_var, double momentum = 0.1) const;  // The running statistics after a batch x [N, C, ..] of batch_norm's training: (1 - momentum) * running + momentum * x's own, the variance with n - 1. Written in place by giving them as results.
  Tensor dropout(double p = 0.5, std::int64_t seed = -1, std::int64_t offset = -1) const;  // x / (1 - p) where bernoulli(1 - p) of the same seed and offset is 1, else 0.
  Tensor rope(const Tensor& cos, const Tensor& sin, bool interleaved = false) const;  // Rotary positions (Su et al., 2021): pairs (a, b) of the last dim's halves, or of neighbours when interleaved, become (a cos - b sin, b cos + a sin); cos and sin are of half its size. The bound is relative to the products.
  Tensor real() const;  // The real parts, of c64 as f32 and of c128 as f64; real numbers as they are. A copy: bp_tensor_view_as_real gives views.
  const Tensor& real_() const;
  Tensor imag() const;  // The imaginary parts of complex numbers, as real's.
  const Tensor& imag_() const;
  Tensor conj() const;  // The imaginary parts with the other sign; real numbers as they are.
  const Tensor& conj_() const;
  Tensor angle() const;  // atan2(imaginary, real), in [-pi, pi]; of real numbers pi below zero, else 0, and NaN of NaN.
  const Tensor& angle_() const;
  Tensor cholesky(bool upper = false) const;  // The lower triangular L with L L^H = A of a Hermitian positive-definite A (upper: U with U^H U = A); one triangle of A is read. A that is not positive-definite is refused. Error: |L L^H - A| at most 4 n eps |A|.
  std::pair<Tensor, Tensor> lu_factor() const;  // P L U = A with partial pivoting: L without its unit diagonal below U in one matrix; pivots (i32, from 1): row i was exchanged with row pivots[i]. A singular A has factors too.
  Tensor solve_triangular(const Tensor& b, bool upper = false, bool left = true, bool unitriangular = false) const;  // X with A X = B (left false: X A = B) for a triangular A, of which only that triangle is read (unitriangular: without its diagonal); batches broadcast. A zero on the diagonal gives inf or NaN.
  Tensor solve(const Tensor& b) const;  // X with A X = B for square A; a 1-D B is one vector, batches of matrices broadcast. A singular A is refused. Error: |A X - B| at most 8 n eps (|A| |X| + |B|).
  Tensor inv() const;  // The inverse of square matrices; a singular one is refused.
  std::pair<Tensor, Tensor> qr(bool complete = false) const;  // Q R = A with Q's columns orthonormal, R upper triangular: min(m, n) columns, complete: all m. By Householder reflections, so that R's diagonal may be negative.
  std::tuple<Tensor, Tensor, Tensor> svd(bool full_matrices = true) const;  // U diag(S) Vh = A with U and Vh unitary and S real, falling. full_matrices false: min(m, n) columns and rows. Error: |U diag(S) Vh - A| at most 16 max(m, n) eps |A|.
  Tensor svdvals() const;  // The S of svd.
  std::pair<Tensor, Tensor> eigh(bool upper = false) const;  // A V = V diag(w) of a Hermitian A, of which the lower triangle is read (upper: that): w real, rising; V unitary.
  Tensor eigvalsh(bool upper = false) const;  // The eigenvalues of eigh.
  Tensor det() const;  // The determinants of square matrices, by lu_factor.
  std::pair<Tensor, Tensor> slogdet() const;  // Sign (of modulus 1, or 0) and logarithm of the modulus of det; -inf of a singular matrix.
  Tensor matrix_rank(double atol = -1, double rtol = -1, bool hermitian = false) const;  // How many singular values (hermitian: moduli of eigenvalues) are above max(atol, rtol * the largest), in i64. Below 0 is not given: rtol is then max(m, n) * eps, or 0 where atol is above 0.
  Tensor pinv(double atol = -1, double rtol = -1) const;  // The Moore-Penrose inverse, by svd; singular values that matrix_rank would not count are taken for 0.
  Tensor matrix_power(std::int64_t n) const;  // A multiplied n times with itself; the inverse's power for n below 0, the identity for 0.
  Tensor matrix_norm(const char* ord = "fro", bool keepdims = false) const;  // Of each matrix, by ord: 'fro', the root of the sum of squares; 'nuc', the sum of singular values; '2' and '-2', the largest and the least of them; '1' and '-1', of the columns' sums of moduli; 'inf' and '-inf', of the rows'.
  std::tuple<Tensor, Tensor, Tensor> lstsq(const Tensor& b, double rcond = -1) const;  // The shortest X for which |A X - B| is least, by svd: singular values up to rcond times the largest are taken for 0; below 0: max(m, n) * eps.
  std::pair<Tensor, Tensor> eig() const;  // A V = V diag(w) of any square A: w and V complex, in no order, the columns of V of length 1. Their phases are free, so that a gradient is that of what does not depend on them. Infinities and NaN are refused.
  Tensor eigvals() const;  // The eigenvalues of eig.
  Tensor fft_c2c(std::int64_t axis = -1, bool inverse = false, double scale = 1) const;  // scale * sum over j of x[j] exp(-2 pi i j k / n) along axis (inverse: exp(+...)). Error of a line, in the 2-norm: at most 1e-7 log2(4 n) of the result's for c64, 2e-16 log2(4 n) for c128.
  Tensor fft_r2c(std::int64_t axis = -1, double scale = 1, bool conj = false) const;  // fft_c2c of real numbers: its first n/2 + 1 results along axis, of which the others are conjugates (conj: the conjugates of these).
  Tensor fft_c2r(std::int64_t n, std::int64_t axis = -1, double scale = 1, bool conj = false) const;  // The n real numbers along axis whose spectrum's first n/2 + 1 are x: fft_c2c's inverse of it. What must be real of x is taken for real. conj: x is taken for its conjugate.
  Tensor fft(std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") const;  // The discrete Fourier transform along axis, of n elements: x is cut, or followed by zeros; -1: as many as there are. norm: which direction is divided by n: 'backward', 'forward', or 'ortho', both by its square root.
  Tensor ifft(std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") const;  // The inverse of fft.
  Tensor fftn(const Ints& s = {}, const Ints& axes = {}, const char* norm = "backward") const;  // fft along each of axes (none given: the last as many as s has, or all), of s elements each.
  Tensor ifftn(const Ints& s = {}, const Ints& axes = {}, const char* norm = "backward") const;  // The inverse of fftn.
  Tensor rfft(std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") const;  // The first n/2 + 1 results of fft of real numbers.
  Tensor irfft(std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") const;  // The inverse of rfft: n real numbers (-1: 2 (m - 1), m the size of axis) of half a spectrum.
  Tensor rfftn(const Ints& s = {}, const Ints& axes = {}, const char* norm = "backward") const;  // rfft along the last of axes, fft along the others; see fftn.
  Tensor irfftn(const Ints& s = {}, const Ints& axes = {}, const char* norm = "backward") const;  // The inverse of rfftn; the last of s as irfft's n.
  Tensor hfft(std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") const;  // The real fft of Hermitian numbers of which x is the first half; n as irfft's.
  Tensor ihfft(std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") const;  // The inverse of hfft.
  Tensor nonzero() const;  // Where x is not zero, in row-major order: i64 [count, rank of x], an index in each row. Waits for the device.
  Tensor masked_select(const Tensor& mask) const;  // The elements of x at which mask is true, in row-major order, 1-D; x and mask broadcast. Waits for the device.
  Tensor unique() const;  // The different values of x, ascending, 1-D; each NaN is one of its own. Waits for the device.
  std::tuple<Tensor, Tensor, Tensor, Tensor> unique_all() const;  // unique, and for each value where it first occurs in flattened x and how often; inverse, of x's shape: which value each element is. Waits for the device.
  Tensor index_copy(const Tensor& index, const Tensor& source, std::int64_t axis) const;  // x with slice j of source in place of slice index[j] along axis; of equal indices the last wins. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu.
  Tensor sum_square(const Ints& axes = {}, bool keepdims = false) const;  // Sum of squares over axes; 0 of nothing. It is computed as sum is, and a square may leave the dtype's range, that of f32 for halves.

 protected:
  OpMethods() = default;

 private:
  const Tensor& self() const;
};

}  // namespace detail
}  // namespace backplane
#endif
