// SPDX-License-Identifier: Apache-2.0
#include "cli.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace cli {

namespace bp = backplane;

std::vector<bp::ReportEntry> try_everything() {
  for (bp_kind kind : bp::kinds()) bp::device_count(kind);
  return bp::report();
}

const char* stage_name(std::int32_t stage) {
  static constexpr const char* kNames[] = {"found",   "directory", "file",     "dlopen",
                                           "symbol",  "query",     "open",     "probe",
                                           "devices", "ready",     "shadowed", "skipped"};
  return stage >= 0 && stage <= BP_STAGE_SKIPPED ? kNames[stage] : "unknown";
}

bool is_absent(const bp::ReportEntry& entry) {
  return entry.stage != BP_STAGE_READY && entry.stage != BP_STAGE_SHADOWED &&
         entry.stage != BP_STAGE_FOUND;
}

std::string byte_text(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(kUnits)) value /= 1024, ++unit;
  return unit == 0 || value >= 100 ? fmt::format("{:.0f} {}", value, kUnits[unit])
                                   : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

bool is_terminal(int file) { return ::isatty(file) == 1; }

std::string beside_command(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return (self.parent_path().parent_path() / "share/backplane" / name).lexically_normal().string();
}

std::string default_data() { return beside_command("examples/data/digits.csv"); }

}  // namespace cli
