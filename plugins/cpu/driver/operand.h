// SPDX-License-Identifier: Apache-2.0
// operand.h: operands of an elementwise call, and the copies between their place and a dense block.
#pragma once
#include <cstdint>

#include "c_types.h"

namespace bp_cpu {

// The sizes that all operands share, outermost first.
struct Space {
  int rank = 0;
  int64_t size[BP_MAX_RANK];
  int last() const { return rank - 1; }
  int64_t inner() const { return size[rank - 1]; }
};

// How an operand reaches the loop.
enum class Way : uint8_t {
  kDense,      // row-major over the whole space: pointer arithmetic
  kSingle,     // one element for the whole space
  kRow,        // dense within a row
  kRowSingle,  // one element for a row
  kBlock       // copied through a buffer
};

struct Operand {
  char* data = nullptr;
  int32_t bytes = 0;  // of one element
  Way way = Way::kDense;
  bool widened = false;         // a narrow float whose loop works in f32
  int64_t stride[BP_MAX_RANK];  // in elements

  int64_t step(int d) const { return stride[d] * bytes; }
  bool single() const { return way == Way::kSingle || way == Way::kRowSingle; }
};

// Copies elements [first, first + n) of the row-major order to a dense block, and back.
void gather(const Space& s, const Operand& o, int64_t first, int64_t n, void* block);
void scatter(const Space& s, const Operand& o, int64_t first, int64_t n, const void* block);
// Copies `rows` by `columns` elements from `from` on, strides in elements, into a dense block of
// rows. It goes along the shorter stride, because memory is read well in that order.
void gather_tile(const char* from, int32_t bytes, int64_t rows, int64_t row_stride, int64_t columns,
                 int64_t column_stride, void* block);
// One row of such a tile, and back.
void gather_row(const char* from, int32_t bytes, int64_t n, int64_t stride, void* block);
void scatter_row(char* to, int32_t bytes, int64_t n, int64_t stride, const void* block);

}  // namespace bp_cpu
