// SPDX-License-Identifier: Apache-2.0
// device.cc: the plugin's table, but for its kernels (gpu/plugin.cc).
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <new>

#include "c_plugin_foreign.h"
#include "gpu/fusion.h"
#include "gpu/plugin.h"
#include "kit/element.h"
#include "kit/error.h"
#include "sim.h"

namespace bp_sim {
namespace {

using bp_kit::fail;

bp_status out_of_memory(const bp_host* host, bp_error** err) {
  return fail(host, err, BP_OUT_OF_HOST_MEMORY, "sim: host memory exhausted");
}

// Nothing thrown crosses the border.
template <class F>
bp_status guarded(const bp_host* host, bp_error** err, F&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return out_of_memory(host, err);
  }
}

}  // namespace

void* reach(bp_pdev* d, const void* p) {
  if (d->memory.holds(p)) return d->memory.reach(p);
  if (!d->plugin->options.peers[d->physical]) return nullptr;
  const std::lock_guard lock(d->plugin->mutex);
  for (const bp_pdev* other : d->plugin->devices)
    if (other->memory.holds(p)) return d->reaches(*other) ? other->memory.reach(p) : nullptr;
  return nullptr;
}

namespace {

// ---- the plugin and its devices ----

void close(bp_plugin* p) { delete p; }

bp_status probe(bp_plugin* p, uint32_t* n_devices, bp_error** err) {
  p->options = Options{};
  if (const bp_status s =
          guarded(p->host, err, [&] { return read_options(p->host, &p->options, err); }))
    return s;
  if (!bp_gpu::add_kernels(p->registry)) return out_of_memory(p->host, err);
  if (const bp_status s = guarded(p->host, err, [&] { return open_libraries(p, err); })) return s;
  *n_devices = p->options.device_count;
  return BP_OK;
}

bp_status device_props(bp_plugin* p, uint32_t physical, bp_device_props* out, bp_error**) {
  out->flags = BP_PROP_SIMULATED;
  out->memory_bytes = p->options.memory_bytes;
  out->compute_major = 1;
  out->n_units = 1;
  const Options& o = p->options;
  const auto put = [physical](char* to, size_t room, const std::vector<std::string>& given,
                              const char* form, uint32_t n) {
    if (physical < given.size())
      std::snprintf(to, room, "%s", given[physical].c_str());
    else
      std::snprintf(to, room, form, n);
  };
  std::snprintf(out->name, sizeof out->name, "%s", o.name.c_str());
  put(out->uuid, sizeof out->uuid, o.uuids, "GPU-51a00000-0000-4000-8000-%012x", physical);
  put(out->pci, sizeof out->pci, o.pcis, "0000:%02x:00.0", physical + 1);
  const char* blas = p->blas.name();
  std::snprintf(out->driver, sizeof out->driver, "%s%shost threads, %d per block", blas,
                *blas ? ", " : "", p->options.block_threads);
  return BP_OK;
}

bp_status device_open(bp_plugin* p, uint32_t physical, uint64_t owner, bp_pdev** out,
                      bp_error** err) {
  return guarded(p->host, err, [&] {
    auto d = std::make_unique<bp_pdev>();
    d->plugin = p;
    d->owner = owner;
    d->physical = physical;
    if (!d->memory.open(p->options.memory_bytes))
      return fail(p->host, err, errno == ENOMEM ? BP_OUT_OF_HOST_MEMORY : BP_UNAVAILABLE,
                  "sim: the system gives no %" PRIu64 " bytes of address space: %s",
                  p->options.memory_bytes, std::strerror(errno));
    const std::lock_guard lock(p->mutex);
    p->devices.push_back(d.get());
    *out = d.release();
    return bp_status{BP_OK};
  });
}

void device_close(bp_pdev* d) {
  {
    const std::lock_guard lock(d->plugin->mutex);
    std::erase(d->plugin->devices, d);
  }
  delete d;
}

// ---- memory ----

bp_status memory_info(bp_pdev* d, uint64_t* free_bytes, uint64_t* total_bytes, bp_error**) {
  *total_bytes = d->memory.total();
  *free_bytes = d->memory.total() - d->memory.used();
  return BP_OK;
}

bp_status mem_alloc(bp_pdev* d, uint64_t bytes, void** out, bp_error** err) {
  return guarded(d->plugin->host, err, [&] {
    if (d->failure.is_set()) return d->failure.report(d->plugin->host, err);
    const Options& o = d->plugin->options;
    const bool struck = bp_plugin::strikes(d->plugin->n_allocs, o.fail_alloc, o.fail_times);
    if (void* p = struck ? nullptr : d->memory.allocate(bytes)) {
      *out = p;
      return bp_status{BP_OK};
    }
    return fail(d->plugin->host, err, BP_OUT_OF_DEVICE_MEMORY,
                "sim: cannot allocate %" PRIu64 " bytes: %" PRIu64 " of %" PRIu64 " are in use%s",
                bytes, d->memory.used(), d->memory.total(), struck ? " (SIM_FAIL_ALLOC)" : "");
  });
}

void mem_free(bp_pdev* d, void* p, uint64_t bytes) { d->memory.release(p, bytes); }

// ---- streams and events ----

bp_status stream_open(bp_pdev* d, int32_t, bp_pstream** out, bp_error** err) {
  return guarded(d->plugin->host, err, [&] { return open_stream(d, out, err); });
}

bp_status stream_query(bp_pstream* s, bp_error** err) {
  if (!is_idle(s)) return BP_NOT_READY;
  return s->device->failure.report(s->device->plugin->host, err);
}

bp_status stream_sync(bp_pstream* s, bp_error** err) {
  drain(s);
  return s->device->failure.report(s->device->plugin->host, err);
}

std::shared_ptr<Mark> latest(bp_pevent* e) {
  const std::lock_guard lock(e->mutex);
  return e->mark;
}

void await(Mark& mark) {
  std::unique_lock lock(mark.mutex);
  mark.passed.wait(lock, [&] { return mark.done; });
}

struct PassMark final : Task {
  std::shared_ptr<Mark> mark;
  explicit PassMark(std::shared_ptr<Mark> m) : mark(std::move(m)) { always = true; }
  void run() override {
    const std::lock_guard lock(mark->mutex);
    mark->ms = now_ms();
    mark->done = true;
    mark->passed.notify_all();
  }
};

struct AwaitMark final : Task {
  std::shared_ptr<Mark> mark;
  explicit AwaitMark(std::shared_ptr<Mark> m) : mark(std::move(m)) { always = true; }
  void run() override { await(*mark); }
};

// Waits for the record that came before, not for a later one.
bp_status stream_wait(bp_pstream* s, bp_pevent* e, bp_error** err) {
  return guarded(s->device->plugin->host, err, [&] {
    if (std::shared_ptr<Mark> mark = latest(e)) push<AwaitMark>(s, std::move(mark));
    return bp_status{BP_OK};
  });
}

bp_status event_open(bp_pdev* d, bp_pevent** out, bp_error** err) {
  *out = new (std::nothrow) bp_pevent{};
  if (!*out) return out_of_memory(d->plugin->host, err);
  (*out)->device = d;
  return BP_OK;
}

void event_close(bp_pevent* e) { delete e; }

bp_status event_record(bp_pevent* e, bp_pstream* s, bp_error** err) {
  return guarded(s->device->plugin->host, err, [&] {
    auto mark = std::make_shared<Mark>();
    push<PassMark>(s, mark);
    const std::lock_guard lock(e->mutex);
    e->mark = std::move(mark);
    return bp_status{BP_OK};
  });
}

bp_status event_query(bp_pevent* e, bp_error** err) {
  const std::shared_ptr<Mark> mark = latest(e);
  if (!mark) return BP_OK;
  {
    const std::lock_guard lock(mark->mutex);
    if (!mark->done) return BP_NOT_READY;
  }
  return e->device->failure.report(e->device->plugin->host, err);
}

bp_status event_sync(bp_pevent* e, bp_error** err) {
  if (const std::shared_ptr<Mark> mark = latest(e)) await(*mark);
  return e->device->failure.report(e->device->plugin->host, err);
}

bp_status event_elapsed(bp_pevent* from, bp_pevent* to, double* ms, bp_error** err) {
  const std::shared_ptr<Mark> a = latest(from), b = latest(to);
  if (!a || !b)
    return fail(from->device->plugin->host, err, BP_INVALID_ARGUMENT,
                "sim: the %s event was never recorded", a ? "second" : "first");
  await(*a);
  await(*b);
  *ms = b->ms - a->ms;
  return BP_OK;
}

// ---- work in a stream ----

struct CopyTask final : Task {
  void* dst;
  const void* src;
  uint64_t bytes, bytes_per_us;  // 0: as fast as it goes
  CopyTask(void* d, const void* s, uint64_t n, uint64_t speed)
      : dst(d), src(s), bytes(n), bytes_per_us(speed) {}
  void run() override {
    if (bytes_per_us) std::this_thread::sleep_for(std::chrono::microseconds(bytes / bytes_per_us));
    std::memmove(dst, src, bytes);
  }
};

bp_status copy(bp_pstream* s, void* dst, const void* src, uint64_t bytes, int32_t direction,
               bp_error** err) {
  const bp_host* host = s->device->plugin->host;
  return guarded(host, err, [&] {
    if (s->device->failure.is_set()) return s->device->failure.report(host, err);
    const Options& o = s->device->plugin->options;
    if (bp_plugin::strikes(s->device->plugin->n_copies, o.fail_copy, o.fail_times))
      return fail(host, err, BP_INTERNAL, "sim: copying %" PRIu64 " bytes failed (SIM_FAIL_COPY)",
                  bytes);
    void* to = direction == BP_COPY_DEVICE_TO_HOST ? dst : reach(s->device, dst);
    const void* from = direction == BP_COPY_HOST_TO_DEVICE ? src : reach(s->device, src);
    if (!to || !from)
      return fail(host, err, BP_INVALID_ARGUMENT, "sim: %s %p is no memory that device %u reaches",
                  to ? "source" : "destination", to ? src : dst, s->device->physical);
    push<CopyTask>(s, to, from, bytes, o.copy_mbs);
    return bp_status{BP_OK};
  });
}

// What a kernel with an index one too large does.
struct OverrunTask final : Task {
  char* past;
  explicit OverrunTask(const bp_arg& out) : past(static_cast<char*>(out.data)) {
    int64_t n = bp_kit::kItemBytes[out.dtype];
    for (int32_t i = 0; i < out.rank; ++i) n *= out.shape[i];
    past += n;
  }
  void run() override { *past = 0; }
};

struct HostTask final : Task {
  void (*fn)(void*);
  void* user;
  HostTask(void (*f)(void*), void* u) : fn(f), user(u) { always = true; }
  void run() override { fn(user); }
};

bp_status host_func(bp_pstream* s, void (*fn)(void*), void* user, bp_error** err) {
  return guarded(s->device->plugin->host, err, [&] {
    push<HostTask>(s, fn, user);
    return bp_status{BP_OK};
  });
}

struct KernelTask final : Task {
  bp_pstream* stream;
  Grid grid;
  bp_gpu::KernelRun kernel_run;
  KernelTask(bp_pstream* s, const bp_gpu::Shape& shape, bp_gpu::KernelRun run, const void* kernel,
             uint64_t bytes)
      : stream(s), grid(shape, kernel, bytes, s->queue->memory()), kernel_run(run) {}
  void run() override {
    bp_plugin* p = stream->device->plugin;
    if (bp_plugin::strikes(p->n_kernels, p->options.fail_kernel))
      return stream->device->failure.set("a kernel failed while it ran (SIM_FAIL_KERNEL)");
    run_kernel(*stream->crew, grid, p->options.skip_barrier, kernel_run);
  }
};

constexpr bp_peer_api kPeers = {
    .struct_size = sizeof(bp_peer_api),
    .reserved = 0,
    .reaches = [](bp_pdev* a, bp_pdev* b) -> uint32_t { return a->reaches(*b); },
};

// Plain memory of the host: a worker copies to and from any.
constexpr bp_pinned_api kPinned = {
    .struct_size = sizeof(bp_pinned_api),
    .reserved = 0,
    .alloc = [](bp_pdev* d, uint64_t bytes, void** out, bp_error** err) -> bp_status {
      const bp_host* host = d->plugin->host;
      const Options& o = d->plugin->options;
      *out = bp_plugin::strikes(d->plugin->n_pinned, o.fail_pinned, o.fail_times)
                 ? nullptr
                 : host->alloc(host->self, bytes, 64);
      return *out ? bp_status{BP_OK}
                  : fail(host, err, BP_OUT_OF_HOST_MEMORY,
                         "sim: cannot pin %" PRIu64 " bytes of host memory", bytes);
    },
    .free = [](bp_pdev* d, void* p, uint64_t) { d->plugin->host->free(d->plugin->host->self, p); },
};

// Nobody else allocates here; but addresses come back by way of other libraries.
constexpr bp_foreign_api kForeign = {
    .struct_size = sizeof(bp_foreign_api),
    .reserved = 0,
    .owns = [](bp_pdev* d, const void* p, uint64_t bytes) -> uint32_t {
      return d->memory.holds(p) && bytes <= d->memory.total() &&
             d->memory.holds(static_cast<const char*>(p) + bytes - 1);
    },
    // The host waits for its own streams.
    .sync = [](bp_pdev*, bp_error**) -> bp_status { return BP_OK; },
};

}  // namespace

