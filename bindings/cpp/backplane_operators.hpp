// SPDX-License-Identifier: Apache-2.0
// backplane_operators.hpp: operators, and PyTorch's names beside those of the op table. Include
// backplane.hpp.
//
//   bp::Tensor z = bp::cat({x, y}, 0) * 2 - bp::rand({4, 3}, bp::f64);
//   bool same = bp::all(x == y).item<bool>();  // comparisons are elementwise
//   x += 1;                                    // in place
#ifndef BACKPLANE_OPERATORS_HPP
#define BACKPLANE_OPERATORS_HPP

#include "backplane_make.hpp"
#include "backplane_ops.hpp"

namespace backplane {

inline Tensor operator+(const Value& a, const Value& b) { return add(a, b); }
inline Tensor operator-(const Value& a, const Value& b) { return sub(a, b); }
inline Tensor operator*(const Value& a, const Value& b) { return mul(a, b); }
inline Tensor operator/(const Value& a, const Value& b) { return div(a, b); }
inline Tensor operator%(const Value& a, const Value& b) { return remainder(a, b); }
inline Tensor operator==(const Value& a, const Value& b) { return eq(a, b); }
inline Tensor operator!=(const Value& a, const Value& b) { return ne(a, b); }
inline Tensor operator<(const Value& a, const Value& b) { return lt(a, b); }
inline Tensor operator<=(const Value& a, const Value& b) { return le(a, b); }
inline Tensor operator>(const Value& a, const Value& b) { return gt(a, b); }
inline Tensor operator>=(const Value& a, const Value& b) { return ge(a, b); }
inline Tensor operator&(const Value& a, const Value& b) { return bitwise_and(a, b); }
inline Tensor operator|(const Value& a, const Value& b) { return bitwise_or(a, b); }
inline Tensor operator^(const Value& a, const Value& b) { return bitwise_xor(a, b); }
inline Tensor operator-(const Tensor& x) { return neg(x); }
inline Tensor operator~(const Tensor& x) { return bitwise_not(x); }
inline Tensor operator!(const Tensor& x) { return logical_not(x); }
inline Tensor& Tensor::operator+=(const Value& b) { return add_out(*this, *this, b), *this; }
inline Tensor& Tensor::operator-=(const Value& b) { return sub_out(*this, *this, b), *this; }
inline Tensor& Tensor::operator*=(const Value& b) { return mul_out(*this, *this, b), *this; }
inline Tensor& Tensor::operator/=(const Value& b) { return div_out(*this, *this, b), *this; }

// ---- PyTorch's names ----
inline Tensor cat(const std::vector<Tensor>& tensors, std::int64_t dim = 0) {
  return concat(tensors, dim);
}
// Matrices: [n, k] and [k, m]. matmul takes what else there is.
inline Tensor mm(const Tensor& a, const Tensor& b) {
  if (a.rank() != 2 || b.rank() != 2)
    throw Error(BP_INVALID_ARGUMENT, "mm: the operands have " + std::to_string(a.rank()) + " and " +
                                         std::to_string(b.rank()) + " dimensions, not 2 and 2");
  return matmul(a, b);
}
// As many products of matrices: [b, n, k] and [b, k, m].
inline Tensor bmm(const Tensor& a, const Tensor& b) {
  if (a.rank() != 3 || b.rank() != 3)
    throw Error(BP_INVALID_ARGUMENT, "bmm: the operands have " + std::to_string(a.rank()) +
                                         " and " + std::to_string(b.rank()) +
                                         " dimensions, not 3 and 3");
  return matmul(a, b);
}
inline Tensor Tensor::mm(const Tensor& b) const { return backplane::mm(*this, b); }
inline Tensor Tensor::bmm(const Tensor& b) const { return backplane::bmm(*this, b); }
// Elements of x where the condition holds, and of y elsewhere; numbers too.
inline Tensor where(const Tensor& condition, const Value& x, const Value& y) {
  return invoke(BP_OP_WHERE, {condition, x, y})[0];
}
inline Tensor clamp(const Tensor& x, const Value& min, const Value& max) {
  return invoke(BP_OP_CLIP, {x, min, max})[0];
}
inline Tensor Tensor::clamp(const Value& min, const Value& max) const {
  return backplane::clamp(*this, min, max);
}
inline Tensor Tensor::norm() const { return vector_norm(); }

// Numbers 0, 1, ... below end, or start, start + step, ... before end.
inline Tensor arange(const Value& start, const Value& end, const Value& step,
                     const TensorOptions& o) {
  return detail::as_asked(arange(start, end, step, o.dtype, o.device), o);
}
inline Tensor arange(const Value& start, const Value& end, const TensorOptions& o = {}) {
  return arange(start, end, 1, o);
}
inline Tensor arange(const Value& end, const TensorOptions& o = {}) { return arange(0, end, 1, o); }
inline Tensor arange(const Value& end, Dtype dtype, Device device = {}) {
  return arange(0, end, 1, dtype, device);
}

// Random numbers, from the device's generator: in [0, 1), or normal ones.
inline Tensor rand(const Ints& shape, const TensorOptions& o = {}) {
  return detail::as_asked(uniform(shape, o.dtype, 0, 1, -1, -1, o.device), o);
}
inline Tensor rand(const Ints& shape, Dtype dtype, Device device = {}) {
  return rand(shape, TensorOptions{dtype, device, false});
}
inline Tensor randn(const Ints& shape, const TensorOptions& o = {}) {
  return detail::as_asked(normal(shape, o.dtype, 0, 1, -1, -1, o.device), o);
}
inline Tensor randn(const Ints& shape, Dtype dtype, Device device = {}) {
  return randn(shape, TensorOptions{dtype, device, false});
}
inline Tensor rand_like(const Tensor& x) { return rand(x.shape(), x.dtype(), x.device()); }
inline Tensor randn_like(const Tensor& x) { return randn(x.shape(), x.dtype(), x.device()); }
// The numbers 0 to n - 1 in a random order, i64.
inline Tensor randperm(std::int64_t n, Device device = {}) {
  return argsort(rand({n}, f64, device));
}

}  // namespace backplane
#endif
