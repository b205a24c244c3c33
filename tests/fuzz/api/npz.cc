// SPDX-License-Identifier: Apache-2.0
// Bytes as an .npz file, whose entries are .npy files: a dict or an error.
#include "tests/fuzz/fuzz.h"

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::change(fuzz::mutate_npz, data, size, most, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::NothingLeft nothing_left;
  bp_dict* d = nullptr;
  bp_error* e = nullptr;
  const bp_status status = bp_npz_parse(data, size, fuzz::kCpu, &d, &e);
  if (const std::string fault = fuzz::judge(status, d, e); !fault.empty()) fuzz::die(fault);
  return 0;
}
