// SPDX-License-Identifier: Apache-2.0
// imports.sh holds that these are all of the library's.
#include "files/failing_files.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "kit/refusals.h"

namespace {

constinit Refusals plan;
constinit int wanted = 0;
constinit FailingFiles::Manner how = FailingFiles::kOnce;
constinit std::atomic<long> n_failed{0}, closed_wrongly{0};
constinit std::array<std::atomic<const char*>, 64> failures{};

bool is(const char* a, const char* b) { return std::strcmp(a, b) == 0; }

// Whether this call is to meet the fault, which is one of those that can meet it.
bool meets(const char* function, std::initializer_list<int> faults) {
  if (!plan.counts()) return false;
  if (wanted != FailingFiles::kKilled &&
      std::find(faults.begin(), faults.end(), wanted) == faults.end())
    return false;
  if (how == FailingFiles::kThatFunction && n_failed > 0 && !is(failures[0], function))
    return false;
  if (!plan.refuses()) return false;
  if (wanted == FailingFiles::kKilled) ::raise(SIGKILL);
  if (const long i = n_failed++; i < static_cast<long>(failures.size()))
    failures[static_cast<size_t>(i)] = function;
  if (wanted > 0) errno = wanted;
  return true;
}

// What open can be for, as its failures differ in what they mean.
const char* name_of_open(int flags) {
  if ((flags & O_TMPFILE) == O_TMPFILE) return "open of a file without a name";
  if (flags & O_DIRECTORY) return "open of a folder";
  if (flags & O_NOFOLLOW) return "open of a leftover";
  return "open";
}

}  // namespace

FailingFiles::FailingFiles(int fault, long granted, Manner manner) {
  wanted = fault;
  how = manner;
  n_failed = 0;
  plan.start(granted, manner == kOnce ? 1 : Refusals::kForEver);
}
FailingFiles::~FailingFiles() { plan.stop(); }
bool FailingFiles::struck() { return plan.struck(); }
std::string FailingFiles::first() { return n_failed ? failures[0].load() : ""; }
bool FailingFiles::failed(const char* function) {
  const auto n = static_cast<size_t>(n_failed);
  return std::any_of(failures.begin(), failures.begin() + std::min(n, failures.size()),
                     [&](const char* f) { return is(f, function); });
}
long FailingFiles::wrong_closes() { return closed_wrongly; }

