// device.cu: the plugin's table over CUDA's runtime, which is linked in; the driver is opened at probe and may be missing.
#include <dlfcn.h>

#include <cstdio>
#include <new>

#include "gpu/plugin.h"
#include "kit/error.h"
#include "vendor.h"

struct bp_plugin {
  const bp_host* host = nullptr;
  bp_kit::Registry registry;
};
struct bp_pdev {
  bp_plugin* plugin = nullptr;
  int ordinal = 0;
};
struct bp_pstream {
  bp_pdev* device = nullptr;
  cudaStream_t stream = nullptr;
};
struct bp_pevent {
  bp_pdev* device = nullptr;
  cudaEvent_t event = nullptr;
  bool recorded = false;
};

namespace bp_gpu {

OnDevice::OnDevice(int device) {
  int now = 0;
  if (cudaGetDevice(&now) == cudaSuccess && now != device && cudaSetDevice(device) == cudaSuccess) before_ = now;
}
OnDevice::OnDevice(const bp_pstream* s) : OnDevice(s->device->ordinal) {}
OnDevice::~OnDevice() {
  if (before_ >= 0) cudaSetDevice(before_);
}

cudaStream_t native(const bp_pstream* s) { return s->stream; }

namespace {

using bp_kit::fail;

bp_status status_of(cudaError_t e) {
  switch (e) {
    case cudaSuccess: return BP_OK;
    case cudaErrorNotReady: return BP_NOT_READY;
    case cudaErrorMemoryAllocation: return BP_OUT_OF_DEVICE_MEMORY;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidDevice: return BP_INVALID_ARGUMENT;
    case cudaErrorNotSupported:
    case cudaErrorNoKernelImageForDevice: return BP_UNSUPPORTED;
    // These leave the context unusable.
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorDevicesUnavailable: return BP_DEVICE_LOST;
    default: return BP_INTERNAL;
  }
}

// An error that does not stick is taken off, so that the next call does not meet it again.
bp_status say(const bp_host* host, bp_error** err, cudaError_t e, const char* what) {
  const bp_status status = status_of(e);
  if (status >= 0) return status;
  cudaGetLastError();
  return fail(host, err, status, "cuda: %s: %s (%s)", what, cudaGetErrorString(e), cudaGetErrorName(e));
}

bp_status out_of_memory(const bp_host* host, bp_error** err) {
  return fail(host, err, BP_OUT_OF_HOST_MEMORY, "cuda: host memory exhausted");
}

// ---- the plugin and its devices ----

void close(bp_plugin* p) { delete p; }

// Which of driver library, driver version and device is missing.
bp_status probe(bp_plugin* p, uint32_t* n_devices, bp_error** err) {
  if (!add_kernels(p->registry)) return out_of_memory(p->host, err);
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!driver)
    return fail(p->host, err, BP_UNAVAILABLE, "the NVIDIA driver's libcuda.so.1 is not there: install the driver (%s)",
                dlerror());
  dlclose(driver);  // the runtime opens it again
  int speaks = 0, needs = 0, n = 0;
  cudaDriverGetVersion(&speaks);
  cudaRuntimeGetVersion(&needs);
  const cudaError_t e = cudaGetDeviceCount(&n);
  if (e == cudaErrorInsufficientDriver)
    return fail(p->host, err, BP_UNAVAILABLE, "the NVIDIA driver serves CUDA %d.%d, this plugin needs %d.%d: update the driver",
                speaks / 1000, speaks % 1000 / 10, needs / 1000, needs % 1000 / 10);
  if (e == cudaErrorNoDevice) {
    cudaGetLastError();
    *n_devices = 0;
    return BP_OK;
  }
  if (e != cudaSuccess) return say(p->host, err, e, "counting devices");
  *n_devices = static_cast<uint32_t>(n);
  return BP_OK;
}

bp_status device_props(bp_plugin* p, uint32_t physical, bp_device_props* out, bp_error** err) {
  cudaDeviceProp props{};
  const int ordinal = static_cast<int>(physical);
  if (const cudaError_t e = cudaGetDeviceProperties(&props, ordinal)) return say(p->host, err, e, "asking a device");
  int driver = 0;
  cudaDriverGetVersion(&driver);
  out->memory_bytes = props.totalGlobalMem;
  out->compute_major = props.major;
  out->compute_minor = props.minor;
  out->n_units = props.multiProcessorCount;
  std::snprintf(out->name, sizeof out->name, "%.127s", props.name);
  const auto* b = reinterpret_cast<const unsigned char*>(props.uuid.bytes);
  std::snprintf(out->uuid, sizeof out->uuid, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
  std::snprintf(out->pci, sizeof out->pci, "%04x:%02x:%02x.0", props.pciDomainID, props.pciBusID, props.pciDeviceID);
  std::snprintf(out->driver, sizeof out->driver, "CUDA %d.%d", driver / 1000, driver % 1000 / 10);
  return BP_OK;
}

bp_status device_open(bp_plugin* p, uint32_t physical, uint64_t, bp_pdev** out, bp_error** err) {
  const OnDevice here(static_cast<int>(physical));
  if (const cudaError_t e = cudaFree(nullptr)) return say(p->host, err, e, "starting the device");
  *out = new (std::nothrow) bp_pdev{p, static_cast<int>(physical)};
  return *out ? BP_OK : out_of_memory(p->host, err);
}

void device_close(bp_pdev* d) { delete d; }

// ---- memory ----

bp_status memory_info(bp_pdev* d, uint64_t* free_bytes, uint64_t* total_bytes, bp_error** err) {
  const OnDevice here(d->ordinal);
  size_t left = 0, total = 0;
  const cudaError_t e = cudaMemGetInfo(&left, &total);
  *free_bytes = left;
  *total_bytes = total;
  return say(d->plugin->host, err, e, "asking for the memory in use");
}

bp_status mem_alloc(bp_pdev* d, uint64_t bytes, void** out, bp_error** err) {
  const OnDevice here(d->ordinal);
  return say(d->plugin->host, err, cudaMalloc(out, bytes), "allocating memory");
}

void mem_free(bp_pdev* d, void* p, uint64_t) {
  const OnDevice here(d->ordinal);
  cudaFree(p);
}

// ---- streams and events ----

bp_status stream_open(bp_pdev* d, int32_t priority, bp_pstream** out, bp_error** err) {
  const OnDevice here(d->ordinal);
  auto* s = new (std::nothrow) bp_pstream{d};
  if (!s) return out_of_memory(d->plugin->host, err);
  if (const cudaError_t e = cudaStreamCreateWithPriority(&s->stream, cudaStreamNonBlocking, priority)) {
    delete s;
    return say(d->plugin->host, err, e, "opening a stream");
  }
  *out = s;
  return BP_OK;
}

void stream_close(bp_pstream* s) {
  const OnDevice here(s);
  cudaStreamDestroy(s->stream);
  delete s;
}

bp_status stream_query(bp_pstream* s, bp_error** err) {
  const OnDevice here(s);
  return say(s->device->plugin->host, err, cudaStreamQuery(s->stream), "asking a stream");
}

bp_status stream_sync(bp_pstream* s, bp_error** err) {
  const OnDevice here(s);
  return say(s->device->plugin->host, err, cudaStreamSynchronize(s->stream), "waiting for a stream");
}

bp_status stream_wait(bp_pstream* s, bp_pevent* e, bp_error** err) {
  const OnDevice here(s);
  return say(s->device->plugin->host, err, cudaStreamWaitEvent(s->stream, e->event, 0), "waiting for an event");
}

bp_status event_open(bp_pdev* d, bp_pevent** out, bp_error** err) {
  const OnDevice here(d->ordinal);
  auto* e = new (std::nothrow) bp_pevent{d};
  if (!e) return out_of_memory(d->plugin->host, err);
  if (const cudaError_t error = cudaEventCreate(&e->event)) {
    delete e;
    return say(d->plugin->host, err, error, "making an event");
  }
  *out = e;
  return BP_OK;
}

void event_close(bp_pevent* e) {
  const OnDevice here(e->device->ordinal);
  cudaEventDestroy(e->event);
  delete e;
}

bp_status event_record(bp_pevent* e, bp_pstream* s, bp_error** err) {
  const OnDevice here(s);
  e->recorded = true;
  return say(s->device->plugin->host, err, cudaEventRecord(e->event, s->stream), "recording an event");
}

bp_status event_query(bp_pevent* e, bp_error** err) {
  const OnDevice here(e->device->ordinal);
  return say(e->device->plugin->host, err, cudaEventQuery(e->event), "asking an event");
}

bp_status event_sync(bp_pevent* e, bp_error** err) {
  const OnDevice here(e->device->ordinal);
  return say(e->device->plugin->host, err, cudaEventSynchronize(e->event), "waiting for an event");
}

bp_status event_elapsed(bp_pevent* from, bp_pevent* to, double* ms, bp_error** err) {
  const bp_host* host = from->device->plugin->host;
  if (!from->recorded || !to->recorded)
    return fail(host, err, BP_INVALID_ARGUMENT, "cuda: the %s event was never recorded", from->recorded ? "second" : "first");
  const OnDevice here(from->device->ordinal);
  if (const cudaError_t e = cudaEventSynchronize(from->event)) return say(host, err, e, "waiting for an event");
  if (const cudaError_t e = cudaEventSynchronize(to->event)) return say(host, err, e, "waiting for an event");
  float n = 0;
  const cudaError_t e = cudaEventElapsedTime(&n, from->event, to->event);
  *ms = n;
  return say(host, err, e, "timing events");
}

// ---- work in a stream ----

bp_status copy(bp_pstream* s, void* dst, const void* src, uint64_t bytes, int32_t direction, bp_error** err) {
  const OnDevice here(s);
  const cudaMemcpyKind kind = direction == BP_COPY_HOST_TO_DEVICE   ? cudaMemcpyHostToDevice
                              : direction == BP_COPY_DEVICE_TO_HOST ? cudaMemcpyDeviceToHost
                                                                    : cudaMemcpyDefault;  // maybe another device's
  return say(s->device->plugin->host, err, cudaMemcpyAsync(dst, src, bytes, kind, s->stream), "copying");
}

bp_status host_func(bp_pstream* s, void (*fn)(void*), void* user, bp_error** err) {
  const OnDevice here(s);
  return say(s->device->plugin->host, err, cudaLaunchHostFunc(s->stream, fn, user), "queueing a callback");
}

bp_status kernels(bp_plugin* p, const bp_kernel** records, uint32_t* count, bp_error**) {
  *records = p->registry.records();
  *count = p->registry.count();
  return BP_OK;
}

// Without peer access the driver stages the copy itself.
constexpr bp_peer_api kPeers = {sizeof(bp_peer_api), 0, [](bp_pdev*, bp_pdev*) -> uint32_t { return 1; }};

const void* extension(bp_plugin*, const char* id) { return std::strcmp(id, "bp.peer/1") == 0 ? &kPeers : nullptr; }

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

bp_status launched(const bp_launch& l, bp_error** err) {
  const cudaError_t e = cudaGetLastError();
  return e == cudaSuccess ? BP_OK : say(l.stream->device->plugin->host, err, e, "launching a kernel");
}

const VendorInfo& vendor() {
  static constexpr VendorInfo info = {"cuda", "CUDA_VISIBLE_DEVICES", &kTable, [](const bp_host* host) {
                                        auto* p = new (std::nothrow) bp_plugin{};
                                        if (p) p->host = host;
                                        return p;
                                      }};
  return info;
}

}  // namespace bp_gpu
