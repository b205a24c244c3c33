// SPDX-License-Identifier: Apache-2.0
#include "core/backend/writers.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

#include "core/base/error.h"

namespace bp {
namespace {

bool trusted(uid_t user) {
  if (user == 0) return true;
  return user == ::geteuid() && (!privileged() || user != ::getuid());
}

std::string unseen(const std::string& path, int error) {
  if (error == ENOMEM) throw std::bad_alloc();  // the next call looks again
  return fmt::format("who may write {} cannot be told: {}", path, std::strerror(error));
}

std::optional<std::string> look(const std::string& path, int* error) {
  struct stat s;
  if (::lstat(path.c_str(), &s) != 0) {
    if (errno == ENOENT) return {};
    return unseen(path, *error = errno);
  }
  if (!trusted(s.st_uid))
    return fmt::format("{} belongs to user {}, who may change it", path, s.st_uid);
  if (S_ISLNK(s.st_mode) || (s.st_mode & S_ISVTX)) return {};
  const bool group = privileged() && (s.st_mode & S_IWGRP) && s.st_gid != 0;
  if (!group && !(s.st_mode & S_IWOTH)) return {};
  return fmt::format("{} may be written by {} (its mode is {:o})", path,
                     group ? fmt::format("group {}", s.st_gid) : "everybody", s.st_mode & 07777);
}

std::optional<std::string> look_along(std::string path, int* error) {
  while (!path.empty()) {
    if (auto why = look(path, error)) return why;
    path.resize(path.rfind('/'));
  }
  return {};
}

struct Free {
  void operator()(char* p) const noexcept { ::free(p); }
};

}  // namespace

bool privileged() noexcept { return ::getauxval(AT_SECURE) != 0; }

std::optional<std::string> others_may_write(const std::string& path, int* error) {
  if (auto why = look_along(path, error)) return why;
  int unreal = 0;
  const std::string real = real_path(path, &unreal);
  if (unreal == ENOENT) return {};
  if (unreal) return unseen(path, *error = unreal);
  return path != real ? look_along(real, error) : std::nullopt;
}

std::string real_path(const std::string& path, int* error) {
  const std::unique_ptr<char, Free> real(::realpath(path.c_str(), nullptr));
  if (real) return real.get();
  if (errno == ENOMEM) throw std::bad_alloc();
  *error = errno;
  return "";
}

}  // namespace bp
