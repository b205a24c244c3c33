// SPDX-License-Identifier: Apache-2.0
// recurrent.cc: rnn, lstm and gru: layers over a sequence, one step after the other. The products
// with the inputs are made for all steps at once. Parameters of layer l: weight_ih_l<l> [gates * H,
// in], weight_hh_l<l> [gates * H, H], bias_ih_l<l>, bias_hh_l<l>; those that run backwards end with
// _reverse. Gates in PyTorch's order: lstm i, f, g, o; gru r, z, n. The cells, rnn_cell and so on,
// are one step, whose parameters have these names without _l<l>.
#include <cmath>

#include "core/module/initialiser.h"
#include "core/module/kind.h"
#include "core/module/kinds/recurrence.h"
#include "core/value/dtype.h"

namespace bp::nn {
namespace {

constexpr AttrSpecs kGated{
    required_int_attr("input_size", "size of each input"),
    required_int_attr("hidden_size", "size of the state"),
    int_attr("num_layers", 1, "layers, each on the results of the one before"),
    flag_attr("bias", true, "whether there are learned biases"),
    flag_attr("batch_first", false, "whether inputs and results are [N, L, ..], not [L, N, ..]"),
    float_attr("dropout", 0, "share of the results left out between layers in training"),
    flag_attr("bidirectional", false, "whether the sequence is also read from its end")};
constexpr AttrSpec kNonlinearity = str_attr("nonlinearity", "tanh", "tanh or relu");
constexpr AttrSpecs kRnn = kGated.with({kNonlinearity});
constexpr AttrSpecs kGatedCell{required_int_attr("input_size", "size of each input"),
                               required_int_attr("hidden_size", "size of the state"),
                               flag_attr("bias", true, "whether there are learned biases")},
    kRnnCell = kGatedCell.with({kNonlinearity});

bool is_lstm(const Module& m) { return std::string_view(m.kind->name).starts_with("lstm"); }
int64_t gates_of(const Module& m) {
  return is_lstm(m) ? 4 : std::string_view(m.kind->name).starts_with("gru") ? 3 : 1;
}

void make_recurrent(Maker& k) {
  Module& m = k.m;
  const int64_t hidden = m.i64(kGated["hidden_size"]),
                directions = m.flag(kGated["bidirectional"]) ? 2 : 1, gates = gates_of(m);
  if (hidden <= 0) fail(BP_INVALID_ARGUMENT, "hidden_size must be greater than zero");
  if (m.i64(kGated["num_layers"]) <= 0)
    fail(BP_INVALID_ARGUMENT, "num_layers must be greater than zero");
  if (m.i64(kGated["num_layers"]) > 10000)
    fail(BP_INVALID_ARGUMENT, "num_layers is {}, at most 10000 are possible",
         m.i64(kGated["num_layers"]));
  if (!(m.f64(kGated["dropout"]) >= 0 && m.f64(kGated["dropout"]) <= 1))
    fail(
        BP_INVALID_ARGUMENT,
        "dropout should be a number in range [0, 1] representing the probability of an element being zeroed");
  if (gates == 1 && m.str(kRnn["nonlinearity"]) != "tanh" && m.str(kRnn["nonlinearity"]) != "relu")
    fail(BP_INVALID_ARGUMENT, "Unknown nonlinearity '{}'. Select from 'tanh' or 'relu'.",
         m.str(kRnn["nonlinearity"]));
  for (int64_t l = 0; l < m.i64(kGated["num_layers"]); ++l)
    for (int64_t d = 0; d < directions; ++d) {
      const std::string end = fmt::format("_l{}{}", l, d ? "_reverse" : "");
      const int64_t in = l ? hidden * directions : m.i64(kGated["input_size"]), n = hidden;
      const auto add = [&](const char* name, Span shape) {
        init::bounded(k.parameter((name + end).c_str(), shape), static_cast<double>(n));
      };
      add("weight_ih", Dims{gates * hidden, in}), add("weight_hh", Dims{gates * hidden, hidden});
      if (m.flag(kGated["bias"]))
        add("bias_ih", Dims{gates * hidden}), add("bias_hh", Dims{gates * hidden});
    }
}

// `nonlinearity` is where an rnn has it.
Cell cell_of(const Module& m, TextAttr nonlinearity) {
  return {gates_of(m), gates_of(m) == 1 && m.str(nonlinearity) == "relu"};
}

// Returns the state that was given, [layers * directions, N, H], or zeros.
Ref<Tensor> first_state(const ForwardCall& f, size_t input, Tensor& x, bool batched,
                        int64_t n_states) {
  const int64_t batch = x.shape[1], hidden = f.m.i64(kGated["hidden_size"]);
  const Dims shape{n_states, batch, hidden};
  if (!f.has(input)) {
    Ref<Tensor> zeros = new_tensor(shape, x.dtype, x.device());
    init::constant(*zeros, 0);
    return zeros;
  }
  Ref<Tensor> s =
      batched ? Ref<Tensor>::share(&f.x(input)) : unsqueeze(f.x(input), f.x(input).rank() ? 1 : 0);
  if (s->shape != shape)
    fail(BP_INVALID_ARGUMENT, "Expected hidden size {}, got {}", format_shape(shape),
         format_shape(s->shape));
  if (s->dtype != x.dtype)
    fail(BP_DTYPE_MISMATCH,
         "Input and hidden tensors are not the same dtype, found input tensor with {} and hidden "
         "tensor with {}",
         dtype_title(x.dtype), dtype_title(s->dtype));
  return s;
}

void recurrent_forward(ForwardCall& f) {
  const Module& m = f.m;
  const bool lstm = is_lstm(m), batched = f.x().rank() == 3;
  const int64_t directions = m.flag(kGated["bidirectional"]) ? 2 : 1,
                n_states = m.i64(kGated["num_layers"]) * directions;
  if (f.x().rank() != 2 && f.x().rank() != 3)
    fail(BP_INVALID_ARGUMENT, "{}: Expected input to be 2D or 3D, got {}D instead", m.title,
         f.x().rank());
  if (f.x().shape.back() != m.i64(kGated["input_size"]))
    fail(BP_INVALID_ARGUMENT, "input.size(-1) must be equal to input_size. Expected {}, got {}",
         m.i64(kGated["input_size"]), f.x().shape.back());
  Ref<Tensor> x = !batched                        ? unsqueeze(f.x(), 1)
                  : m.flag(kGated["batch_first"]) ? transpose(f.x(), 0, 1)
                                                  : Ref<Tensor>::share(&f.x());
  if (x->shape[0] == 0)
    fail(BP_INVALID_ARGUMENT, "Expected sequence length to be larger than 0 in RNN");
  Ref<Tensor> h0 = first_state(f, 1, *x, batched, n_states), c0;
  if (lstm) c0 = first_state(f, 2, *x, batched, n_states);
  std::vector<Ref<Tensor>> h, c;
  const size_t per = m.flag(kGated["bias"]) ? 4 : 2;
  const Cell cell = cell_of(m, kRnn["nonlinearity"]);
  for (int64_t l = 0, at = 0; l < m.i64(kGated["num_layers"]); ++l) {
    if (l) x = dropped(m, x, m.f64(kGated["dropout"]));
    std::vector<Ref<Tensor>> results;
    for (int64_t d = 0; d < directions; ++d, ++at) {
      const auto parameter = [&](size_t i) {
        return i < per ? m.needed_parameter(static_cast<size_t>(at) * per + i) : Ref<Tensor>{};
      };
      const Recurred made = recur({.cell = cell,
                                   .backwards = d == 1,
                                   .x = x,
                                   .weight_ih = parameter(0),
                                   .weight_hh = parameter(1),
                                   .bias_ih = parameter(2),
                                   .bias_hh = parameter(3),
                                   .h = select(*h0, 0, at),
                                   .c = lstm ? select(*c0, 0, at) : Ref<Tensor>{}});
      results.push_back(made.y), h.push_back(made.h), c.push_back(made.c);
    }
    x = directions == 1 ? results[0] : stacked(results, -1, BP_OP_CONCAT);
  }
  f.give(0, !batched                        ? squeeze(*x, Dims{1})
            : m.flag(kGated["batch_first"]) ? transpose(*x, 0, 1)
                                            : x);
  const auto last = [&](const std::vector<Ref<Tensor>>& states) {
    Ref<Tensor> all = stacked(states, 0, BP_OP_STACK);
    return batched ? all : squeeze(*all, Dims{1});
  };
  if (f.out.size() > 1) f.give(1, last(h));
  if (f.out.size() > 2) f.give(2, last(c));
}

std::string recurrent_extra(const Module& m) {
  std::string s = fmt::format("{}, {}", m.i64(kGated["input_size"]), m.i64(kGated["hidden_size"]));
  if (m.i64(kGated["num_layers"]) != 1)
    s += fmt::format(", num_layers={}", m.i64(kGated["num_layers"]));
  if (!m.flag(kGated["bias"])) s += ", bias=False";
  if (m.flag(kGated["batch_first"])) s += ", batch_first=True";
  if (m.f64(kGated["dropout"]) != 0) s += ", dropout=" + python_text(m.f64(kGated["dropout"]));
  if (m.flag(kGated["bidirectional"])) s += ", bidirectional=True";
  return s;
}

// ---- one step ----

void make_cell(Maker& k) {
  const int64_t hidden = k.m.i64(kGatedCell["hidden_size"]), rows = gates_of(k.m) * hidden;
  const auto add = [&](const char* name, Span shape) {
    init::bounded(k.parameter(name, shape), static_cast<double>(hidden));
  };
  add("weight_ih", Dims{rows, k.m.i64(kGatedCell["input_size"])});
  add("weight_hh", Dims{rows, hidden});
  for (const char* name : {"bias_ih", "bias_hh"})
    if (Tensor* b = k.optional_parameter(name, Dims{rows}, k.m.flag(kGatedCell["bias"])))
      init::bounded(*b, static_cast<double>(hidden));
}

// Returns the state that was given, [N, H], or zeros; that of one input without a batch has none.
Ref<Tensor> cell_state(const ForwardCall& f, size_t input, Tensor& x, bool batched) {
  const int64_t hidden = f.m.i64(kGatedCell["hidden_size"]);
  if (!f.has(input)) {
    Ref<Tensor> zeros = new_tensor(Dims{x.shape[0], hidden}, x.dtype, x.device());
    init::constant(*zeros, 0);
    return zeros;
  }
  if (f.x(input).rank() != 1 && f.x(input).rank() != 2)
    fail(BP_INVALID_ARGUMENT, "{}: Expected hidden to be 1D or 2D, got {}D instead", f.m.title,
         f.x(input).rank());
  Ref<Tensor> s = batched ? Ref<Tensor>::share(&f.x(input)) : unsqueeze(f.x(input), 0);
  if (s->shape[0] != x.shape[0])
    fail(BP_INVALID_ARGUMENT, "Input batch size {} doesn't match hidden{} batch size {}",
         x.shape[0], input - 1, s->shape[0]);
  if (s->rank() != 2 || s->shape[1] != hidden)
    fail(BP_INVALID_ARGUMENT, "hidden{} has inconsistent hidden_size: got {}, expected {}",
         input - 1, s->shape.back(), hidden);
  return s;
}

void cell_forward(ForwardCall& f) {
  const Module& m = f.m;
  const bool batched = f.x().rank() == 2, bias = m.flag(kGatedCell["bias"]);
  if (f.x().rank() != 1 && f.x().rank() != 2)
    fail(BP_INVALID_ARGUMENT, "{}: Expected input to be 1D or 2D, got {}D instead", m.title,
         f.x().rank());
  const Ref<Tensor> x = batched ? Ref<Tensor>::share(&f.x()) : unsqueeze(f.x(), 0);
  if (x->shape[1] != m.i64(kGatedCell["input_size"]))
    fail(BP_INVALID_ARGUMENT, "input has inconsistent input_size: got {} expected {}", x->shape[1],
         m.i64(kGatedCell["input_size"]));
  const Cell cell = cell_of(m, kRnnCell["nonlinearity"]);
  if (cell.gates == 1 && !cell.relu && m.str(kRnnCell["nonlinearity"]) != "tanh")
    fail(BP_INVALID_ARGUMENT, "Unknown nonlinearity: {}", m.str(kRnnCell["nonlinearity"]));
  const Step before{cell_state(f, 1, *x, batched),
                    is_lstm(m) ? cell_state(f, 2, *x, batched) : Ref<Tensor>{},
                    {}};
  const Ref<Tensor> none, of_input = bias ? m.needed_parameter(2) : none,
                          of_state = bias ? m.needed_parameter(3) : none;
  Step s;
  take_step(cell, linear(*x, *m.needed_parameter(0), of_input),
            linear(*before.h, *m.needed_parameter(1), cell.is_gru() ? none : of_state),
            cell.is_gru() ? of_state : none, before, s);
  f.give(0, batched ? s.h : squeeze(*s.h, Dims{0}));
  if (f.out.size() > 1) f.give(1, batched ? s.c : squeeze(*s.c, Dims{0}));
}

std::string cell_extra(const Module& m) {
  std::string s =
      fmt::format("{}, {}", m.i64(kGatedCell["input_size"]), m.i64(kGatedCell["hidden_size"]));
  if (!m.flag(kGatedCell["bias"])) s += ", bias=False";
  if (gates_of(m) == 1 && m.str(kRnnCell["nonlinearity"]) != "tanh")
    s += fmt::format(", nonlinearity={}", m.str(kRnnCell["nonlinearity"]));
  return s;
}

// clang-format off
constexpr ModuleKind kRecurrentKinds[] = {
    {.name = "rnn", .title = "RNN", .attrs = kRnn, .max_inputs = 2, .n_outputs = 2, .make = make_recurrent, .forward = recurrent_forward,
     .extra = recurrent_extra, .doc = "h = tanh(W_ih x + b_ih + W_hh h + b_hh) along a sequence. Inputs x, h0; results y, h."},
    {.name = "lstm", .title = "LSTM", .attrs = kGated, .max_inputs = 3, .n_outputs = 3, .make = make_recurrent, .forward = recurrent_forward,
     .extra = recurrent_extra, .doc = "Long short-term memory along a sequence. Inputs x, h0, c0; results y, h, c."},
    {.name = "gru", .title = "GRU", .attrs = kGated, .max_inputs = 2, .n_outputs = 2, .make = make_recurrent, .forward = recurrent_forward,
     .extra = recurrent_extra, .doc = "Gated recurrent units along a sequence. Inputs x, h0; results y, h."},
    {.name = "rnn_cell", .title = "RNNCell", .attrs = kRnnCell, .max_inputs = 2, .make = make_cell, .forward = cell_forward,
     .extra = cell_extra, .doc = "One step of an rnn: [N, input_size] or [input_size]. Inputs x, h; result h."},
    {.name = "lstm_cell", .title = "LSTMCell", .attrs = kGatedCell, .max_inputs = 3, .n_outputs = 2, .make = make_cell, .forward = cell_forward,
     .extra = cell_extra, .doc = "One step of an lstm: [N, input_size] or [input_size]. Inputs x, h, c; results h, c."},
    {.name = "gru_cell", .title = "GRUCell", .attrs = kGatedCell, .max_inputs = 2, .make = make_cell, .forward = cell_forward,
     .extra = cell_extra, .doc = "One step of a gru: [N, input_size] or [input_size]. Inputs x, h; result h."},
};
// clang-format on
}  // namespace

std::span<const ModuleKind> recurrent_kinds() { return kRecurrentKinds; }

}  // namespace bp::nn
