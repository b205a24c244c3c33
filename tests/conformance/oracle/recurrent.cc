// SPDX-License-Identifier: Apache-2.0
// Steps of recurrent layers, a number of the state after the other.
#include <cmath>

#include "oracle/oracle.h"

namespace conformance {
namespace recurrent_specs {
namespace {

Real sigmoid(Real x) { return 1 / (1 + std::exp(-x)); }

// The operands of a step, whose state is like operand `state`, and its results.
struct Cell {
  const Call& call;
  size_t hidden, n;
  Answer answer{};

  Cell(const Call& c, size_t state) : call(c) {
    const Array& like = c.in[state].array;
    hidden = static_cast<size_t>(like.shape.back());
    n = like.size();
  }
  // Adds a result of so many gates.
  void result(int64_t gates, bp_dtype t, Shape shape) {
    shape.back() *= gates;
    const auto size = static_cast<size_t>(count_of(shape));
    answer.push_back({Array{t, shape, std::vector<Real>(size), {}}, std::vector<Real>(size), true});
  }
  // Where gate k of number i is, of so many.
  size_t at(size_t i, size_t gates, size_t k) const {
    return (i / hidden * gates + k) * hidden + i % hidden;
  }
  Real in(size_t operand, size_t place) const {
    const Operand& x = call.in[operand];
    return x.is_none() ? 0 : x.array.re[place];
  }
  void give(size_t out, size_t place, Real value, Real scale) {
    answer[out].array.re[place] = value;
    answer[out].scale[place] = scale;
  }
};

Answer lstm(const Call& call) {
  Cell s(call, 2);
  const Array& c = call.in[2].array;
  for (const int64_t gates : {1, 1, 4}) s.result(gates, c.dtype, c.shape);
  for (size_t i = 0; i < s.n; ++i) {
    Real gate[4];
    for (size_t k = 0; k < 4; ++k) {
      const size_t at = s.at(i, 4, k);
      const Real x = s.in(0, at) + s.in(1, at);
      gate[k] = k == 2 ? std::tanh(x) : sigmoid(x);
      s.give(2, at, gate[k], std::fabs(gate[k]) * (1 + std::fabs(x)));
    }
    const Real next = gate[1] * c.re[i] + gate[0] * gate[2], size = (std::fabs(c.re[i]) + 1) * 8;
    s.give(0, i, gate[3] * std::tanh(next), size);
    s.give(1, i, next, size);
  }
  return s.answer;
}
Answer lstm_grad(const Call& call) {
  Cell s(call, 1);
  const Array& c = call.in[1].array;
  for (const int64_t gates : {4, 1}) s.result(gates, c.dtype, c.shape);
  for (size_t n = 0; n < s.n; ++n) {
    const Real i = s.in(0, s.at(n, 4, 0)), f = s.in(0, s.at(n, 4, 1)), g = s.in(0, s.at(n, 4, 2)),
               o = s.in(0, s.at(n, 4, 3)), t = std::tanh(f * c.re[n] + i * g),
               of_h = s.in(2, n) + s.in(3, n), of_next = of_h * o * (1 - t * t) + s.in(4, n);
    const Real gates[] = {of_next * g * i * (1 - i), of_next * c.re[n] * f * (1 - f),
                          of_next * i * (1 - g * g), of_h * t * o * (1 - o)};
    const Real most = std::fabs(s.in(2, n)) + std::fabs(s.in(3, n)),
               total = most * (1 + std::fabs(o)) + std::fabs(s.in(4, n)),
               inside = 1 + std::fabs(f * c.re[n]) + std::fabs(i * g);
    const Real square =
        (1 + i * i) * (1 + f * f) * (1 + g * g) * (1 + o * o) * (1 + std::fabs(c.re[n]));
    for (size_t k = 0; k < 4; ++k) s.give(0, s.at(n, 4, k), gates[k], total * square * inside);
    s.give(1, n, of_next * f, total * (1 + std::fabs(f)) * inside);
  }
  return s.answer;
}
Answer gru(const Call& call) {
  Cell s(call, 2);
  const Array& h = call.in[2].array;
  for (const int64_t gates : {1, 4}) s.result(gates, h.dtype, h.shape);
  for (size_t i = 0; i < s.n; ++i) {
    Real x[3], y[3], size[3];
    for (size_t k = 0; k < 3; ++k) {
      const Real bias = s.in(3, i % s.hidden + k * s.hidden);
      x[k] = s.in(0, s.at(i, 3, k));
      y[k] = s.in(1, s.at(i, 3, k)) + bias;
      size[k] = 1 + std::fabs(x[k]) + std::fabs(y[k]) + std::fabs(bias);
    }
    const Real r = sigmoid(x[0] + y[0]), z = sigmoid(x[1] + y[1]), n = std::tanh(x[2] + r * y[2]),
               all = size[0] * size[1] * size[2];
    s.give(0, i, n + z * (h.re[i] - n), all * (1 + std::fabs(h.re[i])));
    s.give(1, s.at(i, 4, 0), r, r * size[0]);
    s.give(1, s.at(i, 4, 1), z, z * size[1]);
    s.give(1, s.at(i, 4, 2), n, all);
    s.give(1, s.at(i, 4, 3), y[2], size[2]);
  }
  return s.answer;
}
Answer gru_grad(const Call& call) {
  Cell s(call, 1);
  const Array& h = call.in[1].array;
  for (const int64_t gates : {3, 3, 1}) s.result(gates, h.dtype, h.shape);
  for (size_t i = 0; i < s.n; ++i) {
    const Real r = s.in(0, s.at(i, 4, 0)), z = s.in(0, s.at(i, 4, 1)), n = s.in(0, s.at(i, 4, 2)),
               y = s.in(0, s.at(i, 4, 3)), of_h = s.in(2, i) + s.in(3, i) + s.in(4, i);
    const Real of_n = of_h * (1 - z) * (1 - n * n), of_r = of_n * y * r * (1 - r),
               of_z = of_h * (h.re[i] - n) * z * (1 - z);
    const Real most = (std::fabs(s.in(2, i)) + std::fabs(s.in(3, i)) + std::fabs(s.in(4, i))) *
                      (1 + r * r) * (1 + z * z) * (1 + n * n) * (1 + std::fabs(y)) *
                      (1 + std::fabs(h.re[i]));
    for (const size_t out : {size_t{0}, size_t{1}}) {
      s.give(out, s.at(i, 3, 0), of_r, most);
      s.give(out, s.at(i, 3, 1), of_z, most);
      s.give(out, s.at(i, 3, 2), out ? of_n * r : of_n, most);
    }
    s.give(2, i, of_h * z, most);
  }
  return s.answer;
}
Answer rnn(const Call& call) {
  Cell s(call, 0);
  s.result(1, call.in[0].array.dtype, call.in[0].array.shape);
  for (size_t i = 0; i < s.n; ++i) {
    const Real x = s.in(0, i) + s.in(1, i),
               h = call.i64("relu", 0) ? std::fmax(x, Real{0}) : std::tanh(x);
    s.give(0, i, h, std::fabs(s.in(0, i)) + std::fabs(s.in(1, i)));
  }
  return s.answer;
}
Answer rnn_grad(const Call& call) {
  Cell s(call, 0);
  s.result(1, call.in[0].array.dtype, call.in[0].array.shape);
  for (size_t i = 0; i < s.n; ++i) {
    const Real h = s.in(0, i), slope = call.i64("relu", 0) ? Real(h > 0) : 1 - h * h;
    s.give(0, i, (s.in(1, i) + s.in(2, i)) * slope,
           (std::fabs(s.in(1, i)) + std::fabs(s.in(2, i))) * (1 + h * h));
  }
  return s.answer;
}

constexpr Spec kSpecs[] = {
    {"lstm_gates", Family::kComposed, kFloats, lstm},
    {"lstm_gates_grad", Family::kComposed, kFloats, lstm_grad},
    {"gru_gates", Family::kComposed, kFloats, gru},
    {"gru_gates_grad", Family::kComposed, kFloats, gru_grad},
    {"rnn_gates", Family::kComposed, kFloats, rnn},
    {"rnn_gates_grad", Family::kComposed, kFloats, rnn_grad},
};

}  // namespace
}  // namespace recurrent_specs

std::span<const Spec> recurrent_oracles() { return recurrent_specs::kSpecs; }

}  // namespace conformance
