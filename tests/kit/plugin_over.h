// SPDX-License-Identifier: Apache-2.0
// plugin_over.h: the plugin under a plugin of the tests: that of the file BASE, which the test's
// hands its calls on to. CMake's bp_plugin_over() builds such a plugin.
//
//   bp_status status = base_query()(BP_PLUGIN_ABI_MIN, BP_PLUGIN_ABI_MAX, &info);
#pragma once
#include <dlfcn.h>

#include <new>

#include "c_plugin.h"

namespace bp_test {

// Opens the file once. Throws when that is impossible, as where memory runs out; the next call
// tries again.
inline bp_plugin_query_fn base_query() {
  static const auto query = [] {
    void* file = ::dlopen(BASE, RTLD_NOW | RTLD_LOCAL);
    void* symbol = file ? ::dlsym(file, "bp_plugin_query") : nullptr;
    if (!symbol) throw std::bad_alloc();
    return reinterpret_cast<bp_plugin_query_fn>(symbol);
  }();
  return query;
}

}  // namespace bp_test
