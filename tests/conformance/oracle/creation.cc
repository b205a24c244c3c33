// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "oracle/oracle.h"

namespace conformance {
namespace creation_specs {
namespace {

bp_dtype given_or_number(const Call& call) {
  bp_dtype t = BP_BOOL;
  for (const Operand& x : call.in) {
    const bp_dtype own = x.kind == BP_VALUE_F64 ? bp_get_default_dtype() : x.number_dtype();
    if (is_float(own) || is_bool(t)) t = own;
  }
  return call.dtype("dtype", t);
}

Answer fill(const Call& call) {
  const bp_dtype t = given_or_number(call);
  return {{seen(call.in[0], t, call.ints("shape"))}};
}

// start + i * step: exact for integers; in f64, rounded after the product and after the sum, for
// floats.
Answer arange(const Call& call) {
  const bp_dtype t = given_or_number(call);
  const bool integers = call.in[0].kind != BP_VALUE_F64 && call.in[1].kind != BP_VALUE_F64 &&
                        call.in[2].kind != BP_VALUE_F64;
  const Real start = call.in[0].number(), end = call.in[1].number(), step = call.in[2].number();
  const auto n = static_cast<size_t>(
      integers ? std::ceil((end - start) / step)
               : std::ceil((static_cast<double>(end) - static_cast<double>(start)) /
                           static_cast<double>(step)));
  Array out{t, {static_cast<int64_t>(n)}, {}, {}};
  for (size_t i = 0; i < n; ++i) {
    if (integers && is_integer(t)) {
      out.re.push_back(from_bits(to_bits(start) + i * to_bits(step), t));
    } else {
      const double product = static_cast<double>(i) * static_cast<double>(step);
      const double value = static_cast<double>(start) + product;
      out.re.push_back(is_integer(t) ? convert(value, BP_F64, t) : Real{value});
    }
  }
  return {{out}};
}

Answer linspace(const Call& call) {
  const bp_dtype t = call.dtype("dtype", bp_get_default_dtype());
  const int64_t n = call.i64("steps", 0);
  const Real start = call.in[0].number(), end = call.in[1].number();
  Array out{t, {n}, {}, {}};
  std::vector<Real> scale;
  for (int64_t i = 0; i < n; ++i) {
    const Real whole = static_cast<Real>(n - 1);
    out.re.push_back(n == 1 ? start
                            : (start * static_cast<Real>(n - 1 - i) + end * static_cast<Real>(i)) /
                                  whole);
    // f64 has no digits to spare where start and end cancel.
    scale.push_back(t == BP_F64 ? 2 * (std::fabs(start) + std::fabs(end)) : 0);
  }
  return {{out, scale, true}};
}

constexpr Spec kSpecs[] = {
    {"fill", Family::kFill, kAll, fill},
    {"arange", Family::kSequence, kInts | kFloats, arange},
    {"linspace", Family::kSequence, kFloats, linspace},
};

}  // namespace
}  // namespace creation_specs

std::span<const Spec> creation_oracles() { return creation_specs::kSpecs; }

}  // namespace conformance
