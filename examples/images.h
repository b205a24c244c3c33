// SPDX-License-Identifier: Apache-2.0
// images.h: the 1,797 images of handwritten digits from the UCI Machine Learning Repository, 8x8
// pixels each, read from the file that comes with the examples.
//
//   const digits::Images images = digits::load_images("digits.csv");
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace digits {

struct Images {
  std::vector<std::uint8_t> pixels;  // count x 64, 0..16
  std::vector<std::int64_t> labels;  // count, 0..9
  std::int64_t count() const { return static_cast<std::int64_t>(labels.size()); }
};

// Reads lines of 64 pixels and a label. Throws std::runtime_error, which names the file and the
// line.
Images load_images(const std::string& path);

}  // namespace digits
