// SPDX-License-Identifier: Apache-2.0
// convert.cc: the rows that choose, convert and copy elements.
#include "core/call/compose.h"
#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

constexpr AttrSpecs kCastAttrs{required_dtype_attr("dtype")};
void cast(Composer& c) {
  Tensor& x = c.tensor(0);
  const bp_dtype dtype = static_cast<bp_dtype>(c.i64(kCastAttrs["dtype"]));
  check_dtype(dtype, "cast");
  c.out[0] = new_tensor(x.shape, dtype, x.device());
  invoke(BP_OP_COPY, {x}, {}, {&c.out[0], 1});
}

// clang-format off
constexpr OpRow kConvertRows[] = {
    {.id = 70, .name = "where", .inputs = {{{"condition", Role::kCondition}, {"x"}, {"y"}}}, .key = 1,
     .dtype = rule::promoted, .shape = rule::broadcast,
     .grad = {"WhereBackward0", where_back, kIn0}, .flags = kPrimitive, .doc = "x where condition is true, else y; all broadcast."},
    {.id = 71, .name = "cast", .inputs = kAnyX, .attrs = kCastAttrs,
     .dtype = rule::cast_to, .shape = rule::broadcast, .compose = cast,
     .grad = {"ToCopyBackward0", copy_back},
     .doc = "x in another dtype. Float to integer truncates towards zero, NaN gives 0 and values out of range saturate, "
            "on every device; integers wrap; narrower floats are reached through f32; to bool: is not zero; complex to real drops the "
            "imaginary part."},
    {.id = 72, .name = "copy", .inputs = kAnyX, .dtype = rule::cast_to, .shape = rule::broadcast,
     .grad = {"CloneBackward0", copy_back},
     .flags = kPrimitive | kAnyOutputDtype, .doc = "x's elements, converted to a given output's dtype by the rules of cast."},
};
// clang-format on
}  // namespace

std::span<const OpRow> convert_rows() { return kConvertRows; }

}  // namespace bp::ops
