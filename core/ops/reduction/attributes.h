// SPDX-License-Identifier: Apache-2.0
// attributes.h: the attributes that rows along axes, compositions and gradients read by name.
#pragma once
#include "core/value/op_def.h"

namespace bp::ops {

// Attributes of reductions; no axes stand for all of them.
constexpr AttrSpecs kSumAttrs = kReduceAttrs.with({dtype_attr("dtype")}),
                    kVarAttrs = kReduceAttrs.with({float_attr("correction", 1)}),
                    kNormAttrs = kReduceAttrs.with({float_attr("ord", 2)});
// Attributes of argmax and argmin; without an axis the place is that in the flattened tensor.
constexpr AttrSpecs kPlaceAttrs{ints_attr("axis"), flag_attr("keepdims", false)};
constexpr AttrSpecs kScanAttrs{required_int_attr("axis"), dtype_attr("dtype")},
    kSoftmaxAttrs{int_attr("axis", -1)},
    kSortAttrs{int_attr("axis", -1), flag_attr("descending", false)},
    kTopkAttrs{required_int_attr("k"), int_attr("axis", -1), flag_attr("largest", true)},
    kKthvalueAttrs{required_int_attr("k"), int_attr("axis", -1)};

}  // namespace bp::ops
