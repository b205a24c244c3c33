// SPDX-License-Identifier: Apache-2.0
// devices.cc: counting, describing and choosing devices; who reaches whom.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "card.h"
#include "runtime.h"

namespace cuda_machine {
namespace {

cudaDeviceProp describe(Runtime& r, const Device& d) {
  const Card& card = *find_card(r.options.capability);
  cudaDeviceProp p{};
  std::snprintf(p.name, sizeof p.name, "%s",
                r.options.name.empty() ? "CUDA machine in software" : r.options.name.c_str());
  // "GPU-" and 32 digits, with dashes between.
  size_t digits = 0;
  for (const char c : d.uuid.substr(std::min<size_t>(4, d.uuid.size()))) {
    const char* kDigits = "0123456789abcdef";
    const char* at = std::strchr(kDigits, c | 0x20);
    if (c == '-' || !at || !*at || digits >= 32) continue;
    auto& byte = reinterpret_cast<unsigned char*>(p.uuid.bytes)[digits / 2];
    byte = static_cast<unsigned char>(byte << 4 | (at - kDigits));
    ++digits;
  }
  unsigned domain = 0, bus = 0, slot = 0;
  std::sscanf(d.pci.c_str(), "%x:%x:%x", &domain, &bus, &slot);
  p.pciDomainID = static_cast<int>(domain), p.pciBusID = static_cast<int>(bus);
  p.pciDeviceID = static_cast<int>(slot);
  p.totalGlobalMem = r.options.memory;
  p.major = static_cast<int>(card.capability / 10),
  p.minor = static_cast<int>(card.capability % 10);
  p.multiProcessorCount = card.units;
  p.warpSize = kWarp;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024, p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = INT32_MAX, p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.sharedMemPerBlock = kSharedPerBlock;
  p.sharedMemPerBlockOptin = card.shared_per_block_by_choice;
  p.sharedMemPerMultiprocessor = card.shared_per_unit;
  p.reservedSharedMemPerBlock = card.shared_reserved;
  p.regsPerBlock = p.regsPerMultiprocessor = kRegistersPerUnit;
  p.maxThreadsPerMultiProcessor = card.threads_per_unit;
  p.maxBlocksPerMultiProcessor = card.blocks_per_unit;
  p.totalConstMem = 64 << 10;
  p.l2CacheSize = card.l2_bytes;
  p.memPitch = INT32_MAX;
  p.textureAlignment = 512;
  p.concurrentKernels = p.unifiedAddressing = p.canMapHostMemory = p.streamPrioritiesSupported = 1;
  p.canUseHostPointerForRegisteredMem = p.ECCEnabled = p.computePreemptionSupported = 1;
  p.asyncEngineCount = 2;
  return p;
}

using P = cudaDeviceProp;
struct Attribute {
  cudaDeviceAttr id;
  int P::*number = nullptr;
  size_t P::*bytes = nullptr;
};
constexpr Attribute kAttributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, &P::maxThreadsPerBlock},
    {cudaDevAttrMaxSharedMemoryPerBlock, nullptr, &P::sharedMemPerBlock},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, nullptr, &P::sharedMemPerBlockOptin},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, nullptr, &P::sharedMemPerMultiprocessor},
    {cudaDevAttrReservedSharedMemoryPerBlock, nullptr, &P::reservedSharedMemPerBlock},
    {cudaDevAttrTotalConstantMemory, nullptr, &P::totalConstMem},
    {cudaDevAttrWarpSize, &P::warpSize},
    {cudaDevAttrMaxRegistersPerBlock, &P::regsPerBlock},
    {cudaDevAttrMaxRegistersPerMultiprocessor, &P::regsPerMultiprocessor},
    {cudaDevAttrMultiProcessorCount, &P::multiProcessorCount},
    {cudaDevAttrMaxThreadsPerMultiProcessor, &P::maxThreadsPerMultiProcessor},
    {cudaDevAttrMaxBlocksPerMultiprocessor, &P::maxBlocksPerMultiProcessor},
    {cudaDevAttrComputeCapabilityMajor, &P::major},
    {cudaDevAttrComputeCapabilityMinor, &P::minor},
    {cudaDevAttrConcurrentKernels, &P::concurrentKernels},
    {cudaDevAttrEccEnabled, &P::ECCEnabled},
    {cudaDevAttrPciBusId, &P::pciBusID},
    {cudaDevAttrPciDeviceId, &P::pciDeviceID},
    {cudaDevAttrPciDomainId, &P::pciDomainID},
    {cudaDevAttrL2CacheSize, &P::l2CacheSize},
    {cudaDevAttrUnifiedAddressing, &P::unifiedAddressing},
    {cudaDevAttrAsyncEngineCount, &P::asyncEngineCount},
    {cudaDevAttrMemoryPoolsSupported, &P::memoryPoolsSupported},
    {cudaDevAttrClusterLaunch, &P::clusterLaunch},
};

