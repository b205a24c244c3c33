// SPDX-License-Identifier: Apache-2.0
// What the library says and keeps when memory runs out: at the first error of a process, at the end
// of a graph, and at every allocation of a call.
#include "memory/exhausted.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

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

struct Call {
  const char* name;
  std::function<bp_status(bp_error**)> run;
};
void PrintTo(const Call& c, std::ostream* out) { *out << c.name; }

class EachAllocation : public testing::TestWithParam<Call> {};

// One allocation after the other fails, once and for ever: the call then says that memory ran out
// or does without it, and works as before when memory is back.
TEST_P(EachAllocation, MayFail) {
  const auto& run = GetParam().run;
  ASSERT_EQ(run(nullptr), BP_OK);
  for (const long refused : {1L, std::numeric_limits<long>::max()}) {
    bool struck = true;
    for (long granted = 0; struck; ++granted) {
      ASSERT_LT(granted, 100000);
      bp_error* err = nullptr;
      bp_status status;
      {
        const Exhausted after(granted, refused);
        status = run(&err);
        struck = Exhausted::struck();
      }
      if (status != BP_OK) {
        EXPECT_TRUE(struck);
        EXPECT_EQ(status, BP_OUT_OF_HOST_MEMORY)
            << granted << ": " << bp_error_message(err, nullptr);
        EXPECT_NE(err, nullptr);
        bp_error_release(err);
      }
      ASSERT_EQ(run(nullptr), BP_OK) << "after allocation " << granted << " had failed";
    }
  }
}

T& operand() {
  static T x = counting({2, 3});
  return x;
}
// Runs a function of one operand and releases its result.
template <class F, class... Rest>
std::function<bp_status(bp_error**)> of(F f, Rest... rest) {
  return [=](bp_error** err) {
    bp_tensor* out = nullptr;
    const bp_status status = f(operand().get(), rest..., &out, err);
    bp_tensor_release(out);
    return status;
  };
}

bp_status learn(bp_error** err) {
  static T w = [] {
    T t = counting({2, 3});
    bp_tensor_set_requires_grad(t.get(), 1, nullptr);
    return t;
  }();
  bp_tensor *square = nullptr, *sum = nullptr;
  bp_status status = bp_mul(w.get(), w.get(), &square, err);
  if (status == BP_OK) status = bp_sum(square, nullptr, 0, 0, BP_DTYPE_NONE, &sum, err);
  if (status == BP_OK) status = bp_backward(&sum, nullptr, 1, 0, err);
  bp_tensor_release(sum);
  bp_tensor_release(square);
  return status;
}

INSTANTIATE_TEST_SUITE_P(
    Calls, EachAllocation,
    testing::Values(Call{"exp", of(bp_exp)}, Call{"clone", of(bp_tensor_clone)},
                    Call{"alias", of(bp_tensor_alias)}, Call{"softmax", of(bp_softmax, int64_t{0})},
                    Call{"matmul",
                         [](bp_error** err) {
                           static const T y = counting({3, 2});
                           bp_tensor* out = nullptr;
                           const bp_status s = bp_matmul(operand().get(), y.get(), &out, err);
                           bp_tensor_release(out);
                           return s;
                         }},
                    Call{"learn", learn},
                    Call{"module",
                         [](bp_error** err) {
                           const bp_attr attrs[] = {
                               {"in_features", BP_ATTR_I64, 1, {.i64 = 3}, 0},
                               {"out_features", BP_ATTR_I64, 1, {.i64 = 2}, 0}};
                           bp_module* m = nullptr;
                           const bp_status s =
                               bp_module_create("linear", attrs, 2, 0, BP_DTYPE_NONE, &m, err);
                           bp_module_release(m);
                           return s;
                         }},
                    Call{"a refusal",
                         [](bp_error** err) {
                           const bp_status s = bp_set_num_threads(-1, err);
                           if (err && s == BP_INVALID_ARGUMENT)
                             bp_error_release(*err), *err = nullptr;
                           return s == BP_INVALID_ARGUMENT ? BP_OK : s;
                         }}),
    [](const auto& info) {
      return std::string(info.param.name == std::string("a refusal") ? "refusal" : info.param.name);
    });

}  // namespace
