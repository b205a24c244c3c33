// SPDX-License-Identifier: Apache-2.0
// fuzz_files safetensors|npz <count> [<seed>]: reads so many mutated files. Each must give a dict
// whose tensors can be read and saved again, or an error with one line of UTF-8 and nothing left
// behind; at once, and with no tensor alive at the end. On a fault the file is kept in the working
// directory as fault.<format>. Starts from tests/fuzz/seeds and files of our own.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

#include "tests/fuzz/fuzz.h"

namespace {

using fuzz::die, fuzz::kCpu, fuzz::n_live;

struct Format {
  const char* name;
  std::vector<const char*> seeds;
  bp_status (*parse)(const void*, uint64_t, bp_device, bp_dict**, bp_error**);
  bp_status (*load)(const char*, bp_device, bp_dict**, bp_error**);
  bp_status (*save)(bp_dict*, const char*, bp_error**);
  std::string (*mutate)(std::string, std::string_view, fuzz::Random&);
};
// clang-format off
const Format kFormats[] = {
    {"safetensors", {"safetensors/python.safetensors"}, bp_safetensors_parse, bp_safetensors_load, bp_safetensors_save, fuzz::mutate_safetensors},
    {"npz", {"npz/stored.npz", "npz/packed.npz"}, bp_npz_parse, bp_npz_load, bp_npz_save, fuzz::mutate_npz}};
// clang-format on

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Files with what the foreign ones lack: every dtype, many dimensions, names that need escapes,
// many tensors, none.
std::vector<std::string> own_files(const Format& format, const std::string& scratch) {
  std::vector<std::string> files;
  const int64_t shape[] = {2, 1, 3, 1, 1, 2};
  for (int n : {0, 1, 14, 40}) {
    bp_dict* d = nullptr;
    if (bp_dict_create(&d, nullptr) != BP_OK) die("no dict");
    const fuzz::Dict owned(d);
    for (int i = 0; i < n; ++i) {
      bp_tensor* t = nullptr;
      const bp_dtype dtype = i % (BP_C64 + 1);
      if (bp_tensor_ones(i % 7, shape,
                         format.save == bp_npz_save && dtype == BP_BF16 ? BP_F16 : dtype, kCpu, &t,
                         nullptr) != BP_OK)
        die("no tensor");
      const std::string name = "layer\"\\\n." + std::to_string(i);
      bp_dict_set(d, name.c_str(), t, nullptr);
      bp_tensor_release(t);
    }
    if (format.save(d, scratch.c_str(), nullptr) != BP_OK) die("cannot save");
    files.push_back(read_file(scratch));
  }
  return files;
}

struct Counts {
  uint64_t good = 0, refused = 0;
};

void try_one(const Format& format, const std::string& file, const std::string& scratch,
             bool as_file, Counts& counts) {
  const auto start = std::chrono::steady_clock::now();
  bp_dict* d = nullptr;
  bp_error* e = nullptr;
  // A copy of just this length: a sanitizer sees the first byte behind it.
  const std::unique_ptr<char[]> exact(new char[file.size()]);
  std::copy(file.begin(), file.end(), exact.get());
  if (as_file) write_file(scratch, file);
  const bp_status status = as_file ? format.load(scratch.c_str(), kCpu, &d, &e)
                                   : format.parse(exact.get(), file.size(), kCpu, &d, &e);
  ++(status == BP_OK ? counts.good : counts.refused);
  std::string fault = fuzz::judge(status, d, e);
  if (std::chrono::steady_clock::now() - start > std::chrono::seconds(20))
    fault = "takes more than 20 s";
  if (fault.empty()) return;
  write_file(std::string("fault.") + format.name, file);
  die(fault + (as_file ? " (as a file)" : ""));
}

}  // namespace

int main(int argc, char** argv) {
  const Format* format = nullptr;
  for (const Format& f : kFormats)
    if (argc >= 3 && std::string(argv[1]) == f.name) format = &f;
  if (!format) return std::puts("usage: fuzz_files safetensors|npz <count> [<seed>]"), 2;
  const uint64_t count = std::strtoull(argv[2], nullptr, 10),
                 seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  const std::string scratch = "fuzz." + std::to_string(::getpid()) + "." + format->name;

  std::vector<std::string> seeds = own_files(*format, scratch);
  for (const char* name : format->seeds)
    seeds.push_back(read_file(std::string(BP_FUZZ_SEEDS "/") + name));
  const uint64_t live = n_live();
  Counts counts;
  for (const std::string& file : seeds) try_one(*format, file, scratch, /*as_file=*/true, counts);
  if (counts.refused) die("a file that is good was refused");

  fuzz::Random random(seed);
  for (uint64_t i = 0; i < count; ++i) {
    const std::string &file = seeds[fuzz::below(random, seeds.size())],
                      &other = seeds[fuzz::below(random, seeds.size())];
    const std::string wrong = random() & 1 ? format->mutate(file, other, random)
                                           : fuzz::mutate_bytes(file, other, random);
    try_one(*format, wrong, scratch, /*as_file=*/i % 8 == 0, counts);
  }
  ::unlink(scratch.c_str());
  if (n_live() != live) die("tensors were left alive");
  std::printf("%llu files of %s: %llu read, %llu refused\n",
              static_cast<unsigned long long>(count + seeds.size()), format->name,
              static_cast<unsigned long long>(counts.good),
              static_cast<unsigned long long>(counts.refused));
  return counts.refused < count / 4;  // most mutations must be noticed
}
