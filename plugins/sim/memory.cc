// SPDX-License-Identifier: Apache-2.0
// memory.cc: an address that the host holds lies in a PROT_NONE range, so that touching it faults
// at once; the workers use a second mapping of the same size, which is a file in memory. What is
// freed is given back to the system page by page.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim.h"

namespace bp_sim {
namespace {

constexpr uint64_t kStep = 512, kPage = 4096;

uint64_t round_up(uint64_t n, uint64_t step) { return (n + step - 1) / step * step; }

}  // namespace

bool Memory::open(uint64_t bytes) {
  size_ = round_up(bytes, kPage);
  file_ = memfd_create("backplane-sim", MFD_CLOEXEC);
  if (file_ < 0 || ftruncate(file_, static_cast<off_t>(size_))) return false;
  void* pages = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
  if (pages == MAP_FAILED) return false;
  pages_ = static_cast<char*>(pages);
  void* address =
      mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) return false;
  address_ = static_cast<char*>(address);
  free_[0] = size_;
  return true;
}

Memory::~Memory() {
  if (address_) munmap(address_, size_);
  if (pages_) munmap(pages_, size_);
  if (file_ >= 0) close(file_);
}

// Takes the first block that fits.
void* Memory::allocate(uint64_t bytes) {
  if (bytes > size_) return nullptr;
  const uint64_t want = round_up(bytes ? bytes : 1, kStep);
  const std::lock_guard lock(mutex_);
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    if (it->second < want) continue;
    const uint64_t at = it->first, left = it->second - want;
    if (left) {
      taken_.emplace(at, want);  // this alone may throw, and nothing has changed yet
      auto rest = free_.extract(it);
      rest.key() = at + want;
      rest.mapped() = left;
      free_.insert(std::move(rest));
    } else {
      taken_.insert(free_.extract(it));
    }
    used_ += want;
    return address_ + at;
  }
  return nullptr;
}

void Memory::release(void* p, uint64_t bytes) noexcept {
  const uint64_t want = round_up(bytes ? bytes : 1, kStep);
  const auto at = static_cast<uint64_t>(static_cast<char*>(p) - address_);
  const uint64_t first = round_up(at, kPage), last = (at + want) / kPage * kPage;
  // This also makes every use after the free read zeros or fault, never somebody's data.
  if (first < last)
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(first),
              static_cast<off_t>(last - first));
  const std::lock_guard lock(mutex_);
  used_ -= want;
  auto it = free_.insert(taken_.extract(at)).position;
  if (const auto next = std::next(it); next != free_.end() && at + want == next->first) {
    it->second += next->second;
    free_.erase(next);
  }
  if (it != free_.begin()) {
    if (const auto before = std::prev(it); before->first + before->second == at) {
      before->second += it->second;
      free_.erase(it);
    }
  }
}

uint64_t Memory::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

}  // namespace bp_sim