int attribute(const cudaDeviceProp& p, cudaDeviceAttr id) {
  if (id >= cudaDevAttrMaxBlockDimX && id <= cudaDevAttrMaxBlockDimZ)
    return p.maxThreadsDim[id - cudaDevAttrMaxBlockDimX];
  if (id >= cudaDevAttrMaxGridDimX && id <= cudaDevAttrMaxGridDimZ)
    return p.maxGridSize[id - cudaDevAttrMaxGridDimX];
  for (const Attribute& a : kAttributes)
    if (a.id == id) return a.number ? p.*a.number : static_cast<int>(p.*a.bytes);
  refuse(cudaErrorInvalidValue, "the machine does not know the attribute " + std::to_string(id));
}

uint64_t bit(int device) { return uint64_t{1} << device; }
bool can_reach(Runtime& r, int from, int to) {
  return from != to && (r.options.peers[r.device(from).number] >> r.device(to).number & 1) != 0;
}

}  // namespace
}  // namespace cuda_machine

using namespace cuda_machine;

extern "C" {

cudaError_t cudaDriverGetVersion(int* version) {
  return *version = static_cast<int>(runtime().options.driver), cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 0;
  return call(kRuntime, [&](Runtime& r) { *count = static_cast<int>(r.devices.size()); });
}
cudaError_t cudaGetDevice(int* device) {
  return call(kRuntime, [&](Runtime&) { *device = Runtime::current_ordinal(); });
}
cudaError_t cudaSetDevice(int device) {
  return call(kRuntime, [&](Runtime& r) {
    r.device(device);
    Runtime::current_ordinal() = device;
  });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* out, int device) {
  return call(kRuntime, [&](Runtime& r) { *out = describe(r, r.device(device)); });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr id, int device) {
  return call(kRuntime, [&](Runtime& r) { *value = attribute(describe(r, r.device(device)), id); });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call(kRuntime, [&](Runtime&) { *least = 0, *greatest = -5; });
}

cudaError_t cudaDeviceSynchronize() {
  return call(kDevice, [](Runtime& r) {
    r.synchronize(Runtime::current_ordinal());
    r.current().check();
  });
}

// Streams, events and blocks of the device end; other devices go on.
cudaError_t cudaDeviceReset() {
  return call(kRuntime, [](Runtime& r) {
    const int device = Runtime::current_ordinal();
    r.synchronize(device);
    r.forget_handles(device);
    std::set<uint64_t> blocks;
    {
      const std::lock_guard lock(r.mutex);
      blocks.swap(r.current().blocks);
    }
    for (const uint64_t b : blocks) {
      if (const machine::Block* block = r.memory->find(b)) r.hazards->forget(b, block->size);
      r.memory->release(device, b);
    }
    r.current().peers = 0;
    r.current().reset();
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int from, int to) {
  return call(kRuntime, [&](Runtime& r) { *can = can_reach(r, from, to); });
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return call(kDevice, [&](Runtime& r) {
    if (flags) refuse(cudaErrorInvalidValue, "flags must be 0");
    if (!can_reach(r, Runtime::current_ordinal(), peer))
      refuse(cudaErrorPeerAccessUnsupported, "CUDA_MACHINE_PEERS");
    if (r.current().peers.fetch_or(bit(peer)) & bit(peer))
      refuse(cudaErrorPeerAccessAlreadyEnabled, "");
  });
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call(kDevice, [&](Runtime& r) {
    r.device(peer);
    r.synchronize(Runtime::current_ordinal());
    if (!(r.current().peers.fetch_and(~bit(peer)) & bit(peer)))
      refuse(cudaErrorPeerAccessNotEnabled, "");
  });
}
}
