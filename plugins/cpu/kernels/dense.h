// SPDX-License-Identifier: Apache-2.0
// dense.h: dense loops from a functor, and the tables by dtype from which a launch picks its loops.
//
//   struct Add { template <class T> static T of(T a, T b) { return wrap_add(a, b); } };
//   constexpr Loops kAddI32 = binary_loops<Add, int32_t, int32_t>();
#pragma once
#include <type_traits>

#include "device/registry.h"
#include "driver/elementwise.h"
#include "driver/narrow.h"

namespace bp_cpu::BP_ISA {
namespace {

// One element, n times; T has its size. It is read before the first write: it may be y[0].
template <class T>
void repeat(void* out, const void* const* in, int64_t n) {
  T* y = static_cast<T*>(out);
  const T value = *static_cast<const T*>(in[0]);
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) y[i] = value;
}

template <class F, class In, class Out>
void unary_loop(void* out, const void* const* in, int64_t n) {
  Out* y = static_cast<Out*>(out);
  const In* x = static_cast<const In*>(in[0]);
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) y[i] = F::of(x[i]);
}

template <class F, class In, class Out, bool kOneA, bool kOneB>
void binary_loop(void* out, const void* const* in, int64_t n) {
  Out* y = static_cast<Out*>(out);
  const In* a = static_cast<const In*>(in[0]);
  const In* b = static_cast<const In*>(in[1]);
  // The lone element is read before the first write: it may be y[0].
  if constexpr (kOneA) {
    const In first = a[0];
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) y[i] = F::of(first, b[i]);
  } else if constexpr (kOneB) {
    const In second = b[0];
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) y[i] = F::of(a[i], second);
  } else {
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) y[i] = F::of(a[i], b[i]);
  }
}

// The last two of three operands may be one element.
template <class F, class T, bool kOneB, bool kOneC>
void ternary_loop(void* out, const void* const* in, int64_t n) {
  T* y = static_cast<T*>(out);
  const T* a = static_cast<const T*>(in[0]);
  const T* b = static_cast<const T*>(in[1]);
  const T* c = static_cast<const T*>(in[2]);
  const T second = b[0], third = c[0];  // read before the first write: they may be y[0]
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) y[i] = F::of(a[i], kOneB ? second : b[i], kOneC ? third : c[i]);
}

template <class F, class In, class Out = In>
constexpr Loops unary_loops() {
  return {.dense = {unary_loop<F, In, Out>}};
}
template <class F, class In, class Out = In>
constexpr Loops binary_loops() {
  return {.dense = {binary_loop<F, In, Out, false, false>, binary_loop<F, In, Out, true, false>,
                    binary_loop<F, In, Out, false, true>}};
}

template <class F, class T>
constexpr Loops ternary_loops() {
  return {.dense = {ternary_loop<F, T, false, false>, ternary_loop<F, T, true, false>,
                    ternary_loop<F, T, false, true>, ternary_loop<F, T, true, true>}};
}

// Loops over f32 that serve a narrow dtype.
constexpr Loops widened(Loops l, bp_dtype narrow, bool result) {
  l.load = narrow_loader(narrow);
  if (result) l.store = narrow_storer(narrow);
  return l;
}

struct Table {
  Loops by_dtype[BP_DTYPE_COUNT];
};

// Adds Make<T>::loops() for each dtype of a class; narrow ones use Make<float>. `result` says that
// the output has the input's dtype, not bool.
template <template <class> class Make>
constexpr void add_integers(Table& t) {
  each_type<kIntegers>([&](auto x, bp_dtype d) { t.by_dtype[d] = Make<decltype(x)>::loops(); });
}
constexpr void add_halves(Table& t, bool result) {
  each_type<kHalves>(
      [&](auto, bp_dtype d) { t.by_dtype[d] = widened(t.by_dtype[BP_F32], d, result); });
}
template <template <class> class Make>
constexpr void add_floats(Table& t, bool result) {
  t.by_dtype[BP_F32] = Make<float>::loops();
  t.by_dtype[BP_F64] = Make<double>::loops();
  add_halves(t, result);
}

// Unsigned arithmetic of at least 32 bits wraps where signed, or promoted 16-bit, arithmetic is
// undefined.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

}  // namespace
}  // namespace bp_cpu::BP_ISA
