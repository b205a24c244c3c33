// SPDX-License-Identifier: Apache-2.0
// stand_in.h: what the stand-in for ROCm's runtime was asked, and what it is to answer.
//
//   HipStandIn& hip = *stand_in();    // of the library that the backend opened
//   hip.next_error = 700;             // of the next launch
#pragma once
#include <string>
#include <vector>

struct HipLaunch {
  int card;
  unsigned machine;  // of the code object: its ELF header's EF_AMDGPU_MACH
  std::string kernel;
  unsigned blocks, threads, shared_bytes;
};

struct HipStandIn {
  int enabled_peers = 0, asked_peers = 0, loaded_modules = 0, device_waits = 0;
  int next_error = 0;
  int blocks = 0;  // of the cards, that are out
  std::vector<HipLaunch> launches;
};

constexpr unsigned kMachineGfx90a = 0x3f;  // LLVM's AMDGPUUsage, "EF_AMDGPU_MACH values"
