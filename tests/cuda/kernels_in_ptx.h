// SPDX-License-Identifier: Apache-2.0
// kernels_in_ptx.h: kernels of a test, written in PTX and registered as nvcc's code would.
//
//   static const Kernels kernels(".visible .entry one(.param .u64 p) { ret; }", {"one"});
//   cudaLaunchKernel(kernels["one"], dim3(1), dim3(32), arguments, 0, stream);
#pragma once
#include <cuda_runtime_api.h>

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

class Kernels {
 public:
  Kernels(const std::string& ptx, const std::vector<std::string>& names)
      : binary_(machine::kPtxHead + ptx), handle_(__cudaRegisterFatBinary(binary_.wrapper())) {
    for (const std::string& name : names) {
      const auto [it, fresh] = functions_.try_emplace(name, '\0');
      __cudaRegisterFunction(handle_, &it->second, nullptr, it->first.c_str(), -1, nullptr, nullptr,
                             nullptr, nullptr, nullptr);
    }
    __cudaRegisterFatBinaryEnd(handle_);
  }
  ~Kernels() { __cudaUnregisterFatBinary(handle_); }
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;
  const void* operator[](const std::string& name) const { return &functions_.at(name); }

 private:
  machine::FatBinary binary_;
  void** handle_;
  std::map<std::string, char> functions_;  // by name: what its address stands for
};
