// SPDX-License-Identifier: Apache-2.0
#include "core/program/file.h"

#include <algorithm>
#include <climits>
#include <map>
#include <numeric>

#include "core/base/shown.h"
#include "core/io/dtype_codes.h"
#include "core/io/refuse.h"
#include "core/io/safetensors.h"
#include "core/program/saved.h"
#include "core/tensor/tape.h"

namespace bp {
namespace {

template <class F>
void each_view(const SavedProgram& saved, const F& see) {
  for (const SavedStep& s : saved.steps) {
    for (const SavedOperand& o : s.in)
      if (o.is_view) see(o.view);
    for (const BufferView& v : s.out) see(v);
  }
  for (const BufferView& v : saved.outputs) see(v);
}

constexpr const char* kProgram = "backplane.program";  // the key of the metadata
constexpr const char* kFormat = "program";             // in messages

std::string quoted(const std::string& path) { return fmt::format("'{}'", shown(path, PATH_MAX)); }

// ---- saving ----

// What a file shows a held buffer as: the dtype and the shape under which its steps see all of it,
// dims in the order of memory, where there is such a look; else bytes. Loading reads bytes.
struct Shown {
  bp_dtype dtype = BP_U8;
  Dims shape{};
};

// Fills in the sizes of a look that has every element of the buffer once.
bool shows_all(const BufferView& v, uint64_t bytes, Shown& out) {
  if (v.offset || numel(v.shape) == 0 || !kDtypeCodes[v.dtype].safetensors ||
      v.dtype == BP_BOOL ||  // other bytes than 0 and 1 could not be loaded
      static_cast<uint64_t>(numel(v.shape) * dtype_bytes(v.dtype)) != bytes)
    return false;
  std::vector<size_t> order(v.shape.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return v.strides[a] > v.strides[b]; });
  Dims shape, strides;
  for (const size_t d : order) shape.push_back(v.shape[d]), strides.push_back(v.strides[d]);
  if (!is_contiguous(shape, strides)) return false;
  out = {v.dtype, shape};
  return true;
}

std::vector<Shown> shown_held(const SavedProgram& saved) {
  std::vector<Shown> all(saved.buffers.size());
  for (size_t b = 0; b < all.size(); ++b)
    all[b].shape = Dims{static_cast<int64_t>(saved.buffers[b].bytes)};
  const auto see = [&](const BufferView& v) {
    Shown better;
    Shown& now = all[v.buffer];
    if (saved.buffers[v.buffer].kind == Buffer::Kind::kHeld &&
        shows_all(v, saved.buffers[v.buffer].bytes, better) &&
        (now.dtype == BP_U8 || better.shape.size() > now.shape.size()))
      now = better;
  };
  each_view(saved, see);
  return all;
}

Ref<Dict> dict_of(const Program& p) {
  const SavedProgram saved = saved_of(p);
  const std::vector<Shown> shown = shown_held(saved);
  Ref<Dict> dict = new_dict();
  dict->set_meta(kProgram, print_saved(saved));
  for (size_t b = 0; b < saved.buffers.size(); ++b) {
    if (saved.buffers[b].kind != Buffer::Kind::kHeld || dict->find(saved.buffers[b].tensor))
      continue;
    auto t = Ref<Tensor>::adopt(new Tensor);
    t->storage = Ref<Storage>::share(const_cast<Storage*>(saved.held[b]));
    t->dtype = shown[b].dtype;
    t->shape = shown[b].shape;
    t->strides = contiguous_strides(t->shape);
    t->count = numel(t->shape);
    dict->set(saved.buffers[b].tensor, std::move(t));
  }
  return dict;
}

// ---- loading ----

std::string text_in(const Dict& dict) {
  for (const auto& [key, text] : dict.meta_entries())
    if (key == kProgram) return text;
  refuse("it holds no program: its metadata has no '{}'", kProgram);
}

std::vector<Device*> devices_for(const SavedProgram& saved, std::span<const bp_device> given) {
  const size_t n = saved.devices.size();
  if (given.size() > 1 && given.size() != n) {
    std::string labels;
    for (const std::string& l : saved.devices) labels += (labels.empty() ? "" : ", ") + shown(l);
    fail(BP_INVALID_ARGUMENT, "the program uses {} devices ({}), and {} are given in their place",
         n, shown(labels), given.size());
  }
  std::vector<Device*> out;
  for (size_t i = 0; i < n; ++i)
    out.push_back(&resolve_device(given.empty()       ? device_named(saved.devices[i])
                                  : given.size() == 1 ? given[0]
                                                      : given[i]));
  return out;
}

// At what multiples each held tensor has to lie, in bytes, for the dtypes under which steps see it.
std::map<std::string, int64_t> alignments(const SavedProgram& saved) {
  std::map<std::string, int64_t> all;
  const auto see = [&](const BufferView& v) {
    int64_t& most = all[saved.buffers[v.buffer].tensor];
    most = std::max(most, alignment_of(v.dtype));
  };
  each_view(saved, see);
  return all;
}

std::vector<Ref<Tensor>> held_in(const Dict& dict, const SavedProgram& saved,
                                 const std::vector<Device*>& devices) {
  std::vector<Ref<Tensor>> held(saved.buffers.size());
  std::map<std::pair<std::string, Device*>, Ref<Tensor>> there;
  const std::map<std::string, int64_t> alignment = alignments(saved);
  for (size_t b = 0; b < held.size(); ++b) {
    const SavedBuffer& buffer = saved.buffers[b];
    if (buffer.kind != Buffer::Kind::kHeld) continue;
    const Ref<Tensor> read = dict.find(buffer.tensor);
    if (!read)
      refuse("buffer {} holds tensor '{}', which is not in the file", b, shown(buffer.tensor));
    if (const auto bytes = static_cast<uint64_t>(read->count * dtype_bytes(read->dtype));
        bytes != buffer.bytes)
      refuse("buffer {} has {} bytes, but its tensor '{}' has {}", b, buffer.bytes,
             shown(buffer.tensor), bytes);
    Device* device = devices[buffer.device];
    Ref<Tensor>& t = there[{buffer.tensor, device}];
    if (!t) {
      // A file's bytes lie where the tensor's own dtype wants them; steps may see larger elements.
      const auto needed = alignment.find(buffer.tensor);
      const bool fits =
          needed == alignment.end() ||
          reinterpret_cast<uintptr_t>(read->data()) % static_cast<uintptr_t>(needed->second) == 0;
      t = to(*read, device->value, BP_DTYPE_NONE, /*copy=*/!fits, /*non_blocking=*/false);
    }
    held[b] = t;
  }
  return held;
}

}  // namespace

void save_program(const Program& p, const std::string& path) {
  only_unrecorded("saving a program", "it would read tensors that the recording may write");
  if (p.back)
    fail(BP_UNSUPPORTED,
         "a program whose results have gradients cannot be saved: record it without "
         "BP_PROGRAM_GRADIENTS, or the whole step with its backward");
  const Ref<Dict> dict = named(kFormat, quoted(path), [&] { return dict_of(p); });
  save_safetensors(*dict, path);
}

Ref<Program> load_program(const std::string& path, std::span<const bp_device> devices,
                          const Planning* how) {
  only_unrecorded("loading a program", "a recording is no part of another yet");
  const Ref<Dict> dict = load_safetensors(path, cpu_device());
  return named(kFormat, quoted(path), [&] {
    SavedProgram saved = parse_saved(text_in(*dict));
    if (how) saved.planned = *how;
    const std::vector<Device*> on = devices_for(saved, devices);
    return replayed(saved, held_in(*dict, saved, on), on);
  });
}

}  // namespace bp
