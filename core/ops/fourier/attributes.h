// SPDX-License-Identifier: Apache-2.0
// attributes.h: what rows of Fourier transforms, their compositions and gradients read by name.
#pragma once
#include "core/value/attr_spec.h"

namespace bp::ops {

// Of the kernels, along one axis.
constexpr AttrSpecs kAlongAttrs{int_attr("axis", -1)},
    kC2cAttrs = kAlongAttrs.with({flag_attr("inverse", false), float_attr("scale", 1)}),
    kR2cAttrs = kAlongAttrs.with({float_attr("scale", 1), flag_attr("conj", false)}),
    kC2rAttrs = kAlongAttrs.with(
        {required_int_attr("n"), float_attr("scale", 1), flag_attr("conj", false)});
// Of what is composed of them, along one axis and along several.
constexpr AttrSpecs kFftAttrs{int_attr("n", -1), int_attr("axis", -1),
                              str_attr("norm", "backward")},
    kFftnAttrs{ints_attr("s"), ints_attr("axes"), str_attr("norm", "backward")};

}  // namespace bp::ops
