// SPDX-License-Identifier: Apache-2.0
// cases.h: the calls that each family of ops is judged by, for one dtype: layouts, broadcasts,
// empty, 0-dim, one element, more elements than one thread takes, and the values at which formulas
// break.
#pragma once
#include <vector>

#include "call.h"
#include "oracle/oracle.h"

namespace conformance {

// More elements than any backend gives to one thread, in the dtypes that kernels are written for;
// the others, which share those kernels' loops, get fewer.
struct Large {
  int64_t count, rows, cols;
};
constexpr Large large_of(bp_dtype t) {
  const bool whole = t == BP_U8 || t == BP_I64 || t == BP_F16 || t == BP_F32 || t == BP_F64;
  return whole ? Large{70001, 263, 269} : Large{1031, 31, 37};
}

std::vector<Call> cases_of(const Spec& spec, bp_dtype dtype);
// One plain call, big enough that shifted outputs overlap with inputs.
Call plain_call(const Spec& spec, bp_dtype dtype);

std::vector<Call> elementwise_cases(const Spec& spec, bp_dtype t);
std::vector<Call> reduce_cases(const Spec& spec, bp_dtype t);
std::vector<Call> rows_cases(const Spec& spec, bp_dtype t);
std::vector<Call> matmul_cases(const Spec& spec, bp_dtype t);
std::vector<Call> linalg_cases(const Spec& spec, bp_dtype t);
std::vector<Call> fft_cases(const Spec& spec, bp_dtype t);
std::vector<Call> indexing_cases(const Spec& spec, bp_dtype t);
std::vector<Call> composed_cases(const Spec& spec, bp_dtype t);
std::vector<Call> creation_cases(const Spec& spec, bp_dtype t);

// One tensor of every shape and layout that a walk over memory can get wrong.
std::vector<Operand> every_layout(bp_dtype t, bool large);

}  // namespace conformance
