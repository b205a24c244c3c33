// SPDX-License-Identifier: Apache-2.0
// descriptor.h: an open file that closes itself, and what the system's refusals mean.
//
//   const Descriptor file(uninterrupted([] { return ::dup(STDIN_FILENO); }));
//   const bool may_pass = file.fd < 0 && passing(errno);
#pragma once
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace bp {

struct Descriptor {
  int fd;
  explicit Descriptor(int d = -1) : fd(d) {}
  Descriptor(Descriptor&& o) noexcept : fd(std::exchange(o.fd, -1)) {}
  Descriptor& operator=(Descriptor&& o) noexcept {
    std::swap(fd, o.fd);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);  // and never again: it is closed also when this fails
  }
  explicit operator bool() const noexcept { return fd >= 0; }
};

// Makes a call of the system until no signal interrupts it.
template <class F>
auto uninterrupted(F&& call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

// Errors that say nothing of the file that was asked for: the process or the system has too much
// open, or a device or a server did not answer. The same call may succeed the next time.
inline constexpr int kPassing[] = {EMFILE, ENFILE, EIO, EAGAIN};

inline bool passing(int error) {
  for (const int e : kPassing)
    if (e == error) return true;
  return false;
}

}  // namespace bp
