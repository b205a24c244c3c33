// collective.h: sums over devices by a backend's own means (extension "bp.collective/1",
// c_collective.h). For each set of devices a communicator is made at the first sum over them and
// kept until shutdown. It is aborted before when an exchange failed, so that the next one makes
// another, or when one of its devices is lost, so that the streams of the others go on. Of devices
// for which none can be made it is remembered that the caller has to go another way, and why, once.
// BACKPLANE_COLLECTIVES=ring (default: auto) is that other way for all. One for each kind, empty at
// first and after a shutdown; they are never destroyed. Any thread.
//
//   const Share shares[] = {{a.device, a.data}, {b.device, b.data}};
//   if (!collectives(backend).all_reduce(shares, BP_COLLECTIVE_SUM, BP_F32, n)) { ... }  // around a ring of copies
//
// Exchanges are queued under one lock, and on each device in the order of the calls, whatever their
// streams are: two that began in another order on another device would wait for each other for
// ever.
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
  // In place, queued in the devices' current streams; two or more shares on different devices of
  // the backend, count > 0. False: nothing was done. Throws what the exchange, or one before it,
  // met; data is then anything.
  bool all_reduce(std::span<const Share> shares, int32_t operation, bp_dtype dtype, int64_t count);
  // There are communicators, so that a stream may wait for another device.
  bool any() const;
  // Aborts those that a lost device is part of. Waits for no other thread: one that queues an
  // exchange sees the loss itself.
  void drop_lost() noexcept;
  void forget(const Device& lost) noexcept;
  // At shutdown, when the devices have done their work or failed.
  void close() noexcept;
  // Why there is none although the backend offers them, in one line; "" when all is well.
  std::string why_not() const;

 private:
  struct Communicator {
    std::vector<Device*> devices;  // in the order of their indices
    bp_pcommunicator* handle;      // nullptr: none can be made, or it was lost with a device
  };
  using Devices = std::span<Device* const>;

  bool offered(const Backend& b);
  Communicator& find_or_open(Devices devices);
  bp_pcommunicator* open(Devices devices);
  void check(Communicator& c);
  [[noreturn]] void fail_exchange(Communicator& c, bp_status status, bp_error* err);
  void abort(Communicator& c) noexcept;

  const bp_collective_api* api_ = nullptr;  // nullptr: not asked for, not there, or not wanted
  bool asked_ = false;
  mutable std::recursive_mutex mutex_;  // a plugin's report of a lost device comes back here
  std::vector<Communicator> all_;
  std::map<Device*, bp_stream*> last_;  // the stream of each device's latest exchange
  mutable std::mutex note_mutex_;
  std::string note_;
};

// Of the backend's kind.
Collectives& collectives(const Backend& b) noexcept;
// In a forked child, whose backend is lost: forgets all without a call of the plugin.
void lose_collectives(const Backend& b) noexcept;

}  // namespace bp
