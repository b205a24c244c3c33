// SPDX-License-Identifier: Apache-2.0
// Bytes as the file of images that `backplane train digits` reads: images or an exception that
// names the file.
#include <examples/images.h>

#include <algorithm>
#include <stdexcept>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::File file(data, size);
  try {
    const digits::Images images = digits::load_images(file.path());
    const auto within = [](const auto& all, int most) {
      return std::all_of(all.begin(), all.end(), [&](auto v) { return v >= 0 && v <= most; });
    };
    if (images.pixels.size() != images.labels.size() * 64 || !within(images.pixels, 16) ||
        !within(images.labels, 9))
      fuzz::die("these are no images");
  } catch (const std::runtime_error& e) {
    if (std::string_view(e.what()).find(file.path()) != 0 || !fuzz::is_line_of_utf8(e.what()))
      fuzz::die(e.what());
  }
  return 0;
}
