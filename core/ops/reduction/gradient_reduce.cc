// SPDX-License-Identifier: Apache-2.0
// gradient_reduce.cc: gradients of reductions, which are spread over the reduced dims, and of scans
// and softmax, which go along their axis.
#include <algorithm>
#include <cmath>

#include "core/grad/autograd.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/ops/reduction/attributes.h"
#include "core/value/dtype.h"

namespace bp::ops {
namespace {

Dims axes_of(GradCall& c) {
  return reduced_axes(c.ints(kReduceAttrs["axes"]), c.operand(0).shape.size());
}
// Returns a result or its gradient with sizes of 1 for the reduced dims.
Ref<Tensor> kept(GradCall& c, const Ref<Tensor>& t) {
  Dims shape = c.operand(0).shape;
  for (int64_t a : axes_of(c)) shape[static_cast<size_t>(a)] = 1;
  return reshape(*t, shape);
}
Ref<Tensor> spread(GradCall& c, const Ref<Tensor>& t) {
  return expand(*kept(c, t), c.operand(0).shape);
}
double reduced_count(GradCall& c) {
  int64_t n = 1;
  for (int64_t a : axes_of(c)) n *= c.operand(0).shape[static_cast<size_t>(a)];
  return static_cast<double>(n);
}

// Returns the gradient of the extremes, which are where `hit` is true: equal ones share it.
Ref<Tensor> shared_by_extremes(GradCall& c, const Ref<Tensor>& hit) {
  const Ref<Tensor> places = as_dtype(*hit, c.grad()->dtype);
  return mul(places, div(kept(c, c.grad()), sum(places, axes_of(c), true)));
}
// Returns g times 2 (x - mean) / (n - correction), where g is the gradient of the variance.
Ref<Tensor> through_variance(GradCall& c, const Ref<Tensor>& g) {
  const Ref<Tensor> x = c.in(0);
  const double n = std::max(reduced_count(c) - c.f64(kVarAttrs["correction"]), 0.0);
  return mul(mul(sub(x, mean(x, axes_of(c), true)), kept(c, g)), 2 / n);
}

Ref<Tensor> running_product(const Ref<Tensor>& x, int64_t axis) {
  return invoke(BP_OP_CUMPROD, {x}, {int_value(axis), dtype_value(BP_DTYPE_NONE)});
}
Ref<Tensor> running_sum(const Ref<Tensor>& x, int64_t axis) {
  return invoke(BP_OP_CUMSUM, {x}, {int_value(axis), dtype_value(BP_DTYPE_NONE)});
}
Ref<Tensor> behind_each_other(const Ref<Tensor>& a, const Ref<Tensor>& b, int64_t axis) {
  const Ref<Tensor> parts[] = {a, b};
  return joined(parts, axis);
}
// Returns the product of what stands before each element of the last axis, 1 for the first.
Ref<Tensor> before(const Ref<Tensor>& x) {
  const int64_t last = int64_t{x->rank()} - 1, n = x->shape[static_cast<size_t>(last)];
  Dims one = x->shape;
  one[static_cast<size_t>(last)] = 1;
  const Ref<Tensor> ones = filled(one, x->dtype, 1, x->device());
  return n <= 1 ? expand(*ones, x->shape)
                : behind_each_other(ones, running_product(narrow(*x, last, 0, n - 1), last), last);
}

Ref<Tensor> backward_sum(const Ref<Tensor>& g, int64_t axis) {
  const Dims along{axis};
  return flip(*running_sum(flip(*g, along), axis), along);
}
int64_t axis_of(GradCall& c, WholeAttr axis) {
  return wrap_dim(c.i64(axis), c.operand(0).shape.size());
}

}  // namespace

Ref<Tensor> products_of_others(const Ref<Tensor>& x) {
  const Dims last{int64_t{x->rank()} - 1};
  return mul(before(x), flip(*before(flip(*x, last)), last));
}

void sum_back(GradCall& c) { c.give(0, spread(c, c.grad())); }
void mean_back(GradCall& c) { c.give(0, spread(c, div(c.grad(), reduced_count(c)))); }

void prod_back(GradCall& c) {
  const Ref<Tensor> x = c.in(0);
  if (x->count == 0) return c.give(0, zeros_like(x));
  Dims order, reduced = axes_of(c), inverse(x->rank());
  const auto is_reduced = [&](int64_t d) {
    return std::find(reduced.begin(), reduced.end(), d) != reduced.end();
  };
  for (int64_t d = 0; d < int64_t{x->rank()}; ++d)
    if (!is_reduced(d)) order.push_back(d);
  for (int64_t a : reduced) order.push_back(a);
  for (uint32_t i = 0; i < order.size(); ++i) inverse[static_cast<size_t>(order[i])] = i;
  const Ref<Tensor> turned = permute(*x, order);
  Dims rows;
  for (size_t i = 0; i + reduced.size() < order.size(); ++i) rows.push_back(turned->shape[i]);
  rows.push_back(static_cast<int64_t>(reduced_count(c)));
  const Ref<Tensor> line = reshape(*turned, rows);
  const Ref<Tensor> others = permute(*reshape(*products_of_others(line), turned->shape), inverse);
  c.give(0, mul(spread(c, c.grad()), conjugate(others)));
}

void extreme_back(GradCall& c) {
  const Ref<Tensor> x = c.in(0);
  c.give(0, shared_by_extremes(c, is_floating(x->dtype)
                                      ? either(equal(x, kept(c, c.result())), is_nan(x))
                                      : equal(x, kept(c, c.result()))));
}
void var_back(GradCall& c) { c.give(0, through_variance(c, c.grad())); }
// The root of a variance of 0 has no slope; its gradient is 0, as in PyTorch.
void std_back(GradCall& c) {
  const Ref<Tensor> y = c.result();
  c.give(0,
         through_variance(c, where(equal(y, 0.0), zero_of(y->dtype), div(c.grad(), mul(y, 2.0)))));
}
void sum_square_back(GradCall& c) { c.give(0, mul(mul(c.in(0), kept(c, c.grad())), 2.0)); }
// sgn(x) (|x| / norm)^(p - 1), and 0 where x or the norm is 0: PyTorch's subgradient.
void vector_norm_back(GradCall& c) {
  const double p = c.f64(kNormAttrs["ord"]);
  const Ref<Tensor> x = c.in(0), size = absolute(x), norm = kept(c, c.result());
  if (p == 0) return c.give(0, zeros_like(x));
  if (std::isinf(p))
    return c.give(0,
                  mul(sign_of(x), shared_by_extremes(c, either(equal(size, norm), is_nan(size)))));
  const Ref<Tensor> none = either(equal(size, 0.0), equal(norm, 0.0));
  const Ref<Tensor> slope = p == 1   ? sign_of(x)
                            : p == 2 ? div(x, norm)
                                     : mul(sign_of(x), power(div(size, norm), p - 1));
  c.give(0, mul(kept(c, c.grad()), where(none, zero_of(x->dtype), slope)));
}

void cumsum_back(GradCall& c) {
  if (c.operand(0).shape.empty()) return c.give(0, c.grad());
  c.give(0, backward_sum(c.grad(), axis_of(c, kScanAttrs["axis"])));
}
// Nothing is divided by x, which may be 0: x[i] gets the sum over k >= i of g[k] times the product
// of x[0] .. x[k] without x[i].
void cumprod_back(GradCall& c) {
  const Ref<Tensor> x = c.in(0);
  if (x->rank() == 0) return c.give(0, c.grad());
  const int64_t axis = axis_of(c, kScanAttrs["axis"]), n = x->shape[static_cast<size_t>(axis)];
  const Dims last{int64_t{x->rank()} - 1};
  const Ref<Tensor> line = conjugate(transpose(*x, axis, -1)), g = transpose(*c.grad(), axis, -1);
  const Ref<Tensor> ahead = before(line);
  Ref<Tensor> sums;
  for (int64_t i = 0; i < n; ++i) {
    // The tail is g[i] + g[i + 1] x[i + 1] + g[i + 2] x[i + 1] x[i + 2] + ...
    Ref<Tensor> tail = narrow(*g, -1, i, 1);
    if (i + 1 < n)
      tail = add(tail, sum(mul(narrow(*g, -1, i + 1, n - i - 1),
                               running_product(narrow(*line, -1, i + 1, n - i - 1), last[0])),
                           last, true));
    sums = sums ? behind_each_other(sums, tail, last[0]) : tail;
  }
  if (!sums) return c.give(0, zeros_like(x));
  c.give(0, transpose(*mul(sums, ahead), axis, -1));
}
void softmax_back(GradCall& c) {
  if (c.operand(0).shape.empty()) return c.give(0, zeros_like(c.grad()));
  const Ref<Tensor> y = c.result(), gy = mul(c.grad(), y);
  c.give(0, sub(gy, mul(y, sum(gy, Dims{axis_of(c, kSoftmaxAttrs["axis"])}, true))));
}
void log_softmax_back(GradCall& c) {
  if (c.operand(0).shape.empty()) return c.give(0, zeros_like(c.grad()));
  const Dims along{axis_of(c, kSoftmaxAttrs["axis"])};
  c.give(0, sub(c.grad(), mul(exponential(c.result()), sum(c.grad(), along, true))));
}

}  // namespace bp::ops
