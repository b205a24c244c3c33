// SPDX-License-Identifier: Apache-2.0
// device_way.h: exchanges from device to device, by the library that a backend's "bp.wide/1" opens
// (c_plugin_wide.h), for one device of each member. An exchange is queued in the device's current
// stream, and nobody waits for it. A thread for each way looks after those that are under way: it
// asks the others when one takes longer than a second, and when the group breaks it aborts the
// communicator, so that the streams go on. Any thread may use a way; it ends with its group, or
// with its device.
//
//   const std::shared_ptr<DeviceWay> way = g.member->way();   // that of use_device.h
//   if (way && way->serves(t)) way->begin(work);   // what the work says is memory of the device
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "c_plugin_wide.h"
#include "core/group/membership.h"

namespace bp {

class DeviceWay {
 public:
  static constexpr const char* kWithoutReason = "the library failed without saying why";

  DeviceWay(Membership& m, Device& d, const bp_wide_api& api, std::string library);
  ~DeviceWay();
  DeviceWay(const DeviceWay&) = delete;
  DeviceWay& operator=(const DeviceWay&) = delete;
  // One that end_device_ways finds.
  static std::shared_ptr<DeviceWay> make(Membership& m, Device& d, const bp_wide_api& api,
                                         std::string library);

  // Opens it as this member, once all have called this, and waits for them. Throws what it met.
  void open(const bp_wide_id& id);
  // Begins to look after exchanges. Throws when its thread cannot be started.
  static void watch(const std::shared_ptr<DeviceWay>& way, const std::shared_ptr<Membership>& m);

  const std::string& library() const { return library_; }
  Device* device() const noexcept { return device_.load(std::memory_order_acquire); }
  bool serves(const Tensor& t) const noexcept { return device() == &t.device(); }
  Device& room() const { return *first_device_; }  // where operands lie
  uint64_t dtypes(bp_reduce_op operation) const { return dtypes_[operation]; }

  // Queues the exchange, puts its result in place, and keeps the work until that is done.
  void begin(const Ref<Work>& w);
  // Says that the exchange is over, if it is.
  void settle_passed(Work& w) noexcept;
  bool is_at_rest() noexcept;  // nothing is under way, or it has ended
  void wake() noexcept;
  // Ends it. What is under way fails.
  void end() noexcept;

 private:
  using Clock = std::chrono::steady_clock;

  void await_ready(bp_pwide* handle);
  void agree(Work& w);
  void queue(const Ref<Work>& w, Stream& s);
  void exchange(const Work& w, Stream& s);
  void look_after_all(const std::shared_ptr<Membership>& m) noexcept;
  void look_after_first() noexcept;
  void check() noexcept;
  void drop_passed();
  void release_passed();
  void fail_pending() noexcept;
  void abort() noexcept;
  void break_with(bp_status status, bp_error* err) noexcept;

  Membership& member_;  // it owns this, or waits for its making
  const bp_wide_api& api_;
  Device* const first_device_;
  std::atomic<Device*> device_;  // nullptr when it has ended
  std::atomic<bool> ends_{false};
  const std::string library_;
  uint64_t dtypes_[5] = {};

  std::mutex life_mutex_;  // keeps close() out while abort() runs
  bp_pwide* handle_ = nullptr;
  bool is_open_ = false;
  std::atomic<bool> aborted_{false};

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::list<Ref<Work>> pending_;  // in the order of their streams; the last may be on its way there
  std::list<Ref<Work>> passed_;   // to be released, which may wait for their streams
  Clock::time_point first_since_, next_look_;
  bool woken_ = false, ended_ = false;
};

// Ends the ways of a backend's devices, before these close.
void end_device_ways(const Backend& b) noexcept;
// A forked child has none.
void lose_device_ways_in_child() noexcept;

}  // namespace bp
