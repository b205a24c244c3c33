// SPDX-License-Identifier: Apache-2.0
// element.h: the C++ type of each dtype's elements, and the ways from a dtype to code for its type.
// Internal linkage throughout, as in number.h.
//
//   each_type<kReals>([&](auto t, bp_dtype d) { r.add(op, bit(d), run<decltype(t)>); });   // where kernels are registered
//   return with_type(l.args[0].dtype, [&](auto t) { return run_of<decltype(t)>(l, err); });   // in a call
#pragma once
#include "kit/number.h"

namespace bp_kit {

// For a dtype that is not here, nothing below compiles.
template <bp_dtype kDtype>
struct ElementOf;
#define BP_ELEMENT(dtype, type) \
  template <>                   \
  struct ElementOf<dtype> {     \
    using Type = type;          \
  };
BP_ELEMENT(BP_BOOL, Bool)
BP_ELEMENT(BP_U8, uint8_t)
BP_ELEMENT(BP_I8, int8_t)
BP_ELEMENT(BP_U16, uint16_t)
BP_ELEMENT(BP_I16, int16_t)
BP_ELEMENT(BP_U32, uint32_t)
BP_ELEMENT(BP_I32, int32_t)
BP_ELEMENT(BP_U64, uint64_t)
BP_ELEMENT(BP_I64, int64_t)
BP_ELEMENT(BP_F16, F16)
BP_ELEMENT(BP_BF16, BF16)
BP_ELEMENT(BP_F32, float)
BP_ELEMENT(BP_F64, double)
BP_ELEMENT(BP_C64, Complex<float>)
BP_ELEMENT(BP_C128, Complex<double>)
#undef BP_ELEMENT
template <bp_dtype kDtype>
using Element = typename ElementOf<kDtype>::Type;

#define BP_SIZE(name, value, text, brief, title, bytes, kind) sizeof(Element<BP_##name>),
constexpr int32_t kItemBytes[] = {BP_DTYPES(BP_SIZE)};
#undef BP_SIZE
#define BP_SIZE_IS_RIGHT(name, value, text, brief, title, bytes, kind) \
  static_assert(kItemBytes[value] == bytes);
BP_DTYPES(BP_SIZE_IS_RIGHT)
#undef BP_SIZE_IS_RIGHT

// Calls fn(T{}) for the dtype's type.
template <class F>
static constexpr auto with_type(bp_dtype d, const F& fn) {
  switch (d) {
#define BP_CASE(name, value, text, brief, title, bytes, kind) \
  case BP_##name: return fn(Element<BP_##name>{});
    BP_DTYPES(BP_CASE)
#undef BP_CASE
  }
  __builtin_unreachable();
}

// Calls fn(T{}, dtype) for each dtype of a mask; for others it is never instantiated.
template <uint64_t kMask, class F>
static constexpr void each_type(const F& fn) {
#define BP_CALL(name, value, text, brief, title, bytes, kind) \
  if constexpr ((kMask >> BP_##name) & 1) fn(Element<BP_##name>{}, BP_##name);
  BP_DTYPES(BP_CALL)
#undef BP_CALL
}

// Calls fn(T{}) for a type of that many bytes, for code that only moves elements.
template <class F>
static constexpr auto with_bytes(int64_t bytes, const F& fn) {
  switch (bytes) {
    case 1: return fn(uint8_t{});
    case 2: return fn(uint16_t{});
    case 4: return fn(uint32_t{});
    case 8: return fn(uint64_t{});
    default: return fn(Complex<double>{});
  }
}
template <class F>
static constexpr auto with_size(bp_dtype d, const F& fn) {
  return with_bytes(kItemBytes[d], fn);
}

static constexpr bool is_narrow(bp_dtype d) {
  return with_type(d, [](auto t) { return kIsNarrow<decltype(t)>; });
}
// The bits of a floating type's largest magnitude, infinity where there is one, above which are
// NaNs; 0 of other types.
template <class T>
static constexpr uint64_t largest_bits() {
  if constexpr (kIsNarrow<T>)
    return T::kLargest;
  else if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(std::numeric_limits<T>::infinity());
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(std::numeric_limits<T>::infinity());
  else
    return 0;
}
static constexpr uint64_t largest_bits(bp_dtype d) {
  return with_type(d, [](auto t) { return largest_bits<decltype(t)>(); });
}

// The type in which signed and unsigned words, which add and multiply alike, are computed.
template <class T>
struct WordOf {
  using Type = T;
};
template <class T>
requires std::is_integral_v<T>
struct WordOf<T> {
  using Type = std::make_unsigned_t<T>;
};
template <class T>
using Word = typename WordOf<T>::Type;

}  // namespace bp_kit
