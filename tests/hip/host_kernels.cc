// SPDX-License-Identifier: Apache-2.0
#include "hip/host_kernels.h"

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory_resource>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "hip/elf_file.h"

namespace {

// The kernel's type in the mangled name of `run`, which is a template of it in all vendors.
std::optional<std::string_view> type_in(std::string_view name, std::string_view end) {
  constexpr std::string_view kBegin = "_ZN6bp_gpu3runI";
  if (!name.starts_with(kBegin) || !name.ends_with(end)) return std::nullopt;
  return name.substr(kBegin.size(), name.size() - kBegin.size() - end.size());
}

// By file, and there by type; by "" those that the linker has from any of several files.
using Sources = std::map<std::string, HostKernels>;

// Sim's are `void run<K, sizeof(K)>(const void*, const Place&)`.
Sources read_sources() {
  Dl_info self{};
  dladdr(reinterpret_cast<const void*>(&host_kernels), &self);
  std::ifstream in(self.dli_fname, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  Sources sources;
  std::string file;
  ElfFile{bytes.data()}.each_symbol(SHT_SYMTAB, [&](const char* name, const Elf64_Sym& s) {
    if (ELF64_ST_TYPE(s.st_info) == STT_FILE) file = name;
    if (const auto type = type_in(name, "EEEvPKvRKNS_5PlaceE")) {
      const size_t end = type->rfind("Lm");
      size_t size = 0;
      std::from_chars(type->data() + end + 2, type->data() + type->size(), size);
      auto* run = static_cast<char*>(self.dli_fbase) + s.st_value;
      sources[file][std::string(type->substr(0, end))] = {reinterpret_cast<bp_gpu::KernelRun>(run),
                                                          size};
    }
  });
  return sources;
}

}  // namespace

HostKernels host_kernels(const CodeObject& code) {
  static const Sources sources = read_sources();
  std::map<std::string, std::string, std::less<>> names;  // by type
  for (const auto& [name, kernel] : code.kernels)
    if (const auto type = type_in(name, "EEvT_")) names.emplace(*type, name);
  // The source all of whose own kernels are there.
  const HostKernels none, *own = &none;
  for (const auto& [file, kernels] : sources)
    if (!file.empty() && kernels.size() > own->size() &&
        std::all_of(kernels.begin(), kernels.end(),
                    [&](const auto& k) { return names.contains(k.first); }))
      own = &kernels;
  if (own == &none)
    throw std::runtime_error("no source file of the host's is the one of the code with " +
                             code.kernels.begin()->first);
  HostKernels found;
  for (const HostKernels* kernels : {own, &sources.at("")})
    for (const auto& [type, kernel] : *kernels) {
      const auto name = names.find(type);
      if (name == names.end()) continue;
      if (const size_t bytes = code.kernels.at(name->second).argument_bytes; bytes != kernel.bytes)
        throw std::runtime_error(name->second + " takes " + std::to_string(bytes) + " bytes on " +
                                 code.target + ", and the host passes " +
                                 std::to_string(kernel.bytes));
      found[name->second] = kernel;
    }
  return found;
}

void run_on_host(const HostKernel& kernel, const bp_gpu::Shape& shape, int32_t threads,
                 const void* argument) {
  thread_local std::map<int32_t, std::shared_ptr<bp_sim::Crew>> crews;  // by the size of a block
  auto& crew = crews[threads];
  if (!crew) crew = bp_sim::new_crew(threads);
  std::pmr::monotonic_buffer_resource memory;
  const bp_sim::Grid grid(shape, argument, kernel.bytes, memory);
  bp_sim::run_kernel(*crew, grid, /*skip_barrier=*/0, kernel.run);
}
