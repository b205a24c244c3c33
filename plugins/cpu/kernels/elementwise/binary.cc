// SPDX-License-Identifier: Apache-2.0
// binary.cc: a op b for arithmetic, extrema and bits. divide.cc and pow.cc have division and
// powers, compare.cc has predicates.
#include "device/registry.h"
#include "kernels/dense.h"

namespace bp_cpu::BP_ISA {
namespace {

struct Add {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    else
      return a + b;
  }
};
struct Sub {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
    else
      return a - b;
  }
};
struct Mul {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    else
      return a * b;
  }
};
// The comparison is false for a NaN in b, which is then taken; a NaN in a is tested for.
struct Maximum {
  template <class T>
  static T of(T a, T b) {
    return (a > b || a != a) ? a : b;
  }
};
struct Minimum {
  template <class T>
  static T of(T a, T b) {
    return (a < b || a != a) ? a : b;
  }
};
struct And {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
// A count that is negative or not below the width shifts everything out.
struct ShiftLeft {
  template <class T>
  static T of(T a, T b) {
    constexpr T kWidth = static_cast<T>(8 * sizeof(T));
    const bool inside = b >= 0 && b < kWidth;
    const auto shifted =
        static_cast<Wrapping<T>>(static_cast<Wrapping<T>>(a) << (inside ? b : T{0}));
    return inside ? static_cast<T>(shifted) : T{0};
  }
};
struct ShiftRight {
  template <class T>
  static T of(T a, T b) {
    constexpr T kWidth = static_cast<T>(8 * sizeof(T));
    const bool inside = b >= 0 && b < kWidth;
    if constexpr (std::is_unsigned_v<T>) return inside ? static_cast<T>(a >> b) : T{0};
    return static_cast<T>(a >> (inside ? b : static_cast<T>(kWidth - 1)));
  }
};
// Bools are bytes; they need not be 0 or 1 when they came from outside.
struct BoolOr {
  static Bool of(Bool a, Bool b) { return {static_cast<uint8_t>((a.byte | b.byte) != 0)}; }
};
struct BoolAnd {
  static Bool of(Bool a, Bool b) { return {static_cast<uint8_t>(a.byte != 0 && b.byte != 0)}; }
};
struct BoolXor {
  static Bool of(Bool a, Bool b) { return {static_cast<uint8_t>((a.byte != 0) != (b.byte != 0))}; }
};

template <class F>
struct Of {
  template <class T>
  struct Make {
    static constexpr Loops loops() { return binary_loops<F, T>(); }
  };
};

template <class F>
constexpr Table arithmetic() {
  Table t{};
  add_integers<Of<F>::template Make>(t);
  add_floats<Of<F>::template Make>(t, /*result=*/true);
  return t;
}
template <class F, class OfBool>
constexpr Table arithmetic_and_bool() {
  Table t = arithmetic<F>();
  t.by_dtype[BP_BOOL] = binary_loops<OfBool, Bool>();
  return t;
}
template <class F, class OfBool>
constexpr Table bits() {
  Table t{};
  t.by_dtype[BP_BOOL] = binary_loops<OfBool, Bool>();
  each_type<kIntegers>(
      [&](auto x, bp_dtype d) { t.by_dtype[d] = binary_loops<F, Word<decltype(x)>>(); });
  return t;
}

template <class F>
constexpr Table integers() {
  Table t{};
  add_integers<Of<F>::template Make>(t);
  return t;
}

constexpr Table kAdd = arithmetic_and_bool<Add, BoolOr>(),
                kMul = arithmetic_and_bool<Mul, BoolAnd>(), kSub = arithmetic<Sub>(),
                kMaximum = arithmetic_and_bool<Maximum, BoolOr>(),
                kMinimum = arithmetic_and_bool<Minimum, BoolAnd>(), kAnd = bits<And, BoolAnd>(),
                kOr = bits<Or, BoolOr>(), kXor = bits<Xor, BoolXor>(),
                kShiftLeft = integers<ShiftLeft>(), kShiftRight = integers<ShiftRight>();

template <const Table& kTable>
bp_status run(const bp_launch* launch, bp_error**) {
  run_elementwise(*launch, kTable.by_dtype[launch->args[0].dtype]);
  return BP_OK;
}

// Halves from memory to memory, for functions that take less time than the driver's blocks of f32.
template <class F, class H>
void narrow_loop(void* out, const void* const* in, int64_t n) {
  H* y = static_cast<H*>(out);
  const H *a = static_cast<const H*>(in[0]), *b = static_cast<const H*>(in[1]);
  int64_t done = 0;
#if defined(__F16C__)
  typedef float Eight __attribute__((vector_size(32)));
  if constexpr (std::is_same_v<H, F16>)
    for (; done + 8 <= n; done += 8) {
      const auto load = [&](const H* p) {
        return (Eight)_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p + done)));
      };
      _mm_storeu_si128(reinterpret_cast<__m128i*>(y + done),
                       _mm256_cvtps_ph((__m256)F::of(load(a), load(b)), _MM_FROUND_TO_NEAREST_INT));
    }
#endif
#pragma omp simd
  for (int64_t i = done; i < n; ++i) from_float(F::of(to_float(a[i]), to_float(b[i])), &y[i]);
}

// Of two tensors of halves. A number is not rounded to halves first, which the driver sees to.
template <const Table& kTable, class F>
bp_status run_arithmetic(const bp_launch* launch, bp_error** err) {
  const bp_arg &a = launch->args[0], &b = launch->args[1];
  if (!(kHalves & bit(a.dtype)) || a.kind != BP_ARG_TENSOR || b.kind != BP_ARG_TENSOR)
    return run<kTable>(launch, err);
  static constexpr Loops kF16{.dense = {narrow_loop<F, F16>}},
      kBF16{.dense = {narrow_loop<F, BF16>}};
  run_elementwise(*launch, a.dtype == BP_F16 ? kF16 : kBF16);
  return BP_OK;
}

}  // namespace

void add_binary(Registry& r) {
  constexpr uint64_t kWithBool = kReals | bit(BP_BOOL);
  r.add(BP_OP_ADD, kWithBool, run_arithmetic<kAdd, Add>);
  r.add(BP_OP_SUB, kReals, run_arithmetic<kSub, Sub>);
  r.add(BP_OP_MUL, kWithBool, run_arithmetic<kMul, Mul>);
  r.add(BP_OP_MAXIMUM, kWithBool, run<kMaximum>);
  r.add(BP_OP_MINIMUM, kWithBool, run<kMinimum>);
  r.add(BP_OP_BITWISE_AND, kIntegers | bit(BP_BOOL), run<kAnd>);
  r.add(BP_OP_BITWISE_OR, kIntegers | bit(BP_BOOL), run<kOr>);
  r.add(BP_OP_BITWISE_XOR, kIntegers | bit(BP_BOOL), run<kXor>);
  r.add(BP_OP_BITWISE_LEFT_SHIFT, kIntegers, run<kShiftLeft>);
  r.add(BP_OP_BITWISE_RIGHT_SHIFT, kIntegers, run<kShiftRight>);
}

}  // namespace bp_cpu::BP_ISA
