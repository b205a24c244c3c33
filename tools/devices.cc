// backplane devices: the visible devices as a table or as JSON, then what is hidden and what is
// absent, and why.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"

namespace cli {
namespace {

namespace bp = backplane;
using nlohmann::json;

struct Found {
  bp::Device device;
  bp_device_info info;
};
struct Hidden {
  bp_kind kind;
  bp_physical_info info;
};

// Physical devices that a mask dropped. A backend that cannot be used has none to speak of.
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

std::string memory_text(const bp_device_info& d) {
  if (d.memory_total == 0) return "not known";
  return (d.memory_used ? byte_text(d.memory_used) : "-") + " / " + byte_text(d.memory_total);
}

json device_json(const Found& f) {
  const bp_device_info& d = f.info;
  return {{"device", f.device.str()},
          {"kind", bp_kind_name(f.device.kind())},
          {"index", bp_device_index(d.device)},
          {"physical", d.physical},
          {"name", d.name},
          {"uuid", d.uuid},
          {"pci", d.pci},
          {"driver", d.driver},
          {"memory_used", d.memory_used},
          {"memory_total", d.memory_total},
          {"simulated", (d.flags & BP_DEVICE_SIMULATED) != 0}};
}

int print_json(const std::vector<Found>& found, const std::vector<Hidden>& hidden,
               const std::vector<bp::ReportEntry>& report) {
  json page{{"version", bp_version()},
            {"devices", json::array()},
            {"hidden", json::array()},
            {"absent", json::array()}};
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
                                {"stage", stage_name(e.stage)},
                                {"cause", e.cause},
                                {"remedy", e.remedy}});
  fmt::print("{}\n", page.dump(2));
  return 0;
}

// A box like nvidia-smi's: the head, one line for each device.
std::string box(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string rule = "+", out;
  for (std::size_t w : widths) rule += std::string(w + 2, '-') + "+";
  rule += "\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r < 2) out += rule;
    for (std::size_t i = 0; i < widths.size(); ++i)
      out += fmt::format("| {:<{}} ", rows[r][i], widths[i]);
    out += "|\n";
  }
  return out + rule;
}

int print_table(const std::vector<Found>& found, const std::vector<Hidden>& hidden,
                const std::vector<bp::ReportEntry>& report) {
  fmt::print("Backplane {}\n", bp_version());
  std::vector<std::vector<std::string>> rows{
      {"Device", "Physical", "Name", "Memory used / total", "Driver"}};
  for (const auto& [device, d] : found) {
    const std::string name =
        std::string(d.name) + (d.flags & BP_DEVICE_SIMULATED ? " (simulated)" : "");
    rows.push_back({device.str(), std::to_string(d.physical), name, memory_text(d), d.driver});
  }
  fmt::print("{}", box(rows));
  for (const auto& h : hidden)
    fmt::print("hidden: {} device {} ({}): {}\n", bp_kind_name(h.kind), h.info.physical,
               h.info.name, h.info.reason);
  for (const auto& e : report)
    if (is_absent(e)) fmt::print("absent: {}: {}\n", e.kind.empty() ? e.path : e.kind, e.cause);
  return 0;
}

}  // namespace

Run devices(CLI::App& app) {
  auto as_json = std::make_shared<bool>(false);
  app.add_flag("--json", *as_json, "Print JSON: version, devices, hidden, absent; memory in bytes");
  app.footer(
      "Devices are named as programs name them: kind and index after all masks. Physical is the "
      "index before.");
  return [as_json] {
    const auto report = try_everything();
    std::vector<Found> found;
    for (bp::Device d : bp::devices()) {
      // What is in use is known of opened devices only; opening an accelerator only to list it
      // would cost seconds.
      if (bp::device_info(d).flags & BP_DEVICE_HOST_MEMORY) bp::synchronize(d);
      found.push_back({d, bp::device_info(d)});
    }
    const auto hidden = hidden_devices();
    return *as_json ? print_json(found, hidden, report) : print_table(found, hidden, report);
  };
}

}  // namespace cli
