// SPDX-License-Identifier: Apache-2.0
#include "core/io/npz.h"

#include <climits>

#include "core/base/error.h"
#include "core/base/shown.h"
#include "core/io/bools.h"
#include "core/io/npy.h"
#include "core/io/on_host.h"
#include "core/io/refuse.h"
#include "core/io/zip.h"

namespace bp {
namespace {

constexpr std::string_view kSuffix = ".npy";
constexpr uint32_t kMaxHead = 1 << 20;  // the head of an array of 64 dimensions is below 2 KiB

NpyHead read_head(ZipStream& in, uint64_t& bytes) {
  char first[NpyPrefix::kBytes];
  if (bytes < sizeof first) fail(BP_INVALID_ARGUMENT, "not an array of NumPy's");
  in.read(first, sizeof first);
  const NpyPrefix prefix = parse_npy_prefix({first, sizeof first});
  uint32_t length = 0;
  in.read(reinterpret_cast<char*>(&length), prefix.length_bytes);
  if (length > kMaxHead)
    fail(BP_INVALID_ARGUMENT, "the head of an array would have {} bytes", length);
  std::string text(length, '\0');
  in.read(text.data(), length);
  bytes -= sizeof first + prefix.length_bytes + length;
  return parse_npy_head(text);
}

uint64_t bytes_of(const NpyHead& head) {
  try {
    return checked_bytes(head.shape, dtype_bytes(head.dtype));
  } catch (const Error& e) {  // its status speaks of memory, not of the file
    fail(BP_INVALID_ARGUMENT, "{}", e.message());
  }
}

// Fortran order has the strides of the reversed shape in row-major order.
Dims reversed(const Dims& dims) {
  Dims out;
  for (uint32_t i = dims.size(); i-- > 0;) out.push_back(dims[i]);
  return out;
}

Ref<Tensor> read_array(std::span<const char> file, const ZipEntry& entry, std::string_view name,
                       Device& device) {
  ZipStream in(file, entry);
  uint64_t bytes = entry.size;
  const NpyHead head = read_head(in, bytes);
  if (const uint64_t wanted = bytes_of(head); wanted != bytes)
    fail(BP_INVALID_ARGUMENT, "an array of {} bytes ({} {}) has {}", wanted,
         format_shape(head.shape), dtype_name(head.dtype), bytes);
  Ref<Tensor> t =
      new_tensor(head.fortran_order ? reversed(head.shape) : head.shape, head.dtype, cpu_device());
  if (bytes) in.read(t->data(), bytes);
  in.finish();
  if (head.dtype == BP_BOOL) check_bools(name, {t->data(), bytes});
  if (head.fortran_order && head.shape.size() > 1) {
    Dims backwards;
    for (uint32_t i = head.shape.size(); i-- > 0;) backwards.push_back(i);
    t = permute(*t, backwards);
  }
  return to(*t, device.value, BP_DTYPE_NONE, /*copy=*/false, /*non_blocking=*/false);
}

std::string_view name_of(const ZipEntry& e) {
  std::string_view name = e.name;
  if (name.ends_with(kSuffix)) name.remove_suffix(kSuffix.size());
  return name;
}

Ref<Dict> read(std::span<const char> file, Device& device) {
  Ref<Dict> dict = new_dict();
  for (const ZipEntry& e : list_zip(file)) {
    if (e.name.ends_with('/') && e.size == 0) continue;  // a folder that was packed along
    const std::string_view name = name_of(e);
    if (dict->find(name)) fail(BP_INVALID_ARGUMENT, "the name '{}' comes twice", shown(name));
    try {
      dict->set(name, read_array(file, e, name, device));
    } catch (const Error& error) {
      throw Error(error.status(), fmt::format("'{}': {}", shown(e.name), error.message()),
                  error.flags());
    }
  }
  return dict;
}

struct NamedArray {
  std::string name, head;
  Ref<Tensor> tensor;
};

// Finds all that can be wrong with a dict before a file is begun.
std::vector<NamedArray> arrays_of(const Dict& dict) {
  if (dict.meta_size())
    fail(BP_INVALID_ARGUMENT, "the dict has text ('{}', ...), which .npz files cannot hold",
         shown(dict.meta_entries()[0].name));
  std::vector<NamedArray> arrays;
  for (const auto& [name, t] : dict.entries()) {
    try {
      arrays.push_back({name + std::string(kSuffix),
                        print_npy_head({t->dtype, /*fortran_order=*/false, t->shape}), t});
    } catch (const Error& error) {
      throw Error(error.status(), fmt::format("'{}': {}", shown(name), error.message()));
    }
  }
  return arrays;
}

void write(const std::vector<NamedArray>& arrays, Sink& out) {
  ZipWriter zip(out);
  for (const NamedArray& a : arrays) {
    const Ref<Tensor> rows = on_host(*a.tensor);
    zip.add(a.name, {a.head, {rows->data(), n_bytes(*rows)}});
  }
  zip.finish();
}

}  // namespace

void save_npz(const Dict& dict, const std::string& path) {
  const auto arrays =
      named("npz", fmt::format("'{}'", shown(path, PATH_MAX)), [&] { return arrays_of(dict); });
  replace_file(path, [&](Sink& out) { write(arrays, out); });
}

Ref<Dict> load_npz(const std::string& path, Device& device) {
  const auto file = Mapping::open(path);
  return named("npz", fmt::format("'{}'", shown(path, PATH_MAX)),
               [&] { return read(file->bytes(), device); });
}

Ref<Dict> parse_npz(std::span<const char> bytes, Device& device) {
  return named("npz", "bytes", [&] { return read(bytes, device); });
}

}  // namespace bp
