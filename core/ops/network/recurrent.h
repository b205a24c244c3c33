// SPDX-License-Identifier: Apache-2.0
// recurrent.h: the compositions of the gradients of recurrent cells, which
// network/gradient_recurrent.cc defines.
//
//   constexpr OpRow kRow{.id = 361, .name = "lstm_gates_grad", .compose = lstm_gates_grad};
#pragma once
#include "core/call/compose.h"

namespace bp::ops {

void lstm_gates_grad(Composer& c);
void gru_gates_grad(Composer& c);
void rnn_gates_grad(Composer& c);

}  // namespace bp::ops
