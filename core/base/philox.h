// SPDX-License-Identifier: Apache-2.0
// philox.h: Philox4x32-10, which makes random words from nothing but a key and a counter (Salmon et
// al., "Parallel random numbers: as easy as 1, 2, 3", SC'11). Pure: the same on every machine.
#pragma once
#include <array>
#include <cstdint>

namespace bp {

// Returns the four words for the counter (low, high) under the key.
constexpr std::array<uint32_t, 4> philox(uint64_t key, uint64_t low, uint64_t high) {
  auto k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
  std::array<uint32_t, 4> c = {static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32),
                               static_cast<uint32_t>(high), static_cast<uint32_t>(high >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53} * c[0], b = uint64_t{0xCD9E8D57} * c[2];
    c = {static_cast<uint32_t>(b >> 32) ^ c[1] ^ k0, static_cast<uint32_t>(b),
         static_cast<uint32_t>(a >> 32) ^ c[3] ^ k1, static_cast<uint32_t>(a)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c;
}

}  // namespace bp
