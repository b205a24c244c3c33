// SPDX-License-Identifier: Apache-2.0
// recurrence.cc: a step is a product with the state and one op (lstm_gates and so on); its way back
// is the op's gradient and a product. What needs no order is made for all steps at once: products
// with the input, and gradients of weights and biases.
#include "core/module/kinds/recurrence.h"

#include "core/grad/autograd.h"
#include "core/module/initialiser.h"
#include "core/module/kind.h"

namespace bp::nn {
namespace {

Ref<Tensor> added(const Ref<Tensor>& a, const Ref<Tensor>& b) { return invoke(BP_OP_ADD, {a, b}); }
Ref<Tensor> product(const Ref<Tensor>& a, const Ref<Tensor>& b) {
  return invoke(BP_OP_MATMUL, {a, b});
}

// Returns the parts of t along its first dim. Their gradients are joined once; one at a time they
// would each be put into zeros of the whole.
std::vector<Ref<Tensor>> parts_of(Tensor& t) {
  std::vector<Ref<Tensor>> parts;
  std::vector<Tensor*> outputs;
  {
    const RecordGuard off(false);
    for (int64_t at = 0; at < t.shape[0]; ++at) {
      parts.push_back(select(t, 0, at));
      outputs.push_back(parts.back().get());
    }
  }
  if (!records()) return parts;
  Tensor* const inputs[] = {&t};
  const auto join = [](GradCall& c, std::span<const Ref<Tensor>>) {
    std::vector<Ref<Tensor>> grads(c.grads.begin(), c.grads.end());
    for (size_t i = 0; i < grads.size(); ++i) {
      if (grads[i]) continue;
      const Node::Result& part = c.node.results[i];
      grads[i] = new_tensor(part.shape, part.dtype, *part.device);
      init::constant(*grads[i], 0);
    }
    c.give(0, stacked(grads, 0, BP_OP_STACK));
  };
  record_function({"SplitBackward0", {}, join, {}}, inputs, outputs);
  return parts;
}

// Visits the operands in the order in which the node has them. Biases are both given or neither.
template <class F>
void each_operand(Recurrence& r, bool has_bias, const F& fn) {
  fn(r.x), fn(r.weight_ih), fn(r.weight_hh);
  if (has_bias) fn(r.bias_ih), fn(r.bias_hh);
  fn(r.h);
  if (r.cell.is_lstm()) fn(r.c);
}

int64_t length(const Recurrence& r) { return r.x->shape[0]; }
// Where the input of the i-th step is.
int64_t place(const Recurrence& r, int64_t i) { return r.backwards ? length(r) - 1 - i : i; }

// The results of all steps, [L, N, ..]. What is not kept is empty.
struct Kept {
  Ref<Tensor> h, c, gates;

