// SPDX-License-Identifier: Apache-2.0
// fault_on_card.cc: runs one of faults.h's kernels on a card, for compute-sanitizer to judge.
//
//   cuda_fault                          a line for each: name, tool, what the machine says
//   cuda_fault TwoWritesOfTwoWarps right
#include <cstdio>
#include <cstring>

#include "card.h"
#include "faults.h"

namespace {

// The parameters are those of faults.h, but for another device's memory. Returns the exit code.
int run(const faults::Fault& fault, bool right) {
  try {
    std::vector<uint64_t> at;
    for (int k = 0; k < 4; ++k) at.push_back(card::allocate(256));
    card::to_card(at[0], std::string(256, '\0').data(), 256);
    card::free(at[2]);
    const card::Module module(machine::kPtxHead + faults::kernel(right ? fault.right : fault.wrong),
                              /*plain=*/true);
    module.run(at, fault.threads);
    std::puts("it ran");
    return 0;
  } catch (const machine::Fault& refused) {
    std::puts(refused.what());
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3)
    for (const faults::Fault& fault : faults::kFaults)
      if (std::strcmp(fault.name, argv[1]) == 0)
        return run(fault, /*right=*/std::strcmp(argv[2], "right") == 0);
  for (const faults::Fault& fault : faults::kFaults)
    if (*fault.tool)
      std::printf("%s %s %s\n", fault.name, fault.tool,
                  faults::verdict(fault.wrong, fault.threads).c_str());
  return argc == 1 ? 0 : 2;
}
