// SPDX-License-Identifier: Apache-2.0
// generator.h: seeds and offsets for Philox. A generator hands out ranges of counters; kernels make
// the numbers of them. Any thread may use it.
//
//   bp_generator g(42);
//   uint64_t seed, first = g.reserve(1000, &seed);   // counters first .. first + 999
#pragma once
#include <mutex>

#include "c_api.h"
#include "core/base/locks.h"
#include "core/base/object.h"

struct bp_generator final : bp::Object {
  uint64_t seed, offset = 0;
  explicit bp_generator(uint64_t s) : Object(bp::Tag::kGenerator), seed(s) {}
  static void destroy(bp_generator* g) noexcept { delete g; }

  // Reserves counters for numel draws, rounded up to a multiple of 4, and returns the first.
  uint64_t reserve(int64_t numel, uint64_t* seed_out) {
    const std::lock_guard lock(bp::leaf_mutexes.of(this));
    const uint64_t first = offset;
    offset += (static_cast<uint64_t>(numel) + 3) / 4 * 4;
    *seed_out = seed;
    return first;
  }
  void set_state(uint64_t new_seed, uint64_t new_offset) {
    const std::lock_guard lock(bp::leaf_mutexes.of(this));
    seed = new_seed;
    offset = new_offset;
  }
  struct State {
    uint64_t seed, offset;
  };
  State state() const {
    const std::lock_guard lock(bp::leaf_mutexes.of(this));
    return {seed, offset};
  }
};

namespace bp {
// The seed with which a device's default generator starts: PyTorch's default until bp_manual_seed
// sets another, which also reseeds the generators of open devices (c_api/generator.cc). A
// shutdown forgets it.
inline constexpr uint64_t kDefaultSeed = 67280421310721;
uint64_t initial_seed() noexcept;
void set_initial_seed(uint64_t seed) noexcept;
}  // namespace bp
