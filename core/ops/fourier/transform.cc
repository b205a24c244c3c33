// SPDX-License-Identifier: Apache-2.0
// transform.cc: the transforms along one axis where a backend has no kernel for them. Declared in
// compose.h. A length that is a product is taken apart (Cooley and Tukey, 1965) until its factors
// are small or prime; those are multiplied by the matrix of the transform, whose elements the host
// computes in f64. Real and imaginary parts are tensors of their own.
#include <cmath>
#include <numbers>
#include <utility>

#include "core/ops/fourier/attributes.h"
#include "core/ops/fourier/compose.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"

namespace bp::ops::compose {
namespace {

struct Parts {
  Ref<Tensor> re, im;
};

// Returns cos and sin of 2 pi i j / n for i < rows, j < columns.
Parts turns(int64_t rows, int64_t columns, int64_t n, const Ref<Tensor>& like) {
  const auto numbers = [&](bool sine) {
    return from_host(Dims{rows, columns}, like->dtype, like->device(), [&](int64_t at) {
      const auto part =
          static_cast<double>(static_cast<__int128_t>(at / columns) * (at % columns) % n);
      const double angle = 2 * std::numbers::pi * part / static_cast<double>(n);
      return sine ? std::sin(angle) : std::cos(angle);
    });
  };
  return {numbers(false), numbers(true)};
}

// Returns the factor to take apart first, or n where it is small or prime.
int64_t factor_of(int64_t n) {
  if (n <= 16) return n;
  for (int64_t p = 16; p > 1; --p)
    if (n % p == 0) return p;
  for (int64_t p = 17; p * p <= n; p += 2)
    if (n % p == 0) return p;
  return n;
}

Parts each(const Parts& x, const auto& f) { return {f(x.re), f(x.im)}; }

// Returns the transforms of the lines of x [lines, n]; exp(+...) when inverse.
Parts lines_of(const Parts& x, bool inverse) {
  const int64_t lines = x.re->shape[0], n = x.re->shape[1], p = factor_of(n), q = n / p;
  if (q == 1) {
    const Parts w = turns(n, n, n, x.re);
    const Ref<Tensor> re_sine = product(x.re, w.im), im_sine = product(x.im, w.im),
                      re = product(x.re, w.re), im = product(x.im, w.re);
    return inverse ? Parts{sub(re, im_sine), add(im, re_sine)}
                   : Parts{add(re, im_sine), sub(im, re_sine)};
  }
  // Element j1 q + j2 goes into result k1 + p k2.
  const auto turned = [](const Ref<Tensor>& t, Dims in, Dims out) {
    return reshape(*transpose(*reshape(*t, in), 1, 2), out);
  };
  Parts y = each(x, [&](const auto& t) { return turned(t, {lines, p, q}, {lines * q, p}); });
  y = lines_of(y, inverse);
  y = each(y, [&](const auto& t) { return reshape(*t, Dims{lines, q, p}); });
  const Parts w = turns(q, p, n, x.re);
  const Ref<Tensor> re_sine = mul(y.re, w.im), im_sine = mul(y.im, w.im), re = mul(y.re, w.re),
                    im = mul(y.im, w.re);
  y = inverse ? Parts{sub(re, im_sine), add(im, re_sine)}
              : Parts{add(re, im_sine), sub(im, re_sine)};
  y = each(y, [&](const auto& t) { return turned(t, {lines, q, p}, {lines * p, q}); });
  y = lines_of(y, inverse);
  return each(y, [&](const auto& t) { return turned(t, {lines, p, q}, {lines, n}); });
}

// An axis moved to the end, all others seen as lines; and back.
struct Lines {
  Lines(const Tensor& t, int64_t given) : axis(wrap_dim(given, t.rank())), shape(t.shape) {
    std::swap(shape[axis], shape.back());
  }
  Ref<Tensor> of(const Ref<Tensor>& t) const {
    const int64_t n = t->shape[axis];
    return reshape(*transpose(*t, axis, -1), Dims{n ? t->count / n : 0, n});
  }
  Ref<Tensor> back(const Ref<Tensor>& t) const {
    Dims whole(shape);
    whole.back() = t->shape[1];
    return transpose(*reshape(*t, whole), axis, -1);
  }
  int64_t axis;
  Dims shape;
};

Parts parts_of(const Ref<Tensor>& x) {
  const Ref<Tensor> both_parts = view_as_real(*x);
  return {select(*both_parts, -1, 0), select(*both_parts, -1, 1)};
}
Ref<Tensor> scaled(const Ref<Tensor>& t, double scale) {
  if (scale == 1) return t;
  return mul(t, scale);
}
void put_complex(Composer& c, const Parts& y, double scale) {
  c.out[0] = new_tensor(c.plan.out_shape[0], c.plan.out_dtype[0], c.device);
  const Parts to_parts = parts_of(c.out[0]);
  copy_into(*to_parts.re, *scaled(y.re, scale), /*non_blocking=*/false);
  copy_into(*to_parts.im, *scaled(y.im, scale), /*non_blocking=*/false);
}

}  // namespace

void fft_c2c(Composer& c) {
  const Ref<Tensor> x = c.computed(0);
  const Lines lines(*x, c.i64(kC2cAttrs["axis"]));
  const Parts y = lines_of(each(parts_of(x), [&](const auto& t) { return lines.of(t); }),
                           c.flag(kC2cAttrs["inverse"]));
  put_complex(c, each(y, [&](const auto& t) { return lines.back(t); }), c.f64(kC2cAttrs["scale"]));
}

// The conjugates of a real line's results are those of the inverse.
void fft_r2c(Composer& c) {
  const Ref<Tensor> x = c.computed(0);
  const Lines lines(*x, c.i64(kR2cAttrs["axis"]));
  const Ref<Tensor> re = lines.of(x);
  const Parts y = lines_of({re, zeros_like(re)}, c.flag(kR2cAttrs["conj"]));
  const int64_t kept = re->shape[1] / 2 + 1;
  put_complex(c, each(y, [&](const auto& t) { return lines.back(narrow(*t, 1, 0, kept)); }),
              c.f64(kR2cAttrs["scale"]));
}

// The other half of the spectrum mirrors the first, with the other sign of the imaginary part.
void fft_c2r(Composer& c) {
  const Ref<Tensor> x = c.computed(0);
  const Lines lines(*x, c.i64(kC2rAttrs["axis"]));
  const int64_t n = c.i64(kC2rAttrs["n"]), mirrored = (n - 1) / 2;
  const Parts half = each(parts_of(x), [&](const auto& t) { return lines.of(t); });
  const auto whole = [&](const Ref<Tensor>& t, bool is_imaginary) {
    const int64_t line[] = {1};
    Ref<Tensor> first = t;
    if (is_imaginary) {
      first = clone(*t);
      for (const int64_t at : {int64_t{0}, n / 2})
        if (2 * at % n == 0) fill(*select(*first, 1, at), 0.0);
    }
    Ref<Tensor> rest = flip(*narrow(*first, 1, 1, mirrored), line);
    if (is_imaginary) rest = negative(rest);
    const Ref<Tensor> all[] = {first, rest};
    return joined(all, 1);
  };
  const Parts y = lines_of({whole(half.re, false), whole(half.im, true)},
                           /*inverse=*/!c.flag(kC2rAttrs["conj"]));
  c.out[0] = scaled(lines.back(y.re), c.f64(kC2rAttrs["scale"]));
}

}  // namespace bp::ops::compose
