// SPDX-License-Identifier: Apache-2.0
// memory.h: what the devices of the machine and its pinned host memory hold: blocks, each as long
// as was asked for, with a mark for each byte that was written. One address space for all of them,
// as on a 64-bit host. A device's addresses fault when the host touches them; kernels and copies
// reach the bytes through Block::bytes.
//
// Blocks live until the Memory ends, also those that were freed, so that whoever comes late is told
// what was there. Any thread; who frees a block waits first for the work that uses it.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

namespace machine {

constexpr int kHost = -1;

struct Block {
  uint64_t begin = 0;  // the address that programs see
  uint64_t size = 0;   // in bytes, as asked for
  int device = kHost;  // whose memory it is; kHost: pinned
  std::byte* bytes = nullptr;
  uint8_t* written = nullptr;  // 1 for each byte that was written, else 0
  std::atomic<bool> freed{false};
  uint64_t room = 0;  // what was taken of the device's range

  // Whether the n bytes at an address lie in this block.
  bool holds(uint64_t address, uint64_t n) const {
    const uint64_t at = address - begin;
    return at <= size && n <= size - at;
  }
};

class Memory {
 public:
  Memory(int devices, uint64_t bytes_each);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Returns the new block's address, a multiple of 512, or 0 when the device (or the host) is full.
  // Next to each other's blocks lie at least 256 bytes that are nobody's.
  uint64_t allocate(int device, uint64_t bytes);
  // Returns false, and changes nothing, when no live block begins there on that device.
  bool release(int device, uint64_t address);

  // The live block that holds the address, or nullptr.
  Block* find(uint64_t address) const;
  // For messages: where an address lies: "4 bytes past the end of the block of 64 bytes at 0x...".
  std::string describe(uint64_t address, uint64_t n) const;

  uint64_t used(int device) const;
  uint64_t size() const { return bytes_each_; }
  // The device whose range the address is in, or kHost.
  int device_of(uint64_t address) const;

 private:
  struct Range;  // of one device: addresses, the pages behind them, what is free
  uint64_t bytes_each_;
  mutable std::shared_mutex mutex_;
  std::unique_ptr<Range[]> ranges_;
  int devices_;
  std::map<uint64_t, std::unique_ptr<Block>> live_;
  std::map<uint64_t, std::unique_ptr<Block>> dead_;  // the latest at each address
  std::vector<std::unique_ptr<Block>> old_;          // that were freed before those
};

}  // namespace machine
