// SPDX-License-Identifier: Apache-2.0
#include "libraries.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <stdexcept>

namespace gpu_check {
namespace {

// cublas_api.h and library_types.h
enum { kOpN = 0, kReal16F = 2, kReal16BF = 14, kReal32F = 0, kReal64F = 1 };
enum { kCompute32F = 68, kCompute64F = 70, kDefaultAlgorithm = -1 };

constexpr char kEmptyKernel[] = R"(
.version 6.3
.target sm_75
.address_size 64
.visible .entry nothing(.param .align 8 .b8 operands[64]) { ret; }
)";

template <class F>
void find(void* library, const char* name, F* out) {
  *out = reinterpret_cast<F>(dlsym(library, name));
  if (!*out) throw std::runtime_error(fmt::format("{} is missing", name));
}

void need(int status, const char* what) {
  if (status) throw std::runtime_error(fmt::format("{} answers {}", what, status));
}

}  // namespace

Library open_library(std::span<const char* const> names) {
  Library found;
  for (const char* name : names) {
    found.handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!found.handle) {
      found.problem = dlerror();
      continue;
    }
    link_map* map = nullptr;
    if (dlinfo(found.handle, RTLD_DI_LINKMAP, &map) == 0 && map) found.path = map->l_name;
    return found;
  }
  return found;
}

struct Driver::Functions {
  int (*init)(unsigned);
  int (*device_get)(int*, int);
  int (*retain)(void**, int);
  int (*release)(int);
  int (*set_current)(void*);
  int (*stream_create)(void**, unsigned);
  int (*stream_destroy)(void*);
  int (*stream_synchronize)(void*);
  int (*copy)(unsigned long long, unsigned long long, size_t, void*);
  int (*load)(void**, const void*);
  int (*get_function)(void**, void*, const char*);
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                void**, void**);
};

Driver::Driver(int ordinal) : f_(std::make_unique<Functions>()) {
  const char* const name = "libcuda.so.1";
  const Library driver = open_library({&name, 1});
  if (!driver.handle) throw std::runtime_error(driver.problem);
  find(driver.handle, "cuInit", &f_->init);
  find(driver.handle, "cuDeviceGet", &f_->device_get);
  find(driver.handle, "cuDevicePrimaryCtxRetain", &f_->retain);
  find(driver.handle, "cuDevicePrimaryCtxRelease_v2", &f_->release);
  find(driver.handle, "cuCtxSetCurrent", &f_->set_current);
  find(driver.handle, "cuStreamCreate", &f_->stream_create);
  find(driver.handle, "cuStreamDestroy_v2", &f_->stream_destroy);
  find(driver.handle, "cuStreamSynchronize", &f_->stream_synchronize);
  find(driver.handle, "cuMemcpyDtoDAsync_v2", &f_->copy);
  find(driver.handle, "cuModuleLoadData", &f_->load);
  find(driver.handle, "cuModuleGetFunction", &f_->get_function);
  find(driver.handle, "cuLaunchKernel", &f_->launch);
  need(f_->init(0), "cuInit");
  need(f_->device_get(&device_, ordinal), "cuDeviceGet");
  need(f_->retain(&context_, device_), "cuDevicePrimaryCtxRetain");
  enter();
  constexpr unsigned kNonBlocking = 1;
  need(f_->stream_create(&stream_, kNonBlocking), "cuStreamCreate");
  void* module = nullptr;  // goes with the context
  need(f_->load(&module, kEmptyKernel), "cuModuleLoadData");
  need(f_->get_function(&kernel_, module, "nothing"), "cuModuleGetFunction");
}

// After a failure in the constructor the process ends soon, and what it held with it.
Driver::~Driver() {
  f_->stream_destroy(stream_);
  f_->release(device_);
}

void Driver::enter() const { need(f_->set_current(context_), "cuCtxSetCurrent"); }

void Driver::copy(void* to, const void* from, uint64_t bytes) const {
  enter();
  need(f_->copy(reinterpret_cast<uintptr_t>(to), reinterpret_cast<uintptr_t>(from), bytes, stream_),
       "cuMemcpyDtoDAsync");
}

void Driver::launch() const {
  const char operands[64] = {};
  void* parameters[] = {const_cast<char*>(operands)};
  need(f_->launch(kernel_, 1, 1, 1, 1, 1, 1, 0, stream_, parameters, nullptr), "cuLaunchKernel");
}

void Driver::wait() const { need(f_->stream_synchronize(stream_), "cuStreamSynchronize"); }

struct Cublas::Functions {
  int (*create)(void**);
  int (*destroy)(void*);
  int (*set_stream)(void*, void*);
  int (*get_version)(void*, int*);
  int (*gemm)(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int,
              int, const void*, void*, int, int, int, int);
};

Cublas::Cublas(const char* name, std::shared_ptr<Driver> driver)
    : driver_(std::move(driver)), f_(std::make_unique<Functions>()) {
  const Library blas = open_library({&name, 1});
  if (!blas.handle) throw std::runtime_error(blas.problem);
  find(blas.handle, "cublasCreate_v2", &f_->create);
  find(blas.handle, "cublasDestroy_v2", &f_->destroy);
  find(blas.handle, "cublasSetStream_v2", &f_->set_stream);
  find(blas.handle, "cublasGetVersion_v2", &f_->get_version);
  find(blas.handle, "cublasGemmEx", &f_->gemm);
  driver_->enter();
  need(f_->create(&handle_), "cublasCreate");
  need(f_->set_stream(handle_, driver_->stream()), "cublasSetStream");
  int version = 0;
  need(f_->get_version(handle_, &version), "cublasGetVersion");
  version_ = fmt::format("cuBLAS {} ({})", version, blas.path);
}

Cublas::~Cublas() { f_->destroy(handle_); }

void Cublas::matmul(bp_dtype dtype, int n, const void* a, const void* b, void* c) const {
  const float one = 1, zero = 0;
  const double one64 = 1, zero64 = 0;
  const bool f64 = dtype == BP_F64;
  const int type = dtype == BP_F16    ? kReal16F
                   : dtype == BP_BF16 ? kReal16BF
                   : f64              ? kReal64F
                                      : kReal32F;
  const void* alpha = f64 ? static_cast<const void*>(&one64) : &one;
  const void* beta = f64 ? static_cast<const void*>(&zero64) : &zero;
  driver_->enter();
  // Column-major, so that b' a' = (a b)'.
  need(f_->gemm(handle_, kOpN, kOpN, n, n, n, alpha, b, type, n, a, type, n, beta, c, type, n,
                f64 ? kCompute64F : kCompute32F, kDefaultAlgorithm),
       "cublasGemmEx");
}

}  // namespace gpu_check
