// SPDX-License-Identifier: Apache-2.0
#include "core/backend/elf.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "core/base/descriptor.h"

namespace bp {
namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);

constexpr const char* kRebuild =
    "build the plugin again for this machine, or install the package for it";
constexpr const char* kReplace = "replace the file with a complete copy";

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_X86_64: return "x86-64";
    case EM_386: return "x86 (32 bit)";
    case EM_AARCH64: return "AArch64";
    case EM_ARM: return "ARM (32 bit)";
    case EM_RISCV: return "RISC-V";
    case EM_PPC64: return "POWER (64 bit)";
    case EM_S390: return "s390x";
    case EM_CUDA: return "NVIDIA device code";
    case EM_AMDGPU: return "AMD device code";
    default: return fmt::format("ELF machine {}", machine);
  }
}

// Returns the ELF header of this process's own machine: the one under which the loader mapped the
// library that this code is in.
const Header* own_header() {
  Dl_info info{};
  if (!::dladdr(reinterpret_cast<const void*>(&check_shared_library), &info) || !info.dli_fbase)
    return nullptr;
  const auto* header = static_cast<const Header*>(info.dli_fbase);
  return std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 ? header : nullptr;
}

// Returns 0, or -1 when the file ends before, or an errno.
int read_at(int fd, void* to, size_t bytes, uint64_t offset) {
  for (size_t done = 0; done < bytes;) {
    const ssize_t n = uninterrupted([&] {
      return ::pread(fd, static_cast<char*>(to) + done, bytes - done,
                     static_cast<off_t>(offset + done));
    });
    if (n < 0) return errno;
    if (n == 0) return -1;
    done += static_cast<size_t>(n);
  }
  return 0;
}

std::optional<FileFault> check_machine(const std::string& path, const Header& header) {
  const Header* own = own_header();
  if (!own) return {};
  if (header.e_ident[EI_CLASS] != own->e_ident[EI_CLASS])
    return FileFault{fmt::format("{} is a {}-bit library and this program is {}-bit", path,
                                 header.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32,
                                 own->e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32),
                     kRebuild};
  if (header.e_ident[EI_DATA] != own->e_ident[EI_DATA])
    return FileFault{fmt::format("{} has the other byte order than this program", path), kRebuild};
  if (header.e_machine != own->e_machine)
    return FileFault{fmt::format("{} was built for {} and this machine is {}", path,
                                 machine_name(header.e_machine), machine_name(own->e_machine)),
                     kRebuild};
  return {};
}

// Everything that the headers promise must lie inside the file: a download that was cut short can
// be mapped, and then faults.
std::optional<FileFault> check_complete(const std::string& path, int fd, const Header& header,
                                        uint64_t size) {
  const auto cut = [&](uint64_t needed) {
    return FileFault{
        fmt::format("{} is cut short: it has {} bytes and its headers need {}", path, size, needed),
        kReplace};
  };
  if (header.e_phentsize != sizeof(Segment) || header.e_phnum == 0)
    return FileFault{fmt::format("{} has no usable program headers ({} of {} bytes)", path,
                                 +header.e_phnum, +header.e_phentsize),
                     kReplace};
  if (header.e_phoff > size) return cut(header.e_phoff);
  const uint64_t table_end = header.e_phoff + uint64_t{header.e_phnum} * sizeof(Segment);
  if (table_end > size) return cut(table_end);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Segment segment{};
    const int error = read_at(fd, &segment, sizeof segment, header.e_phoff + i * sizeof segment);
    if (error > 0) return unseen_file(path, "read", error);
    if (error) return cut(table_end);
    if (segment.p_type != PT_LOAD) continue;
    const uint64_t end = segment.p_offset + segment.p_filesz;
    if (end < segment.p_offset || end > size) return cut(end);
  }
  return {};
}

}  // namespace

FileFault unseen_file(const std::string& path, const char* done, int error) {
  if (error == ENOMEM) throw std::bad_alloc();  // the next use looks again
  return {fmt::format("{} cannot be {}: {}", path, done, std::strerror(error)),
          passing(error) ? "nothing, if it passes: the next use tries again"
                         : "check that the file exists and may be read by this user",
          passing(error)};
}

std::optional<FileFault> check_shared_library(const std::string& path) {
  // Opened without blocking: a fifo of that name must not hang the search.
  const Descriptor file(
      uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
  if (file.fd < 0) return unseen_file(path, "opened", errno);
  struct stat info {};
  if (::fstat(file.fd, &info) != 0) return unseen_file(path, "read", errno);
  if (!S_ISREG(info.st_mode))
    return FileFault{fmt::format("{} is not a regular file", path),
                     "put the plugin's shared library in its place"};
  const auto size = static_cast<uint64_t>(info.st_size);
  Header header{};
  const size_t want = size < sizeof header ? size : sizeof header;
  const int error = read_at(file.fd, &header, want, 0);
  if (error > 0) return unseen_file(path, "read", error);
  if (error) return FileFault{fmt::format("{} is cut short while it is read", path), kReplace};
  if (want < SELFMAG || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return FileFault{
        want ? fmt::format("{} is not an ELF file", path) : fmt::format("{} is empty", path),
        "replace the file with the plugin's shared library, or remove it"};
  if (want < sizeof header)
    return FileFault{
        fmt::format("{} is cut short: it has {} bytes, less than an ELF header", path, size),
        kReplace};
  if (auto fault = check_machine(path, header)) return fault;
  if (header.e_type != ET_DYN)
    return FileFault{
        fmt::format("{} is an ELF file but not a shared library (type {})", path, +header.e_type),
        "link the plugin with -shared"};
  return check_complete(path, file.fd, header, size);
}

}  // namespace bp
