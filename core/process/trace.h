// SPDX-License-Identifier: Apache-2.0
// trace.h: a profile: what the threads of this process and the queues of its devices did, and when.
// Whoever does what takes time says so by a span. While nobody wants spans that costs a load and a
// branch that is not taken; a profile wants them, and vendors' tools do (tool_ranges.h): then a
// span costs about a microsecond, and every call takes its long way, so that all ops are seen. Any
// thread. io/trace_file.h writes what was kept.
//
//   TraceSpan span(TraceSort::kWait, device.label);   // until the end of the scope
//   if (span) span.say("bytes", "4096");              // the value is JSON
#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bp {

// kOp: a call of the op table, on the thread that made it. kKernel and kCopy: also on a queue.
// kExchange: of a group, in lanes that are no thread's.
enum class TraceSort : uint8_t {
  kOp,
  kKernel,
  kCopy,
  kWait,
  kBackward,
  kModule,
  kStep,
  kRange,
  kExchange
};
const char* name_of(TraceSort sort) noexcept;  // "op"

// Where spans lie side by side or within each other: a thread, or a queue.
struct TraceLane {
  std::string group;  // "host", or a device: "cuda:0"
  std::string name;   // "thread 2", "stream 1"
};
struct TraceRecord {
  uint64_t id = 0;       // of a thread's span; 0 for a queue's
  uint64_t forward = 0;  // of a kBackward: the id of the op whose gradient it is; 0: not known
  uint32_t lane = 0;
  TraceSort sort = TraceSort::kOp;
  bool failed = false;         // it ended with an error
  int64_t begin = 0, end = 0;  // ns, of the monotonic clock
  std::string name, says;      // `says`: members of a JSON object
  std::string within{};        // of a kWait: the span around it
  std::string path{};          // of a kModule: "net.0 (Linear)"
};
// How many bytes of a device were in use.
struct TraceCount {
  std::string device;
  int64_t at = 0;  // ns, as above
  uint64_t bytes = 0;
};
// A block of memory, and what made it: the outermost op, copy, gradient or step that the thread was
// about, within the innermost module.
struct TraceBlock {
  std::string device, op, module;  // "" where there was none
  uint64_t bytes = 0;
  int64_t begin = 0, end = 0;  // ns, as above; end 0: it lives
};
// Which of the processes that were started together this one is.
struct TraceMember {
  std::string kind;             // of the group: "mpi"
  uint32_t rank = 0, size = 0;  // size 0: it is in no group
};
struct Profile {
  int64_t begin = 0, end = 0;  // ns, as above
  int64_t since_1970 = 0;      // ns, of the wall clock at the beginning
  uint64_t most = 0, n_dropped = 0, n_dropped_blocks = 0;
  TraceMember member;
  std::deque<TraceLane> lanes;
  std::deque<TraceRecord> records;
  std::deque<TraceCount> counts;
  std::vector<TraceBlock> blocks;  // what memory/holders.h noted
};

// Whether somebody wants spans, and whether that is a profile.
extern std::atomic<bool> spans_wanted, profile_runs;
inline bool traces() noexcept { return spans_wanted.load(std::memory_order_relaxed); }
inline bool keeps_profile() noexcept { return profile_runs.load(std::memory_order_relaxed); }

// Begins one that keeps at most so many records, and counts what is beyond. Throws BP_BAD_STATE
// when one runs.
void begin_profile(uint64_t most);
// Ends it in two steps, between which queues hand in what they still have: after the first no span
// begins. The first throws BP_BAD_STATE when none runs.
void stop_spans();
void end_profile(std::vector<TraceBlock> blocks) noexcept;
// When the profile that runs began, and now; nothing of what it has seen. Throws BP_BAD_STATE when
// none runs.
Profile profile_until_now();
// What the last profile saw that has ended, or nullptr.
std::shared_ptr<const Profile> last_profile() noexcept;
// Forgets what runs and what was kept: the runtime ends.
void forget_profiles() noexcept;
// Gives spans to the vendors' tools that the list names, "nvtx,itt", or to none for "". Returns
// what is wrong with it, or "".
std::string show_spans_to(std::string_view tools);
// A forked child's profile would be its parent's.
void forget_spans_in_child() noexcept;

int64_t trace_clock() noexcept;  // now, in ns of the monotonic clock
// The lane of that name in the profile that runs; it is made when it is new. Throws bad_alloc.
uint32_t trace_lane(std::string_view group, std::string_view name);
// Adds a record to the profile that runs or ends. Where there is none, or no memory, it is dropped.
void keep_record(TraceRecord record) noexcept;
// Adds what ended now and no thread was about, in the host's lane of that name. Where the profile
// that runs began later than the record, it is dropped.
void keep_beside(std::string_view lane, TraceRecord record) noexcept;
// This process has joined a group. Of several groups the largest counts, and of equal ones the
// first, until the runtime ends.
void note_member(std::string_view kind, uint32_t rank, uint32_t size) noexcept;
void count_bytes(std::string_view device, uint64_t bytes) noexcept;
void count_dropped(uint64_t spans, uint64_t blocks) noexcept;

// What the calling thread does in the scope is not seen: it stands for nothing, or a lock is held
// that comes after the profile's in a fork.
class TraceMute {
 public:
  TraceMute() noexcept;
  ~TraceMute();
  TraceMute(const TraceMute&) = delete;
  TraceMute& operator=(const TraceMute&) = delete;
  static bool is_on() noexcept;  // of the calling thread
};

class TraceSpan {
 public:
  TraceSpan(TraceSort sort, std::string_view name) noexcept {
    if (traces()) [[unlikely]]
      begin(sort, name);
  }
  ~TraceSpan() {
    if (open_) [[unlikely]]
      end();
  }
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;

  explicit operator bool() const noexcept { return open_; }
  void say(std::string_view key, std::string_view json) noexcept;
  void goes_back_through(uint64_t op) noexcept;
  void ends_now() noexcept;  // what comes is of the profile's own

  struct Open;

 private:
  void begin(TraceSort sort, std::string_view name) noexcept;
  void end() noexcept;
  Open* open_ = nullptr;
};

// A program's own span. While nobody wants spans it is none, and its token 0. pop_range throws
// BP_BAD_STATE for a token that is not of the thread's newest.
uint64_t push_range(std::string_view name) noexcept;
void pop_range(uint64_t token);

// A module's span, and its path; while nobody wants spans none, and 0. pop_module ends it, and
// first ranges and modules that began within and did not end; where an op or the like is still
// within, it ends with that.
uint64_t push_module(std::string_view title, std::string path) noexcept;
void pop_module(uint64_t token) noexcept;

// Says more of the innermost span of this thread, if there is one.
void say_of_span(std::string_view key, std::string_view json) noexcept;
// What this thread is about, as a TraceBlock has it. Throws bad_alloc.
void name_here(std::string& op, std::string& module);
// The id of the op that ended last on this thread; 0 when none was seen.
uint64_t last_traced_op() noexcept;

}  // namespace bp
