// SPDX-License-Identifier: Apache-2.0
// card.cu: the plugin's table over a vendor's runtime, for vendors of real cards: cuda and hip.
#include <cstdio>
#include <memory>
#include <mutex>
#include <new>
#include <unordered_set>

#include "c_plugin_foreign.h"
#include "gpu/blas_library.h"
#include "gpu/card_driver.h"
#include "gpu/collective.h"
#include "gpu/dnn_library.h"
#include "gpu/fusion.h"
#include "gpu/lt_library.h"
#include "gpu/plugin.h"
#include "kit/error.h"

struct bp_plugin {
  const bp_host* host = nullptr;
  bp_kit::Registry registry;
  bp_gpu::BlasLibrary blas;
  std::once_flag blas_asked;
  bp_gpu::DnnLibrary dnn;
  std::once_flag dnn_asked;
  bp_gpu::LtLibrary lt;
  std::once_flag lt_asked;
  bool lt_relu = false;  // the library's own may be used
  bp_gpu::CollectiveLibrary collectives;
  uint32_t n_cards = 0;
  std::mutex mutex;                      // guards peers
  std::unique_ptr<signed char[]> peers;  // [from * n_cards + to]: 1 reaches, 0 does not, -1 unknown
};
struct bp_pdev {
  bp_plugin* plugin = nullptr;
  int ordinal = 0;
  std::mutex mutex{};                  // guards blocks
  std::unordered_set<void*> blocks{};  // that the core has: tensors may outlive a shutdown
};
struct bp_pstream {
  bp_pdev* device = nullptr;
  GPU(Stream_t) stream = nullptr;
  bp_gpu::BlasHandle blas{};
  bp_gpu::DnnHandle dnn{};
  bp_gpu::LtHandle lt{};
};
struct bp_pevent {
  bp_pdev* device = nullptr;
  GPU(Event_t) event = nullptr;
  bool recorded = false;
};

