#include "oracle/oracle.h"

namespace conformance {
namespace {

std::vector<std::span<const Spec>> families() {
  return {unary_oracles(),    binary_oracles(),   activation_oracles(), convert_oracles(),
          reduce_oracles(),   rows_oracles(),     linear_oracles(),
          indexing_oracles(), creation_oracles(), random_oracles(),
          manipulate_oracles(), products_oracles(), scatter_oracles(), selecting_oracles(),
          loss_oracles(), normalize_oracles(), network_oracles(), window_oracles()};
}

}  // namespace

const Spec* oracle_of(const std::string& op) {
  for (auto family : families())
    for (const Spec& spec : family)
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
