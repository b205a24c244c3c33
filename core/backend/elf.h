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
};

// Returns nothing when the file is a complete ELF shared object of this machine, class
// and byte order.
std::optional<FileFault> check_shared_library(const std::string& path);

}  // namespace bp
