// SPDX-License-Identifier: Apache-2.0
// fuzz.h: what targets share. A target is one file, api/<name>.cc or inside/<name>.cc, that defines
// LLVMFuzzerTestOneInput and ends the process by die() when the library did what it must not.
//
//   extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
//     const fuzz::NothingLeft nothing_left;
//     bp_device device = 0;
//     const std::string text(reinterpret_cast<const char*>(data), size);
//     fuzz::attempt(bp_device_parse, text.c_str(), &device);
//     return 0;
//   }
#pragma once
#include <c_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "tests/fuzz/mutate.h"

extern "C" {
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
// A target may define this; it changes an input knowing its format.
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);  // libFuzzer's
}

namespace fuzz {

const bp_device kCpu = bp_device_make(BP_KIND_CPU, -1);

template <class H, void (*kRelease)(H*)>
struct ReleasedBy {
  void operator()(H* handle) const { kRelease(handle); }
};
using Tensor = std::unique_ptr<bp_tensor, ReleasedBy<bp_tensor, bp_tensor_release>>;
using Dict = std::unique_ptr<bp_dict, ReleasedBy<bp_dict, bp_dict_release>>;

// Says what is wrong and aborts.
[[noreturn]] void die(const std::string& what);

// Ends the process unless a status and its error, which is released, fit each other: no error with
// BP_OK; else one of the library's statuses, no BP_INTERNAL, with one line of UTF-8. Returns
// whether the status is BP_OK.
bool expect_error_or_ok(bp_status status, bp_error* error);
// The same of f(args..., &err).
template <class F, class... A>
bool attempt(F&& f, A... args) {
  bp_error* err = nullptr;
  const bp_status status = f(args..., &err);
  return expect_error_or_ok(status, err);
}
bool is_line_of_utf8(std::string_view text);

// What is wrong with the outcome of reading a file; "" when nothing is. Takes both over. A dict
// must be one that can be read and saved again.
std::string judge(bp_status status, bp_dict* d, bp_error* e);

uint64_t n_live();
// Ends the process when blocks of the cpu's are alive at its end that were not at its start.
class NothingLeft {
 public:
  NothingLeft() : before_(n_live()) {}
  ~NothingLeft() {
    if (n_live() != before_) die("tensors were left alive");
  }
  NothingLeft(const NothingLeft&) = delete;
  NothingLeft& operator=(const NothingLeft&) = delete;

 private:
  uint64_t before_;
};

// The input as numbers and texts, from its start to its end; zeros behind that.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : data_(data), left_(size) {}
  size_t left() const { return left_; }
  uint8_t byte();
  uint64_t below(uint64_t n) { return n < 2 ? 0 : byte() % n; }  // n <= 256
  template <class V>
  V number() {
    uint64_t n = 0;
    for (size_t i = 0; i < sizeof(V); ++i) n |= uint64_t{byte()} << 8 * i;
    return static_cast<V>(n);
  }
  // Mostly small, sometimes any number or one at an end of the type.
  int64_t any_integer();
  std::string rest();

 private:
  const uint8_t* data_;
  size_t left_;
};

// The input as a file that has no name on the disk; path() may be opened while it lives.
class File {
 public:
  File(const uint8_t* data, size_t size);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  std::string path() const;

 private:
  int descriptor_;
};

// Changes an input, of at least 8 bytes, by `mutate` in half of the cases and as libFuzzer does in
// the others.
inline size_t change(std::string (*mutate)(std::string, std::string_view, Random&), uint8_t* data,
                     size_t size, size_t most, unsigned seed) {
  Random random(seed);
  if (size < 8 || random() & 1) return LLVMFuzzerMutate(data, size, most);
  const std::string file(reinterpret_cast<const char*>(data), size);
  const std::string changed = mutate(file, file, random);
  const size_t n = std::min(changed.size(), most);
  std::memcpy(data, changed.data(), n);
  return n;
}

}  // namespace fuzz
