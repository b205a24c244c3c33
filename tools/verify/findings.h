// SPDX-License-Identifier: Apache-2.0
// findings.h: what one part of the verification finds. A part runs in a process of its own, which a
// plugin may end or hold for ever; what it found until then has reached the parent, and the row
// says what it was at.
//
//   Row row = run_apart("copies", 120, [&](Findings& findings) {
//     findings.begin("17 bytes to the device");
//     findings.check(got == sent, [&] { return "got " + text(got); });
//   });
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace verifier {

// Writes each finding to a pipe as a line.
class Findings {
 public:
  explicit Findings(int pipe) : pipe_(pipe) {}
  // Says what is checked from now on; failures and the end of the process are told with it.
  void begin(const std::string& what);
  // The same for failures that say by themselves what they are of.
  void begin_unsaid(const std::string& what);
  void pass(int n = 1);
  void fail(const std::string& why);
  void skip(const std::string& why);
  void note(const std::string& text);
  // A fact for the parent: the plugin's path, its version, ...
  void fact(const std::string& name, const std::string& value);
  // Passes or fails; `why` is called for a failure alone. Returns `good`.
  template <class Why>
  bool check(bool good, Why&& why) {
    if (good)
      pass();
    else
      fail(why());
    return good;
  }
  void end();

 private:
  void line(char tag, const std::string& text);
  int pipe_;
  std::string what_;
};

// What the parent knows of a part.
struct Row {
  std::string part;
  int passed = 0;
  double seconds = 0;
  std::vector<std::string> failures{}, skips{}, notes{};
  std::map<std::string, std::string> facts{};
};

// Runs a part in a child process, which gets no longer than `silence_s` seconds from one line to
// the next. What it prints goes to stderr. The parent must not have started the library.
Row run_apart(const std::string& part, int silence_s,
              const std::function<void(Findings& findings)>& body);

}  // namespace verifier
