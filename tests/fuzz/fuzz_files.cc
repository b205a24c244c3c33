// SPDX-License-Identifier: Apache-2.0
// fuzz_files safetensors|npz <count> [<seed>]: reads so many mutated files. Each must give a dict
// whose tensors can be read and saved again, or an error with one line of UTF-8 and nothing left
// behind; at once, and with no tensor alive at the end. On a fault the file is kept in the working
// directory as fault.<format>. Starts from tests/fuzz/seeds and files of our own.
#include <c_api.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

#include "tests/fuzz/mutate.h"

namespace {

using Dict = std::unique_ptr<bp_dict, void (*)(bp_dict*)>;
const bp_device kCpu = bp_device_make(BP_KIND_CPU, -1);

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
    {"safetensors", {"python.safetensors"}, bp_safetensors_parse, bp_safetensors_load, bp_safetensors_save, fuzz::mutate_safetensors},
    {"npz", {"stored.npz", "packed.npz"}, bp_npz_parse, bp_npz_load, bp_npz_save, fuzz::mutate_npz}};
// clang-format on

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

[[noreturn]] void die(const std::string& what) {
  std::printf("FAULT: %s\n", what.c_str());
  std::exit(1);
}

// Files with what the foreign ones lack: every dtype, many dimensions, names that need escapes,
// many tensors, none.
std::vector<std::string> own_files(const Format& format, const std::string& scratch) {
  std::vector<std::string> files;
  const int64_t shape[] = {2, 1, 3, 1, 1, 2};
  for (int n : {0, 1, 14, 40}) {
    bp_dict* d = nullptr;
    if (bp_dict_create(&d, nullptr) != BP_OK) die("no dict");
    const Dict owned(d, bp_dict_release);
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

bool is_line_of_utf8(const char* text) {
  int behind = 0;
  for (; *text; ++text) {
    const auto c = static_cast<unsigned char>(*text);
    if (c < 0x20 || (behind > 0) != ((c & 0xC0) == 0x80)) return false;
    behind = behind ? behind - 1 : c < 0x80 ? 0 : c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;
  }
  return behind == 0;
}

// What is wrong with the outcome; "" when nothing is.
std::string judge(bp_status status, bp_dict* d, bp_error* e) {
  const std::unique_ptr<bp_error, void (*)(bp_error*)> error(e, bp_error_release);
  const Dict dict(d, bp_dict_release);
  if (status != BP_OK) {
    if (d) return "an error and a dict";
    if (status > 0 || status == BP_INTERNAL)
      return std::string("status ") + bp_status_name(status) + ": " + bp_error_message(e, nullptr);
    const char* text = bp_error_message(e, nullptr);
    return *text && is_line_of_utf8(text) ? "" : std::string("not one line of text: ") + text;
  }
  if (e || !d) return "a dict was promised";
  std::vector<char> room;
  for (uint64_t i = 0; i < bp_dict_size(d); ++i) {
    const char* name = nullptr;
    bp_tensor* t = nullptr;
    if (bp_dict_at(d, i, &name, &t, nullptr) != BP_OK) return "a tensor that is not there";
    const std::unique_ptr<bp_tensor, void (*)(bp_tensor*)> owned(t, bp_tensor_release);
    room.resize(static_cast<size_t>(bp_tensor_numel(t)) * bp_dtype_bytes(bp_tensor_dtype(t)) + 1);
    if (bp_tensor_read(t, room.data(), room.size() - 1, nullptr) != BP_OK)
      return std::string("cannot read ") + name;
  }
  uint64_t n = 0;
  const bp_status again = bp_safetensors_format(d, nullptr, 0, &n, nullptr);
  // c128, "__metadata__"
  return again == BP_OK || again == BP_UNSUPPORTED || again == BP_INVALID_ARGUMENT
             ? ""
             : "cannot be saved again";
}

uint64_t n_live() {
  bp_memory_stats s{};
  s.struct_size = sizeof s;
  if (bp_memory_get_stats(kCpu, &s, nullptr) != BP_OK) die("no statistics");
  return s.n_live;
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
  std::string fault = judge(status, d, e);
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
