// SPDX-License-Identifier: Apache-2.0
#include "core/process/generator.h"

#include <atomic>

namespace bp {
namespace {

// The seed is of one generation of the runtime; a later one starts with the default again.
std::atomic<uint64_t> seed_value{kDefaultSeed};
std::atomic<uint32_t> seed_born{0};

}  // namespace

uint64_t initial_seed() noexcept {
  const bool live = seed_born.load(std::memory_order_acquire) == generation();
  return live ? seed_value.load(std::memory_order_relaxed) : kDefaultSeed;
}

void set_initial_seed(uint64_t seed) noexcept {
  seed_value.store(seed, std::memory_order_relaxed);
  seed_born.store(generation(), std::memory_order_release);
}

}  // namespace bp