namespace bp_gpu {
namespace {

using bp_kit::fail;

// Makes a card the calling thread's current one until the end of the block.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    int now = 0;
    if (GPU(GetDevice)(&now) == GPU(Success) && now != device &&
        GPU(SetDevice)(device) == GPU(Success))
      before_ = now;
  }
  explicit OnDevice(const bp_pstream* s) : OnDevice(s->device->ordinal) {}
  ~OnDevice() {
    if (before_ >= 0) (void)GPU(SetDevice)(before_);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = -1;  // -1 when it already was
};

bp_status status_of(GPU(Error_t) e) {
  switch (e) {
    case GPU(Success): return BP_OK;
    case GPU(ErrorNotReady): return BP_NOT_READY;
    case GPU(ErrorMemoryAllocation): return BP_OUT_OF_DEVICE_MEMORY;
    case GPU(ErrorInvalidValue):
    case GPU(ErrorInvalidDevice): return BP_INVALID_ARGUMENT;
    case GPU(ErrorNotSupported): return BP_UNSUPPORTED;
    // These leave the context unusable.
    case GPU(ErrorIllegalAddress):
    case GPU(ErrorLaunchFailure):
    case GPU(ErrorAssert): return BP_DEVICE_LOST;
    default: return status_of_own(e);
  }
}

bp_status out_of_memory(const bp_host* host, bp_error** err) {
  return fail(host, err, BP_OUT_OF_HOST_MEMORY, "%s: host memory exhausted", kKind);
}

// ---- the plugin and its devices ----

void close(bp_plugin* p) { delete p; }

// Called at the first product, because loading takes seconds from a cold disk. May find none.
void open_blas(bp_plugin* p) {
  const LibraryFiles files = blas_files();
  if (files.names.empty()) return;
  const std::string why = p->blas.open(p->host, kKind, files.name,
                                       open_library(p->host, "blas", files.names, files.folders));
  if (!why.empty())
    bp_kit::log(p->host, 1, "%s: %s %s: matmul uses built-in kernels", kKind, files.name,
                why.c_str());
}

// Called at the first convolution, for the same reason. The library needs a BLAS, which may lie
// where it would not look itself and is found when it is open already.
void open_dnn(bp_plugin* p) {
  std::call_once(p->blas_asked, open_blas, p);
  const LibraryFiles files = dnn_files();
  const std::string why =
      p->dnn.open(p->host, kKind, open_library(p->host, "dnn", files.names, files.folders));
  if (!why.empty())
    bp_kit::log(p->host, 1, "%s: %s %s: convolutions use built-in kernels", kKind, files.name,
                why.c_str());
}

// Called at the first product with something behind it. Of a ReLU NVIDIA says "max(x, 0)", and not
// what becomes of NaN, so that it is asked for before it is used.
void open_lt(bp_plugin* p) {
  const LibraryFiles files = lt_files();
  const std::string why =
      p->lt.open(p->host, kKind, open_library(p->host, "lt", files.names, files.folders));
  if (!why.empty())
    bp_kit::log(p->host, 1, "%s: %s %s: products get their bias afterwards", kKind, files.name,
                why.c_str());
  p->lt_relu = option(p->host, "lt_relu") == "1";
}

// Opens a vendor's library at its first use. Without memory the next use tries again.
bp_status open_once(bp_plugin* p, std::once_flag* asked, void (*open)(bp_plugin*), bp_error** err) {
  try {
    std::call_once(*asked, open, p);
    return BP_OK;
  } catch (const std::bad_alloc&) {
    return out_of_memory(p->host, err);
  }
}

bp_status probe(bp_plugin* p, uint32_t* n_devices, bp_error** err) {
  if (!add_kernels(p->registry)) return out_of_memory(p->host, err);
  if (const bp_status s = start(p->host, &p->n_cards, err)) return s;
  const size_t pairs = size_t{p->n_cards} * p->n_cards;
  p->peers.reset(new (std::nothrow) signed char[pairs]);
  if (!p->peers) return out_of_memory(p->host, err);
  std::memset(p->peers.get(), -1, pairs);
  *n_devices = p->n_cards;
  return BP_OK;
}

bp_status device_props(bp_plugin* p, uint32_t physical, bp_device_props* out, bp_error** err) {
  return say(p->host, err, describe(static_cast<int>(physical), out), "asking a device");
}

bp_status device_open(bp_plugin* p, uint32_t physical, uint64_t, bp_pdev** out, bp_error** err) {
  const OnDevice here(static_cast<int>(physical));
  if (const bp_status s = open_card(p->host, static_cast<int>(physical), err)) return s;
  *out = new (std::nothrow) bp_pdev{p, static_cast<int>(physical)};
  return *out ? BP_OK : out_of_memory(p->host, err);
}

void device_close(bp_pdev* d) {
  {
    const OnDevice here(d->ordinal);
    for (void* p : d->blocks) (void)GPU(Free)(p);
  }
  delete d;
}

// ---- memory ----

bp_status memory_info(bp_pdev* d, uint64_t* free_bytes, uint64_t* total_bytes, bp_error** err) {
  const OnDevice here(d->ordinal);
  size_t left = 0, total = 0;
  const GPU(Error_t) e = GPU(MemGetInfo)(&left, &total);
  *free_bytes = left;
  *total_bytes = total;
  return say(d->plugin->host, err, e, "asking for the memory in use");
}

bp_status mem_alloc(bp_pdev* d, uint64_t bytes, void** out, bp_error** err) {
  const OnDevice here(d->ordinal);
  if (const bp_status s = say(d->plugin->host, err, GPU(Malloc)(out, bytes), "allocating memory"))
    return s;
  try {
    const std::lock_guard lock(d->mutex);
    d->blocks.insert(*out);
    return BP_OK;
  } catch (const std::bad_alloc&) {
    (void)GPU(Free)(*out);
    return out_of_memory(d->plugin->host, err);
  }
}

void mem_free(bp_pdev* d, void* p, uint64_t) {
  const OnDevice here(d->ordinal);
  {
    const std::lock_guard lock(d->mutex);
    d->blocks.erase(p);
  }
  (void)GPU(Free)(p);
}

// ---- streams and events ----

bp_status stream_open(bp_pdev* d, int32_t priority, bp_pstream** out, bp_error** err) {
  const OnDevice here(d->ordinal);
  auto* s = new (std::nothrow) bp_pstream{d};
  if (!s) return out_of_memory(d->plugin->host, err);
  if (const GPU(Error_t) e =
          GPU(StreamCreateWithPriority)(&s->stream, GPU(StreamNonBlocking), priority)) {
    delete s;
    return say(d->plugin->host, err, e, "opening a stream");
  }
  *out = s;
  return BP_OK;
}

void stream_close(bp_pstream* s) {
  const OnDevice here(s);
  s->blas.close();
  s->dnn.close();
  s->lt.close();
  (void)GPU(StreamDestroy)(s->stream);
  delete s;
}

bp_status stream_query(bp_pstream* s, bp_error** err) {
  const OnDevice here(s);
  return say(s->device->plugin->host, err, GPU(StreamQuery)(s->stream), "asking a stream");
}

bp_status stream_sync(bp_pstream* s, bp_error** err) {
  const OnDevice here(s);
  return say(s->device->plugin->host, err, GPU(StreamSynchronize)(s->stream),
             "waiting for a stream");
}

bp_status stream_wait(bp_pstream* s, bp_pevent* e, bp_error** err) {
  const OnDevice here(s);
  return say(s->device->plugin->host, err, GPU(StreamWaitEvent)(s->stream, e->event, 0),
             "waiting for an event");
}

bp_status event_open(bp_pdev* d, bp_pevent** out, bp_error** err) {
  const OnDevice here(d->ordinal);
  auto* e = new (std::nothrow) bp_pevent{d};
  if (!e) return out_of_memory(d->plugin->host, err);
  if (const GPU(Error_t) error = GPU(EventCreate)(&e->event)) {
    delete e;
    return say(d->plugin->host, err, error, "making an event");
  }
  *out = e;
  return BP_OK;
}

void event_close(bp_pevent* e) {
  const OnDevice here(e->device->ordinal);
  (void)GPU(EventDestroy)(e->event);
  delete e;
}

bp_status event_record(bp_pevent* e, bp_pstream* s, bp_error** err) {
  const OnDevice here(s);
  e->recorded = true;
  return say(s->device->plugin->host, err, GPU(EventRecord)(e->event, s->stream),
             "recording an event");
}

bp_status event_query(bp_pevent* e, bp_error** err) {
  const OnDevice here(e->device->ordinal);
  return say(e->device->plugin->host, err, GPU(EventQuery)(e->event), "asking an event");
}

bp_status event_sync(bp_pevent* e, bp_error** err) {
  const OnDevice here(e->device->ordinal);
  return say(e->device->plugin->host, err, GPU(EventSynchronize)(e->event), "waiting for an event");
}

bp_status event_elapsed(bp_pevent* from, bp_pevent* to, double* ms, bp_error** err) {
  const bp_host* host = from->device->plugin->host;
  if (!from->recorded || !to->recorded)
    return fail(host, err, BP_INVALID_ARGUMENT, "%s: the %s event was never recorded", kKind,
                from->recorded ? "second" : "first");
  const OnDevice here(from->device->ordinal);
  if (const GPU(Error_t) e = GPU(EventSynchronize)(from->event))
    return say(host, err, e, "waiting for an event");
  if (const GPU(Error_t) e = GPU(EventSynchronize)(to->event))
    return say(host, err, e, "waiting for an event");
  float n = 0;
  const GPU(Error_t) e = GPU(EventElapsedTime)(&n, from->event, to->event);
  *ms = n;
  return say(host, err, e, "timing events");
}

// ---- work in a stream ----

bp_status copy(bp_pstream* s, void* dst, const void* src, uint64_t bytes, int32_t direction,
               bp_error** err) {
  const OnDevice here(s);
  const GPU(MemcpyKind) kind = direction == BP_COPY_HOST_TO_DEVICE ? GPU(MemcpyHostToDevice)
                               : direction == BP_COPY_DEVICE_TO_HOST
                                   ? GPU(MemcpyDeviceToHost)
                                   : GPU(MemcpyDefault);  // maybe another device's
  return say(s->device->plugin->host, err, GPU(MemcpyAsync)(dst, src, bytes, kind, s->stream),
             "copying");
}

bp_status host_func(bp_pstream* s, void (*fn)(void*), void* user, bp_error** err) {
  const OnDevice here(s);
  return say(s->device->plugin->host, err, GPU(LaunchHostFunc)(s->stream, fn, user),
             "queueing a callback");
}

bp_status kernels(bp_plugin* p, const bp_kernel** records, uint32_t* count, bp_error**) {
  *records = p->registry.records();
  *count = p->registry.count();
  return BP_OK;
}

// Whether the driver lets a's card write b's memory, which it has to be told once. Without it the
// core stages the copy.
uint32_t reaches(bp_pdev* a, bp_pdev* b) {
  if (a->ordinal == b->ordinal) return 1;
  bp_plugin* p = a->plugin;
  const std::lock_guard lock(p->mutex);
  signed char& known = p->peers[size_t{p->n_cards} * static_cast<size_t>(a->ordinal) +
                                static_cast<size_t>(b->ordinal)];
  if (known < 0) {
    int can = 0;
    GPU(Error_t) e = GPU(DeviceCanAccessPeer)(&can, a->ordinal, b->ordinal);
    if (e == GPU(Success) && can) {
      const OnDevice here(a->ordinal);
      e = GPU(DeviceEnablePeerAccess)(b->ordinal, 0);
      if (e == GPU(ErrorPeerAccessAlreadyEnabled))
        e = GPU(Success);  // by another user of the runtime
    }
    (void)GPU(GetLastError)();
    known = e == GPU(Success) && can;
  }
  return static_cast<uint32_t>(known);
}
constexpr bp_peer_api kPeers = {sizeof(bp_peer_api), 0, reaches};

// The memory is of use to every device of the process, whichever asked for it.
bp_status pinned_alloc(bp_pdev* d, uint64_t bytes, void** out, bp_error** err) {
  const OnDevice here(d->ordinal);
  const GPU(Error_t) e = pin(out, bytes);
  if (status_of(e) != BP_OUT_OF_DEVICE_MEMORY)
    return say(d->plugin->host, err, e, "allocating pinned memory");
  (void)GPU(GetLastError)();
  return fail(d->plugin->host, err, BP_OUT_OF_HOST_MEMORY,
              "%s: no %llu bytes of host memory can be pinned", kKind,
              static_cast<unsigned long long>(bytes));
}
void pinned_free(bp_pdev* d, void* p, uint64_t) {
  const OnDevice here(d->ordinal);
  unpin(p);
}
constexpr bp_pinned_api kPinned = {sizeof(bp_pinned_api), 0, pinned_alloc, pinned_free};

// Other libraries use the same runtime, and so its ordinals.
uint32_t owns(bp_pdev* d, const void* p, uint64_t) {
  const OnDevice here(d->ordinal);
  int card = -1;
  const GPU(Error_t) e = card_of(p, &card);
  (void)GPU(GetLastError)();
  return e == GPU(Success) && card == d->ordinal;
}
bp_status sync_all(bp_pdev* d, bp_error** err) {
  const OnDevice here(d->ordinal);
  return say(d->plugin->host, err, GPU(DeviceSynchronize)(), "waiting for a device");
}
constexpr bp_foreign_api kForeign = {sizeof(bp_foreign_api), 0, owns, sync_all};

const void* extension(bp_plugin*, const char* id) {
  if (std::strcmp(id, "bp.peer/1") == 0) return &kPeers;
  if (std::strcmp(id, BP_COLLECTIVE_ID) == 0) return &kCollectives;
  if (std::strcmp(id, BP_WIDE_ID) == 0) return &kWide;
  if (std::strcmp(id, BP_FOREIGN_ID) == 0) return &kForeign;
  if (std::strcmp(id, BP_FUSE_ID) == 0) return &kFuse;
  return std::strcmp(id, "bp.pinned/1") == 0 ? &kPinned : nullptr;
}

constexpr bp_plugin_api kTable = {
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
    .kernels = kernels,
    .extension = extension,
};

}  // namespace

