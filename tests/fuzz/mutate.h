// SPDX-License-Identifier: Apache-2.0
// mutate.h: a valid file made wrong. The same seed makes the same file on every machine.
#pragma once
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace fuzz {

using Random = std::mt19937_64;
inline size_t below(Random& random, size_t n) { return n ? random() % n : 0; }

// One to eight changes: bytes, bits, numbers of 1 to 8 bytes, cuts, repeats, pieces of `other`.
std::string mutate_bytes(std::string file, std::string_view other, Random& random);
// The same within the header's text, or a word of it for another; the length in front is then
// mostly made right again.
std::string mutate_safetensors(std::string file, std::string_view other, Random& random);
std::string mutate_npz(std::string file, std::string_view other, Random& random);

}  // namespace fuzz
