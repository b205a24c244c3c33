// SPDX-License-Identifier: Apache-2.0
// text_module.h: a machine::Module made of PTX text, and a launch of its entry `k`.
//
//   machine::Memory memory(/*devices=*/1, /*bytes_each=*/1 << 20);
//   TextModule module(".visible .entry k(.param .u64 p) { ret; }");
//   module.run(memory, {address}, /*threads=*/32);
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "machine/fat_binary.h"
#include "machine/fault.h"
#include "machine/machine.h"

class TextModule {
 public:
  explicit TextModule(const std::string& ptx) : TextModule(ptx, machine::kPtxHead) {}
  TextModule(const std::string& ptx, const std::string& head)
      : binary_(head + ptx), module_(binary_.wrapper()) {}

  // Throws Fault as machine::run does, and one when there is no entry `k`.
  void run(machine::Memory& memory, const std::vector<uint64_t>& parameters, uint32_t threads,
           uint32_t shared_bytes = 0) {
    machine::Launch launch;
    launch.module = &module_;
    launch.entry = module_.entry("k");
    if (!launch.entry) throw machine::Fault(machine::kIllegalInstruction, "there is no entry k");
    launch.threads.x = threads;
    launch.shared_bytes = shared_bytes;
    launch.parameters = reinterpret_cast<const std::byte*>(parameters.data());
    machine::run(memory, launch);
  }

 private:
  machine::FatBinary binary_;
  machine::Module module_;
};
