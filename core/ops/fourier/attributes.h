// SPDX-License-Identifier: Apache-2.0
// attributes.h: the attributes that rows of transforms, compositions and gradients read by name.
#pragma once
#include "core/value/attr_spec.h"

namespace bp::ops {

// Attributes of the kernels, which transform along one axis.
constexpr AttrSpecs kAlongAttrs{int_attr("axis", -1)},
    kC2cAttrs = kAlongAttrs.with({flag_attr("inverse", false), float_attr("scale", 1)}),
    kR2cAttrs = kAlongAttrs.with({float_attr("scale", 1), flag_attr("conj", false)}),
    kC2rAttrs = kAlongAttrs.with(
        {required_int_attr("n"), float_attr("scale", 1), flag_attr("conj", false)});
// Attributes of the compositions, along one axis and along several.
constexpr AttrSpecs kFftAttrs{int_attr("n", -1), int_attr("axis", -1),
                              str_attr("norm", "backward")},
    kFftnAttrs{ints_attr("s"), ints_attr("axes"), str_attr("norm", "backward")};

}  // namespace bp::ops
