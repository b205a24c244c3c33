// SPDX-License-Identifier: Apache-2.0
// attributes.h: the attributes that rows of networks and their gradients read by name.
#pragma once
#include "core/value/attr_spec.h"

namespace bp::ops {

// For any number of dims. The rows of gradients begin with the spatial size of their result.
constexpr AttrSpecs kConvolutionAttrs{ints_attr("stride"), ints_attr("padding"),
                                      ints_attr("dilation"), int_attr("groups", 1)},
    kConvolutionGradAttrs = AttrSpecs{required_ints_attr("size")}.with(kConvolutionAttrs);

// Losses of elements have the reduction first.
constexpr AttrSpec kReduction = str_attr("reduction", "mean");
constexpr AttrSpecs kLossAttrs{kReduction};

}  // namespace bp::ops
