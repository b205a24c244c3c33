// SPDX-License-Identifier: Apache-2.0
// shuffles.h: of the lanes of two vectors, one after the other, every second one, or one of each
// vector in turn. Complex numbers, whose parts are neighbours, become vectors of parts and back.
//
//   const auto re = even_lanes<float>(low, high), im = odd_lanes<float>(low, high);
//   low = zip_lower<float>(re, im), high = zip_upper<float>(re, im);
#pragma once
#include <utility>

#include "kernels/lanes.h"

namespace bp_cpu::BP_ISA {

template <class V, int... I>
inline V even_lanes(V a, V b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, (2 * I)...);
}
template <class V, int... I>
inline V odd_lanes(V a, V b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, (2 * I + 1)...);
}
template <class V, int... I>
inline V zip_lower(V a, V b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, (I / 2 + I % 2 * static_cast<int>(sizeof...(I)))...);
}
template <class V, int... I>
inline V zip_upper(V a, V b, std::integer_sequence<int, I...>) {
  constexpr int kCount = sizeof...(I);
  return __builtin_shufflevector(a, b, (kCount / 2 + I / 2 + I % 2 * kCount)...);
}
template <class T>
using LaneNumbers = std::make_integer_sequence<int, static_cast<int>(Lanes<T>::kCount)>;

template <class T>
inline typename Lanes<T>::V even_lanes(typename Lanes<T>::V a, typename Lanes<T>::V b) {
  return even_lanes(a, b, LaneNumbers<T>());
}
template <class T>
inline typename Lanes<T>::V odd_lanes(typename Lanes<T>::V a, typename Lanes<T>::V b) {
  return odd_lanes(a, b, LaneNumbers<T>());
}
template <class T>
inline typename Lanes<T>::V zip_lower(typename Lanes<T>::V a, typename Lanes<T>::V b) {
  return zip_lower(a, b, LaneNumbers<T>());
}
template <class T>
inline typename Lanes<T>::V zip_upper(typename Lanes<T>::V a, typename Lanes<T>::V b) {
  return zip_upper(a, b, LaneNumbers<T>());
}

}  // namespace bp_cpu::BP_ISA
