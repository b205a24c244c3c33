// SPDX-License-Identifier: Apache-2.0
// Bytes as the file of a plugin, before the dynamic loader sees it: a reason in one line, or a file
// that holds everything of which its headers speak.
#include "core/backend/elf.h"

#include <elf.h>

#include <cstring>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::File file(data, size);
  const auto fault = bp::check_shared_library(file.path());
  if (fault) {
    for (const std::string& text : {fault->cause, fault->remedy})
      if (text.empty() || !fuzz::is_line_of_utf8(text)) fuzz::die(text);
    return 0;
  }
  Elf64_Ehdr header{};
  if (size < sizeof header || std::memcmp(data, ELFMAG, SELFMAG) != 0) fuzz::die("no header");
  std::memcpy(&header, data, sizeof header);
  if (header.e_type != ET_DYN || header.e_phnum == 0) fuzz::die("no shared library");
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (header.e_phoff > size || (i + 1) * sizeof segment > size - header.e_phoff)
      fuzz::die("the table of segments is not in the file");
    std::memcpy(&segment, data + header.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_type == PT_LOAD &&
        (segment.p_offset > size || segment.p_filesz > size - segment.p_offset))
      fuzz::die("a segment is not in the file");
  }
  return 0;
}
