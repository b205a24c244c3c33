// SPDX-License-Identifier: Apache-2.0
// attributes.h: the attributes that rows of networks and their gradients read by name.
#pragma once
#include <cmath>

#include "core/value/attr_spec.h"

namespace bp::ops {

// For any number of dims. The rows of gradients begin with the spatial size of their result.
constexpr AttrSpecs kConvolutionAttrs{ints_attr("stride"), ints_attr("padding"),
                                      ints_attr("dilation"), int_attr("groups", 1)},
    kConvolutionGradAttrs = AttrSpecs{required_ints_attr("size")}.with(kConvolutionAttrs);

// Losses of elements have the reduction first.
constexpr AttrSpec kReduction = str_attr("reduction", "mean");
constexpr AttrSpecs kLossAttrs{kReduction},
    kHuberAttrs = kLossAttrs.with({float_attr("delta", 1)}),
    kSmoothL1Attrs = kLossAttrs.with({float_attr("beta", 1)});

// Normalisations, and the rows of their gradients.
constexpr AttrSpec kEps = float_attr("eps", 1e-5);
constexpr AttrSpecs kLastDimsAttrs{required_ints_attr("normalized_shape")},
    kLayerNormAttrs = kLastDimsAttrs.with({kEps}),
    kRmsNormAttrs = kLastDimsAttrs.with({float_attr("eps", NAN)}),
    kBatchNormAttrs{flag_attr("training", false), kEps},
    kGroupNormAttrs{required_int_attr("num_groups"), kEps};

// Steps of recurrent layers, and the rows of their gradients.
constexpr AttrSpecs kRnnGatesAttrs{flag_attr("relu", false)};

}  // namespace bp::ops
