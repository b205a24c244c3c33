// SPDX-License-Identifier: Apache-2.0
// elf_file.h: an ELF file of 64 bits in memory, as far as it is read here: sections and symbols.
//
//   const ElfFile file{bytes};
//   file.each_symbol(SHT_DYNSYM, [&](const char* name, const Elf64_Sym&) { names.insert(name); });
#pragma once
#include <elf.h>

#include <cstdint>
#include <span>

struct ElfFile {
  const char* bytes;

  const Elf64_Ehdr& header() const { return *at<Elf64_Ehdr>(0); }
  std::span<const Elf64_Shdr> sections() const {
    return {at<Elf64_Shdr>(header().e_shoff), header().e_shnum};
  }
  template <class T>
  const T* at(uint64_t offset) const {
    return reinterpret_cast<const T*>(bytes + offset);
  }
  // Where the file has what the symbol names.
  const char* content(const Elf64_Sym& s) const {
    const Elf64_Shdr& section = sections()[s.st_shndx];
    return bytes + section.sh_offset + (s.st_value - section.sh_addr);
  }
  // Calls fn(section) for each of the type.
  template <class F>
  void each_section(uint32_t type, const F& fn) const {
    for (const Elf64_Shdr& s : sections())
      if (s.sh_type == type) fn(s);
  }
  // Calls fn(name, symbol) for each of the tables of the type, in their order.
  template <class F>
  void each_symbol(uint32_t type, const F& fn) const {
    each_section(type, [&](const Elf64_Shdr& table) {
      const char* names = bytes + sections()[table.sh_link].sh_offset;
      for (const Elf64_Sym& s :
           std::span(at<Elf64_Sym>(table.sh_offset), table.sh_size / sizeof(Elf64_Sym)))
        fn(names + s.st_name, s);
    });
  }
};
