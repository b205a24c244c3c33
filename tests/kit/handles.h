// SPDX-License-Identifier: Apache-2.0
// handles.h: handles of the C API that release themselves.
//
//   T t = made(bp_tensor_clone, x.get());      // fails the test when the call fails
//   D d = made<D>(bp_dict_create);
//   EXPECT_EQ(refusal(bp_tensor_select, t.get(), 0, 2).status, BP_INDEX_OUT_OF_RANGE);
#pragma once
#include <cstdint>

#include "kit/answer.h"
#include "kit/owners.h"

namespace bp_test {

using D = Handle<bp_dict, bp_dict_release>;
using M = Handle<bp_module, bp_module_release>;
using Optimizer = Handle<bp_optimizer, bp_optimizer_release>;
using Schedule = Handle<bp_schedule, bp_schedule_release>;
using Dataset = Handle<bp_dataset, bp_dataset_release>;
using Loader = Handle<bp_loader, bp_loader_release>;
using Metric = Handle<bp_metric, bp_metric_release>;
using Generator = Handle<bp_generator, bp_generator_release>;
using Replicas = Handle<bp_replicas, bp_replicas_release>;
using Trainer = Handle<bp_trainer, bp_trainer_release>;

// f(args..., &out, &err) that must succeed.
template <class Owner = T, class F, class... A>
Owner made(F&& f, A... args) {
  typename Owner::pointer out = nullptr;
  const Answer a = attempt([&](bp_error** err) { return f(args..., &out, err); });
  EXPECT_EQ(a.status, BP_OK) << a.message;
  return Owner(out);
}

// f(args..., &out, &err) that must fail with a sentence and leave `out` alone.
template <class Owner = T, class F, class... A>
Answer refusal(F&& f, A... args) {
  const auto untouched = reinterpret_cast<typename Owner::pointer>(8);
  typename Owner::pointer out = untouched;
  Answer a = attempt([&](bp_error** err) { return f(args..., &out, err); });
  EXPECT_LT(a.status, 0);
  EXPECT_EQ(out, untouched);
  if (out != untouched) typename Owner::deleter_type()(out);
  EXPECT_FALSE(a.message.empty());
  return a;
}

}  // namespace bp_test
