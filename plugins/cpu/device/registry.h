// SPDX-License-Identifier: Apache-2.0
// registry.h: the kernels' list, kit/registry.h, by its name in here.
#pragma once
#include "kit/registry.h"

namespace bp_cpu {

using namespace bp_kit;

}  // namespace bp_cpu
