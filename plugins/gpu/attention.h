// SPDX-License-Identifier: Apache-2.0
// attention.h: the operands of scaled_dot_product_attention and of its gradients, as kernels see
// them: matrices of any strides, in batches.
//
//   Attention a;
//   if (!describe(l, &a)) return BP_UNSUPPORTED;   // the core composes the op then
//   const Attention::Operand& q = a.operand[Attention::kQuery];
//   char* of_batch = q.data + item_bytes * offset(a, q, batch);
#pragma once
#include <cstdint>

#include "c_types.h"

struct bp_launch;

namespace bp_gpu {

struct Attention {
  static constexpr int32_t kDims = 6;         // of a batch, at most
  static constexpr int64_t kMostWidth = 256;  // of queries, keys and values
  enum { kQuery, kKey, kValue, kMask, kOut, kOperands };
  enum class Mask { kNone, kTruth, kAdded };
  // Strides in elements; 0 where the operand is broadcast.
  struct Operand {
    char* data;
    int64_t row, column, batch[kDims];
  };
  bp_dtype dtype;
  int64_t queries, keys, width, value_width;
  int64_t batches, shape[kDims];
  int32_t n_dims;  // of the batch; none has size 1
  bool causal;
  Mask mask;
  double scale;
  Operand operand[kOperands];
};

// Fills *a with a call's operands; those that the row lacks are 0. Returns false for a call that
// has no kernel: matrices too wide or empty, and batches of too many dims.
bool describe(const bp_launch& l, Attention* a);

}  // namespace bp_gpu
