// SPDX-License-Identifier: Apache-2.0
#include "oracle/oracle.h"
#include "promote.h"

namespace conformance {
namespace convert_specs {
namespace {

Answer where(const Call& call) {
  const Shape shape = broadcast_shape(call.in);
  const bp_dtype t = result_type({call.in[1], call.in[2]});
  const Array condition = seen(call.in[0], BP_BOOL, shape);
  Array x = seen(call.in[1], t, shape);
  const Array y = seen(call.in[2], t, shape);
  for (size_t i = 0; i < x.size(); ++i) {
    if (condition.re[i] != 0) continue;
    x.re[i] = y.re[i];
    if (is_complex(t)) x.im[i] = y.im[i];
  }
  return {{x}};
}

Answer cast(const Call& call) {
  return {{convert(call.in[0].array, call.dtype("dtype", call.in[0].array.dtype))}};
}

Answer copy(const Call& call) { return {{call.in[0].array}}; }

constexpr Spec kSpecs[] = {
    {"where", Family::kWhere, kAll, where},
    {"cast", Family::kConvert, kAll, cast},
    {"copy", Family::kConvert, kAll, copy},
};

}  // namespace
}  // namespace convert_specs

std::span<const Spec> convert_oracles() { return convert_specs::kSpecs; }

}  // namespace conformance
