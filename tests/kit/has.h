// SPDX-License-Identifier: Apache-2.0
// has.h: whether a text has some words in it.
#pragma once
#include <string>

inline bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}
