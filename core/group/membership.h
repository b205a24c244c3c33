// SPDX-License-Identifier: Apache-2.0
// membership.h: this process's part in a group of processes: who the others are, and what is to be
// exchanged with them. Handles (bp_group) and exchanges (bp_work) share it, and the engine's thread
// drives it (driver.h), so that a handle's release waits for nobody.
//
//   std::shared_ptr<Membership> m = join_group(backend, {.timeout_ns = 30'000'000'000});
//   m->post(work);     // in the order of the calls
//   m->await(*work);   // throws what the exchange met, or who is gone
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "c_plugin_group.h"
#include "core/base/error.h"
#include "core/device/device.h"
#include "core/group/asking.h"
#include "core/group/claim.h"
#include "core/tensor/tensor.h"

namespace bp {
class DeviceWay;
class Membership;
struct QueueNote;
}  // namespace bp

// An exchange. What it says is set before it is posted; what came of it, the membership's mutex
// guards.
struct bp_work final : bp::Object {
  std::shared_ptr<bp::Membership> member;
  bp::Claim claim;  // its number is 0 for a message, which two members exchange alone
  bp_exchange what{};
  bp::Ref<bp::Tensor> from, to;  // the host memory of `what`, where it has some
  bp::Ref<bp::Tensor> result;    // gets `to` when somebody waits; empty where that is the result
  double factor = 1;             // by which the result is multiplied
  bp::Ref<bp::Event> queued;     // of an exchange between devices: when its stream has made it
  std::shared_ptr<bp::QueueNote> seen;  // by a profile; nullptr where none ran, and between hosts
  int64_t timeout_ns = 0;               // 0: the group's

  enum State : uint32_t { kUnderWay, kOver, kFailed };
  State state = kUnderWay;
  bp_status status = BP_OK;  // of kFailed, with its flags and its sentence
  uint32_t flags = 0;
  std::string sentence;

  bp_work() : Object(bp::Tag::kWork) {}
  static void destroy(bp_work* w) noexcept;
  // Puts the result in its place, once, and orders it before what the calling thread queues next.
  void deliver();

 private:
  bp::CallMutex mutex_;
  bool delivered_ = false;
  bp::Ref<bp::Event> there_;  // the result, on an accelerator
};

namespace bp {

using Work = bp_work;

struct JoinOptions {
  int64_t timeout_ns = 0;
  bool checks = false;
  const void* native = nullptr;
};

class Membership {
 public:
  struct About {
    std::string kind;
    uint32_t rank = 0, size = 1, local_rank = 0, local_size = 1;
    bool checks = false;
    const void* native = nullptr;
    uint64_t dtypes[4] = {};  // by BP_REDUCE_*
  };
  About about;  // does not change once the group is joined
  // Which of this process's groups it is, from 1; for people.
  const uint32_t number = ++n_made;
  std::atomic<int64_t> timeout_ns{0};
  std::atomic<uint64_t> n_exchanges{0}, n_bytes{0};

  // Hands an exchange to the engine. Throws the group's first failure, and BP_BAD_STATE after a
  // fork or a shutdown.
  void post(Ref<Work> w);
  // Waits until it is over or has failed; looks meanwhile whether the others are there. Throws what
  // it met, and what bp_set_wait_callback's function refused with.
  void await(Work& w);
  bool is_over(Work& w);  // throws what it met
  // For exchanges that the engine does not drive: numbers one, in the order of the calls. Throws as
  // post does.
  void count_call(Work& w);
  // Asks the others on behalf of an exchange that is not over; breaks the group when one is gone,
  // or with is_late in any case.
  void look_after(Work& w, bool is_late);
  // Whether another member has called more exchanges than so many.
  bool is_overtaken(uint64_t n_called);
  [[noreturn]] void fail_broken() const;
  // The way between devices (device_way.h); nullptr while there is none.
  std::shared_ptr<DeviceWay> way() const;
  void set_way(std::shared_ptr<DeviceWay> way);
  // Throws BP_BAD_STATE in a forked child, which is no member.
  void check_process() const;
  // The engine leaves the group when what is under way is over.
  void close() noexcept;
  bool works() const noexcept { return standing->state() == Standing::kIn; }
  // Ends the group, and says why to its callers and to the others. The first reason counts. The
  // second form is for what this member met itself: "rank 2: ...".
  void break_off(std::string sentence) noexcept;
  void break_off_here(bp_status status, std::string_view what, uint32_t flags = 0) noexcept;
  // What the callers of a group that was left or is broken get.
  bp_status failure() const noexcept;
  uint32_t failure_flags() const noexcept { return flags_.load(std::memory_order_relaxed); }
  std::string why_broken() const;

  // ---- for the engine's thread ----
  // What makes the group: the plugin's join, or a split of another one.
  struct Start {
    const void* native = nullptr;
    std::shared_ptr<Membership> of{};
    int32_t color = 0, key = 0;
  };
  Start start;
  const bp_group_api* api = nullptr;
  const Backend* backend = nullptr;
  bp_pgroup* handle = nullptr;  // nullptr before it is joined and when it was left
  uint32_t n_forks_then = 0;
  Secret secret{};
  std::shared_ptr<Standing> standing = std::make_shared<Standing>();

  mutable std::mutex mutex;  // guards what follows, and the states of its works
  std::condition_variable changed;
  bool joined = false;
  // Lists, because the engine's thread moves their elements and must not want memory for that.
  std::list<Ref<Work>> queue;     // exchanges of all, in their order; the first is under way
  std::list<Ref<Work>> messages;  // that are not begun yet
  Ref<Work> overdue;              // its time is over, and nobody has said yet whose fault it is
  bool closing = false;

  // Ends a work. The caller does not hold the mutex.
  void settle(Work& w, Work::State state, bp_status status, std::string_view sentence,
              uint32_t flags = 0) noexcept;
  std::string too_late_text(const Work& w) const;

  // ---- for whoever joins ----
  void await_joined(std::chrono::steady_clock::time_point deadline);
  // Members tell each other where they answer, and whether they want checks.
  void introduce(bool wants_checks, std::chrono::steady_clock::time_point deadline);

 private:
  struct Peer {
    Card card{};
    int way = -1;  // which of its addresses has answered
    int n_refused = 0;
    bool is_leaving = false;  // it had left when it was asked last
  };
  using Time = std::chrono::steady_clock::time_point;

  Answer ask_peer(uint32_t rank, std::chrono::milliseconds most);
  bool is_gone(uint32_t rank, const Answer& a);
  void look_around(Work& w);
  void find_out_who_is_late(Work& w);
  void tell_neighbours() noexcept;
  bool is_settled(const Work& w);
  template <class T>
  std::vector<T> gathered(const T& mine, Time deadline);
  [[noreturn]] static void fail_as(const Work& w);

  static inline std::atomic<uint32_t> n_made{0};
  std::shared_ptr<DeviceWay> way_;
  std::vector<Peer> peers_;  // by rank; empty until the members have told
  std::mutex peers_mutex_;   // several threads may wait and ask
  std::atomic<bp_status> failure_{BP_UNAVAILABLE};
  std::atomic<uint32_t> flags_{0};  // of that error
  std::atomic<bool> told_{false};
};

// Joins, and waits for the others until the timeout.
std::shared_ptr<Membership> join_group(const Backend& backend, const JoinOptions& options);
// The members of one color; nullptr for a color < 0.
std::shared_ptr<Membership> split_group(const std::shared_ptr<Membership>& of, int32_t color,
                                        int32_t key);

}  // namespace bp
