// SPDX-License-Identifier: Apache-2.0
// attributes.h: the attributes that rows of linear algebra, rules, compositions and gradients read.
#pragma once
#include "core/value/attr_spec.h"

namespace bp::ops {

constexpr AttrSpecs kLinearAttrs{str_attr("activation", "none")};
constexpr AttrSpecs kTriangleAttrs{flag_attr("upper", false)};
constexpr AttrSpecs kSolveTriangularAttrs{flag_attr("upper", false), flag_attr("left", true),
                                          flag_attr("unitriangular", false)};
constexpr AttrSpecs kQrAttrs{flag_attr("complete", false)},
    kSvdAttrs{flag_attr("full_matrices", true)};
constexpr AttrSpecs kRankAttrs{float_attr("atol", -1), float_attr("rtol", -1),
                               flag_attr("hermitian", false)};
constexpr AttrSpecs kPinvAttrs{float_attr("atol", -1), float_attr("rtol", -1)};
constexpr AttrSpecs kMatrixPowerAttrs{required_int_attr("n")},
    kMatrixNormAttrs{str_attr("ord", "fro"), flag_attr("keepdims", false)},
    kLstsqAttrs{float_attr("rcond", -1)};

}  // namespace bp::ops
