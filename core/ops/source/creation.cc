// SPDX-License-Identifier: Apache-2.0
// creation.cc: the rows that make tensors from numbers.
#include "core/ops/families.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {
// clang-format off
constexpr OpRow kCreationRows[] = {
    {.id = 73, .name = "fill", .inputs = {{{"value", Role::kScalar}}},
     .attrs = {{ints_attr("shape"), dtype_attr("dtype")}}, .key = -1, .dtype = rule::given_or_number,
     .shape = rule::given_shape, .flags = kPrimitive | kCreates, .doc = "Every element is value."},
    {.id = 107, .name = "arange",
     .inputs = {{{"start", Role::kScalar}, {"end", Role::kScalar}, {"step", Role::kScalar}}},
     .attrs = {{dtype_attr("dtype")}}, .layout = Layout::kGeneral, .key = -1, .dtype = rule::given_or_number,
     .shape = rule::arange_shape, .flags = kPrimitive | kCreates,
     .doc = "start + i * step for i in 0 .. ceil((end - start) / step) - 1; in i64 for integers, in f64 for floats, then "
            "rounded. Without a dtype: i64 when all three are integers, else the default float dtype."},
    {.id = 108, .name = "linspace", .inputs = {{{"start", Role::kScalar}, {"end", Role::kScalar}}},
     .attrs = {{required_int_attr("steps"), dtype_attr("dtype")}}, .layout = Layout::kGeneral, .key = -1,
     .dtype = rule::given_float, .shape = rule::steps_shape, .flags = kCreates, .max_ulp = 1,
     .doc = "steps points from start to end, both included, computed in f64 from the nearer end: start + i * range / n in "
            "the first half, end - (n - i) * range / n in the second, range = end - start, n = steps - 1."},
};
// clang-format on
}  // namespace

std::span<const OpRow> creation_rows() { return kCreationRows; }

}  // namespace bp::ops
