// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

extern char** environ;

namespace gpu_check {
namespace {

using Clock = std::chrono::steady_clock;
std::atomic<int> group{0};

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Returns pointers into `text`, with a NULL at the end.
std::vector<char*> pointers(std::vector<std::string>& text) {
  std::vector<char*> out;
  for (std::string& s : text) out.push_back(s.data());
  out.push_back(nullptr);
  return out;
}

// Where a name comes twice it depends on the reader which value counts, so each name is there once.
std::vector<std::string> environment_with(const std::vector<std::string>& more) {
  std::vector<std::string> out = more;
  for (char** e = environ; *e; ++e) {
    const char* equals = std::strchr(*e, '=');
    const std::string name(*e, equals ? static_cast<size_t>(equals - *e) + 1 : std::strlen(*e));
    bool given = false;
    for (const std::string& m : more) given |= m.compare(0, name.size(), name) == 0;
    if (!given) out.emplace_back(*e);
  }
  return out;
}

// An out_fd of -1 is this process's own. Returns 0, or the errno that says why not.
int spawn(const std::vector<std::string>& command, const std::vector<std::string>& environment,
          int in_fd, int out_fd, bool with_errors, bool own_group, pid_t* pid) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (in_fd >= 0)
    posix_spawn_file_actions_adddup2(&files, in_fd, 0);
  else
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", 0, 0);
  if (out_fd >= 0) posix_spawn_file_actions_adddup2(&files, out_fd, 1);
  if (out_fd >= 0 && with_errors) posix_spawn_file_actions_adddup2(&files, out_fd, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (own_group) {
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
  }
  std::vector<std::string> args = command, env = environment_with(environment);
  const int error = posix_spawnp(pid, args[0].c_str(), &files, &attributes, pointers(args).data(),
                                 pointers(env).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

// Reads until the end of the file or the limit. Returns false at the limit.
bool read_all(int fd, std::string* out, Clock::time_point start, double seconds) {
  for (;;) {
    const double left = seconds - since(start);
    pollfd p{fd, POLLIN, 0};
    if (left <= 0 || poll(&p, 1, static_cast<int>(left * 1000) + 1) == 0) return false;
    char buffer[1 << 14];
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n == 0) return true;
    if (n > 0) out->append(buffer, static_cast<size_t>(n));
    if (n < 0 && errno != EINTR) return true;
  }
}

// Waits for the process itself. Returns false at the limit.
bool await(pid_t pid, int* status, Clock::time_point start, double seconds) {
  for (;;) {
    const pid_t got = waitpid(pid, status, WNOHANG);
    if (got == pid || (got < 0 && errno != EINTR)) return true;
    if (since(start) >= seconds) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

int running_group() { return group; }

std::string Ended::how() const {
  if (at_limit) return fmt::format("its limit of {:.0f} s", seconds);
  if (signal) return fmt::format("signal {} ({})", signal, strsignal(signal));
  return code < 0 ? output : fmt::format("exit code {}", code);
}

Ended run(const Run& what) {
  const auto start = Clock::now();
  Ended ended;
  int pipe_ends[2] = {-1, -1};
  if (what.keep_output && pipe2(pipe_ends, O_CLOEXEC) != 0) {
    ended.output = std::strerror(errno);
    return ended;
  }
  pid_t pid = 0;
  const int error = spawn(what.command, what.environment, -1, pipe_ends[1], /*with_errors=*/true,
                          what.own_group, &pid);
  if (what.keep_output) close(pipe_ends[1]);
  if (error) {
    ended.output = what.command[0] + ": " + std::strerror(error);
    if (what.keep_output) close(pipe_ends[0]);
    return ended;
  }
  if (what.own_group) group = pid;
  bool in_time = !what.keep_output || read_all(pipe_ends[0], &ended.output, start, what.seconds);
  int status = 0;
  in_time = in_time && await(pid, &status, start, what.seconds);
  if (!in_time) kill(what.own_group ? -pid : pid, SIGKILL);
  // A process that the driver holds cannot be ended, and is left behind.
  if (!in_time) await(pid, &status, Clock::now(), 5);
  if (what.own_group) group = 0;
  if (what.keep_output) close(pipe_ends[0]);
  ended.seconds = since(start);
  ended.at_limit = !in_time;
  if (in_time && WIFEXITED(status)) ended.code = WEXITSTATUS(status);
  if (in_time && WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  return ended;
}

bool Conversation::start(const std::vector<std::string>& command,
                         const std::vector<std::string>& environment) {
  int in[2] = {-1, -1}, out[2] = {-1, -1};
  if (pipe2(in, O_CLOEXEC) != 0) return false;
  if (pipe2(out, O_CLOEXEC) != 0) {
    close(in[0]), close(in[1]);
    return false;
  }
  signal(SIGPIPE, SIG_IGN);
  const bool started = spawn(command, environment, in[0], out[1], false, false, &pid_) == 0;
  close(in[0]), close(out[1]);
  to_ = in[1], from_ = out[0];
  if (!started) pid_ = 0;
  return started;
}

std::string Conversation::ask(const std::string& line, double seconds) {
  const auto start = Clock::now();
  const std::string text = line + "\n";
  if (!pid_ || (!line.empty() && write(to_, text.data(), text.size()) < 0)) return "";
  size_t end;
  while ((end = left_.find('\n')) == std::string::npos) {
    const double more = seconds - since(start);
    pollfd p{from_, POLLIN, 0};
    if (more <= 0 || poll(&p, 1, static_cast<int>(more * 1000) + 1) <= 0) return "";
    char buffer[4096];
    const ssize_t n = read(from_, buffer, sizeof buffer);
    if (n <= 0) return "";
    left_.append(buffer, static_cast<size_t>(n));
  }
  std::string answer = left_.substr(0, end);
  left_.erase(0, end + 1);
  return answer;
}

Conversation::~Conversation() {
  if (to_ >= 0) close(to_);
  if (from_ >= 0) close(from_);
  int status = 0;
  if (pid_ && !await(pid_, &status, Clock::now(), 5)) {
    kill(pid_, SIGKILL);
    await(pid_, &status, Clock::now(), 5);
  }
}

}  // namespace gpu_check
