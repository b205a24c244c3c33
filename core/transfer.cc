#include "core/transfer.h"

#include <map>
#include <mutex>

namespace bp {
namespace {

struct Count {
  uint64_t bytes = 0, copies = 0;
};
struct Counts {
  std::mutex mutex;
  std::map<std::pair<bp_device, bp_device>, Count> by_pair;
};
Counts& counts() {
  static Counts& c = *new Counts;
  return c;
}

}  // namespace

void count_transfer(bp_device src, bp_device dst, uint64_t bytes) {
  std::lock_guard lock(counts().mutex);
  Count& c = counts().by_pair[{src, dst}];
  c.bytes += bytes;
  ++c.copies;
}

uint64_t transfer_bytes(bp_device src, bp_device dst, uint64_t* copies) {
  std::lock_guard lock(counts().mutex);
  const auto found = counts().by_pair.find({src, dst});
  const Count c = found == counts().by_pair.end() ? Count{} : found->second;
  if (copies) *copies = c.copies;
  return c.bytes;
}

void reset_transfers() noexcept {
  std::lock_guard lock(counts().mutex);
  counts().by_pair.clear();
}

}  // namespace bp
