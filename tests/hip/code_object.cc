// SPDX-License-Identifier: Apache-2.0
#include "hip/code_object.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "hip/elf_file.h"

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& what) {
  throw std::runtime_error("code object: " + what);
}

// The description of the note that the compiler writes for the runtime.
json metadata(const ElfFile& file) {
  constexpr uint32_t kMetadata = 32;  // NT_AMDGPU_METADATA
  json found;
  file.each_section(SHT_NOTE, [&](const Elf64_Shdr& notes) {
    const auto padded = [](uint32_t n) { return (n + 3) & ~3u; };
    for (uint64_t at = notes.sh_offset; at < notes.sh_offset + notes.sh_size;) {
      const auto& note = *file.at<Elf64_Nhdr>(at);
      const char* description = file.bytes + at + sizeof note + padded(note.n_namesz);
      if (note.n_type == kMetadata)
        found = json::from_msgpack(description, description + note.n_descsz);
      at += sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
    }
  });
  if (!found.contains("amdhsa.kernels")) refuse("it has no metadata of kernels");
  return found;
}

KernelCode kernel(const json& said) {
  const json& arguments = said.at(".args");
  if (arguments.empty() || arguments[0].at(".value_kind") != "by_value")
    refuse("the first argument of " + said.at(".name").get<std::string>() + " is no value");
  return {arguments[0].at(".size"),
          said.at(".group_segment_fixed_size"),
          said.at(".private_segment_fixed_size"),
          said.at(".vgpr_count"),
          said.value(".vgpr_spill_count", 0u),
          said.value(".sgpr_spill_count", 0u),
          said.at(".max_flat_workgroup_size")};
}

}  // namespace

CodeObject::CodeObject(const char* bytes) {
  const ElfFile file{bytes};
  if (std::memcmp(bytes, ELFMAG, SELFMAG) != 0) refuse("it is no ELF file");
  machine = file.header().e_flags & 0xff;
  const json said = metadata(file);
  target = said.at("amdhsa.target");
  std::map<std::string, const char*> descriptors;
  file.each_symbol(SHT_DYNSYM, [&](const char* name, const Elf64_Sym& s) {
    if (s.st_shndx != SHN_UNDEF) descriptors[name] = file.content(s);
  });
  for (const json& k : said.at("amdhsa.kernels")) {
    const std::string name = k.at(".name");
    const auto descriptor = descriptors.find(k.at(".symbol"));
    if (descriptor == descriptors.end()) refuse(name + " has no descriptor");
    const KernelCode& own = kernels[name] = kernel(k);
    uint32_t sizes[3];
    std::memcpy(sizes, descriptor->second, sizeof sizes);
    if (sizes[0] != own.lds_bytes || sizes[1] != own.scratch_bytes ||
        sizes[2] != k.at(".kernarg_segment_size"))
      refuse("the descriptor of " + name + " has other sizes than its metadata");
  }
}
