// SPDX-License-Identifier: Apache-2.0
// rows_matrix.cc: what a whole warp does with small matrices of halves, of which each lane has a
// few elements; and the packing of two numbers as such elements. PTX ISA 9.0, 9.7.15.
#include <cstring>

#include "lanes.h"
#include "rows.h"

namespace machine {
namespace {

constexpr std::string_view kMatrix = "9.7.15 Warp Level Matrix Instructions",
                           kMove = "9.7.9 Data Movement and Conversion";

struct Half {
  static float widened(uint16_t h) { return static_cast<float>(std::bit_cast<_Float16>(h)); }
  static uint16_t rounded(float x) {
    return x != x ? 0x7fff : std::bit_cast<uint16_t>(static_cast<_Float16>(x));
  }
};
struct Brain {
  static float widened(uint16_t h) { return std::bit_cast<float>(uint32_t{h} << 16); }
  static uint16_t rounded(float x) {
    const auto bits = std::bit_cast<uint32_t>(x);
    return x != x ? 0x7fff : static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
};

// All lanes of the warp are there, or it is not defined.
void want_all(uint32_t mask) {
  if (mask != ~0u)
    throw Wrong{kLaunchFailure, std::countr_zero(mask),
                "lane " + std::to_string(std::countr_one(mask)) +
                    " is missing, and all 32 of the warp take part"};
}

template <class H>
float element(Warp& w, uint32_t at, int lane, int which) {
  return H::widened(static_cast<uint16_t>(w.lanes<uint32_t>(at)[lane] >> 16 * which));
}

// d = a b + c of 16 x 16, 16 x 8 and 16 x 8. A card's sums have another order, and no fewer bits
// than f32.
template <class H>
void run_multiply(Warp& w, const Instruction& i, uint32_t mask) {
  want_all(mask);
  constexpr int kRows = 16, kColumns = 8, kDepth = 16;
  float a[kRows][kDepth], b[kDepth][kColumns];
  for (int lane = 0; lane < kLanes; ++lane) {
    const int group = lane / 4, pair = lane % 4 * 2;
    for (int e = 0; e < 8; ++e)
      a[group + e / 2 % 2 * 8][pair + e % 2 + e / 4 * 8] =
          element<H>(w, i.at[4 + e / 2], lane, e % 2);
    for (int e = 0; e < 4; ++e)
      b[pair + e % 2 + e / 2 * 8][group] = element<H>(w, i.at[8 + e / 2], lane, e % 2);
  }
  for (int lane = 0; lane < kLanes; ++lane)
    for (int e = 0; e < 4; ++e) {
      const int row = lane / 4 + e / 2 * 8, column = lane % 4 * 2 + e % 2;
      double sum = w.lanes<float>(i.at[10 + e])[lane];
      for (int k = 0; k < kDepth; ++k) sum += double{a[row][k]} * double{b[k][column]};
      w.lanes<float>(i.at[e])[lane] = static_cast<float>(sum);
    }
}

// Four matrices of 8 x 8 halves in shared memory; lane 8 m + r says where row r of matrix m begins.
template <bool kTurned>
void run_load_matrices(Warp& w, const Instruction& i, uint32_t mask) {
  want_all(mask);
  constexpr int kMatrices = 4, kSize = 8;
  uint16_t rows[kLanes][kSize];
  for (int lane = 0; lane < kLanes; ++lane)
    std::memcpy(rows[lane], read_shared_row(w, i, lane), sizeof rows[lane]);
  for (int lane = 0; lane < kLanes; ++lane)
    for (int m = 0; m < kMatrices; ++m) {
      const int row = lane / 4, column = lane % 4 * 2;
      const auto at = [&](int k) -> uint32_t {
        return kTurned ? rows[kSize * m + column + k][row] : rows[kSize * m + row][column + k];
      };
      w.lanes<uint32_t>(i.at[m])[lane] = at(0) | at(1) << 16;
    }
}

}  // namespace

void add_matrix_rows(Rows& rows) {
  const auto whole = [&](const std::string& name, const std::string& operands, Run run) {
    rows[name] = {kMatrix, operands, run, Row::kTogether, {Space::kShared}};
  };
  whole("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", std::string(14, '4'),
        run_multiply<Half>);
  whole("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", std::string(14, '4'),
        run_multiply<Brain>);
  whole("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "4444a", run_load_matrices<false>);
  whole("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "4444a", run_load_matrices<true>);
  rows["cvt.rn.f16x2.f32"] = {kMove, "444", map<uint32_t(float, float)>([](float high, float low) {
                                return uint32_t{Half::rounded(high)} << 16 | Half::rounded(low);
                              })};
  rows["cvt.rn.bf16x2.f32"] = {kMove, "444", map<uint32_t(float, float)>([](float high, float low) {
                                 return uint32_t{Brain::rounded(high)} << 16 | Brain::rounded(low);
                               })};
}

}  // namespace machine
