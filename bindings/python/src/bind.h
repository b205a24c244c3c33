// bind.h: what module.cc puts together: each file adds its names to _core.
#pragma once
#include "tensor_object.h"

namespace bp_py {

void bind_make(nb::module_& m);        // make.cc: factories
void bind_views(nb::module_& m);       // views.cc: views and copies
void bind_host(nb::module_& m);        // host.cc: values, text, what a tensor says of itself
void bind_indexing(nb::module_& m);    // index.cc: keys that hold arrays
void bind_exchange(nb::module_& m);    // exchange.cc: DLPack
void bind_streams(nb::module_& m);     // stream.cc
void bind_generators(nb::module_& m);  // generator.cc
void bind_runtime(nb::module_& m);     // runtime.cc: threads, memory figures, the load report

}  // namespace bp_py
