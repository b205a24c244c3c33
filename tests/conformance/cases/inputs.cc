// SPDX-License-Identifier: Apache-2.0
#include "cases/inputs.h"

#include <cmath>
#include <random>

namespace conformance {
namespace {

std::vector<Real> float_specials(bp_dtype t) {
  const Real inf = INFINITY;
  std::vector<Real> all{0,
                        inf,
                        NAN,
                        smallest_subnormal(t),
                        3 * smallest_subnormal(t),
                        smallest_normal(t),
                        smallest_normal(t) - smallest_subnormal(t),
                        max_of(t)};
  // Round numbers and halves, then exp's and tanh's edges for f16, f32 and f64, then arguments of
  // many periods.
  for (Real v : {0.25L,
                 0.5L,
                 1.0L,
                 1.5L,
                 2.0L,
                 2.5L,
                 3.0L,
                 0.75L,
                 1e-3L,
                 1e-8L,
                 3.14159265358979L,
                 1.5707963267949L,
                 4.0L,
                 9.0L,
                 10.0L,
                 11.0L,
                 11.1L,
                 16.6L,
                 17.4L,
                 20.0L,
                 87.0L,
                 88.7L,
                 88.75L,
                 89.0L,
                 103.9L,
                 104.1L,
                 127.0L,
                 128.0L,
                 709.7L,
                 709.8L,
                 744.4L,
                 745.2L,
                 1000.0L,
                 1e6L,
                 1e9L,
                 1e30L,
                 8388607.5L,
                 4503599627370495.5L,
                 5.5L,
                 6.0L,
                 0.9999999L,
                 1.0000001L})
    all.push_back(v);
  const size_t n = all.size();
  for (size_t i = 0; i < n; ++i)
    if (!std::isnan(all[i])) all.push_back(-all[i]);
  return all;
}

std::vector<Real> integer_specials(bp_dtype t) {
  std::vector<Real> all{
      0, 1, 2, 3, 5, 7, 10, 63, 100, max_of(t), max_of(t) - 1, std::floor(max_of(t) / 2)};
  if (is_signed_integer(t))
    for (Real v : {-1.0L, -2.0L, -3.0L, -7.0L, -10.0L, -100.0L}) all.push_back(v);
  all.push_back(lowest_of(t));
  all.push_back(lowest_of(t) + 1);
  return all;
}

Real wide(bp_dtype t, std::mt19937_64& random) {
  const uint64_t bits = random();
  if (is_bool(t)) return static_cast<Real>(bits & 1);
  if (is_integer(t)) return from_bits(bits, t);
  const Format f = format_of(t);
  const Real fraction = 1 + std::ldexp(static_cast<Real>(bits >> 12), -52);
  // Three in four near 1, where functions are interesting; the rest anywhere.
  const uint64_t pick = random();
  const int range = pick & 3 ? 8 : f.emax - f.emin;
  const int e = pick & 3 ? -4 + static_cast<int>(pick >> 8) % range
                         : f.emin + static_cast<int>((pick >> 8) % static_cast<uint64_t>(range));
  return std::ldexp(bits & 1 ? -fraction : fraction, e);
}

Real small(bp_dtype t, std::mt19937_64& random) {
  if (is_bool(t)) return static_cast<Real>(random() & 1);
  const auto units = static_cast<int64_t>(random() % 4097) - 2048;
  if (is_integer(t)) {
    const auto whole = is_signed_integer(t) ? units / 256 : (units + 2048) / 256;
    return static_cast<Real>(whole);
  }
  return static_cast<Real>(units) / 256;
}

Real positive(bp_dtype t, std::mt19937_64& random) {
  if (is_bool(t)) return static_cast<Real>(random() % 8 != 0);
  if (is_integer(t)) return static_cast<Real>(1 + random() % 9);
  return 0.5L + std::ldexp(static_cast<Real>(random() >> 12), -52);
}

Real near_one(bp_dtype t, std::mt19937_64& random) {
  return is_float(t) ? 1 + (static_cast<Real>(random() % 3) - 1) / 128 : positive(t, random);
}

Real tied(bp_dtype t, std::mt19937_64& random) {
  const uint64_t pick = random() % 8;
  if (is_bool(t)) return static_cast<Real>(pick & 1);
  const auto half = pick / 2;
  if (is_integer(t)) return pick == 0 && is_signed_integer(t) ? -5 : static_cast<Real>(half);
  if (pick == 0) return NAN;
  if (pick == 1) return -0.0L;
  if (pick == 2)
    return pick & random() ? static_cast<Real>(INFINITY) : -static_cast<Real>(INFINITY);
  return static_cast<Real>(pick) / 2 - 1.5L;
}

}  // namespace

std::vector<Real> specials(bp_dtype t) {
  if (is_bool(t)) return {0, 1};
  std::vector<Real> all = is_integer(t) ? integer_specials(t) : float_specials(t);
  for (Real& v : all) v = is_integer(t) ? v : round_to(v, part_of(t));
  return all;
}

Array make(bp_dtype t, const Shape& shape, Flavor flavor, uint64_t seed) {
  std::mt19937_64 random(seed * 1000 + static_cast<uint64_t>(t));
  const bp_dtype part = part_of(t);
  const auto n = static_cast<size_t>(count_of(shape));
  const std::vector<Real> special = flavor == Flavor::kWide ? specials(part) : std::vector<Real>{};
  Array a{t, shape, {}, {}};
  auto next = [&](size_t i) {
    switch (flavor) {
      case Flavor::kWide: {
        // In small arrays each position has a special with even odds; in large ones they come
        // first, in order.
        const bool whole = n >= 2 * special.size();
        if (whole ? i < special.size() : random() & 1)
          return special[whole ? i : random() % special.size()];
        return wide(part, random);
      }
      case Flavor::kSmall: return small(part, random);
      case Flavor::kPositive: return positive(part, random);
      case Flavor::kNearOne: return near_one(part, random);
      default: return tied(part, random);
    }
  };
  for (size_t i = 0; i < n; ++i) {
    const Real v = next(i);
    a.re.push_back(is_float(part) ? round_to(v, part) : v);
  }
  if (is_complex(t))
    for (size_t i = 0; i < n; ++i) {
      const Real v = next(n - 1 - i);
      a.im.push_back(round_to(flavor == Flavor::kNearOne ? v - 1 : v, part));
    }
  return a;
}

Array make_indices(bp_dtype t, const Shape& shape, int64_t size, bool negative, uint64_t seed) {
  std::mt19937_64 random(seed);
  Array a{t, shape, {}, {}};
  const auto n = static_cast<uint64_t>(negative ? 2 * size : size);
  for (int64_t i = 0; i < count_of(shape); ++i)
    a.re.push_back(static_cast<Real>(random() % n) - static_cast<Real>(negative ? size : 0));
  return a;
}

Array repeat_first(const Array& a) {
  Array out = a;
  if (a.shape.empty() || a.size() == 0) return out;
  const size_t row = a.size() / static_cast<size_t>(a.shape[0]);
  for (size_t i = row; i < a.size(); ++i) {
    out.re[i] = a.re[i % row];
    if (is_complex(a.dtype)) out.im[i] = a.im[i % row];
  }
  return out;
}

}  // namespace conformance
