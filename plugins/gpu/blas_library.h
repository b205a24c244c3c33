// SPDX-License-Identifier: Apache-2.0
// blas_library.h: a BLAS with cuBLAS's interface, opened at run time, and its handles, one for each
// stream: they share no workspace, so that streams are independent and a product's sums come out
// the same each time.
//
//   BlasLibrary blas;                          // of the plugin
//   const std::string why = blas.open(host, "cuda", "cuBLAS", file);  // at its first product
//   BlasHandle handle;                         // of a stream
//   return handle.gemm(blas, stream, g, err);  // the stream's device is the current one
//   handle.close();                            // before the stream goes
#pragma once
#include <cstdint>

#include "c_plugin.h"
#include "gpu/blas.h"
#include "gpu/blas_dialect.h"
#include "gpu/library.h"

namespace bp_gpu {

class BlasLibrary {
 public:
  // `wanted` is a dialect's name, or nullptr for any. Returns "", or why there is no library, as
  // what follows the name in a sentence. Throws std::bad_alloc only.
  std::string open(const bp_host* host, const char* kind, const char* wanted, const Opened& file);
  bool is_open() const { return dialect_ != nullptr; }
  const char* name() const { return name_; }  // "cuBLAS 13.1", "" when there is none

 private:
  friend class BlasHandle;
  using CreateFn = int (*)(void** handle);
  using DestroyFn = int (*)(void* handle);
  using SetStreamFn = int (*)(void* handle, void* stream);
  using SetMathModeFn = int (*)(void* handle, int mode);
  using GetPropertyFn = int (*)(int which, int* value);
  using TextFn = const char* (*)(int status);
  using GemmFn = int (*)(void* handle, int op_a, int op_b, int m, int n, int k, const void* alpha,
                         const void* a, int type_a, int lda, long long stride_a, const void* b,
                         int type_b, int ldb, long long stride_b, const void* beta, void* c,
                         int type_c, int ldc, long long stride_c, int count, int compute,
                         int algorithm);

  // Returns the first function that is missing, or nullptr when none is.
  const char* resolve(void* file, const BlasDialect& d);
  int multiply(void* handle, const Gemm& g, int compute) const;
  int type(bp_dtype t) const;
  int compute(const Gemm& g) const;
  bp_status fail(int status, const char* function, bp_error** err) const;

  const BlasDialect* dialect_ = nullptr;  // nullptr: there is no library
  const bp_host* host_ = nullptr;
  const char* kind_ = "";
  char name_[32] = "";
  CreateFn create_ = nullptr;
  DestroyFn destroy_ = nullptr;
  SetStreamFn set_stream_ = nullptr;
  SetMathModeFn set_math_mode_ = nullptr;
  TextFn text_ = nullptr;
  GemmFn gemm_ = nullptr;
};

// It is made at the stream's first product and, like the stream, used by one thread at a time.
class BlasHandle {
 public:
  // As VendorInfo::gemm. Where no handle can be had, the log says so once and the tree's own
  // kernels serve this stream.
  bp_status gemm(const BlasLibrary& library, void* stream, const Gemm& g, bp_error** err);
  void close();

 private:
  bool make(const BlasLibrary& library, void* stream);
  const BlasLibrary* library_ = nullptr;  // the one that made it
  void* handle_ = nullptr;
  bool refused_ = false;
};

}  // namespace bp_gpu
