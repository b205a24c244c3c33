// SPDX-License-Identifier: Apache-2.0
// recurrent.cc: what a step of a recurrent layer does after its products: gates of the input and
// of the state become the next state. Gates lie side by side in the last dim, in PyTorch's order.
// Halves are computed in f32.
#include "core/ops/network/recurrent.h"

#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/ops/network/attributes.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

// Operand i, where it is given, has `gates` numbers for each of the state's.
void expect_gates(const Inference& f, size_t i, Span state, int64_t gates) {
  if (!f.in[i].is_tensor) return;
  Dims wanted(state);
  wanted.back() *= gates;
  if (Dims(f.in[i].shape) != wanted)
    fail(BP_INVALID_ARGUMENT, "{}: {} has shape {}, expected {}", f.row.name, f.row.inputs[i].name,
         format_shape(f.in[i].shape), format_shape(wanted));
}
// Returns the state's shape, which operand i has.
Dims state_shape(const Inference& f, size_t i) {
  if (f.in[i].shape.empty())
    fail(BP_INVALID_ARGUMENT, "{}: {} must have at least 1 dimension", f.row.name,
         f.row.inputs[i].name);
  return Dims(f.in[i].shape);
}
Dims gates_shape(Dims state, int64_t gates) {
  state.back() *= gates;
  return state;
}

void lstm_shape(Inference& f) {
  const Dims state = state_shape(f, 2);
  for (const size_t i : {0, 1}) expect_gates(f, i, state, 4);
  f.out_shape[0] = f.out_shape[1] = state;
  f.out_shape[2] = gates_shape(state, 4);
}
void lstm_grad_shape(Inference& f) {
  const Dims state = state_shape(f, 1);
  expect_gates(f, 0, state, 4);
  for (const size_t i : {2, 3, 4}) expect_gates(f, i, state, 1);
  f.out_shape[0] = gates_shape(state, 4);
  f.out_shape[1] = state;
}
void gru_shape(Inference& f) {
  const Dims state = state_shape(f, 2);
  for (const size_t i : {0, 1}) expect_gates(f, i, state, 3);
  expect_gates(f, 3, Dims{state.back()}, 3);
  f.out_shape[0] = state;
  f.out_shape[1] = gates_shape(state, 4);
}
void gru_grad_shape(Inference& f) {
  const Dims state = state_shape(f, 1);
  expect_gates(f, 0, state, 4);
  for (const size_t i : {2, 3, 4}) expect_gates(f, i, state, 1);
  f.out_shape[0] = f.out_shape[1] = gates_shape(state, 3);
  f.out_shape[2] = state;
}
void rnn_shape(Inference& f) {
  f.out_shape[0] = state_shape(f, 0);
  for (size_t i = 1; i < f.in.size(); ++i) expect_gates(f, i, f.out_shape[0], 1);
}

Ref<Tensor> squashed(const Ref<Tensor>& x) { return invoke(BP_OP_TANH, {x}); }

void lstm_gates(Composer& c) {
  const Ref<Tensor> all = add(c.wide(0), c.wide(1)), state = c.wide(2);
  const int64_t n = state->shape.back();
  const auto part = [&](int64_t k) { return narrow(*all, -1, k * n, n); };
  const Ref<Tensor> i = logistic(part(0)), f = logistic(part(1)), g = squashed(part(2)),
                    o = logistic(part(3)), next = add(mul(f, state), mul(i, g));
  c.out[0] = mul(o, squashed(next));
  c.out[1] = next;
  c.out[2] = joined(std::array{i, f, g, o}, -1);
}
void gru_gates(Composer& c) {
  const Ref<Tensor> x = c.wide(0), state = c.wide(2);
  const Ref<Tensor> y = c.has(3) ? add(c.wide(1), c.wide(3)) : c.wide(1);
  const int64_t n = state->shape.back();
  const auto part = [&](const Ref<Tensor>& t, int64_t k) { return narrow(*t, -1, k * n, n); };
  const Ref<Tensor> both = add(x, y), r = logistic(part(both, 0)), z = logistic(part(both, 1)),
                    hidden = part(y, 2), fresh = squashed(add(part(x, 2), mul(r, hidden)));
  c.out[0] = add(fresh, mul(z, sub(state, fresh)));
  c.out[1] = joined(std::array{r, z, fresh, hidden}, -1);
}
void rnn_gates(Composer& c) {
  const Ref<Tensor> all = add(c.wide(0), c.wide(1));
  c.out[0] = c.flag(kRnnGatesAttrs["relu"]) ? invoke(BP_OP_RELU, {all}) : squashed(all);
}

