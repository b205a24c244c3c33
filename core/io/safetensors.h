// safetensors.h: dicts as safetensors files: 8 bytes of length, a header (safetensors_header.h),
// the tensors' bytes. Metadata is the dict's text. A dict that is written and read back has its
// order again.
//
//   save_safetensors(*dict, "model.safetensors");
//   Ref<Dict> same = load_safetensors("model.safetensors", device);
#pragma once
#include <span>
#include <string>

#include "core/io/dict.h"

namespace bp {

// See replace_file.
void save_safetensors(const Dict& dict, const std::string& path);
// The file is mapped. An accelerator's tensors are copied from the mapping, through the pinned
// memory of the copy and no other. On the cpu they are the mapping, copy-on-write: a large file is
// loaded at once, its pages are read when they are used and are shared by all processes that load
// it; while they live the file may be replaced, but not shortened. Those that lie at an address
// unfit for their dtype, which the reference implementation never writes, are copied.
Ref<Dict> load_safetensors(const std::string& path, Device& device);

// The same in memory. The tensors are copies.
Ref<Dict> parse_safetensors(std::span<const char> bytes, Device& device);
// Nothing is written when room is too short. Gives the length.
uint64_t format_safetensors(const Dict& dict, std::span<char> room);

}  // namespace bp
