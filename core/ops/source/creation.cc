// SPDX-License-Identifier: Apache-2.0
// creation.cc: the rows that make tensors from numbers.
#include "core/ops/families.h"
#include "core/ops/made_of.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {
constexpr AttrSpecs kLinspaceAttrs{required_int_attr("steps"), dtype_attr("dtype")};

// The points are numbers of the host's: a device that computes in f32 would round on the way.
void linspace(Composer& c) {
  const auto number_of = [&](size_t i) {
    return c.in[i].kind == BP_VALUE_F64 ? c.in[i].as.f64 : static_cast<double>(c.in[i].as.i64);
  };
  const double start = number_of(0), end = number_of(1), range = end - start;
  const int64_t steps = c.i64(kLinspaceAttrs["steps"]);
  const auto last = static_cast<double>(steps - 1);
  c.out[0] = from_host(c.plan.out_shape[0], c.plan.out_dtype[0], c.device, [&](int64_t at) {
    const auto i = static_cast<double>(at);
    return steps == 1       ? start
           : at < steps / 2 ? start + i * range / last
                            : end - (last - i) * range / last;
  });
}

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
     .attrs = kLinspaceAttrs, .layout = Layout::kGeneral, .key = -1,
     .dtype = rule::given_float, .shape = rule::steps_shape, .compose = linspace, .flags = kCreates, .max_ulp = 1,
     .doc = "steps points from start to end, both included, computed in f64 from the nearer end: start + i * range / n in "
            "the first half, end - (n - i) * range / n in the second, range = end - start, n = steps - 1."},
};
// clang-format on
}  // namespace

std::span<const OpRow> creation_rows() { return kCreationRows; }

}  // namespace bp::ops
