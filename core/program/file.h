// SPDX-License-Identifier: Apache-2.0
// file.h: programs in files. A file is in the format safetensors: the tensors are what the program
// holds, its metadata "backplane.program" is the rest (saved.h). docs/programs.md describes it.
//
//   save_program(program, "step.safetensors");
//   const Ref<Program> same = load_program("step.safetensors", {});
#pragma once
#include <span>
#include <string>

#include "core/program/program.h"

namespace bp {

// Writes as replace_file does (io/file.h), and waits for the devices that the program holds tensors
// on. Not while this thread records.
void save_program(const Program& p, const std::string& path);
// Runs on the devices that the file names; on `devices`, one for each in their order; or, where
// that is one, on it alone. It is made ready as it was before it was saved, unless `how` is given.
Ref<Program> load_program(const std::string& path, std::span<const bp_device> devices,
                          const Planning* how = nullptr);

}  // namespace bp
