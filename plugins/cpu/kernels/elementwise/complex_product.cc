// SPDX-License-Identifier: Apache-2.0
// complex_product.cc: a * b of complex numbers, in vectors of real and of imaginary parts. The
// formula, and so every bit, is that of kit/complex.h; complex/ has all else about such numbers.
#include "device/registry.h"
#include "kernels/dense.h"
#include "kernels/shuffles.h"
#include "kit/complex.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class T, bool kOneA, bool kOneB>
void product_loop(void* out, const void* const* in, int64_t n) {
  using L = Lanes<T>;
  using V = typename L::V;
  struct Numbers {
    V re, im;
  };
  const auto load = [](const void* from, int64_t i) -> Numbers {
    const T* p = static_cast<const T*>(from) + 2 * i;
    const V low = L::load(p), high = L::load(p + L::kCount);
    return {even_lanes<T>(low, high), odd_lanes<T>(low, high)};
  };
  const auto repeat = [](const void* from) -> Numbers {
    const T* p = static_cast<const T*>(from);
    return {L::set(p[0]), L::set(p[1])};
  };
  T* y = static_cast<T*>(out);
  const Numbers first = repeat(in[0]), second = repeat(in[1]);
  int64_t i = 0;
  for (; i + L::kCount <= n; i += L::kCount) {
    const Numbers a = kOneA ? first : load(in[0], i), b = kOneB ? second : load(in[1], i);
    const V re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re;
    L::store(y + 2 * i, zip_lower<T>(re, im));
    L::store(y + 2 * i + L::kCount, zip_upper<T>(re, im));
  }
  // The lone operand may have been overwritten.
  const Complex<T> one_a{first.re[0], first.im[0]}, one_b{second.re[0], second.im[0]};
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
