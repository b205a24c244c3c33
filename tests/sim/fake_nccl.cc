// SPDX-License-Identifier: Apache-2.0
// A library with NCCL's names, numbers and checks, whose ranks meet in the simulated accelerator's
// streams as a card's do: an exchange holds the stream of a rank until it has begun on all others,
// sums in the order of the ranks, and is given up when its communicator is aborted. INCOMPLETE:
// without ncclGroupEnd. NARROW: without what came with 2.14.
//
// Ranks of several processes meet in a folder that their id names, below FAKE_NCCL_FOLDER or
// /dev/shm: each exchange is a file of each rank there, which the others read. Nobody notices that
// a process is gone: the others wait until they abort.
//
// Besides, for tests: what was called, its version, and what the next call of a function answers
// with.
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kit/number.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum { SUCCESS = 0, INVALID_ARGUMENT = 4, INVALID_USAGE = 5, IN_PROGRESS = 7, UNHANDLED = 1 };
enum { SUM = 0, PROD = 1, MAX = 2, MIN = 3, AVG = 4 };
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
// The ranks of several processes, as one of them sees them.
struct Wide {
  std::string folder;
  size_t n_ranks, self;
  std::atomic<bool> given_up{false};
  size_t n_queued = 0;
  std::string file(size_t exchange, size_t rank) const {
    return folder + "/" + std::to_string(exchange) + "." + std::to_string(rank);
  }
};
struct Rank {
  std::shared_ptr<Clique> clique;  // one of the two
  size_t rank;
  int device;
  std::shared_ptr<Wide> wide{};
};
struct Call {
  Rank* rank;
  void* data;
  size_t count;
  int type, op;
  Port* stream;
};

struct Id {
  char bytes[128];
};
struct Config {
  size_t size;
  unsigned int magic, version;
  int blocking;
};

std::mutex mutex;
std::condition_variable changed;
std::map<std::string, int> next_answer;
std::list<std::shared_ptr<Clique>> cliques;  // for ever: a rank's work may outlive an abort
std::atomic<int> threads_inside{0};
std::atomic<int> ranks{0}, made{0}, exchanges{0}, aborted{0}, overlaps{0}, version{22105},
    async_error{0}, unsettled{0};
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

// ---- between processes ----

// One exchange of a rank: what it gives to all, and what it makes of what all gave.
struct WideMeeting {
  std::shared_ptr<Wide> wide;
  size_t number;
  std::vector<char> given;
  const void* from;
  size_t from_bytes;
  void (*take)(const WideMeeting& m, const std::vector<std::vector<char>>& all);
  int type = U8, op = SUM, root = -1;
  size_t count = 0;
  void* to = nullptr;
  std::vector<void*> parts{};  // of receives, by rank
  std::vector<size_t> part_bytes{};
};
// For ever: streams may still run when the process ends.
auto& wide_meetings = *new std::list<std::shared_ptr<WideMeeting>>;

size_t size_of(int type) {
  constexpr size_t kSizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
  return kSizes[type];
}

bool read_file(const std::string& name, std::vector<char>* out) {
  std::ifstream in(name, std::ios::binary);
  if (!in) return false;
  out->assign(std::istreambuf_iterator<char>(in), {});
  return true;
}
// Appears under its name when it is complete.
void write_file(const std::string& name, const void* data, size_t bytes) {
  const std::string part = name + ".part";
  std::ofstream(part, std::ios::binary)
      .write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  std::rename(part.c_str(), name.c_str());
}

