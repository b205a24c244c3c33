// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace fuzz {

void die(const std::string& what) {
  std::printf("FAULT: %s\n", what.c_str());
  std::fflush(stdout);
  std::abort();
}

bool is_line_of_utf8(std::string_view text) {
  int behind = 0;
  for (const char letter : text) {
    const auto c = static_cast<unsigned char>(letter);
    if ((c < 0x20 && c != '\t') || (behind > 0) != ((c & 0xC0) == 0x80)) return false;
    behind = behind ? behind - 1 : c < 0x80 ? 0 : c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;
  }
  return behind == 0;
}

namespace {

// What is wrong with a status and its error; "" when nothing is.
std::string judge_error(bp_status status, const bp_error* e) {
  const char* text = bp_error_message(e, nullptr);
  if (status == BP_OK) return e ? std::string("BP_OK with an error: ") + text : "";
  if (status > 0 || status == BP_INTERNAL || bp_error_code(e) != status)
    return std::string("status ") + bp_status_name(status) + ": " + text;
  return *text && is_line_of_utf8(text) ? "" : std::string("not one line of text: ") + text;
}

}  // namespace

bool expect_error_or_ok(bp_status status, bp_error* error) {
  if (const std::string fault = judge_error(status, error); !fault.empty()) die(fault);
  bp_error_release(error);
  return status == BP_OK;
}

std::string judge(bp_status status, bp_dict* d, bp_error* e) {
  const std::unique_ptr<bp_error, ReleasedBy<bp_error, bp_error_release>> error(e);
  const Dict dict(d);
  if (std::string fault = judge_error(status, e); !fault.empty()) return fault;
  if ((status == BP_OK) != (d != nullptr)) return d ? "an error and a dict" : "BP_OK and no dict";
  if (!d) return "";
  std::vector<char> room;
  for (uint64_t i = 0; i < bp_dict_size(d); ++i) {
    const char* name = nullptr;
    bp_tensor* t = nullptr;
    if (bp_dict_at(d, i, &name, &t, nullptr) != BP_OK) return "a tensor that is not there";
    const Tensor owned(t);
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

uint8_t Input::byte() {
  if (!left_) return 0;
  --left_;
  return *data_++;
}

int64_t Input::any_integer() {
  const uint8_t how = byte();
  if (how < 200) return how % 16 - 4;
  if (how < 230) return number<int64_t>();
  constexpr int64_t kEnds[] = {INT64_MIN, INT64_MAX, INT64_MIN + 1,
                               INT32_MIN, INT32_MAX, 1ll << 32};
  return kEnds[how % std::size(kEnds)];
}

std::string Input::rest() {
  std::string text(reinterpret_cast<const char*>(data_), left_);
  data_ += left_, left_ = 0;
  return text;
}

File::File(const uint8_t* data, size_t size) : descriptor_(::memfd_create("input", MFD_CLOEXEC)) {
  if (descriptor_ < 0 || ::write(descriptor_, data, size) != static_cast<ssize_t>(size))
    die("no file");
}
File::~File() { ::close(descriptor_); }
std::string File::path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

}  // namespace fuzz
