// SPDX-License-Identifier: Apache-2.0
// stand_in.cc: ROCm 6's libamdhip64 without ROCm: cards 0 and 1 are gfx90a, card 2 is a gfx1; card
// 0 reaches card 1 but not the other way round. Work is done when it is enqueued, kernels by the
// host. A launch that does not fit its code object is refused, and the error's text says why.
#include "hip/stand_in.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <utility>

#include "hip/host_kernels.h"

namespace {

constexpr int kCards = 3;
HipStandIn state;
thread_local int current = 0;

struct Block {
  size_t bytes;
  int card;
};
std::mutex launches_mutex, blocks_mutex;
std::map<const char*, Block> blocks;  // of the cards, by their first byte

struct Module {
  int card;
  CodeObject code;
  HostKernels host;
};
struct Function {
  const Module* module;
  std::string name;
  KernelCode code;
  HostKernel host;
};

// What this thread was last refused, and the error that stands for it.
thread_local std::pair<int, std::string> refused;
int refuse(int error, std::string why) { return refused = {error, std::move(why)}, error; }

// What would not work on a card, or not do what was meant; "" when all is well.
std::string fault_of(const Function& f, unsigned threads, unsigned shared_bytes) {
  constexpr uint32_t kMostLds = 64 * 1024;
  if (f.module->card != current)
    return f.name + " is of card " + std::to_string(f.module->card) + ", not of this one";
  if (threads > f.code.most_threads)
    return f.name + " is for blocks of " + std::to_string(f.code.most_threads) + " threads, not " +
           std::to_string(threads);
  if (f.code.lds_bytes + shared_bytes > kMostLds || shared_bytes > bp_sim::kMostSharedBytes)
    return f.name + " asks for " + std::to_string(shared_bytes) +
           " bytes of shared memory and has " + std::to_string(f.code.lds_bytes);
  return "";
}

}  // namespace

#define HIP extern "C" __attribute__((visibility("default")))

HIP HipStandIn* stand_in() { return &state; }

HIP const char* hipGetErrorName(int e) {
  return e == 700 ? "hipErrorIllegalAddress" : "hipErrorOther";
}
HIP const char* hipGetErrorString(int e) {
  if (e == refused.first) return refused.second.c_str();
  return e == 700 ? "an illegal memory access" : "another error";
}
HIP int hipGetLastError() { return 0; }
HIP int hipRuntimeGetVersion(int* version) { return *version = 60342134, 0; }

HIP int hipGetDeviceCount(int* n) { return *n = kCards, 0; }
HIP int hipGetDevice(int* card) { return *card = current, 0; }
HIP int hipSetDevice(int card) { return current = card, 0; }
HIP int hipDeviceGetAttribute(int* value, int attribute, int) {
  return *value = attribute == 23 ? 9 : attribute == 63 ? 104 : 0, 0;  // a major version; units
}
HIP int hipDeviceGetName(char* name, int room, int card) {
  return std::snprintf(name, static_cast<size_t>(room), "Card gfx %d", card), 0;
}
HIP int hipDeviceGetPCIBusId(char* id, int room, int card) {
  return std::snprintf(id, static_cast<size_t>(room), "0000:0%d:00.0", card), 0;
}
HIP int hipDeviceGetUuid(char* bytes, int card) {
  return std::memcpy(bytes, card == 0 ? "18f68e602d1a5e1a" : "28f68e602d1a5e1a", 16), 0;
}
HIP int hipDeviceTotalMem(size_t* bytes, int) { return *bytes = size_t{1} << 30, 0; }
// As far as the backend may know its layout: the name, and the architecture somewhere.
HIP int hipGetDevicePropertiesR0600(char* properties, int card) {
  std::strcpy(properties, "Card gfx");
  std::strcpy(properties + 1160, card == 2 ? "gfx1" : "gfx90a:sramecc+:xnack-");
  return 0;
}
HIP int hipDeviceCanAccessPeer(int* can, int from, int to) {
  ++state.asked_peers;
  return *can = from == 0 && to == 1, 0;
}
HIP int hipDeviceEnablePeerAccess(int, unsigned) { return ++state.enabled_peers, 0; }

