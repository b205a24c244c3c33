// SPDX-License-Identifier: Apache-2.0
// profiled.h: a call of an op in a profile: its operands, its results, their bytes, its kernel, and
// what its device had in use when it ended.
#pragma once
#include <span>

#include "core/call/invoke.h"
#include "core/process/trace.h"

namespace bp {

// As long_path, seen.
void profiled_path(const OpRow& row, std::span<const bp_value> in, std::span<const bp_attr> attrs,
                   std::span<Ref<Tensor>> out, bool composes);
// Says of the innermost span which kernel ran: "sim float32".
void say_kernel(const Device& device, bp_dtype dtype) noexcept;

}  // namespace bp
