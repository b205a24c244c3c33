// SPDX-License-Identifier: Apache-2.0
// backplane verify: the conformance kit for a plugin of anybody's. verify/parts.h lists what is
// asked; this prints the table.
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "verify/parts.h"

namespace cli {
namespace {

namespace bp = backplane;
namespace fs = std::filesystem;
using nlohmann::json;
using verifier::Row;
using verifier::Subject;

constexpr std::size_t kLinesOfAPart = 12;  // of failures in the table; --json has all

struct VerifyOptions {
  std::string what;
  std::vector<std::string> ops, parts;
  std::int32_t device = 0;
  int silence_s = 120;
  bool as_json = false;
};

// A path has a slash or ends in .so; all else is a kind.
bool is_file(const std::string& what) {
  return what.find('/') != std::string::npos || fs::path(what).extension() == ".so";
}

Subject subject_of(const VerifyOptions& options) {
  Subject subject{options.what};
  subject.index = options.device;
  subject.ops = options.ops;
  if (!is_file(options.what)) return subject;
  if (!fs::is_regular_file(options.what))
    throw BadInput(fmt::format("there is no file {}", options.what));
  const fs::path file =
      fs::canonical(fs::absolute(options.what).parent_path()) / fs::path(options.what).filename();
  const std::string name = file.stem().string(), prefix = "libbackplane_";
  if (name.rfind(prefix, 0) != 0 || name.size() == prefix.size())
    throw BadInput(
        fmt::format("{} is not called libbackplane_<kind>.so, as the file of a plugin is",
                    file.filename().string()));
  if (file.parent_path().string().find(':') != std::string::npos)
    throw BadInput(
        fmt::format("the folder {} has a ':' in its name, which divides the folders "
                    "that plugins are looked for in",
                    file.parent_path().string()));
  subject.kind = name.substr(prefix.size());
  subject.file = file.string();
  subject.named = true;
  return subject;
}

void check_options(const VerifyOptions& options) {
  if (options.silence_s < 1) throw BadInput("--timeout is a number of seconds from 1 on");
  if (options.device < 0) throw BadInput("--device is an index from 0 on");
  for (const std::string& part : options.parts)
    if (std::none_of(std::begin(verifier::kParts), std::end(verifier::kParts),
                     [&](const verifier::Part& p) { return part == p.name; }))
      throw BadInput(fmt::format("'{}' is no part; --help lists them", part));
  for (const std::string& pattern : options.ops) {
    bool any = false;
    for (std::uint32_t i = 0, n = bp_op_count(); i < n && !any; ++i) {
      std::uint32_t op = 0;
      bp_op_info info{};
      info.struct_size = sizeof info;
      any = bp_op_at(i, &op, nullptr) == BP_OK && bp_op_get_info(op, &info, nullptr) == BP_OK &&
            fnmatch(pattern.c_str(), info.name, 0) == 0;
    }
    if (!any) throw BadInput(fmt::format("no op is called {}", pattern));
  }
}

void print_row(const Row& row) {
  fmt::print("{:<10} {:>8} {:>7} {:>8} {:>8.1f}\n", row.part, row.passed, row.failures.size(),
             row.skips.size(), row.seconds);
  std::fflush(stdout);
}

void print_lines(const Row& row) {
  const std::size_t n = std::min(row.failures.size(), kLinesOfAPart);
  for (std::size_t i = 0; i < n; ++i)
    fmt::print("{}  {}: {}\n", painted(Paint::kBad, "FAILED"), row.part, row.failures[i]);
  if (n < row.failures.size())
    fmt::print("FAILED  {}: and {} more, which --json lists\n", row.part, row.failures.size() - n);
  for (const std::string& skip : row.skips) fmt::print("skipped {}: {}\n", row.part, skip);
  for (const std::string& note : row.notes) fmt::print("note    {}: {}\n", row.part, note);
}

std::string fact(const Row& handshake, const char* name) {
  const auto found = handshake.facts.find(name);
  return found == handshake.facts.end() ? "" : found->second;
}

json page(const Subject& subject, const std::vector<Row>& rows, bool good) {
  json out{{"library", bp_version()},
           {"kind", subject.kind},
           {"file", subject.file},
           {"version", fact(rows[0], "version")},
           {"device", fact(rows[0], "device")},
           {"passed", good},
           {"parts", json::array()}};
  for (const Row& row : rows)
    out["parts"].push_back({{"part", row.part},
                            {"passed", row.passed},
                            {"failed", row.failures.size()},
                            {"skipped", row.skips.size()},
                            {"seconds", row.seconds},
                            {"failures", row.failures},
                            {"skips", row.skips},
                            {"notes", row.notes}});
  return out;
}

void print_end(const Subject& subject, const std::vector<Row>& rows, bool good) {
  fmt::print("\n");
  for (const Row& row : rows) print_lines(row);
  int checks = 0;
  std::vector<std::string> failed;
  for (const Row& row : rows) {
    checks += row.passed;
    if (!row.failures.empty()) failed.push_back(row.part);
  }
  if (good)
    fmt::print("{} {}: {} checks passed\n", subject.kind, painted(Paint::kGood, "conforms"),
               checks);
  else
    fmt::print("{} {}: {} failed\n", subject.kind, painted(Paint::kBad, "does NOT conform"),
               fmt::join(failed, ", "));
}

int run(const VerifyOptions& options) {
  check_options(options);
  Subject subject = subject_of(options);
  std::vector<Row> rows;
  for (const verifier::Part& part : verifier::kParts) {
    const bool wanted =
        rows.empty() || options.parts.empty() ||
        std::find(options.parts.begin(), options.parts.end(), part.name) != options.parts.end();
    if (!wanted) continue;
    if (!rows.empty() && !rows[0].failures.empty()) {
      rows.push_back({part.name});
      rows.back().skips.emplace_back("the handshake failed");
    } else {
      rows.push_back(verifier::run_apart(part.name, options.silence_s,
                                         [&](auto& findings) { part.run(subject, findings); }));
    }
    if (rows.size() == 1) {
      if (subject.file.empty()) subject.file = fact(rows[0], "file");
      if (subject.file.empty()) throw BadInput(rows[0].failures.at(0));  // no such kind
      if (!options.as_json)
        fmt::print("{} {}\n{} {}\n\n{:<10} {:>8} {:>7} {:>8} {:>8}\n", subject.file,
                   fact(rows[0], "version"), fact(rows[0], "device"), fact(rows[0], "name"), "part",
                   "passed", "failed", "skipped", "seconds");
    }
    if (!options.as_json) print_row(rows.back());
  }
  const bool good =
      std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.failures.empty(); });
  if (options.as_json)
    fmt::print("{}\n",
               page(subject, rows, good).dump(2, ' ', false, json::error_handler_t::replace));
  else
    print_end(subject, rows, good);
  return good ? 0 : 1;
}

}  // namespace

Run verify(CLI::App& app) {
  auto options = std::make_shared<VerifyOptions>();
  app.add_option("FILE|KIND", options->what,
                 "A plugin's file, libbackplane_<kind>.so, or the kind of one that is found")
      ->required();
  app.add_option("--ops", options->ops,
                 "Only these ops in records and strides, names or patterns: add,max_pool*")
      ->delimiter(',')
      ->take_all();
  app.add_option("--part", options->parts, "Only these parts, after the handshake")
      ->delimiter(',')
      ->take_all();
  app.add_option("--device", options->device, "The index of the device (default: 0)");
  app.add_option("--timeout", options->silence_s,
                 "Seconds after which a check that has not come back has failed (default: 120)");
  app.add_flag("--json", options->as_json,
               "Print JSON: library, kind, file, version, device, passed, parts");
  std::string footer = "Parts, each in a process of its own:\n";
  for (const verifier::Part& part : verifier::kParts)
    footer += fmt::format("  {:<10} {}\n", part.name, part.what);
  footer +=
      "The exit code is 0 when nothing failed, 1 when something did, 2 when nothing was asked.";
  app.footer(footer);
  return [=] { return run(*options); };
}

}  // namespace cli
