// SPDX-License-Identifier: Apache-2.0
#include "core/process/trace.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <new>
#include <utility>

#include "core/base/error.h"
#include "core/base/locks.h"
#include "core/base/object.h"
#include "core/process/tool_ranges.h"

namespace bp {

std::atomic<bool> spans_wanted{false}, profile_runs{false};

struct TraceSpan::Open {
  Open* outer;
  uint32_t profile;
  int exceptions;
  bool shown;         // to a vendor's tool
  bool over = false;  // it ends with what lies within it
  TraceRecord record;
};

namespace {

// Of the process, guarded by a leaf mutex. It is never destroyed.
struct Kept {
  std::shared_ptr<Profile> running, last;
  std::shared_ptr<Profile> of_parent;  // what a fork left here, which nobody looks at
  uint32_t number = 0;                 // how many profiles have begun
  uint64_t n_spans = 0;
  uint32_t n_threads = 0;  // that have a lane
  TraceMember member;
  bool shows = false;  // to vendors' tools
};
Kept& kept() {
  alignas(Kept) static unsigned char room[sizeof(Kept)];
  static Kept& one = *new (room) Kept;  // needs no memory
  return one;
}
std::mutex& trace_mutex() { return leaf_mutexes.of(&kept()); }

// Of the thread: trivial, so that reading it needs no guard.
struct Here {
  TraceSpan::Open* innermost = nullptr;
  uint64_t last_op = 0;
  uint32_t profile = 0, lane = 0;  // the lane is of that profile
  uint32_t muted = 0;
};
constinit thread_local Here here;

uint32_t lane_of(Profile& p, std::string_view group, std::string_view name) {
  for (uint32_t i = 0; i < p.lanes.size(); ++i)
    if (p.lanes[i].group == group && p.lanes[i].name == name) return i;
  p.lanes.push_back({std::string(group), std::string(name)});
  return static_cast<uint32_t>(p.lanes.size() - 1);
}

// The lane of the calling thread, whose name tells it from others of the same name.
uint32_t own_lane(Kept& k) {
  if (here.profile == k.number) return here.lane;
  char called[16] = "";
  ::pthread_getname_np(::pthread_self(), called, sizeof called);
  ++k.n_threads;
  const std::string name =
      ::gettid() == ::getpid() ? "main thread" : fmt::format("thread {} ({})", k.n_threads, called);
  here.lane = static_cast<uint32_t>(k.running->lanes.size());
  k.running->lanes.push_back({"host", name});
  here.profile = k.number;
  return here.lane;
}

void add(Kept& k, TraceRecord&& record) {
  k.running->end = std::max(k.running->end, record.end);
  if (k.running->records.size() >= k.running->most || record.lane >= k.running->lanes.size())
    ++k.running->n_dropped;
  else
    k.running->records.push_back(std::move(record));
}

void add_member(std::string& says, std::string_view key, std::string_view json) {
  if (!says.empty()) says += ',';
  says += '"';
  says += key;
  says += "\":";
  says += json;
}

// After what they depend on has changed. The caller holds the lock.
void set_wanted() noexcept {
  const bool now = profile_runs || kept().shows;
  if (spans_wanted.exchange(now) == now) return;
  if (now)
    unrecorded_generation.fetch_add(kRecordings);  // all calls take their long way
  else
    unrecorded_generation.fetch_sub(kRecordings);
}

// What memory does not suffice for is counted as dropped.
template <class F>
void unless_exhausted(F&& f) noexcept {
  try {
    f();
  } catch (const std::bad_alloc&) {
    const std::lock_guard lock(trace_mutex());
    if (kept().running) ++kept().running->n_dropped;
  }
}

}  // namespace

const char* name_of(TraceSort sort) noexcept {
  switch (sort) {
    case TraceSort::kOp: return "op";
    case TraceSort::kKernel: return "kernel";
    case TraceSort::kCopy: return "copy";
    case TraceSort::kWait: return "wait";
    case TraceSort::kBackward: return "backward";
    case TraceSort::kModule: return "module";
    case TraceSort::kStep: return "step";
    case TraceSort::kRange: return "range";
    case TraceSort::kExchange: return "exchange";
  }
  return "";
}

int64_t trace_clock() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void begin_profile(uint64_t most) {
  auto fresh = std::make_shared<Profile>();
  fresh->most = most;
  fresh->since_1970 = std::chrono::duration_cast<std::chrono::nanoseconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
  Kept& k = kept();
  const std::lock_guard lock(trace_mutex());
  if (k.running) fail(BP_BAD_STATE, "a profile is being taken already: stop that one first");
  fresh->begin = trace_clock();
  fresh->member = k.member;
  k.running = std::move(fresh);
  ++k.number;
  k.n_threads = 0;
  profile_runs = true;
  set_wanted();
}

void stop_spans() {
  const std::lock_guard lock(trace_mutex());
  if (!profile_runs.exchange(false)) fail(BP_BAD_STATE, "no profile is being taken");
  set_wanted();
}

void end_profile(std::vector<TraceBlock> blocks) noexcept {
  std::shared_ptr<Profile> before;  // dies after the lock is released
  Kept& k = kept();
  // What this thread is still about is seen until now.
  for (const TraceSpan::Open* open = here.innermost; open; open = open->outer)
    unless_exhausted([&] {
      TraceRecord until_now = open->record;
      until_now.end = trace_clock();
      const std::lock_guard lock(trace_mutex());
      if (k.running && k.number == open->profile) add(k, std::move(until_now));
    });
  const std::lock_guard lock(trace_mutex());
  if (!k.running) return;
  k.running->end = std::max(k.running->end, trace_clock());
  k.running->blocks = std::move(blocks);
  before = std::exchange(k.last, std::move(k.running));
}

Profile profile_until_now() {
  Profile now;
  const std::lock_guard lock(trace_mutex());
  if (!kept().running) fail(BP_BAD_STATE, "no profile is being taken, which would know of blocks");
  now.begin = kept().running->begin;
  now.since_1970 = kept().running->since_1970;
  now.member = kept().member;
  now.end = trace_clock();
  return now;
}

std::shared_ptr<const Profile> last_profile() noexcept {
  const std::lock_guard lock(trace_mutex());
  return kept().last;
}

void forget_profiles() noexcept {
  std::shared_ptr<Profile> running, last;  // die after the lock is released
  const std::lock_guard lock(trace_mutex());
  profile_runs = false;
  set_wanted();
  running.swap(kept().running);
  last.swap(kept().last);
  kept().member.size = 0;
}

std::string show_spans_to(std::string_view tools) {
  std::string wrong = open_tool_ranges(tools);
  const std::lock_guard lock(trace_mutex());
  kept().shows = !tools.empty() && wrong.empty();
  set_wanted();
  return wrong;
}

void forget_spans_in_child() noexcept {
  profile_runs = false;
  set_wanted();
  // To free what the parent kept takes time, and the child may be short.
  Kept& k = kept();
  k.member.size = 0;
  if (!k.of_parent)
    k.of_parent.swap(k.running);
  else
    new (&k.running) std::shared_ptr<Profile>;
}

uint32_t trace_lane(std::string_view group, std::string_view name) {
  const std::lock_guard lock(trace_mutex());
  return kept().running ? lane_of(*kept().running, group, name) : 0;
}

void keep_record(TraceRecord record) noexcept {
  unless_exhausted([&] {
    const std::lock_guard lock(trace_mutex());
    if (kept().running) add(kept(), std::move(record));
  });
}

void keep_beside(std::string_view lane, TraceRecord record) noexcept {
  unless_exhausted([&] {
    const std::lock_guard lock(trace_mutex());
    if (!kept().running || record.begin < kept().running->begin) return;
    record.end = trace_clock();
    record.lane = lane_of(*kept().running, "host", lane);
    add(kept(), std::move(record));
  });
}

void note_member(std::string_view kind, uint32_t rank, uint32_t size) noexcept {
  unless_exhausted([&] {
    TraceMember now{std::string(kind), rank, size};
    const std::lock_guard lock(trace_mutex());
    if (size <= kept().member.size) return;
    if (kept().running) kept().running->member = now;
    kept().member = std::move(now);
  });
}

void count_dropped(uint64_t spans, uint64_t blocks) noexcept {
  const std::lock_guard lock(trace_mutex());
  if (!kept().running) return;
  kept().running->n_dropped += spans;
  kept().running->n_dropped_blocks += blocks;
}

void count_bytes(std::string_view device, uint64_t bytes) noexcept {
  unless_exhausted([&] {
    TraceCount count{std::string(device), trace_clock(), bytes};
    const std::lock_guard lock(trace_mutex());
    Profile* p = kept().running.get();
    if (p && p->counts.size() < p->most) p->counts.push_back(std::move(count));
  });
}

namespace {

// What this thread is about within its innermost module, from the outside: an op, a copy ...
const TraceRecord* outermost_here(const TraceSpan::Open** module) noexcept {
  const TraceRecord* outermost = nullptr;
  const TraceSpan::Open* open = here.innermost;
  for (; open && open->record.sort != TraceSort::kModule; open = open->outer)
    if (open->record.sort == TraceSort::kOp || open->record.sort == TraceSort::kCopy ||
        open->record.sort == TraceSort::kBackward || open->record.sort == TraceSort::kStep)
      outermost = &open->record;
  *module = open;
  return outermost;
}

// What a wait is for: "copy in item".
std::string cause_here() {
  if (!here.innermost) return "";
  const TraceSpan::Open* module = nullptr;
  const TraceRecord *inner = &here.innermost->record, *outer = outermost_here(&module);
  return outer && outer != inner ? inner->name + " in " + outer->name : inner->name;
}

// The thread's new innermost span, or nullptr when it is not seen.
TraceSpan::Open* opened(TraceSort sort, std::string_view name) noexcept {
  TraceSpan::Open* open = nullptr;
  if (here.muted) return nullptr;
  unless_exhausted([&] {
    auto made = std::make_unique<TraceSpan::Open>();
    made->record.name = name;
    made->record.sort = sort;
    made->exceptions = std::uncaught_exceptions();
    made->outer = here.innermost;
    made->shown = false;
    if (sort == TraceSort::kWait) made->record.within = cause_here();
    {
      const std::lock_guard lock(trace_mutex());
      if (!kept().running && !kept().shows) return;
      made->shown = kept().shows;
      made->profile = kept().running ? kept().number : 0;
      made->record.id = ++kept().n_spans;
      if (kept().running) made->record.lane = own_lane(kept());
    }
    if (made->shown) begin_tool_range(made->record.name.c_str());
    made->record.begin = trace_clock();
    open = here.innermost = made.release();
  });
  return open;
}

// Ends the innermost span, which gives itself up.
void end_innermost(bool failed) noexcept {
  const std::unique_ptr<TraceSpan::Open> ended(here.innermost);
  here.innermost = ended->outer;
  TraceRecord& r = ended->record;
  if (!r.end) r.end = trace_clock();
  if (ended->shown) end_tool_range();
  r.failed = failed;
  if (r.sort == TraceSort::kOp) here.last_op = r.id;
  unless_exhausted([&] {
    const std::lock_guard lock(trace_mutex());
    if (kept().running && kept().number == ended->profile) add(kept(), std::move(r));
  });
}

// Ends the span, and first the ranges within it that nobody ended; then those around it that were
// left meanwhile.
void close(const TraceSpan::Open* open, bool failed) noexcept {
  for (bool done = false; !done;) {
    done = here.innermost == open;
    end_innermost(failed);
  }
  while (here.innermost && here.innermost->over) end_innermost(failed);
}

}  // namespace

void TraceSpan::begin(TraceSort sort, std::string_view name) noexcept {
  open_ = opened(sort, name);
}

void TraceSpan::end() noexcept { close(open_, std::uncaught_exceptions() > open_->exceptions); }

uint64_t push_range(std::string_view name) noexcept {
  const TraceSpan::Open* open = traces() ? opened(TraceSort::kRange, name) : nullptr;
  return open ? open->record.id : 0;
}

void pop_range(uint64_t token) {
  if (!token) return;
  TraceSpan::Open* const open = here.innermost;
  const bool is_range = open && open->record.sort == TraceSort::kRange;
  if (!is_range || open->record.id != token)
    fail(BP_BAD_STATE, "token {} is not of this thread's newest range{}", token,
         is_range ? fmt::format(", which has {}", open->record.id) : ": it has none");
  close(open, /*failed=*/false);
}

uint64_t push_module(std::string_view title, std::string path) noexcept {
  TraceSpan::Open* open = traces() ? opened(TraceSort::kModule, title) : nullptr;
  if (!open) return 0;
  open->record.path = std::move(path);
  return open->record.id;
}

void pop_module(uint64_t token) noexcept {
  bool is_owned = false;  // something within belongs to a scope that is still there
  for (TraceSpan::Open* open = here.innermost; token && open; open = open->outer) {
    if (open->record.id == token) {
      if (is_owned)
        open->over = true;
      else
        close(open, std::uncaught_exceptions() > open->exceptions);
      return;
    }
    is_owned |= open->record.sort != TraceSort::kRange && open->record.sort != TraceSort::kModule;
  }
}

TraceMute::TraceMute() noexcept { ++here.muted; }
TraceMute::~TraceMute() { --here.muted; }
bool TraceMute::is_on() noexcept { return here.muted != 0; }

void TraceSpan::say(std::string_view key, std::string_view json) noexcept {
  unless_exhausted([&] { add_member(open_->record.says, key, json); });
}

void TraceSpan::ends_now() noexcept { open_->record.end = trace_clock(); }

void TraceSpan::goes_back_through(uint64_t op) noexcept { open_->record.forward = op; }

void name_here(std::string& op, std::string& module) {
  const TraceSpan::Open* around = nullptr;
  if (const TraceRecord* outermost = outermost_here(&around)) op = outermost->name;
  if (around) module = around->record.path;
}

void say_of_span(std::string_view key, std::string_view json) noexcept {
  if (here.innermost) unless_exhausted([&] { add_member(here.innermost->record.says, key, json); });
}

uint64_t last_traced_op() noexcept { return here.last_op; }

}  // namespace bp
