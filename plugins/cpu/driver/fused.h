// SPDX-License-Identifier: Apache-2.0
// fused.h: extension "bp.fuse/1" of the cpu: the kernels of a group, one after the other, over a
// block of their outermost dim at a time. Blocks are shared among threads; a kernel that is called
// within one does not start any (device/parallel.h).
#pragma once
#include "c_plugin_fuse.h"

namespace bp_cpu {

bp_status run_fused(const bp_fused* group, bp_error** err);

}  // namespace bp_cpu
