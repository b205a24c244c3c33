// SPDX-License-Identifier: Apache-2.0
// Texts as devices. What is accepted has the grammar [a-zA-Z_]+(:(0|[1-9][0-9]*))? and comes back
// as the same text; what has it and names a kind of the list is accepted.
#include <algorithm>
#include <cctype>

#include "tests/fuzz/fuzz.h"

namespace {

bool has_grammar(const std::string& text) {
  size_t i = 0;
  while (i < text.size() && (std::isalpha(static_cast<unsigned char>(text[i])) || text[i] == '_'))
    ++i;
  if (i == 0 || i == text.size()) return i > 0;
  const std::string index = text.substr(i + 1);
  return text[i] == ':' && !index.empty() && (index[0] != '0' || index.size() == 1) &&
         std::all_of(index.begin(), index.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text = std::string(reinterpret_cast<const char*>(data), size).c_str();
  bp_device device = 0;
  const bool ok = fuzz::attempt(bp_device_parse, text.c_str(), &device);
  const size_t colon = text.find(':');
  if (!ok) {
    if (has_grammar(text) && text.substr(0, colon) == "cpu" &&
        (colon == text.npos || text.size() < colon + 10))
      fuzz::die("refused: " + text);
    return 0;
  }
  if (!has_grammar(text)) fuzz::die("accepted: " + text);
  char buf[64];
  if (bp_device_format(device, buf, sizeof buf, nullptr, nullptr) != BP_OK || text != buf)
    fuzz::die(text + " comes back as " + buf);
  bp_device_info info{};
  info.struct_size = sizeof info;
  fuzz::attempt(bp_device_get_info, device, &info);
  return 0;
}
