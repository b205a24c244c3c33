// SPDX-License-Identifier: Apache-2.0
// expect_warp.h: what the lanes of a warp tell each other and do together is expected to be. Each
// function returns false for an opcode that it does not know.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <vector>

#include "row_kernels.h"

namespace row_kernels {

// ---- what lanes tell each other: vote, shfl ----

inline bool expect_vote(const std::string& opcode) {
  if (opcode != "vote.sync.ballot.b32" && opcode != "vote.ballot.sync.b32") return false;
  for (const uint32_t members : {~0u, 0x8001fff1u, 0x4u}) {
    std::vector<Bits> in(32 * kEach), out(in.size());
    uint32_t want = 0;
    for (uint32_t k = 0; k < 32; ++k) {
      in[k * kEach] = random_bits() & 1;
      in[k * kEach + 7] = members >> k & 1;
      if (in[k * kEach] && in[k * kEach + 7]) want |= 1u << k;
    }
    const std::string body = filled("s0", {'p', 4}, 4, "i", 0) +
                             ".reg .b32 d; mov.u32 d, 77; @on " + opcode + " d, s0, " +
                             std::to_string(members) + "; st.global.u32 [o], d;";
    const std::vector<Bits> got = execute("", body, in, out);
    for (uint32_t k = 0; k < 32; ++k)
      EXPECT_EQ(got[k * kEach], members >> k & 1 ? want : 77) << opcode << " of lane " << k;
  }
  return true;
}

// As CUDA's __shfl_*_sync describe it: lanes are in segments of `width`, and none gives out of its
// own.
inline bool expect_shfl(const std::string& opcode) {
  const std::string way = opcode.size() > 14 ? opcode.substr(10, opcode.size() - 14) : "";
  if (opcode != "shfl.sync." + way + ".b32" ||
      !std::set<std::string>{"idx", "up", "down", "bfly"}.count(way))
    return false;
  for (const int width : {32, 16, 8, 4, 2, 1}) {
    for (const bool half : {false, true}) {
      if (half && width == 32) continue;
      auto [in, out] = Data(32);
      std::fill(out.begin(), out.end(), 0);
      for (Bits& w : in) w &= 0xffffffff;
      for (size_t k = 0; k < 32; ++k) {
        if (half)
          in[k * kEach + 1] &=
              0xffffffe0 | static_cast<unsigned>(width - 1);  // bfly stays in its segment
        in[k * kEach + 7] = !half || k < 16;
      }
      const int c = (32 - width) << 8 | (way == "up" ? 0 : 31);
      const std::string body =
          filled("s0", {'b', 4}, 4, "i", 0) + filled("s1", {'b', 4}, 4, "i", 1) +
          ".reg .b32 d; .reg .pred q; mov.u32 d, 77; setp.ne.u32 q, t, 99; @on " + opcode +
          " d|q, s0, s1, " + std::to_string(c) + (half ? ", 0xffff" : ", -1") +
          "; st.global.u32 [o], d;\n" + kept("q", {'p', 4}, 4, 1) +
          (half ? ""
                : opcode + " d, s0, s1, " + std::to_string(c) + ", -1; st.global.u32 [o+16], d;");
      const std::vector<Bits> got = execute("", body, in, out);
      for (int lane = 0; lane < 32; ++lane) {
        const Bits* i = &in[static_cast<size_t>(lane) * kEach];
        const Bits* g = &got[static_cast<size_t>(lane) * kEach];
        const int b = static_cast<int>(i[1] % 32), begin = lane / width * width,
                  end = begin + width;
        int from = way == "up"     ? lane - b
                   : way == "down" ? lane + b
                   : way == "bfly" ? lane ^ b
                                   : begin + b % width;
        const bool inside = way == "up" ? from >= begin : from < end;
        if (!inside) from = lane;
        const Bits value = in[static_cast<size_t>(from) * kEach];
        const bool on = i[7] != 0;
        EXPECT_EQ(g[0], on ? value : 77) << opcode << " of lane " << lane << ", width " << width;
        EXPECT_EQ(g[1], !on || inside) << opcode << " of lane " << lane << ", width " << width;
        EXPECT_EQ(g[2], half ? 0 : value) << opcode << " without a predicate, lane " << lane;
      }
    }
  }
  return true;
}

// ---- what a warp does with matrices: 9.7.15 ----

// Numbers that halves hold exactly, and whose sums are exact in any order.
inline bool expect_mma(const std::string& opcode) {
  const bool brain = opcode.find(".bf16.") != opcode.npos;
  if (opcode != "mma.sync.aligned.m16n8k16.row.col.f32." +
                    std::string(brain ? "bf16.bf16.f32" : "f16.f16.f32"))
    return false;
  const auto half = [&](float x) -> Bits {
    return brain ? bits(x) >> 16 : std::bit_cast<uint16_t>(static_cast<_Float16>(x));
  };
  const auto small = [] { return static_cast<float>(random_bits() % 33) - 16; };
  float a[16][16], b[16][8], c[16][8];
  for (auto& row : a)
    for (float& x : row) x = small();
  for (auto& row : b)
    for (float& x : row) x = small();
  for (auto& row : c)
    for (float& x : row) x = small() / 4;
  auto [in, out] = Data(32);
  for (size_t lane = 0; lane < 32; ++lane) {
    const size_t group = lane / 4, two = lane % 4 * 2;
    Bits* w = &in[lane * kEach];
    w[0] = w[1] = w[2] = w[4] = w[5] = 0;
    for (size_t k = 0; k < 8; ++k)  // a0 to a7
      w[k / 4] |= half(a[k % 4 < 2 ? group : group + 8][two + k % 2 + (k < 4 ? 0 : 8)])
                  << k % 4 * 16;
    for (size_t k = 0; k < 4; ++k)  // b0 to b3
      w[2] |= half(b[two + k % 2 + (k < 2 ? 0 : 8)][group]) << k * 16;
    for (size_t k = 0; k < 4; ++k)  // c0 to c3
      w[4 + k / 2] |= bits(c[k < 2 ? group : group + 8][two + k % 2]) << k % 2 * 32;
  }
  const std::vector<Bits> got =
      execute("",
              ".reg .b32 a<4>, b<2>; .reg .f32 c<4>; ld.global.v4.b32 {a0, a1, a2, a3}, [i];\n"
              "ld.global.v2.b32 {b0, b1}, [i+16]; ld.global.v4.f32 {c0, c1, c2, c3}, [i+32];\n" +
                  opcode +
                  " {c0, c1, c2, c3}, {a0, a1, a2, a3}, {b0, b1}, {c0, c1, c2, c3};\n"
                  "st.global.v4.f32 [o], {c0, c1, c2, c3};",
              in, out);
  for (size_t lane = 0; lane < 32; ++lane)
    for (size_t k = 0; k < 4; ++k) {
      const size_t row = k < 2 ? lane / 4 : lane / 4 + 8, column = lane % 4 * 2 + k % 2;
      float want = c[row][column];
      for (size_t d = 0; d < 16; ++d) want += a[row][d] * b[d][column];
      EXPECT_EQ(real<float>(got[lane * kEach + k / 2] >> k % 2 * 32), want)
          << opcode << ": element " << k << " of lane " << lane;
    }
  return true;
}

// The 16 bytes of each lane are a row of a matrix, and lie somewhere in shared memory.
inline bool expect_ldmatrix(const std::string& opcode) {
  const bool turned = opcode.find(".trans.") != opcode.npos;
  if (opcode !=
      "ldmatrix.sync.aligned.m8n8.x4." + std::string(turned ? "trans." : "") + "shared.b16")
    return false;
  const auto [in, out] = Data(32);
  const std::vector<Bits> got = execute(
      "",
      ".shared .align 16 .b8 tile[512]; .reg .b32 d<4>, y, z;\n"
      "mad.lo.u32 y, t, 5, 0; and.b32 y, y, 31; shl.b32 y, y, 4; mov.u32 z, tile; add.u32 y, y, z;\n"
      "ld.global.v4.b32 {d0, d1, d2, d3}, [i]; st.shared.v4.b32 [y], {d0, d1, d2, d3};\n"
      "bar.sync 0; " +
          opcode + " {d0, d1, d2, d3}, [y]; st.global.v4.b32 [o], {d0, d1, d2, d3};",
      in, out);
  const auto element = [&in = in](size_t matrix, size_t row, size_t column) {
    return in[(8 * matrix + row) * kEach + column / 4] >> column % 4 * 16 & 0xffff;
  };
  for (size_t lane = 0; lane < 32; ++lane)
    for (size_t m = 0; m < 4; ++m) {
      const size_t row = lane / 4, two = lane % 4 * 2;
      const Bits want = turned ? element(m, two, row) | element(m, two + 1, row) << 16
                               : element(m, row, two) | element(m, row, two + 1) << 16;
      EXPECT_EQ(got[lane * kEach + m / 2] >> m % 2 * 32 & 0xffffffff, want)
          << opcode << ": matrix " << m << " of lane " << lane;
    }
  return true;
}

}  // namespace row_kernels
