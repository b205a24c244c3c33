// SPDX-License-Identifier: Apache-2.0
// attributes.h: the attributes that elementwise rows and their gradients read by name.
#pragma once
#include "core/value/attr_spec.h"

namespace bp::ops {

constexpr AttrSpecs kSoftplusAttrs{float_attr("beta", 1), float_attr("threshold", 20)},
    kEluAttrs{float_attr("alpha", 1)}, kLeakyReluAttrs{float_attr("negative_slope", 0.01)},
    kHardtanhAttrs{float_attr("min_val", -1), float_attr("max_val", 1)},
    kTermAttrs{float_attr("value", 1)};  // addcmul, addcdiv

}  // namespace bp::ops
