// SPDX-License-Identifier: Apache-2.0
// group.h: extension "bp.fuse/1" of the cpu. The launches of a group run one after the other over a
// block of their outermost dim at a time: neighbours as one loop of machine code where one can be
// assembled (segment.h), others by their own kernels. Blocks are shared among threads; a kernel
// that is called within one does not start any (device/parallel.h).
#pragma once
#include "c_plugin_fuse.h"

namespace bp_cpu {

bp_status run_group(const bp_fused* group, bp_error** err);
bp_status make_group(const bp_fused* group, uint32_t* together, bp_fused_code** out,
                     bp_error** err);
void drop_group(bp_fused_code* code);

}  // namespace bp_cpu
