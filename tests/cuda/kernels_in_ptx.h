// SPDX-License-Identifier: Apache-2.0
// kernels_in_ptx.h: kernels of a test, written in PTX and registered as nvcc's code would.
//
//   static const Kernels kernels(".visible .entry one(.param .u64 p) { ret; }", {"one"});
//   cudaLaunchKernel(kernels["one"], dim3(1), dim3(32), arguments, 0, stream);
#pragma once
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <map>
#include <string>
#include <vector>

#include "machine/fat_binary.h"

extern "C" {
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaUnregisterFatBinary(void**);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*,
                            dim3*, int*);
}

// Whether the runtime is NVIDIA's, and what it runs on a card.
inline bool is_a_card() { return !dlsym(RTLD_DEFAULT, "cuda_machine_restart"); }

// On a card they are a library's kernels: the real runtime refuses FatBinary's short heads.
class Kernels {
 public:
  Kernels(const std::string& ptx, const std::vector<std::string>& names)
      : binary_(machine::kPtxHead + ptx),
        handle_(is_a_card() ? nullptr : __cudaRegisterFatBinary(binary_.wrapper())) {
    if (is_a_card()) {
      load(machine::kPtxHead + ptx, names);
      return;
    }
    for (const std::string& name : names) {
      const auto [it, fresh] = functions_.try_emplace(name, '\0');
      __cudaRegisterFunction(handle_, &it->second, nullptr, it->first.c_str(), -1, nullptr, nullptr,
                             nullptr, nullptr, nullptr);
    }
    __cudaRegisterFatBinaryEnd(handle_);
  }
  ~Kernels() {
    if (handle_) __cudaUnregisterFatBinary(handle_);
  }
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;
  const void* operator[](const std::string& name) const {
    const auto loaded = loaded_.find(name);
    return loaded == loaded_.end() ? &functions_.at(name) : loaded->second;
  }

 private:
  // The stand-in has not these calls, so that nothing may link to them.
  void load(const std::string& ptx, const std::vector<std::string>& names) {
    using Load = cudaError_t (*)(cudaLibrary_t*, const void*, cudaJitOption*, void**, unsigned,
                                 cudaLibraryOption*, void**, unsigned);
    using Get = cudaError_t (*)(cudaKernel_t*, cudaLibrary_t, const char*);
    cudaLibrary_t library = nullptr;
    const auto get = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "cudaLibraryGetKernel"));
    reinterpret_cast<Load>(dlsym(RTLD_DEFAULT, "cudaLibraryLoadData"))(
        &library, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
    for (const std::string& name : names) {
      cudaKernel_t kernel = nullptr;
      functions_.try_emplace(name, '\0');
      if (get(&kernel, library, name.c_str()) == cudaSuccess) loaded_[name] = kernel;
    }
    (void)cudaGetLastError();  // of those that are not there
  }

  machine::FatBinary binary_;
  void** handle_;
  std::map<std::string, const void*> loaded_;  // on a card
  std::map<std::string, char> functions_;      // by name: what its address stands for
};
