// SPDX-License-Identifier: Apache-2.0
// Fourier transforms by their definition, one sum for each result, in long double. Results are
// judged as a whole: the error's 2-norm against the result's, as the rows document it.
#include <cmath>
#include <numbers>
#include <string>

#include "oracle/dense.h"
#include "oracle/oracle.h"

namespace conformance {
namespace fft_specs {
namespace {

struct Field {
  Shape shape;
  std::vector<Complex> at;
};

bp_dtype complex_of(bp_dtype t) { return t == BP_F64 || t == BP_C128 ? BP_C128 : BP_C64; }

Field field_of(const Array& a) {
  Field f{a.shape, {}};
  for (size_t i = 0; i < a.size(); ++i) f.at.push_back(element(a, i));
  return f;
}

// Along one axis: new_line(old line) of n elements each.
template <class F>
Field along(const Field& f, size_t axis, size_t n, F new_line) {
  const Rows old = rows_of(f.shape, static_cast<int64_t>(axis));
  Field out{f.shape, {}};
  out.shape[axis] = static_cast<int64_t>(n);
  out.at.resize(old.outer * n * old.inner);
  std::vector<Complex> line(old.n);
  for (size_t o = 0; o < old.outer; ++o)
    for (size_t i = 0; i < old.inner; ++i) {
      for (size_t j = 0; j < old.n; ++j) line[j] = f.at[old.at(o, j, i)];
      const std::vector<Complex> made = new_line(line);
      for (size_t j = 0; j < n; ++j) out.at[(o * n + j) * old.inner + i] = made[j];
    }
  return out;
}

Field resized(const Field& f, size_t axis, size_t n) {
  return along(f, axis, n, [n](std::vector<Complex> line) {
    line.resize(n);
    return line;
  });
}

Field transformed(const Field& f, size_t axis, bool inverse) {
  const auto n = static_cast<size_t>(f.shape[axis]);
  std::vector<Complex> w(n);
  for (size_t k = 0; k < n; ++k) {
    const Real angle = 2 * std::numbers::pi_v<Real> * static_cast<Real>(k) / static_cast<Real>(n);
    w[k] = {std::cos(angle), inverse ? std::sin(angle) : -std::sin(angle)};
  }
  return along(f, axis, n, [&](const std::vector<Complex>& line) {
    std::vector<Complex> out(n);
    for (size_t k = 0; k < n; ++k) {
      Real re = 0, im = 0;
      for (size_t j = 0, at = 0; j < n; ++j, at = at + k < n ? at + k : at + k - n) {
        re += line[j].real() * w[at].real() - line[j].imag() * w[at].imag();
        im += line[j].real() * w[at].imag() + line[j].imag() * w[at].real();
      }
      out[k] = {re, im};
    }
    return out;
  });
}

// Of half a spectrum: the whole, whose first and (of an even length) middle elements are real.
Field mirrored(const Field& f, size_t axis, size_t n) {
  return along(f, axis, n, [n](const std::vector<Complex>& half) {
    std::vector<Complex> all(n);
    for (size_t k = 0; k < n; ++k) all[k] = k <= n / 2 ? half[k] : std::conj(half[n - k]);
    all[0] = all[0].real();
    if (n % 2 == 0) all[n / 2] = all[n / 2].real();
    return all;
  });
}

Answer answer(const Field& f, bp_dtype t, Real scale) {
  Expected e{Array{t, f.shape, {}, {}}, {}, true, {}};
  for (const Complex& x : f.at) {
    e.array.re.push_back(x.real() * scale);
    if (is_complex(t)) e.array.im.push_back(x.imag() * scale);
  }
  return {e};
}

size_t axis_of(const Call& call) {
  return wrap_axis(call.i64("axis", -1), call.in[0].array.shape.size());
}

Answer c2c(const Call& call) {
  const Array& x = call.in[0].array;
  return answer(transformed(field_of(x), axis_of(call), call.i64("inverse", 0)), x.dtype,
                call.f64("scale", 1));
}
Answer r2c(const Call& call) {
  const Array& x = call.in[0].array;
  const size_t axis = axis_of(call), n = static_cast<size_t>(x.shape[axis]);
  const Field f = transformed(field_of(x), axis, call.i64("conj", 0));
  return answer(resized(f, axis, n / 2 + 1), complex_of(x.dtype), call.f64("scale", 1));
}
Answer c2r(const Call& call) {
  const Array& x = call.in[0].array;
  const size_t axis = axis_of(call), n = static_cast<size_t>(call.i64("n", 0));
  const bool conj = call.i64("conj", 0);
  return answer(transformed(mirrored(field_of(x), axis, n), axis, !conj), part_of(x.dtype),
                call.f64("scale", 1));
}

// The composed ones: axes with their sizes, and the scale of a direction.
struct Plan {
  std::vector<size_t> axes, sizes;
  Real scale = 1;
};
Plan plan_of(const Call& call, bool several, bool real_result, bool inverse) {
  const Shape& shape = call.in[0].array.shape;
  Shape s, axes;
  if (several) {
    s = call.ints("s"), axes = call.ints("axes");
    if (axes.empty())
      for (size_t d = s.empty() ? 0 : shape.size() - s.size(); d < shape.size(); ++d)
        axes.push_back(static_cast<int64_t>(d));
  } else {
    axes = {call.i64("axis", -1)};
    s = {call.i64("n", -1)};
  }
  Plan p;
  Real n = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    p.axes.push_back(wrap_axis(axes[i], shape.size()));
    const int64_t own = shape[p.axes[i]];
    const int64_t size = !s.empty() && s[i] >= 0               ? s[i]
                         : real_result && i + 1 == axes.size() ? 2 * (own - 1)
                                                               : own;
    p.sizes.push_back(static_cast<size_t>(size));
    n *= static_cast<Real>(size);
  }
  const std::string norm = call.str("norm", "backward");
  if (norm == "ortho")
    p.scale = 1 / std::sqrt(n);
  else if ((norm == "forward") != inverse)
    p.scale = 1 / n;
  return p;
}

Field over(Field f, const Plan& p, size_t first, size_t last, bool inverse) {
  for (size_t i = first; i < last; ++i)
    f = transformed(resized(f, p.axes[i], p.sizes[i]), p.axes[i], inverse);
  return f;
}

template <bool several, bool inverse>
Answer whole(const Call& call) {
  const Plan p = plan_of(call, several, false, inverse);
  const Array& x = call.in[0].array;
  return answer(over(field_of(x), p, 0, p.axes.size(), inverse), complex_of(x.dtype), p.scale);
}
template <bool several, bool conjugate>
Answer to_half(const Call& call) {
  const Plan p = plan_of(call, several, false, conjugate);
  Field f = over(field_of(call.in[0].array), p, 0, p.axes.size(), conjugate);
  f = resized(f, p.axes.back(), p.sizes.back() / 2 + 1);
  return answer(f, complex_of(call.in[0].array.dtype), p.scale);
}
template <bool several, bool conjugate>
Answer from_half(const Call& call) {
  const Plan p = plan_of(call, several, true, !conjugate);
  const size_t last = p.axes.size() - 1, n = p.sizes[last];
  Field f = field_of(call.in[0].array);
  if (conjugate)
    for (Complex& x : f.at) x = std::conj(x);
  f = over(f, p, 0, last, true);
  f = transformed(mirrored(resized(f, p.axes[last], n / 2 + 1), p.axes[last], n), p.axes[last],
                  true);
  return answer(f, part_of(complex_of(call.in[0].array.dtype)), p.scale);
}

// The documented bound of a line, once for each axis.
template <Oracle oracle>
std::string check(const Call& call, const std::vector<Array>& results) {
  const Array want = oracle(call)[0].array, &got = results[0];
  Real error = 0, size = 0, longest = 2;
  for (size_t i = 0; i < want.size(); ++i) {
    error += std::norm(element(got, i) - element(want, i));
    size += std::norm(element(want, i));
  }
  for (int64_t n : want.shape) longest = std::max(longest, static_cast<Real>(n));
  const Real unit = part_of(want.dtype) == BP_F32 ? 1e-7L : 2e-16L;
  const Real allowed =
      unit * std::log2(4 * longest) * static_cast<Real>(want.shape.size()) * std::sqrt(size);
  if (std::sqrt(error) <= allowed) return "";
  return "the error's norm is " + text_of(std::sqrt(error)) + ", at most " + text_of(allowed) +
         " is allowed";
}

constexpr uint32_t kWhole = kReals & ~(1u << BP_F16 | 1u << BP_BF16);

template <Oracle oracle>
constexpr Spec of(const char* op, uint32_t dtypes) {
  return {op, Family::kFft, dtypes, oracle, Compute::kAsTheyAre, check<oracle>};
}
constexpr Spec kSpecs[] = {
    of<c2c>("fft_c2c", kComplexes),
    of<r2c>("fft_r2c", 1u << BP_F32 | 1u << BP_F64),
    of<c2r>("fft_c2r", kComplexes),
    of<whole<false, false>>("fft", kWhole | kComplexes),
    of<whole<false, true>>("ifft", kWhole | kComplexes),
    of<whole<true, false>>("fftn", kWhole | kComplexes),
    of<whole<true, true>>("ifftn", kWhole | kComplexes),
    of<to_half<false, false>>("rfft", kWhole),
    of<to_half<true, false>>("rfftn", kWhole),
    of<to_half<false, true>>("ihfft", kWhole),
    of<from_half<false, false>>("irfft", kWhole | kComplexes),
    of<from_half<true, false>>("irfftn", kWhole | kComplexes),
    of<from_half<false, true>>("hfft", kWhole | kComplexes),
};

}  // namespace
}  // namespace fft_specs

std::span<const Spec> fft_oracles() { return fft_specs::kSpecs; }

}  // namespace conformance
