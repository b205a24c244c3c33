// SPDX-License-Identifier: Apache-2.0
// merge.cc: profiles of several processes as one; declared in trace.h.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "trace/trace.h"

namespace cli {

using nlohmann::json;

namespace {

json put_together(const std::vector<std::string>& paths) {
  std::vector<json> pages;
  std::int64_t first = INT64_MAX;
  for (const std::string& path : paths) {
    pages.push_back(read_json(path));
    const json& page = pages.back();
    if (!page.contains("otherData") || !page["otherData"].contains("began_ns"))
      throw std::runtime_error("'" + path + "' does not say when it began (\"began_ns\")");
    first = std::min(first, page["otherData"].value("began_ns", std::int64_t{0}));
  }
  json out{{"displayTimeUnit", "ns"}, {"traceEvents", json::array()}};
  std::int64_t processes = 0;
  double length = 0;
  std::uint64_t dropped = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const json& facts = pages[i]["otherData"];
    const double shift =
        static_cast<double>(facts.value("began_ns", std::int64_t{0}) - first) / 1e3;
    length = std::max(length, shift + facts.value("length_us", 0.0));
    dropped += facts.value("dropped", std::uint64_t{0});
    std::int64_t highest = 0;
    for (json& e : pages[i]["traceEvents"]) {
      const std::int64_t process = e.value("pid", std::int64_t{0});
      highest = std::max(highest, process);
      e["pid"] = process + processes;
      if (e.contains("ts")) e["ts"] = e.value("ts", 0.0) + shift;
      if (e.contains("id")) e["id"] = fmt::format("{}.{}", i, e["id"].dump());
      if (e.value("name", "") == "process_name")
        e["args"]["name"] = fmt::format("process {}, {}", facts.value("pid", std::int64_t{0}),
                                        e["args"].value("name", ""));
      if (e.value("name", "") == "process_sort_index")
        e["args"]["sort_index"] = process + processes;
      out["traceEvents"].push_back(std::move(e));
    }
    processes += highest;
  }
  out["otherData"] = {{"program", pages[0]["otherData"].value("program", "")},
                      {"began_ns", first},
                      {"length_us", length},
                      {"dropped", dropped},
                      {"files", paths.size()}};
  return out;
}

}  // namespace

json merged(const std::vector<std::string>& paths) try {
  return put_together(paths);
} catch (const json::exception& e) {
  throw std::runtime_error(std::string("one of them is no profile: ") + e.what());
}

}  // namespace cli
