// SPDX-License-Identifier: Apache-2.0
// calls.h: calls of the library that tests make while something beneath them fails: memory here, a
// plugin in tests/plugin_calls. Together they make every function that can fail (covered.sh).
//
//   for (const Call& call : tensor_calls("sim:0")) fail_each_allocation(call);
#pragma once
#include <string>
#include <vector>

#include "kit/call.h"
#include "kit/handles.h"

namespace bp_test {

std::vector<Call> runtime_calls();
std::vector<Call> stream_calls(const std::string& device);
std::vector<Call> tensor_calls(const std::string& device);
std::vector<Call> gradient_calls(const std::string& device);
std::vector<Call> file_calls();
std::vector<Call> group_calls(const std::string& device);
std::vector<Call> module_calls();
std::vector<Call> optimizer_calls();
std::vector<Call> profile_calls(const std::string& device);
std::vector<Call> program_calls(const std::string& device);
std::vector<Call> training_calls();
// Every op that the device serves: the conformance suite's plain cases, once as they are and once
// with operands that require a gradient, which backward then fetches.
std::vector<Call> op_calls(const std::string& device);

}  // namespace bp_test
