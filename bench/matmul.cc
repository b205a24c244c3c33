// SPDX-License-Identifier: Apache-2.0
// matmul.cc: square f32 products next to oneDNN and OpenBLAS, whose C functions are called
// directly, into memory that is already there.
#include <dlfcn.h>

#include "case.h"
#include "peer.h"
#include "tensor.h"

namespace bench {
namespace {

// as in oneapi/dnnl/dnnl.h and cblas.h
using DnnlSgemm = int (*)(char, char, int64_t, int64_t, int64_t, float, const float*, int64_t,
                          const float*, int64_t, float, float*, int64_t);
using CblasSgemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*,
                            int, float, float*, int);
enum { kCblasRowMajor = 101, kCblasNoTrans = 111 };
// on larger sizes its threads and OpenMP's fight for the cores, which says nothing
constexpr int64_t kLargestForBlas = 64;

struct Rivals {
  DnnlSgemm dnnl = nullptr;
  CblasSgemm openblas = nullptr;
};

Rivals open_rivals(int threads) {
  Rivals r;
  void* dnnl = dlopen("libdnnl.so.3", RTLD_NOW | RTLD_LOCAL);  // the one that the cpu opens
  if (!dnnl) dnnl = dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (dnnl) r.dnnl = reinterpret_cast<DnnlSgemm>(dlsym(dnnl, "dnnl_sgemm"));
  if (void* h = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL)) {
    r.openblas = reinterpret_cast<CblasSgemm>(dlsym(h, "cblas_sgemm"));
    if (auto set = reinterpret_cast<void (*)(int)>(dlsym(h, "openblas_set_num_threads")))
      set(threads);
  }
  return r;
}

void matmul(Case& c, int64_t n, Rivals r) {
  TensorPtr a = ones({n, n}), b = ones({n, n}), out = ones({n, n});
  c.flops = 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  c.add("ours", [a, b, out] { check(bp_matmul_into(a.get(), b.get(), out.get(), nullptr)); });
  c.add("ours, new tensor", [a, b] {
    bp_tensor* o = nullptr;
    check(bp_matmul(a.get(), b.get(), &o, nullptr));
    bp_tensor_release(o);
  });
  const float *x = data(a), *y = data(b);
  float* z = data(out);
  if (r.dnnl)
    c.add("oneDNN", [=] {
      static_cast<void>(a), static_cast<void>(b), static_cast<void>(out);  // kept alive
      r.dnnl('N', 'N', n, n, n, 1, x, n, y, n, 0, z, n);
    });
  if (r.openblas && n <= kLargestForBlas)
    c.add("OpenBLAS", [=, m = static_cast<int>(n)] {
      static_cast<void>(a), static_cast<void>(b), static_cast<void>(out);
      r.openblas(kCblasRowMajor, kCblasNoTrans, kCblasNoTrans, m, m, m, 1, x, m, y, m, 0, z, m);
    });
  add_peer(c, "matmul", n);
}

}  // namespace

void add_matmul_cases(Cases& out, int threads) {
  const Rivals r = open_rivals(threads);
  for (int64_t n : {2, 4, 8, 16, 24, 32, 64, 128, 256, 512, 1024, 2048})
    out.push_back({"matmul", std::to_string(n) + " x " + std::to_string(n) + " f32",
                   [n, r](Case& c) { matmul(c, n, r); }});
}

}  // namespace bench
