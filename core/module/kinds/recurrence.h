// SPDX-License-Identifier: Apache-2.0
// recurrence.h: what recurrent layers and cells have in common: one step, and all steps of a layer
// in one direction, whose way back is one node.
//
//   Recurrence gru{.cell = {.gates = 3}, .x = x, .weight_ih = w, .weight_hh = u, .h = h0};
//   const Recurred made = recur(gru);   // made.y [L, N, H], made.h [N, H]
#pragma once
#include <span>

#include "core/tensor/tensor.h"

namespace bp::nn {

struct Cell {
  int64_t gates;      // 4: lstm, 3: gru, 1: rnn
  bool relu = false;  // an rnn's instead of tanh
  bool is_lstm() const { return gates == 4; }
  bool is_gru() const { return gates == 3; }
};

// What a step leaves: the state, [N, H], of which an lstm alone has c, and what its gradient reads
// of the gates, which an rnn has none of.
struct Step {
  Ref<Tensor> h, c, gates;
};
// Makes a step of the products with the input and with the state before, [N, gates * H]. Only a gru
// has a bias here, which it adds to hidden_gates. Tensors that `after` holds are written.
void take_step(const Cell& cell, const Ref<Tensor>& input_gates, const Ref<Tensor>& hidden_gates,
               const Ref<Tensor>& hidden_bias, const Step& before, Step& after);

// What a layer reads in one direction. Biases may be empty, and so is c but for an lstm.
struct Recurrence {
  Cell cell;
  bool backwards = false;
  Ref<Tensor> x{};                       // [L, N, in]
  Ref<Tensor> weight_ih{}, weight_hh{};  // [gates * H, in], [gates * H, H]
  Ref<Tensor> bias_ih{}, bias_hh{};      // [gates * H]
  Ref<Tensor> h{}, c{};                  // the first state, [N, H]
};
// The states h after each step, and both after the last one.
struct Recurred {
  Ref<Tensor> y, h, c;
};
Recurred recur(Recurrence r);

// Joins the parts along an axis by the op `id`, BP_OP_STACK or BP_OP_CONCAT.
Ref<Tensor> stacked(std::span<const Ref<Tensor>> parts, int64_t axis, uint32_t id);

}  // namespace bp::nn
