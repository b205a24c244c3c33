// SPDX-License-Identifier: Apache-2.0
// command.h: runs the `backplane` command.
#pragma once
#include <string>
#include <vector>

#include "kit/process.h"

inline Said backplane(std::vector<std::string> arguments,
                      const std::vector<std::string>& environment = {}) {
  arguments.insert(arguments.begin(), BP_COMMAND);
  return run(arguments, environment);
}
