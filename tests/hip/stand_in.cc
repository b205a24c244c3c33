// SPDX-License-Identifier: Apache-2.0
// stand_in.cc: ROCm 6's libamdhip64 without ROCm: cards 0 and 1 are gfx90a, card 2 is a gfx1; card
// 0 reaches card 1 but not the other way round. Work is done when it is enqueued.
#include "stand_in.h"

#include <elf.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

namespace {

constexpr int kCards = 3;
HipStandIn state;
thread_local int current = 0;

struct Block {
  size_t bytes;
  int card;
};
std::mutex blocks_mutex;
std::map<const char*, Block> blocks;  // of the cards, by their first byte

struct Module {
  int card;
  const char* code;
};
struct Function {
  Module* module;
  std::string name;
};

// Whether the ELF file's symbols have the descriptor of the kernel.
bool has_kernel(const char* code, const std::string& name) {
  const auto* elf = reinterpret_cast<const Elf64_Ehdr*>(code);
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(code + elf->e_shoff);
  for (int i = 0; i < elf->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_DYNSYM) continue;
    const char* names = code + sections[sections[i].sh_link].sh_offset;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(code + sections[i].sh_offset);
    for (uint64_t k = 0; k < sections[i].sh_size / sizeof *symbols; ++k)
      if (names + symbols[k].st_name == name + ".kd") return true;
  }
  return false;
}

}  // namespace

#define HIP extern "C" __attribute__((visibility("default")))

HIP HipStandIn* stand_in() { return &state; }

HIP const char* hipGetErrorName(int e) {
  return e == 700 ? "hipErrorIllegalAddress" : "hipErrorOther";
}
HIP const char* hipGetErrorString(int e) {
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
  if (std::memcmp(code, ELFMAG, SELFMAG) != 0) return 200;  // hipErrorInvalidImage
  ++state.loaded_modules;
  return *module = new Module{current, code}, 0;
}
HIP int hipModuleGetFunction(Function** function, Module* module, const char* name) {
  if (!has_kernel(module->code, name)) return 500;  // hipErrorNotFound
  return *function = new Function{module, name}, 0;
}
HIP int hipModuleLaunchKernel(Function* f, unsigned blocks, unsigned, unsigned, unsigned threads,
                              unsigned, unsigned, unsigned shared_bytes, void*, void** parameters,
                              void**) {
  if (const int e = state.next_error) return state.next_error = 0, e;
  if (!parameters || !parameters[0] || f->module->card != current)
    return 1;  // hipErrorInvalidValue
  const auto* elf = reinterpret_cast<const Elf64_Ehdr*>(f->module->code);
  state.launches.push_back({current, elf->e_flags & 0xff, f->name, blocks, threads, shared_bytes});
  return 0;
}
