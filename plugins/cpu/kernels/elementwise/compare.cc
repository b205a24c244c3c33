// SPDX-License-Identifier: Apache-2.0
// compare.cc: predicates of two operands; the result is bool.
#include "device/registry.h"
#include "kernels/dense.h"

namespace bp_cpu::BP_ISA {
namespace {

Bool truth(bool x) { return {static_cast<uint8_t>(x)}; }

// A Bool compares as 0 or 1; any byte other than 0 counts as 1.
template <class T>
auto plain(T x) {
  if constexpr (std::is_same_v<T, Bool>)
    return static_cast<uint8_t>(x.byte != 0);
  else
    return x;
}

struct Eq {
  template <class T>
  static Bool of(T a, T b) {
    if constexpr (kIsComplex<T>)
      return truth(a.re == b.re && a.im == b.im);
    else
      return truth(plain(a) == plain(b));
  }
};
struct Ne {
  template <class T>
  static Bool of(T a, T b) {
    return truth(!Eq::of(a, b).byte);
  }
};
struct Lt {
  template <class T>
  static Bool of(T a, T b) {
    return truth(plain(a) < plain(b));
  }
};
struct Le {
  template <class T>
  static Bool of(T a, T b) {
    return truth(plain(a) <= plain(b));
  }
};
struct Gt {
  template <class T>
  static Bool of(T a, T b) {
    return truth(plain(a) > plain(b));
  }
};
struct Ge {
  template <class T>
  static Bool of(T a, T b) {
    return truth(plain(a) >= plain(b));
  }
};
struct LogicalAnd {
  template <class T>
  static Bool of(T a, T b) {
    return truth(plain(a) != 0 && plain(b) != 0);
  }
};
struct LogicalOr {
  template <class T>
  static Bool of(T a, T b) {
    return truth(plain(a) != 0 || plain(b) != 0);
  }
};
struct LogicalXor {
  template <class T>
  static Bool of(T a, T b) {
    return truth((plain(a) != 0) != (plain(b) != 0));
  }
};

template <class F>
struct Of {
  template <class T>
  struct Make {
    static constexpr Loops loops() { return binary_loops<F, T, Bool>(); }
  };
};

template <class F>
constexpr Table ordered() {
  Table t{};
  t.by_dtype[BP_BOOL] = binary_loops<F, Bool, Bool>();
  add_integers<Of<F>::template Make>(t);
  add_floats<Of<F>::template Make>(t, /*result=*/false);
  return t;
}
template <class F>
constexpr Table equality() {
  Table t = ordered<F>();
  t.by_dtype[BP_C64] = binary_loops<F, Complex<float>, Bool>();
  t.by_dtype[BP_C128] = binary_loops<F, Complex<double>, Bool>();
  return t;
}

constexpr Table kEq = equality<Eq>(), kNe = equality<Ne>(), kLt = ordered<Lt>(),
                kLe = ordered<Le>(), kGt = ordered<Gt>(), kGe = ordered<Ge>(),
                kAnd = ordered<LogicalAnd>(), kOr = ordered<LogicalOr>(),
                kXor = ordered<LogicalXor>();

template <const Table& kTable>
bp_status run(const bp_launch* launch, bp_error**) {
  run_elementwise(*launch, kTable.by_dtype[launch->args[0].dtype]);
  return BP_OK;
}

}  // namespace

void add_compare(Registry& r) {
  constexpr uint64_t kOrdered = kReals | bit(BP_BOOL);
  r.add(BP_OP_EQ, kArithmetic, run<kEq>);
  r.add(BP_OP_NE, kArithmetic, run<kNe>);
  r.add(BP_OP_LT, kOrdered, run<kLt>);
  r.add(BP_OP_LE, kOrdered, run<kLe>);
  r.add(BP_OP_GT, kOrdered, run<kGt>);
  r.add(BP_OP_GE, kOrdered, run<kGe>);
  r.add(BP_OP_LOGICAL_AND, kOrdered, run<kAnd>);
  r.add(BP_OP_LOGICAL_OR, kOrdered, run<kOr>);
  r.add(BP_OP_LOGICAL_XOR, kOrdered, run<kXor>);
}

}  // namespace bp_cpu::BP_ISA
