// SPDX-License-Identifier: Apache-2.0
// judge.h: one call on one device, run and compared; what every test of this suite is made of.
#pragma once
#include "compare.h"
#include "oracle/oracle.h"
#include "session.h"

namespace conformance {

// The dtype that picks the kernel of a call (see Family).
bp_dtype key_of(const Spec& spec, const Call& call);

// Runs the call and holds the results against the oracle's answer; the failure names op, call and
// device.
Verdict judge(const Op& op, const Spec& spec, const Session& session, const Call& call);
// The results of a run that was made otherwise (into given outputs, in place).
Verdict judge_results(const Op& op, const Spec& spec, const Call& call, const Answer& answer,
                      const std::vector<Array>& results);
// The call is refused with this status and a sentence.
Verdict refused(const Op& op, const Session& session, const Call& call, bp_status status);

std::string headline(const Op& op, const Call& call, bp_device device);
inline std::string kind_of(bp_device d) { return bp_kind_name(bp_device_kind(d)); }
inline bool is_cpu(bp_device d) { return bp_device_kind(d) == BP_KIND_CPU; }
// No op may be missing: the cpu has all, and the reference backend has what all are composed of.
inline bool serves_all(bp_device d) { return is_cpu(d) || kind_of(d) == "reference"; }

// Parameters of the tests that walk the table.
std::vector<std::string> op_names();

}  // namespace conformance
