// SPDX-License-Identifier: Apache-2.0
#include "library/blas.h"

#include <dlfcn.h>

#include <atomic>
#include <climits>
#include <cstdio>
#include <cstring>

#include "device/error.h"
#include "library/blas_pool.h"

namespace bp_cpu {
namespace {

// The Fortran interface is the one that every BLAS has: column-major, arguments by reference,
// lengths of strings last.
using DgemmFn = void (*)(const char*, const char*, const int*, const int*, const int*,
                         const double*, const double*, const int*, const double*, const int*,
                         const double*, double*, const int*, size_t, size_t);
using Text = char* (*)();

struct Library {
  DgemmFn dgemm = nullptr;
  BlasPool pool;
  char name[32] = "";
};
Library library;  // written at probe, which the host serialises
std::atomic<bool> in_use{false};

template <class F>
F symbol(void* handle, const char* name) {
  return reinterpret_cast<F>(dlsym(handle, name));
}

// The length of the first n words: "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH" is more than a name.
size_t words(const char* text, int n) {
  const char* p = text;
  while (*p && (*p != ' ' || --n > 0)) ++p;
  return static_cast<size_t>(p - text);
}

bool load() {
  if (library.dgemm) return true;
  for (const char* file : {"libopenblas.so.0", "libblis.so.4", "libblas.so.3"}) {
    void* handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!handle) continue;
    library.dgemm = symbol<DgemmFn>(handle, "dgemm_");
    if (!library.dgemm) continue;
    library.pool.find(handle);
    std::snprintf(library.name, sizeof library.name, "%s", file);
    if (const auto config = symbol<Text>(handle, "openblas_get_config"))
      std::snprintf(library.name, sizeof library.name, "%.*s", static_cast<int>(words(config(), 2)),
                    config());
    return true;
  }
  return false;
}

}  // namespace

void open_blas(const bp_host* host, const char* isa) {
  const char* option = host->option(host->self, "blas");
  const bool off = option && !std::strcmp(option, "off");
  // Measured against OpenBLAS 0.3.21's AVX-512 kernels: ours are as fast, and need no second pool
  // of threads.
  const bool needed = std::strcmp(isa, "avx512") != 0;
  const bool found = needed && !off && load();
  if (needed && !found)
    log(host, 1, "cpu: BLAS %s: f64 matmul uses built-in kernels",
        off ? "is switched off" : "not found (libopenblas.so.0, libblis.so.4, libblas.so.3)");
  in_use.store(found, std::memory_order_release);
}

const char* blas_name() { return has_blas() ? library.name : ""; }

bool has_blas() { return in_use.load(std::memory_order_acquire); }

bool blas_dgemm(const Dgemm& g, int32_t threads) {
  for (int64_t size : {g.m, g.n, g.k, g.lda, g.ldb, g.ldc})
    if (size > INT_MAX) return false;
  const int m = static_cast<int>(g.m), n = static_cast<int>(g.n), k = static_cast<int>(g.k);
  const int lda = static_cast<int>(g.lda), ldb = static_cast<int>(g.ldb),
            ldc = static_cast<int>(g.ldc);
  const double one = 1, zero = 0;
  const PoolSize scope(library.pool, threads);
  // What is row-major here is column-major there: c' = b' a'.
  library.dgemm(&g.trans_b, &g.trans_a, &n, &m, &k, &one, g.b, &ldb, g.a, &lda, &zero, g.c, &ldc, 1,
                1);
  return true;
}

}  // namespace bp_cpu
