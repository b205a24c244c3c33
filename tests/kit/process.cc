// SPDX-License-Identifier: Apache-2.0
#include "kit/process.h"

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace {

[[noreturn]] void become(const std::vector<std::string>& command,
                         const std::vector<std::string>& environment) {
  for (const std::string& e : environment) putenv(const_cast<char*>(e.c_str()));
  std::vector<char*> argv;
  for (const std::string& a : command) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

int exit_code(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string drain(int file) {
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  return text;
}

std::string contents(std::FILE* file) {
  std::rewind(file);
  return drain(fileno(file));
}

}  // namespace

Said run(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  std::FILE *out = std::tmpfile(), *err = std::tmpfile();
  if (!out || !err) throw std::runtime_error("no temporary file");
  const pid_t child = fork();
  if (child == 0) {
    dup2(fileno(out), STDOUT_FILENO);
    dup2(fileno(err), STDERR_FILENO);
    become(command, environment);
  }
  Said said;
  said.code = exit_code(child);
  said.out = contents(out);
  said.err = contents(err);
  std::fclose(out);
  std::fclose(err);
  return said;
}

Said run_on_terminal(const std::vector<std::string>& command,
                     const std::vector<std::string>& environment) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) become(command, environment);
  Said said;
  said.out = drain(terminal);  // ends when the child closes its side
  close(terminal);
  said.code = exit_code(child);
  return said;
}
