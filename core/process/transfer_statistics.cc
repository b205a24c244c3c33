// SPDX-License-Identifier: Apache-2.0
#include "core/process/transfer_statistics.h"

#include <map>
#include <mutex>
#include <new>

#include "core/base/locks.h"

namespace bp {
namespace {

using Counts = std::map<std::pair<bp_device, bp_device>, bp_transfer_stats>;
Counts& counts() {
  alignas(Counts) static unsigned char room[sizeof(Counts)];
  static Counts& by_pair = *new (room) Counts;  // needs no memory, and is never destroyed
  return by_pair;
}
std::mutex& mutex() { return leaf_mutexes.of(&counts()); }

}  // namespace

void count_transfer(bp_device src, bp_device dst, uint64_t bytes, bool waited) {
  const std::lock_guard lock(mutex());
  bp_transfer_stats& c = counts()[{src, dst}];
  c.bytes += bytes;
  ++c.n_copies;
  c.n_waits += waited;
}

bp_transfer_stats transfer_stats(bp_device src, bp_device dst) {
  const std::lock_guard lock(mutex());
  const auto found = counts().find({src, dst});
  bp_transfer_stats c = found == counts().end() ? bp_transfer_stats{} : found->second;
  c.struct_size = sizeof c;
  return c;
}

void reset_transfers() noexcept {
  const std::lock_guard lock(mutex());
  counts().clear();
}

}  // namespace bp
