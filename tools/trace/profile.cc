// SPDX-License-Identifier: Apache-2.0
// backplane profile: the tables and the picture of a profile, and several profiles made one.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "cli.h"
#include "trace/trace.h"

namespace cli {
namespace {

struct Wanted {
  std::string what, out, by = "op";
  std::vector<std::string> files;
  std::size_t top = 20;
  double width = 1600;
  bool json = false;
};

const std::map<std::string, By> kBy{{"op", By::kOp},       {"module", By::kModule},
                                    {"wait", By::kWait},   {"copy", By::kCopy},
                                    {"range", By::kRange}, {"exchange", By::kExchange}};

void write(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::system_error(errno, std::system_category(), "cannot write '" + path + "'");
  fmt::print("{} is written\n", path);
}

const std::string& only_file(const Wanted& w) {
  if (w.files.size() != 1)
    throw BadInput(fmt::format("{} takes one profile, not {}", w.what, w.files.size()));
  return w.files[0];
}

void print(std::vector<std::vector<std::string>> rows, std::size_t top) {
  const std::size_t left_out = rows.size() - 1 > top ? rows.size() - 1 - top : 0;
  rows.resize(rows.size() - left_out);
  fmt::print("{}", columns(rows));
  if (left_out) fmt::print("{} more: --top {}\n", left_out, left_out + top);
}

int summary(const Wanted& w) {
  const Trace trace = read_trace(only_file(w));
  const By by = kBy.at(w.by);
  if (w.json) {
    fmt::print("{}\n", json_of(trace, by).dump(2));
    return 0;
  }
  fmt::print("{}", heading_of(trace));
  std::vector<std::string> owners = owners_of(trace);
  if (owners.empty()) owners.emplace_back();
  for (const std::string& owner : owners) {
    fmt::print("\n");
    if (owners.size() > 1) fmt::print("{}\n", owner);
    print(table_of(trace, by, owner), w.top);
  }
  return 0;
}

int picture(const Wanted& w) {
  if (w.out.empty()) throw BadInput("picture needs --out FILE.svg");
  write(w.out, picture_of(read_trace(only_file(w)), w.width));
  return 0;
}

nlohmann::json json_of(const std::vector<Holders>& all) {
  nlohmann::json out = nlohmann::json::array();
  for (const Holders& h : all) {
    nlohmann::json rows = nlohmann::json::array();
    for (const Holders::Row& r : h.rows)
      rows.push_back(
          {{"op", r.op}, {"module", r.module}, {"blocks", r.blocks}, {"bytes", r.bytes}});
    out.push_back({{"device", h.device},
                   {"at_us", h.at},
                   {"bytes", h.bytes},
                   {"in_use", h.in_use},
                   {"holders", rows}});
  }
  return out;
}

void print(const Holders& h, std::size_t top) {
  std::vector<std::vector<std::string>> rows{{"op", "module", "blocks", "bytes", "share"}};
  for (std::size_t i = 0; i < std::min(top, h.rows.size()); ++i) {
    const Holders::Row& r = h.rows[i];
    rows.push_back({r.op.empty() ? "-" : r.op, r.module.empty() ? "-" : r.module,
                    std::to_string(r.blocks), byte_text(r.bytes),
                    fmt::format("{:.1f} %", 100.0 * static_cast<double>(r.bytes) /
                                                static_cast<double>(h.bytes))});
  }
  fmt::print("{}: {} held at {}", h.device, byte_text(h.bytes), duration_text(h.at / 1e6));
  if (h.in_use) fmt::print("; {} in use at most", byte_text(h.in_use));
  fmt::print("\n{}", columns(rows));
  if (h.rows.size() > top) fmt::print("{} more: --top {}\n", h.rows.size() - top, h.rows.size());
}

int memory(const Wanted& w) {
  const Trace trace = read_trace(only_file(w));
  if (trace.blocks.empty())
    throw std::runtime_error("'" + w.files[0] + "' has no blocks of memory");
  if (!w.out.empty()) {
    write(w.out, memory_picture_of(trace, w.width));
    return 0;
  }
  const std::vector<Holders> all = holders_of(trace);
  if (w.json) {
    fmt::print("{}\n", json_of(all).dump(2));
    return 0;
  }
  for (const Holders& h : all) print(h, w.top);
  return 0;
}

int merge(const Wanted& w) {
  if (w.out.empty()) throw BadInput("merge needs --out FILE.json");
  write(w.out, merged(w.files).dump() + "\n");
  return 0;
}

}  // namespace

Run profile(CLI::App& app) {
  auto w = std::make_shared<Wanted>();
  app.add_option(
         "WHAT", w->what,
         "summary: a table; picture: a timeline as SVG; memory: who held it when most was, or over time as SVG; merge: one profile of several")
      ->required()
      ->check(CLI::IsMember({"summary", "picture", "memory", "merge"}));
  app.add_option(
         "FILE", w->files,
         "Profiles: what bp_profile_save or bp_memory_snapshot wrote, or BACKPLANE_PROFILE=FILE")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option(
         "--by", w->by,
         "What a row of the table is: op, module, wait, copy, range or exchange (default: op)")
      ->check(CLI::IsMember({"op", "module", "wait", "copy", "range", "exchange"}));
  app.add_option("--top", w->top, "Rows of a table (default: 20)")->check(CLI::PositiveNumber);
  app.add_flag("--json", w->json, "The table as JSON: microseconds and bytes, all rows");
  app.add_option("--out", w->out, "Where the picture, or the merged profile, goes")
      ->type_name("FILE");
  app.add_option("--width", w->width, "Of the picture, in pixels (default: 1600)")
      ->check(CLI::Range(400.0, 100000.0));
  app.footer(
      "A row's own time leaves out what lies within: the ops of which an op is composed, and waits. The device's is that of "
      "its queues. Of several processes each has a table.\n\nExamples:\n  BACKPLANE_PROFILE=trace.json backplane train\n  backplane profile summary trace.json --by module\n"
      "  backplane profile picture trace.json --out trace.svg\n  backplane profile memory trace.json --top 5");
  return [=] {
    if (w->what == "summary") return summary(*w);
    if (w->what == "memory") return memory(*w);
    return w->what == "picture" ? picture(*w) : merge(*w);
  };
}

}  // namespace cli
