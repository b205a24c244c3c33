// SPDX-License-Identifier: Apache-2.0
#include "cli.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

namespace cli {

namespace bp = backplane;

std::vector<bp::ReportEntry> try_everything() {
  // A mask that is wrong about one kind fails all. Once all are loaded, its message has the ids of
  // that kind.
  std::int32_t ignored = 0;
  for (bp_kind kind : bp::kinds()) bp_device_count(kind, &ignored, nullptr);
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

std::vector<std::pair<std::string, std::string>> environment() {
  std::vector<std::string> prefixes{"BACKPLANE_", "OMP_", "GOMP_", "OPENBLAS_", "LD_"};
  for (bp_kind kind : bp::kinds()) {
    std::string name = bp_kind_name(kind);
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    prefixes.push_back(name + "_");
  }
  std::vector<std::pair<std::string, std::string>> set;
  for (char** v = environ; v && *v; ++v) {
    const std::string line = *v;
    const std::size_t equals = line.find('=');
    const std::string name = line.substr(0, equals), tail = "_VISIBLE_DEVICES";
    const bool wanted = std::any_of(prefixes.begin(), prefixes.end(),
                                    [&](const std::string& p) { return name.rfind(p, 0) == 0; }) ||
                        (name.size() > tail.size() &&
                         name.compare(name.size() - tail.size(), tail.size(), tail) == 0);
    if (wanted && equals != std::string::npos) set.emplace_back(name, line.substr(equals + 1));
  }
  std::sort(set.begin(), set.end());
  return set;
}

namespace {

// Counts letters that are put in, left out, changed, or changed places with their neighbour.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

bool has_colours(int file) {
  const char *off = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
  return is_terminal(file) && !(off && *off) && terminal && std::string(terminal) != "dumb";
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  if (word.size() < 3) return "";  // everything short is like it
  std::string best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& c : candidates) {
    const bool begun = c.size() > word.size() && c.compare(0, word.size(), word) == 0;
    if (const std::size_t d = begun ? 1 : distance(word, c); d < least) least = d, best = c;
  }
  return best;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

std::string painted(Paint paint, const std::string& text, int file) {
  static constexpr const char* kCodes[] = {"32", "31", "2", "1", "36", "33"};
  if (text.empty() || !has_colours(file)) return text;
  return fmt::format("\033[{}m{}\033[0m", kCodes[static_cast<int>(paint)], text);
}

std::string byte_text(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(kUnits)) value /= 1024, ++unit;
  return unit == 0 || value >= 100 ? fmt::format("{:.0f} {}", value, kUnits[unit])
                                   : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string duration_text(double seconds) {
  static constexpr const char* kUnits[] = {"ns", "us", "ms", "s"};
  double value = seconds * 1e9;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < std::size(kUnits)) value /= 1000, ++unit;
  return fmt::format("{:.3g} {}", value, kUnits[unit]);
}

std::string svg_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
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
