// SPDX-License-Identifier: Apache-2.0
// The code objects that are in the plugin, of each architecture that it was built for, next to what
// the host passes to their kernels.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hip/code_object.h"
#include "hip/elf_file.h"

namespace {

std::string plugin() {
  std::ifstream in(HIP_PLUGIN, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Where the code objects of an architecture lie in the plugin, one for each source file. Clang's
// bundles hold them (docs/ClangOffloadBundler.rst), in a section of their own.
std::map<std::string, std::vector<size_t>> code_objects(std::string_view file) {
  constexpr std::string_view kMagic = "__CLANG_OFFLOAD_BUNDLE__", kCard = "hipv4-amdgcn";
  const ElfFile elf{file.data()};
  const char* names = file.data() + elf.sections()[elf.header().e_shstrndx].sh_offset;
  const auto sections = elf.sections();
  const auto section = std::find_if(sections.begin(), sections.end(), [&](const auto& s) {
    return names + s.sh_name == std::string_view(".hip_fatbin");
  });
  std::map<std::string, std::vector<size_t>> found;
  if (section == sections.end()) return found;
  const size_t end = section->sh_offset + section->sh_size;
  for (size_t bundle = file.find(kMagic, section->sh_offset); bundle < end;
       bundle = file.find(kMagic, bundle + 1)) {
    size_t at = bundle + kMagic.size();
    const auto next = [&] {
      uint64_t value;
      std::memcpy(&value, file.data() + at, sizeof value);
      at += sizeof value;
      return value;
    };
    for (uint64_t left = next(); left > 0; --left) {
      const uint64_t offset = next(), size = next(), length = next();
      const std::string_view target = file.substr(at, length);
      at += length;
      if (size > 0 && target.starts_with(kCard))
        found[std::string(target.substr(target.rfind('-') + 1))].push_back(bundle + offset);
    }
  }
  return found;
}

// The stand-in's functions, which compare a code object with the kernels of the host.
struct StandIn {
  void* library = dlopen((std::getenv("ROCM_PATH") + std::string("/lib/libamdhip64.so.7")).c_str(),
                         RTLD_NOW | RTLD_LOCAL);
  template <class F>
  F* function(const char* name) {
    return reinterpret_cast<F*>(dlsym(library, name));
  }
  void* module = nullptr;
  // What is wrong with it, or "".
  std::string load(const char* code) {
    const int e = function<int(void**, const char*)>("hipModuleLoadData")(&module, code);
    return e ? function<const char*(int)>("hipGetErrorString")(e) : "";
  }
  std::string launch(const std::string& kernel, unsigned threads, unsigned shared_bytes) {
    using Get = int(void**, void*, const char*);
    using Launch = int(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       void*, void**, void**);
    void* f = nullptr;
    int e = function<Get>("hipModuleGetFunction")(&f, module, kernel.c_str());
    if (!e)
      e = function<Launch>("hipModuleLaunchKernel")(f, 1, 1, 1, threads, 1, 1, shared_bytes,
                                                    nullptr, nullptr, nullptr);
    return e ? function<const char*(int)>("hipGetErrorString")(e) : "";
  }
};

// A card has 64 KiB of LDS for a block, of which a launch asks for up to 48.
constexpr uint32_t kThreads = 256, kMostLdsBytes = 16 * 1024;

TEST(CodeObjects, FitWhatTheHostPasses) {
  const std::string file = plugin();
  const auto architectures = code_objects(file);
  ASSERT_FALSE(architectures.empty());
  StandIn stand_in;
  std::printf(
      "architecture  files  kernels  most registers  vector spills  scalar spills  most scratch  "
      "most LDS\n");
  for (const auto& [architecture, objects] : architectures) {
    EXPECT_EQ(objects.size(), architectures.begin()->second.size()) << architecture;
    KernelCode most{};
    int kernels = 0, spill_vectors = 0, spill_scalars = 0;
    std::string spilling;
    for (const size_t at : objects) {
      EXPECT_EQ(stand_in.load(file.data() + at), "") << architecture;
      for (const auto& [name, k] : CodeObject(file.data() + at).kernels) {
        EXPECT_GE(k.most_threads, kThreads) << name;
        EXPECT_LE(k.lds_bytes, kMostLdsBytes) << name;
        ++kernels;
        spill_scalars += k.scalar_spills > 0;
        most.vector_registers = std::max(most.vector_registers, k.vector_registers);
        most.scratch_bytes = std::max(most.scratch_bytes, k.scratch_bytes);
        most.lds_bytes = std::max(most.lds_bytes, k.lds_bytes);
        if (k.vector_spills == 0) continue;
        ++spill_vectors;
        spilling += "  " + std::to_string(k.vector_spills) + " of " + name + "\n";
      }
    }
    std::printf("%-12s  %5zu  %7d  %14u  %13d  %13d  %12u  %8u\n%s", architecture.c_str(),
                objects.size(), kernels, most.vector_registers, spill_vectors, spill_scalars,
                most.scratch_bytes, most.lds_bytes, spilling.c_str());
  }
}

// What the stand-in says of a code object in which the byte was raised that lies `skip` behind the
// first of these texts.
std::string refusal_of_changed(std::string_view text, size_t skip, char by) {
  std::string file = plugin();
  const size_t code = code_objects(file).begin()->second.front();
  file[file.find(text, code) + text.size() + skip] += by;
  return StandIn().load(file.data() + code);
}

TEST(CodeObjects, WithAnotherArgumentThanTheHostsAreRefused) {
  const std::string said = refusal_of_changed("\xa5.size\xcd", 1, 8);  // a number of two bytes
  EXPECT_NE(said.find("and the host passes"), said.npos) << said;
}

TEST(CodeObjects, WhoseDescriptorsSaySomethingElseAreRefused) {
  const std::string said = refusal_of_changed(".group_segment_fixed_size", 0, 1);
  EXPECT_NE(said.find("has other sizes than its metadata"), said.npos) << said;
}

TEST(CodeObjects, AreLaunchedWithinTheirBounds) {
  const std::string file = plugin();
  const char* code = file.data() + code_objects(file).begin()->second.front();
  StandIn stand_in;
  ASSERT_EQ(stand_in.load(code), "");
  const CodeObject read(code);
  const auto& [kernel, said] = *read.kernels.begin();
  EXPECT_EQ(stand_in.launch(kernel, 2 * kThreads, 0),
            kernel + " is for blocks of 256 threads, not 512");
  EXPECT_EQ(
      stand_in.launch(kernel, kThreads, 64 * 1024),
      kernel + " asks for 65536 bytes of shared memory and has " + std::to_string(said.lds_bytes));
}

}  // namespace
