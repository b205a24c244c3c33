// SPDX-License-Identifier: Apache-2.0
// safetensors_header.h: the JSON at the head of a safetensors file: names, dtypes, shapes, and
// where the bytes lie. The functions are pure. Source: the format's page in
// github.com/huggingface/safetensors, and what its reference implementation refuses.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "c_types.h"
#include "core/value/shape.h"

namespace bp {

// the reference implementation's bound
inline constexpr uint64_t kMaxSafetensorsHeader = 100'000'000;

struct SafetensorsHeader {
  struct Record {
    std::string name;
    bp_dtype dtype = BP_DTYPE_NONE;
    Dims shape;
    uint64_t begin = 0, end = 0;  // counted from the end of the header
  };
  std::vector<Record> tensors;  // in the header's order
  std::vector<std::pair<std::string, std::string>> metadata;
};

// Throws BP_INVALID_ARGUMENT, or BP_UNSUPPORTED for a dtype of the format that we do not have. In
// the result every record has the bytes of its dtype and shape, and together they are data_bytes
// without a gap, an overlap or a rest.
SafetensorsHeader parse_safetensors_header(std::string_view json, uint64_t data_bytes);

// Returns the JSON, padded with spaces so that what follows it and its 8 bytes of length lies at a
// multiple of 8. Throws for a dtype without a name.
std::string print_safetensors_header(const SafetensorsHeader& header);

}  // namespace bp
