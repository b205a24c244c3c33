// SPDX-License-Identifier: Apache-2.0
#include "core/process/fallback.h"

#include <atomic>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/process/context.h"
#include "core/process/device_kind.h"
#include "core/process/runtime.h"
#include "core/process/transfer_statistics.h"

namespace bp {
namespace {

std::atomic<bp_fallback> of_process{BP_FALLBACK_INHERIT};

bp_fallback of_environment() {
  const std::optional<std::string> value = read_env("BACKPLANE_FALLBACK");
  if (!value || value->empty() || *value == "refuse") return BP_FALLBACK_REFUSE;
  if (*value == "cpu") return BP_FALLBACK_CPU;
  fail(BP_INVALID_ARGUMENT, "BACKPLANE_FALLBACK is '{}', expected refuse or cpu", *value);
}

}  // namespace

bp_fallback fallback() {
  if (const bp_fallback own = context_fallback()) return own;
  if (const bp_fallback set = of_process.load(std::memory_order_relaxed)) return set;
  return of_environment();
}

void set_process_fallback(bp_fallback policy) noexcept { of_process = policy; }

void note_fallback(const char* op, bp_device from) {
  if (!count_fallback(op, from)) return;
  const char* kind = kind_name(bp_device_kind(from));
  log(kLogWarning, "{}: {} has no kernel: the cpu runs it, and its operands and results are copied",
      op, kind);
}

}  // namespace bp
