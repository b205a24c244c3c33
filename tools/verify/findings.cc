// SPDX-License-Identifier: Apache-2.0
#include "verify/findings.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

namespace verifier {
namespace {

enum Tag : char {
  kBegin = 'b',
  kPass = 'p',
  kFail = 'f',
  kSkip = 's',
  kNote = 'n',
  kFact = '=',
  kEnd = 'e'
};

// Takes the child's lines apart, as they come.
class Reader {
 public:
  explicit Reader(Row& row) : row_(row) {}
  void take(const char* bytes, size_t n) {
    rest_.append(bytes, n);
    for (size_t end; (end = rest_.find('\n')) != std::string::npos; rest_.erase(0, end + 1))
      take(rest_[0], rest_.substr(1, end - 1));
  }
  // " in <what the child was at>", or "".
  std::string place() const { return what_.empty() ? "" : " in: " + what_; }
  bool ended() const { return ended_; }

 private:
  void take(char tag, const std::string& text) {
    if (tag == kBegin) what_ = text;
    if (tag == kPass) row_.passed += std::atoi(text.c_str());
    if (tag == kFail) row_.failures.push_back(text);
    if (tag == kSkip) row_.skips.push_back(text);
    if (tag == kNote) row_.notes.push_back(text);
    if (tag == kFact) row_.facts[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
    if (tag == kEnd) ended_ = true;
  }
  Row& row_;
  std::string rest_, what_;
  bool ended_ = false;
};

[[noreturn]] void be_child(int pipe, const std::function<void(Findings& findings)>& body) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  Findings findings(pipe);
  try {
    body(findings);
  } catch (const std::exception& e) {
    findings.fail(e.what());
  }
  findings.end();
  _exit(0);
}

// False when the child said nothing for that long.
bool listen_to(int pipe, int silence_s, Reader& reader) {
  for (char bytes[4096];;) {
    pollfd ready{pipe, POLLIN, 0};
    const int n = poll(&ready, 1, silence_s * 1000);
    if (n == 0) return false;
    if (n < 0 && errno == EINTR) continue;
    const ssize_t got = read(pipe, bytes, sizeof bytes);
    if (got <= 0) return true;
    reader.take(bytes, static_cast<size_t>(got));
    if (reader.ended()) return true;
  }
}

std::string death_of(int status, const Reader& reader) {
  if (WIFSIGNALED(status))
    return fmt::format("killed by signal {} ({}){}", WTERMSIG(status), strsignal(WTERMSIG(status)),
                       reader.place());
  return fmt::format("ended the process with exit code {}{}", WEXITSTATUS(status), reader.place());
}

}  // namespace

void Findings::line(char tag, const std::string& text) {
  std::string all = tag + text;
  for (char& c : all)
    if (c == '\n') c = ' ';
  all += '\n';
  for (size_t at = 0; at < all.size();) {
    const ssize_t n = write(pipe_, all.data() + at, all.size() - at);
    if (n <= 0 && errno != EINTR) _exit(1);  // nobody listens any more
    if (n > 0) at += static_cast<size_t>(n);
  }
}

void Findings::begin(const std::string& what) {
  what_ = what;
  line(kBegin, what);
}
void Findings::begin_unsaid(const std::string& what) {
  what_.clear();
  line(kBegin, what);
}
void Findings::pass(int n) { line(kPass, std::to_string(n)); }
void Findings::fail(const std::string& why) {
  line(kFail, what_.empty() ? why : what_ + ": " + why);
}
void Findings::skip(const std::string& why) {
  line(kSkip, what_.empty() ? why : what_ + ": " + why);
}
void Findings::note(const std::string& text) { line(kNote, text); }
void Findings::fact(const std::string& name, const std::string& value) {
  line(kFact, name + "=" + value);
}
void Findings::end() { line(kEnd, ""); }

Row run_apart(const std::string& part, int silence_s,
              const std::function<void(Findings& findings)>& body) {
  Row row{part};
  const auto start = std::chrono::steady_clock::now();
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe to a child process");
  fflush(nullptr);  // or the child would print it again
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no child process can be started");
  if (child == 0) {
    close(ends[0]);
    be_child(ends[1], body);
  }
  close(ends[1]);
  Reader reader(row);
  const bool heard = listen_to(ends[0], silence_s, reader);
  if (!heard) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  close(ends[0]);
  if (!heard)
    row.failures.push_back(fmt::format("no answer for {} s{}", silence_s, reader.place()));
  else if (!reader.ended())
    row.failures.push_back(death_of(status, reader));
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return row;
}

}  // namespace verifier
