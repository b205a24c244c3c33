// SPDX-License-Identifier: Apache-2.0
// host_kernels.h: the kernels of a code object as the host's compiler made them, for sim. The
// stand-in is linked with sim's objects and finds a kernel among its own symbols by the name of its
// type. Types of two source files may share a name, so that all kernels of a code object, which is
// of one file, are taken from one.
//
//   const HostKernels host = host_kernels(code);
//   const HostKernel& kernel = host.at("_ZN6bp_gpu3runI...");
//   run_on_host(kernel, {.blocks = 4, .shared_bytes = 1024}, /*threads=*/256, &argument);
#pragma once
#include <map>
#include <string>

#include "block.h"
#include "hip/code_object.h"

struct HostKernel {
  bp_gpu::KernelRun run;
  size_t bytes;  // of its type, to the host's compiler
};
using HostKernels = std::map<std::string, HostKernel>;  // by the name in the code object

// What the host launches of the code's kernels, which may have others besides. Throws
// std::runtime_error when no source file has its kernels there, or an argument has another size to
// one of the compilers than to the other.
HostKernels host_kernels(const CodeObject& code);

// Returns when all blocks have ended.
void run_on_host(const HostKernel& kernel, const bp_gpu::Shape& shape, int32_t threads,
                 const void* argument);
