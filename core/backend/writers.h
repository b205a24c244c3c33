// SPDX-License-Identifier: Apache-2.0
// writers.h: who may change a file that is loaded as code. Root and the user whose rights this
// process has are trusted; whoever else may write the file, or a folder on the way to it, could put
// code of their own there.
//
//   int error = 0;
//   if (auto why = others_may_write("/opt/plugins", &error)) log(kLogWarning, "{}", *why);
#pragma once
#include <optional>
#include <string>

namespace bp {

// Whether this process has rights that its caller lacks: it runs a set-user-id or set-group-id
// program, or one that was given capabilities (AT_SECURE of getauxval(3)).
bool privileged() noexcept;

// Returns why others may change what is found at an absolute path, with the file or folder that
// they may write, or nothing if they may not. What the system does not let anybody look at counts
// as others', and *error receives the errno. A folder with the sticky bit counts as safe, because
// in it nobody replaces what belongs to somebody else. A path that does not exist is safe as far as
// it exists. In a privileged process the caller's own files count as others', and so does what a
// group other than root's may write.
std::optional<std::string> others_may_write(const std::string& path, int* error);

// Returns the path without symbolic links, or "" with the errno in *error. Throws std::bad_alloc
// when memory ran out.
std::string real_path(const std::string& path, int* error);

}  // namespace bp
