// SPDX-License-Identifier: Apache-2.0
#include "library/onednn.h"

#include <dlfcn.h>
#include <sys/auxv.h>

#include <atomic>
#include <cstdio>
#include <cstring>

#include "device/error.h"
#include "library/on_demand.h"

namespace bp_cpu {
namespace {

// As in oneapi/dnnl/dnnl.h, where it is stable since 1.0.
struct Version {
  int major, minor, patch;
};
using VersionFn = const Version* (*)();
using SgemmFn = int (*)(char, char, int64_t, int64_t, int64_t, float, const float*, int64_t,
                        const float*, int64_t, float, float*, int64_t);
using GetThreads = int (*)();
using SetThreads = void (*)(int);

struct Library {
  SgemmFn sgemm = nullptr;
  GetThreads get_threads = nullptr;
  SetThreads set_threads = nullptr;
  char name[32] = "";
};
Library library;  // written at probe, which the host serialises
std::atomic<bool> in_use{false};

bool load() {
  if (library.sgemm) return true;
  for (const char* file : {"libdnnl.so.3", "libdnnl.so.2"}) {  // the newest that is there
    void* handle = open_library(file);
    if (!handle) continue;
    const auto version = reinterpret_cast<VersionFn>(dlsym(handle, "dnnl_version"));
    // Found among the library's own dependencies; absent in builds without OpenMP, which then
    // choose for themselves.
    library.get_threads = reinterpret_cast<GetThreads>(dlsym(handle, "omp_get_max_threads"));
    library.set_threads = reinterpret_cast<SetThreads>(dlsym(handle, "omp_set_num_threads"));
    library.sgemm = reinterpret_cast<SgemmFn>(dlsym(handle, "dnnl_sgemm"));
    if (version)
      std::snprintf(library.name, sizeof library.name, "oneDNN %d.%d.%d", version()->major,
                    version()->minor, version()->patch);
    if (library.sgemm) return true;
  }
  return false;
}

}  // namespace

void open_onednn(const bp_host* host) {
  const char* option = host->option(host->self, "onednn");
  const bool off = option && !std::strcmp(option, "off");
  // It loads the profiler that INTEL_JIT_PROFILER64 or VS_PROFILER names, also in a program with
  // rights that its caller lacks, where that would be the caller's code.
  const bool privileged = getauxval(AT_SECURE) != 0;
  const bool found = !off && !privileged && load();
  if (!found)
    log(host, 1, "cpu: oneDNN %s: f32 matmul uses built-in kernels",
        off          ? "is switched off"
        : privileged ? "is not used by a program with rights that its caller lacks"
                     : "not found (libdnnl.so.3, libdnnl.so.2; Debian package libdnnl2)");
  in_use.store(found, std::memory_order_release);
}

const char* onednn_name() { return has_onednn() ? library.name : ""; }

bool has_onednn() { return in_use.load(std::memory_order_acquire); }

bool onednn_sgemm(const Sgemm& g, int32_t threads) {
  const bool set = library.get_threads && library.set_threads;
  const int before = set ? library.get_threads() : 0;
  const bool change = set && before != threads;
  if (change) library.set_threads(threads);
  const int status = library.sgemm(g.trans_a, g.trans_b, g.m, g.n, g.k, 1.0f, g.a, g.lda, g.b,
                                   g.ldb, 0.0f, g.c, g.ldc);
  if (change) library.set_threads(before);
  return status == 0;
}

}  // namespace bp_cpu
