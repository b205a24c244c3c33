// SPDX-License-Identifier: Apache-2.0
// blas.cc: where hipBLAS lies (gpu/card_driver.h). Each version needs one of HIP's runtime, and two
// runtimes in one process do not share memory: the one that fits runtime.cc's is taken.
#include "gpu/blas_dialect.h"
#include "gpu/card_driver.h"
#include "runtime.h"

namespace bp_gpu {

LibraryFiles blas_files() {
  int version = 0;
  (void)hipRuntimeGetVersion(&version);
  const int major = version / 10000000;
  LibraryFiles files{kHipblas2.name, {}, {}};
  if (major >= 7) files.names = {"libhipblas.so.3"};
  if (major == 6) files.names = {"libhipblas.so.2"};
  if (major <= 5) files.names = {"libhipblas.so.1", "libhipblas.so.0"};
  if (std::string beside = runtime_folder(); !beside.empty())
    files.folders.push_back(std::move(beside));
  files.folders.insert(files.folders.end(), {"$ROCM_PATH/lib", "/opt/rocm/lib", "/opt/rocm-*/lib"});
  return files;
}

}  // namespace bp_gpu
