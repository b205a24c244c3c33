// SPDX-License-Identifier: Apache-2.0
// process.h: runs a command as a person would and keeps what it said. POSIX.
#pragma once
#include <string>
#include <vector>

struct Said {
  int code = -1;  // exit code; -1 when it ended by a signal
  std::string out, err;
};

// Arguments as they are, no shell. environment: "NAME=value" added to this process's own.
Said run(const std::vector<std::string>& command, const std::vector<std::string>& environment = {});
// The same with a terminal as stdout; out holds what a person would see, err is empty.
Said run_on_terminal(const std::vector<std::string>& command,
                     const std::vector<std::string>& environment = {});
