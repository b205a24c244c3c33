// SPDX-License-Identifier: Apache-2.0
// attributes.h: the attributes that rows that move elements and their gradients read by name.
#pragma once
#include "core/value/attr_spec.h"

namespace bp::ops {

constexpr AttrSpecs kJoinAttrs{int_attr("axis", 0)};
constexpr AttrSpecs kAxisAttrs{required_int_attr("axis")};
constexpr AttrSpecs kIndexAddAttrs{required_int_attr("axis"), float_attr("alpha", 1)};

}  // namespace bp::ops
