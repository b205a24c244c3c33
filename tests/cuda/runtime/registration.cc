// SPDX-License-Identifier: Apache-2.0
// registration.cc: kernels.h, and what nvcc's code calls before main() and at exit.
#include <unordered_map>
#include <vector>

#include "kernels.h"
#include "runtime.h"

namespace cuda_machine {
namespace {

struct Registry {
  std::mutex mutex;
  // Those that were unregistered stay until forget_modules(): names of kernels are theirs.
  std::vector<std::unique_ptr<FatBinary>> files;
  std::unordered_map<const void*, std::unique_ptr<Kernel>> kernels;
};
Registry& registry() {
  static auto* r = new Registry;
  return *r;
}

struct Configuration {
  dim3 blocks, threads;
  size_t shared_bytes;
  cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;

std::unique_ptr<machine::Module> module_of(const void* wrapper) {
  Options options;
  (void)read(&options);  // whoever starts the runtime says what is wrong with them
  return std::make_unique<machine::Module>(wrapper, options.capability);
}

}  // namespace

Kernel& kernel(const void* function) {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  if (const auto it = r.kernels.find(function); it != r.kernels.end()) return *it->second;
  for (const auto& [host, k] : r.kernels)
    if (k.get() == function) return *k;
  refuse(cudaErrorInvalidDeviceFunction,
         "no kernel was registered for " + hex(reinterpret_cast<uint64_t>(function)));
}

const machine::EntryInfo& entry(const Kernel& k) {
  const machine::EntryInfo* e = k.file->module->entry(k.name);
  if (!e) refuse(cudaErrorNoKernelImageForDevice, "no PTX of " + k.name);
  return *e;
}

void forget_modules() {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  std::erase_if(r.files, [](const auto& f) { return !f->wrapper; });
  for (auto& f : r.files) f->module = module_of(f->wrapper);
}

}  // namespace cuda_machine

using namespace cuda_machine;

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  auto file = std::make_unique<FatBinary>();
  file->wrapper = wrapper;
  file->module = module_of(wrapper);
  r.files.push_back(std::move(file));
  return reinterpret_cast<void**>(r.files.back().get());
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  auto* file = reinterpret_cast<FatBinary*>(handle);
  file->wrapper = nullptr;  // its library may be unloaded
  std::erase_if(r.kernels, [&](const auto& k) { return k.second->file == file; });
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  auto k = std::make_unique<Kernel>();
  k->file = reinterpret_cast<FatBinary*>(handle);
  k->name = name;
  r.kernels[host] = std::move(k);
}

// A kernel finds its variables by name; the host never asks for them.
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}

unsigned __cudaPushCallConfiguration(dim3 blocks, dim3 threads, size_t shared_bytes,
                                     cudaStream_t stream) {
  configurations.push_back({blocks, threads, shared_bytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* blocks, dim3* threads, size_t* shared_bytes,
                                       void* stream) {
  if (configurations.empty()) return remember({cudaErrorMissingConfiguration, ""});
  const Configuration c = configurations.back();
  configurations.pop_back();
  *blocks = c.blocks, *threads = c.threads, *shared_bytes = c.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = c.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* out, const void* function) {
  return call(kRuntime,
              [&](Runtime&) { *out = reinterpret_cast<cudaKernel_t>(&kernel(function)); });
}
}
