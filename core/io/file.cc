// SPDX-License-Identifier: Apache-2.0
#include "core/io/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

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

// Returns false when another open file has the lock. Where a file system has no locks, nobody is
// told from the dead, and nothing is removed.
bool lock_at_once(int fd) { return ::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

// What will be in the target's place. It is locked as long as its writer lives, which tells a
// leftover. It has no name while it is written, where the file system can do so: then a killed
// writer leaves nothing.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& folder, const std::string& target, bool unnamed)
      : folder_(folder),
        // Not the target's name with a suffix, because that one may be as long as names can be.
        prefix_(fmt::format(".backplane-{:016x}-",
                            std::hash<std::string_view>()(target.substr(folder.size())))) {
    remove_leftovers();
    if (unnamed) fd_ = open_at_once(place(), O_WRONLY | O_TMPFILE, 0666);
    if (fd_ >= 0) lock_at_once(fd_);
    while (fd_ < 0) {
      name_ = new_name();
      fd_ = open_at_once(name_, O_WRONLY | O_CREAT | O_EXCL, 0666);
      if (fd_ < 0 && errno != EEXIST) return;
      // Another save may have looked for leftovers before the lock was there.
      if (fd_ >= 0 && !(lock_at_once(fd_) && ::access(name_.c_str(), F_OK) == 0)) close();
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { close(); }

  int fd() const { return fd_; }  // negative when there is none, and errno says why

  // Gives the file a name, if it has none yet. Returns false when the file system cannot.
  bool link() {
    while (name_.empty()) {
      const std::string own = fmt::format("/proc/self/fd/{}", fd_), name = new_name();
      if (::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0)
        name_ = name;
      else if (errno != EEXIST)
        return false;
    }
    return true;
  }
  bool rename_to(const std::string& target) {
    if (::rename(name_.c_str(), target.c_str()) != 0) return false;
    name_.clear();
    return true;
  }

 private:
  const char* place() const { return folder_.empty() ? "." : folder_.c_str(); }
  std::string new_name() const {
    uint64_t random = 0;
    if (::getrandom(&random, sizeof random, 0) < 0) fail_errno(errno, "name a file in", place());
    return fmt::format("{}{}{:016x}.tmp", folder_, prefix_, random);
  }
  void close() noexcept {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
    if (!name_.empty()) ::unlink(std::exchange(name_, {}).c_str());
  }

  // Removes the files of killed writers of this target. Those of other targets stay, because a
  // writer on another machine may not show its lock here.
  void remove_leftovers() const {
    const auto close_folder = [](DIR* d) { ::closedir(d); };
    const std::unique_ptr<DIR, decltype(close_folder)> files(::opendir(place()), close_folder);
    while (const dirent* file = files ? ::readdir(files.get()) : nullptr) {
      if (!std::string_view(file->d_name).starts_with(prefix_)) continue;
      const std::string path = folder_ + file->d_name;
      int fd = open_at_once(path, O_RDWR | O_NOFOLLOW);  // NFS locks what may be written to
      if (fd < 0) fd = open_at_once(path, O_RDONLY | O_NOFOLLOW);
      const Descriptor left(fd);
      if (left.fd >= 0 && ::flock(left.fd, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
    }
  }

  const std::string folder_, prefix_;
  std::string name_;  // "" while it has none
  int fd_ = -1;
};

std::string followed(const std::string& path) {
  const auto free_text = [](char* text) { std::free(text); };
  const std::unique_ptr<char, decltype(free_text)> real(::realpath(path.c_str(), nullptr),
                                                        free_text);
  return real ? real.get() : path;  // not there yet
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
  for (const bool unnamed : {true, false}) {
    TemporaryFile made(folder, target, unnamed);
    if (made.fd() < 0) fail_errno(errno, "write", path);
    if (exists) ::fchmod(made.fd(), there.st_mode & 07777);
    FileSink out(made.fd(), path);
    fill(out);
    if (::fsync(made.fd()) != 0) fail_errno(errno, "write", path);
    if (!made.link() && unnamed) continue;  // a file system that makes such files, and no more
    if (!made.rename_to(target)) fail_errno(errno, "write", path);
    break;
  }
  sync_folder(folder);
}

}  // namespace bp
