// SPDX-License-Identifier: Apache-2.0
#include "images.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace digits {
namespace {

constexpr std::int64_t kPixels = 64, kClasses = 10;

std::runtime_error bad_line(const std::string& path, std::size_t line, const std::string& what) {
  return std::runtime_error(path + ", line " + std::to_string(line) + ": " + what);
}

}  // namespace

Images load_images(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  Images images;
  std::string text;
  for (std::size_t line = 1; std::getline(file, text); ++line) {
    std::istringstream fields(text);
    int value = 0;
    char comma = 0;
    for (std::int64_t i = 0; i < kPixels; ++i) {
      if (!(fields >> value >> comma) || comma != ',' || value < 0 || value > 16)
        throw bad_line(path, line, "expected 64 pixels of 0 to 16 and a label");
      images.pixels.push_back(static_cast<std::uint8_t>(value));
    }
    if (!(fields >> value) || value < 0 || value >= kClasses)
      throw bad_line(path, line, "expected a label of 0 to 9");
    images.labels.push_back(value);
  }
  if (images.count() < 2) throw std::runtime_error(path + ": holds no images");
  return images;
}

}  // namespace digits
