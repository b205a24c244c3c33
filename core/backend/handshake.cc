// SPDX-License-Identifier: Apache-2.0
#include "core/backend/handshake.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <ranges>
#include <type_traits>
#include <vector>

#include "c_collective.h"
#include "c_plugin_foreign.h"
#include "c_plugin_fuse.h"
#include "c_plugin_group.h"
#include "c_plugin_wide.h"
#include "core/base/error.h"
#include "core/base/shown.h"
#include "core/base/utf8.h"
#include "core/device/plugin_call.h"
#include "core/process/runtime.h"

namespace bp {
namespace {

constexpr uint32_t kMaxDevices = 4096;
constexpr uint32_t kMaxKernels = 65536;
constexpr uint32_t kMaxTable = 65536;  // bytes; a larger struct_size is garbage
constexpr uint32_t kMaxOp = 65536;     // ids of ops stay below; a larger one is garbage
constexpr uint32_t kKnownFlags = BP_KERNEL_CONTIGUOUS | BP_KERNEL_SAME_DTYPE | BP_KERNEL_TAKES_NONE;

// What each struct had when ABI 1 was frozen. It grows behind that alone (docs/abi.md), so that
// either side may be the newer one: each uses what both have.
#define BP_END_OF(type, last) (offsetof(type, last) + sizeof(type::last))
constexpr size_t kApi1 = BP_END_OF(bp_plugin_api, extension);
constexpr size_t kKernel1 = BP_END_OF(bp_kernel, workspace);
constexpr size_t kLaunch1 = BP_END_OF(bp_launch, workspace_bytes);
constexpr size_t kHost1 = BP_END_OF(bp_host, extension);
#undef BP_END_OF
constexpr size_t kMaxText = 4096;

constexpr const char* kTellAuthor =
    "report it to the plugin's author, and remove the file meanwhile";
constexpr const char* kNewerHeaders =
    "build the plugin with this library's headers, or with newer ones";

using MaybeFault = std::optional<LoadFault>;

// A struct that a plugin fills, with bytes behind it that must come back untouched.
template <class T>
struct Roomy {
  T value{};
  unsigned char behind[256];
  Roomy() {
    std::memset(behind, kMark, sizeof behind);
    value.struct_size = sizeof(T);
  }
  bool overrun() const {
    for (const volatile unsigned char& byte : behind)
      if (byte != kMark) return true;
    return value.struct_size > sizeof(T);
  }
  static constexpr unsigned char kMark = 0xa5;
};

// Returns a plugin's static string as one line, or nothing when it is NULL or has no end.
std::optional<std::string> bounded(const char* s) {
  if (!s) return {};
  const size_t n = ::strnlen(s, kMaxText);
  return n == kMaxText ? std::nullopt : std::optional(shown({s, n}, kMaxText));
}

std::string take_text(bp_error* err) {
  std::string text = bp_error_message(err, nullptr);
  bp_error_release(err);
  return text.empty() ? "it gave no reason" : text;
}

LoadFault reported(int32_t stage, const std::string& path, const char* what, bp_status status,
                   bp_error* err, std::string remedy) {
  const std::string text = take_text(err);
  return {stage, status < 0 ? status : BP_INTERNAL,
          fmt::format("{}: {} failed with {}: {}", path, what, status_name(status), text),
          status == BP_INTERNAL ? kTellAuthor : std::move(remedy),
          /*passing=*/status == BP_OUT_OF_DEVICE_MEMORY};
}

LoadFault nonsense(int32_t stage, const std::string& path, std::string what) {
  return {stage, BP_INTERNAL, fmt::format("{}: {}", path, what), kTellAuthor};
}

// ---- QUERY ----

MaybeFault check_size(const std::string& path, const char* what, uint32_t theirs, size_t least) {
  if (theirs > kMaxTable)
    return nonsense(BP_STAGE_QUERY, path, fmt::format("its {} claims {} bytes", what, theirs));
  if (theirs >= least) return {};
  return LoadFault{BP_STAGE_QUERY, BP_INCOMPATIBLE,
                   fmt::format("{} was built with headers of before ABI 1: its {} has {} bytes, "
                               "and {} are needed",
                               path, what, theirs, least),
                   kNewerHeaders};
}

LoadFault out_of_range(const std::string& path, const bp_plugin_info& info) {
  const bool newer = info.abi_min > BP_PLUGIN_ABI_MAX;
  const std::string reason = bounded(info.reason).value_or("");
  return {BP_STAGE_QUERY, BP_INCOMPATIBLE,
          fmt::format("{} speaks plugin ABI {} to {} and this library {} to {}{}{}", path,
                      info.abi_min, info.abi_max, +BP_PLUGIN_ABI_MIN, +BP_PLUGIN_ABI_MAX,
                      reason.empty() ? "" : ": ", reason),
          newer ? "update this library, or install an older plugin" : "install a newer plugin"};
}

MaybeFault check_info(Backend& backend, const std::string& path, const bp_plugin_info& info) {
  if (info.abi_min > info.abi_max)
    return nonsense(
        BP_STAGE_QUERY, path,
        fmt::format("answered the impossible ABI range {} to {}", info.abi_min, info.abi_max));
  if (info.abi_min > BP_PLUGIN_ABI_MAX || info.abi_max < BP_PLUGIN_ABI_MIN)
    return out_of_range(path, info);
  if (const uint32_t best = std::min<uint32_t>(info.abi_max, BP_PLUGIN_ABI_MAX);
      info.abi_chosen != best)
    return nonsense(
        BP_STAGE_QUERY, path,
        fmt::format("chose ABI {}, and the highest that both speak is {}", info.abi_chosen, best));
  if (auto f = check_size(path, "bp_plugin_api", info.api_size, kApi1)) return f;
  if (auto f = check_size(path, "bp_kernel", info.kernel_size, kKernel1)) return f;
  if (auto f = check_size(path, "bp_launch", info.launch_size, kLaunch1)) return f;
  if (auto f = check_size(path, "bp_host", info.host_size, kHost1)) return f;
  const auto kind = bounded(info.kind);
  if (!kind) return nonsense(BP_STAGE_QUERY, path, "answered no kind");
  if (*kind != backend.plugin_kind)
    return LoadFault{BP_STAGE_QUERY, BP_INCOMPATIBLE,
                     fmt::format("{} says that it serves kind '{}', its name says '{}'", path,
                                 *kind, backend.plugin_kind),
                     fmt::format("rename the file to libbackplane_{}.so", *kind)};
  if (!info.open) return nonsense(BP_STAGE_QUERY, path, "answered no open function");
  return {};
}

MaybeFault run_query(Backend& backend, const std::string& path, bp_plugin_query_fn query,
                     bp_plugin_info* out) {
  Roomy<bp_plugin_info> room;
  const bp_status status = query(BP_PLUGIN_ABI_MIN, BP_PLUGIN_ABI_MAX, &room.value);
  if (room.overrun())
    return nonsense(BP_STAGE_QUERY, path, "bp_plugin_query wrote past the end of bp_plugin_info");
  const bp_plugin_info& info = room.value;
  if (status == BP_INCOMPATIBLE) {
    if (info.abi_min > BP_PLUGIN_ABI_MAX || info.abi_max < BP_PLUGIN_ABI_MIN)
      return out_of_range(path, info);
    return LoadFault{BP_STAGE_QUERY, BP_INCOMPATIBLE,
                     fmt::format("{} says that it is incompatible: {}", path,
                                 bounded(info.reason).value_or("it gave no reason")),
                     "install what the plugin asks for, or another version of it"};
  }
  if (status != BP_OK)
    return nonsense(
        BP_STAGE_QUERY, path,
        fmt::format("bp_plugin_query returned {} ({}), neither BP_OK nor BP_INCOMPATIBLE", status,
                    status_name(status)));
  if (auto fault = check_info(backend, path, info)) return fault;
  backend.flags = info.flags;
  backend.version = bounded(info.version).value_or("");
  backend.mask_variable = bounded(info.mask_variable).value_or("");
  *out = info;
  return {};
}

// ---- OPEN ----

MaybeFault check_table(const std::string& path, const bp_plugin_api* api, uint32_t abi,
                       bp_plugin_api* padded) {
  const uint32_t size = api->struct_size;
  if (size < kApi1)
    return LoadFault{
        BP_STAGE_OPEN, BP_INCOMPATIBLE,
        fmt::format("{}: its table is too short: {} bytes, and {} are needed", path, size, kApi1),
        kNewerHeaders};
  if (size > kMaxTable)
    return nonsense(BP_STAGE_OPEN, path, fmt::format("its table claims {} bytes", size));
  if (api->abi != abi)
    return nonsense(BP_STAGE_OPEN, path,
                    fmt::format("its table is of ABI {}, and it chose {}", api->abi, abi));
  std::memcpy(padded, api, std::min<size_t>(size, sizeof *padded));
  return {};
}

// What an extension's table says of its size; a plugin without it answers 0.
uint32_t size_of(const void* table) {
  uint32_t size = 0;
  if (table) std::memcpy(&size, table, sizeof size);
  return size;
}

// Whether it connects processes, and so may have no device.
bool connects(const Backend& b) {
  return size_of(call_plugin<&bp_plugin_api::extension>(b.api, b.plugin, BP_GROUP_ID)) >=
         sizeof(bp_group_api);
}

// Without a device the slots of devices may be missing.
MaybeFault check_slots(Backend& backend, const std::string& path, bool has_devices) {
  const char* slot = complete_table(backend.api);
  if (!slot) return {};
  if (!has_devices && backend.api.close && backend.api.probe && connects(backend)) return {};
  return nonsense(BP_STAGE_OPEN, path,
                  fmt::format("its table has no '{}', which is required", slot));
}

MaybeFault run_open(Backend& backend, const std::string& path, const bp_plugin_info& info) {
  fill_host(backend, info.abi_chosen);
  bp_error* err = nullptr;
  bp_plugin* plugin = nullptr;
  const bp_plugin_api* api = nullptr;
  const bp_status status =
      call_plugin<&bp_plugin_info::open>(info, &backend.host, &plugin, &api, &err);
  if (status != BP_OK)
    return reported(BP_STAGE_OPEN, path, "open", status, err,
                    "do what the plugin's message asks for");
  bp_error_release(err);
  if (!plugin || !api)
    return nonsense(BP_STAGE_OPEN, path,
                    fmt::format("open succeeded without {}", plugin ? "a table" : "an instance"));
  if (auto fault = check_table(path, api, info.abi_chosen, &backend.api)) return fault;
  backend.plugin = plugin;  // what fails from now on closes it
  if (auto fault = check_slots(backend, path, /*has_devices=*/false)) {
    backend.plugin = nullptr;
    return fault;
  }
  return {};
}

// ---- PROBE ----

template <size_t N>
bool terminated(const char (&text)[N]) {
  return std::memchr(text, 0, N) != nullptr;
}

MaybeFault read_props(Backend& backend, const std::string& path, uint32_t i) {
  Roomy<bp_device_props> room;
  bp_error* err = nullptr;
  const bp_status status =
      call_plugin<&bp_plugin_api::device_props>(backend.api, backend.plugin, i, &room.value, &err);
  if (status != BP_OK)
    return reported(BP_STAGE_PROBE, path, fmt::format("device_props of device {}", i).c_str(),
                    status, err, "check the device with its vendor's tool");
  bp_error_release(err);
  const bp_device_props& p = room.value;
  if (room.overrun())
    return nonsense(BP_STAGE_PROBE, path, "device_props wrote past the end of bp_device_props");
  if (!terminated(p.name) || !terminated(p.uuid) || !terminated(p.pci) || !terminated(p.driver))
    return nonsense(BP_STAGE_PROBE, path,
                    fmt::format("device_props of device {} gave a text without an end", i));
  Physical physical;
  physical.props = p;
  put_utf8(physical.props.name, p.name);
  put_utf8(physical.props.uuid, p.uuid);
  put_utf8(physical.props.pci, p.pci);
  put_utf8(physical.props.driver, p.driver);
  backend.physical.push_back(std::move(physical));
  return {};
}

// Takes over one record of `size` bytes, unless it is of a later release: one for an op, or with a
// flag, that this library does not know is not used, and dtypes that it does not know are left out.
MaybeFault take_kernel(const std::string& path, const void* record, uint32_t size, uint32_t i,
                       std::vector<bp_kernel>& taken) {
  bp_kernel k{};
  std::memcpy(&k, record, kKernel1);
  if (k.struct_size != size)
    return nonsense(
        BP_STAGE_PROBE, path,
        fmt::format("kernel record {} has struct_size {}, expected {}", i, k.struct_size, size));
  std::memcpy(&k, record, std::min<size_t>(size, sizeof k));
  if (k.op == 0 || k.op >= kMaxOp)
    return nonsense(BP_STAGE_PROBE, path,
                    fmt::format("kernel record {} is for op {}, which can be no op's id", i, k.op));
  if (!k.run)
    return nonsense(BP_STAGE_PROBE, path, fmt::format("kernel record {} has no run function", i));
  k.struct_size = sizeof k;
  k.dtypes &= (uint64_t{1} << BP_DTYPE_COUNT) - 1;
  if (k.op < kMaxBuiltinOp && !(k.flags & ~kKnownFlags)) taken.push_back(k);
  return {};
}

// The caller holds loader_mutex().
const KernelTable& table_of(std::vector<bp_kernel> records) {
  static auto& tables = *new std::vector<std::unique_ptr<const KernelTable>>;
  for (const auto& t : tables)
    if (t->records.size() == records.size() &&
        (records.empty() ||
         std::memcmp(t->records.data(), records.data(), records.size() * sizeof(bp_kernel)) == 0))
      return *t;
  static_assert(std::has_unique_object_representations_v<bp_kernel>);
  auto made = std::make_unique<KernelTable>();
  made->records = std::move(records);
  for (const bp_kernel& k : made->records)
    for (uint32_t d = 0; d < BP_DTYPE_COUNT; ++d) {
      // The first record wins, so a plugin lists its better kernels first.
      const bp_kernel*& slot = made->at[k.op * BP_DTYPE_COUNT + d];
      if (k.dtypes >> d & 1 && !slot) slot = &k;
    }
  tables.push_back(std::move(made));
  return *tables.back();
}

// `size` is what the plugin said of bp_kernel when it was asked, which each record must repeat: a
// record that lies would have the next one read from anywhere.
MaybeFault read_kernels(Backend& backend, const std::string& path, uint32_t size) {
  const bp_kernel* records = nullptr;
  uint32_t count = 0;
  bp_error* err = nullptr;
  const bp_status status =
      call_plugin<&bp_plugin_api::kernels>(backend.api, backend.plugin, &records, &count, &err);
  if (status != BP_OK) return reported(BP_STAGE_PROBE, path, "kernels", status, err, kTellAuthor);
  bp_error_release(err);
  if (count > kMaxKernels || (count && !records))
    return nonsense(
        BP_STAGE_PROBE, path,
        fmt::format("answered {} kernel records{}", count, records ? "" : " and no list of them"));
  const auto* bytes = reinterpret_cast<const char*>(records);
  std::vector<bp_kernel> taken;
  taken.reserve(count);
  for (uint32_t i = 0; i < count; ++i)
    if (auto fault = take_kernel(path, bytes + size_t{i} * size, size, i, taken)) return fault;
  backend.kernels = &table_of(std::move(taken));
  return {};
}

// What a plugin may offer beside its table (c_plugin.h, c_collective.h, c_plugin_foreign.h,
// c_plugin_fuse.h, c_plugin_group.h, c_plugin_wide.h): behind struct_size and a word that is
// reserved or has flags, functions alone, none of which may be missing.
struct Extension {
  const char* id;
  size_t bytes;
};
constexpr Extension kExtensions[] = {
    {"bp.peer/1", sizeof(bp_peer_api)},      {"bp.pinned/1", sizeof(bp_pinned_api)},
    {BP_FOREIGN_ID, sizeof(bp_foreign_api)}, {BP_FUSE_ID, sizeof(bp_fuse_api)},
    {BP_GROUP_ID, sizeof(bp_group_api)},     {BP_COLLECTIVE_ID, sizeof(bp_collective_api)},
    {BP_WIDE_ID, sizeof(bp_wide_api)}};

MaybeFault check_extension(Backend& backend, const std::string& path, const Extension& known) {
  const void* table = call_plugin<&bp_plugin_api::extension>(backend.api, backend.plugin, known.id);
  if (size_of(table) < known.bytes) return {};  // none, or of before this release: not used
  constexpr size_t kHead = 2 * sizeof(uint32_t);
  const auto* functions = reinterpret_cast<void* const*>(static_cast<const char*>(table) + kHead);
  const size_t count = (known.bytes - kHead) / sizeof *functions;
  for (size_t i = 0; i < count; ++i)
    if (!functions[i])
      return nonsense(BP_STAGE_PROBE, path,
                      fmt::format("its table '{}' has no function {} of {}, and all are required",
                                  known.id, i + 1, count));
  return {};
}

// A driver may have hidden its devices, by variables that it follows itself, and cannot say so.
MaybeFault no_device(const Backend& backend, const std::string& path) {
  std::string names, values;
  for (const auto part : std::views::split(backend.mask_variable, ',')) {
    const std::string name(part.begin(), part.end());
    const auto value = read_env(name.c_str());
    if (!value) continue;
    const char* joint = names.empty() ? "" : ", ";
    names += joint + name;
    values += fmt::format("{}{}='{}'", joint, name, shown(*value));
  }
  if (names.empty())
    return LoadFault{BP_STAGE_DEVICES, BP_UNAVAILABLE,
                     fmt::format("{} works and found no device", path),
                     "check that the device is plugged in and that this user may use it"};
  return LoadFault{
      BP_STAGE_DEVICES, BP_UNAVAILABLE,
      fmt::format("{} works and found no device that {} shows, which the driver follows", path,
                  values),
      fmt::format("unset {}, or name a device in it that is there", names)};
}

MaybeFault run_probe(Backend& backend, const std::string& path, uint32_t kernel_size) {
  uint32_t n = 0;
  bp_error* err = nullptr;
  const bp_status status =
      call_plugin<&bp_plugin_api::probe>(backend.api, backend.plugin, &n, &err);
  if (status != BP_OK)
    return reported(BP_STAGE_PROBE, path, "probe", status, err,
                    "install the driver or the library that the message names");
  bp_error_release(err);
  if (n > kMaxDevices)
    return nonsense(
        BP_STAGE_PROBE, path,
        fmt::format("answered {} devices, more than {} are never there", n, kMaxDevices));
  if (n > 0)
    if (auto fault = check_slots(backend, path, /*has_devices=*/true)) return fault;
  for (uint32_t i = 0; i < n; ++i)
    if (auto fault = read_props(backend, path, i)) return fault;
  if (n == 0 && !backend.api.kernels)
    backend.kernels = &table_of({});
  else if (auto fault = read_kernels(backend, path, kernel_size))
    return fault;
  for (const Extension& e : kExtensions)
    if (auto fault = check_extension(backend, path, e)) return fault;
  if (n == 0 && !connects(backend)) return no_device(backend, path);
  return {};
}

}  // namespace

std::optional<LoadFault> shake_hands(Backend& backend, const std::string& path,
                                     bp_plugin_query_fn query) {
  bp_plugin_info info{};
  if (auto fault = run_query(backend, path, query, &info)) return fault;
  if (auto fault = run_open(backend, path, info)) return fault;
  try {
    auto fault = run_probe(backend, path, info.kernel_size);
    if (fault) part_from(backend);
    return fault;
  } catch (...) {
    part_from(backend);
    throw;
  }
}

void part_from(Backend& backend) noexcept {
  if (backend.plugin) call_plugin<&bp_plugin_api::close>(backend.api, backend.plugin);
  backend.plugin = nullptr;
}

}  // namespace bp
