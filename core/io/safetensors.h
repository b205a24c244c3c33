// SPDX-License-Identifier: Apache-2.0
// safetensors.h: dicts as safetensors files: 8 bytes of length, a header (safetensors_header.h),
// and the tensors' bytes. The metadata is the dict's text. A dict that is written and read back has
// its order again.
//
//   Ref<Dict> dict = new_dict();
//   save_safetensors(*dict, "model.safetensors");
//   Ref<Dict> same = load_safetensors("model.safetensors", d);
#pragma once
#include <span>
#include <string>

#include "core/io/dict.h"

namespace bp {

// Writes as replace_file does.
void save_safetensors(const Dict& dict, const std::string& path);
// Maps the file. An accelerator's tensors are copied from the mapping, through no more pinned
// memory than the copy takes. On the cpu they are the mapping itself, copy-on-write: a large file
// is loaded at once, and its pages are read when they are used and shared by all processes that
// load it. While the tensors live the file may be replaced, but not shortened; what is written into
// it in place may show in them. A tensor at an address unfit for its dtype, which the reference
// implementation never writes, is copied.
Ref<Dict> load_safetensors(const std::string& path, Device& device);

// The same from memory. The tensors are copies.
Ref<Dict> parse_safetensors(std::span<const char> bytes, Device& device);
// Returns the length that the file takes, and writes it into `room` if it fits.
uint64_t format_safetensors(const Dict& dict, std::span<char> room);

}  // namespace bp
