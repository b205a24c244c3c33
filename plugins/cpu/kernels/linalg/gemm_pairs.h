// SPDX-License-Identifier: Apache-2.0
// gemm_pairs.h: products of bf16 matrices by the instruction VDPBF16PS, which multiplies two
// neighbours of k at a time and adds both to an f32 lane: twice the speed of f32. The machine may
// lack it where it has the other instructions of AVX-512, so it is asked at run time.
//
// The instruction takes subnormal numbers for zeros. It is used where none can arise: every product
// is a multiple of the operands' smallest last places, so that no sum of them other than 0 is
// smaller than that.
//
//   if (suits_pairs(product)) multiply_blocked<BF16, Pairs>(product, Blocks<BF16>(m, n, k), memory);
#pragma once
#include "device/machine.h"
#include "kernels/linalg/gemm_blocked.h"

namespace bp_cpu::BP_ISA {

#if defined(__AVX512F__)

struct PairStep {
  using V = Lanes<float>::V;
  static V of(V a, V b, V sum) {
    asm("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(b), "v"(a));
    return sum;
  }
};

// The exponent of the smallest number but 0, biased as it is stored; 255 where all are 0. Zeros
// become the largest number by the subtraction.
inline int64_t least_exponent(const BF16* x, int64_t rows, int64_t row, int64_t columns,
                              int64_t column) {
  if (row == 1 && column != 1) return least_exponent(x, columns, column, rows, row);
  uint16_t least = 0xffff;
  for (int64_t i = 0; i < rows; ++i) {
    const BF16* from = x + i * row;
    const auto see = [&](const BF16& at) {
      const uint16_t size = static_cast<uint16_t>((at.bits & 0x7fff) - 1);
      least = size < least ? size : least;
    };
    if (column == 1)
      for (int64_t j = 0; j < columns; ++j) see(from[j]);
    else
      for (int64_t j = 0; j < columns; ++j) see(from[j * column]);
  }
  return least == 0xffff ? 255 : (least + 1) >> 7;
}

// Whether products of numbers from these exponents on, and their sums, are 0 or normal:
// 2^(a - 127 - 7) * 2^(b - 127 - 7) is at least 2^-126.
inline bool stays_normal(int64_t a, int64_t b) {
  return a > 0 && b > 0 && a + b >= 2 * (127 + 7) - 126;
}

inline bool suits_pairs(const Product<BF16>& p) {
  constexpr int64_t kFew = 4;  // rows or columns, for which looking at the operands costs too much
  if (p.m < kFew || p.n < kFew || !multiplies_bf16()) return false;
  return stays_normal(least_exponent(p.a, p.m, p.a_r, p.k, p.a_c),
                      least_exponent(p.b, p.k, p.b_r, p.n, p.b_c));
}

// Two bf16 in the bits of an f32 lane, the first one below.
inline float pair_of(BF16 low, BF16 high) {
  return __builtin_bit_cast(
      float, static_cast<uint32_t>(low.bits) | static_cast<uint32_t>(high.bits) << 16);
}

struct Pairs {
  using Step = PairStep;
  static int64_t depth_of(const Product<BF16>& p) { return (p.k + 1) / 2; }
  static void pack_rows(const Product<BF16>& p, int64_t i, int64_t q, int64_t rows, int64_t depth,
                        float* out) {
    const BF16* from = p.a + i * p.a_r + 2 * q * p.a_c;
    const int64_t whole = smaller(depth, p.k / 2 - q);
    if (p.a_r == 1 && p.a_c != 1) {
      for (int64_t d = 0; d < depth; ++d)
        for (int64_t r = 0; r < rows; ++r)
          out[r * depth + d] =
              pair_of(from[r + 2 * d * p.a_c], d < whole ? from[r + (2 * d + 1) * p.a_c] : BF16{});
      return;
    }
    for (int64_t r = 0; r < rows; ++r, from += p.a_r, out += depth) {
      if (p.a_c == 1)
        std::memcpy(out, from, static_cast<size_t>(whole) * sizeof(float));
      else
        for (int64_t d = 0; d < whole; ++d)
          out[d] = pair_of(from[2 * d * p.a_c], from[(2 * d + 1) * p.a_c]);
      if (whole < depth) out[whole] = pair_of(from[2 * whole * p.a_c], BF16{});
    }
  }
  static void pack_columns(const Product<BF16>& p, int64_t q, int64_t j, int64_t depth,
                           int64_t columns, float* out) {
    constexpr int64_t kWidth = kTileColumns<float>, kBlock = 16;
    const int64_t whole = smaller(depth, p.k / 2 - q);
    for (int64_t s = 0; s < columns; s += kWidth, out += kWidth * depth) {
      const int64_t width = smaller(columns - s, kWidth);
      const BF16* from = p.b + 2 * q * p.b_r + (j + s) * p.b_c;
      if (width < kWidth)
        std::memset(static_cast<void*>(out), 0, static_cast<size_t>(kWidth * depth) * sizeof *out);
      if (p.b_r == 1) {
        // Whole cache lines in, short strides out.
        int64_t d = 0;
        for (; d + kBlock <= whole && width == kWidth; d += kBlock)
          for (int64_t c = 0; c < kWidth; c += kBlock)
            transpose_block(reinterpret_cast<const char*>(from + c * p.b_c + 2 * d),
                            p.b_c * static_cast<int64_t>(sizeof(BF16)), out + d * kWidth + c,
                            kWidth);
        for (; d < whole; d += kBlock)
          for (int64_t c = 0; c < width; ++c)
            for (int64_t e = d; e < smaller(d + kBlock, whole); ++e)
              std::memcpy(out + e * kWidth + c, from + c * p.b_c + 2 * e, sizeof *out);
      } else {
        for (int64_t d = 0; d < whole; ++d) {
          const BF16 *low = from + 2 * d * p.b_r, *high = low + p.b_r;
          float* line = out + d * kWidth;
          if (p.b_c == 1 && width == kWidth)
            for (int64_t c = 0; c < kWidth; ++c) line[c] = pair_of(low[c], high[c]);
          else
            for (int64_t c = 0; c < width; ++c) line[c] = pair_of(low[c * p.b_c], high[c * p.b_c]);
        }
      }
      if (whole < depth)
        for (int64_t c = 0; c < width; ++c)
          out[whole * kWidth + c] = pair_of(from[2 * whole * p.b_r + c * p.b_c], BF16{});
    }
  }
};

#endif

}  // namespace bp_cpu::BP_ISA
