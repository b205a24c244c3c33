// SPDX-License-Identifier: Apache-2.0
// checkpoint.h: a run's state on the disk: a safetensors file, the index, and where optimisers'
// states are spread over members, beside it a file for each member's part, which the index names.
// All parts are there before the index takes its place by a rename, and those of the index before
// it are removed afterwards, so that at any moment one checkpoint is there as a whole. A name has a
// number that is drawn anew each time, and each part has it in its metadata as well.
//
//   run.safetensors                                 model.*, metadata
//   run-3f0c5a7be1d29648-0-of-2.safetensors         optimizer.* of rank 0
//   run-3f0c5a7be1d29648-1-of-2.safetensors         optimizer.* of rank 1
//
//   save_checkpoint(index, part, group, "run.safetensors");   // by all members
//   Ref<Dict> all = load_checkpoint("run.safetensors", cpu_device());
#pragma once
#include <string>

#include "core/group/group.h"
#include "core/io/dict.h"

namespace bp {

// Member 0's index counts. Throws BP_UNAVAILABLE when the members do not write to the same folder.
void save_checkpoint(Dict& index, Dict& part, ProcessGroup& group, const std::string& path);
// Returns what the index and all parts have, without their names. A file without parts is loaded as
// it is. On the cpu what nobody reads stays on the disk (load_safetensors).
Ref<Dict> load_checkpoint(const std::string& path, Device& device);
// Throws when the dict is an index whose parts are elsewhere.
void need_whole(const Dict& state);

}  // namespace bp
