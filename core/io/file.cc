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

#include "core/base/descriptor.h"
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

// Opens without waiting for the other end of a pipe, or for a terminal.
int open_at_once(const std::string& path, int flags, mode_t mode = 0) {
  return uninterrupted(
      [&] { return ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode); });
}

class FileSink final : public Sink {
 public:
  FileSink(int fd, const std::string& path) : fd_(fd), path_(path) {}
  void write(const void* data, size_t n) override {
    for (auto* p = static_cast<const char*>(data); n;) {
      const ssize_t done =
          uninterrupted([&] { return ::write(fd_, p, n < SSIZE_MAX ? n : SSIZE_MAX); });
      if (done < 0) fail_errno(errno, "write", path_);
      if (done == 0) fail_errno(EIO, "write", path_);  // it would take nothing for ever
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
bool lock_at_once(int fd) {
  return uninterrupted([&] { return ::flock(fd, LOCK_EX | LOCK_NB); }) == 0 || errno != EWOULDBLOCK;
}

constexpr int kMostNames = 100;  // that are tried, where each is taken; a random one hardly ever is

// What will be in the target's place. It is locked as long as its writer lives, which tells a
// leftover. It has no name while it is written, where the file system can do so: then a killed
// writer leaves nothing.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& folder, const std::string& target, bool unnamed)
      : target_(target),
        folder_(folder),
        // Not the target's name with a suffix, because that one may be as long as names can be.
        prefix_(fmt::format(".backplane-{:016x}-",
                            std::hash<std::string_view>()(target.substr(folder.size())))) {
    remove_leftovers();
    if (unnamed) fd_ = open_at_once(place(), O_WRONLY | O_TMPFILE, 0666);
    if (fd_ >= 0) lock_at_once(fd_);
    for (int tries = 0; fd_ < 0 && tries < kMostNames; ++tries) {
      std::string name = new_name();
      fd_ = open_at_once(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
      if (fd_ < 0 && errno != EEXIST) return;
      if (fd_ < 0) continue;
      name_ = std::move(name);
      // Another save may have looked for leftovers before the lock was there.
      const bool lost =
          !lock_at_once(fd_) || (::access(name_.c_str(), F_OK) != 0 && errno == ENOENT);
      if (lost) close(), errno = EEXIST;
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { close(); }

  int fd() const { return fd_; }  // negative when there is none, and errno says why

  // Gives the file a name, if it has none yet. Returns false when the file system cannot.
  bool link() {
    for (int tries = 0; name_.empty() && tries < kMostNames; ++tries) {
      const std::string own = fmt::format("/proc/self/fd/{}", fd_), name = new_name();
      if (::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0)
        name_ = name;
      else if (errno != EEXIST)
        return false;
    }
    return !name_.empty();
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
    if (uninterrupted([&] { return ::getrandom(&random, sizeof random, 0); }) < 0)
      fail_errno(errno, "name a new file beside", target_);
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
      const auto lock = [&] { return ::flock(left.fd, LOCK_EX | LOCK_NB); };
      if (left.fd >= 0 && uninterrupted(lock) == 0) ::unlink(path.c_str());
    }
  }

  const std::string target_, folder_, prefix_;
  std::string name_;  // "" while it has none
  int fd_ = -1;
};

// Gives a new file the mode of the one whose place it takes, because that may be private. A file
// system without modes refuses and gives all files the same one.
void keep_mode(int fd, mode_t mode, const std::string& path) {
  if (uninterrupted([&] { return ::fchmod(fd, mode); }) == 0) return;
  const int why = errno;
  struct stat now = {};
  if (::fstat(fd, &now) != 0 || (now.st_mode & 07777) != mode) fail_errno(why, "write", path);
}

// Lets a new name survive a loss of power too. It is opened before there is one, so that what fails
// then leaves the old file.
class FolderSync {
 public:
  FolderSync(const std::string& folder, const std::string& path)
      : folder_(uninterrupted([&] {
          return ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        })),
        path_(path) {
    // In a folder that may be written to and not read, nothing can be done.
    if (folder_.fd < 0 && errno != EACCES) fail_errno(errno, "write", path);
  }
  void sync() const {
    if (folder_.fd < 0 || uninterrupted([&] { return ::fsync(folder_.fd); }) == 0) return;
    const bool cannot = errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
    if (!cannot) fail_errno(errno, "write", path_);
  }

 private:
  const Descriptor folder_;
  const std::string& path_;
};

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

std::string followed(const std::string& path) {
  const auto free_text = [](char* text) { std::free(text); };
  const std::unique_ptr<char, decltype(free_text)> real(::realpath(path.c_str(), nullptr),
                                                        free_text);
  if (real) return real.get();
  const int why = errno;
  struct stat about = {};
  const bool link = ::lstat(path.c_str(), &about) == 0 && S_ISLNK(about.st_mode);
  if (link && why != ENOENT) fail_errno(why, "write", path);  // it would be replaced by a file
  return path;  // which is not there yet, or leads nowhere, or whose folders may not be looked into
}

void replace_file(const std::string& path, const std::function<void(Sink&)>& fill) {
  const std::string target = followed(path);
  struct stat there = {};
  const bool exists = ::stat(target.c_str(), &there) == 0;
  if (!exists && (errno != ENOENT || path.empty())) fail_errno(errno, "write", path);
  if (exists && S_ISDIR(there.st_mode)) fail_errno(EISDIR, "write", path);
  if (exists && !S_ISREG(there.st_mode))
    fail(BP_INVALID_ARGUMENT, "cannot write {}: not a regular file", quoted(path));

  const std::string folder = target.substr(0, target.rfind('/') + 1);
  for (const bool unnamed : {true, false}) {
    TemporaryFile made(folder, target, unnamed);
    if (made.fd() < 0) fail_errno(errno, "write", path);
    if (exists) keep_mode(made.fd(), there.st_mode & 07777, path);
    FileSink out(made.fd(), path);
    fill(out);
    if (uninterrupted([&] { return ::fsync(made.fd()); }) != 0) fail_errno(errno, "write", path);
    if (!made.link() && unnamed) continue;  // a file system that makes such files, and no more
    const FolderSync name(folder, path);
    if (!made.rename_to(target)) fail_errno(errno, "write", path);
    name.sync();
    break;
  }
}

void append_file(const std::string& path, std::string_view text, bool anew) {
  const int flags = O_WRONLY | O_CREAT | O_APPEND | (anew ? O_TRUNC : 0);
  const Descriptor file(open_at_once(path, flags, 0666));
  if (file.fd < 0) fail_errno(errno, "write", path);
  FileSink(file.fd, path).write(text.data(), text.size());
}

}  // namespace bp
