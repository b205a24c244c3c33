// SPDX-License-Identifier: Apache-2.0
// plugin.cc: the cpu's table. The device is the machine itself; its stream is the calling thread,
// so copy, record and wait are done when they return.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <new>

#include "complex/complex.h"
#include "device/device.h"
#include "device/error.h"
#include "device/machine.h"
#include "device/memory.h"
#include "device/parallel.h"
#include "fusion/group.h"
#include "isa.h"
#include "library/blas.h"
#include "library/lapack.h"
#include "library/onednn.h"

namespace bp_cpu {
namespace {

double now_ms() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

bp_status out_of_memory(const bp_host* host, bp_error** err) {
  return fail(host, err, BP_OUT_OF_HOST_MEMORY, "cpu: host memory exhausted");
}

template <class T>
bp_status make(bp_pdev* d, T** out, bp_error** err) {
  *out = new (std::nothrow) T{};
  if (!*out) return out_of_memory(d->plugin->host, err);
  (*out)->device = d;
  return BP_OK;
}

// ---- the plugin and its device ----

void close(bp_plugin* p) {
  parallel_close(p->host);
  delete p;
}

bp_status probe(bp_plugin* p, uint32_t* n_devices, bp_error** err) {
  // Two copies of the core in one process may probe at once, and share the libraries that it opens.
  static std::mutex one_by_one;
  const std::lock_guard guard(one_by_one);
  const Isa* isa = nullptr;
  if (bp_status s = choose_isa(p->host, p->host->option(p->host->self, "isa"), &isa, err)) return s;
  p->registry.clear();
  isa->add_kernels(p->registry);
  isa_any::add_complex(p->registry);
  if (!p->registry.complete()) return out_of_memory(p->host, err);
  p->isa = isa->name;
  try {
    open_onednn(p->host);
  } catch (const std::bad_alloc&) {
    return out_of_memory(p->host, err);
  }
  allow_blas(p->host, isa->name);
  allow_lapack(p->host);
  *n_devices = 1;
  return BP_OK;
}

bp_status device_props(bp_plugin* p, uint32_t, bp_device_props* out, bp_error**) {
  out->flags = BP_PROP_HOST_MEMORY;
  out->memory_bytes = physical_memory_bytes();
  out->n_units = core_count();
  processor_name(out->name, sizeof out->name);
  const char* onednn = onednn_name();
  std::snprintf(out->driver, sizeof out->driver, "%s%s%s", onednn, *onednn ? ", " : "",
                p->isa);  // "oneDNN 2.6.3, avx512"
  return BP_OK;
}

bp_status device_open(bp_plugin* p, uint32_t, uint64_t owner, bp_pdev** out, bp_error** err) {
  *out = new (std::nothrow) bp_pdev{p, owner};
  return *out ? BP_OK : out_of_memory(p->host, err);
}

void device_close(bp_pdev* d) { delete d; }

// ---- memory ----

bp_status memory_info(bp_pdev*, uint64_t* free_bytes, uint64_t* total_bytes, bp_error**) {
  *total_bytes = physical_memory_bytes();
  *free_bytes = std::min(available_memory_bytes(), *total_bytes);
  return BP_OK;
}

bp_status mem_alloc(bp_pdev* d, uint64_t bytes, void** out, bp_error** err) {
  void* p = allocate_block(bytes);
  if (!p)
    return fail(d->plugin->host, err, BP_OUT_OF_HOST_MEMORY,
                "cpu: cannot allocate %llu bytes (the machine has %llu)",
                static_cast<unsigned long long>(bytes),
                static_cast<unsigned long long>(physical_memory_bytes()));
  *out = p;
  return BP_OK;
}

void mem_free(bp_pdev*, void* p, uint64_t bytes) { free_block(p, bytes); }

// ---- streams and events ----

bp_status stream_open(bp_pdev* d, int32_t, bp_pstream** out, bp_error** err) {
  return make(d, out, err);
}
void stream_close(bp_pstream* s) { delete s; }
bp_status stream_done(bp_pstream*, bp_error**) { return BP_OK; }
bp_status stream_wait(bp_pstream*, bp_pevent*, bp_error**) { return BP_OK; }

bp_status event_open(bp_pdev* d, bp_pevent** out, bp_error** err) { return make(d, out, err); }
void event_close(bp_pevent* e) { delete e; }
bp_status event_record(bp_pevent* e, bp_pstream*, bp_error**) {
  e->ms = now_ms();
  return BP_OK;
}
bp_status event_done(bp_pevent*, bp_error**) { return BP_OK; }
bp_status event_elapsed(bp_pevent* from, bp_pevent* to, double* ms, bp_error**) {
  *ms = to->ms - from->ms;
  return BP_OK;
}

bp_status copy(bp_pstream*, void* dst, const void* src, uint64_t bytes, int32_t, bp_error**) {
  constexpr int64_t kGrain = 1 << 20;
  parallel_for(static_cast<int64_t>(bytes), kGrain, [&](int64_t begin, int64_t end) {
    std::memmove(static_cast<char*>(dst) + begin, static_cast<const char*>(src) + begin,
                 end - begin);
  });
  return BP_OK;
}

bp_status host_func(bp_pstream*, void (*fn)(void*), void* user, bp_error**) {
  fn(user);
  return BP_OK;
}

bp_status kernels(bp_plugin* p, const bp_kernel** records, uint32_t* count, bp_error**) {
  *records = p->registry.records();
  *count = p->registry.count();
  return BP_OK;
}

const void* extension(bp_plugin*, const char* id) {
  static constexpr bp_fuse_api kFuse{sizeof(bp_fuse_api), 0, run_group, make_group, drop_group};
  return std::strcmp(id, BP_FUSE_ID) == 0 ? &kFuse : nullptr;
}

constexpr bp_plugin_api kApi = {
    .struct_size = sizeof(bp_plugin_api),
    .abi = BP_PLUGIN_ABI_MAX,
    .close = close,
    .probe = probe,
    .device_props = device_props,
    .device_open = device_open,
    .device_close = device_close,
    .memory_info = memory_info,
    .mem_alloc = mem_alloc,
    .mem_free = mem_free,
    .stream_open = stream_open,
    .stream_close = stream_close,
    .stream_query = stream_done,
    .stream_sync = stream_done,
    .stream_wait = stream_wait,
    .event_open = event_open,
    .event_close = event_close,
    .event_record = event_record,
    .event_query = event_done,
    .event_sync = event_done,
    .event_elapsed = event_elapsed,
    .copy = copy,
    .host_func = host_func,
    .kernels = kernels,
    .extension = extension,
};

bp_status open(const bp_host* host, bp_plugin** out, const bp_plugin_api** api, bp_error** err) {
  auto* p = new (std::nothrow) bp_plugin{};
  if (!p) return out_of_memory(host, err);
  p->host = host;
  parallel_open(host);
  *out = p;
  *api = &kApi;
  return BP_OK;
}

}  // namespace
}  // namespace bp_cpu

bp_status bp_plugin_query(uint32_t host_abi_min, uint32_t host_abi_max, bp_plugin_info* info) {
  info->abi_min = BP_PLUGIN_ABI_MIN;
  info->abi_max = BP_PLUGIN_ABI_MAX;
  info->kind = "cpu";
  info->version = BP_VERSION;
  info->build = "C++ " __VERSION__ " " BP_BUILD_SANITIZE;
  info->flags = BP_PLUGIN_FORK_SAFE;
  info->api_size = sizeof(bp_plugin_api);
  info->kernel_size = sizeof(bp_kernel);
  info->launch_size = sizeof(bp_launch);
  info->host_size = sizeof(bp_host);
  info->open = bp_cpu::open;
  if (host_abi_max < BP_PLUGIN_ABI_MIN || host_abi_min > BP_PLUGIN_ABI_MAX) {
    info->reason = "cpu speaks plugin ABI 1 only";
    return BP_INCOMPATIBLE;
  }
  info->abi_chosen = std::min<uint32_t>(host_abi_max, BP_PLUGIN_ABI_MAX);
  return BP_OK;
}
