// SPDX-License-Identifier: Apache-2.0
#include "core/process/transfer_statistics.h"

#include <map>
#include <mutex>

namespace bp {
namespace {

struct Counts {
  std::mutex mutex;
  std::map<std::pair<bp_device, bp_device>, bp_transfer_stats> by_pair;
};
Counts& counts() {
  static Counts& c = *new Counts;
  return c;
}

}  // namespace

void count_transfer(bp_device src, bp_device dst, uint64_t bytes, bool waited) {
  std::lock_guard lock(counts().mutex);
  bp_transfer_stats& c = counts().by_pair[{src, dst}];
  c.bytes += bytes;
  ++c.n_copies;
  c.n_waits += waited;
}

bp_transfer_stats transfer_stats(bp_device src, bp_device dst) {
  std::lock_guard lock(counts().mutex);
  const auto found = counts().by_pair.find({src, dst});
  bp_transfer_stats c = found == counts().by_pair.end() ? bp_transfer_stats{} : found->second;
  c.struct_size = sizeof c;
  return c;
}

void reset_transfers() noexcept {
  std::lock_guard lock(counts().mutex);
  counts().by_pair.clear();
}

}  // namespace bp