// What does not stick is taken off, so that the next call does not meet it again; "not ready" too.
bp_status say(const bp_host* host, bp_error** err, GPU(Error_t) e, const char* what) {
  const bp_status status = status_of(e);
  if (status == BP_OK) return status;
  (void)GPU(GetLastError)();
  if (status > 0) return status;
  return fail(host, err, status, "%s: %s: %s (%s)", kKind, what, GPU(GetErrorString)(e),
              GPU(GetErrorName)(e));
}

bp_status launch_run(const bp_launch& l, const void* run, const Shape& shape, const void* kernel,
                     bp_error** err) {
  const OnDevice here(l.stream);
  void* parameters[] = {const_cast<void*>(kernel)};
  const GPU(Error_t) e =
      GPU(LaunchKernel)(run, dim3(static_cast<unsigned>(shape.blocks)), dim3(kThreads), parameters,
                        static_cast<size_t>(shape.shared_bytes), l.stream->stream);
  return say(l.stream->device->plugin->host, err, e, "launching a kernel");
}

namespace {

bp_status gemm(const bp_launch& l, const Gemm& g, bp_error** err) {
  const OnDevice here(l.stream);
  bp_plugin* p = l.stream->device->plugin;
  if (const bp_status s = open_once(p, &p->blas_asked, open_blas, err)) return s;
  return l.stream->blas.gemm(p->blas, l.stream->stream, g, err);
}

bool has_blas(const bp_launch& l) {
  bp_plugin* p = l.stream->device->plugin;
  // Without memory the next product says so.
  return open_once(p, &p->blas_asked, open_blas, nullptr) == BP_OK && p->blas.is_open();
}

bp_status fused_gemm(const bp_launch& l, FusedGemm* g, bp_error** err) {
  const OnDevice here(l.stream);
  bp_plugin* p = l.stream->device->plugin;
  if (const bp_status s = open_once(p, &p->lt_asked, open_lt, err)) return s;
  if (g->relu && !p->lt_relu) return BP_UNSUPPORTED;
  return l.stream->lt.multiply(p->lt, l.stream->stream, g, err);
}

bp_status convolve(const bp_launch& l, Convolution* c, bp_error** err) {
  const OnDevice here(l.stream);
  bp_plugin* p = l.stream->device->plugin;
  if (const bp_status s = open_once(p, &p->dnn_asked, open_dnn, err)) return s;
  return l.stream->dnn.convolve(p->dnn, l.stream->stream, c, err);
}

bp_status sort_on_card(const bp_launch& l, SortPairs* s, bp_error** err) {
  const PairSort sort = pair_sort();
  if (!sort) return BP_UNSUPPORTED;
  const OnDevice here(l.stream);
  const bool asks = !s->temporary;
  const GPU(Error_t) e = sort(s, l.stream->stream);
  if (e == GPU(Success) || !asks) return say(l.stream->device->plugin->host, err, e, "sorting");
  (void)GPU(GetLastError)();
  return BP_UNSUPPORTED;  // kernels of our own will meet the same fault and tell
}

bp_status attend(const bp_launch& l, const Attention& a, bp_error** err) {
  const CardAttention of_card = card_attention();
  if (!of_card) return BP_UNSUPPORTED;
  const OnDevice here(l.stream);
  const GPU(Error_t) e = of_card(a, l.stream->stream);
  if (e == GPU(ErrorNotSupported)) return BP_UNSUPPORTED;
  return say(l.stream->device->plugin->host, err, e, "attention");
}

}  // namespace

