// SPDX-License-Identifier: Apache-2.0
// launches.cc: kernels: what they need, what a launch may ask for, and the launch.
#include <algorithm>
#include <cstring>

#include "card.h"
#include "kernels.h"
#include "runtime.h"

namespace cuda_machine {
namespace {

const Card& card(const Runtime& r) { return *find_card(r.options.capability); }

// Registers of PTX are many; ptxas needs no more than let the kernel's largest block run.
int registers(const machine::EntryInfo& e) {
  const uint32_t most = static_cast<uint32_t>(kRegistersPerUnit) / std::max(e.max_threads, 32u);
  return static_cast<int>(std::clamp(e.registers, 16u, std::min(most, 255u)));
}

uint64_t most_dynamic_shared(Kernel& k, const machine::EntryInfo& e) {
  const auto chosen = k.most_dynamic_shared.find(Runtime::current_ordinal());
  const uint64_t plain =
      kSharedPerBlock - std::min<uint64_t>(e.static_shared_bytes, kSharedPerBlock);
  return chosen == k.most_dynamic_shared.end() ? plain : chosen->second;
}

void check_shape(Kernel& k, const machine::EntryInfo& e, dim3 blocks, dim3 threads,
                 size_t shared_bytes) {
  const auto triple = [](dim3 d) {
    return std::to_string(d.x) + "x" + std::to_string(d.y) + "x" + std::to_string(d.z);
  };
  const uint64_t n = uint64_t{threads.x} * threads.y * threads.z;
  if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0 || blocks.x > INT32_MAX || blocks.y > 65535 ||
      blocks.z > 65535)
    refuse(cudaErrorInvalidConfiguration, triple(blocks) + " blocks");
  if (n == 0 || n > 1024 || threads.x > 1024 || threads.y > 1024 || threads.z > 64)
    refuse(cudaErrorInvalidConfiguration, "blocks of " + triple(threads) + " threads");
  if (n > e.max_threads)
    refuse(cudaErrorInvalidValue, "blocks of " + std::to_string(n) +
                                      " threads of a kernel that was compiled for " +
                                      std::to_string(e.max_threads));
  if (const uint64_t most = most_dynamic_shared(k, e); shared_bytes > most)
    refuse(cudaErrorInvalidValue, std::to_string(shared_bytes) +
                                      " bytes of shared memory, of which it may have " +
                                      std::to_string(most));
  if (e.parameter_bytes > kMostParameterBytes)
    refuse(cudaErrorInvalidValue, std::to_string(e.parameter_bytes) + " bytes of parameters");
}

void launch(Runtime& r, const void* function, dim3 blocks, dim3 threads, void** args,
            size_t shared_bytes, cudaStream_t handle) {
  Kernel& k = kernel(function);
  const machine::EntryInfo& e = entry(k);
  const auto s = r.stream(handle);
  if (s->device != Runtime::current_ordinal())
    refuse(cudaErrorInvalidResourceHandle,
           "a launch on device " + std::to_string(Runtime::current_ordinal()) +
               " in a stream of device " + std::to_string(s->device));
  check_shape(k, e, blocks, threads, shared_bytes);
  if (r.strikes(r.launches, r.options.fail_launch))
    refuse(cudaErrorLaunchOutOfResources, "CUDA_MACHINE_FAIL_LAUNCH");
  std::vector<std::byte> parameters(e.parameter_bytes);
  for (size_t i = 0; i < e.parameters.size(); ++i)
    std::memcpy(parameters.data() + e.parameters[i].offset, args[i], e.parameters[i].bytes);
  const bool fails = r.strikes(r.kernels, r.options.fail_kernel);
  machine::Launch l;
  l.module = k.file->module.get();
  l.entry = &e;
  l.device = s->device;
  l.blocks = {blocks.x, blocks.y, blocks.z};
  l.threads = {threads.x, threads.y, threads.z};
  l.shared_bytes = static_cast<uint32_t>(shared_bytes);
  l.seed = r.options.seed + r.launches;
  l.fail_at = r.options.fail_instruction;
  l.workers = static_cast<int>(r.options.workers);
  l.reaches = [&r](int device, int owner) { return r.reaches(device, owner); };
  r.enqueue(
      *s, e.name, 0, [&r, l, fails, parameters = std::move(parameters)](const Ticket& ticket) {
        if (fails)
          throw machine::Fault(machine::kIllegalAddress,
                               "kernel " + demangled(l.entry->name) + ": CUDA_MACHINE_FAIL_KERNEL");
        machine::Launch now = l;
        now.parameters = parameters.data();
        if (r.hazards->on())
          now.touches = [&](uint64_t address, bool writes) {
            r.hazards->touch(*r.memory, ticket, address, 1, writes);
          };
        machine::run(*r.memory, now);
      });
}

int blocks_per_unit(Runtime& r, const void* function, int threads, size_t shared_bytes) {
  Kernel& k = kernel(function);
  const machine::EntryInfo& e = entry(k);
  if (threads <= 0)
    refuse(cudaErrorInvalidValue, "blocks of " + std::to_string(threads) + " threads");
  if (static_cast<uint32_t>(threads) > e.max_threads || shared_bytes > most_dynamic_shared(k, e))
    return 0;
  const Card& c = card(r);
  const int warps = (threads + kWarp - 1) / kWarp;
  const uint64_t shared = e.static_shared_bytes + shared_bytes + c.shared_reserved;
  int n = std::min(c.blocks_per_unit, c.threads_per_unit / (warps * kWarp));
  n = std::min(n, kRegistersPerUnit / (registers(e) * warps * kWarp));
  if (shared)
    n = static_cast<int>(std::min<uint64_t>(static_cast<uint64_t>(n), c.shared_per_unit / shared));
  return n;
}

}  // namespace
}  // namespace cuda_machine

using namespace cuda_machine;

extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 blocks, dim3 threads, void** args,
                             size_t shared_bytes, cudaStream_t stream) {
  return call(kDevice, [&](Runtime& r) {
    launch(r, function, blocks, threads, args, shared_bytes, stream);
  });
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 blocks, dim3 threads, void** args,
                               size_t shared_bytes, cudaStream_t stream) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), blocks, threads, args,
                          shared_bytes, stream);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, const void* function) {
  return call(kDevice, [&](Runtime& r) {
    Kernel& k = kernel(function);
    const machine::EntryInfo& e = entry(k);
    *out = {};
    out->sharedSizeBytes = e.static_shared_bytes;
    out->localSizeBytes = e.local_bytes;
    out->maxThreadsPerBlock = static_cast<int>(e.max_threads);
    out->numRegs = registers(e);
    out->ptxVersion = 75;  // the machine form is compiled for compute_75
    out->binaryVersion = static_cast<int>(r.options.capability);
    out->maxDynamicSharedSizeBytes = static_cast<int>(most_dynamic_shared(k, e));
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return call(kDevice, [&](Runtime& r) {
    Kernel& k = kernel(function);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return;  // the others are hints
    const uint64_t most = card(r).shared_per_block_by_choice, own = entry(k).static_shared_bytes;
    if (value < 0 || static_cast<uint64_t>(value) + own > most)
      refuse(cudaErrorInvalidValue, std::to_string(value) + " bytes of shared memory besides " +
                                        std::to_string(own) + ", of " + std::to_string(most));
    k.most_dynamic_shared[Runtime::current_ordinal()] = static_cast<uint64_t>(value);
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, size_t shared_bytes,
                                                                   unsigned) {
  return call(kDevice,
              [&](Runtime& r) { *blocks = blocks_per_unit(r, function, threads, shared_bytes); });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                                shared_bytes, 0);
}
}
