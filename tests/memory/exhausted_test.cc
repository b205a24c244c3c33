// SPDX-License-Identifier: Apache-2.0
// What the library says and keeps when memory runs out: at the first error of a process and at the
// end of a graph.
#include "memory/exhausted.h"

#include <gtest/gtest.h>

#include <string>

#include "kit/child.h"
#include "kit/handles.h"
#include "kit/tensors.h"

namespace {

using namespace bp_test;

TEST(MemoryThatRanOut, IsReportedByTheFirstErrorOfAProcess) {
  expect_true_in_child([] {
    bp_error* err = nullptr;
    bp_status status;
    {
      const Exhausted now;
      status = bp_set_num_threads(-1, &err);
    }
    return status == BP_OUT_OF_HOST_MEMORY &&
           std::string(bp_error_message(err, nullptr)) == "host memory exhausted";
  });
}

TEST(MemoryThatRanOut, DoesNotKeepAGraphFromBeingReleased) {
  const T x = counting({3});
  ASSERT_EQ(bp_tensor_set_requires_grad(x.get(), 1, nullptr), BP_OK);
  bp_tensor* sum = made(bp_add, x.get(), x.get()).release();
  for (int i = 0; i < 5000; ++i) {
    bp_tensor* next = made(bp_add, sum, x.get()).release();
    bp_tensor_release(sum);
    sum = next;
  }
  const Exhausted now;
  bp_tensor_release(sum);
}

}  // namespace
