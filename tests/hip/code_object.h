// SPDX-License-Identifier: Apache-2.0
// code_object.h: what the code object of one source file and one architecture says of its kernels:
// an ELF file whose note of type 32 is a map in MessagePack, and a descriptor of 64 bytes for each
// kernel, from which a card takes the sizes (LLVM's AMDGPUUsage, "Code Object V3 Metadata" and
// "Kernel Descriptor").
//
//   const CodeObject code(bytes);                       // of the file, which outlives it
//   code.kernels.at("_ZN6bp_gpu3runI...").lds_bytes;    // 0
#pragma once
#include <cstdint>
#include <map>
#include <string>

struct KernelCode {
  uint32_t argument_bytes;  // of its one argument, the kernel's struct
  uint32_t lds_bytes;       // besides what a launch asks for
  uint32_t scratch_bytes;   // of each thread
  uint32_t vector_registers, vector_spills, scalar_spills;
  uint32_t most_threads;  // of a block
};

struct CodeObject {
  std::string target;  // "amdgcn-amd-amdhsa--gfx90a"
  unsigned machine;    // its ELF header's EF_AMDGPU_MACH
  std::map<std::string, KernelCode> kernels;

  // Throws std::runtime_error when it is none, or its parts contradict each other.
  explicit CodeObject(const char* file);
};
