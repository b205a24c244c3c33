// SPDX-License-Identifier: Apache-2.0
// profile_calls.cc: the calls of profiles: around an op, a copy, a gradient and a wait. What a
// profile has no memory for it counts; the calls that it sees do not fail for it.
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "kit/tensors.h"
#include "memory/calls.h"

namespace bp_test {
namespace {

struct Stopped {
  ~Stopped() { bp_profile_stop(nullptr); }
};

struct Range {
  uint64_t token = 0;
  ~Range() { bp_profile_pop(token, nullptr); }
};

bp_status seen(bp_tensor* x, bp_error** err) {
  const Stopped at_end;
  Range range;
  TRY(bp_profile_push("range", &range.token, err));
  T power, sums, there;
  TRY(bp_exp(x, into(power), err));
  TRY(bp_sum(power.get(), nullptr, 0, 0, BP_DTYPE_NONE, into(sums), err));
  TRY(bp_tensor_to(sums.get(), kCpu, BP_DTYPE_NONE, 1, 0, into(there), err));
  char path[128];
  std::snprintf(path, sizeof path, "/tmp/backplane-memory-%d.held.json",
                static_cast<int>(::getpid()));
  const bp_status status = bp_memory_snapshot(path, err);
  std::remove(path);
  if (status) return status;
  bp_tensor* root = sums.get();
  return bp_backward(&root, nullptr, 1, 0, err);
}

bp_status profiled(bp_tensor* x, bp_error** err) {
  const bp_profile_options options{sizeof options, 0, 1000};
  TRY(bp_profile_start(&options, err));
  TRY(seen(x, err));
  char path[128];
  std::snprintf(path, sizeof path, "/tmp/backplane-memory-%d.json", static_cast<int>(::getpid()));
  const bp_status status = bp_profile_save(path, err);
  std::remove(path);
  return status;
}

}  // namespace

std::vector<Call> profile_calls(const std::string& name) {
  const auto x = std::make_shared<T>(leaf(counting({3, 4}, device(name))));
  return {{"profile", name, [x](bp_error** err) { return profiled(x->get(), err); }}};
}

}  // namespace bp_test
