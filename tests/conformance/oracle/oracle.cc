// SPDX-License-Identifier: Apache-2.0
#include "oracle/oracle.h"

#include "promote.h"

namespace conformance {
namespace {

std::vector<std::span<const Spec>> families() {
  return {unary_oracles(),       binary_oracles(),    activation_oracles(),    convert_oracles(),
          reduce_oracles(),      rows_oracles(),      linear_oracles(),        linalg_oracles(),
          fft_oracles(),         indexing_oracles(),  creation_oracles(),      random_oracles(),
          manipulate_oracles(),  products_oracles(),  scatter_oracles(),       selecting_oracles(),
          loss_oracles(),        normalize_oracles(), network_oracles(),       window_oracles(),
          convolution_oracles(), einsum_oracles(),    complex_parts_oracles(), recurrent_oracles()};
}

std::vector<Spec> with_complex_operands() {
  std::vector<Spec> all;
  for (auto family : families()) all.insert(all.end(), family.begin(), family.end());
  for (const ComplexOracle& c : complex_oracles())
    for (Spec& spec : all) {
      if (spec.op != std::string(c.op)) continue;
      spec.dtypes |= kComplexes;
      spec.complex = c.oracle;
      spec.complex_ulp = c.max_ulp;
    }
  return all;
}

}  // namespace

Answer Spec::answer(const Call& call) const {
  return complex && is_complex(result_type(call.in)) ? complex(call) : oracle(call);
}

const Spec* oracle_of(const std::string& op) {
  static const std::vector<Spec> all = with_complex_operands();
  for (const Spec& spec : all)
    if (spec.op == op) return &spec;
  return nullptr;
}

std::vector<std::string> oracle_names() {
  std::vector<std::string> names;
  for (auto family : families())
    for (const Spec& spec : family) names.emplace_back(spec.op);
  return names;
}

}  // namespace conformance
