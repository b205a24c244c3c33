// SPDX-License-Identifier: Apache-2.0
// gradient_reduce.cc: gradients of reductions, which are spread over the reduced dims, and of scans
// and softmax, which go along their axis.
#include <algorithm>

#include "core/grad/autograd.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/ops/reduction/attributes.h"

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

// Equal extremes share the gradient.
void extreme_back(GradCall& c) {
  const Ref<Tensor> x = c.in(0);
  const Ref<Tensor> hit = as_dtype(*equal(x, kept(c, c.result())), c.grad()->dtype);
  const Ref<Tensor> share = div(kept(c, c.grad()), sum(hit, axes_of(c), true));
  c.give(0, mul(hit, share));
}
// 2 (x - mean) / (n - correction)
void var_back(GradCall& c) {
  const Ref<Tensor> x = c.in(0);
  const double n = reduced_count(c) - c.f64(kVarAttrs["correction"]);
  const Ref<Tensor> away = sub(x, mean(x, axes_of(c), true));
  c.give(0, mul(mul(away, kept(c, c.grad())), 2 / n));
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
