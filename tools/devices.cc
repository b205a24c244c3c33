// SPDX-License-Identifier: Apache-2.0
// backplane devices: the visible devices as a table or as JSON, then what is hidden and what is
// absent, and why.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli.h"

namespace cli {
namespace {

namespace bp = backplane;
using nlohmann::json;

// Memory of an open device, in bytes. `used` is what anybody uses, as the driver counts;
// `allocated` and `cached` are this process's tensors and the blocks it keeps for more of them;
// other() is the rest: the driver's, other processes' and, on the cpu, everything else that
// this process has.
struct Memory {
  std::uint64_t used = 0, allocated = 0, cached = 0;
  std::uint64_t other() const {
    const std::uint64_t ours = allocated + cached;
    return used > ours ? used - ours : 0;
  }
};
struct Found {
  bp::Device device;
  bp_device_info info{};
  std::optional<Memory> memory{};  // nothing when it was not opened
  std::string problem{};           // why it could not be opened
};

// What is in use is known only of open devices. Opening an accelerator takes up to seconds and some
// of its memory, so it is done only when asked for; the cpu costs nothing.
Found look_at(bp::Device device, bool open) {
  Found f{device};
  f.info = bp::device_info(device);
  if (!open && !(f.info.flags & BP_DEVICE_HOST_MEMORY)) return f;
  try {
    bp::synchronize(device);
    const bp_memory_stats stats = bp::memory_stats(device);
    f.info = bp::device_info(device);
    f.memory = Memory{f.info.memory_used, stats.allocated_bytes, stats.cached_bytes};
  } catch (const bp::Error& e) {
    f.problem = e.what();
  }
  return f;
}

constexpr std::int32_t kNoFile = -1;  // a stage before all others

struct Hidden {
  bp_kind kind;
  bp_physical_info info;
};

// Returns the physical devices that a mask dropped. A backend that cannot be used has none
// to speak of.
std::vector<Hidden> hidden_devices() {
  std::vector<Hidden> out;
  for (bp_kind kind : bp::kinds()) {
    std::uint32_t count = 0;
    if (bp_physical_count(kind, &count, nullptr) < 0) continue;
    for (std::uint32_t i = 0; i < count; ++i) {
      Hidden h{kind, {}};
      h.info.struct_size = sizeof h.info;
      if (bp_physical_get(kind, i, &h.info, nullptr) == BP_OK && h.info.logical < 0)
        out.push_back(h);
    }
  }
  return out;
}

// The skeleton computes nothing. It is for those who write backends, and noise to all others.
bool is_skeleton(bp_kind kind) { return std::string(bp_kind_name(kind)) == "null"; }

// Returns the report, and a line for each accelerator's backend of which there is no file.
std::vector<bp::ReportEntry> try_known() {
  auto report = try_everything();
  for (const char* kind : kAccelerators) {
    if (std::any_of(report.begin(), report.end(), [&](const auto& e) { return e.kind == kind; }))
      continue;
    bp::ReportEntry missing;
    missing.stage = kNoFile;
    missing.kind = kind;
    missing.cause = fmt::format("no libbackplane_{}.so was found", kind);
    missing.remedy = fmt::format("`backplane doctor {}` says where it is looked for", kind);
    report.push_back(missing);
  }
  return report;
}

std::string memory_text(const Found& f) {
  const std::uint64_t total = f.info.memory_total;
  return (f.memory ? byte_text(f.memory->used) : "-") + " / " +
         (total ? byte_text(total) : "not known");
}

json device_json(const Found& f) {
  const bp_device_info& d = f.info;
  json out{{"device", f.device.str()},
           {"kind", bp_kind_name(f.device.kind())},
           {"index", bp_device_index(d.device)},
           {"physical", d.physical},
           {"name", d.name},
           {"uuid", d.uuid},
           {"pci", d.pci},
           {"driver", d.driver},
           {"memory_total", d.memory_total},
           {"simulated", (d.flags & BP_DEVICE_SIMULATED) != 0}};
  for (const char* key : {"memory_used", "memory_allocated", "memory_cached", "memory_other"})
    out[key] = nullptr;
  if (f.memory) {
    out["memory_used"] = f.memory->used;
    out["memory_allocated"] = f.memory->allocated;
    out["memory_cached"] = f.memory->cached;
    out["memory_other"] = f.memory->other();
  }
  if (!f.problem.empty()) out["problem"] = f.problem;
  return out;
}

int print_json(const std::vector<Found>& found, const std::vector<Hidden>& hidden,
               const std::vector<bp::ReportEntry>& report) {
  json page{{"version", bp_version()},
            {"devices", json::array()},
            {"hidden", json::array()},
            {"absent", json::array()},
            {"fallback", bp::fallback() == bp::Fallback::cpu ? "cpu" : "refuse"}};
  for (const Found& d : found) page["devices"].push_back(device_json(d));
  for (const auto& h : hidden)
    page["hidden"].push_back({{"kind", bp_kind_name(h.kind)},
                              {"physical", h.info.physical},
                              {"name", h.info.name},
                              {"reason", h.info.reason}});
  for (const auto& e : report)
    if (is_absent(e))
      page["absent"].push_back({{"kind", e.kind},
                                {"path", e.path},
                                {"stage", e.stage == kNoFile ? "missing" : stage_name(e.stage)},
                                {"cause", e.cause},
                                {"remedy", e.remedy}});
  fmt::print("{}\n", page.dump(2));
  return 0;
}

// Draws a box like nvidia-smi's: the head, and one line for each device.
std::string box(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string rule = "+", out;
  for (std::size_t w : widths) rule += std::string(w + 2, '-') + "+";
  rule += "\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r < 2) out += rule;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string cell = fmt::format("{:<{}}", rows[r][i], widths[i]);
      out += fmt::format("| {} ", i == 0 || r == 0 ? painted(Paint::kBold, cell) : cell);
    }
    out += "|\n";
  }
  return out + rule;
}

