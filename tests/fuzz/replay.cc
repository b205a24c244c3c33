// SPDX-License-Identifier: Apache-2.0
// replay.cc: main() of a target where libFuzzer's is not linked. Runs the target once with each
// file that is named, and with each file of the folders; options (-runs=0) are libFuzzer's.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/fuzz/fuzz.h"

size_t LLVMFuzzerMutate(uint8_t*, size_t size, size_t) { return size; }  // nothing is changed here

namespace {

void replay(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  std::printf("%s\n", path.c_str());
  std::fflush(stdout);
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  size_t n = 0;
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path path = argv[i];
    if (argv[i][0] == '-') continue;
    if (!std::filesystem::is_directory(path)) {
      replay(path), ++n;
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(path)) replay(entry.path()), ++n;
  }
  return n ? 0 : (std::puts("usage: fuzz_<target> <file or folder>..."), 2);
}
