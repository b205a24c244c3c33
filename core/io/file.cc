// SPDX-License-Identifier: Apache-2.0
#include "core/io/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <system_error>

#include "core/base/error.h"
#include "core/base/shown.h"

namespace bp {
namespace {

std::string quoted(const std::string& path) { return '\'' + shown(path, PATH_MAX) + '\''; }

bp_status status_of(int error) {
  switch (error) {
    case ENOENT: return BP_NOT_FOUND;
    case ENOMEM: return BP_OUT_OF_HOST_MEMORY;
    case EISDIR:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
    case EINVAL: return BP_INVALID_ARGUMENT;
    default: return BP_UNAVAILABLE;
  }
}

[[noreturn]] void fail_errno(int error, const char* verb, const std::string& path) {
  fail(status_of(error), "cannot {} {}: {}", verb, quoted(path),
       std::system_category().message(error));
}

struct Descriptor {
  int fd;
  explicit Descriptor(int d) : fd(d) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

// Opens without waiting for the other end of a pipe, or for a terminal.
int open_at_once(const std::string& path, int flags, mode_t mode = 0) {
  int fd;
  do fd = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode);
  while (fd < 0 && errno == EINTR);
  return fd;
}

class FileSink final : public Sink {
 public:
  FileSink(int fd, const std::string& path) : fd_(fd), path_(path) {}
  void write(const void* data, size_t n) override {
    for (auto* p = static_cast<const char*>(data); n;) {
      const ssize_t done = ::write(fd_, p, n < SSIZE_MAX ? n : SSIZE_MAX);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) fail_errno(errno, "write", path_);
      p += done;
      n -= static_cast<size_t>(done);
    }
  }

 private:
  const int fd_;
  const std::string& path_;
};

// Removed again unless it was renamed.
struct TemporaryFile {
  std::string path;
  int fd = -1;
  bool kept = false;

  // Its name is its own, and not the target's with a suffix, because that one may be as long as
  // names can be.
  TemporaryFile(const std::string& folder, const std::string& target) {
    static std::atomic<uint32_t> count{0};
    for (int tries = 0; fd < 0; ++tries) {
      path = fmt::format("{}.backplane-{}-{}.tmp", folder, ::getpid(), count.fetch_add(1));
      fd = open_at_once(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
      if (fd < 0 && (errno != EEXIST || tries > 100)) fail_errno(errno, "write", target);
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (fd >= 0) ::close(fd);
    if (!kept) ::unlink(path.c_str());
  }
};

std::string followed(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  if (!real) return path;  // not there yet
  std::string target = real;
  std::free(real);
  return target;
}

// Lets the new name survive a loss of power too. Some file systems cannot, and say EINVAL.
void sync_folder(const std::string& folder) {
  const Descriptor d(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (d.fd >= 0) ::fsync(d.fd);
}

}  // namespace

std::shared_ptr<const Mapping> Mapping::open(const std::string& path) {
  const Descriptor file(open_at_once(path, O_RDONLY));
  if (file.fd < 0) fail_errno(errno, "open", path);
  struct stat about = {};
  if (::fstat(file.fd, &about) != 0) fail_errno(errno, "read", path);
  if (S_ISDIR(about.st_mode)) fail_errno(EISDIR, "read", path);
  if (!S_ISREG(about.st_mode))
    fail(BP_INVALID_ARGUMENT, "cannot read {}: not a regular file", quoted(path));
  const auto n = static_cast<size_t>(about.st_size);
  if (n == 0) return std::shared_ptr<const Mapping>(new Mapping({}));
  void* p = ::mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file.fd, 0);
  if (p == MAP_FAILED) fail_errno(errno, "map", path);
  try {
    return std::shared_ptr<const Mapping>(new Mapping({static_cast<char*>(p), n}));
  } catch (...) {
    ::munmap(p, n);
    throw;
  }
}

Mapping::~Mapping() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

void replace_file(const std::string& path, const std::function<void(Sink&)>& fill) {
  const std::string target = followed(path);
  struct stat there = {};
  const bool exists = ::stat(target.c_str(), &there) == 0;
  if (path.empty()) fail_errno(ENOENT, "write", path);
  if (exists && S_ISDIR(there.st_mode)) fail_errno(EISDIR, "write", path);
  if (exists && !S_ISREG(there.st_mode))
    fail(BP_INVALID_ARGUMENT, "cannot write {}: not a regular file", quoted(path));

  const std::string folder = target.substr(0, target.rfind('/') + 1);
  TemporaryFile made(folder, path);
  if (exists) ::fchmod(made.fd, there.st_mode & 07777);
  FileSink out(made.fd, path);
  fill(out);
  if (::fsync(made.fd) != 0) fail_errno(errno, "write", path);
  if (const int fd = std::exchange(made.fd, -1); ::close(fd) != 0 && errno != EINTR)
    fail_errno(errno, "write", path);
  if (::rename(made.path.c_str(), target.c_str()) != 0) fail_errno(errno, "write", path);
  made.kept = true;
  sync_folder(folder);
}

}  // namespace bp
