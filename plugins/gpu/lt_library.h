// SPDX-License-Identifier: Apache-2.0
// lt_library.h: cuBLASLt, opened at run time, and its handles, one for each stream, with plans:
// what the library chose for a product that was met before, so that a repeated call makes nothing.
//
//   LtLibrary lt;                                        // of the plugin
//   const std::string why = lt.open(host, "cuda", file); // at its first product
//   LtHandle handle;                                     // of a stream
//   return handle.multiply(lt, stream, g, err);          // the stream's device is the current one
//   handle.close();                                      // before the stream goes
#pragma once
#include <cstdint>
#include <vector>

#include "c_plugin.h"
#include "gpu/blas.h"
#include "gpu/library.h"
#include "gpu/lt_numbers.h"

namespace bp_gpu {

class LtLibrary {
 public:
  // Returns "", or why there is no library, as what follows the name in a sentence. Throws
  // std::bad_alloc only.
  std::string open(const bp_host* host, const char* kind, const Opened& file);
  bool is_open() const { return is_open_; }

 private:
  friend class LtHandle;
  friend struct LtPlan;
  using MakeFn = int (*)(void** out);
  using DropFn = int (*)(void* what);
  using SetFn = int (*)(void* what, int attribute, const void* value, size_t bytes);
  using MakeProductFn = int (*)(void** out, int compute, int scale_type);
  using MakeLayoutFn = int (*)(void** out, int type, uint64_t rows, uint64_t columns,
                               int64_t leading);
  using ChooseFn = int (*)(void* handle, void* product, void* a, void* b, void* c, void* d,
                           void* preference, int wanted, Lt::Result* results, int* found);
  using RunFn = int (*)(void* handle, void* product, const void* alpha, const void* a,
                        void* a_layout, const void* b, void* b_layout, const void* beta,
                        const void* c, void* c_layout, void* d, void* d_layout,
                        const Lt::Algorithm* algorithm, void* workspace, size_t workspace_bytes,
                        void* stream);
  using TextFn = const char* (*)(int status);

  // Returns the first function that is missing, or nullptr when none is.
  const char* resolve(void* file);

  bool is_open_ = false;
  const bp_host* host_ = nullptr;
  const char* kind_ = "";
  MakeFn create_ = nullptr, make_preference_ = nullptr;
  MakeProductFn make_product_ = nullptr;
  MakeLayoutFn make_layout_ = nullptr;
  DropFn destroy_ = nullptr, drop_product_ = nullptr, drop_layout_ = nullptr,
         drop_preference_ = nullptr;
  SetFn set_product_ = nullptr, set_layout_ = nullptr, set_preference_ = nullptr;
  ChooseFn choose_ = nullptr;
  RunFn run_ = nullptr;
  TextFn text_ = nullptr;
};

// How the library computes one product, or that it does not.
struct LtPlan {
  FusedGemm of{};  // without what differs from call to call
  uint32_t alignment[3] = {};
  bool serves = false;
  void *product = nullptr, *layout[3] = {};  // descriptors
  Lt::Algorithm algorithm{};
  size_t workspace_bytes = 0;

  // Returns 0 for success, or the status of what failed.
  int make(const LtLibrary& library, void* handle);
  void drop(const LtLibrary& library);

 private:
  int describe(const LtLibrary& library);
  int choose(const LtLibrary& library, void* handle);
};

// It is made at the stream's first such product and, like the stream, used by one thread at a time.
class LtHandle {
 public:
  // As VendorInfo::fused_gemm. Where no handle can be had, the log says so once and the stream's
  // products go another way.
  bp_status multiply(const LtLibrary& library, void* stream, FusedGemm* g, bp_error** err);
  void close();

 private:
  bool make(const LtLibrary& library);
  const LtPlan& plan(const FusedGemm& g);

  const LtLibrary* library_ = nullptr;  // the one that made it
  void* handle_ = nullptr;
  bool refused_ = false;
  std::vector<LtPlan> plans_;
  size_t last_ = 0, oldest_ = 0;  // the plan that was used last; the one that gives way next
};

}  // namespace bp_gpu
