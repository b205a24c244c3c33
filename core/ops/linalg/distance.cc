// SPDX-License-Identifier: Apache-2.0
// distance.cc: the row of the distances between each two rows of two matrices.
#include <algorithm>

#include "core/ops/families.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

constexpr AttrSpecs kCdistAttrs{float_attr("p", 2),
                                str_attr("compute_mode", "use_mm_for_euclid_dist_if_necessary")};
// Where one side has more rows than this, squares of Euclidean distances come from a product of
// matrices, as in PyTorch, unless the caller forbids it.
constexpr int64_t kMostDirectRows = 25;

void cdist_dtype(Inference& f) {
  for (size_t i = 0; i < 2; ++i)
    if (!is_floating(f.in[i].dtype))
      fail(BP_DTYPE_MISMATCH, "cdist only supports floating-point dtypes, X{} got: {}", i + 1,
           dtype_title(f.in[i].dtype));
  rule::promoted(f);
}
void cdist_shape(Inference& f) {
  const Span a = f.in[0].shape, b = f.in[1].shape;
  for (size_t i = 0; i < 2; ++i)
    if (f.in[i].shape.size() < 2)
      fail(BP_INVALID_ARGUMENT, "cdist only supports at least 2D tensors, X{} got: {}D", i + 1,
           f.in[i].shape.size());
  if (a.back() != b.back())
    fail(BP_INVALID_ARGUMENT, "X1 and X2 must have the same number of columns. X1: {} X2: {}",
         a.back(), b.back());
  if (!(f.f64(kCdistAttrs["p"]) >= 0))
    fail(BP_INVALID_ARGUMENT, "cdist only supports non-negative p values");
  const std::string_view mode = f.str(kCdistAttrs["compute_mode"]);
  if (mode != "use_mm_for_euclid_dist_if_necessary" && mode != "use_mm_for_euclid_dist" &&
      mode != "donot_use_mm_for_euclid_dist")
    fail(BP_INVALID_ARGUMENT, "{} is not a valid value for compute_mode", mode);
  f.out_shape[0] = broadcast_shapes(a.first(a.size() - 2), b.first(b.size() - 2));
  f.out_shape[0].push_back(a[a.size() - 2]);
  f.out_shape[0].push_back(b[b.size() - 2]);
}

Ref<Tensor> square_sizes(const Ref<Tensor>& x) {
  const int64_t last = -1;
  return reduced(BP_OP_SUM_SQUARE, x, {&last, 1}, /*keepdims=*/true);
}
// |a|^2 + |b|^2 - 2 a b^T, whose rounding may fall below 0. A distance of 0 has no gradient.
Ref<Tensor> by_product(const Ref<Tensor>& a, const Ref<Tensor>& b) {
  const Ref<Tensor> ab = product(mul(a, -2), transpose(*b, -1, -2));
  const Ref<Tensor> s = add(add(ab, square_sizes(a)), transpose(*square_sizes(b), -1, -2));
  if (!records() || !(wants_grad(*a) || wants_grad(*b))) return root(larger(s, 0));
  const Ref<Tensor> apart = greater(s, 0), unknown = is_nan(s);
  return where(either(apart, unknown), root(where(apart, s, where(unknown, s, 1))), 0);
}

void cdist(Composer& c) {
  const Ref<Tensor> a = c.wide(0), b = c.wide(1);
  const std::string_view mode = c.str(kCdistAttrs["compute_mode"]);
  const double p = c.f64(kCdistAttrs["p"]);
  const int64_t rows = std::max(a->shape[a->rank() - 2], b->shape[b->rank() - 2]), last = -1;
  if (a->shape.back() == 0) {
    c.out[0] = filled(c.plan.out_shape[0], a->dtype, 0.0, c.device);
  } else if (p == 2 && (mode == "use_mm_for_euclid_dist" ||
                        (mode != "donot_use_mm_for_euclid_dist" && rows > kMostDirectRows))) {
    c.out[0] = by_product(a, b);
  } else {
    const Ref<Tensor> apart = sub(unsqueeze(*a, -2), unsqueeze(*b, -3));
    c.out[0] = invoke(BP_OP_VECTOR_NORM, {apart},
                      {ints_value({&last, 1}), flag_value(false), float_value(p)});
  }
}

// clang-format off
constexpr OpRow kDistanceRows[] = {
    {.id = 280, .name = "cdist", .inputs = {{{"x1"}, {"x2"}}}, .attrs = kCdistAttrs, .layout = Layout::kGeneral,
     .dtype = cdist_dtype, .shape = cdist_shape, .compose = cdist, .max_ulp = 32,
     .doc = "The p-norm of x1[.., i, :] - x2[.., j, :]; batches broadcast. Above 25 rows, for p = 2, the squares come from a product of "
            "matrices, with the error of |x1|^2 + |x2|^2, unless compute_mode is 'donot_use_mm_for_euclid_dist'."},
};
// clang-format on
}  // namespace

std::span<const OpRow> distance_rows() { return kDistanceRows; }

}  // namespace bp::ops
