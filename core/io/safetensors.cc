// SPDX-License-Identifier: Apache-2.0
#include "core/io/safetensors.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cstring>

#include "core/base/error.h"
#include "core/base/shown.h"
#include "core/io/bools.h"
#include "core/io/file.h"
#include "core/io/on_host.h"
#include "core/io/refuse.h"
#include "core/io/safetensors_header.h"

namespace bp {
namespace {

static_assert(std::endian::native == std::endian::little, "the format's numbers are little-endian");

using Record = SafetensorsHeader::Record;

// ---- writing ----

struct Plan {
  std::vector<Dict::Tensors::Entry> entries;
  std::vector<size_t> order;  // in which their bytes come
  std::string header;
  uint64_t bytes = 0;
};

// Wide elements come first, so that each tensor lies at a multiple of its element's size.
Plan plan_of(const Dict& dict) {
  Plan plan{dict.entries(), {}, {}, 0};
  SafetensorsHeader header;
  for (auto& [key, text] : dict.meta_entries()) header.metadata.emplace_back(key, text);
  for (const auto& [name, t] : plan.entries) {
    plan.order.push_back(plan.order.size());
    header.tensors.push_back({name, t->dtype, t->shape, 0, 0});
  }
  std::stable_sort(plan.order.begin(), plan.order.end(), [&](size_t a, size_t b) {
    return dtype_bytes(header.tensors[a].dtype) > dtype_bytes(header.tensors[b].dtype);
  });
  uint64_t at = 0;
  for (size_t i : plan.order) {
    header.tensors[i].begin = at;
    if (__builtin_add_overflow(at, n_bytes(*plan.entries[i].value),
                               &at))  // of tensors that share memory
      fail(BP_INVALID_ARGUMENT, "the tensors take more bytes together than a file can have");
    header.tensors[i].end = at;
  }
  plan.header = print_safetensors_header(header);
  plan.bytes = 8 + plan.header.size() + at;
  return plan;
}

void write(const Plan& plan, Sink& out) {
  const uint64_t length = plan.header.size();
  out.write(&length, sizeof length);
  out.write(plan.header.data(), length);
  for (size_t i : plan.order) {
    const Ref<Tensor> rows = on_host(*plan.entries[i].value);
    out.write(rows->data(), n_bytes(*rows));
  }
}

struct MemorySink final : Sink {
  char* at;
  explicit MemorySink(char* p) : at(p) {}
  void write(const void* data, size_t n) override {
    if (n) std::memcpy(at, data, n);
    at += n;
  }
};

// ---- reading ----

using Kept = std::shared_ptr<const Mapping>;

void let_go(void* user) { delete static_cast<Kept*>(user); }

bool fits_address(const void* p, bp_dtype dtype) {
  return reinterpret_cast<uintptr_t>(p) % static_cast<uint64_t>(alignment_of(dtype)) == 0;
}

Ref<Tensor> place(const Record& r, std::span<char> bytes, Device& device, const Kept& mapping) {
  if (r.dtype == BP_BOOL) check_bools(r.name, bytes);
  const bool here = &device == &cpu_device();
  if (here && mapping && !bytes.empty() && fits_address(bytes.data(), r.dtype)) {
    auto kept = std::make_unique<Kept>(mapping);
    Ref<Tensor> t = borrow_tensor(bytes.data(), r.shape, nullptr, r.dtype, let_go, kept.get());
    static_cast<void>(kept.release());  // let_go deletes it
    return t;
  }
  Ref<Tensor> t = new_tensor(r.shape, r.dtype, device);
  if (here && !bytes.empty()) std::memcpy(t->data(), bytes.data(), bytes.size());
  if (!here && !bytes.empty())
    copy_into(*t, *borrow_tensor(bytes.data(), r.shape, nullptr, r.dtype, nullptr, nullptr),
              /*non_blocking=*/false);
  return t;
}

Ref<Dict> read(std::span<char> bytes, Device& device, const Kept& mapping) {
  uint64_t length = 0;
  if (bytes.size() < sizeof length)
    fail(BP_INVALID_ARGUMENT, "{} bytes, which is too short for the length of a header",
         bytes.size());
  std::memcpy(&length, bytes.data(), sizeof length);
  const std::span<char> behind = bytes.subspan(sizeof length);
  if (length > kMaxSafetensorsHeader)
    fail(BP_INVALID_ARGUMENT, "a header of {} bytes, at most {} are possible", length,
         kMaxSafetensorsHeader);
  if (length > behind.size())
    fail(BP_INVALID_ARGUMENT, "a header of {} bytes, but only {} follow its length", length,
         behind.size());
  const std::span<char> data = behind.subspan(length);
  const SafetensorsHeader header = parse_safetensors_header({behind.data(), length}, data.size());
  Ref<Dict> dict = new_dict();
  for (const auto& [key, text] : header.metadata) dict->set_meta(key, text);
  for (const Record& r : header.tensors)
    dict->set(r.name, place(r, data.subspan(r.begin, r.end - r.begin), device, mapping));
  return dict;
}

}  // namespace

void save_safetensors(const Dict& dict, const std::string& path) {
  const Plan plan = named("safetensors", fmt::format("'{}'", shown(path, PATH_MAX)),
                          [&] { return plan_of(dict); });
  replace_file(path, [&](Sink& out) { write(plan, out); });
}

Ref<Dict> load_safetensors(const std::string& path, Device& device) {
  const Kept file = Mapping::open(path);
  return named("safetensors", fmt::format("'{}'", shown(path, PATH_MAX)),
               [&] { return read(file->bytes(), device, file); });
}

Ref<Dict> parse_safetensors(std::span<const char> bytes, Device& device) {
  // without a mapping nothing writes to the bytes
  const std::span<char> readable(const_cast<char*>(bytes.data()), bytes.size());
  return named("safetensors", "bytes", [&] { return read(readable, device, nullptr); });
}

uint64_t format_safetensors(const Dict& dict, std::span<char> room) {
  const Plan plan = named("safetensors", "bytes", [&] { return plan_of(dict); });
  if (room.size() >= plan.bytes) {
    MemorySink out(room.data());
    write(plan, out);
  }
  return plan.bytes;
}

}  // namespace bp