const bp_plugin_api kTable = {
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
    .stream_close = close_stream,
    .stream_query = stream_query,
    .stream_sync = stream_sync,
    .stream_wait = stream_wait,
    .event_open = event_open,
    .event_close = event_close,
    .event_record = event_record,
    .event_query = event_query,
    .event_sync = event_sync,
    .event_elapsed = event_elapsed,
    .copy = copy,
    .host_func = host_func,
    .kernels = [](bp_plugin* p, const bp_kernel** records, uint32_t* count,
                  bp_error**) -> bp_status {
      *records = p->registry.records();
      *count = p->registry.count();
      return BP_OK;
    },
    .extension = [](bp_plugin* p, const char* id) -> const void* {
      if (std::strcmp(id, "bp.peer/1") == 0) return &kPeers;
      if (std::strcmp(id, BP_COLLECTIVE_ID) == 0) return collectives(p);
      if (std::strcmp(id, BP_WIDE_ID) == 0) return wide(p);
      if (std::strcmp(id, BP_FOREIGN_ID) == 0) return &kForeign;
      if (std::strcmp(id, BP_FUSE_ID) == 0) return &bp_gpu::kFuse;
      return p->options.pinned && std::strcmp(id, "bp.pinned/1") == 0 ? &kPinned : nullptr;
    },
};

}  // namespace bp_sim

