// SPDX-License-Identifier: Apache-2.0
// faults.h: kernels with one seeded fault each, and beside each the kernel without it.
//
//   for (const faults::Fault& f : faults::kFaults)
//     faults::verdict(f.wrong, f.threads);  // what the machine says
#pragma once
#include <string>
#include <vector>

#include "text_module.h"

namespace faults {

// Parameters: a = 256 written bytes, b = 256 bytes that nobody wrote, f = freed, o = another
// device's. %t: the thread; %a: a + 4t; %s: tile + 4t; p: t < 32, q: t == 0.
struct Fault {
  const char* name;
  const char* tool;   // of compute-sanitizer's, which is to see it; "": a card alone cannot have it
  const char* wrong;  // the body of the kernel
  const char* right;
  const char* instruction;  // what the fault quotes
  const char* says;         // and what else
  uint32_t threads = 64;
};

inline const Fault kFaults[] = {
    {"ALoadPastTheEnd", "memcheck", "ld.global.u32 %r1, [%a+4];", "ld.global.u32 %r1, [%a];",
     "ld.global.u32 %r1, [%a+4]", "0x"},
    {"AStorePastTheEnd", "memcheck", "st.global.u32 [%a+4], %t;", "st.global.u32 [%a], %t;",
     "st.global.u32 [%a+4], %t", "0x"},
    {"UseOfFreedMemory", "memcheck", "ld.global.u32 %r1, [%f];", "ld.global.u32 %r1, [%a];",
     "ld.global.u32 %r1, [%f]", "freed"},
    {"AnotherDevicesMemory", "", "ld.global.u32 %r1, [%o];", "ld.global.u32 %r1, [%a];",
     "ld.global.u32 %r1, [%o]", "not given access"},
    {"AnUnalignedVector", "memcheck", "ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%b0+4];",
     "ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%b0+16];", "ld.global.v4.u32",
     "not a multiple of its width"},
    {"AnUninitialisedGlobal", "initcheck", "ld.global.u32 %r1, [%b];",
     "st.global.u32 [%b], %t; ld.global.u32 %r1, [%b];", "ld.global.u32 %r1, [%b]",
     "never written"},
    {"AnUninitialisedShared", "initcheck", "ld.shared.u32 %r1, [%s];",
     "st.shared.u32 [%s], %t; ld.shared.u32 %r1, [%s];", "ld.shared.u32 %r1, [%s]",
     "never written"},
    {"AnUninitialisedLocal", "initcheck", ".local .align 4 .b8 here[4]; ld.local.u32 %r1, [here];",
     ".local .align 4 .b8 here[4]; st.local.u32 [here], %t; ld.local.u32 %r1, [here];",
     "ld.local.u32 %r1, [here]", "never written"},
    {"UnusedBytes", "initcheck",
     "@!q bra end; st.global.u32 [%b], %t; ld.global.v2.u32 {%r1,%r2}, [%b]; end:",
     "@!q bra end; st.global.u32 [%b], %t; .pragma \"used_bytes_mask 0xf\"; ld.global.v2.u32 {%r1,%r2}, [%b]; end:",
     "ld.global.v2.u32", "byte 4 of them was never written"},
    {"AMatrixWithoutAllLanes", "synccheck",
     "st.shared.u32 [%s], %t; bar.sync 0; and.b32 %r5, %s, 0xfffffff0; @q exit; "
     "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4}, [%r5];",
     "st.shared.u32 [%s], %t; bar.sync 0; and.b32 %r5, %s, 0xfffffff0; "
     "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4}, [%r5];",
     "ldmatrix.sync.aligned.m8n8.x4.shared.b16", "lane 0 is missing, and all 32"},
    {"ALoadPastSharedMemory", "memcheck", "ld.shared.u32 %r1, [%s+256];", "st.shared.u32 [%s], %t;",
     "ld.shared.u32 %r1, [%s+256]", "of which there are 256 bytes"},
    {"WritesThenReadsOfAnotherWarp", "racecheck",
     "st.shared.u32 [%s], %t; xor.b32 %r2, %s, 128; ld.shared.u32 %r1, [%r2];",
     "st.shared.u32 [%s], %t; bar.sync 0; xor.b32 %r2, %s, 128; ld.shared.u32 %r1, [%r2];",
     "shared.u32", "0x"},
    {"ReadsThenWritesOfAnotherWarp", "racecheck",
     "st.shared.u32 [%s], %t; bar.sync 0; xor.b32 %r2, %s, 128; ld.shared.u32 %r1, [%r2]; st.shared.u32 [%s], %r1;",
     "st.shared.u32 [%s], %t; bar.sync 0; xor.b32 %r2, %s, 128; ld.shared.u32 %r1, [%r2]; bar.sync 0; "
     "st.shared.u32 [%s], %r1;",
     "shared.u32", "0x"},
    {"TwoWritesOfTwoWarps", "racecheck", "st.shared.u32 [tile], %t;",
     "@q st.shared.u32 [tile], %t;", "st.shared.u32 [tile], %t", "0x"},
    {"LanesThatDoNotWait", "racecheck",
     "st.shared.u32 [%s], %t; xor.b32 %r2, %s, 4; ld.shared.u32 %r1, [%r2];",
     "st.shared.u32 [%s], %t; bar.warp.sync -1; xor.b32 %r2, %s, 4; ld.shared.u32 %r1, [%r2];",
     "ld.shared.u32 %r1, [%r2]", "0x"},
    {"AnAtomicAndAPlainWrite", "racecheck",
     "@q st.shared.u32 [tile], 0; bar.sync 0; atom.shared.add.u32 %r1, [tile], 1; st.shared.u32 [tile], %t;",
     "@q st.shared.u32 [tile], 0; bar.sync 0; atom.shared.add.u32 %r1, [tile], 1;", "shared", "0x"},
    {"ABarrierThatSomeMiss", "synccheck",
     "@!p bra end; bar.sync 0; end:", "bar.sync 0; @!p bra end; end:", "bar.sync 0", "never reach"},
    {"TwoBarriers", "synccheck", "@!p bra other; bar.sync 0; bra end; other: bar.sync 0; end:",
     "@!p bra end; end: bar.sync 0;", "bar.sync 0", "at another"},
    {"AShuffleFromAnAbsentLane", "synccheck",
     "@q bra end; shfl.sync.idx.b32 %r1|v, %t, 0, 31, -2; end:",
     "shfl.sync.idx.b32 %r1|v, %t, 0, 31, -1;", "shfl.sync.idx.b32", "lane 0", 32},
    {"ALaneThatIsNoMember", "synccheck", "bar.warp.sync 1;", "bar.warp.sync -1;", "bar.warp.sync 1",
     "not among the lanes"},
    {"AMemberThatNeverComes", "synccheck",
     "@q bra end; bar.warp.sync -1; end: @!q bra out; bar.warp.sync -1; out:", "bar.warp.sync -1;",
     "bar.warp.sync -1", "", 32},
};

inline std::string kernel(const std::string& body) {
  return ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pf, .param .u64 po) {\n"
         ".reg .pred p, q, v; .reg .b32 %t, %s, %r<9>; .reg .b64 %a, %b, %f, %o, %d, %b0;\n"
         ".shared .align 256 .b8 tile[256];\n"
         "ld.param.u64 %b0, [pa]; ld.param.u64 %b, [pb]; ld.param.u64 %f, [pf]; ld.param.u64 %o, [po];\n"
         "mov.u32 %t, %tid.x; shl.b32 %s, %t, 2; cvt.u64.u32 %d, %s; mov.u32 %r1, tile; add.u32 %s, %s, %r1; add.s64 %a, %b0, %d; add.s64 %b, %b, %d;\n"
         "setp.lt.u32 p, %t, 32; setp.eq.u32 q, %t, 0;\n" +
         body +
         "\nxor.b32 %r5, %r1, %r2; xor.b32 %r6, %r3, %r4; xor.b32 %r5, %r5, %r6;\n"
         "setp.eq.u32 p, %r5, 0x9e3779b9; @p st.global.u32 [%b0], %r5;\n"  // so that loads stay
         "ret; }\n";
}

// Returns what the machine says of a body, or "" when it runs to its end.
inline std::string verdict(const std::string& body, uint32_t threads) {
  machine::Memory memory(/*devices=*/2, /*bytes_each=*/1 << 20);
  std::vector<uint64_t> at;
  for (const int device : {0, 0, 0, 1}) at.push_back(memory.allocate(device, 256));
  std::memset(memory.find(at[0])->bytes, 0, 256);
  for (const int k : {0, 2, 3}) std::memset(memory.find(at[k])->written, 1, 256);
  memory.release(0, at[2]);
  TextModule module(kernel(body));
  try {
    module.run(memory, at, threads);
  } catch (const machine::Fault& fault) {
    return fault.what();
  }
  return "";
}

}  // namespace faults