int print_table(const std::vector<Found>& found, const std::vector<Hidden>& hidden,
                const std::vector<bp::ReportEntry>& report) {
  fmt::print("Backplane {}\n", bp_version());
  std::vector<std::vector<std::string>> rows{
      {"Device", "Physical", "Name", "Memory used / total", "Driver"}};
  bool closed = false;
  for (const Found& f : found) {
    const std::string name =
        std::string(f.info.name) + (f.info.flags & BP_DEVICE_SIMULATED ? " (simulated)" : "");
    rows.push_back(
        {f.device.str(), std::to_string(f.info.physical), name, memory_text(f), f.info.driver});
    closed |= !f.memory && f.problem.empty();
  }
  fmt::print("{}", box(rows));
  for (const Found& f : found) {
    if (!f.problem.empty()) fmt::print("{}: cannot be opened: {}\n", f.device.str(), f.problem);
  }
  if (closed) fmt::print("-: not opened; `backplane devices --open` asks how much is in use\n");
  for (const auto& h : hidden)
    fmt::print("{} {} device {} ({}): {}\n", painted(Paint::kDim, "hidden:"), bp_kind_name(h.kind),
               h.info.physical, h.info.name, h.info.reason);
  for (const auto& e : report)
    if (is_absent(e))
      fmt::print("{} {}: {}{}\n", painted(Paint::kBad, "absent:"), e.kind.empty() ? e.path : e.kind,
                 e.cause, e.stage == kNoFile ? "; " + e.remedy : "");
  if (bp::fallback() == bp::Fallback::cpu)
    fmt::print("ops that a device's backend lacks run on the cpu (BACKPLANE_FALLBACK=cpu)\n");
  return 0;
}

}  // namespace

Run devices(CLI::App& app) {
  auto as_json = std::make_shared<bool>(false);
  auto open = std::make_shared<bool>(false);
  auto all = std::make_shared<bool>(false);
  app.add_flag(
      "--json", *as_json,
      "Print JSON: version, devices (all of them), hidden, absent, fallback; memory in bytes, "
      "null when not known");
  app.add_flag("--open", *open, "Open every device, to know how much of its memory is in use");
  app.add_flag("--all", *all,
               "Also those of null, the skeleton of a backend, which computes nothing");
  app.footer(
      "Devices are named as programs name them: kind and index after all masks. Physical is the "
      "index before.");
  return [=] {
    const auto report = try_known();
    const bool everything = *all || *as_json;
    std::vector<Found> found;
    for (bp::Device d : bp::devices())
      if (everything || !is_skeleton(d.kind())) found.push_back(look_at(d, *open));
    auto hidden = hidden_devices();
    if (!everything)
      hidden.erase(std::remove_if(hidden.begin(), hidden.end(),
                                  [](const Hidden& h) { return is_skeleton(h.kind); }),
                   hidden.end());
    return *as_json ? print_json(found, hidden, report) : print_table(found, hidden, report);
  };
}

}  // namespace cli
