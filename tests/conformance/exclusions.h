// SPDX-License-Identifier: Apache-2.0
// exclusions.h: what is not asked of a backend that otherwise serves everything, and why. An entry
// that no longer excludes anything fails the suite. Backends other than the cpu may serve as few
// ops as they like.
#pragma once
#include <string>
#include <vector>

#include "oracle/oracle.h"

namespace conformance {

struct Exclusion {
  const char* op;
  uint32_t dtypes;   // of the operands
  const char* kind;  // the backend's
  const char* reason;
};

inline const std::vector<Exclusion> kExclusions{};

inline const Exclusion* excluded(const std::string& op, bp_dtype t, const std::string& kind) {
  for (const Exclusion& e : kExclusions)
    if (e.op == op && e.kind == kind && (e.dtypes >> t & 1)) return &e;
  return nullptr;
}

}  // namespace conformance
