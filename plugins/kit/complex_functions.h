// SPDX-License-Identifier: Apache-2.0
// complex_functions.h: elementary functions of complex numbers, for every backend. They compute in
// f64 whatever the dtype, so that c64 results are rounded once; errors are a few units of the
// modulus of the result. Branch cuts and special values are those of C (C17, Annex G), which the
// array API standard quotes.
//
// Sources: Kahan, "Branch cuts for complex elementary functions" (1987), for sqrt and tanh; Hull,
// Fairgrieve and Tang, "Implementing the complex arcsine and arccosine functions using exception
// handling" (TOMS 23, 1997). Compile without contraction: log takes rounding errors apart.
#pragma once
#include "kit/complex.h"

namespace bp_kit {

template <class T>
constexpr T kPiOf = static_cast<T>(3.14159265358979323846);
template <class T>
constexpr T kLn2Of = static_cast<T>(0.69314718055994530942);
template <class T>
constexpr T kLn10Of = static_cast<T>(2.30258509299404568402);

// i z and -i z: how the circular functions are had from the hyperbolic ones.
template <class T>
static constexpr Complex<T> turned(Complex<T> z) {
  return {-z.im, z.re};
}
template <class T>
static constexpr Complex<T> turned_back(Complex<T> z) {
  return {z.im, -z.re};
}

// ---- exp, log, sqrt ----

// e^x * v * by, where `by` is a power of two, also where e^x alone is too large.
template <class T>
static constexpr T exp_times(T x, T v, T by = T{1}) {
  if (x < T{709}) return exp(x) * v * by;
  const T half = exp(x / 2);
  return half * by * v * half;
}

template <class T>
static constexpr Complex<T> complex_exp(Complex<T> z) {
  if (z.im == 0) return {exp(z.re), z.im};
  if (isfinite(z.im)) return {exp_times(z.re, cos(z.im)), exp_times(z.re, sin(z.im))};
  if (isinf(z.re)) {
    if (z.re < 0) return {0, copysign(T{0}, z.im)};
    return {z.re, z.im - z.im};
  }
  return {z.im - z.im, z.im - z.im};
}

template <class T>
static constexpr Complex<T> complex_expm1(Complex<T> z) {
  if (z.im == 0) return {expm1(z.re) + T{0}, z.im};  // +0 of -0, as complex_exp(z) - 1 has it
  if (!isfinite(z.im) || z.re > T{700}) {
    const Complex<T> e = complex_exp(z);
    return {e.re - 1, e.im};
  }
  const T half = sin(z.im / 2);
  return {expm1(z.re) * cos(z.im) - 2 * half * half, exp(z.re) * sin(z.im)};
}

// large^2 + small^2 - 1 for 1/2 <= large <= 2; the rounding errors of every step are added at last.
template <class T>
static constexpr T square_less_one(T large, T small) {
  const T p = large * large, q = small * small;
  const T lost = fma(large, large, -p) + fma(small, small, -q);
  const T t = p - 1, back = t - p, lost_here = (p - (t - back)) + (-1 - back);
  const T sum = t + q, part = sum - t;
  return sum + ((t - (sum - part)) + (q - part) + lost_here + lost);
}

template <class T>
static constexpr T log_modulus(Complex<T> z) {
  if (has_infinity(z)) return static_cast<T>(INFINITY);
  const T a = fabs(z.re), b = fabs(z.im);
  const T large = a > b ? a : b, small = a > b ? b : a;
  if (large >= T{0.5} && large <= T{2}) return log1p(square_less_one(large, small)) / 2;
  const int k = scale_of(z);
  if (k < 500 && k > -500) return log(hypot(a, b));
  const Complex<T> s = scaled(z, -k);
  return log(hypot(s.re, s.im)) + static_cast<T>(k) * kLn2Of<T>;
}

template <class T>
static constexpr Complex<T> complex_log(Complex<T> z) {
  return {log_modulus(z), atan2(z.im, z.re)};
}
template <class T>
static constexpr Complex<T> complex_log2(Complex<T> z) {
  const Complex<T> w = complex_log(z);
  return {w.re / kLn2Of<T>, w.im / kLn2Of<T>};
}
template <class T>
static constexpr Complex<T> complex_log10(Complex<T> z) {
  const Complex<T> w = complex_log(z);
  return {w.re / kLn10Of<T>, w.im / kLn10Of<T>};
}
template <class T>
static constexpr Complex<T> complex_log1p(Complex<T> z) {
  const T x = z.re, y = z.im;
  if (!(fabs(x) < T{0.5} && fabs(y) < T{0.5})) return complex_log(Complex<T>{1 + x, y});
  return {y == 0 ? log1p(x) : log1p(2 * x + (x * x + y * y)) / 2, atan2(y, 1 + x)};
}

template <class T>
static constexpr Complex<T> complex_sqrt(Complex<T> z) {
  if (z.re == 0 && z.im == 0) return {0, z.im};
  if (isinf(z.im)) return {fabs(z.im), z.im};
  if (z.re != z.re) return {z.re, z.re};
  if (isinf(z.re)) {
    const bool lost = z.im != z.im;
    if (z.re > 0) return {z.re, lost ? z.im : copysign(T{0}, z.im)};
    return {lost ? z.im : T{0}, copysign(z.re, z.im)};
  }
  const int k = scale_of(z) / 2 * 2;
  const Complex<T> s = scaled(z, -k);
  const T t = sqrt((fabs(s.re) + hypot(s.re, s.im)) / 2), other = s.im / (2 * t);
  const Complex<T> w =
      s.re >= 0 ? Complex<T>{t, other} : Complex<T>{fabs(other), copysign(t, s.im)};
  return scaled(w, k / 2);
}

// ---- hyperbolic and circular ----

template <class T>
static constexpr Complex<T> complex_cosh(Complex<T> z) {
  const T x = z.re, y = z.im;
  if (y == 0) return {cosh(x), y * copysign(T{1}, x)};
  if (!isfinite(y)) return {isinf(x) ? fabs(x) : y - y, x == 0 ? x : y - y};
  if (fabs(x) < T{709}) return {cosh(x) * cos(y), sinh(x) * sin(y)};
  const T by = static_cast<T>(0.5);
  return {exp_times(fabs(x), cos(y), by), exp_times(fabs(x), sin(y), by) * copysign(T{1}, x)};
}

template <class T>
static constexpr Complex<T> complex_sinh(Complex<T> z) {
  const T x = z.re, y = z.im;
  if (y == 0) return {sinh(x), y};
  if (!isfinite(y)) return {x == 0 || isinf(x) ? x : y - y, y - y};
  if (fabs(x) < T{709}) return {sinh(x) * cos(y), cosh(x) * sin(y)};
  const T by = static_cast<T>(0.5);
  return {exp_times(fabs(x), cos(y), by) * copysign(T{1}, x), exp_times(fabs(x), sin(y), by)};
}

template <class T>
static constexpr Complex<T> complex_tanh(Complex<T> z) {
  const T x = z.re, y = z.im;
  // The zero's sign is y's, as the array API has it; C has that of sin(2y).
  if (isinf(x)) return {copysign(T{1}, x), copysign(T{0}, y)};
  if (x != x || !isfinite(y)) return {x == 0 || y == 0 ? x : y - y + x, y == 0 ? y : y - y + x};
  if (fabs(x) > T{20}) return {copysign(T{1}, x), 4 * sin(y) * cos(y) * exp(-2 * fabs(x))};
  const T t = tan(y), beta = 1 + t * t, s = sinh(x), below = 1 + beta * s * s;
  return {beta * sqrt(1 + s * s) * s / below, t / below};
}

template <class T>
static constexpr Complex<T> complex_sin(Complex<T> z) {
  return turned_back(complex_sinh(turned(z)));
}
template <class T>
static constexpr Complex<T> complex_cos(Complex<T> z) {
  return complex_cosh(turned(z));
}
template <class T>
static constexpr Complex<T> complex_tan(Complex<T> z) {
  return turned_back(complex_tanh(turned(z)));
}

// ---- their inverses ----

// For finite x, y >= 0: the real parts of asin and acos, and the size of their imaginary part.
template <class T>
struct ArcParts {
  T asin_re, acos_re, im;
};

template <class T>
static constexpr ArcParts<T> arc_parts(T x, T y) {
  const T one = 1, huge = static_cast<T>(1e150), epsilon = static_cast<T>(1.1e-16);
  if (x > huge || y > huge)
    return {atan2(x, y), atan2(y, x), kLn2Of<T> + log_modulus(Complex<T>{x, y})};
  if (x == 1 && y < static_cast<T>(1e-200)) return {kPiOf<T> / 2, sqrt(y), sqrt(y)};
  if (y <= epsilon * fabs(x - 1)) {  // next to the real axis
    const T root = sqrt(fabs(one - x) * (one + x));
    if (x < 1) return {asin(x), acos(x), y / root};
    return {kPiOf<T> / 2, y / root, log1p((x - 1) + root)};
  }
  const T r = hypot(x + 1, y), s = hypot(x - 1, y), a = (r + s) / 2, b = x / a;
  // r - (x + 1), without cancellation; below s - |x - 1| in the same way
  const T left = y * y / (r + x + 1);
  const T right = x < 1 ? y * y / (s + (one - x)) : s + (x - one);
  ArcParts<T> out{};
  if (b <= static_cast<T>(0.6417)) {
    out.asin_re = asin(b);
    out.acos_re = acos(b);
  } else {
    const T root = x <= 1 ? sqrt((a + x) * (left + (s + (one - x))) / 2)
                          : y * sqrt(((a + x) / (r + x + 1) + (a + x) / (s + (x - one))) / 2);
    out.asin_re = atan2(x, root);
    out.acos_re = atan2(root, x);
  }
  if (a <= static_cast<T>(1.5)) {
    const T more = (left + right) / 2;  // a - 1
    out.im = log1p(more + sqrt(more * (a + 1)));
  } else {
    out.im = log(a + sqrt((a - 1) * (a + 1)));
  }
  return out;
}

template <class T>
static constexpr Complex<T> complex_asin(Complex<T> z) {
  const T x = z.re, y = z.im;
  if (isinf(y)) return {isinf(x) ? copysign(kPiOf<T> / 4, x) : x != x ? x : copysign(T{0}, x), y};
  if (isinf(x)) return {y != y ? y : copysign(kPiOf<T> / 2, x), copysign(x, y)};
  if (has_nan(z)) return {x == 0 ? x : x + y, x + y};
  const ArcParts<T> parts = arc_parts(fabs(x), fabs(y));
  return {copysign(parts.asin_re, x), copysign(parts.im, y)};
}

template <class T>
static constexpr Complex<T> complex_acos(Complex<T> z) {
  const T x = z.re, y = z.im, quarter = kPiOf<T> / 4;
  if (isinf(y)) return {isinf(x) ? (x > 0 ? quarter : 3 * quarter) : x != x ? x : 2 * quarter, -y};
  if (isinf(x)) return {y != y ? y : x > 0 ? T{0} : kPiOf<T>, -copysign(x, y)};
  if (has_nan(z)) return {x == 0 ? 2 * quarter : x + y, x + y};
  const ArcParts<T> parts = arc_parts(fabs(x), fabs(y));
  return {signbit(x) ? kPiOf<T> - parts.acos_re : parts.acos_re, -copysign(parts.im, y)};
}

template <class T>
static constexpr Complex<T> complex_atanh(Complex<T> z) {
  const T x = z.re, y = z.im, a = fabs(x), b = fabs(y);
  if (isinf(y)) return {copysign(T{0}, x), copysign(kPiOf<T> / 2, y)};
  if (isinf(x)) return {copysign(T{0}, x), y != y ? y : copysign(kPiOf<T> / 2, y)};
  if (has_nan(z)) return {x == 0 ? x : x + y, x + y};
  if (x == 0) return {x, atan(y)};
  if (y == 0 && a <= 1) return {atanh(x), y};
  const T huge = static_cast<T>(1.8e16);
  if (a > huge || b > huge)
    return {copysign(quotient(Complex<T>{1, 0}, z).re, x), copysign(kPiOf<T> / 2, y)};
  // |1 + z|^2 / |1 - z|^2 - 1; the quotient overflows only where a is 1 and b vanishes beside it.
  const T away = (1 - a) * (1 - a) + b * b;
  const T re =
      a == 1 && b < static_cast<T>(1e-8) ? (kLn2Of<T> - log(b)) / 2 : log1p(4 * a / away) / 4;
  return {copysign(re, x), copysign(atan2(2 * b, (1 - a) * (1 + a) - b * b) / 2, y)};
}

template <class T>
static constexpr Complex<T> complex_asinh(Complex<T> z) {
  return turned_back(complex_asin(turned(z)));
}
template <class T>
static constexpr Complex<T> complex_acosh(Complex<T> z) {
  const Complex<T> w = complex_acos(z);
  return {fabs(w.im), copysign(w.re, z.im)};
}
template <class T>
static constexpr Complex<T> complex_atan(Complex<T> z) {
  return turned_back(complex_atanh(turned(z)));
}

// ---- made of the above ----

template <class T>
static constexpr Complex<T> complex_reciprocal(Complex<T> z) {
  return quotient(Complex<T>{1, 0}, z);
}
template <class T>
static constexpr Complex<T> complex_rsqrt(Complex<T> z) {
  return complex_reciprocal(complex_sqrt(z));
}

// It is made of whichever of e^z and e^-z is not large.
template <class T>
static constexpr Complex<T> complex_sigmoid(Complex<T> z) {
  const Complex<T> e = complex_exp(z.re < 0 ? z : -z), below{1 + e.re, e.im};
  return z.re < 0 ? quotient(e, below) : complex_reciprocal(below);
}

// z / |z|: +0 for a 0 of any signs, a corner's direction for an infinity, NaN for NaN.
template <class T>
static constexpr Complex<T> complex_sign(Complex<T> z) {
  if (has_nan(z)) return {z.re + z.im, z.re + z.im};
  if (z.re == 0 && z.im == 0) return {0, 0};
  const Complex<T> s = has_infinity(z) ? corner(z) : scaled(z, -scale_of(z));
  const T size = hypot(s.re, s.im);
  return {s.re / size, s.im / size};
}

// Small whole exponents multiply, so that whole numbers stay whole; others are exp(b log a).
template <class T>
static constexpr Complex<T> complex_pow(Complex<T> a, Complex<T> b) {
  if (b.im == 0 && fabs(b.re) <= T{64} && floor(b.re) == b.re && isfinite(a.re) && isfinite(a.im)) {
    Complex<T> product{1, 0}, base = b.re < 0 ? complex_reciprocal(a) : a;
    for (int n = static_cast<int>(fabs(b.re)); n > 0; n /= 2, base = base * base)
      if (n % 2) product = product * base;
    if (isfinite(product.re) && isfinite(product.im)) return product;
  }
  if (a.re == 0 && a.im == 0 && b.re > 0) return {0, 0};
  return complex_exp(b * complex_log(a));
}

}  // namespace bp_kit
