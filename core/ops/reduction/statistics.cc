// SPDX-License-Identifier: Apache-2.0
// statistics.cc: reductions and differences that are composed of other ops.
#include <cmath>

#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/ops/reduction/attributes.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {
constexpr AttrSpecs kDiffAttrs{int_attr("n", 1), int_attr("axis", -1)};

void diff_shape(Inference& f) {
  rule::same(f);
  const int64_t n = f.i64(kDiffAttrs["n"]);
  if (n < 0) fail(BP_INVALID_ARGUMENT, "order must be non-negative but got {}", n);
  if (f.in[0].shape.empty())
    fail(BP_INVALID_ARGUMENT, "diff expects input to be at least one-dimensional");
  int64_t& size = f.out_shape[0][wrap_dim(f.i64(kDiffAttrs["axis"]), f.in[0].shape.size())];
  size = size > n ? size - n : 0;
}

void norm_dtype(Inference& f) {
  const bp_dtype t = f.in[0].dtype;
  if (!is_floating(t) && !is_complex(t))
    fail(BP_DTYPE_MISMATCH,
         "linalg.{}: Expected a floating point or complex tensor as input. Got {}", f.row.name,
         dtype_title(t));
  rule::deviation(f);
}
// The least and the largest of nothing, and powers below 0 of it, are not defined.
void norm_shape(Inference& f) {
  rule::reduce(f);
  const double ord = f.f64(kNormAttrs["ord"]);
  if (numel(f.in[0].shape) != 0 || (ord >= 0 && !std::isinf(ord))) return;
  const Span axes = f.ints(kNormAttrs["axes"]), shape = f.in[0].shape;
  if (axes.empty())
    fail(
        BP_INVALID_ARGUMENT,
        "linalg.vector_norm cannot compute the {} norm on an empty tensor because the operation does not have "
        "an identity",
        ord);
  for (int64_t axis : axes)
    if (shape[wrap_dim(axis, shape.size())] == 0)
      fail(
          BP_INVALID_ARGUMENT,
          "linalg.vector_norm cannot compute the {} norm on the dimension {} because this dimension is empty and "
          "the operation does not have an identity",
          ord, axis);
}

void standard_deviation(Composer& c) { c.out[0] = root(invoke(BP_OP_VAR, {c.in[0]}, c.attrs)); }

// The largest is subtracted first; where that is infinite or NaN, the sum becomes so by itself.
void logsumexp(Composer& c) {
  Ref<Tensor> x = c.wide(0);
  const Span axes = c.ints(kReduceAttrs["axes"]);
  if (x->count == 0) {
    c.out[0] = filled(c.plan.out_shape[0], x->dtype, -HUGE_VAL, x->device());
    return;
  }
  Ref<Tensor> top = reduced(BP_OP_MAX, x, axes, /*keepdims=*/true);
  top = where(invoke(BP_OP_ISFINITE, {top}), top, 0.0);
  Ref<Tensor> s = logarithm(sum(exponential(sub(x, top)), axes, /*keepdims=*/true));
  c.out[0] = reshape(*add(s, top), c.plan.out_shape[0]);
}

void vector_norm(Composer& c) {
  const Ref<Tensor> x = c.wide(0), size = is_complex(x->dtype) ? absolute(x) : x;
  const double ord = c.f64(kNormAttrs["ord"]);
  const bool keepdims = c.flag(kNormAttrs["keepdims"]);
  const Span axes = c.ints(kNormAttrs["axes"]);
  if (ord == 2) {
    c.out[0] = root(reduced(BP_OP_SUM_SQUARE, size, axes, keepdims));
  } else if (std::isinf(ord)) {
    c.out[0] = reduced(ord > 0 ? BP_OP_MAX : BP_OP_MIN, absolute(size), axes, keepdims);
  } else if (ord == 0) {
    c.out[0] = sum(as_dtype(*unequal(size, 0.0), size->dtype), axes, keepdims);
  } else if (ord == 1) {
    c.out[0] = sum(absolute(size), axes, keepdims);
  } else {
    c.out[0] = power(sum(power(absolute(size), ord), axes, keepdims), 1 / ord);
  }
}

void count_nonzero(Composer& c) {
  Tensor& x = c.tensor(0);
  c.out[0] = sum(x.dtype == BP_BOOL ? Value(c.in[0]) : Value(unequal(c.in[0], zero_of(x.dtype))),
                 c.ints(kReduceAttrs["axes"]), c.flag(kReduceAttrs["keepdims"]));
}

void diff(Composer& c) {
  Ref<Tensor> x = Ref<Tensor>::share(&c.tensor(0));
  const int64_t axis = wrap_dim(c.i64(kDiffAttrs["axis"]), x->rank());
  for (int64_t i = 0; i < c.i64(kDiffAttrs["n"]) && x->shape[axis] > 0; ++i) {
    const int64_t n = x->shape[axis] - 1;
    Ref<Tensor> later = narrow(*x, axis, 1, n), earlier = narrow(*x, axis, 0, n);
    x = x->dtype == BP_BOOL ? unequal(later, earlier) : sub(later, earlier);
  }
  c.out[0] = x.get() == &c.tensor(0) ? clone(*x) : x;
}

// clang-format off
constexpr OpRow kStatisticsRows[] = {
    {.id = 170, .name = "std", .inputs = kX,
     .attrs = kVarAttrs,
     .layout = Layout::kGeneral, .dtype = rule::deviation, .shape = rule::reduce, .compose = standard_deviation,
     .grad = {"StdBackward0", std_back, kIn0 | kOut0}, .flags = kComplexToo, .max_ulp = 64,
     .doc = "Standard deviation over axes: the square root of var."},
    {.id = 171, .name = "logsumexp", .inputs = kX, .attrs = kReduceAttrs, .layout = Layout::kGeneral, .dtype = rule::floating,
     .shape = rule::reduce, .compose = logsumexp, .max_ulp = 16,
     .doc = "log(sum(exp(x))) over axes without overflow on the way; -inf of nothing. The bound is relative to the largest "
            "term."},
    {.id = 172, .name = "vector_norm", .inputs = kX,
     .attrs = kNormAttrs, .layout = Layout::kGeneral,
     .dtype = norm_dtype, .shape = norm_shape, .compose = vector_norm,
     .grad = {"LinalgVectorNormBackward0", vector_norm_back, kIn0 | kOut0}, .flags = kComplexToo, .max_ulp = 32,
     .doc = "sum(|x|^ord)^(1/ord) over axes; ord inf and -inf: the largest and the smallest |x|, 0: how many are not zero. Of "
            "complex numbers it is real. The gradient is 0 where the norm is."},
    {.id = 173, .name = "count_nonzero", .inputs = kX, .attrs = kReduceAttrs, .layout = Layout::kGeneral,
     .dtype = rule::index_result, .shape = rule::reduce, .compose = count_nonzero,
     .grad = kNoGradient, .flags = kComplexToo, .doc = "How many are not zero over axes (i64); NaN is not."},
    {.id = 174, .name = "diff", .inputs = kX, .attrs = kDiffAttrs,
     .layout = Layout::kGeneral, .dtype = rule::promoted, .shape = diff_shape, .compose = diff,
     .doc = "Differences of neighbours along axis, n times; of bools whether they differ."},
};
// clang-format on
}  // namespace

std::span<const OpRow> statistics_rows() { return kStatisticsRows; }

}  // namespace bp::ops
