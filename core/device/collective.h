// SPDX-License-Identifier: Apache-2.0
// collective.h: sums over devices by a backend's own means (extension "bp.collective/1",
// c_collective.h). The first sum over a set of devices makes a communicator, which is kept until
// shutdown. It is aborted earlier when an exchange failed, so that the next one makes another, or
// when one of its devices is lost, so that the streams of the others go on. Where none can be made,
// this is remembered: the caller has to go another way, and why_not() says why.
// BACKPLANE_COLLECTIVES=ring (default: auto) asks for that other way always. There is one
// Collectives for each kind, empty at first and after a shutdown; they are never destroyed. Any
// thread may use them.
//
//   std::vector<Share> shares;   // {&device, data} of each device
//   bool summed = collectives(*d.backend).all_reduce(shares, BP_COLLECTIVE_SUM, BP_F32, 1000);
//   if (!summed) log(kLogInfo, "a ring sums: {}", collectives(*d.backend).why_not());
//
// Exchanges are queued under one lock, and on each device in the order of the calls, whatever
// their streams are: two that began in another order on another device would wait for each
// other for ever.
#pragma once
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "c_collective.h"

struct bp_stream;

namespace bp {

struct Backend;
struct Device;

// A device's part in a sum: a dense run of elements in its memory.
struct Share {
  Device* device;
  void* data;
};

class Collectives {
 public:
  // Sums in place, queued in the devices' current streams. It takes two or more shares on different
  // devices of the backend, and count > 0. Returns false when it did nothing, because the backend
  // has no means for these devices or this dtype. Throws what this exchange or one before it met;
  // the data is then undefined.
  bool all_reduce(std::span<const Share> shares, int32_t operation, bp_dtype dtype, int64_t count);
  // Calls queue(stream) with the device's current stream, in the turn of an exchange with other
  // processes (core/group/device_way.h), which takes its place among those of this process.
  template <class F>
  void take_turn(Device& d, F&& queue) {
    const std::lock_guard lock(mutex_);
    queue(next_stream(d));
  }
  // The same without a stream, for the beginning and the end of a communicator.
  template <class F>
  void take_turn(F&& call) noexcept(noexcept(call())) {
    const std::lock_guard lock(mutex_);
    call();
  }
  // Whether there is a communicator, so that a stream may be waiting for another device.
  bool any() const;
  // Aborts the communicators that a lost device is part of. It waits for no other thread: one that
  // queues an exchange sees the loss itself.
  void drop_lost() noexcept;
  void forget(const Device& lost) noexcept;
  // Closes all at shutdown, when the devices have done their work or failed.
  void close() noexcept;
  // Says in one line why there is no communicator although the backend offers them; "" when
  // all is well.
  std::string why_not() const;

 private:
  struct Communicator {
    std::vector<Device*> devices;  // in the order of their indices
    bp_pcommunicator* handle;      // nullptr when none can be made, or it was lost with a device
  };
  using Devices = std::span<Device* const>;

  // The device's current stream, which waits for the device's latest exchange from now on.
  bp_stream& next_stream(Device& d);
  bool offered(const Backend& b);
  Communicator& find_or_open(Devices devices);
  bp_pcommunicator* open(Devices devices);
  void check(Communicator& c);
  [[noreturn]] void fail_exchange(Communicator& c, bp_status status, bp_error* err);
  void abort(Communicator& c) noexcept;

  const bp_collective_api* api_ = nullptr;  // nullptr when not asked for, not there, or not wanted
  bool asked_ = false;
  mutable std::recursive_mutex mutex_;  // a plugin's report of a lost device comes back here
  std::vector<Communicator> all_;
  std::map<Device*, bp_stream*> last_;  // the stream of each device's latest exchange
  mutable std::mutex note_mutex_;
  std::string note_;
};

// Whether BACKPLANE_COLLECTIVES asks for the ring. Throws where it means nothing.
bool wants_ring();
// Those of the backend's kind.
Collectives& collectives(const Backend& b) noexcept;
// In a forked child, whose backend is lost: forgets all without calling the plugin.
void lose_collectives(const Backend& b) noexcept;

}  // namespace bp
