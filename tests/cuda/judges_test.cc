// SPDX-License-Identifier: Apache-2.0
// judges_test.cc: kernels with one seeded fault each, which the machine names with the kernel, the
// instruction and the address; and beside each the kernel without it, which passes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text_module.h"

namespace {

using machine::Fault;
using machine::Memory;

// Parameters: a = 256 written bytes, b = 256 bytes that nobody wrote, f = freed, o = another
// device's. %t: the thread; %a: a + 4t; %s: 4t; p: t < 32, q: t == 0.
struct Case {
  const char* name;
  const char* wrong;  // the body of the kernel
  const char* right;
  const char* instruction;  // what the fault quotes
  const char* says;         // and what else
  int threads = 64;
};

const Case kCases[] = {
    {"ALoadPastTheEnd", "ld.global.u32 %r1, [%a+4];", "ld.global.u32 %r1, [%a];",
     "ld.global.u32 %r1, [%a+4]", "0x"},
    {"AStorePastTheEnd", "st.global.u32 [%a+4], %t;", "st.global.u32 [%a], %t;",
     "st.global.u32 [%a+4], %t", "0x"},
    {"UseOfFreedMemory", "ld.global.u32 %r1, [%f];", "ld.global.u32 %r1, [%a];",
     "ld.global.u32 %r1, [%f]", "freed"},
    {"AnotherDevicesMemory", "ld.global.u32 %r1, [%o];", "ld.global.u32 %r1, [%a];",
     "ld.global.u32 %r1, [%o]", "not given access"},
    {"AnUnalignedVector", "ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%b0+4];",
     "ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%b0+16];", "ld.global.v4.u32",
     "not a multiple of its width"},
    {"AnUninitialisedGlobal", "ld.global.u32 %r1, [%b];",
     "st.global.u32 [%b], %t; ld.global.u32 %r1, [%b];", "ld.global.u32 %r1, [%b]",
     "never written"},
    {"AnUninitialisedShared", "ld.shared.u32 %r1, [%s];",
     "st.shared.u32 [%s], %t; ld.shared.u32 %r1, [%s];", "ld.shared.u32 %r1, [%s]",
     "never written"},
    {"AnUninitialisedLocal", ".local .align 4 .b8 here[4]; ld.local.u32 %r1, [here];",
     ".local .align 4 .b8 here[4]; st.local.u32 [here], %t; ld.local.u32 %r1, [here];",
     "ld.local.u32 %r1, [here]", "never written"},
    {"UnusedBytes", "@!q bra end; st.global.u32 [%b], %t; ld.global.v2.u32 {%r1,%r2}, [%b]; end:",
     "@!q bra end; st.global.u32 [%b], %t; .pragma \"used_bytes_mask 0xf\"; ld.global.v2.u32 {%r1,%r2}, [%b]; end:",
     "ld.global.v2.u32", "byte 4 of them was never written"},
    {"ALoadPastSharedMemory", "ld.shared.u32 %r1, [%s+256];", "st.shared.u32 [%s], %t;",
     "ld.shared.u32 %r1, [%s+256]", "of which there are 256 bytes"},
    {"WritesThenReadsOfAnotherWarp",
     "st.shared.u32 [%s], %t; xor.b32 %r2, %s, 128; ld.shared.u32 %r1, [%r2];",
     "st.shared.u32 [%s], %t; bar.sync 0; xor.b32 %r2, %s, 128; ld.shared.u32 %r1, [%r2];",
     "shared.u32", "0x"},
    {"ReadsThenWritesOfAnotherWarp",
     "st.shared.u32 [%s], %t; bar.sync 0; xor.b32 %r2, %s, 128; ld.shared.u32 %r1, [%r2]; st.shared.u32 [%s], %r1;",
     "st.shared.u32 [%s], %t; bar.sync 0; xor.b32 %r2, %s, 128; ld.shared.u32 %r1, [%r2]; bar.sync 0; "
     "st.shared.u32 [%s], %r1;",
     "shared.u32", "0x"},
    {"TwoWritesOfTwoWarps", "st.shared.u32 [0], %t;", "@q st.shared.u32 [0], %t;",
     "st.shared.u32 [0], %t", "0x"},
    {"LanesThatDoNotWait", "st.shared.u32 [%s], %t; xor.b32 %r2, %s, 4; ld.shared.u32 %r1, [%r2];",
     "st.shared.u32 [%s], %t; bar.warp.sync -1; xor.b32 %r2, %s, 4; ld.shared.u32 %r1, [%r2];",
     "ld.shared.u32 %r1, [%r2]", "0x"},
    {"AnAtomicAndAPlainWrite",
     "@q st.shared.u32 [0], 0; bar.sync 0; atom.shared.add.u32 %r1, [0], 1; st.shared.u32 [0], %t;",
     "@q st.shared.u32 [0], 0; bar.sync 0; atom.shared.add.u32 %r1, [0], 1;", "shared", "0x"},
    {"ABarrierThatSomeMiss",
     "@!p bra end; bar.sync 0; end:", "bar.sync 0; @!p bra end; end:", "bar.sync 0", "never reach"},
    {"TwoBarriers", "@!p bra other; bar.sync 0; bra end; other: bar.sync 0; end:",
     "@!p bra end; end: bar.sync 0;", "bar.sync 0", "at another"},
    {"AShuffleFromAnAbsentLane", "@q bra end; shfl.sync.idx.b32 %r1|v, %t, 0, 31, -2; end:",
     "shfl.sync.idx.b32 %r1|v, %t, 0, 31, -1;", "shfl.sync.idx.b32", "lane 0", 32},
    {"ALaneThatIsNoMember", "bar.warp.sync 1;", "bar.warp.sync -1;", "bar.warp.sync 1",
     "not among the lanes"},
    {"AMemberThatNeverComes",
     "@q bra end; bar.warp.sync -1; end: @!q bra out; bar.warp.sync -1; out:", "bar.warp.sync -1;",
     "bar.warp.sync -1", "", 32},
};

std::string kernel(const std::string& body) {
  return ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pf, .param .u64 po) {\n"
         ".reg .pred p, q, v; .reg .b32 %t, %s, %r<9>; .reg .b64 %a, %b, %f, %o, %d, %b0;\n"
         ".shared .align 16 .b8 tile[256];\n"
         "ld.param.u64 %b0, [pa]; ld.param.u64 %b, [pb]; ld.param.u64 %f, [pf]; ld.param.u64 %o, [po];\n"
         "mov.u32 %t, %tid.x; shl.b32 %s, %t, 2; cvt.u64.u32 %d, %s; add.s64 %a, %b0, %d; add.s64 %b, %b, %d;\n"
         "setp.lt.u32 p, %t, 32; setp.eq.u32 q, %t, 0;\n" +
         body + "\nret; }\n";
}

// Returns what the machine says of a body, or "" when it runs to its end.
std::string verdict(const std::string& body, int threads) {
  Memory memory(/*devices=*/2, /*bytes_each=*/1 << 20);
  std::vector<uint64_t> at;
  for (const int device : {0, 0, 0, 1}) at.push_back(memory.allocate(device, 256));
  std::memset(memory.find(at[0])->bytes, 0, 256);
  for (const int k : {0, 2, 3}) std::memset(memory.find(at[k])->written, 1, 256);
  memory.release(0, at[2]);
  TextModule module(kernel(body));
  try {
    module.run(memory, at, static_cast<uint32_t>(threads));
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "";
}

class Judges : public testing::TestWithParam<Case> {};

TEST_P(Judges, NameTheKernelTheInstructionAndThePlace) {
  const std::string text = verdict(GetParam().wrong, GetParam().threads);
  EXPECT_NE(text.find("kernel k,"), text.npos) << text;
  EXPECT_NE(text.find(GetParam().instruction), text.npos) << text;
  EXPECT_NE(text.find(GetParam().says), text.npos) << text;
}
TEST_P(Judges, LetTheKernelWithoutTheFaultPass) {
  EXPECT_EQ(verdict(GetParam().right, GetParam().threads), "");
}

INSTANTIATE_TEST_SUITE_P(Of, Judges, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

TEST(Judges, CallADivisionByZeroNoFault) {
  EXPECT_EQ(verdict("mov.u32 %r2, 0; div.u32 %r1, %t, %r2; rem.s32 %r1, %t, %r2;", 64), "");
}

}  // namespace