HIP int hipHostMalloc(void** p, size_t bytes, unsigned) {
  return posix_memalign(p, 256, bytes) == 0 ? 0 : 2;  // hipErrorMemoryAllocation
}
HIP int hipHostFree(void* p) { return std::free(p), 0; }
HIP int hipMalloc(void** p, size_t bytes) {
  if (const int e = hipHostMalloc(p, bytes, 0)) return e;
  const std::lock_guard lock(blocks_mutex);
  blocks[static_cast<char*>(*p)] = {bytes, current};
  ++state.blocks;
  return 0;
}
HIP int hipFree(void* p) {
  const std::lock_guard lock(blocks_mutex);
  state.blocks -= static_cast<int>(blocks.erase(static_cast<char*>(p)));
  return hipHostFree(p);
}
HIP int hipPointerGetAttribute(void* data, int attribute, void* p) {
  const std::lock_guard lock(blocks_mutex);
  const auto next = blocks.upper_bound(static_cast<char*>(p));
  // other than the ordinal: hipErrorInvalidValue
  if (attribute != 9 || next == blocks.begin()) return 1;
  const auto& [first, block] = *std::prev(next);
  if (static_cast<char*>(p) >= first + block.bytes) return 1;
  return *static_cast<int*>(data) = block.card, 0;
}
HIP int hipMemGetInfo(size_t* left, size_t* total) { return *left = *total = size_t{1} << 30, 0; }
HIP int hipMemcpyAsync(void* to, const void* from, size_t n, int, void*) {
  return std::memmove(to, from, n), 0;
}

HIP int hipStreamCreateWithPriority(void** s, unsigned, int) { return *s = std::malloc(1), 0; }
HIP int hipStreamDestroy(void* s) { return std::free(s), 0; }
HIP int hipStreamQuery(void*) { return 0; }
HIP int hipStreamSynchronize(void*) { return 0; }
HIP int hipDeviceSynchronize() { return ++state.device_waits, 0; }
HIP int hipStreamWaitEvent(void*, void*, unsigned) { return 0; }
HIP int hipLaunchHostFunc(void*, void (*fn)(void*), void* user) { return fn(user), 0; }
HIP int hipEventCreate(void** e) { return *e = std::malloc(1), 0; }
HIP int hipEventDestroy(void* e) { return std::free(e), 0; }
HIP int hipEventRecord(void*, void*) { return 0; }
HIP int hipEventQuery(void*) { return 0; }
HIP int hipEventSynchronize(void*) { return 0; }
HIP int hipEventElapsedTime(float* ms, void*, void*) { return *ms = 1, 0; }

HIP int hipModuleLoadData(Module** module, const char* code) {
  try {
    CodeObject read(code);
    HostKernels host = host_kernels(read);
    ++state.loaded_modules;
    return *module = new Module{current, std::move(read), std::move(host)}, 0;
  } catch (const std::exception& e) {
    return refuse(200, e.what());  // hipErrorInvalidImage
  }
}
HIP int hipModuleGetFunction(Function** function, const Module* module, const char* name) {
  const auto host = module->host.find(name);
  if (host == module->host.end()) return refuse(500, "not found");  // hipErrorNotFound
  return *function = new Function{module, name, module->code.kernels.at(name), host->second}, 0;
}
HIP int hipModuleLaunchKernel(const Function* f, unsigned blocks, unsigned, unsigned,
                              unsigned threads, unsigned, unsigned, unsigned shared_bytes, void*,
                              void** parameters, void**) {
  if (const int e = state.next_error) return state.next_error = 0, e;
  if (std::string fault = fault_of(*f, threads, shared_bytes); !fault.empty())
    return refuse(1, std::move(fault));  // hipErrorInvalidValue
  run_on_host(f->host, {.blocks = blocks, .shared_bytes = shared_bytes},
              static_cast<int32_t>(threads), parameters[0]);
  const std::lock_guard lock(launches_mutex);
  state.launches.push_back(
      {current, f->module->code.machine, f->name, blocks, threads, shared_bytes});
  return 0;
}
