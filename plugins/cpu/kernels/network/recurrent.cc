// SPDX-License-Identifier: Apache-2.0
// recurrent.cc: steps of recurrent layers and their gradients. A register of a state's numbers is
// made with all gates of them, which lie H apart.
#include <math.h>

#include "device/parallel.h"
#include "device/registry.h"
#include "kernels/network/operands.h"
#include "kernels/reduction/registers.h"
#include "math/exponential.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kGrain = 4096;  // numbers of states that are worth a thread

[[maybe_unused]] inline float lib_exp(float x) { return expf(x); }
[[maybe_unused]] inline double lib_exp(double x) { return ::exp(x); }
[[maybe_unused]] inline float lib_tanh(float x) { return tanhf(x); }
[[maybe_unused]] inline double lib_tanh(double x) { return ::tanh(x); }

// Without fused multiply-add the library's function serves every lane (math/vector.h).
template <class A, class F>
HWY_INLINE Register<A> each_lane(Register<A> x, const F& fn) {
  HWY_ALIGN A lanes[kMaxLanes<A>];
  hn::Store(x, Tag<A>(), lanes);
  for (int64_t i = 0; i < register_lanes<A>(); ++i) lanes[i] = fn(lanes[i]);
  return hn::Load(Tag<A>(), lanes);
}
// Functions of their own, as a step wants five.
template <class A>
HWY_NOINLINE Register<A> sigmoid_of(Register<A> x) {
  if constexpr (kVectorMath) return sigmoid(Tag<A>(), x);
  return each_lane<A>(x, [](A v) {
    const A e = lib_exp(v < 0 ? v : -v);
    return (v < 0 ? e : A(1)) / (1 + e);
  });
}
template <class A>
HWY_NOINLINE Register<A> tanh_of(Register<A> x) {
  if constexpr (kVectorMath) return BP_ISA::tanh(Tag<A>(), x);
  return each_lane<A>(x, [](A v) { return lib_tanh(v); });
}
template <class A>
HWY_INLINE Register<A> less_from_one(Register<A> x) {
  return hn::Sub(hn::Set(Tag<A>(), A(1)), x);
}
template <class A>
HWY_INLINE Register<A> sigmoid_slope(Register<A> y) {
  return hn::Mul(y, less_from_one<A>(y));
}
template <class A>
HWY_INLINE Register<A> tanh_slope(Register<A> y) {
  return less_from_one<A>(hn::Mul(y, y));
}

// The operands of a step for one state of `hidden` numbers, of which `r` reads a register.
template <class T, class R>
struct Operands {
  using A = Calc<T>;
  const bp_launch& l;
  const R& r;
  int64_t state, hidden, at;

  // Gate k of so many.
  HWY_INLINE int64_t place(int64_t gates, int64_t k) const {
    return (state * gates + k) * hidden + at;
  }
  HWY_INLINE int64_t here() const { return place(1, 0); }
  // Returns zeros where the call lacks the operand.
  HWY_INLINE Register<A> read(int i, int64_t from) const {
    const T* p = data_of<T>(l.args[i]);
    return p ? load(p + from) : hn::Zero(Tag<A>());
  }
  HWY_INLINE void write(int i, int64_t to, Register<A> x) const {
    store(x, static_cast<T*>(l.args[l.n_in + static_cast<uint32_t>(i)].data) + to);
  }
  bool relu() const { return l.attrs[BP_ATTR_RNN_GATES_RELU].value.i64; }

 private:
  HWY_INLINE Register<A> load(const T* p) const {
    if constexpr (sizeof(T) == 2)
      return load_halves(p);
    else
      return r.load(p);
  }
  HWY_INLINE void store(Register<A> x, T* p) const {
    if constexpr (sizeof(T) == 2)
      store_halves(x, p);
    else
      r.store(x, p);
  }
  // Some of a register of halves are hundreds of instructions, and a step has twenty such places.
  HWY_NOINLINE Register<A> load_halves(const T* p) const { return r.load(p); }
  HWY_NOINLINE void store_halves(Register<A> x, T* p) const { r.store(x, p); }
};

// Each has make(), which makes a register of the state that operand kState is like.
struct LstmGates {
  static constexpr int kState = 2;
  template <class A, class O>
  static HWY_INLINE void make(const O& s) {
    const auto sum = [&](int64_t k) {
      return hn::Add(s.read(0, s.place(4, k)), s.read(1, s.place(4, k)));
    };
    const Register<A> i = sigmoid_of<A>(sum(0)), f = sigmoid_of<A>(sum(1)), g = tanh_of<A>(sum(2)),
                      o = sigmoid_of<A>(sum(3)),
                      next = hn::Add(hn::Mul(f, s.read(2, s.here())), hn::Mul(i, g));
    s.write(0, s.here(), hn::Mul(o, tanh_of<A>(next)));
    s.write(1, s.here(), next);
    s.write(2, s.place(4, 0), i);
    s.write(2, s.place(4, 1), f);
    s.write(2, s.place(4, 2), g);
    s.write(2, s.place(4, 3), o);
  }
};
struct LstmGatesGrad {
  static constexpr int kState = 1;
  template <class A, class O>
  static HWY_INLINE void make(const O& s) {
    const auto gate = [&](int64_t k) { return s.read(0, s.place(4, k)); };
    const Register<A> i = gate(0), f = gate(1), g = gate(2), o = gate(3), c = s.read(1, s.here()),
                      t = tanh_of<A>(hn::Add(hn::Mul(f, c), hn::Mul(i, g))),
                      of_h = hn::Add(s.read(2, s.here()), s.read(3, s.here())),
                      of_next =
                          hn::Add(hn::Mul(hn::Mul(of_h, o), tanh_slope<A>(t)), s.read(4, s.here()));
    s.write(0, s.place(4, 0), hn::Mul(hn::Mul(of_next, g), sigmoid_slope<A>(i)));
    s.write(0, s.place(4, 1), hn::Mul(hn::Mul(of_next, c), sigmoid_slope<A>(f)));
    s.write(0, s.place(4, 2), hn::Mul(hn::Mul(of_next, i), tanh_slope<A>(g)));
    s.write(0, s.place(4, 3), hn::Mul(hn::Mul(of_h, t), sigmoid_slope<A>(o)));
    s.write(1, s.here(), hn::Mul(of_next, f));
  }
};