// All have begun exchange `number`, so that nobody reads the files of the one before.
void meet_wide(const void* data) {
  WideMeeting* m = nullptr;
  std::memcpy(&m, data, sizeof m);
  Wide& w = *m->wide;
  std::vector<char> mine = m->given;
  const auto* from = static_cast<const char*>(m->from);
  if (from) mine.assign(from, from + m->from_bytes);
  write_file(w.file(m->number, w.self), mine.data(), mine.size());
  std::vector<std::vector<char>> all(w.n_ranks);
  for (size_t r = 0; r < w.n_ranks; ++r)
    while (!read_file(w.file(m->number, r), &all[r])) {
      if (w.given_up) return;
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  if (m->number) std::remove(w.file(m->number - 1, w.self).c_str());
  if (!w.given_up) m->take(*m, all);
}

bool all_here(const Wide& w) {
  for (size_t r = 0; r < w.n_ranks; ++r)
    for (const char* what : {"/here.", "/gone."}) {
      if (::access((w.folder + what + std::to_string(r)).c_str(), F_OK) == 0) break;
      if (what[1] == 'g') return false;
    }
  return true;
}

template <class T>
T folded(int op, T a, T b) {
  switch (op) {
    case PROD: return static_cast<T>(a * b);
    case MAX: return std::max(a, b);
    case MIN: return std::min(a, b);
    default: return static_cast<T>(a + b);
  }
}

// The reduction of `count` elements of all from place `first` on.
template <class T>
void reduce(const WideMeeting& m, const std::vector<std::vector<char>>& all, size_t first) {
  using Sum = std::conditional_t<std::is_same_v<T, bp_kit::F16> || std::is_same_v<T, bp_kit::BF16>,
                                 float, T>;
  for (size_t i = 0; i < m.count; ++i) {
    Sum result{};
    for (size_t r = 0; r < all.size(); ++r) {
      T one;
      std::memcpy(&one, all[r].data() + (first + i) * sizeof(T), sizeof one);
      result = r ? folded(m.op, result, bp_kit::convert<Sum>(one)) : bp_kit::convert<Sum>(one);
    }
    static_cast<T*>(m.to)[i] = bp_kit::convert<T>(result);
  }
}
void reduce_all(const WideMeeting& m, const std::vector<std::vector<char>>& all, size_t first) {
  for (const std::vector<char>& one : all)
    if (one.size() != all[m.wide->self].size()) return;  // undefined, as the library says
  switch (m.type) {
    case I8: return reduce<int8_t>(m, all, first);
    case U8: return reduce<uint8_t>(m, all, first);
    case I32: return reduce<int32_t>(m, all, first);
    case U32: return reduce<uint32_t>(m, all, first);
    case I64: return reduce<int64_t>(m, all, first);
    case U64: return reduce<uint64_t>(m, all, first);
    case F16: return reduce<bp_kit::F16>(m, all, first);
    case BF16: return reduce<bp_kit::BF16>(m, all, first);
    case F32: return reduce<float>(m, all, first);
    default: return reduce<double>(m, all, first);
  }
}

bool has_left(const Wide& w, size_t rank) {
  for (const char* what : {"/gone.", "/aborted."})
    if (::access((w.folder + what + std::to_string(rank)).c_str(), F_OK) == 0) return true;
  return false;
}

// Says that this rank has left, and as the last one removes the folder.
void tidy(const Wide& w, const char* what) {
  std::ofstream(w.folder + what + std::to_string(w.self)) << "";
  for (size_t r = 0; r < w.n_ranks; ++r)
    if (!has_left(w, r)) return;
  if (DIR* d = ::opendir(w.folder.c_str())) {
    while (const dirent* e = ::readdir(d)) std::remove((w.folder + "/" + e->d_name).c_str());
    ::closedir(d);
  }
  ::rmdir(w.folder.c_str());
}

int queue_wide(Rank* r, Port* stream, WideMeeting m) {
  const std::lock_guard lock(mutex);
  m.wide = r->wide;
  m.number = r->wide->n_queued++;
  ++exchanges;
  WideMeeting* const kept =
      wide_meetings.emplace_back(std::make_shared<WideMeeting>(std::move(m))).get();
  return stream->enqueue(stream, meet_wide, &kept, sizeof kept) ? UNHANDLED : SUCCESS;
}

int reduce_to(Rank* r, const void* from, void* to, size_t count, int type, int op, int root,
              Port* stream) {
  if (depth || op > MIN || count == 0) return INVALID_USAGE;
  WideMeeting m{};
  m.from = from, m.from_bytes = count * size_of(type);
  m.type = type, m.op = op, m.root = root, m.count = count, m.to = to;
  m.take = [](const WideMeeting& x, const std::vector<std::vector<char>>& all) {
    if (x.root < 0 || static_cast<size_t>(x.root) == x.wide->self) reduce_all(x, all, 0);
  };
  return queue_wide(r, stream, std::move(m));
}

// What a thread sends and receives between ncclGroupStart and ncclGroupEnd.
struct Part {
  void* data;
  size_t bytes;
  int peer;
};
struct Messages {
  Rank* rank = nullptr;
  Port* stream = nullptr;
  std::vector<Part> sent, received;
};
thread_local Messages own_messages;

// A file of one rank: for each other rank the number of bytes, and behind them all the bytes.
void take_messages(const WideMeeting& m, const std::vector<std::vector<char>>& all) {
  const size_t n = m.wide->n_ranks;
  for (size_t r = 0; r < n; ++r) {
    if (!m.parts[r]) continue;
    std::vector<uint64_t> lengths(n);
    std::memcpy(lengths.data(), all[r].data(), n * sizeof(uint64_t));
    size_t at = n * sizeof(uint64_t);
    for (size_t before = 0; before < m.wide->self; ++before) at += lengths[before];
    std::memcpy(m.parts[r], all[r].data() + at, std::min(m.part_bytes[r], lengths[m.wide->self]));
  }
}
struct Sending {  // in the stream, because only there the data is what is to be sent
  WideMeeting* meeting;
  std::vector<Part> sent;
};
auto& sendings = *new std::list<Sending>;  // for ever
void pack(const void* data) {
  Sending* s = nullptr;
  std::memcpy(&s, data, sizeof s);
  std::vector<uint64_t> lengths(s->meeting->wide->n_ranks);
  for (const Part& p : s->sent) lengths[static_cast<size_t>(p.peer)] = p.bytes;
  std::vector<char>& out = s->meeting->given;
  const auto* head = reinterpret_cast<const char*>(lengths.data());
  out.assign(head, head + lengths.size() * sizeof(uint64_t));
  for (size_t r = 0; r < lengths.size(); ++r)
    for (const Part& p : s->sent)
      if (static_cast<size_t>(p.peer) == r)
        out.insert(out.end(), static_cast<char*>(p.data), static_cast<char*>(p.data) + p.bytes);
}
[[maybe_unused]] int launch_messages(const Messages& all) {
  const std::lock_guard lock(mutex);
  Rank* const r = all.rank;
  ++exchanges;
  auto m = std::make_shared<WideMeeting>();
  m->wide = r->wide;
  m->number = r->wide->n_queued++;
  m->take = take_messages;
  m->parts.resize(r->wide->n_ranks);
  m->part_bytes.resize(r->wide->n_ranks);
  for (const Part& p : all.received) {
    m->parts[static_cast<size_t>(p.peer)] = p.data;
    m->part_bytes[static_cast<size_t>(p.peer)] = p.bytes;
  }
  WideMeeting* const kept = wide_meetings.emplace_back(std::move(m)).get();
  Sending* const sending = &sendings.emplace_back(Sending{kept, all.sent});
  if (all.stream->enqueue(all.stream, pack, &sending, sizeof sending)) return UNHANDLED;
  return all.stream->enqueue(all.stream, meet_wide, &kept, sizeof kept) ? UNHANDLED : SUCCESS;
}

int leave(Rank* r, bool by_abort) {
  const std::lock_guard lock(mutex);
  if (r->wide) {
    r->wide->given_up = r->wide->given_up || by_abort;
    aborted += by_abort;
    tidy(*r->wide, by_abort ? "/aborted." : "/gone.");
  } else if (by_abort) {
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
EXPORT int ncclCommGetAsyncError(void* r, int* status) {
  const std::lock_guard lock(mutex);
  const bool waits = r && static_cast<Rank*>(r)->wide && !all_here(*static_cast<Rank*>(r)->wide);
  *status =
      waits || (unsettled > 0 && unsettled--) ? static_cast<int>(IN_PROGRESS) : async_error.load();
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
  Rank* const r = static_cast<Rank*>(rank);
  {
    const std::lock_guard lock(mutex);
    if (const int status = answer("ncclAllReduce")) return status;
    if (from != to || count == 0 || type < I8 || type > BF16) return INVALID_ARGUMENT;
    if ((type == BF16 || op == AVG) && version < 21000) return INVALID_ARGUMENT;
    if (!r->wide) {
      if (depth == 0) return INVALID_USAGE;
      if (op != SUM && op != AVG) return INVALID_ARGUMENT;
      // it would be rounded; nobody asks for it
      if (op == AVG && type < F16) return INVALID_ARGUMENT;
      group.push_back({r, to, count, type, op, stream});
      return SUCCESS;
    }
  }
  return reduce_to(r, from, to, count, type, op, /*root=*/-1, stream);
}
#ifndef INCOMPLETE
EXPORT int ncclGroupEnd() {
  if (depth == 0) return INVALID_USAGE;
  if (--depth) return SUCCESS;
  std::this_thread::yield();
  --threads_inside;
  const std::vector<Call> calls = std::move(group);
  group.clear();
  const Messages parts = std::exchange(own_messages, {});
  {
    const std::lock_guard lock(mutex);
    if (const int status = answer("ncclGroupEnd")) return status;
  }
  if (parts.rank) return launch_messages(parts);
  return calls.empty() ? SUCCESS : launch(calls);
}
#endif

#ifndef NARROW
EXPORT int ncclGetUniqueId(Id* out) {
  static int n = 0;
  const std::lock_guard lock(mutex);
  if (const int status = answer("ncclGetUniqueId")) return status;
  const char* above = std::getenv("FAKE_NCCL_FOLDER");
  std::snprintf(out->bytes, sizeof out->bytes, "%s/fake_nccl_%d_%d", above ? above : "/dev/shm",
                static_cast<int>(::getpid()), n++);
  return SUCCESS;
}
EXPORT int ncclCommInitRankConfig(void** out, int n, Id id, int self, const Config* config) {
  const std::lock_guard lock(mutex);
  if (const int status = answer("ncclCommInitRankConfig")) return status;
  if (n < 1 || self < 0 || self >= n || config->magic != 0xcafebeef || config->blocking != 0)
    return INVALID_ARGUMENT;
  auto wide = std::make_shared<Wide>();
  wide->folder = id.bytes;
  wide->n_ranks = static_cast<size_t>(n);
  wide->self = static_cast<size_t>(self);
  ::mkdir(id.bytes, 0700);
  std::ofstream(wide->folder + "/here." + std::to_string(self)) << "";
  *out = new Rank{nullptr, wide->self, 0, wide};
  ++ranks;
  ++made;
  return IN_PROGRESS;
}
EXPORT int ncclBroadcast(const void* from, void* to, size_t count, int type, int root, void* rank,
                         Port* stream) {
  Rank* const r = static_cast<Rank*>(rank);
  WideMeeting m{};
  const bool sends = r->wide->self == static_cast<size_t>(root);
  m.from = sends ? from : nullptr, m.from_bytes = count * size_of(type);
  m.type = type, m.root = root, m.count = count, m.to = to;
  m.take = [](const WideMeeting& x, const std::vector<std::vector<char>>& all) {
    const auto& given = all[static_cast<size_t>(x.root)];
    std::memcpy(x.to, given.data(), std::min(given.size(), x.from_bytes));
  };
  return queue_wide(r, stream, std::move(m));
}
EXPORT int ncclReduce(const void* from, void* to, size_t count, int type, int op, int root,
                      void* rank, Port* stream) {
  return reduce_to(static_cast<Rank*>(rank), from, to, count, type, op, root, stream);
}
EXPORT int ncclAllGather(const void* from, void* to, size_t count, int type, void* rank,
                         Port* stream) {
  WideMeeting m{};
  m.from = from, m.from_bytes = count * size_of(type), m.to = to;
  m.take = [](const WideMeeting& x, const std::vector<std::vector<char>>& all) {
    for (size_t r = 0; r < all.size(); ++r)
      std::memcpy(static_cast<char*>(x.to) + r * x.from_bytes, all[r].data(),
                  std::min(all[r].size(), x.from_bytes));
  };
  return queue_wide(static_cast<Rank*>(rank), stream, std::move(m));
}
EXPORT int ncclReduceScatter(const void* from, void* to, size_t count, int type, int op, void* rank,
                             Port* stream) {
  Rank* const r = static_cast<Rank*>(rank);
  WideMeeting m{};
  m.from = from, m.from_bytes = count * size_of(type) * r->wide->n_ranks;
  m.type = type, m.op = op, m.count = count, m.to = to;
  m.take = [](const WideMeeting& x, const std::vector<std::vector<char>>& all) {
    reduce_all(x, all, x.wide->self * x.count);
  };
  return queue_wide(r, stream, std::move(m));
}
EXPORT int ncclSend(const void* from, size_t count, int type, int peer, void* rank, Port* stream) {
  if (depth == 0) return INVALID_USAGE;
  own_messages.rank = static_cast<Rank*>(rank);
  own_messages.stream = stream;
  own_messages.sent.push_back({const_cast<void*>(from), count * size_of(type), peer});
  return SUCCESS;
}
EXPORT int ncclRecv(void* to, size_t count, int type, int peer, void* rank, Port* stream) {
  if (depth == 0) return INVALID_USAGE;
  own_messages.rank = static_cast<Rank*>(rank);
  own_messages.stream = stream;
  own_messages.received.push_back({to, count * size_of(type), peer});
  return SUCCESS;
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
