// SPDX-License-Identifier: Apache-2.0
// child.h: a forked child, and how it ended. POSIX.
//
//   expect_true_in_child([&] { return adds_up(t.get()); });
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

namespace bp_test {

// The status, as waitpid gives it, of a child that runs `body`: it exits with 0 if that returns
// true, else with 1. A child that hangs is ended by a signal.
template <class F>
int status_of_child(F&& body) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    ::_exit(body() ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

template <class F>
void expect_true_in_child(F&& body) {
  const int status = status_of_child(body);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "child status " << status;
}

}  // namespace bp_test
