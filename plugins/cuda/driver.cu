// SPDX-License-Identifier: Apache-2.0
// driver.cu: card_driver.h by CUDA's runtime, which is linked in; the driver is opened at probe.
#include <dlfcn.h>

#include <cstdio>

#include "gpu/card_driver.h"
#include "kit/error.h"

namespace bp_gpu {

using bp_kit::fail;

bp_status start(const bp_host* host, uint32_t* n_cards, bp_error** err) {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!driver)
    return fail(host, err, BP_UNAVAILABLE,
                "the NVIDIA driver's libcuda.so.1 is not there: install the driver (%s)",
                dlerror());
  dlclose(driver);  // the runtime opens it again
  int speaks = 0, needs = 0, n = 0;
  cudaDriverGetVersion(&speaks);
  cudaRuntimeGetVersion(&needs);
  const cudaError_t e = cudaGetDeviceCount(&n);
  if (e == cudaErrorInsufficientDriver)
    return fail(host, err, BP_UNAVAILABLE,
                "the NVIDIA driver serves CUDA %d.%d, this plugin needs %d.%d: update the driver",
                speaks / 1000, speaks % 1000 / 10, needs / 1000, needs % 1000 / 10);
  if (e == cudaErrorNoDevice) {
    cudaGetLastError();
    *n_cards = 0;
    return BP_OK;
  }
  if (e != cudaSuccess) return say(host, err, e, "counting devices");
  *n_cards = static_cast<uint32_t>(n);
  return BP_OK;
}

bp_status open_card(const bp_host* host, int, bp_error** err) {
  return say(host, err, cudaFree(nullptr), "starting the device");
}

cudaError_t describe(int card, bp_device_props* out) {
  cudaDeviceProp props{};
  if (const cudaError_t e = cudaGetDeviceProperties(&props, card)) return e;
  int driver = 0;
  cudaDriverGetVersion(&driver);
  out->memory_bytes = props.totalGlobalMem;
  out->compute_major = props.major;
  out->compute_minor = props.minor;
  out->n_units = props.multiProcessorCount;
  std::snprintf(out->name, sizeof out->name, "%.127s", props.name);
  const auto* b = reinterpret_cast<const unsigned char*>(props.uuid.bytes);
  std::snprintf(out->uuid, sizeof out->uuid,
                "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0],
                b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
                b[14], b[15]);
  std::snprintf(out->pci, sizeof out->pci, "%04x:%02x:%02x.0", props.pciDomainID, props.pciBusID,
                props.pciDeviceID);
  std::snprintf(out->driver, sizeof out->driver, "CUDA %d.%d", driver / 1000, driver % 1000 / 10);
  return cudaSuccess;
}

cudaError_t pin(void** out, size_t bytes) {
  return cudaHostAlloc(out, bytes, cudaHostAllocPortable);
}
void unpin(void* p) { cudaFreeHost(p); }

cudaError_t card_of(const void* p, int* card) {
  cudaPointerAttributes a{};
  const cudaError_t e = cudaPointerGetAttributes(&a, p);
  *card = a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged ? a.device : -1;
  return e;
}

bp_status status_of_own(cudaError_t e) {
  switch (e) {
    case cudaErrorNoKernelImageForDevice: return BP_UNSUPPORTED;
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorUnknown:  // of a card that fell off the bus
    case cudaErrorDevicesUnavailable: return BP_DEVICE_LOST;
    default: return BP_INTERNAL;
  }
}

}  // namespace bp_gpu
