// SPDX-License-Identifier: Apache-2.0
// trace.cc: profiles, as backplane/profiling.py sees them. (profile.h tells Python's own profilers
// of ops.)
#include <nanobind/stl/string.h>

#include "bind.h"
#include "dict.h"

namespace bp_py {

void bind_profiles(nb::module_& m) {
  m.def("profile_start", [](uint64_t most_spans) {
    const bp_profile_options options{sizeof options, 0, most_spans};
    call_unlocked([&](bp_error** err) { return bp_profile_start(&options, err); });
  });
  m.def("profile_stop", [] { call_unlocked([](bp_error** err) { return bp_profile_stop(err); }); });
  m.def("profile_save", [](nb::bytes path) {
    const std::string file = path_of(path);
    call_unlocked([&](bp_error** err) { return bp_profile_save(file.c_str(), err); });
  });
  m.def("memory_snapshot", [](nb::bytes path) {
    const std::string file = path_of(path);
    call_unlocked([&](bp_error** err) { return bp_memory_snapshot(file.c_str(), err); });
  });
  m.def("profile_running", [] { return bp_profile_running() != 0; });
  m.def("profile_push", [](const std::string& name) {
    refuse_zero_byte(name, "a name");
    uint64_t token = 0;
    call([&](bp_error** err) { return bp_profile_push(name.c_str(), &token, err); });
    return token;
  });
  m.def("profile_pop",
        [](uint64_t token) { call([&](bp_error** err) { return bp_profile_pop(token, err); }); });
}

}  // namespace bp_py
