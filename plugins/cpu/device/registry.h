// SPDX-License-Identifier: Apache-2.0
// registry.h: the kernels' list of kit/registry.h, under the names of this namespace.
#pragma once
#include "kit/registry.h"

namespace bp_cpu {

using namespace bp_kit;

}  // namespace bp_cpu
