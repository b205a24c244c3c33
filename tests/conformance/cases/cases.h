// cases.h: the calls that each family of ops is judged by, for one dtype: layouts, broadcasts,
// empty, 0-dim, one element, more elements than one thread takes, and the values at which formulas
// break.
#pragma once
#include <vector>

#include "call.h"
#include "oracle/oracle.h"

namespace conformance {

// More elements than any backend gives to one thread.
constexpr int64_t kLarge = 70001, kLargeRows = 263, kLargeCols = 269;

std::vector<Call> cases_of(const Spec& spec, bp_dtype dtype);
// One plain call, big enough that shifted outputs overlap with inputs.
Call plain_call(const Spec& spec, bp_dtype dtype);

std::vector<Call> elementwise_cases(const Spec& spec, bp_dtype t);
std::vector<Call> reduce_cases(const Spec& spec, bp_dtype t);
std::vector<Call> rows_cases(const Spec& spec, bp_dtype t);
std::vector<Call> matmul_cases(const Spec& spec, bp_dtype t);
std::vector<Call> indexing_cases(const Spec& spec, bp_dtype t);
std::vector<Call> creation_cases(const Spec& spec, bp_dtype t);

// One tensor of every shape and layout that a walk over memory can get wrong.
std::vector<Operand> every_layout(bp_dtype t, bool large);

}  // namespace conformance
