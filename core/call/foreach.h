// SPDX-License-Identifier: Apache-2.0
// foreach.h: calls of rows whose layout is kForeach: one kernel launch over many tensors of one
// device and dtype, so that a step of an optimiser costs the same whether a model has one parameter
// or hundreds.
//
// Operands are `lists` lists of `count` tensors, one list after the other, then the row's further
// inputs, which are single 0-dim tensors. Position k of every list has one shape. The row's
// attribute "count" says how long lists are; without one there is one list. A row without an output
// changes every list but the second (parameters and states; gradients are the second) and gives
// nothing back.
//
// A kernel sees each tensor as one dense run: shape [numel], stride 1. Positions whose tensors lie
// in one dense memory order are seen in that order; others are copied to such a run and, where they
// were written, back.
//
//   const bp_value lists[] = {p0, p1, g0, g1};
//   invoke(*find_op(BP_OP_FOREACH_SGD), lists, attrs, {});
#pragma once
#include "core/tensor/tensor.h"
#include "core/value/op_def.h"

namespace bp {

// Where the operands of a call stand.
struct Lists {
  size_t lists = 0, count = 0, singles = 0;
  // Throws when the operands cannot be cut into lists.
  Lists(const OpRow& row, size_t n_in, std::span<const bp_attr> attrs);
  size_t at(size_t list, size_t k) const { return list * count + k; }
  size_t single(size_t i) const { return lists * count + i; }
};

// `composes` is as for long_path.
void foreach_path(const OpRow& row, std::span<const bp_value> in, std::span<const bp_attr> attrs,
                  std::span<Ref<Tensor>> out, bool composes);

}  // namespace bp
