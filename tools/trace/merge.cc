// SPDX-License-Identifier: Apache-2.0
// merge.cc: profiles of several processes as one; declared in trace.h.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "trace/trace.h"

namespace cli {

using nlohmann::json;

namespace {

constexpr std::int64_t kNoRank = INT64_MAX;

// A profile, and which process took it.
struct Page {
  json content;
  std::int64_t number = 0;  // of the process; 0: it is of several, which have names
  std::int64_t rank = kNoRank;
  std::string group;  // "mpi 4"
  const json& facts() const { return content["otherData"]; }
  std::int64_t began() const { return facts().value("began_ns", std::int64_t{0}); }
};

Page read_page(const std::string& path) {
  Page p;
  p.content = read_json(path);
  if (!p.content.contains("otherData") || !p.facts().contains("began_ns"))
    throw std::runtime_error("'" + path + "' does not say when it began (\"began_ns\")");
  p.number = p.facts().value("pid", std::int64_t{0});
  if (!p.facts().contains("group")) return p;
  const json& group = p.facts()["group"];
  p.rank = group.value("rank", kNoRank);
  p.group = fmt::format("{} {}", group.value("kind", ""), group.value("size", 0));
  return p;
}

// Members come by their ranks, and before others.
std::vector<Page> read_pages(const std::vector<std::string>& paths) {
  std::vector<Page> pages;
  for (const std::string& path : paths) pages.push_back(read_page(path));
  std::stable_sort(pages.begin(), pages.end(),
                   [](const Page& a, const Page& b) { return a.rank < b.rank; });
  return pages;
}

// What tells the page's processes from those of the others: "process 77", or "" where their names
// do.
std::string title_of(const Page& p, const std::vector<Page>& pages) {
  const auto n = std::count_if(pages.begin(), pages.end(), [&](const Page& other) {
    return other.rank == p.rank && other.group == p.group;
  });
  return p.number == 0 || (p.rank != kNoRank && n == 1) ? "" : fmt::format("process {}", p.number);
}

void put_before(const std::string& title, json& names) {
  const std::string whole = names.value("name", ""), owner = names.value("process", "");
  names["part"] = names.value("part", whole);
  names["process"] = owner.empty() ? title : title + ", " + owner;
  names["name"] = title + ", " + whole;
}

json put_together(const std::vector<std::string>& paths) {
  std::vector<Page> pages = read_pages(paths);
  std::int64_t first = INT64_MAX;
  for (const Page& p : pages) first = std::min(first, p.began());
  json out{{"displayTimeUnit", "ns"}, {"traceEvents", json::array()}};
  std::int64_t processes = 0;
  double length = 0;
  std::uint64_t dropped = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const json& facts = pages[i].facts();
    const std::string title = title_of(pages[i], pages);
    const double shift = static_cast<double>(pages[i].began() - first) / 1e3;
    length = std::max(length, shift + facts.value("length_us", 0.0));
    dropped += facts.value("dropped", std::uint64_t{0});
    std::int64_t highest = 0;
    for (json& e : pages[i].content["traceEvents"]) {
      const std::int64_t process = e.value("pid", std::int64_t{0});
      highest = std::max(highest, process);
      e["pid"] = process + processes;
      if (e.contains("ts")) e["ts"] = e.value("ts", 0.0) + shift;
      if (e.contains("id")) e["id"] = fmt::format("{}.{}", i, e["id"].dump());
      if (e.value("name", "") == "process_name" && !title.empty()) put_before(title, e["args"]);
      if (e.value("name", "") == "process_sort_index")
        e["args"]["sort_index"] = process + processes;
      out["traceEvents"].push_back(std::move(e));
    }
    processes += highest;
  }
  out["otherData"] = {{"program", pages[0].facts().value("program", "")},
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
