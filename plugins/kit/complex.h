// SPDX-License-Identifier: Apache-2.0
// complex.h: arithmetic of complex numbers, for every backend: one text, so that all agree.
// Products are the textbook's, without recovery of infinities, as in NumPy and PyTorch; quotients
// are C's (Annex G, example 2): nothing overflows on the way, and infinities and zeros divide as
// one expects. Internal linkage and constexpr for the reasons in number.h.
#pragma once
#include <math.h>

#include "kit/number.h"

namespace bp_kit {

template <class T>
static constexpr Complex<double> widened(Complex<T> z) {
  return {static_cast<double>(z.re), static_cast<double>(z.im)};
}
template <class T>
static constexpr Complex<T> rounded(Complex<double> z) {
  return {static_cast<T>(z.re), static_cast<T>(z.im)};
}

template <class T>
static constexpr Complex<T> operator-(Complex<T> z) {
  return {-z.re, -z.im};
}
template <class T>
static constexpr Complex<T> operator+(Complex<T> a, Complex<T> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
static constexpr Complex<T> operator-(Complex<T> a, Complex<T> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T>
static constexpr Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
static constexpr bool operator==(Complex<T> a, Complex<T> b) {
  return a.re == b.re && a.im == b.im;
}
template <class T>
static constexpr Complex<T> conjugate(Complex<T> z) {
  return {z.re, -z.im};
}
template <class T>
static constexpr bool has_nan(Complex<T> z) {
  return z.re != z.re || z.im != z.im;
}
template <class T>
static constexpr bool has_infinity(Complex<T> z) {
  return isinf(z.re) || isinf(z.im);
}

// f32's squares neither overflow nor vanish in f64.
template <class T>
static constexpr T modulus(Complex<T> z) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return hypot(z.re, z.im);
  } else {
    const double x = static_cast<double>(z.re), y = static_cast<double>(z.im);
    return isinf(z.re) || isinf(z.im) ? static_cast<T>(INFINITY)
                                      : static_cast<T>(sqrt(x * x + y * y));
  }
}
template <class T>
static constexpr T argument(Complex<T> z) {
  return static_cast<T>(atan2(static_cast<double>(z.im), static_cast<double>(z.re)));
}

// A power of two near the larger part; 0 for zero, infinity and NaN.
template <class T>
static constexpr int scale_of(Complex<T> z) {
  const T m = fmax(fabs(z.re), fabs(z.im));
  return m > 0 && isfinite(m) ? ilogb(m) : 0;
}
template <class T>
static constexpr Complex<T> scaled(Complex<T> z, int by) {
  return {ldexp(z.re, by), ldexp(z.im, by)};
}

// The corner of the unit box that an infinite number lies towards.
template <class T>
static constexpr Complex<T> corner(Complex<T> z) {
  return {copysign(isinf(z.re) ? T{1} : T{0}, z.re), copysign(isinf(z.im) ? T{1} : T{0}, z.im)};
}

// Where both parts of a quotient came out as NaN: infinities and a zero divisor.
template <class T>
static constexpr Complex<T> recovered(Complex<T> a, Complex<T> b, Complex<T> q) {
  const T infinity = static_cast<T>(INFINITY);
  if (b.re == 0 && b.im == 0)
    return {copysign(infinity, b.re) * a.re, copysign(infinity, b.re) * a.im};
  if (has_infinity(a) && isfinite(b.re) && isfinite(b.im)) {
    const Complex<T> u = corner(a) * conjugate(b);
    return {infinity * u.re, infinity * u.im};
  }
  if (has_infinity(b) && isfinite(a.re) && isfinite(a.im)) {
    const Complex<T> u = a * conjugate(corner(b));
    return {0 * u.re, 0 * u.im};
  }
  return q;
}

template <class T>
static constexpr Complex<T> quotient(Complex<T> a, Complex<T> b) {
  const int up = scale_of(a), down = scale_of(b);
  const Complex<T> x = scaled(a, -up), y = scaled(b, -down);
  const T square = y.re * y.re + y.im * y.im;
  const Complex<T> q{(x.re * y.re + x.im * y.im) / square, (x.im * y.re - x.re * y.im) / square};
  return q.re != q.re && q.im != q.im ? recovered(a, b, q) : scaled(q, up - down);
}

template <class T>
static constexpr Complex<T> operator/(Complex<T> a, Complex<T> b) {
  return rounded<T>(quotient(widened(a), widened(b)));
}

}  // namespace bp_kit
