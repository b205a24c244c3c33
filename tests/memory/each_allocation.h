// SPDX-License-Identifier: Apache-2.0
// each_allocation.h: memory that runs out at each point of a call (kit/each_point.h), and threads
// that the system refuses to start.
//
//   fail_each_allocation({"tensors", "clone", [](bp_error** err) {
//     T copy;
//     TRY(bp_tensor_clone(operand(), into(copy), err));
//     return BP_OK;
//   }});
#pragma once
#include "kit/each_point.h"

namespace bp_test {

void fail_each_allocation(const Call& call);
// left_behind: what is left after a shutdown, as Failure::left_behind.
void fail_each_allocation_of_first(const Run& call, Threads threads = Threads::kThis,
                                   std::string (*left_behind)() = nullptr);
void fail_each_thread_of_first(const Run& call);
// No thread starts, or all do.
void fail_all_threads_of_first(const Run& call);

}  // namespace bp_test
