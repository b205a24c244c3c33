// SPDX-License-Identifier: Apache-2.0
#include "device/parallel.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>
#ifndef BP_THREADS_STD
#include <omp.h>
#include <sys/auxv.h>
#endif

namespace bp_cpu {
namespace {

// The host, when one is open. Of several, each may close at any time, and they are asked under the
// lock.
std::atomic<const bp_host*> only_host{nullptr};
// A forked child has none of its parent's threads, and libgomp would wait for them for ever, so
// threads that we start serve it.
std::atomic<bool> forked{false};
thread_local bool inside = false;

std::mutex& hosts_lock() {
  static std::mutex m;
  return m;
}
std::vector<const bp_host*>& hosts() {
  static std::vector<const bp_host*> v;
  return v;
}

void hosts_changed() {
  only_host.store(hosts().size() == 1 ? hosts()[0] : nullptr, std::memory_order_release);
}

int32_t fewest_threads() {
  std::lock_guard guard(hosts_lock());
  int32_t fewest = hosts().empty() ? 1 : INT32_MAX;
  for (const bp_host* host : hosts()) fewest = std::min(fewest, host->num_threads(host->self));
  return fewest;
}

struct Inside {
  Inside() { inside = true; }
  ~Inside() { inside = false; }
};

struct Cut {
  int64_t n, parts;
  int64_t at(int64_t i) const { return n / parts * i + std::min(i, n % parts); }
};

void run_std(Cut cut, ParallelBody body, void* context) {
  std::vector<std::thread> threads;
  threads.reserve(cut.parts);
  int64_t started = 1;
  try {
    for (; started < cut.parts; ++started)
      threads.emplace_back([=] {
        Inside scope;
        body(context, cut.at(started), cut.at(started + 1));
      });
  } catch (const std::system_error&) {
    // No more threads can be started, so this one does the rest.
  }
  {
    Inside scope;
    body(context, 0, cut.at(1));
    if (started < cut.parts) body(context, cut.at(started), cut.n);
  }
  for (auto& t : threads) t.join();
}

#ifndef BP_THREADS_STD
// LLVM's OpenMP loads what OMP_TOOL_LIBRARIES and INTEL_LIBITTNOTIFY64 name, when it is first
// entered, also in a program with rights that its caller lacks, where that would be the caller's
// code.
bool serves_here() {
#ifdef __clang__
  static const bool privileged = getauxval(AT_SECURE) != 0;
  if (privileged) return false;
#endif
  return !forked.load(std::memory_order_relaxed);
}

void run_openmp(Cut cut, ParallelBody body, void* context) {
#pragma omp parallel num_threads(static_cast <int>(cut.parts))
  {
    // The team may be smaller than what was asked for.
    Inside scope;
    for (int64_t i = omp_get_thread_num(); i < cut.parts; i += omp_get_num_threads())
      body(context, cut.at(i), cut.at(i + 1));
  }
}
#endif

}  // namespace

void parallel_open(const bp_host* host) {
  static const int watched = pthread_atfork(nullptr, nullptr, [] {
    forked.store(true, std::memory_order_relaxed);
    new (&hosts_lock()) std::mutex;  // a thread that the child does not have may hold the other
  });
  static_cast<void>(watched);
  std::lock_guard guard(hosts_lock());
  hosts().push_back(host);
  hosts_changed();
}

void parallel_close(const bp_host* host) {
  std::lock_guard guard(hosts_lock());
  auto& open = hosts();
  open.erase(std::remove(open.begin(), open.end(), host), open.end());
  hosts_changed();
}

bool forked_child() { return forked.load(std::memory_order_relaxed); }

int32_t max_threads() {
  if (inside) return 1;
  const bp_host* host = only_host.load(std::memory_order_acquire);
  return std::max(1, host ? host->num_threads(host->self) : fewest_threads());
}

void parallel_run(int64_t n, int64_t grain, ParallelBody body, void* context) {
  int64_t parts = std::min<int64_t>(max_threads(), n / std::max<int64_t>(grain, 1));
  if (parts <= 1) return body(context, 0, n);
#ifndef BP_THREADS_STD
  if (serves_here()) return run_openmp({n, parts}, body, context);
#endif
  run_std({n, parts}, body, context);
}

}  // namespace bp_cpu
