// SPDX-License-Identifier: Apache-2.0
// io.cc: files of named tensors; declared in c_io.h.
#include "c_io.h"
#include "core/base/guard.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"

namespace bp {
namespace {

// Refuses a length that no memory can have, because a zip file is read from its end.
std::span<const char> bytes_arg(const void* bytes, uint64_t n) {
  constexpr uint64_t kMost = uint64_t{1} << 56;
  if (n > kMost) fail(BP_INVALID_ARGUMENT, "n is {}, more bytes than memory can have", n);
  if (n) need(bytes, "bytes");
  return {static_cast<const char*>(bytes), n};
}

}  // namespace
}  // namespace bp

using namespace bp;

extern "C" {

bp_status bp_safetensors_save(bp_dict* d, const char* path, bp_error** err) {
  return guard(err, [&] {
    const Dict& dict = checked(d, "dict");
    save_safetensors(dict, need(path, "path"));
  });
}

bp_status bp_safetensors_load(const char* path, bp_device device, bp_dict** out, bp_error** err) {
  return guard(err, [&] {
    need(path, "path");
    need(out, "out");
    *out = load_safetensors(path, resolve_device(device)).release();
  });
}

bp_status bp_safetensors_parse(const void* bytes, uint64_t n, bp_device device, bp_dict** out,
                               bp_error** err) {
  return guard(err, [&] {
    const auto given = bytes_arg(bytes, n);
    need(out, "out");
    *out = parse_safetensors(given, resolve_device(device)).release();
  });
}

bp_status bp_safetensors_format(bp_dict* d, void* buffer, uint64_t capacity, uint64_t* needed,
                                bp_error** err) {
  return guard(err, [&] {
    const Dict& dict = checked(d, "dict");
    if (capacity) need(buffer, "buffer");
    const uint64_t length = format_safetensors(dict, {static_cast<char*>(buffer), capacity});
    if (needed) *needed = length;
  });
}

bp_status bp_npz_save(bp_dict* d, const char* path, bp_error** err) {
  return guard(err, [&] {
    const Dict& dict = checked(d, "dict");
    save_npz(dict, need(path, "path"));
  });
}

bp_status bp_npz_load(const char* path, bp_device device, bp_dict** out, bp_error** err) {
  return guard(err, [&] {
    need(path, "path");
    need(out, "out");
    *out = load_npz(path, resolve_device(device)).release();
  });
}

bp_status bp_npz_parse(const void* bytes, uint64_t n, bp_device device, bp_dict** out,
                       bp_error** err) {
  return guard(err, [&] {
    const auto given = bytes_arg(bytes, n);
    need(out, "out");
    *out = parse_npz(given, resolve_device(device)).release();
  });
}

}  // extern "C"
