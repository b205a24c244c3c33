// SPDX-License-Identifier: Apache-2.0
// driver.cc: card_driver.h by ROCm: opening it, describing cards, its errors.
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>

#include "gpu/card_driver.h"
#include "kernels.h"
#include "kit/error.h"
#include "runtime.h"

namespace bp_gpu {
namespace {

using bp_kit::fail;

// The runtime says "no device" whatever is missing; the kernel's interface tells the cases apart.
bp_status no_card(const bp_host* host, uint32_t* n_cards, bp_error** err) {
  constexpr char kInterface[] = "/dev/kfd";
  if (access(kInterface, F_OK) != 0)
    return fail(host, err, BP_UNAVAILABLE,
                "the amdgpu driver's %s is not there: load the kernel module amdgpu, or give the "
                "device to this container",
                kInterface);
  if (access(kInterface, R_OK | W_OK) != 0)
    return fail(host, err, BP_UNAVAILABLE,
                "%s may not be opened by this user: add the user to the group that owns it, which "
                "is often render",
                kInterface);
  *n_cards = 0;
  return BP_OK;
}

}  // namespace

bp_status start(const bp_host* host, uint32_t* n_cards, bp_error** err) {
  const char* why_not = "";
  if (!open_runtime(host, &why_not))
    return fail(host, err, BP_UNAVAILABLE,
                "ROCm's HIP runtime libamdhip64.so.7, .6 or .5 is not there: install it, or say "
                "where it is with ROCM_PATH (%s)",
                why_not);
  int n = 0;
  const hipError_t e = hipGetDeviceCount(&n);
  if (e == hipErrorNoDevice || (e == hipSuccess && n == 0)) return no_card(host, n_cards, err);
  if (e != hipSuccess) return say(host, err, e, "counting devices");
  *n_cards = static_cast<uint32_t>(n);
  return prepare_cards(*n_cards)
             ? BP_OK
             : fail(host, err, BP_OUT_OF_HOST_MEMORY, "%s: host memory exhausted", kKind);
}

bp_status open_card(const bp_host* host, int card, bp_error** err) {
  char built[256];
  const Architecture a = architecture(card);
  if (!has_kernels(a, built, sizeof built))
    return fail(host, err, BP_UNSUPPORTED,
                "the card is a %s, and this plugin has kernels for %s: build it with "
                "-DBP_HIP_ARCHITECTURES=%.*s",
                a.name[0] ? a.name : "gfx?", built, static_cast<int>(std::strcspn(a.name, ":")),
                a.name);
  return say(host, err, hipFree(nullptr), "starting the device");
}

hipError_t describe(int card, bp_device_props* out) {
  size_t bytes = 0;
  if (const hipError_t e = hipDeviceTotalMem(&bytes, card)) return e;
  if (const hipError_t e = hipDeviceGetName(out->name, sizeof out->name, card)) return e;
  if (const hipError_t e = hipDeviceGetPCIBusId(out->pci, sizeof out->pci, card)) return e;
  out->memory_bytes = bytes;
  (void)hipDeviceGetAttribute(&out->compute_major, hipDeviceAttributeComputeCapabilityMajor, card);
  (void)hipDeviceGetAttribute(&out->compute_minor, hipDeviceAttributeComputeCapabilityMinor, card);
  (void)hipDeviceGetAttribute(&out->n_units, hipDeviceAttributeMultiprocessorCount, card);
  if (!out->name[0]) std::snprintf(out->name, sizeof out->name, "%s", architecture(card).name);

  // As ROCR_VISIBLE_DEVICES spells it: the bytes are the text's 16 hexadecimal digits.
  hipUUID uuid{};
  const auto is_digit = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
  if (hipDeviceGetUuid(&uuid, card) == hipSuccess &&
      std::all_of(uuid.bytes, uuid.bytes + sizeof uuid.bytes, is_digit))
    std::snprintf(out->uuid, sizeof out->uuid, "GPU-%.16s", uuid.bytes);

  int version = 0;
  (void)hipRuntimeGetVersion(&version);
  std::snprintf(out->driver, sizeof out->driver, "HIP %d.%d.%d", version / 10000000,
                version / 100000 % 100, version % 100000);
  return hipSuccess;
}

hipError_t pin(void** out, size_t bytes) {
  return hipHostMalloc(out, bytes, hipHostMallocPortable);
}
void unpin(void* p) { (void)hipHostFree(p); }

// This asks for the attribute, because the struct of all attributes differs between ROCm 5 and 6.
hipError_t card_of(const void* p, int* card) {
  return hipPointerGetAttribute(card, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, const_cast<void*>(p));
}

bp_status status_of_own(hipError_t e) {
  switch (e) {
    case hipErrorNoBinaryForGpu: return BP_UNSUPPORTED;
    case hipErrorLaunchTimeOut:
    case hipErrorECCNotCorrectable:
    case hipErrorContextIsDestroyed: return BP_DEVICE_LOST;
    default: return BP_INTERNAL;
  }
}

PairSort pair_sort() { return nullptr; }
CardAttention card_attention() { return nullptr; }
LibraryFiles dnn_files() { return {}; }
LibraryFiles lt_files() { return {}; }

}  // namespace bp_gpu
