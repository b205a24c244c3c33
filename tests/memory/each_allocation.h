// SPDX-License-Identifier: Apache-2.0
// each_allocation.h: a call of the library made again and again, with another of its allocations
// failing each time. Afterwards the call has succeeded or said that memory ran out, nothing is left
// behind, and the same call succeeds.
//
//   fail_each_allocation({"tensors", "clone", [](bp_error** err) {
//     T copy;
//     TRY(bp_tensor_clone(operand(), into(copy), err));
//     return BP_OK;
//   }});
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kit/each_point.h"
#include "kit/handles.h"
#include "memory/exhausted.h"

namespace bp_test {

// Whose allocations fail is a matter of the call: some of it is made on threads of the library.
struct MemoryCall : Call {
  MemoryCall(std::string of, std::string called, std::function<bp_status(bp_error**)> makes,
             Exhausted::Threads whose = Exhausted::kThisThread, bool stays = false)
      : Call{std::move(of), std::move(called), std::move(makes), stays}, threads(whose) {}
  Exhausted::Threads threads;
};

// BP_MEMORY_EVERY=1 has each allocation fail (each_point.h).
Points& points();
void fail_each_allocation(const MemoryCall& call);

// The calls of a family. Together they make every function that can fail (covered.sh).
std::vector<MemoryCall> runtime_calls();
std::vector<MemoryCall> stream_calls(const std::string& device);
std::vector<MemoryCall> tensor_calls(const std::string& device);
std::vector<MemoryCall> gradient_calls(const std::string& device);
std::vector<MemoryCall> file_calls();
std::vector<MemoryCall> module_calls();
std::vector<MemoryCall> optimizer_calls();
std::vector<MemoryCall> training_calls();

}  // namespace bp_test