  Step at(int64_t t) const {
    const auto part = [t](const Ref<Tensor>& of) { return of ? select(*of, 0, t) : of; };
    return {part(h), part(c), part(gates)};
  }
};

// Takes all steps and returns their results by place. They are written into what is kept; where
// nothing is, each is recorded. `forgets` leaves out what only the way back reads.
std::vector<Step> take_steps(const Recurrence& r, const Kept& into, bool forgets) {
  // A gru scales its state's part before it adds the input's. For the others both biases are added
  // to all steps at once.
  const bool own_bias = r.cell.is_gru() || !r.bias_ih;
  const Ref<Tensor> gates =
      linear(*r.x, *r.weight_ih, own_bias ? r.bias_ih : added(r.bias_ih, r.bias_hh));
  // Each step's product reads the rows of the weight's transpose, which lie close for all of them.
  Ref<Tensor> weight = transpose(*r.weight_hh, 0, 1);
  if (length(r) > 1) weight = contiguous(*weight);
  const std::vector<Ref<Tensor>> inputs = parts_of(*gates);
  std::vector<Step> steps(inputs.size());
  Step before{r.h, r.c, {}};
  for (int64_t i = 0; i < length(r); ++i) {
    const int64_t t = place(r, i);
    Step& step = steps[static_cast<size_t>(t)];
    step = into.at(t);
    take_step(r.cell, inputs[static_cast<size_t>(t)], product(before.h, weight),
              own_bias ? r.bias_hh : Ref<Tensor>{}, before, step);
    before = step;
    if (forgets) step.gates = {}, step.c = {};
  }
  steps[static_cast<size_t>(place(r, length(r) - 1))].c = before.c;
  return steps;
}

// The gradients of what a cell's op reads; those of both gates are the same, but for a gru. That of
// the state is of c for an lstm, and for a gru of h, beside what comes by the product.
struct StepGrads {
  Ref<Tensor> input_gates, hidden_gates, state;
};
// Takes gradients back through a step. Those of its h are `of_y` and `of_h`, and for a gru
// `of_state`, which for an lstm is that of its c; each may be empty. What `to` holds is written.
void step_back(const Cell& cell, const Step& step, const Step& before, const Ref<Tensor>& of_y,
               const Ref<Tensor>& of_h, const Ref<Tensor>& of_state, StepGrads& to) {
  if (cell.is_lstm()) {
    Ref<Tensor> out[] = {to.input_gates, {}};
    invoke(BP_OP_LSTM_GATES_GRAD, {step.gates, before.c, maybe(of_y), maybe(of_h), maybe(of_state)},
           {}, out);
    to = {out[0], out[0], out[1]};
  } else if (cell.is_gru()) {
    Ref<Tensor> out[] = {to.input_gates, to.hidden_gates, {}};
    invoke(BP_OP_GRU_GATES_GRAD, {step.gates, before.h, maybe(of_y), maybe(of_h), maybe(of_state)},
           {}, out);
    to = {out[0], out[1], out[2]};
  } else {
    Ref<Tensor> out[] = {to.input_gates};
    invoke(BP_OP_RNN_GATES_GRAD, {step.h, maybe(of_y), maybe(of_h)}, {flag_value(cell.relu)}, out);
    to = {out[0], out[0], {}};
  }
}

// Takes gradients back through the steps, the last one first. Returns those of both gates of all
// steps, [L, N, gates * H], and of the first state where `wants_first` says so: of h, then of c.
struct SequenceGrads {
  Ref<Tensor> input_gates, hidden_gates, h, c;
};
SequenceGrads steps_back(const Recurrence& r, const std::vector<Step>& steps, GradCall& c,
                         bool wants_first) {
  const auto n = static_cast<size_t>(length(r));
  const bool in_place = !records();
  const Dims shape{length(r), r.x->shape[1], r.weight_hh->shape[0]};
  std::vector<Ref<Tensor>> of_y(n), input(n), hidden(n);
  SequenceGrads all;
  all.h = c.grads[1];
  Ref<Tensor> of_state = r.cell.is_lstm() ? c.grads[2] : Ref<Tensor>{};
  if (c.grads[0]) of_y = parts_of(*contiguous(*c.grads[0]));
  if (in_place) {
    input = parts_of(*(all.input_gates = new_tensor(shape, r.x->dtype, r.x->device())));
    if (r.cell.is_gru())
      hidden = parts_of(*(all.hidden_gates = new_tensor(shape, r.x->dtype, r.x->device())));
  }
  for (int64_t i = length(r) - 1; i >= 0; --i) {
    const auto t = static_cast<size_t>(place(r, i));
    const Step before = i ? steps[static_cast<size_t>(place(r, i - 1))] : Step{r.h, r.c, {}};
    StepGrads grads{input[t], hidden[t], {}};
    step_back(r.cell, steps[t], before, of_y[t], all.h, of_state, grads);
    input[t] = grads.input_gates, hidden[t] = grads.hidden_gates;
    of_state = grads.state;
    if (i || wants_first) all.h = product(grads.hidden_gates, r.weight_hh);
  }
  if (!in_place) all.input_gates = stacked(input, 0, BP_OP_STACK);
  if (!r.cell.is_gru())
    all.hidden_gates = all.input_gates;
  else if (!in_place)
    all.hidden_gates = stacked(hidden, 0, BP_OP_STACK);
  if (r.cell.is_gru() && wants_first) all.h = added(all.h, of_state);
  if (r.cell.is_lstm()) all.c = of_state;
  return all;
}

Ref<Tensor> as_rows(const Ref<Tensor>& t) {
  return reshape(*t, Dims{t->shape[0] * t->shape[1], t->shape[2]});
}
Ref<Tensor> sum_of_rows(const Ref<Tensor>& rows) {
  const int64_t axis[] = {0};
  return invoke(BP_OP_SUM, {rows},
                {ints_value(axis), flag_value(false), dtype_value(BP_DTYPE_NONE)});
}
// Returns the states that the steps began with, by place, of those that they ended with.
Ref<Tensor> states_before(const Recurrence& r, const Ref<Tensor>& y) {
  Ref<Tensor> first = unsqueeze(*r.h, 0);
  if (length(r) == 1) return first;
  const Ref<Tensor> others = narrow(*y, 0, r.backwards ? 1 : 0, length(r) - 1);
  return stacked(std::array{r.backwards ? others : first, r.backwards ? first : others}, 0,
                 BP_OP_CONCAT);
}

// Gives all operands their gradients. Where these are recorded themselves, so are the steps, which
// are taken again for it.
void go_back(const Recurrence& r, const Kept& kept, GradCall& c) {
  const bool has_bias = static_cast<bool>(r.bias_ih);
  const size_t first = has_bias ? 5 : 3;
  std::vector<Step> steps;
  if (records())
    steps = take_steps(r, {}, /*forgets=*/false);
  else
    for (int64_t t = 0; t < length(r); ++t) steps.push_back(kept.at(t));
  Ref<Tensor> y = kept.h;
  if (records()) {
    std::vector<Ref<Tensor>> states;
    for (const Step& s : steps) states.push_back(s.h);
    y = stacked(states, 0, BP_OP_STACK);
  }
  const SequenceGrads grads = steps_back(r, steps, c, c.wants(first));
  const Ref<Tensor> input = as_rows(grads.input_gates), hidden = as_rows(grads.hidden_gates);
  if (c.wants(0)) c.give(0, reshape(*product(input, r.weight_ih), r.x->shape));
  if (c.wants(1)) c.give(1, product(transpose(*input, 0, 1), as_rows(r.x)));
  if (c.wants(2)) c.give(2, product(transpose(*hidden, 0, 1), as_rows(states_before(r, y))));
  if (has_bias && c.wants(3)) c.give(3, sum_of_rows(input));
  if (has_bias && c.wants(4)) c.give(4, sum_of_rows(hidden));
  c.give(first, grads.h);
  if (r.cell.is_lstm()) c.give(first + 1, grads.c);
}

// Records the way back from `made`, for which `kept` is held.
void record(Recurrence& r, const Kept& kept, const Recurred& made) {
  Function f{r.cell.is_lstm()  ? "LstmBackward0"
             : r.cell.is_gru() ? "GruBackward0"
                               : "RnnBackward0",
             {},
             {},
             {}};
  const bool has_bias = static_cast<bool>(r.bias_ih);
  std::vector<Tensor*> inputs, outputs{made.y.get(), made.h.get()};
  if (made.c) outputs.push_back(made.c.get());
  each_operand(r, has_bias, [&](const Ref<Tensor>& t) {
    inputs.push_back(t.get());
    f.saved.push_back(t);
  });
  for (const Ref<Tensor>& t : {kept.h, kept.gates, kept.c})
    if (t) f.saved.push_back(t);
  f.backward = [cell = r.cell, backwards = r.backwards, has_bias](
                   GradCall& c, std::span<const Ref<Tensor>> saved) {
    Recurrence again{.cell = cell, .backwards = backwards};
    const Ref<Tensor>* next = saved.data();
    each_operand(again, has_bias, [&](Ref<Tensor>& t) { t = *next++; });
    Kept results;
    results.h = *next++;
    if (cell.gates > 1) results.gates = *next++;
    if (cell.is_lstm()) results.c = *next++;
    go_back(again, results, c);
  };
  record_function(std::move(f), inputs, outputs);
}

}  // namespace

Ref<Tensor> stacked(std::span<const Ref<Tensor>> parts, int64_t axis, uint32_t id) {
  SmallVec<bp_value, 4> in;
  for (const Ref<Tensor>& p : parts) in.push_back(tensor_value(*p));
  const bp_attr attrs[] = {int_value(axis)};
  Ref<Tensor> out[1];
  invoke(*find_op(id), in, attrs, out);
  return std::move(out[0]);
}

void take_step(const Cell& cell, const Ref<Tensor>& input_gates, const Ref<Tensor>& hidden_gates,
               const Ref<Tensor>& hidden_bias, const Step& before, Step& after) {
  if (cell.is_lstm()) {
    Ref<Tensor> out[] = {after.h, after.c, after.gates};
    invoke(BP_OP_LSTM_GATES, {input_gates, hidden_gates, before.c}, {}, out);
    after = {out[0], out[1], out[2]};
  } else if (cell.is_gru()) {
    Ref<Tensor> out[] = {after.h, after.gates};
    invoke(BP_OP_GRU_GATES, {input_gates, hidden_gates, before.h, maybe(hidden_bias)}, {}, out);
    after = {out[0], {}, out[1]};
  } else {
    Ref<Tensor> out[] = {after.h};
    invoke(BP_OP_RNN_GATES, {input_gates, hidden_gates}, {flag_value(cell.relu)}, out);
    after = {out[0], {}, {}};
  }
}

Recurred recur(Recurrence r) {
  bool goes_back = false;
  each_operand(r, static_cast<bool>(r.bias_ih),
               [&](const Ref<Tensor>& t) { goes_back |= records() && wants_grad(*t); });
  Kept kept;
  Recurred made;
  {
    const RecordGuard off(false);
    const auto stack = [&](int64_t gates) {
      return new_tensor(Dims{length(r), r.x->shape[1], gates * r.weight_hh->shape[1]}, r.x->dtype,
                        r.x->device());
    };
    kept.h = stack(1);
    if (goes_back && r.cell.is_lstm()) kept.c = stack(1);
    if (goes_back && r.cell.gates > 1) kept.gates = stack(4);
    const std::vector<Step> steps = take_steps(r, kept, /*forgets=*/!goes_back);
    const Step& last = steps[static_cast<size_t>(place(r, length(r) - 1))];
    made = {kept.h, last.h, last.c};
  }
  if (goes_back) record(r, kept, made);
  return made;
}

}  // namespace bp::nn
