// SPDX-License-Identifier: Apache-2.0
// rccl.cc: where RCCL lies (gpu/card_driver.h). All releases of ROCm call it librccl.so.1, and each
// needs HIP's runtime of its own release: the one beside what runtime.cc has opened.
#include "gpu/card_driver.h"
#include "runtime.h"

namespace bp_gpu {

LibraryFiles collective_files() {
  const std::string beside = runtime_folder();
  return {"RCCL", {(beside.empty() ? "" : beside + "/") + "librccl.so.1"}, {}};
}

}  // namespace bp_gpu
