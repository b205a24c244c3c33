// SPDX-License-Identifier: Apache-2.0
// A library with NCCL's names, numbers and checks, whose ranks meet in the simulated accelerator's
// streams as a card's do: an exchange holds the stream of a rank until it has begun on all others,
// sums in the order of the ranks, and is given up when its communicator is aborted. INCOMPLETE:
// without ncclGroupEnd.
//
// Besides, for tests: what was called, its version, and what the next call of a function answers
// with.
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "kit/number.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum { SUCCESS = 0, INVALID_ARGUMENT = 4, INVALID_USAGE = 5, IN_PROGRESS = 7, UNHANDLED = 1 };
enum { SUM = 0, AVG = 4 };
enum { I8 = 0, U8 = 1, I32 = 2, U32 = 3, I64 = 4, U64 = 5, F16 = 6, F32 = 7, F64 = 8, BF16 = 9 };

// As plugins/sim says.
struct Port {
  int (*enqueue)(Port* self, void (*run)(const void* data), const void* data, uint64_t bytes);
  void* stream;
};

// One exchange. Guarded by `mutex`.
struct Meeting {
  int type, op;
  size_t count;
  std::vector<void*> data;  // by rank
  size_t n_here = 0;
  bool done = false, given_up = false;
};
struct Clique {
  size_t n_ranks;
  std::list<Meeting> meetings;
};
struct Rank {
  std::shared_ptr<Clique> clique;
  size_t rank;
  int device;
};
struct Call {
  Rank* rank;
  void* data;
  size_t count;
  int type, op;
  Port* stream;
};

std::mutex mutex;
std::condition_variable changed;
std::map<std::string, int> next_answer;
std::list<std::shared_ptr<Clique>> cliques;  // for ever: a rank's work may outlive an abort
std::atomic<int> threads_inside{0};
int ranks = 0, made = 0, exchanges = 0, aborted = 0, overlaps = 0, version = 22105, async_error = 0,
    unsettled = 0;
thread_local int depth = 0;
thread_local std::vector<Call> group;

int answer(const char* function) {
  const auto found = next_answer.find(function);
  if (found == next_answer.end()) return SUCCESS;
  const int status = found->second;
  next_answer.erase(found);
  return status;
}

template <class T>
void sum(const Meeting& m) {
  using Sum = std::conditional_t<std::is_same_v<T, bp_kit::F16> || std::is_same_v<T, bp_kit::BF16>,
                                 float, T>;
  for (size_t i = 0; i < m.count; ++i) {
    Sum all{};
    for (const void* p : m.data)
      all = static_cast<Sum>(all + bp_kit::convert<Sum>(static_cast<const T*>(p)[i]));
    if constexpr (std::is_floating_point_v<Sum>)
      if (m.op == AVG) all *= static_cast<Sum>(1.0 / static_cast<double>(m.data.size()));
    for (void* p : m.data) static_cast<T*>(p)[i] = bp_kit::convert<T>(all);
  }
}

void sum_all(const Meeting& m) {
  switch (m.type) {
    case I8: return sum<int8_t>(m);
    case U8: return sum<uint8_t>(m);
    case I32: return sum<int32_t>(m);
    case U32: return sum<uint32_t>(m);
    case I64: return sum<int64_t>(m);
    case U64: return sum<uint64_t>(m);
    case F16: return sum<bp_kit::F16>(m);
    case BF16: return sum<bp_kit::BF16>(m);
    case F32: return sum<float>(m);
    default: return sum<double>(m);
  }
}

// In a stream of each rank.
void meet(const void* data) {
  Meeting* m = nullptr;
  std::memcpy(&m, data, sizeof m);
  std::unique_lock lock(mutex);
  if (++m->n_here == m->data.size() && !m->given_up) {
    sum_all(*m);
    m->done = true;
    changed.notify_all();
  }
  changed.wait(lock, [m] { return m->done || m->given_up; });
}

int leave(Rank* r, bool by_abort) {
  const std::lock_guard lock(mutex);
  if (by_abort) {
    ++aborted;
    for (Meeting& m : r->clique->meetings) m.given_up = m.given_up || !m.done;
    changed.notify_all();
  }
  --ranks;
  delete r;
  return SUCCESS;
}

