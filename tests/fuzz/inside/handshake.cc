// SPDX-License-Identifier: Apache-2.0
// Bytes as the answers of a plugin: it conforms, except that numbers of its structs are
// overwritten, functions and texts are missing, and calls fail or throw, as the bytes say. Each is
// a fault with a reason, or a backend that is ready.
#include "core/backend/handshake.h"

#include <cstring>
#include <vector>

#include "c_plugin_group.h"
#include "core/base/utf8.h"
#include "tests/fuzz/fuzz.h"

namespace {

struct Plugin {
  fuzz::Input in;
  const bp_host* host = nullptr;
  bp_plugin_api api{};
  std::vector<bp_kernel> kernels{};
  int n_open = 0;
  bool connects = false;     // its last answer to who asked for a group's table
  uint32_t kernel_size = 0;  // as it told
};
Plugin* the_plugin = nullptr;
const std::string kEndless(5000, 'x');

bp_plugin* instance() { return reinterpret_cast<bp_plugin*>(the_plugin); }

// One in 16 of these says that something is wrong.
bool wrong() { return the_plugin->in.byte() >= 240; }

// Overwrites a few 32-bit words below `end` bytes.
void overwrite(void* what, size_t end) {
  for (uint64_t n = the_plugin->in.below(4); n > 0; --n) {
    const size_t word = the_plugin->in.below(end / 4);
    const auto value = static_cast<uint32_t>(the_plugin->in.any_integer());
    std::memcpy(static_cast<char*>(what) + 4 * word, &value, sizeof value);
  }
}

const char* text() {
  const char* kTexts[] = {"fuzz",    nullptr,         "", "two\nlines", "caf\xe9",
                          "\x1b[2J", kEndless.c_str()};
  return kTexts[wrong() ? the_plugin->in.below(std::size(kTexts)) : 0];
}

// A call's answer: most succeed.
bp_status answer(bp_error** err) {
  if (!wrong()) return BP_OK;
  if (wrong()) throw 7;
  const auto code = static_cast<bp_status>(the_plugin->in.any_integer());
  if (the_plugin->in.below(2)) return code;
  const char* said = text();
  return the_plugin->host->fail(the_plugin->host->self, err, code, said ? said : "",
                                said ? std::strlen(said) : 0);
}

void close_plugin(bp_plugin* p) {
  if (p != instance()) fuzz::die("another instance is closed");
  --the_plugin->n_open;
  if (wrong()) throw 7;
}
bp_status probe(bp_plugin*, uint32_t* n_devices, bp_error** err) {
  *n_devices = static_cast<uint32_t>(wrong() ? the_plugin->in.any_integer()
                                             : static_cast<int64_t>(the_plugin->in.below(3)));
  return answer(err);
}
bp_status device_props(bp_plugin*, uint32_t, bp_device_props* out, bp_error** err) {
  for (char* room : {out->name, out->uuid, out->pci, out->driver})
    if (const char* said = text()) std::strncpy(room, said, 32);
  overwrite(out, sizeof *out + (wrong() ? 64 : 0));
  return answer(err);
}
bp_status run(const bp_launch*, bp_error**) { return BP_UNSUPPORTED; }
bp_status kernels(bp_plugin*, const bp_kernel** records, uint32_t* count, bp_error** err) {
  // Tables of kernels live for ever, so that few different ones may be right.
  for (uint64_t n = the_plugin->in.below(3); n > 0; --n) {
    bp_kernel k{};
    k.struct_size = sizeof k, k.op = BP_OP_ADD, k.dtypes = 1u << BP_F32, k.run = run;
    // Records of a size that the plugin told, but that they have not, cannot be checked.
    if (wrong()) k.struct_size = static_cast<uint32_t>(the_plugin->in.any_integer());
    if (k.struct_size == the_plugin->kernel_size) k.struct_size = sizeof k;
    if (wrong()) k.op = static_cast<uint32_t>(the_plugin->in.any_integer()) | 512;
    if (wrong()) k.op = 0;
    if (wrong()) k.op = 511;
    if (wrong()) k.dtypes |= uint64_t{1} << 63;
    if (wrong()) k.run = nullptr;
    the_plugin->kernels.push_back(k);
  }
  *records = wrong() ? nullptr : the_plugin->kernels.data();
  *count =
      wrong() ? 65537u + the_plugin->in.byte() : static_cast<uint32_t>(the_plugin->kernels.size());
  return answer(err);
}
const void* extension(bp_plugin*, const char* id) {
  static uint64_t table[64];
  const bool of_groups = std::strcmp(id, BP_GROUP_ID) == 0;
  if (of_groups) the_plugin->connects = false;
  if (!wrong()) return nullptr;
  for (uint64_t& function : table) function = reinterpret_cast<uint64_t>(&run);
  if (wrong()) table[1 + the_plugin->in.below(16)] = 0;
  const auto size = static_cast<uint32_t>(the_plugin->in.any_integer());
  std::memcpy(table, &size, sizeof size);
  if (wrong()) throw 7;
  if (of_groups) the_plugin->connects = size >= sizeof(bp_group_api);
  return table;
}
void nothing() { fuzz::die("no device was opened"); }

bp_status open_plugin(const bp_host* host, bp_plugin** out, const bp_plugin_api** api,
                      bp_error** err) {
  the_plugin->host = host;
  bp_plugin_api& t = the_plugin->api;
  t.struct_size = sizeof t;
  // Every slot is filled, with what nobody may call where it belongs to a device.
  const auto filled = reinterpret_cast<uintptr_t>(&nothing);
  for (size_t at = offsetof(bp_plugin_api, close); at < sizeof t; at += sizeof filled)
    std::memcpy(reinterpret_cast<char*>(&t) + at, &filled, sizeof filled);
  t.close = close_plugin, t.probe = probe, t.device_props = device_props;
  t.kernels = kernels, t.extension = extension;
  if (wrong()) {
    const size_t slot = the_plugin->in.below((sizeof t - offsetof(bp_plugin_api, close)) / 8);
    std::memset(reinterpret_cast<char*>(&t) + offsetof(bp_plugin_api, close) + 8 * slot, 0, 8);
  }
  // The size of a table that is longer than it says cannot be checked.
  if (wrong()) t.struct_size = static_cast<uint32_t>(the_plugin->in.below(sizeof t));
  if (wrong()) t.abi = static_cast<uint32_t>(the_plugin->in.any_integer());
  const bp_status status = answer(err);
  if (!wrong()) *out = instance();
  if (!wrong()) *api = &t;
  the_plugin->n_open += status == BP_OK;
  return status;
}

bp_status query(uint32_t, uint32_t, bp_plugin_info* info) {
  info->abi_min = BP_PLUGIN_ABI_MIN, info->abi_max = info->abi_chosen = BP_PLUGIN_ABI_MAX;
  info->api_size = sizeof(bp_plugin_api), info->kernel_size = sizeof(bp_kernel);
  info->launch_size = sizeof(bp_launch), info->host_size = sizeof(bp_host);
  if (wrong()) overwrite(info, offsetof(bp_plugin_info, kind));
  the_plugin->kernel_size = info->kernel_size;
  info->kind = text(), info->version = text(), info->build = text();
  info->reason = text(), info->mask_variable = text();
  info->open = wrong() ? nullptr : open_plugin;
  if (wrong()) reinterpret_cast<volatile char*>(info)[sizeof *info + the_plugin->in.below(64)] = 1;
  return wrong() ? static_cast<bp_status>(the_plugin->in.any_integer()) : BP_OK;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Plugin plugin{fuzz::Input(data, size)};
  the_plugin = &plugin;
  bp::Backend backend;
  backend.name = backend.plugin_kind = "fuzz";
  const auto fault = bp::shake_hands(backend, "/a/libbackplane_fuzz.so", query);
  if (fault) {
    if (fault->status >= 0 || fault->stage < BP_STAGE_QUERY || fault->stage > BP_STAGE_DEVICES)
      fuzz::die("status or stage");
    for (const std::string& text : {fault->cause, fault->remedy})
      if (text.empty() || !fuzz::is_line_of_utf8(text)) fuzz::die("not one line: " + text);
    if (backend.plugin) fuzz::die("after a fault it is still open");
  } else {
    if (backend.physical.empty() && !plugin.connects)
      fuzz::die("ready without a device or a group");
    if (!backend.kernels) fuzz::die("ready without a table of kernels");
    for (const bp::Physical& p : backend.physical)
      for (const char* text : {p.props.name, p.props.uuid, p.props.pci, p.props.driver})
        if (!bp::is_utf8(text)) fuzz::die("not UTF-8");
    if (!fuzz::is_line_of_utf8(backend.version)) fuzz::die("not one line: " + backend.version);
    bp::part_from(backend);
    if (plugin.n_open) fuzz::die("it was not closed");
  }
  return 0;
}
