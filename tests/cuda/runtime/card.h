// SPDX-License-Identifier: Apache-2.0
// card.h: what a capability's cards have. CUDA C++ Programming Guide 13.0, "Compute Capabilities",
// tables of technical specifications; the numbers of multiprocessors are those of a T4, A100, RTX
// 3090, L4, H100, B200 and RTX 5090.
#pragma once
#include <cstdint>

namespace cuda_machine {

struct Card {
  uint64_t capability;
  int units;
  int threads_per_unit, blocks_per_unit;
  uint64_t shared_per_unit, shared_per_block_by_choice, shared_reserved;  // bytes
  int l2_bytes;
};
constexpr Card kCards[] = {
    {75, 40, 1024, 16, 64 << 10, 64 << 10, 0, 4 << 20},
    {80, 108, 2048, 32, 164 << 10, 163 << 10, 1024, 40 << 20},
    {86, 82, 1536, 16, 100 << 10, 99 << 10, 1024, 6 << 20},
    {89, 58, 1536, 24, 100 << 10, 99 << 10, 1024, 48 << 20},
    {90, 132, 2048, 32, 228 << 10, 227 << 10, 1024, 50 << 20},
    {100, 148, 2048, 32, 228 << 10, 227 << 10, 1024, 126 << 20},
    {120, 170, 1536, 24, 100 << 10, 99 << 10, 1024, 96 << 20},
};
constexpr uint64_t kSharedPerBlock = 48 << 10;
constexpr int kRegistersPerUnit = 65536, kWarp = 32;
constexpr uint64_t kMostParameterBytes = 32764;  // from capability 7.0 on

// nullptr when the machine does not know the capability.
inline const Card* find_card(uint64_t capability) {
  for (const Card& c : kCards)
    if (c.capability == capability) return &c;
  return nullptr;
}

}  // namespace cuda_machine
