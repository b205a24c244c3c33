// SPDX-License-Identifier: Apache-2.0
// launch.h: the last steps of a call, which its two ways share: crossing the plugin border and
// counting the write; and the short way itself, for one or two dense operands of one dtype and
// shape that need no conversion.
#pragma once
#include <span>

#include "core/device/plugin_call.h"
#include "core/process/runtime.h"
#include "core/tensor/tensor.h"
#include "core/value/op_def.h"

namespace bp {

inline bool is_tensor(const bp_value& v) { return v.kind == BP_VALUE_TENSOR; }
inline bp_dtype number_kind(const bp_value& v) {
  return v.kind == BP_VALUE_F64    ? BP_F64
         : v.kind == BP_VALUE_C128 ? BP_C128
         : v.kind == BP_VALUE_BOOL ? BP_BOOL
                                   : BP_I64;
}

// Waits for the op that was just queued; throws what it met, with its name.
void await_op(const OpRow& row, Device& device);

// Returns the BP_LAUNCH_* of a product of matrices.
inline uint32_t product_flags() {
  const bp_precision precision = matmul_precision();
  if (precision == BP_PRECISION_HIGHEST) [[likely]]
    return 0;
  return precision == BP_PRECISION_HIGH ? BP_LAUNCH_TF32 : BP_LAUNCH_TF32 | BP_LAUNCH_BF16;
}
inline bool is_product(const OpRow& row) {
  return row.layout == Layout::kMatmul || (row.flags & kProducts);
}

// Throws what a kernel reported, and takes err over.
[[noreturn, gnu::cold]] void fail_kernel(const OpRow& row, const Device& device, bp_status status,
                                         bp_error* err);
// Whether the kernel serves the call: one that needs a workspace may refuse (c_plugin.h).
bool is_served(const bp_kernel& kernel, const OpRow& row, const bp_launch& launch, Device& device);
// As run_kernel, with a workspace. It is an error when the kernel refuses the call.
void run_with_workspace(const bp_kernel& kernel, const OpRow& row, bp_launch& launch,
                        Device& device);

// Gives the launch its workspace, if it wants one, and runs it; throws with the op's and the
// device's name. `small` says that no operand has more elements than kernel.small.
[[gnu::always_inline]] inline void run_kernel(const bp_kernel& kernel, const OpRow& row,
                                              bp_launch& launch, Device& device,
                                              bool small = false) {
  if (kernel.workspace && !small) return run_with_workspace(kernel, row, launch, device);
  const DeviceCall inside(device);
  bp_error* err = nullptr;
  const bp_status status = call_plugin<&bp_kernel::run>(kernel, &launch, &err);
  if (status < 0) [[unlikely]]
    fail_kernel(row, device, status, err);
  if (device.synchronous) [[unlikely]]
    await_op(row, device);
}

// As run_if_served, of a kernel that wants a workspace.
bool run_if_workspace_serves(const bp_kernel& kernel, const OpRow& row, bp_launch& launch,
                             Device& device);
// As run_kernel. Returns false, and has done nothing, when the kernel refuses the call.
[[nodiscard]] inline bool run_if_served(const bp_kernel& kernel, const OpRow& row,
                                        bp_launch& launch, Device& device) {
  if (kernel.workspace) return run_if_workspace_serves(kernel, row, launch, device);
  run_kernel(kernel, row, launch, device);
  return true;
}

// Counts a write. Of two threads that write one tensor at once, which no program may do, a count
// may be lost; there is no locked instruction, which would cost as much as a small op.
[[gnu::always_inline]] inline void bump(Tensor& t) {
  std::atomic<uint64_t>& version = t.storage->version;
  version.store(version.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

// Makes the table that short_path reads; before that every call takes the long path.
void prepare_short_path();
// Runs a call of the simple kind: op is a built-in row's id, there are no attributes. Operands and
// out (nullptr: make one) may be anything that came over the border. Returns the tensor that was
// written, out or a new one, which is the caller's, or nullptr when the long path must be taken.
Tensor* short_path(uint32_t op, const bp_tensor* a, Tensor* out);
Tensor* short_path(uint32_t op, const bp_tensor* a, const bp_tensor* b, Tensor* out);
Tensor* short_path(uint32_t op, const bp_tensor* a, const bp_value& number, Tensor* out);
Tensor* short_path(uint32_t op, const bp_value& number, const bp_tensor* b, Tensor* out);
// Of any number of operands and any op, a user's too.
Tensor* short_path(uint32_t op, std::span<const bp_value> in, Tensor* out);
// For the op matmul; short_path knows it too, but a caller that knows the op saves a step.
Tensor* short_product(const bp_tensor* a, const bp_tensor* b, Tensor* out);

}  // namespace bp
