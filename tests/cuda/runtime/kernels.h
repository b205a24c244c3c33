// SPDX-License-Identifier: Apache-2.0
// kernels.h: what fat binaries registered, and what their kernels need.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "../machine/machine.h"

namespace cuda_machine {

struct FatBinary {
  const void* wrapper;
  std::unique_ptr<machine::Module> module;
};

struct Kernel {
  FatBinary* file = nullptr;
  std::string name;
  std::map<int, uint64_t> most_dynamic_shared{};  // that was asked for, by device
};

// `function` is the host's address of a kernel, or what __cudaGetKernel() gave. Throws
// cudaErrorInvalidDeviceFunction.
Kernel& kernel(const void* function);
// Throws cudaErrorNoKernelImageForDevice when there is no PTX of the kernel.
const machine::EntryInfo& entry(const Kernel& k);

// After this everything is parsed anew: variables lived in memory that is no more.
void forget_modules();

}  // namespace cuda_machine
