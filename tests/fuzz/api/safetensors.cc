// SPDX-License-Identifier: Apache-2.0
// Bytes as a safetensors file: a dict, which written and read again is the same file, or an error.
#include <vector>

#include "tests/fuzz/fuzz.h"

namespace {

std::vector<char> format(bp_dict* d) {
  uint64_t n = 0;
  if (bp_safetensors_format(d, nullptr, 0, &n, nullptr) != BP_OK) return {};
  std::vector<char> bytes(n);
  if (bp_safetensors_format(d, bytes.data(), n, nullptr, nullptr) != BP_OK)
    fuzz::die("formatted once and not twice");
  return bytes;
}

}  // namespace

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::change(fuzz::mutate_safetensors, data, size, most, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::NothingLeft nothing_left;
  bp_dict *d = nullptr, *same = nullptr;
  bp_error* e = nullptr;
  const bp_status status = bp_safetensors_parse(data, size, fuzz::kCpu, &d, &e);
  const fuzz::Dict dict(bp_dict_retain(d));
  if (const std::string fault = fuzz::judge(status, d, e); !fault.empty()) fuzz::die(fault);
  if (!d) return 0;
  const std::vector<char> first = format(d);
  if (first.empty()) return 0;
  if (bp_safetensors_parse(first.data(), first.size(), fuzz::kCpu, &same, nullptr) != BP_OK)
    fuzz::die("what was written cannot be read");
  if (format(fuzz::Dict(same).get()) != first) fuzz::die("it is not the same when it was read");
  return 0;
}
