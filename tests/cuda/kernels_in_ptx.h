// SPDX-License-Identifier: Apache-2.0
// kernels_in_ptx.h: kernels of a test, written in PTX and registered as nvcc's code would.
//
//   static const Kernels kernels(".visible .entry one(.param .u64 p) { ret; }", {"one"});
//   cudaLaunchKernel(kernels["one"], dim3(1), dim3(32), arguments, 0, stream);
#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

extern "C" {
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaUnregisterFatBinary(void**);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*,
                            dim3*, int*);
}

class Kernels {
 public:
  Kernels(const std::string& ptx, const std::vector<std::string>& names) {
    const std::string text = ".version 9.0\n.target sm_75\n.address_size 64\n" + ptx;
    const Part part = {1, 0x101, sizeof(Part), text.size() + 1, 0, {}, 0};
    const Head head = {0xba55ed50, 1, sizeof(Head), sizeof part + text.size() + 1};
    image_.resize(sizeof head + head.bytes);
    std::memcpy(image_.data(), &head, sizeof head);
    std::memcpy(image_.data() + sizeof head, &part, sizeof part);
    std::memcpy(image_.data() + sizeof head + sizeof part, text.c_str(), text.size() + 1);
    wrapper_ = {0x466243b1, 1, image_.data(), nullptr};
    handle_ = __cudaRegisterFatBinary(&wrapper_);
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
  struct Head {
    uint32_t magic;
    uint16_t version, head_bytes;
    uint64_t bytes;
  };
  struct Part {
    uint16_t kind, version;
    uint32_t head_bytes;
    uint64_t bytes;
    uint32_t compressed_bytes, unused[5];
    uint64_t flags;
  };
  struct Wrapper {
    uint32_t magic, version;
    const void* data;
    void* unused;
  };
  std::vector<char> image_;
  Wrapper wrapper_{};
  void** handle_ = nullptr;
  std::map<std::string, char> functions_;  // by name: what its address stands for
};
