// SPDX-License-Identifier: Apache-2.0
// each_plugin_call.h: a plugin that refuses a call at each point of a call of the library
// (kit/each_point.h). The kinds are those that wrapping.cc wraps.
//
//   fail_each_plugin_call(call, BP_INTERNAL);
#pragma once
#include "kit/each_point.h"

namespace bp_test {

void fail_each_plugin_call(const Call& call, bp_status status = BP_INTERNAL);
void fail_each_plugin_call_of_first(const Run& call, bp_status status = BP_INTERNAL);
// After a shutdown: what is left open, or was misused before; "" when all is well.
std::string left_at_the_border();

}  // namespace bp_test