#pragma GCC visibility push(default)
#define REAL(function) \
  static const auto real = reinterpret_cast<decltype(&function)>(::dlsym(RTLD_NEXT, #function))

extern "C" {

int open(const char* path, int flags, ...) {
  REAL(open);
  mode_t mode = 0;
  const char* const name = name_of_open(flags);
  if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
    if (meets(name, {ENOSPC})) return -1;
  }
  return meets(name, {EIO, EINTR, EAGAIN, EMFILE, ENFILE, ENOMEM}) ? -1 : real(path, flags, mode);
}
int close(int fd) {
  REAL(close);
  const int done = real(fd);
  if (done != 0 && errno == EBADF) ++closed_wrongly;
  return meets("close", {EIO, EINTR, ENOSPC}) ? -1 : done;  // it is closed all the same
}
ssize_t pread(int fd, void* to, size_t n, off_t offset) {
  REAL(pread);
  if (meets("pread", {EIO, EINTR, EAGAIN})) return -1;
  return real(fd, to, n > 1 && meets("pread", {FailingFiles::kShort}) ? 1 : n, offset);
}
ssize_t write(int fd, const void* from, size_t n) {
  REAL(write);
  if (meets("write", {EIO, ENOSPC, EINTR, EAGAIN})) return -1;
  if (n > 0 && meets("write", {FailingFiles::kNothing})) return 0;
  return real(fd, from, n > 1 && meets("write", {FailingFiles::kShort}) ? 1 : n);
}
int memfd_create(const char* name, unsigned flags) noexcept {
  REAL(memfd_create);
  return meets("memfd_create", {EMFILE, ENFILE, ENOMEM}) ? -1 : real(name, flags);
}
int ftruncate(int fd, off_t length) noexcept {
  REAL(ftruncate);
  return meets("ftruncate", {EIO, ENOSPC}) ? -1 : real(fd, length);
}
// Waits for no disk, which would cost these tests most of their time: none of them takes the power.
int fsync(int fd) {
  if (meets("fsync", {EIO, ENOSPC, EINTR})) return -1;
  return ::fcntl(fd, F_GETFD) < 0 ? -1 : 0;
}
int fchmod(int fd, mode_t mode) noexcept {
  REAL(fchmod);
  return meets("fchmod", {EIO, EINTR, ENOSPC}) ? -1 : real(fd, mode);
}
int flock(int fd, int operation) noexcept {
  REAL(flock);
  return meets("flock", {EIO, EINTR, ENOMEM}) ? -1 : real(fd, operation);
}
int access(const char* path, int how_much) noexcept {
  REAL(access);
  return meets("access", {EIO, ENOMEM}) ? -1 : real(path, how_much);
}
int stat(const char* path, struct stat* about) noexcept {
  REAL(stat);
  return meets("stat", {EIO, ENOMEM}) ? -1 : real(path, about);
}
int lstat(const char* path, struct stat* about) noexcept {
  REAL(lstat);
  return meets("lstat", {EIO, ENOMEM}) ? -1 : real(path, about);
}
int fstat(int fd, struct stat* about) noexcept {
  REAL(fstat);
  return meets("fstat", {EIO, ENOMEM}) ? -1 : real(fd, about);
}
char* realpath(const char* path, char* into) noexcept {
  REAL(realpath);
  return meets("realpath", {EIO, ENOMEM}) ? nullptr : real(path, into);
}
int linkat(int from, const char* path, int to, const char* name, int flags) noexcept {
  REAL(linkat);
  return meets("linkat", {EIO, ENOSPC, ENOMEM}) ? -1 : real(from, path, to, name, flags);
}
int rename(const char* from, const char* to) noexcept {
  REAL(rename);
  return meets("rename", {EIO, ENOSPC, ENOMEM}) ? -1 : real(from, to);
}
int unlink(const char* path) noexcept {
  REAL(unlink);
  return meets("unlink", {EIO, ENOSPC, ENOMEM}) ? -1 : real(path);
}
DIR* opendir(const char* path) {
  REAL(opendir);
  return meets("opendir", {EIO, EINTR, EMFILE, ENFILE, ENOMEM}) ? nullptr : real(path);
}
struct dirent* readdir(DIR* folder) {
  REAL(readdir);
  return meets("readdir", {EIO}) ? nullptr : real(folder);
}
int closedir(DIR* folder) {
  REAL(closedir);
  return real(folder);
}
void* mmap(void* at, size_t n, int protection, int flags, int fd, off_t offset) noexcept {
  REAL(mmap);
  return meets("mmap", {EIO, EAGAIN, ENFILE, ENOMEM}) ? MAP_FAILED
                                                      : real(at, n, protection, flags, fd, offset);
}
int munmap(void* at, size_t n) noexcept {
  REAL(munmap);
  return real(at, n);
}
ssize_t getrandom(void* to, size_t n, unsigned flags) {
  REAL(getrandom);
  return meets("getrandom", {EINTR, EAGAIN}) ? -1 : real(to, n, flags);
}
FILE* fopen(const char* path, const char* mode) {
  REAL(fopen);
  return meets("fopen", {EIO, EINTR, EMFILE, ENFILE, ENOMEM}) ? nullptr : real(path, mode);
}
// The dynamic linker has calls of its own, which nothing can take the place of, so that it meets
// the one fault that can be brought about.
void* dlopen(const char* path, int flags) noexcept {
  REAL(dlopen);
  if (!meets("dlopen", {EMFILE})) return real(path, flags);
  rlimit most{};
  ::getrlimit(RLIMIT_NOFILE, &most);
  const rlimit none{0, most.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &none);
  void* library = real(path, flags);
  ::setrlimit(RLIMIT_NOFILE, &most);
  return library;
}

}  // extern "C"
#pragma GCC visibility pop