struct GruGates {
  static constexpr int kState = 2;
  template <class A, class O>
  static HWY_INLINE void make(const O& s) {
    const auto x = [&](int64_t k) { return s.read(0, s.place(3, k)); };
    const auto y = [&](int64_t k) {
      return hn::Add(s.read(1, s.place(3, k)), s.read(3, k * s.hidden + s.at));
    };
    const Register<A> r = sigmoid_of<A>(hn::Add(x(0), y(0))),
                      z = sigmoid_of<A>(hn::Add(x(1), y(1))), hidden = y(2),
                      fresh = tanh_of<A>(hn::Add(x(2), hn::Mul(r, hidden)));
    s.write(0, s.here(), hn::Add(fresh, hn::Mul(z, hn::Sub(s.read(2, s.here()), fresh))));
    s.write(1, s.place(4, 0), r);
    s.write(1, s.place(4, 1), z);
    s.write(1, s.place(4, 2), fresh);
    s.write(1, s.place(4, 3), hidden);
  }
};
struct GruGatesGrad {
  static constexpr int kState = 1;
  template <class A, class O>
  static HWY_INLINE void make(const O& s) {
    const auto gate = [&](int64_t k) { return s.read(0, s.place(4, k)); };
    const auto given = [&](int i) { return s.read(i, s.here()); };
    const Register<A> r = gate(0), z = gate(1), fresh = gate(2),
                      of_h = hn::Add(hn::Add(given(2), given(3)), given(4)),
                      n = hn::Mul(hn::Mul(of_h, less_from_one<A>(z)), tanh_slope<A>(fresh)),
                      before_r = hn::Mul(hn::Mul(n, gate(3)), sigmoid_slope<A>(r)),
                      before_z =
                          hn::Mul(hn::Mul(of_h, hn::Sub(given(1), fresh)), sigmoid_slope<A>(z));
    for (const int out : {0, 1}) {
      s.write(out, s.place(3, 0), before_r);
      s.write(out, s.place(3, 1), before_z);
      s.write(out, s.place(3, 2), out ? hn::Mul(n, r) : n);
    }
    s.write(2, s.here(), hn::Mul(of_h, z));
  }
};

struct RnnGates {
  static constexpr int kState = 0;
  template <class A, class O>
  static HWY_INLINE void make(const O& s) {
    const Register<A> x = hn::Add(s.read(0, s.here()), s.read(1, s.here())),
                      zero = hn::Zero(Tag<A>());
    s.write(0, s.here(), s.relu() ? hn::IfThenElse(hn::Lt(x, zero), zero, x) : tanh_of<A>(x));
  }
};
struct RnnGatesGrad {
  static constexpr int kState = 0;
  template <class A, class O>
  static HWY_INLINE void make(const O& s) {
    const Register<A> h = s.read(0, s.here()),
                      of_h = hn::Add(s.read(1, s.here()), s.read(2, s.here()));
    s.write(0, s.here(),
            s.relu() ? hn::IfThenElseZero(hn::Gt(h, hn::Zero(Tag<A>())), of_h)
                     : hn::Mul(of_h, tanh_slope<A>(h)));
  }
};

template <class Step, class T>
HWY_NOINLINE void make_states(const bp_launch& l, int64_t hidden, int64_t begin, int64_t end) {
  using A = Calc<T>;
  for (int64_t state = begin; state < end; ++state)
    each_register<A>(hidden, [&](const auto& r, int64_t at) {
      using R = std::remove_cvref_t<decltype(r)>;
      Step::template make<A>(Operands<T, R>{l, r, state, hidden, at});
    });
}
template <class Step, class T>
bp_status run(const bp_launch* launch, bp_error**) {
  const bp_arg& like = launch->args[Step::kState];
  const int64_t hidden = like.shape[like.rank - 1], states = count_of(like) / hidden;
  parallel_for(states, kGrain / hidden + 1, [&](int64_t begin, int64_t end) {
    make_states<Step, T>(*launch, hidden, begin, end);
  });
  return BP_OK;
}
template <class Step>
void add(Registry& r, uint32_t op) {
  each_type<kFloats>([&](auto t, bp_dtype d) {
    r.add(op, bit(d), run<Step, decltype(t)>, BP_KERNEL_CONTIGUOUS | BP_KERNEL_TAKES_NONE);
  });
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

}  // namespace bp_cpu::BP_ISA
