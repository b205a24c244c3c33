// SPDX-License-Identifier: Apache-2.0
// attributes.h: what rows of convolutions and their gradients read by name.
#pragma once
#include "core/value/attr_spec.h"

namespace bp::ops {

// Of any number of dims; the gradients' rows have the size of what they give before these.
constexpr AttrSpecs kConvolutionAttrs{ints_attr("stride"), ints_attr("padding"),
                                      ints_attr("dilation"), int_attr("groups", 1)},
    kConvolutionGradAttrs = AttrSpecs{required_ints_attr("size")}.with(kConvolutionAttrs);

}  // namespace bp::ops
