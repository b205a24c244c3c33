// SPDX-License-Identifier: Apache-2.0
// trace.h: a profile's file, read by a parser that is not ours.
//
//   const Trace t = read_trace("trace.json");
//   EXPECT_EQ(t.spans("op", "exp").size(), 1u);
//   expect_nested(t);
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace bp_test {

struct Trace {
  nlohmann::json all;
  // The spans of a category, of one name where one is given.
  std::vector<nlohmann::json> spans(const std::string& cat, const std::string& name = "") const {
    std::vector<nlohmann::json> found;
    for (const nlohmann::json& e : all["traceEvents"])
      if (e["ph"] == "X" && (cat.empty() || e["cat"] == cat) && (name.empty() || e["name"] == name))
        found.push_back(e);
    return found;
  }
  // The names of the processes by their numbers.
  std::map<int, std::string> processes() const {
    std::map<int, std::string> found;
    for (const nlohmann::json& e : all["traceEvents"])
      if (e["name"] == "process_name") found[e["pid"]] = e["args"]["name"];
    return found;
  }
  // The numbers of the lanes of a process by their names.
  std::map<std::string, int> lanes(const std::string& process) const {
    std::map<std::string, int> found;
    int number = 0;
    for (const auto& [at, name] : processes())
      if (name == process) number = at;
    for (const nlohmann::json& e : all["traceEvents"])
      if (e["name"] == "thread_name" && e["pid"] == number) found[e["args"]["name"]] = e["tid"];
    return found;
  }
};

inline Trace read_trace(const std::string& path) {
  std::ifstream in(path);
  return {nlohmann::json::parse(in)};
}

// From when to when a span lasts, in microseconds.
inline std::pair<double, double> time_of(const nlohmann::json& span) {
  const double begin = span["ts"];
  return {begin, begin + double(span["dur"])};
}

// Within a lane a span lies in another one or beside it.
inline void expect_nested(const Trace& t) {
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> lanes;
  for (const nlohmann::json& e : t.spans("")) {
    const auto [begin, end] = time_of(e);
    EXPECT_GE(begin, 0.0) << e;
    EXPECT_GE(end, begin) << e;
    EXPECT_LE(end, double(t.all["otherData"]["length_us"]) + 0.002) << e;
    lanes[{e["pid"], e["tid"]}].emplace_back(begin, end);
  }
  for (auto& [lane, spans] : lanes) {
    std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    });
    std::vector<double> ends;
    for (const auto& [begin, end] : spans) {
      while (!ends.empty() && ends.back() <= begin + 0.0015) ends.pop_back();
      if (!ends.empty()) {
        EXPECT_LE(end, ends.back() + 0.0015)
            << "process " << lane.first << ", lane " << lane.second;
      }
      ends.push_back(end);
    }
  }
}

}  // namespace bp_test
