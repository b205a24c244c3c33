// SPDX-License-Identifier: Apache-2.0
#include "library/blas.h"

#include <atomic>
#include <climits>
#include <cstring>

#include "library/blas_pool.h"
#include "library/on_demand.h"

namespace bp_cpu {
namespace {

// The Fortran interface is the one that every BLAS has: column-major, arguments by reference,
// lengths of strings last.
using DgemmFn = void (*)(const char*, const char*, const int*, const int*, const int*,
                         const double*, const double*, const int*, const double*, const int*,
                         const double*, double*, const int*, size_t, size_t);

struct Library {
  DgemmFn dgemm = nullptr;
  BlasPool pool;

  bool open() {
    for (const char* file :
         {"libscipy_openblas.so", "libopenblas.so.0", "libblis.so.4", "libblas.so.3"}) {
      void* handle = open_library(file);
      if (!handle) continue;
      dgemm = reinterpret_cast<DgemmFn>(find_routine(handle, "dgemm_"));
      pool.find(handle);
      if (dgemm) return true;
    }
    return false;
  }
};
OnDemand<Library> library;
std::atomic<bool> allowed{false};

}  // namespace

void allow_blas(const bp_host* host, const char* isa) {
  const char* option = host->option(host->self, "blas");
  // Measured against OpenBLAS 0.3.21's AVX-512 kernels: ours are as fast, and need no second pool
  // of threads.
  allowed.store(std::strcmp(isa, "avx512") != 0 && !(option && !std::strcmp(option, "off")),
                std::memory_order_release);
}

bool has_blas() { return allowed.load(std::memory_order_acquire) && library.get(); }

bool blas_dgemm(const Dgemm& g, int32_t threads) {
  for (int64_t size : {g.m, g.n, g.k, g.lda, g.ldb, g.ldc})
    if (size > INT_MAX) return false;
  const int m = static_cast<int>(g.m), n = static_cast<int>(g.n), k = static_cast<int>(g.k);
  const int lda = static_cast<int>(g.lda), ldb = static_cast<int>(g.ldb),
            ldc = static_cast<int>(g.ldc);
  const double one = 1, zero = 0;
  const Library& blas = *library.get();
  const PoolSize scope(blas.pool, threads);
  // What is row-major here is column-major there: c' = b' a'.
  blas.dgemm(&g.trans_b, &g.trans_a, &n, &m, &k, &one, g.b, &ldb, g.a, &lda, &zero, g.c, &ldc, 1,
             1);
  return true;
}

}  // namespace bp_cpu
