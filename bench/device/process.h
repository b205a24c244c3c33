// process.h: another program, run to its end or to its limit. POSIX.
//   Ended e = run({.command = {"/bin/true"}, .seconds = 5});
#pragma once
#include <string>
#include <vector>

namespace gpu_check {

struct Run {
  std::vector<std::string> command;        // a path, or a name that is looked for in PATH
  std::vector<std::string> environment{};  // "NAME=value", besides this process's own
  double seconds = 60;
  bool keep_output = true;  // else it goes where this process's goes
  bool own_group = false;   // at the limit its children are ended too
};
struct Ended {
  int code = -1;  // -1: by a signal, at the limit, or not started
  int signal = 0;
  bool at_limit = false;
  double seconds = 0;
  std::string output;  // stdout and stderr; why it did not start
  bool good() const { return code == 0; }
  std::string how() const;  // "exit code 3", "signal 11 (Segmentation fault)" ...
};
Ended run(const Run& what);

// The group that runs now, for a handler that ends everything; 0: none.
int running_group();

// A program that answers lines. Ended when this is destroyed.
class Conversation {
 public:
  Conversation() = default;
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;
  bool start(const std::vector<std::string>& command, const std::vector<std::string>& environment);
  // "" when there is none within so many seconds.
  std::string ask(const std::string& line, double seconds);

 private:
  int pid_ = 0, to_ = -1, from_ = -1;
  std::string left_;
};

}  // namespace gpu_check
