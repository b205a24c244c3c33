// SPDX-License-Identifier: Apache-2.0
// bind.h: the functions that module.cc calls. Each adds the names of one file to _core.
#pragma once
#include "tensor_object.h"

namespace bp_py {

void bind_make(nb::module_& m);        // make.cc: factories
void bind_views(nb::module_& m);       // views.cc: views and copies
void bind_host(nb::module_& m);        // host.cc: values, text, what a tensor says of itself
void bind_indexing(nb::module_& m);    // index.cc: keys that hold arrays
void bind_functions(nb::module_& m);   // function.cc: functions whose keywords have two names
void bind_exchange(nb::module_& m);    // exchange.cc: DLPack
void bind_streams(nb::module_& m);     // stream.cc
void bind_generators(nb::module_& m);  // generator.cc
void bind_autograd(nb::module_& m);    // autograd.cc: automatic differentiation
void bind_modules(nb::module_& m);     // nn.cc: modules
void bind_runtime(nb::module_& m);     // runtime.cc: threads, memory statistics, the load report
void bind_optim(nb::module_& m);       // optim.cc: optimisers, clipping, schedules
void bind_parallel(nb::module_& m);    // parallel.cc: one model on several devices
void bind_groups(nb::module_& m);      // group.cc: processes that exchange tensors
void bind_data(nb::module_& m);        // data.cc: datasets, loaders, metrics
void bind_trainer(nb::module_& m);     // trainer.cc: the training loop
void bind_programs(nb::module_& m);    // program.cc: recorded programs
void bind_signatures(
    nb::module_& m);                 // signature.cc: what calls of a compiled function are told by
void bind_profiles(nb::module_& m);  // trace.cc: profiles

}  // namespace bp_py
