// exclusions.h: what is not asked of a backend, and why. An entry that no longer excludes anything fails the suite.
#pragma once
#include <string>

#include "oracle/oracle.h"

namespace conformance {

struct Exclusion {
  const char* op;
  uint32_t dtypes;   // of the operands
  const char* kind;  // the backend's
  const char* reason;
};

constexpr Exclusion kExclusions[] = {
    {"-", 0, "-", "no exclusions"},
};

inline const Exclusion* excluded(const std::string& op, bp_dtype t, const std::string& kind) {
  for (const Exclusion& e : kExclusions)
    if (e.op == op && e.kind == kind && (e.dtypes >> t & 1)) return &e;
  return nullptr;
}

}  // namespace conformance
