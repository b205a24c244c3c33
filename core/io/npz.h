// SPDX-License-Identifier: Apache-2.0
// npz.h: dicts as NumPy's .npz files: zip files that hold an array <name>.npy for each tensor.
// They are written stored, as numpy.savez does, and read stored or deflated. They hold no text
// beside the tensors.
#pragma once
#include <span>
#include <string>

#include "core/io/dict.h"

namespace bp {

// Writes as replace_file does. Refuses a dict with text, so that none is lost.
void save_npz(const Dict& dict, const std::string& path);
// Returns copies; arrays in Fortran order keep that order.
Ref<Dict> load_npz(const std::string& path, Device& device);
// The same from memory.
Ref<Dict> parse_npz(std::span<const char> bytes, Device& device);

}  // namespace bp
