// SPDX-License-Identifier: Apache-2.0
#include "core/ops/elementwise/complex_numbers.h"

#include <algorithm>

#include "core/ops/made_of.h"
#include "core/ops/reduction/attributes.h"
#include "core/value/dtype.h"

namespace bp::ops::complex_numbers {
namespace {

Dims axes_of(const Composer& c) {
  return reduced_axes(c.ints(kReduceAttrs["axes"]), c.tensor(0).rank());
}

// Runs a real op along the same axes over the parts, which a further last axis tells apart.
void reduce_parts(Composer& c, uint32_t op) {
  const Ref<Tensor> x = c.computed(0);
  if (x->rank() == 0) {
    c.out[0] = alias(*x);
    return;
  }
  const Dims axes = axes_of(c);
  c.out[0] =
      view_as_complex(*invoke(op, {view_as_real(*x)},
                              {ints_value(axes), flag_value(c.flag(kReduceAttrs["keepdims"])),
                               dtype_value(BP_DTYPE_NONE)}));
}

void test_numbers(Composer& c, uint32_t op) {
  c.out[0] = invoke(op, {unequal(c.in[0], 0)}, c.attrs);
}

// Returns x with the kept axes first, in their order, and the reduced ones flattened into the last.
Ref<Tensor> with_reduced_last(Tensor& x, const Dims& axes) {
  Dims order, kept;
  int64_t n = 1;
  for (int64_t d = 0; d < static_cast<int64_t>(x.rank()); ++d)
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) {
      order.push_back(d);
      kept.push_back(x.shape[d]);
    }
  for (const int64_t d : axes) {
    order.push_back(d);
    n *= x.shape[d];
  }
  kept.push_back(n);
  return reshape(*permute(x, order), kept);
}

Ref<Tensor> ones(Span shape, bp_dtype dtype, Device& device) {
  return filled(shape, dtype, 1, device);
}

}  // namespace

void sum(Composer& c) { reduce_parts(c, BP_OP_SUM); }
void mean(Composer& c) { reduce_parts(c, BP_OP_MEAN); }
// The squared distance of two complex numbers is the sum of those of their parts.
void var(Composer& c) {
  const Ref<Tensor> parts = view_as_real(*c.computed(0));
  const auto of = [&](int64_t part) {
    return invoke(BP_OP_VAR, {select(*parts, -1, part)}, c.attrs);
  };
  c.out[0] = add(of(0), of(1));
}
void any(Composer& c) { test_numbers(c, BP_OP_ANY); }
void all(Composer& c) { test_numbers(c, BP_OP_ALL); }

void cumsum(Composer& c) {
  const Ref<Tensor> x = c.computed(0);
  if (x->rank() == 0) {
    c.out[0] = alias(*x);
    return;
  }
  const int64_t axis = wrap_dim(c.i64(kScanAttrs["axis"]), x->rank());
  c.out[0] = view_as_complex(
      *invoke(BP_OP_CUMSUM, {view_as_real(*x)}, {int_value(axis), dtype_value(BP_DTYPE_NONE)}));
}

// Multiplies one half by the other until one factor is left: the shape alone decides the order.
void prod(Composer& c) {
  Ref<Tensor> x = c.wide(0);
  x = with_reduced_last(*x, axes_of(c));
  const int64_t last = static_cast<int64_t>(x->rank()) - 1;
  for (int64_t n = x->shape[last]; n > 1; n = (n + 1) / 2) {
    const int64_t half = (n + 1) / 2;
    const Ref<Tensor> front = narrow(*x, last, 0, half), back = narrow(*x, last, half, n - half);
    Ref<Tensor> next = n % 2 ? clone(*front) : mul(front, back);
    if (n % 2) {
      Ref<Tensor> paired[1] = {narrow(*next, last, 0, n - half)};
      invoke(BP_OP_MUL, {*paired[0], back}, {}, paired);
    }
    x = std::move(next);
  }
  if (x->shape[last] == 0) {
    c.out[0] = ones(c.plan.out_shape[0], x->dtype, c.device);
    return;
  }
  c.out[0] = reshape(*x, c.plan.out_shape[0]);
}

// Hillis and Steele (1986): each element is multiplied by the one `step` before it; steps double.
void cumprod(Composer& c) {
  const Ref<Tensor> x = c.wide(0);
  c.out[0] = clone(*x);
  if (x->rank() == 0) return;
  const int64_t axis = wrap_dim(c.i64(kScanAttrs["axis"]), x->rank()), n = x->shape[axis];
  for (int64_t step = 1; step < n; step *= 2) {
    const Ref<Tensor> before = clone(*c.out[0]);
    Ref<Tensor> after[1] = {narrow(*c.out[0], axis, step, n - step)};
    const Ref<Tensor> earlier = narrow(*before, axis, 0, n - step);
    invoke(BP_OP_MUL, {*after[0], earlier}, {}, after);
  }
}

// Parts are copied to lie close, which products read many times.
void matmul(Composer& c) {
  const auto parts = [&](size_t i, int64_t part) {
    return contiguous(*select(*view_as_real(c.tensor(i)), -1, part));
  };
  const Ref<Tensor> ar = parts(0, 0), ai = parts(0, 1), br = parts(1, 0), bi = parts(1, 1);
  c.out[0] =
      complex_from(sub(product(ar, br), product(ai, bi)), add(product(ar, bi), product(ai, br)));
}

}  // namespace bp::ops::complex_numbers
