// SPDX-License-Identifier: Apache-2.0
// walk.h: the general elementwise call, over any strides, broadcasts and narrow floats. It is made
// per call, on the stack. It goes by rows or blocks in the output's memory order, or by tiles where
// an input is dense along another dimension than the output (a transposed operand), so that both
// read and write whole cache lines. What is only moved goes from its place to the output's, where
// one of these is dense, without a block in between.
#pragma once
#include "driver/elementwise.h"
#include "driver/operand.h"

namespace bp_cpu {

constexpr int kMaxInputs = 3;

// Which bit of Loops::dense's index stands for input i; 0 when none does.
constexpr unsigned mask_bit(int n_in, int i) {
  const int place = n_in == 1 ? i : i - (n_in - 2);
  return place < 0 ? 0u : 1u << place;
}

class Walk {
 public:
  Walk(const bp_launch& launch, const Loops& loops);
  void run() const;

 private:
  // In elements, so that the buffers of one block stay in a first-level cache.
  static constexpr int64_t kBlock = 512;
  static constexpr int64_t kTileRows = 16;
  struct Buffers {
    alignas(64) char raw[kMaxInputs + 1][kBlock * 16];
    alignas(64) float wide[kMaxInputs + 1][kBlock];
  };
  // A tile's place: its first element in each operand, and its extent.
  struct Tile {
    int64_t rows, columns;
    char* base[kMaxInputs + 1];
  };
  const Operand& out() const { return operand_[n_in_]; }
  void follow_output();
  void merge_dimensions();
  void choose_ways();
  void choose_tiles();
  bool row_major(const Operand& o) const;
  const void* input(int i, int64_t first, int64_t n, Buffers& b) const;
  void run_blocks(int64_t begin, int64_t end) const;
  bool move(int64_t begin, int64_t end) const;
  void run_rows(int64_t begin, int64_t end) const;
  template <class F>
  void each_run_of_rows(int64_t row, int64_t end, const F& run) const;
  void run_row(char* const* place, int64_t column, int64_t length, Buffers& b) const;
  void run_buffered(char* const* place, int64_t column, int64_t n, Buffers& b) const;
  Tile place_tile(int64_t index) const;
  void run_tile(const Tile& t, Buffers& b) const;

  const Loops& loops_;
  const int n_in_;
  Space space_;
  Operand operand_[kMaxInputs + 1];  // inputs, then the output
  alignas(16) char number_[kMaxInputs][16];
  int64_t count_ = 1;
  unsigned mask_ = 0;
  bool rows_ = false;      // blocks end at row ends
  bool buffered_ = false;  // blocks are at most kBlock long
  int tile_dim_ = -1;      // the dimension of a tile's rows; its columns are the innermost one
  int64_t tile_columns_ = 0;
};

}  // namespace bp_cpu
