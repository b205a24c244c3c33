// SPDX-License-Identifier: Apache-2.0
#include "runtime.h"

#include <dlfcn.h>

#include <cstdio>

#include "gpu/library.h"

namespace bp_gpu {
namespace {

void* library = nullptr;

// Without a folder the loader searches. With RTLD_NOLOAD in flags it finds what is open already.
void* open_in(const char* folder, int flags) {
  for (const char version : {'7', '6', '5'}) {
    char path[4096];
    std::snprintf(path, sizeof path, "%s%slibamdhip64.so.%c", folder ? folder : "",
                  folder ? "/lib/" : "", version);
    if (void* found = dlopen(path, RTLD_NOW | RTLD_LOCAL | flags)) return found;
  }
  return nullptr;
}

}  // namespace

bool open_runtime(const bp_host* host, const char** why_not) {
  // Two runtimes in one process do not see each other's memory, so one that is there is taken.
  if (!library) library = open_in(nullptr, RTLD_NOLOAD);
  if (const std::string root = option(host, "ROCM_PATH"); !library && !root.empty())
    library = open_in(root.c_str(), 0);
  if (!library) library = open_in("/opt/rocm", 0);
  if (!library) library = open_in(nullptr, 0);
  if (!library) *why_not = dlerror();
  return library != nullptr;
}

void* runtime_function(const char* name) { return dlsym(library, name); }

std::string runtime_folder() {
  Dl_info runtime{};
  if (!dladdr(runtime_function("hipMalloc"), &runtime) || !runtime.dli_fname) return "";
  const std::string path = runtime.dli_fname;
  const size_t end = path.rfind('/');
  return end == std::string::npos ? "" : path.substr(0, end);
}

}  // namespace bp_gpu

// One definition for each function that is called: it looks the runtime's up when first called.
#define FORWARD(name, parameters, ...)                                               \
  hipError_t name parameters {                                                       \
    static const auto function =                                                     \
        reinterpret_cast<hipError_t(*) parameters>(bp_gpu::runtime_function(#name)); \
    return function ? function(__VA_ARGS__) : hipErrorNotSupported;                  \
  }
#define FORWARD_TEXT(name)                                                              \
  const char* name(hipError_t e) {                                                      \
    static const auto function =                                                        \
        reinterpret_cast<const char* (*)(hipError_t)>(bp_gpu::runtime_function(#name)); \
    return function ? function(e) : #name " is missing";                                \
  }

FORWARD_TEXT(hipGetErrorName)
FORWARD_TEXT(hipGetErrorString)
FORWARD(hipGetLastError, ())
FORWARD(hipRuntimeGetVersion, (int* version), version)

FORWARD(hipGetDeviceCount, (int* n), n)
FORWARD(hipGetDevice, (int* device), device)
FORWARD(hipSetDevice, (int device), device)
FORWARD(hipDeviceGetAttribute, (int* value, hipDeviceAttribute_t a, int device), value, a, device)
FORWARD(hipDeviceGetName, (char* name, int room, hipDevice_t device), name, room, device)
FORWARD(hipDeviceGetPCIBusId, (char* id, int room, int device), id, room, device)
FORWARD(hipDeviceGetUuid, (hipUUID * uuid, hipDevice_t device), uuid, device)
FORWARD(hipDeviceTotalMem, (size_t * bytes, hipDevice_t device), bytes, device)
FORWARD(hipDeviceSynchronize, ())
FORWARD(hipDeviceCanAccessPeer, (int* can, int from, int to), can, from, to)
FORWARD(hipDeviceEnablePeerAccess, (int to, unsigned flags), to, flags)

FORWARD(hipMalloc, (void** p, size_t bytes), p, bytes)
FORWARD(hipFree, (void* p), p)
FORWARD(hipHostMalloc, (void** p, size_t bytes, unsigned flags), p, bytes, flags)
FORWARD(hipHostFree, (void* p), p)
FORWARD(hipPointerGetAttribute, (void* data, hipPointer_attribute a, hipDeviceptr_t p), data, a, p)
FORWARD(hipMemGetInfo, (size_t * left, size_t* total), left, total)
FORWARD(hipMemcpyAsync, (void* to, const void* from, size_t n, hipMemcpyKind kind, hipStream_t s),
        to, from, n, kind, s)

FORWARD(hipStreamCreateWithPriority, (hipStream_t * s, unsigned flags, int priority), s, flags,
        priority)
FORWARD(hipStreamDestroy, (hipStream_t s), s)
FORWARD(hipStreamQuery, (hipStream_t s), s)
FORWARD(hipStreamSynchronize, (hipStream_t s), s)
FORWARD(hipStreamWaitEvent, (hipStream_t s, hipEvent_t e, unsigned flags), s, e, flags)
FORWARD(hipLaunchHostFunc, (hipStream_t s, hipHostFn_t fn, void* user), s, fn, user)
FORWARD(hipEventCreate, (hipEvent_t * e), e)
FORWARD(hipEventDestroy, (hipEvent_t e), e)
FORWARD(hipEventRecord, (hipEvent_t e, hipStream_t s), e, s)
FORWARD(hipEventQuery, (hipEvent_t e), e)
FORWARD(hipEventSynchronize, (hipEvent_t e), e)
FORWARD(hipEventElapsedTime, (float* ms, hipEvent_t from, hipEvent_t to), ms, from, to)

FORWARD(hipModuleLoadData, (hipModule_t * module, const void* image), module, image)
FORWARD(hipModuleGetFunction, (hipFunction_t * function_, hipModule_t module, const char* name),
        function_, module, name)
FORWARD(hipModuleLaunchKernel,
        (hipFunction_t kernel, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
         unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared_bytes,
         hipStream_t s, void** parameters, void** extra),
        kernel, blocks_x, blocks_y, blocks_z, threads_x, threads_y, threads_z, shared_bytes, s,
        parameters, extra)
