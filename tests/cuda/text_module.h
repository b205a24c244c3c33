// SPDX-License-Identifier: Apache-2.0
// text_module.h: a machine::Module made of PTX text, and a launch of its entry `k`.
//
//   machine::Memory memory(/*devices=*/1, /*bytes_each=*/1 << 20);
//   TextModule module(".visible .entry k(.param .u64 p) { ret; }");
//   module.run(memory, {address}, /*threads=*/32);
#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "machine/fault.h"
#include "machine/machine.h"

class TextModule {
 public:
  explicit TextModule(const std::string& ptx)
      : TextModule(ptx, ".version 9.0\n.target sm_75\n.address_size 64\n") {}
  TextModule(const std::string& ptx, const std::string& head) {
    const std::string text = head + ptx;
    const Part part = {1, 0x101, sizeof(Part), text.size() + 1, 0, {}, 0};
    const Head first = {0xba55ed50, 1, sizeof(Head), sizeof part + text.size() + 1};
    image_.resize(sizeof first + first.bytes);
    std::memcpy(image_.data(), &first, sizeof first);
    std::memcpy(image_.data() + sizeof first, &part, sizeof part);
    std::memcpy(image_.data() + sizeof first + sizeof part, text.c_str(), text.size() + 1);
    wrapper_ = {0x466243b1, 1, image_.data()};
    module_ = std::make_unique<machine::Module>(&wrapper_);
  }

  // Throws Fault as machine::run does, and one when there is no entry `k`.
  void run(machine::Memory& memory, const std::vector<uint64_t>& parameters, uint32_t threads,
           uint32_t shared_bytes = 0) {
    machine::Launch launch;
    launch.module = module_.get();
    launch.entry = module_->entry("k");
    if (!launch.entry) throw machine::Fault(machine::kIllegalInstruction, "there is no entry k");
    launch.threads.x = threads;
    launch.shared_bytes = shared_bytes;
    launch.parameters = reinterpret_cast<const std::byte*>(parameters.data());
    machine::run(memory, launch);
  }

 private:
  struct Head {
    uint32_t magic;
    uint16_t version, head_bytes;
    uint64_t bytes;
  };
  struct Part {
    uint16_t kind, version;
    uint32_t head_bytes;
    uint64_t bytes;
    uint32_t compressed_bytes, unused[5];
    uint64_t flags;
  };
  struct Wrapper {
    uint32_t magic, version;
    const void* data;
  };
  std::vector<char> image_;
  Wrapper wrapper_{};
  std::unique_ptr<machine::Module> module_;
};
