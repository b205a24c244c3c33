// launch.h: the last steps of a call, shared by its two ways: crossing the plugin border, counting the write. And the
// short way: one or two dense operands of one dtype and shape, nothing to convert.
#pragma once
#include <span>

#include "core/op_def.h"
#include "core/runtime.h"
#include "core/tensor.h"

namespace bp {

inline bool is_tensor(const bp_value& v) { return v.kind == BP_VALUE_TENSOR; }
inline bp_dtype number_kind(const bp_value& v) {
  return v.kind == BP_VALUE_F64 ? BP_F64 : v.kind == BP_VALUE_BOOL ? BP_BOOL : BP_I64;
}

// Waits for the op that was just queued; throws what it met, with its name.
void await_op(const OpRow& row, Device& device);

// A launch's BP_LAUNCH_*.
inline uint32_t launch_flags(const OpRow& row) {
  if (row.layout != Layout::kMatmul) return 0;
  constexpr uint32_t kFlags[] = {0, BP_LAUNCH_TF32, BP_LAUNCH_TF32 | BP_LAUNCH_BF16};
  return kFlags[matmul_precision()];
}

void run_with_workspace(const bp_kernel& kernel, const OpRow& row, bp_launch& launch, Device& device);

// Gives the launch its workspace, if it wants one, and runs it; throws with the op's and the device's name. small: no
// operand has more elements than kernel.small.
inline void run_kernel(const bp_kernel& kernel, const OpRow& row, bp_launch& launch, Device& device, bool small = false) {
  if (kernel.workspace && !small) return run_with_workspace(kernel, row, launch, device);
  bp_error* err = nullptr;
  const bp_status status = kernel.run(&launch, &err);
  if (status < 0) [[unlikely]] check_plugin(device, status, err, row.name);
  if (device.synchronous) [[unlikely]] await_op(row, device);
}

// Counts a write. A storage that nobody else holds needs no locked instruction.
inline void bump(Tensor& t) {
  std::atomic<uint64_t>& version = t.storage->version;
  if (t.refs.load(std::memory_order_relaxed) == 1 &&
      t.storage->refs.load(std::memory_order_relaxed) == 1)
    version.store(version.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  else
    version.fetch_add(1, std::memory_order_relaxed);
}

// Makes the table that short_path reads; before that, its first call does.
void prepare_short_path();
// Runs the call when it is of the simple kind; false: nothing was done, take the long way. in is checked for handles
// only; out[0] is empty or given.
bool short_path(const OpRow& row, std::span<const bp_value> in, std::span<Ref<Tensor>> out);

}  // namespace bp
