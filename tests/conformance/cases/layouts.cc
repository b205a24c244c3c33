// SPDX-License-Identifier: Apache-2.0
// Which memory layouts a tensor is given, and which family's cases an op is called with.
#include "cases/cases.h"
#include "cases/inputs.h"

namespace conformance {

std::vector<Operand> every_layout(bp_dtype t, bool large) {
  constexpr auto kWide = Flavor::kWide;
  std::vector<Operand> all{
      tensor(make(t, {257}, kWide)),
      tensor(make(t, {5, 7}, kWide, 2), Layout::kTransposed),
      tensor(make(t, {2, 3, 4, 5}, kWide, 3), Layout::kTransposed),
      tensor(make(t, {33}, kWide, 4), Layout::kSliced),
      tensor(make(t, {4, 3, 6}, kWide, 5), Layout::kSliced),
      tensor(make(t, {19}, kWide, 6), Layout::kFlipped),
      tensor(make(t, {3, 4, 5}, kWide, 7), Layout::kFlipped),
      tensor(repeat_first(make(t, {4, 9}, kWide, 8)), Layout::kExpanded),
      tensor(make(t, {0}, kWide)),
      tensor(make(t, {2, 0, 3}, kWide), Layout::kTransposed),
      tensor(make(t, {}, kWide, 9)),
      tensor(make(t, {1}, kWide, 10)),
      tensor(make(t, {1, 1, 1}, kWide, 11), Layout::kTransposed),
  };
  if (!large) return all;
  all.push_back(tensor(make(t, {large_of(t).count}, kWide, 12)));
  all.push_back(
      tensor(make(t, {large_of(t).rows, large_of(t).cols}, kWide, 13), Layout::kTransposed));
  all.push_back(tensor(make(t, {large_of(t).cols, large_of(t).rows}, kWide, 14), Layout::kSliced));
  return all;
}

std::vector<Call> cases_of(const Spec& spec, bp_dtype t) {
  switch (spec.family) {
    case Family::kUnary:
    case Family::kBinary:
    case Family::kBounds:
    case Family::kWhere:
    case Family::kConvert: return elementwise_cases(spec, t);
    case Family::kReduce: return reduce_cases(spec, t);
    case Family::kRows: return rows_cases(spec, t);
    case Family::kMatmul: return matmul_cases(spec, t);
    case Family::kLinalg: return linalg_cases(spec, t);
    case Family::kFft: return fft_cases(spec, t);
    case Family::kJoin:
    case Family::kIndex:
    case Family::kOneHot: return indexing_cases(spec, t);
    case Family::kComposed: return composed_cases(spec, t);
    default: return creation_cases(spec, t);
  }
}

}  // namespace conformance
