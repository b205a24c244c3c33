// SPDX-License-Identifier: Apache-2.0
// gradient_recurrent.cc: gradients of recurrent cells, and the compositions of the rows that have
// them. The gradient of a state is the sum of those that are given, or 0.
#include "core/grad/autograd.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/ops/network/attributes.h"
#include "core/ops/network/recurrent.h"

namespace bp::ops {
namespace {

// Returns the sum of operands [first, last) that are given, or zeros as `like`.
Ref<Tensor> sum_of_given(const Composer& c, size_t first, size_t last, const Ref<Tensor>& like) {
  Ref<Tensor> sum;
  for (size_t i = first; i < last; ++i)
    if (c.has(i)) sum = sum ? add(sum, c.wide(i)) : c.wide(i);
  return sum ? sum : zeros_like(like);
}
// The slopes of sigmoid and tanh where their result is y.
Ref<Tensor> sigmoid_slope(const Ref<Tensor>& y) { return mul(y, sub(1, y)); }
Ref<Tensor> tanh_slope(const Ref<Tensor>& y) { return sub(1, squared(y)); }

Ref<Tensor> gate_of(const Ref<Tensor>& gates, int64_t k) {
  const int64_t n = gates->shape.back() / 4;
  return narrow(*gates, -1, k * n, n);
}
Ref<Tensor> lstm_slopes(const Ref<Tensor>& gates) {
  return joined(std::array{sigmoid_slope(gate_of(gates, 0)), sigmoid_slope(gate_of(gates, 1)),
                           tanh_slope(gate_of(gates, 2)), sigmoid_slope(gate_of(gates, 3))},
                -1);
}

struct GruGrads {
  Ref<Tensor> input, hidden;
};
// Takes gradients of r, z, n and of y's n, of which r's and y's may be empty, to both operands.
GruGrads through_gru(const Ref<Tensor>& gates, const Ref<Tensor>& dr, const Ref<Tensor>& dz,
                     const Ref<Tensor>& dn, const Ref<Tensor>& dy) {
  const Ref<Tensor> r = gate_of(gates, 0), n = mul(dn, tanh_slope(gate_of(gates, 2)));
  Ref<Tensor> towards_r = mul(n, gate_of(gates, 3)), hidden = mul(n, r);
  if (dr) towards_r = add(towards_r, dr);
  if (dy) hidden = add(hidden, dy);
  const Ref<Tensor> before_r = mul(towards_r, sigmoid_slope(r)),
                    before_z = mul(dz, sigmoid_slope(gate_of(gates, 1)));
  return {joined(std::array{before_r, before_z, n}, -1),
          joined(std::array{before_r, before_z, hidden}, -1)};
}

Value arrived(const GradCall& c, size_t i) {
  return c.grads[i] ? Value(c.grads[i]) : Value(bp_value{});
}
constexpr bp_value kNone{};

}  // namespace

void lstm_gates_grad(Composer& c) {
  const Ref<Tensor> gates = c.wide(0), state = c.wide(1), i = gate_of(gates, 0),
                    f = gate_of(gates, 1), g = gate_of(gates, 2), o = gate_of(gates, 3),
                    t = invoke(BP_OP_TANH, {add(mul(f, state), mul(i, g))}),
                    grad = sum_of_given(c, 2, 4, state);
  Ref<Tensor> next = mul(mul(grad, o), tanh_slope(t));
  if (c.has(4)) next = add(next, c.wide(4));
  c.out[0] = mul(joined(std::array{mul(next, g), mul(next, state), mul(next, i), mul(grad, t)}, -1),
                 lstm_slopes(gates));
  c.out[1] = mul(next, f);
}
void gru_gates_grad(Composer& c) {
  const Ref<Tensor> gates = c.wide(0), state = c.wide(1), z = gate_of(gates, 1),
                    grad = sum_of_given(c, 2, 5, state);
  const GruGrads both =
      through_gru(gates, {}, mul(grad, sub(state, gate_of(gates, 2))), mul(grad, sub(1, z)), {});
  c.out[0] = both.input;
  c.out[1] = both.hidden;
  c.out[2] = mul(grad, z);
}
void rnn_gates_grad(Composer& c) {
  const Ref<Tensor> h = c.wide(0), grad = sum_of_given(c, 1, 3, h);
  c.out[0] = c.flag(kRnnGatesAttrs["relu"]) ? where(greater(h, 0), grad, zeros_like(grad))
                                            : mul(grad, tanh_slope(h));
}

void lstm_gates_back(GradCall& c) {
  const Ref<Tensor> gates = c.result(2);
  Ref<Tensor> grads[2];
  invoke(BP_OP_LSTM_GATES_GRAD, {gates, c.in(2), arrived(c, 0), kNone, arrived(c, 1)}, {}, grads);
  if (c.grads[2]) grads[0] = add(grads[0], mul(c.grad(2), lstm_slopes(gates)));
  c.give(0, grads[0]);
  c.give(1, grads[0]);
  c.give(2, grads[1]);
}
void gru_gates_back(GradCall& c) {
  const Ref<Tensor> gates = c.result(1);
  Ref<Tensor> grads[3];
  invoke(BP_OP_GRU_GATES_GRAD, {gates, c.in(2), arrived(c, 0), kNone, kNone}, {}, grads);
  if (c.grads[1]) {
    const Ref<Tensor>& of = c.grad(1);
    const GruGrads both =
        through_gru(gates, gate_of(of, 0), gate_of(of, 1), gate_of(of, 2), gate_of(of, 3));
    grads[0] = add(grads[0], both.input);
    grads[1] = add(grads[1], both.hidden);
  }
  c.give(0, grads[0]);
  c.give(1, grads[1]);
  c.give(2, grads[2]);
  c.give(3, grads[1]);
}
void rnn_gates_back(GradCall& c) {
  Ref<Tensor> grads[1];
  invoke(BP_OP_RNN_GATES_GRAD, {c.result(), c.grad(), kNone}, c.attrs, grads);
  c.give(0, grads[0]);
  c.give(1, grads[0]);
}

}  // namespace bp::ops
