// SPDX-License-Identifier: Apache-2.0
// elf.h: whether a file can be a shared library of this process, told from its headers
// alone. No code of the file runs. Each refusal is a sentence, where the loader would say
// "invalid ELF header".
//
//   auto fault = check_shared_library("/opt/x/libbackplane_acme.so");
//   if (fault) log(kLogWarning, "{}; {}", fault->cause, fault->remedy);
#pragma once
#include <optional>
#include <string>

namespace bp {

struct FileFault {
  std::string cause, remedy;
  bool passing = false;  // the system did not answer (descriptor.h): the file may be good
};

// What is said of a file that the system does not let anybody see into: it cannot be `done`
// ("opened", "read"). Throws std::bad_alloc when memory ran out.
FileFault unseen_file(const std::string& path, const char* done, int error);

// Returns nothing when the file is a complete ELF shared object of this machine, class
// and byte order.
std::optional<FileFault> check_shared_library(const std::string& path);

}  // namespace bp
