// SPDX-License-Identifier: Apache-2.0
// fnv.h: the 64-bit hash FNV-1a (Fowler, Noll, Vo), of bytes and of whole words. It tells apart
// what differs by chance, and stops nobody who wants two things to look alike.
//
//   Fnv f;
//   f.add("weight"), f.add(uint64_t{3});
//   uint64_t hash = f.value;
#pragma once
#include <cstdint>
#include <string_view>

namespace bp {

struct Fnv {
  uint64_t value = 0xcbf29ce484222325u;

  void add(uint64_t word) { value = (value ^ word) * 0x100000001b3u; }
  void add(std::string_view text) {
    for (const char c : text) add(uint64_t{static_cast<uint8_t>(c)});
  }
};

}  // namespace bp
