// SPDX-License-Identifier: Apache-2.0
#include "compare.h"

#include <algorithm>
#include <cmath>

namespace conformance {

Real ulp_at(Real v, bp_dtype t) {
  const Format f = format_of(t);
  if (v == 0 || !std::isfinite(v)) return smallest_subnormal(t);
  const int e = std::clamp(std::ilogb(v), f.emin, f.emax);
  return std::ldexp(Real{1}, e - f.precision + 1);
}

double bound_of(double max_ulp, bp_dtype t) { return max_ulp > 0 && is_narrow(t) ? 1 : max_ulp; }

namespace {

bool zero_matches(Real got, Real want, bool any_zero) {
  return any_zero || std::signbit(got) == std::signbit(want);
}

// A result beyond the largest number is one step above it when `want` is so near that rounding
// decides.
bool near_enough(Real got, Real want, bp_dtype t, Real allowed) {
  const Real beyond = std::ldexp(Real{1}, format_of(t).emax + 1);
  if (std::isinf(got)) {
    if (std::signbit(got) != std::signbit(want)) return false;
    return std::fabs(want) >= beyond ||
           beyond - std::fabs(want) <= allowed + ulp_at(max_of(t), t) / 2;
  }
  if (std::fabs(want) >= beyond)
    return std::fabs(want) - std::fabs(got) <= allowed && (got < 0) == (want < 0);
  return std::fabs(got - want) <= allowed;
}

bool float_matches(Real got, const Expected& e, size_t i, Real want, bp_dtype t, double bound,
                   Real slack) {
  if (std::isnan(want)) return std::isnan(got);
  if (std::isnan(got)) return false;
  if (std::isinf(want)) return got == want;
  if (want == 0 && got == 0) return zero_matches(got, want, e.any_zero);
  const Real rounded = round_to(want, t);
  if (got == rounded) return got != 0 || zero_matches(got, want, e.any_zero);
  const Real scale = e.scale.empty() ? 0 : e.scale[i];
  Real allowed = static_cast<Real>(bound) * ulp_at(std::max(std::fabs(want), scale), t);
  if (!e.tolerance.empty()) allowed += e.tolerance[i];
  allowed += slack;
  if (allowed == 0) return false;
  if (got == 0 && !zero_matches(got, want, e.any_zero)) return false;
  return near_enough(got, want, t, allowed);
}

std::string describe(const Array& got, const Expected& e, size_t i, double bound) {
  const Array& want = e.array;
  std::string at = "(", s;
  size_t rest = i;
  std::vector<std::string> index;
  for (size_t d = want.shape.size(); d-- > 0;) {
    index.push_back(std::to_string(rest % static_cast<size_t>(want.shape[d])));
    rest /= static_cast<size_t>(want.shape[d]);
  }
  std::reverse(index.begin(), index.end());
  for (size_t d = 0; d < index.size(); ++d) at += (d ? ", " : "") + index[d];
  s = at + "): got " + text_of(got.re[i]);
  if (!got.im.empty()) s += " + " + text_of(got.im[i]) + "i";
  s += ", expected " + text_of(want.re[i]);
  if (!want.im.empty()) s += " + " + text_of(want.im[i]) + "i";
  if (is_float(part_of(want.dtype))) {
    const Real unit =
        ulp_at(std::max(std::fabs(want.re[i]), e.scale.empty() ? 0 : e.scale[i]), want.dtype);
    s += " (rounded " + text_of(round_to(want.re[i], part_of(want.dtype))) + "; off by " +
         text_of(std::fabs(got.re[i] - want.re[i]) / unit) + " ulp, bound " +
         std::to_string(bound) + ")";
  }
  return s;
}

}  // namespace

Verdict matches(const Array& got, const Expected& e, const Judge& judge) {
  const Array& want = e.array;
  if (got.dtype != want.dtype)
    return rejected(std::string("dtype ") + name_of(got.dtype) + ", expected " +
                    name_of(want.dtype));
  if (got.shape != want.shape)
    return rejected("shape " + text_of(got.shape) + ", expected " + text_of(want.shape));
  const bp_dtype part = part_of(want.dtype);
  const double bound = bound_of(judge.max_ulp, part);
  size_t n_wrong = 0, first = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    if (!e.open.empty() && e.open[i]) continue;
    bool good;
    if (!is_float(part)) {
      good = got.re[i] == want.re[i];
    } else {
      const Real x = judge.operand ? judge.operand->re[i] : 0;
      const bool outside = judge.operand && (x < judge.domain_low || x > judge.domain_high);
      const Real slack = outside ? kSlackOutsideDomain : 0;
      good = float_matches(got.re[i], e, i, want.re[i], part, bound, slack) &&
             (want.im.empty() || float_matches(got.im[i], e, i, want.im[i], part, bound, slack));
    }
    if (!good && n_wrong++ == 0) first = i;
  }
  if (n_wrong == 0) return accepted();
  return rejected(std::to_string(n_wrong) + " of " + std::to_string(want.size()) +
                  " elements differ, the first at " + describe(got, e, first, bound));
}

namespace {
bool same_bits(Real a, Real b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}
}  // namespace

bool same_bits(const Array& a, const Array& b) {
  if (a.dtype != b.dtype || a.shape != b.shape) return false;
  for (size_t i = 0; i < a.re.size(); ++i)
    if (!same_bits(a.re[i], b.re[i]) || (!a.im.empty() && !same_bits(a.im[i], b.im[i])))
      return false;
  return true;
}

}  // namespace conformance
