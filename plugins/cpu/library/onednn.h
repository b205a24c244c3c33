// SPDX-License-Identifier: Apache-2.0
// onednn.h: Intel's oneDNN, opened at run time when the machine has it. Used for large f32
// products; its first call compiles code for tens of milliseconds, so small work never comes here.
//
// It takes its threads from libgomp's setting of the calling thread, which is set for the call and
// put back. A forked child must not call it: libgomp waits there for threads that do not exist.
#pragma once
#include <cstdint>

#include "c_plugin.h"

namespace bp_cpu {

// Called at probe. The option `cpu.onednn` = off keeps it closed; its absence is logged, no error.
// A program with rights that its caller lacks does without it. Throws std::bad_alloc when memory
// ran out.
void open_onednn(const bp_host* host);
const char* onednn_name();  // "oneDNN 2.6.3", "" when it is not in use

// Row-major c[m, n] = op(a) op(b). trans is 'N' or 'T', ld goes from one stored row to the next.
struct Sgemm {
  char trans_a, trans_b;
  int64_t m, n, k;
  const float *a, *b;
  int64_t lda, ldb;
  float* c;
  int64_t ldc;
};
bool has_onednn();
// Returns false when it refuses; c is then untouched.
bool onednn_sgemm(const Sgemm& g, int32_t threads);

}  // namespace bp_cpu
