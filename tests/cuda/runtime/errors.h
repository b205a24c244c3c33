// SPDX-License-Identifier: Apache-2.0
// errors.h: how a call of the runtime fails: it throws, and call() makes of that CUDA's code and
// the thread's last error. cudaGetErrorString() of a code that this thread met says why as well:
// "invalid argument: ...".
#pragma once
#include <driver_types.h>

#include <string>

namespace cuda_machine {

struct Error {
  cudaError_t code;
  std::string why;
};

// What the calling thread met last, and its words.
struct LastError {
  cudaError_t code = cudaSuccess;
  cudaError_t reason_of = cudaSuccess;
  std::string reason;
  std::string text;  // that cudaGetErrorString() returned
};
LastError& last_error();
cudaError_t remember(const Error& error);

}  // namespace cuda_machine
