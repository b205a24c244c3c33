// SPDX-License-Identifier: Apache-2.0
// recurrent.cu: steps of recurrent layers and their gradients. A thread makes one number of a state
// and all gates of it, which lie H apart.
#include "gpu/sigmoid.h"

namespace bp_gpu {
namespace {

// The operands of a step, whose states have `hidden` numbers each and n together.
template <class T>
struct Operands {
  using A = Calc<T>;
  const T* in[5];  // nullptr where the call lacks one
  T* out[3];
  int64_t n, hidden;
  bool relu;

  // Where the gates of a number begin, of which there are so many, `hidden` apart.
  GPU_FN int64_t first(int64_t at, int64_t gates) const {
    return at + at / hidden * (gates - 1) * hidden;
  }
  GPU_FN A read(int32_t i, int64_t at) const { return in[i] ? convert<A>(in[i][at]) : A(0); }
  GPU_FN void write(int32_t i, int64_t at, A x) const { out[i][at] = convert<T>(x); }
};

template <class A>
GPU_FN A sigmoid_slope(A y) {
  return y * (1 - y);
}
template <class A>
GPU_FN A tanh_slope(A y) {
  return 1 - y * y;
}

// Each has make(), which makes a number of the state that operand kState is like.
struct LstmGates {
  static constexpr int32_t kState = 2;
  template <class T>
  GPU_FN static void make(const Operands<T>& o, int64_t at) {
    const int64_t first = o.first(at, 4);
    Calc<T> gate[4];
    unrolled<4>([&](int32_t k) {
      const int64_t place = first + k * o.hidden;
      const Calc<T> x = o.read(0, place) + o.read(1, place);
      gate[k] = k == 2 ? tanh(x) : Sigmoid::of(x);
      o.write(2, place, gate[k]);
    });
    const Calc<T> next = gate[1] * o.read(2, at) + gate[0] * gate[2];
    o.write(0, at, gate[3] * tanh(next));
    o.write(1, at, next);
  }
};
struct LstmGatesGrad {
  static constexpr int32_t kState = 1;
  template <class T>
  GPU_FN static void make(const Operands<T>& o, int64_t at) {
    const int64_t first = o.first(at, 4);
    Calc<T> gate[4];
    unrolled<4>([&](int32_t k) { gate[k] = o.read(0, first + k * o.hidden); });
    const Calc<T> c = o.read(1, at), t = tanh(gate[1] * c + gate[0] * gate[2]),
                  of_h = o.read(2, at) + o.read(3, at),
                  of_next = of_h * gate[3] * tanh_slope(t) + o.read(4, at),
                  of_gate[4] = {of_next * gate[2], of_next * c, of_next * gate[0], of_h * t};
    unrolled<4>([&](int32_t k) {
      const Calc<T> slope = k == 2 ? tanh_slope(gate[k]) : sigmoid_slope(gate[k]);
      o.write(0, first + k * o.hidden, of_gate[k] * slope);
    });
    o.write(1, at, of_next * gate[1]);
  }
};

struct GruGates {
  static constexpr int32_t kState = 2;
  template <class T>
  GPU_FN static void make(const Operands<T>& o, int64_t at) {
    const int64_t place = o.first(at, 3), kept = o.first(at, 4), in_state = at % o.hidden;
    Calc<T> x[3], y[3];
    unrolled<3>([&](int32_t k) {
      x[k] = o.read(0, place + k * o.hidden);
      y[k] = o.read(1, place + k * o.hidden) + o.read(3, in_state + k * o.hidden);
    });
    const Calc<T> r = Sigmoid::of(x[0] + y[0]), z = Sigmoid::of(x[1] + y[1]),
                  fresh = tanh(x[2] + r * y[2]), gate[4] = {r, z, fresh, y[2]};
    o.write(0, at, fresh + z * (o.read(2, at) - fresh));
    unrolled<4>([&](int32_t k) { o.write(1, kept + k * o.hidden, gate[k]); });
  }
};
struct GruGatesGrad {
  static constexpr int32_t kState = 1;
  template <class T>
  GPU_FN static void make(const Operands<T>& o, int64_t at) {
    const int64_t place = o.first(at, 3), kept = o.first(at, 4);
    Calc<T> gate[4];
    unrolled<4>([&](int32_t k) { gate[k] = o.read(0, kept + k * o.hidden); });
    const Calc<T> r = gate[0], z = gate[1], fresh = gate[2],
                  of_h = o.read(2, at) + o.read(3, at) + o.read(4, at),
                  n = of_h * (1 - z) * tanh_slope(fresh),
                  before[3] = {n * gate[3] * sigmoid_slope(r),
                               of_h * (o.read(1, at) - fresh) * sigmoid_slope(z), n};
    unrolled<3>([&](int32_t k) {
      o.write(0, place + k * o.hidden, before[k]);
      o.write(1, place + k * o.hidden, k == 2 ? n * r : before[k]);
    });
    o.write(2, at, of_h * z);
  }
};

struct RnnGates {
  static constexpr int32_t kState = 0;
  template <class T>
  GPU_FN static void make(const Operands<T>& o, int64_t at) {
    const Calc<T> x = o.read(0, at) + o.read(1, at);
    o.write(0, at, o.relu ? (x < 0 ? 0 : x) : tanh(x));
  }
};
struct RnnGatesGrad {
  static constexpr int32_t kState = 0;
  template <class T>
  GPU_FN static void make(const Operands<T>& o, int64_t at) {
    const Calc<T> h = o.read(0, at), of_h = o.read(1, at) + o.read(2, at);
    o.write(0, at, o.relu ? (h > 0 ? of_h : 0) : of_h * tanh_slope(h));
  }
};

template <class Step, class T>
struct Steps {
  Operands<T> operands;
  GPU_FN void operator()(const Place& p) const {
    for (int64_t at = p.index(); at < operands.n; at += p.count()) Step::make(operands, at);
  }
};

template <class Step>
bp_status run(const bp_launch& l, bp_error** err) {
  const bp_arg& state = l.args[Step::kState];
  return with_type_of<kFloats>(l.args[0].dtype, [&](auto t) {
    using T = decltype(t);
    Operands<T> o{};
    for (uint32_t i = 0; i < l.n_in; ++i)
      if (l.args[i].kind == BP_ARG_TENSOR) o.in[i] = static_cast<const T*>(l.args[i].data);
    for (uint32_t i = 0; i < l.n_out; ++i) o.out[i] = static_cast<T*>(l.args[l.n_in + i].data);
    o.n = numel(state);
    o.hidden = state.shape[state.rank - 1];
    o.relu = l.n_attr && l.attrs[BP_ATTR_RNN_GATES_RELU].value.i64;
    return launch(l, cover(o.n), Steps<Step, T>{o}, err);
  });
}
template <class Step>
void add(Registry& r, uint32_t op) {
  r.add(op, kFloats, entry<run<Step>>, BP_KERNEL_CONTIGUOUS | BP_KERNEL_TAKES_NONE);
}

}  // namespace

void add_recurrent(Registry& r) {
  add<LstmGates>(r, BP_OP_LSTM_GATES);
  add<LstmGatesGrad>(r, BP_OP_LSTM_GATES_GRAD);
  add<GruGates>(r, BP_OP_GRU_GATES);
  add<GruGatesGrad>(r, BP_OP_GRU_GATES_GRAD);
  add<RnnGates>(r, BP_OP_RNN_GATES);
  add<RnnGatesGrad>(r, BP_OP_RNN_GATES_GRAD);
}

}  // namespace bp_gpu
