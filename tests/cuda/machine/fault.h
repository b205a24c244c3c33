// SPDX-License-Identifier: Apache-2.0
// fault.h: what the machine's judges say against a program. A fault ends the work that made it; the
// device fails from then on, as a card does, and every later call says the fault's text.
#pragma once
#include <stdexcept>
#include <string>

namespace machine {

// CUDA's own numbers (driver_types.h), as far as the machine uses them inside.
enum Code : int {
  kAssert = 710,
  kIllegalAddress = 700,
  kLaunchFailure = 719,       // what a card would not have noticed: a race, memory never written
  kIllegalInstruction = 715,  // PTX that the machine does not know
  kMisalignedAddress = 716,
  kInvalidAddressSpace = 717,
};

class Fault : public std::runtime_error {
 public:
  Fault(Code code, const std::string& text) : std::runtime_error(text), code(code) {}
  Code code;
};

}  // namespace machine
