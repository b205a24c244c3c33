// SPDX-License-Identifier: Apache-2.0
// card.h: PTX text on a real card, through the driver that is opened when it is first needed.
//
//   const card::Module module(".version 9.0 ... .visible .entry k(.param .u64 p) { ret; }");
//   const uint64_t p = card::allocate(64);
//   module.run({p, 0, 0, 0}, /*threads=*/32);      // waits for its end
//   card::to_host(words, p, 64);
//
// A call that the driver refuses throws Fault with the call, its code and what the JIT says.
#pragma once
#include <cuda.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "machine/fault.h"

namespace card {

#define CARD_TEXT(name) CARD_TEXT_OF(name)
#define CARD_TEXT_OF(name) #name
// cuda.h names newer forms of calls by macros, as cuMemAlloc, which is cuMemAlloc_v2.
#define CARD_CALL(name, ...)  \
  card::call(CARD_TEXT(name), \
             card::found<decltype(&name)>(CARD_TEXT(name)) __VA_OPT__(, ) __VA_ARGS__)

template <class F>
F found(const char* name) {
  static void* const library = [] {
    const char* chosen = std::getenv("CUDA_DRIVER");
    void* opened = dlopen(chosen ? chosen : "libcuda.so.1", RTLD_NOW);
    if (!opened)
      throw machine::Fault(machine::kLaunchFailure, std::string("no driver: ") + dlerror());
    return opened;
  }();
  void* f = dlsym(library, name);
  if (!f) throw machine::Fault(machine::kLaunchFailure, std::string("no driver: it lacks ") + name);
  return reinterpret_cast<F>(f);
}
template <class F, class... Args>
void call(const char* name, F f, Args... args) {
  const CUresult code = f(args...);
  if (code == CUDA_SUCCESS) return;
  const char* text = nullptr;
  found<decltype(&cuGetErrorName)>("cuGetErrorName")(code, &text);
  throw machine::Fault(
      static_cast<machine::Code>(code),
      std::string(name) + ": " + (text ? text : "code " + std::to_string(static_cast<int>(code))));
}

// Opens the first device for this thread, once.
inline void open() {
  static const bool opened = [] {
    CUdevice device = 0;
    CUcontext context = nullptr;
    CARD_CALL(cuInit, 0);
    CARD_CALL(cuDeviceGet, &device, 0);
    CARD_CALL(cuDevicePrimaryCtxRetain, &context, device);
    CARD_CALL(cuCtxSetCurrent, context);
    return true;
  }();
  (void)opened;
}

inline uint64_t allocate(size_t bytes) {
  CUdeviceptr p = 0;
  open();
  CARD_CALL(cuMemAlloc, &p, bytes);
  return p;
}
inline void free(uint64_t p) { CARD_CALL(cuMemFree, CUdeviceptr{p}); }
inline void to_card(uint64_t to, const void* from, size_t bytes) {
  CARD_CALL(cuMemcpyHtoD, CUdeviceptr{to}, from, bytes);
}
inline void to_host(void* to, uint64_t from, size_t bytes) {
  CARD_CALL(cuMemcpyDtoH, to, CUdeviceptr{from}, bytes);
}

class Module {
 public:
  // `plain`: what nothing reads is not optimised away.
  explicit Module(const std::string& ptx, bool plain = false) {
    open();
    std::vector<char> log(4096, '\0');
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_OPTIMIZATION_LEVEL};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size()),
                      reinterpret_cast<void*>(plain ? 0ul : 4ul)};
    try {
      CARD_CALL(cuModuleLoadDataEx, &module_, ptx.c_str(), 3u, options, values);
      CARD_CALL(cuModuleGetFunction, &function_, module_, "k");
    } catch (const machine::Fault& fault) {
      throw machine::Fault(fault.code, std::string(fault.what()) + " " + log.data());
    }
  }
  ~Module() {
    try {
      CARD_CALL(cuModuleUnload, module_);
    } catch (const machine::Fault&) {  // of a device that failed before
    }
  }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  void run(std::vector<uint64_t> parameters, uint32_t threads) const {
    size_t bytes = 8 * parameters.size();
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, parameters.data(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                     &bytes, CU_LAUNCH_PARAM_END};
    CARD_CALL(cuLaunchKernel, function_, 1u, 1u, 1u, threads, 1u, 1u, 0u, CUstream{nullptr},
              static_cast<void**>(nullptr), static_cast<void**>(extra));
    CARD_CALL(cuCtxSynchronize);
  }

 private:
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
};

}  // namespace card