[[maybe_unused]] int launch(const std::vector<Call>& calls) {
  Clique& clique = *calls[0].rank->clique;
  if (calls.size() != clique.n_ranks) return INVALID_USAGE;  // the others would be waited for
  Meeting* m = nullptr;
  {
    const std::lock_guard lock(mutex);
    ++exchanges;
    m = &clique.meetings.emplace_back(Meeting{calls[0].type, calls[0].op, calls[0].count, {}});
    m->data.resize(calls.size());
    for (const Call& c : calls) {
      if (c.rank->clique.get() != &clique || m->data[c.rank->rank] || c.type != m->type ||
          c.op != m->op || c.count != m->count)
        return INVALID_ARGUMENT;
      m->data[c.rank->rank] = c.data;
    }
  }
  for (const Call& c : calls)
    if (c.stream->enqueue(c.stream, meet, &m, sizeof m)) return UNHANDLED;
  return SUCCESS;
}

}  // namespace

EXPORT int ncclGetVersion(int* out) {
  *out = version;
  return SUCCESS;
}
EXPORT const char* ncclGetErrorString(int status) {
  return status == UNHANDLED       ? "unhandled cuda error"
         : status == INVALID_USAGE ? "invalid usage"
                                   : "another status";
}
EXPORT const char* ncclGetLastError(void*) { return "the fake's last words\nand more"; }

EXPORT int ncclCommInitAll(void** out, int n, const int* devices) {
  const std::lock_guard lock(mutex);
  if (const int status = answer("ncclCommInitAll")) return status;
  if (n < 2 || !devices) return INVALID_ARGUMENT;
  for (int i = 1; i < n; ++i)
    // what the core sorts, so that a set has one communicator
    if (devices[i] <= devices[i - 1]) return INVALID_USAGE;
  const auto clique = cliques.emplace_back(new Clique{static_cast<size_t>(n), {}});
  for (int i = 0; i < n; ++i) out[i] = new Rank{clique, static_cast<size_t>(i), devices[i]};
  ranks += n;
  ++made;
  return unsettled ? IN_PROGRESS : SUCCESS;
}
EXPORT int ncclCommDestroy(void* r) { return leave(static_cast<Rank*>(r), /*by_abort=*/false); }
EXPORT int ncclCommAbort(void* r) { return leave(static_cast<Rank*>(r), /*by_abort=*/true); }
EXPORT int ncclCommGetAsyncError(void*, int* status) {
  const std::lock_guard lock(mutex);
  *status = unsettled > 0 && unsettled-- ? static_cast<int>(IN_PROGRESS) : async_error;
  return answer("ncclCommGetAsyncError");
}

EXPORT int ncclGroupStart() {
  const std::lock_guard lock(mutex);
  if (const int status = answer("ncclGroupStart")) return status;
  if (depth++ == 0 && threads_inside++) ++overlaps;
  return SUCCESS;
}
EXPORT int ncclAllReduce(const void* from, void* to, size_t count, int type, int op, void* rank,
                         Port* stream) {
  const std::lock_guard lock(mutex);
  if (const int status = answer("ncclAllReduce")) return status;
  if (depth == 0) return INVALID_USAGE;
  if (from != to || count == 0 || type < I8 || type > BF16 || (op != SUM && op != AVG))
    return INVALID_ARGUMENT;
  if ((type == BF16 || op == AVG) && version < 21000) return INVALID_ARGUMENT;
  if (op == AVG && type < F16) return INVALID_ARGUMENT;  // it would be rounded; nobody asks for it
  group.push_back({static_cast<Rank*>(rank), to, count, type, op, stream});
  return SUCCESS;
}
#ifndef INCOMPLETE
EXPORT int ncclGroupEnd() {
  if (depth == 0) return INVALID_USAGE;
  if (--depth) return SUCCESS;
  std::this_thread::yield();
  --threads_inside;
  const std::vector<Call> calls = std::move(group);
  group.clear();
  {
    const std::lock_guard lock(mutex);
    if (const int status = answer("ncclGroupEnd")) return status;
  }
  return calls.empty() ? SUCCESS : launch(calls);
}
#endif

EXPORT int fake_ranks() { return ranks; }          // that were not given back
EXPORT int fake_made() { return made; }            // communicators, ever
EXPORT int fake_exchanges() { return exchanges; }  // ever
EXPORT int fake_aborted() { return aborted; }      // ranks, ever
EXPORT int fake_overlaps() { return overlaps; }    // groups of two threads at once, ever
EXPORT int fake_depth() { return depth; }          // of the thread's groups
EXPORT void fake_version(int v) { version = v; }
EXPORT void fake_async(int status) { async_error = status; }
EXPORT void fake_unsettled(int n) { unsettled = n; }
EXPORT void fake_answer(const char* function, int status) {
  const std::lock_guard lock(mutex);
  next_answer[function] = status;
}
