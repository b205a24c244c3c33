// SPDX-License-Identifier: Apache-2.0
#include "core/process/transfer_statistics.h"

#include <map>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <utility>

#include "core/base/locks.h"

namespace bp {
namespace {

struct Counts {
  std::map<std::pair<bp_device, bp_device>, bp_transfer_stats> by_pair;
  std::set<std::pair<bp_kind, std::string>> fallbacks;  // ops of which one ran on the cpu
};
Counts& counts() {
  alignas(Counts) static unsigned char room[sizeof(Counts)];
  static Counts& all = *new (room) Counts;  // needs no memory, and is never destroyed
  return all;
}
std::mutex& mutex() { return leaf_mutexes.of(&counts()); }

}  // namespace

void count_transfer(bp_device src, bp_device dst, uint64_t bytes, bool waited) {
  const std::lock_guard lock(mutex());
  bp_transfer_stats& c = counts().by_pair[{src, dst}];
  c.bytes += bytes;
  ++c.n_copies;
  c.n_waits += waited;
}

bool count_fallback(const char* op, bp_device from) {
  const std::lock_guard lock(mutex());
  ++counts().by_pair[{from, bp_device_make(BP_KIND_CPU, -1)}].n_fallbacks;
  return counts().fallbacks.emplace(bp_device_kind(from), op).second;
}

bp_transfer_stats transfer_stats(bp_device src, bp_device dst) {
  const std::lock_guard lock(mutex());
  const auto& pairs = counts().by_pair;
  const auto found = pairs.find({src, dst});
  bp_transfer_stats c = found == pairs.end() ? bp_transfer_stats{} : found->second;
  c.struct_size = sizeof c;
  return c;
}

void reset_transfers() noexcept {
  const std::lock_guard lock(mutex());
  counts().by_pair.clear();
  counts().fallbacks.clear();
}

}  // namespace bp
