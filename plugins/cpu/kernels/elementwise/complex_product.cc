// SPDX-License-Identifier: Apache-2.0
// complex_product.cc: a * b of complex numbers as they lie in memory, the parts of each beside one
// another. The formula, and so every bit, is that of kit/complex.h; complex/ has all else about
// such numbers.
#include <limits>
#include <type_traits>

#include "device/registry.h"
#include "kernels/dense.h"
#include "kernels/shuffles.h"
#include "kit/complex.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class V, int... I>
V real_twice(V z, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(z, z, (I & ~1)...);
}
template <class V, int... I>
V imaginary_twice(V z, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(z, z, (I | 1)...);
}
template <class V, int... I>
V swapped(V z, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(z, z, (I ^ 1)...);
}

// (a.re b.re - a.im b.im, a.re b.im + a.im b.re); what is subtracted is added with its sign turned.
template <class T>
typename Lanes<T>::V product(typename Lanes<T>::V a, typename Lanes<T>::V b) {
  using V = typename Lanes<T>::V;
  using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  typedef Bits Mask __attribute__((vector_size(sizeof(V))));
  constexpr LaneNumbers<T> kAll;
  const V straight = real_twice(a, kAll) * b, crossed = imaginary_twice(a, kAll) * swapped(b, kAll);
  Mask signs;
  for (int64_t i = 0; i < Lanes<T>::kCount; ++i)
    signs[i] = i % 2 ? 0 : std::numeric_limits<Bits>::min();
  return straight + (V)((Mask)crossed ^ signs);
}

template <class T, bool kOneA, bool kOneB>
void product_loop(void* out, const void* const* in, int64_t n) {
  using L = Lanes<T>;
  using V = typename L::V;
  constexpr int64_t kNumbers = L::kCount / 2;
  const auto load = [](const void* from, int64_t i) {
    return L::load(static_cast<const T*>(from) + 2 * i);
  };
  const auto repeat = [](const void* from) {
    V v;
    for (int64_t i = 0; i < L::kCount; ++i) v[i] = static_cast<const T*>(from)[i % 2];
    return v;
  };
  T* y = static_cast<T*>(out);
  const V first = repeat(in[0]), second = repeat(in[1]);
  int64_t i = 0;
  for (; i + kNumbers <= n; i += kNumbers)
    L::store(y + 2 * i,
             product<T>(kOneA ? first : load(in[0], i), kOneB ? second : load(in[1], i)));
  // The lone operand may have been overwritten.
  const Complex<T> one_a{first[0], first[1]}, one_b{second[0], second[1]};
  const auto *a = static_cast<const Complex<T>*>(in[0]), *b = static_cast<const Complex<T>*>(in[1]);
  for (; i < n; ++i)
    static_cast<Complex<T>*>(out)[i] = (kOneA ? one_a : a[i]) * (kOneB ? one_b : b[i]);
}

template <class T>
constexpr Loops kProduct{.dense = {product_loop<T, false, false>, product_loop<T, true, false>,
                                   product_loop<T, false, true>}};

bp_status run_product(const bp_launch* launch, bp_error**) {
  run_elementwise(*launch, launch->args[2].dtype == BP_C64 ? kProduct<float> : kProduct<double>);
  return BP_OK;
}

}  // namespace

void add_complex_product(Registry& r) { r.add(BP_OP_MUL, kComplex, run_product); }

}  // namespace bp_cpu::BP_ISA
