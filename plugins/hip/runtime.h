// SPDX-License-Identifier: Apache-2.0
// runtime.h: ROCm's HIP runtime, opened when the backend is first used. The functions of
// hip_runtime_api.h that this plugin calls are defined in runtime.cc and forward to it.
#pragma once
#include <string>

#include "vendor.h"

namespace bp_gpu {

// Opens libamdhip64 of ROCm 5 to 7, once; returns true from then on. Else *why_not is the loader's
// sentence. `host` may say in which folder it is (ROCM_PATH). It stays open until the process ends.
// One thread at a time; the host serialises probes.
bool open_runtime(const bp_host* host, const char** why_not);

// A function of the opened runtime; nullptr when this ROCm has none of that name.
void* runtime_function(const char* name);

// Where the opened runtime lies, "/opt/rocm/lib"; "" when that is not known. ROCm's other libraries
// of the same release lie beside it, and those of another need a runtime of their own, which does
// not see this one's memory.
std::string runtime_folder();

}  // namespace bp_gpu
