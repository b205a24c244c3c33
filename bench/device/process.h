// SPDX-License-Identifier: Apache-2.0
// process.h: another program, run to its end or to its limit (POSIX).
//
//   Ended ended = run({.command = {"/bin/true"}, .seconds = 5});
#pragma once
#include <string>
#include <vector>

namespace gpu_check {

struct Run {
  std::vector<std::string> command;        // a path, or a name that is looked for in PATH
  std::vector<std::string> environment{};  // "NAME=value", besides this process's own
  double seconds = 60;
  bool keep_output = true;  // else it goes where this process's output goes
  bool own_group = false;   // its children are ended too at the limit
};
struct Ended {
  int code = -1;  // -1 when a signal or the limit ended it, or it did not start
  int signal = 0;
  bool at_limit = false;
  double seconds = 0;
  std::string output;  // of stdout and stderr, or why it did not start
  bool good() const { return code == 0; }
  std::string how() const;  // "exit code 3", "signal 11 (Segmentation fault)" ...
};
Ended run(const Run& what);

// Returns the group that runs now, for a handler that ends everything, or 0 if there is none.
int running_group();

// A program that answers lines, one by one. Destroying this ends it.
class Conversation {
 public:
  Conversation() = default;
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;
  bool start(const std::vector<std::string>& command, const std::vector<std::string>& environment);
  // Returns the answer, or "" when there is none within so many seconds.
  std::string ask(const std::string& line, double seconds);

 private:
  int pid_ = 0, to_ = -1, from_ = -1;
  std::string left_;
};

}  // namespace gpu_check
