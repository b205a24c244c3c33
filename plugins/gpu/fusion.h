// SPDX-License-Identifier: Apache-2.0
// fusion.h: "bp.fuse/1" of accelerators. Neighbouring launches that are elementwise become one
// launch of an interpreter (fused.h), which reads and writes memory once; a group is such a
// segment, and whatever is none is launched by itself (BP_FUSE_WHOLE).
//
//   const void* extension = &kFuse;   // a plugin's answer to BP_FUSE_ID
#pragma once
#include "c_plugin_fuse.h"

namespace bp_gpu {

extern const bp_fuse_api kFuse;

}  // namespace bp_gpu
