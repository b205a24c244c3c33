// SPDX-License-Identifier: Apache-2.0
// first_use.h: what a program does first with a device.
//
//   TRY(used("sim:0", err));
#pragma once
#include "kit/call.h"
#include "kit/invoke.h"

namespace bp_test {

inline bp_status used(const char* name, bp_error** err) {
  constexpr int64_t kShape[] = {2, 3};
  bp_device d = 0;
  T a, b;
  float out[6];
  TRY(bp_device_parse(name, &d, err));
  TRY(bp_tensor_ones(2, kShape, BP_F32, d, into(a), err));
  TRY(bp_tensor_to(a.get(), bp_device_make(BP_KIND_CPU, -1), BP_DTYPE_NONE, 1, 0, into(b), err));
  TRY(bp_tensor_read(a.get(), out, sizeof out, err));
  return bp_synchronize(d, err);
}

inline bp_status multiplied(const char* name, bp_error** err) {
  constexpr int64_t kShape[] = {200, 200};
  bp_device d = 0;
  T a, b, c;
  TRY(bp_device_parse(name, &d, err));
  TRY(bp_tensor_ones(2, kShape, BP_F32, d, into(a), err));
  TRY(bp_matmul(a.get(), a.get(), into(b), err));
  TRY(bp_exp(b.get(), into(c), err));
  return bp_synchronize(d, err);
}

}  // namespace bp_test
