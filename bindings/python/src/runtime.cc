// SPDX-License-Identifier: Apache-2.0
// runtime.cc: the version, threads, memory statistics and the load report.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bind.h"
#include "callback.h"
#include "device.h"

namespace bp_py {
namespace {

nb::dict memory_stats(nb::handle device) {
  const bp_device d = device_of(device);
  bp_memory_stats s{};
  s.struct_size = sizeof s;
  call_unlocked([&](bp_error** err) { return bp_memory_get_stats(d, &s, err); });
  nb::dict figures;
  figures["allocated_bytes"] = s.allocated_bytes;
  figures["peak_allocated_bytes"] = s.peak_allocated_bytes;
  figures["cached_bytes"] = s.cached_bytes;
  figures["limit_bytes"] = s.limit_bytes;
  figures["reserved_bytes"] = s.reserved_bytes;
  figures["n_allocations"] = s.n_allocations;
  figures["n_frees"] = s.n_frees;
  figures["n_backend_allocations"] = s.n_backend_allocations;
  figures["n_backend_frees"] = s.n_backend_frees;
  figures["n_live"] = s.n_live;
  figures["pinned_bytes"] = s.pinned_bytes;
  figures["pinned_cached_bytes"] = s.pinned_cached_bytes;
  return figures;
}

using Text = std::optional<std::string>;

void init(const Text& plugin_dirs, const Text& allow, const Text& options, const Text& visible,
          const Text& alias, uint32_t flags) {
  const auto text = [](const Text& t) { return t ? c_text(*t, "an option") : nullptr; };
  bp_init_desc desc{};
  desc.struct_size = sizeof desc;
  desc.flags = flags;
  desc.plugin_dirs = text(plugin_dirs);
  desc.allow = text(allow);
  desc.options = text(options);
  desc.visible_devices = text(visible);
  desc.alias = text(alias);
  call_unlocked([&](bp_error** err) { return bp_init(&desc, err); });
}

nb::list load_report() {
  bp_report* report = nullptr;
  call_unlocked([&](bp_error** err) { return bp_report_create(&report, err); });
  nb::list entries;
  for (uint32_t i = 0; i < bp_report_count(report); ++i) {
    bp_report_entry e{};
    e.struct_size = sizeof e;
    if (bp_report_get(report, i, &e, nullptr) < 0) continue;
    nb::dict entry;
    entry["kind"] = e.kind;
    entry["path"] = e.path;
    entry["version"] = e.version;
    entry["stage"] = e.stage;
    entry["status"] = bp_status_name(e.status);
    entry["n_devices"] = e.n_devices;
    entry["cause"] = e.cause;
    entry["remedy"] = e.remedy;
    entries.append(entry);
  }
  bp_report_release(report);
  return entries;
}

nb::tuple transfer_stats(nb::handle src, nb::handle dst) {
  const bp_device a = device_of(src), b = device_of(dst);
  bp_transfer_stats s{};
  s.struct_size = sizeof s;
  call_unlocked([&](bp_error** err) { return bp_transfer_get_stats(a, b, &s, err); });
  return nb::make_tuple(s.bytes, s.n_copies, s.n_waits, s.n_fallbacks);
}

// Python notes a signal, and handles it when its main thread asks.
bp_status handle_signals(void*, bp_error** err) {
  return run_python(err, [] {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  });
}

}  // namespace

void bind_runtime(nb::module_& m) {
  call([](bp_error** err) { return bp_set_wait_callback(handle_signals, nullptr, err); });
  m.attr("version") = bp_version();
  m.def("init", init);
  m.def("shutdown", [] { call_unlocked([](bp_error** err) { return bp_shutdown(-1, err); }); });
  m.def(
      "set_num_threads",
      [](int32_t n) { call_unlocked([&](bp_error** err) { return bp_set_num_threads(n, err); }); },
      "Sets how many threads an op on the CPU takes; fewer than 1 raises an error.\n\n"
      ">>> bp.set_num_threads(bp.get_num_threads())");
  m.def(
      "get_num_threads", [] { return bp_get_num_threads(); },
      "Returns how many threads an op on the CPU takes.\n\n>>> bp.get_num_threads() >= 1\nTrue");
  m.def("set_matmul_precision", [](int32_t precision) {
    call([&](bp_error** err) { return bp_set_matmul_precision(precision, err); });
  });
  m.def("get_matmul_precision", [] { return bp_get_matmul_precision(); });
  m.def("memory_stats", memory_stats);
  m.def("memory_reset_peak", [](nb::handle device) {
    const bp_device d = device_of(device);
    call_unlocked([&](bp_error** err) { return bp_memory_reset_peak(d, err); });
  });
  m.def("memory_trim", [](nb::handle device) {
    const bp_device d = device_of(device);
    call_unlocked([&](bp_error** err) { return bp_memory_trim(d, err); });
  });
  m.def("memory_set_limit", [](nb::handle device, uint64_t bytes) {
    const bp_device d = device_of(device);
    call_unlocked([&](bp_error** err) { return bp_memory_set_limit(d, bytes, err); });
  });
  m.def("transfer_stats", transfer_stats,
        "(bytes, copies, copies that were waited for, ops that ran on the cpu instead) from one "
        "device to another.");
  m.def("set_fallback",
        [](int32_t policy) { call([&](bp_error** err) { return bp_set_fallback(policy, err); }); });
  m.def("get_fallback", [] {
    bp_fallback policy = BP_FALLBACK_INHERIT;
    call([&](bp_error** err) { return bp_fallback_get(&policy, err); });
    return policy;
  });
  m.def("fallback_push", [](int32_t policy) {
    uint64_t token = 0;
    call([&](bp_error** err) { return bp_fallback_push(policy, &token, err); });
    return token;
  });
  m.def("fallback_pop",
        [](uint64_t token) { call([&](bp_error** err) { return bp_fallback_pop(token, err); }); });
  m.def(
      "waits",
      [](nb::handle device) {
        const bp_device d = device_of(device);
        uint64_t n = 0;
        call_unlocked([&](bp_error** err) { return bp_device_get_waits(d, &n, err); });
        return n;
      },
      "How often a caller stood still until work of the device was done.");
  m.def("load_report", load_report, "Every backend file that was seen, and how far it came.");
}

}  // namespace bp_py
