// SPDX-License-Identifier: Apache-2.0
// attributes.h: what rows along axes, their gradients and what stands for them read by name.
#pragma once
#include "core/value/op_def.h"

namespace bp::ops {

// Of reductions: no axes are all of them.
constexpr AttrSpecs kSumAttrs = kReduceAttrs.with({dtype_attr("dtype")}),
                    kVarAttrs = kReduceAttrs.with({float_attr("correction", 1)});
// Of the place of an extreme: no axis is that in the flattened tensor.
constexpr AttrSpecs kPlaceAttrs{ints_attr("axis"), flag_attr("keepdims", false)};
constexpr AttrSpecs kScanAttrs{required_int_attr("axis"), dtype_attr("dtype")},
    kSoftmaxAttrs{int_attr("axis", -1)},
    kSortAttrs{int_attr("axis", -1), flag_attr("descending", false)},
    kTopkAttrs{required_int_attr("k"), int_attr("axis", -1), flag_attr("largest", true)};

}  // namespace bp::ops
