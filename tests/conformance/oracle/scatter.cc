// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "oracle/index.h"
#include "oracle/oracle.h"
#include "promote.h"

namespace conformance {
namespace scatter_specs {
namespace {

Real plus(Real a, Real b, bp_dtype t) {
  return is_bool(t)      ? a != 0 || b != 0
         : is_integer(t) ? from_bits(to_bits(a) + to_bits(b), t)
                         : a + b;
}

template <bool kAdd>
Answer scatter(const Call& call) {
  const Array &x = call.in[0].array, &index = call.in[1].array, &src = call.in[2].array;
  Expected e{x, {}, kAdd};  // a sum of halves that cancels may be either zero
  for (Real v : x.re)
    e.scale.push_back(kAdd && is_float(x.dtype) && std::isfinite(v) ? std::fabs(v) : 0);
  const size_t axis = x.shape.empty() ? 0 : wrap_axis(call.i64("axis", 0), x.shape.size());
  each_index(index.shape, [&](const Shape& at) {
    Shape to = at;
    if (!to.empty()) to[axis] = static_cast<int64_t>(value_at(index, at));
    const size_t i = place_of(x.shape, to), j = place_of(src.shape, at);
    e.array.re[i] = kAdd ? plus(e.array.re[i], src.re[j], x.dtype) : src.re[j];
    if (is_complex(x.dtype))
      e.array.im[i] = kAdd ? plus(e.array.im[i], src.im[j], x.dtype) : src.im[j];
    if (kAdd && is_float(x.dtype)) e.scale[i] += 2 * std::fabs(src.re[j]);
  });
  return {e};
}

Answer index_add(const Call& call) {
  Call full = call;
  const Array &x = call.in[0].array, &index = call.in[1].array;
  Array& source = full.in[2].array;
  const size_t axis = x.shape.empty() ? 0 : wrap_axis(call.i64("axis", 0), x.shape.size());
  Array& wide = full.in[1].array;
  wide.shape = source.shape;
  wide.re.clear();
  each_index(source.shape, [&](const Shape& at) {
    wide.re.push_back(index.re[at.empty() ? 0 : static_cast<size_t>(at[axis])]);
  });
  const auto alpha = static_cast<Real>(call.f64("alpha", 1));
  for (Real& v : source.re)
    v = is_bool(x.dtype)      ? v
        : is_integer(x.dtype) ? from_bits(to_bits(v) * to_bits(alpha), x.dtype)
                              : v * alpha;
  for (Real& v : source.im) v *= alpha;
  return scatter<true>(full);
}

Answer masked_fill(const Call& call) {
  const Shape shape = broadcast(call.in[0].array.shape, call.in[1].array.shape);
  const bp_dtype t = call.in[0].array.dtype;
  Array x = expand(call.in[0].array, shape);
  const Array mask = expand(call.in[1].array, shape);
  const Operand& v = call.in[2];
  const Real fill = v.is_tensor()
                        ? v.array.re[0]
                        : convert(v.number(), v.kind == BP_VALUE_F64 ? BP_F64 : BP_I64, part_of(t));
  for (size_t i = 0; i < x.size(); ++i) {
    if (mask.re[i] == 0) continue;
    x.re[i] = fill;
    if (is_complex(t)) x.im[i] = v.is_tensor() ? v.array.im[0] : 0;
  }
  return {{x}};
}

Answer searchsorted(const Call& call) {
  const Array &sorted = call.in[0].array, &values = call.in[1].array;
  const bool right = call.i64("right", 0) != 0;
  auto before = [](Real a, Real b) { return std::isnan(b) ? !std::isnan(a) : a < b; };
  Array out{BP_I64, values.shape, {}, {}};
  for (Real v : values.re) {
    Real n = 0;
    for (Real s : sorted.re) n += right ? !before(v, s) : before(s, v);
    out.re.push_back(n);
  }
  return {{out}};
}

constexpr Spec kSpecs[] = {
    {"scatter", Family::kComposed, kAll, scatter<false>},
    {"scatter_add", Family::kComposed, kArithmetic, scatter<true>},
    {"index_add", Family::kComposed, kArithmetic, index_add},
    {"masked_fill", Family::kComposed, kAll, masked_fill},
    {"searchsorted", Family::kComposed, kReals, searchsorted},
};

}  // namespace
}  // namespace scatter_specs

std::span<const Spec> scatter_oracles() { return scatter_specs::kSpecs; }

}  // namespace conformance
