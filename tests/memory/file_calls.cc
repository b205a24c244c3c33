// SPDX-License-Identifier: Apache-2.0
// file_calls.cc: the calls of dicts and of files.
#include <unistd.h>

#include "kit/dicts.h"
#include "kit/tensors.h"
#include "memory/each_allocation.h"

namespace bp_test {
namespace {

// One for each process, since several run at once.
const char* path(const char* end) {
  static char text[128];
  std::snprintf(text, sizeof text, "/tmp/backplane-memory-%d%s", static_cast<int>(::getpid()), end);
  return text;
}

const D& full() {
  static const T x = counting({2, 3}), y = counting<int64_t>({4}),
                 z = counting({3}, device("sim:0"));
  static const D d = dict({{"x", x.get()}, {"y", y.get()}, {"z", z.get()}});
  return d;
}

bp_status dicts(bp_error** err) {
  static const T x = counting({2, 3});
  D d;
  T t, at;
  const char *text = nullptr, *key = nullptr;
  TRY(bp_dict_create(into(d), err));
  TRY(bp_dict_set(d.get(), "a name that is longer than a short string", x.get(), err));
  TRY(bp_dict_set(d.get(), "b", x.get(), err));
  TRY(bp_dict_get(d.get(), "b", into(t), err));
  TRY(bp_dict_at(d.get(), 0, &key, into(at), err));
  TRY(bp_dict_remove(d.get(), "b", err));
  TRY(bp_dict_set_meta(d.get(), "key", "a text that is longer than a short string", err));
  TRY(bp_dict_get_meta(d.get(), "key", &text, err));
  return bp_dict_meta_at(d.get(), 0, &key, &text, err);
}

bp_status safetensors(bp_error** err) {
  const char* file = path(".safetensors");
  D back;
  TRY(bp_safetensors_save(full().get(), file, err));
  return bp_safetensors_load(file, kCpu, into(back), err);
}
bp_status onto_device(bp_error** err) {
  const char* file = path(".safetensors");
  D back;
  static const bp_device sim = device("sim:0");
  TRY(bp_safetensors_save(full().get(), file, err));
  return bp_safetensors_load(file, sim, into(back), err);
}
bp_status safetensors_bytes(bp_error** err) {
  static char buffer[4096];
  uint64_t n = 0;
  D back;
  TRY(bp_safetensors_format(full().get(), buffer, sizeof buffer, &n, err));
  return bp_safetensors_parse(buffer, n, kCpu, into(back), err);
}
bp_status npz(bp_error** err) {
  const char* file = path(".npz");
  static char buffer[4096];
  D back, parsed;
  TRY(bp_npz_save(full().get(), file, err));
  TRY(bp_npz_load(file, kCpu, into(back), err));
  static const size_t n = [&] {
    std::FILE* f = std::fopen(file, "rb");
    const size_t bytes = std::fread(buffer, 1, sizeof buffer, f);
    std::fclose(f);
    return bytes;
  }();
  return bp_npz_parse(buffer, n, kCpu, into(parsed), err);
}

}  // namespace

std::vector<MemoryCall> file_calls() {
  return {{"files", "dicts", dicts},
          {"files", "safetensors", safetensors},
          {"files", "onto_device", onto_device},
          {"files", "safetensors_bytes", safetensors_bytes},
          {"files", "npz", npz}};
}

}  // namespace bp_test
