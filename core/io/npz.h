// npz.h: dicts as NumPy's .npz: a zip file with an array for each tensor, <name>.npy. Written
// unpacked, as numpy.savez does; read packed too. They hold no text beside the tensors.
#pragma once
#include <span>
#include <string>

#include "core/io/dict.h"

namespace bp {

// See replace_file. A dict with text is refused, so that none is lost.
void save_npz(const Dict& dict, const std::string& path);
// The tensors are copies; those of arrays in Fortran order keep that order.
Ref<Dict> load_npz(const std::string& path, Device& device);
// The same from memory.
Ref<Dict> parse_npz(std::span<const char> bytes, Device& device);

}  // namespace bp