namespace bp_gpu {

bp_status enqueue_kernel(bp_pstream* s, const Shape& shape, KernelRun run, const void* kernel,
                         uint64_t bytes, bp_error** err) {
  bp_plugin* p = s->device->plugin;
  return bp_sim::guarded(p->host, err, [&] {
    if (s->device->failure.is_set()) return s->device->failure.report(p->host, err);
    if (bp_plugin::strikes(p->n_launches, p->options.fail_launch, p->options.fail_times))
      return bp_kit::fail(p->host, err, BP_INTERNAL,
                          "sim: launching a kernel failed (SIM_FAIL_LAUNCH)");
    if (shape.shared_bytes > bp_sim::kMostSharedBytes)
      return bp_kit::fail(
          p->host, err, BP_INTERNAL,
          "sim: a kernel asks for %lld bytes of shared memory in a block; there are "
          "%lld at most",
          static_cast<long long>(shape.shared_bytes),
          static_cast<long long>(bp_sim::kMostSharedBytes));
    bp_sim::push<bp_sim::KernelTask>(s, s, shape, run, kernel, bytes);
    return bp_status{BP_OK};
  });
}

bp_status translate(const bp_launch& l, bp_arg* args, void** workspace, bp_error** err) {
  bp_pdev* d = l.stream->device;
  for (uint32_t i = 0; i < l.n_in + l.n_out; ++i) {
    args[i] = l.args[i];
    if (args[i].kind != BP_ARG_TENSOR || !args[i].data) continue;
    args[i].data = bp_sim::reach(d, l.args[i].data);
    if (!args[i].data)
      return bp_kit::fail(d->plugin->host, err, BP_INTERNAL,
                          "sim: operand %u at %p is no memory that device %u reaches", i,
                          l.args[i].data, d->physical);
  }
  *workspace = l.workspace ? bp_sim::reach(d, l.workspace) : nullptr;
  if (bp_plugin::strikes(d->plugin->n_calls, d->plugin->options.overrun))
    return bp_sim::guarded(d->plugin->host, err, [&] {
      bp_sim::push<bp_sim::OverrunTask>(l.stream, args[l.n_in]);
      return bp_status{BP_OK};
    });
  return BP_OK;
}

const VendorInfo& vendor() {
  static constexpr VendorInfo kInfo = {"sim",
                                       nullptr,
                                       &bp_sim::kTable,
                                       [](const bp_host* host) {
                                         auto* p = new (std::nothrow) bp_plugin{};
                                         if (p) p->host = host;
                                         return p;
                                       },
                                       bp_sim::gemm,
                                       bp_sim::has_blas,
                                       bp_sim::sort_pairs,
                                       bp_sim::convolve,
                                       bp_sim::fused_gemm};
  return kInfo;
}

}  // namespace bp_gpu
