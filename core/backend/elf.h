// elf.h: whether a file can be a shared library of this process, told from its headers alone. No
// code of the file runs, and each refusal is a sentence, where the loader's own text would be
// "invalid ELF header".
//
//   if (auto fault = check_shared_library("/opt/x/libbackplane_acme.so")) fault->cause,
//   fault->remedy
#pragma once
#include <optional>
#include <string>

namespace bp {

struct FileFault {
  std::string cause, remedy;
};

// Nothing when the file is a complete ELF shared object of this machine, class and byte order.
std::optional<FileFault> check_shared_library(const std::string& path);

}  // namespace bp
