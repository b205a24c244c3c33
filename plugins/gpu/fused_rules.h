// SPDX-License-Identifier: Apache-2.0
// fused_rules.h: which launches the interpreter of fused.h knows, and as which step.
//
//   const uint32_t n = count_of_body(group, Readers(group), first, {}, kFusedRules);
//   const FusedCode code = fused_code(*group.launches[first].launch);
#pragma once
#include "gpu/fused.h"
#include "kit/fused_body.h"

namespace bp_gpu {

extern const bp_kit::BodyRules kFusedRules;

// The step that a launch which the rules know becomes.
FusedCode fused_code(const bp_launch& launch);

}  // namespace bp_gpu
