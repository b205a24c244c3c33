// convert.h: one number of one dtype as another, the rules of the row `cast`: a float becomes an integer by truncation,
// NaN becomes 0, what is out of range saturates; integers wrap; anything but zero is true. Internal linkage throughout,
// because each instruction set compiles its own.
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

#include "half.h"

namespace bp_cpu {

// bool in memory: one byte that is 0 or 1.
struct Bool {
  uint8_t byte;
};
template <class T>
struct Complex {
  T re, im;
};
template <class T>
constexpr bool kIsComplex = false;
template <class T>
constexpr bool kIsComplex<Complex<T>> = true;

template <class To, class From>
static inline To convert(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (std::is_same_v<From, Bool>) {
    return convert<To>(static_cast<uint8_t>(x.byte != 0));
  } else if constexpr (std::is_same_v<From, F16> || std::is_same_v<From, BF16>) {
    return convert<To>(to_float(x));
  } else if constexpr (kIsComplex<From> && kIsComplex<To>) {
    return {static_cast<decltype(To::re)>(x.re), static_cast<decltype(To::re)>(x.im)};
  } else if constexpr (kIsComplex<From> && std::is_same_v<To, Bool>) {
    return {static_cast<uint8_t>(x.re != 0 || x.im != 0)};
  } else if constexpr (kIsComplex<From>) {
    return convert<To>(x.re);
  } else if constexpr (kIsComplex<To>) {
    return {convert<decltype(To::re)>(x), 0};
  } else if constexpr (std::is_same_v<To, Bool>) {
    return {static_cast<uint8_t>(x != 0)};
  } else if constexpr (std::is_same_v<To, F16> || std::is_same_v<To, BF16>) {
    To y;
    from_float(static_cast<float>(x), &y);
    return y;
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    // Both bounds are powers of two, or zero, and so exact in From; `below` is one past the largest.
    constexpr From low = static_cast<From>(std::numeric_limits<To>::min());
    constexpr From below = static_cast<From>(std::numeric_limits<To>::max() / 2 + 1) * 2;
    const bool fits = x > low - (low == 0 || sizeof(To) < 4 ? From{1} : From{0}) && x < below;
    const To inside = static_cast<To>(fits ? x : From{0});
    const To outside = x >= below ? std::numeric_limits<To>::max()
                       : x <= low ? std::numeric_limits<To>::min()
                                  : To{0};
    return fits ? inside : outside;
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace bp_cpu
