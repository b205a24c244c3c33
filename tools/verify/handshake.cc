// SPDX-License-Identifier: Apache-2.0
// handshake.cc: how far the loader comes with the file, what the plugin answers when it is asked
// again and otherwise, and what its devices say of themselves. See parts.h.
#include <fmt/format.h>

#include <set>

#include "verify/parts.h"
#include "verify/slots.h"

namespace verifier {
namespace {

constexpr const char* kStages[] = {"file", "dlopen", "symbol",  "query",
                                   "open", "probe",  "devices", "ready"};

// The line of the load report of a kind, with its plugin tried. It is the caller's job to end the
// library.
bp::ReportEntry entry_of(const Subject& subject) {
  bp::ReportEntry found;
  for (const bp::ReportEntry& e : bp::report()) {
    const bool meant = subject.named ? e.path == subject.file : e.kind == subject.kind;
    if (meant && (found.path.empty() || e.stage != BP_STAGE_SHADOWED)) found = e;
  }
  return found;
}

// Loads the plugin by the library and tells each stage. False when it is not usable.
bool load(const Subject& subject, Findings& findings, std::string* file) {
  std::string refusal;
  try {
    const Runtime runtime(subject, findings);
    const bp_device_info info = bp::device_info(runtime.device());
    const bp::ReportEntry entry = entry_of(subject);
    findings.pass(static_cast<int>(std::size(kStages)));
    *file = entry.path;
    findings.fact("file", entry.path);
    findings.fact("version", entry.version);
    findings.fact("device", runtime.device().str());
    findings.fact("name", info.name);
    return findings.check(!subject.named || entry.stage == BP_STAGE_READY, [&] {
      return fmt::format("the library took another file: {}", entry.cause);
    });
  } catch (const bp::Error& e) {
    refusal = e.what();
  }
  findings.fact("file", entry_of(subject).path);
  findings.fail(refusal);
  return false;
}

void ask_again(const Library& library, Findings& findings) {
  findings.begin("bp_plugin_query");
  bp_plugin_info first, again, strange;
  const bp_status status = library.query(BP_PLUGIN_ABI_MIN, BP_PLUGIN_ABI_MAX, &first);
  const bool same = library.query(BP_PLUGIN_ABI_MIN, BP_PLUGIN_ABI_MAX, &again) == status &&
                    std::string(first.kind) == again.kind && first.open == again.open &&
                    first.abi_chosen == again.abi_chosen && first.flags == again.flags;
  findings.check(same, [] { return "its second answer differs from the first"; });
  const bp_status refused = library.query(1000, 1001, &strange);
  findings.check(refused == BP_INCOMPATIBLE && strange.reason && *strange.reason, [&] {
    return fmt::format(
        "a host of ABI 1000 to 1001 got {} and {}, expected BP_INCOMPATIBLE and a reason",
        bp_status_name(refused), strange.reason ? strange.reason : "no reason");
  });
}

void describe_devices(const Slots& slots, Findings& findings) {
  std::set<std::string> uuids;
  for (uint32_t i = 0; i < slots.n_devices(); ++i) {
    findings.begin(fmt::format("device_props of physical device {}", i));
    const bp_device_props props = slots.props(i);
    findings.check(props.name[0] != 0, [] { return "the name is empty"; });
    const std::string uuid = props.uuid;
    findings.check(uuid.empty() || uuids.insert(uuid).second,
                   [&] { return "another device has the UUID " + uuid + " too"; });
  }
}

void list_kernels(const Slots& slots, Findings& findings) {
  findings.begin("kernels");
  const bp_kernel* records = nullptr;
  uint32_t count = 0;
  const Said said =
      ask([&](bp_error** e) { return slots.api().kernels(slots.plugin(), &records, &count, e); });
  if (!findings.check(said.good(), [&] { return said.sentence(); })) return;
  const char* at = reinterpret_cast<const char*>(records);
  for (uint32_t i = 0; i < count; ++i, at += records->struct_size) {
    const auto* record = reinterpret_cast<const bp_kernel*>(at);
    findings.check(record->dtypes != 0 && record->run, [&] {
      return fmt::format("record {} of op {} serves no dtype or has no function", i, record->op);
    });
  }
}

}  // namespace

void handshake(const Subject& subject, Findings& findings) {
  std::string file;
  if (!load(subject, findings, &file)) return;
  const Library library(file);
  ask_again(library, findings);
  // Two instances at once: an alias opens a plugin twice.
  CountingHost host(subject.kind), another(subject.kind);
  {
    findings.begin("open");
    const Slots slots(library, host), twice(library, another);
    findings.check(slots.n_devices() == twice.n_devices(), [&] {
      return fmt::format("two instances see {} and {} devices", slots.n_devices(),
                         twice.n_devices());
    });
    describe_devices(slots, findings);
    list_kernels(twice, findings);
  }
  findings.begin("close");
  findings.check(host.left().empty() && another.left().empty(), [&] {
    return fmt::format("leaks host memory: {} not freed", host.left() + another.left());
  });
}

}  // namespace verifier