// clang-format off
constexpr OpRow kRecurrentRows[] = {
    {.id = 360, .name = "lstm_gates", .inputs = {{{"input_gates"}, {"hidden_gates"}, {"cell"}}},
     .outputs = {"h", "next_cell", "gates"}, .layout = Layout::kGeneral, .dtype = rule::averaged, .shape = lstm_shape,
     .compose = lstm_gates, .grad = {"LstmGatesBackward0", lstm_gates_back, kIn2 | kOut2}, .max_ulp = 64,
     .doc = "A step of an LSTM: i, f, g, o [.., 4H] are sigmoid, sigmoid, tanh and sigmoid of input_gates + hidden_gates; "
            "next_cell = f * cell + i * g, h = o * tanh(next_cell). The bound is relative to the largest term."},
    {.id = 361, .name = "lstm_gates_grad",
     .inputs = {{{"gates"}, {"cell"}, {"grad_h", Role::kValue, true}, {"grad_h2", Role::kValue, true},
                 {"grad_next_cell", Role::kValue, true}}},
     .outputs = {"gates_grad", "cell_grad"}, .layout = Layout::kGeneral, .dtype = rule::averaged, .shape = lstm_grad_shape,
     .compose = lstm_gates_grad, .max_ulp = 64,
     .doc = "lstm_gates' gradients towards both of its gates, which have the same one, and cell: gates is its result, the gradient "
            "of h the sum of grad_h and grad_h2. The bound is relative to the largest term."},
    {.id = 362, .name = "gru_gates",
     .inputs = {{{"input_gates"}, {"hidden_gates"}, {"h"}, {"hidden_bias", Role::kValue, true}}},
     .outputs = {"next_h", "gates"}, .layout = Layout::kGeneral, .dtype = rule::averaged, .shape = gru_shape,
     .compose = gru_gates, .grad = {"GruGatesBackward0", gru_gates_back, kIn2 | kOut1}, .max_ulp = 64,
     .doc = "A step of a GRU, x input_gates and y hidden_gates + hidden_bias, each r, z, n [.., 3H]: r and z are sigmoid of x + y, "
            "n = tanh(x + r * y), next_h = n + z * (h - n). gates [.., 4H] are r, z, n and y's n. The bound is relative to the "
            "largest term."},
    {.id = 363, .name = "gru_gates_grad",
     .inputs = {{{"gates"}, {"h"}, {"grad", Role::kValue, true}, {"grad2", Role::kValue, true},
                 {"grad3", Role::kValue, true}}},
     .outputs = {"input_grad", "hidden_grad", "h_grad"}, .layout = Layout::kGeneral, .dtype = rule::averaged,
     .shape = gru_grad_shape, .compose = gru_gates_grad, .max_ulp = 64,
     .doc = "gru_gates' gradients towards input_gates, hidden_gates and h: gates is its result, the gradient of next_h the sum of "
            "grad, grad2 and grad3. The bound is relative to the largest term."},
    {.id = 364, .name = "rnn_gates", .inputs = {{{"input_gates"}, {"hidden_gates"}}}, .attrs = kRnnGatesAttrs,
     .layout = Layout::kGeneral, .dtype = rule::averaged, .shape = rnn_shape, .compose = rnn_gates,
     .grad = {"RnnGatesBackward0", rnn_gates_back, kOut0}, .max_ulp = 64,
     .doc = "A step of an RNN: tanh, or relu, of input_gates + hidden_gates. The bound is relative to the largest term."},
    {.id = 365, .name = "rnn_gates_grad",
     .inputs = {{{"h"}, {"grad", Role::kValue, true}, {"grad2", Role::kValue, true}}}, .attrs = kRnnGatesAttrs,
     .layout = Layout::kGeneral, .dtype = rule::averaged, .shape = rnn_shape,
     .compose = rnn_gates_grad, .max_ulp = 64,
     .doc = "rnn_gates' gradient towards both of its gates, which have the same one: h is its result, whose gradient is the sum of "
            "grad and grad2. The bound is relative to the largest term."},
};
// clang-format on
}  // namespace

std::span<const OpRow> recurrent_rows() { return kRecurrentRows; }

}  // namespace bp::ops
