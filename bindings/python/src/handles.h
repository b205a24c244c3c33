// SPDX-License-Identifier: Apache-2.0
// handles.h: the Python objects that hold a reference to one of the library's: what several files
// bind or take.
#pragma once
#include "error.h"

namespace bp_py {

struct Module {
  bp_module* handle = nullptr;
  explicit Module(bp_module* owned) : handle(owned) {}
  Module(const Module&) = delete;
  ~Module() { bp_module_release(handle); }
};

template <class T, void (*release)(T*)>
struct Handle {
  T* handle = nullptr;
  Handle() = default;
  Handle(const Handle&) = delete;
  ~Handle() { release(handle); }
};
struct OptimizerHandle : Handle<bp_optimizer, bp_optimizer_release> {};
struct ScheduleHandle : Handle<bp_schedule, bp_schedule_release> {};
struct DatasetHandle : Handle<bp_dataset, bp_dataset_release> {};
struct LoaderHandle : Handle<bp_loader, bp_loader_release> {};
struct MetricHandle : Handle<bp_metric, bp_metric_release> {};
struct GroupHandle : Handle<bp_group, bp_group_release> {};

}  // namespace bp_py