// ---- exchanges between cards (collective.h) ----

CollectiveLibrary& collective_library(bp_pdev* d) {
  bp_plugin* p = d->plugin;
  if (!p->collectives.was_asked()) {
    const LibraryFiles files = collective_files();
    p->collectives.open(p->host, kKind, files.name,
                        open_library(p->host, "nccl", files.names, files.folders));
  }
  return p->collectives;
}

const bp_host* host_of(const bp_pdev* d) { return d->plugin->host; }

int ordinal(const bp_pdev* d) { return d->ordinal; }

void on_device(const bp_pdev* d, const std::function<void()>& body) {
  const OnDevice here(d->ordinal);
  body();
}

bp_status native(bp_pstream* s, void** stream, void**, bp_error**) {
  *stream = s->stream;
  return BP_OK;
}

const VendorInfo& vendor() {
  static constexpr VendorInfo info = {kKind,
                                      kMaskVariable,
                                      &kTable,
                                      [](const bp_host* host) {
                                        auto* p = new (std::nothrow) bp_plugin{};
                                        if (p) p->host = host;
                                        return p;
                                      },
                                      gemm,
                                      has_blas,
                                      sort_on_card,
                                      kHasDnn ? convolve : nullptr,
                                      kHasLt ? fused_gemm : nullptr,
                                      attend};
  return info;
}

}  // namespace bp_gpu
