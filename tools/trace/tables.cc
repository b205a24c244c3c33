// SPDX-License-Identifier: Apache-2.0
// tables.cc: what a profile's time went to; declared in trace.h.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli.h"
#include "trace/trace.h"

namespace cli {
namespace {

using nlohmann::json;

// What spans of one name have in common. `host` is time of threads, `device` of queues.
struct Sum {
  std::vector<std::string> names;  // the first columns
  std::uint64_t calls = 0, bytes = 0;
  double host = 0, own = 0, device = 0;
  double sort() const { return std::max(own, device); }
};

constexpr const char* kHead[][2] = {{"op", "device"}, {"module", ""}, {"wait for", "within"},
                                    {"copy", ""},     {"range", ""},  {"exchange", "lane"}};

// Without the modules within it.
double own_of_module(const Trace& t, std::size_t i) {
  double own = t.spans[i].length;
  for (std::size_t k = i + 1; k < t.spans.size() && t.spans[k].lane == t.spans[i].lane &&
                              t.spans[k].begin < t.spans[i].end();
       ++k) {
    if (t.spans[k].category != "module") continue;
    std::size_t around = t.spans[k].around;
    while (around != Trace::kNone && t.spans[around].category != "module")
      around = t.spans[around].around;
    if (around == i) own -= t.spans[k].length;
  }
  return std::max(0.0, own);
}

// "all_reduce(mean)".
std::string name_of_exchange(const Trace::Span& s) {
  const std::string operation = s.text("operation");
  return operation.empty() ? s.name : s.name + "(" + operation + ")";
}

std::vector<Sum> sums_of(const Trace& t, By by, const std::string& owner) {
  std::map<std::vector<std::string>, Sum> sums;
  const auto add = [&](std::vector<std::string> names, std::size_t i, bool on_device, double own) {
    Sum& sum = sums[names];
    sum.names = std::move(names);
    const Trace::Span& s = t.spans[i];
    if (on_device) {
      sum.device += s.length;
      return;
    }
    ++sum.calls;
    sum.bytes += s.bytes();
    sum.host += s.length;
    sum.own += own;
  };
  for (std::size_t i = 0; i < t.spans.size(); ++i) {
    const Trace::Span& s = t.spans[i];
    const Trace::Lane& lane = t.lanes[s.lane];
    if (lane.owner != owner) continue;
    const bool on_device =
        s.category == "kernel" || (s.category == "copy" && s.text("from").empty());
    switch (by) {
      case By::kOp:
        if (s.category == "op") add({s.name, s.text("device")}, i, false, s.own);
        if (s.category == "kernel") add({s.name, lane.part}, i, true, 0);
        break;
      case By::kModule:
        if (s.category == "module")
          add({s.text("path").empty() ? s.name : s.text("path")}, i, false, own_of_module(t, i));
        break;
      case By::kWait:
        if (s.category == "wait") add({s.name, s.text("for")}, i, false, s.own);
        break;
      case By::kCopy:
        if (s.category == "copy" && !on_device)
          add({s.text("from") + " to " + s.text("to")}, i, false, s.own);
        break;
      case By::kRange:
        if (s.category == "range" || s.category == "step") add({s.name}, i, false, s.own);
        break;
      case By::kExchange:
        if (s.category == "exchange") add({name_of_exchange(s), lane.name}, i, false, s.own);
        break;
    }
  }
  std::vector<Sum> out;
  for (auto& [names, sum] : sums) out.push_back(std::move(sum));
  std::stable_sort(out.begin(), out.end(),
                   [](const Sum& a, const Sum& b) { return a.sort() > b.sort(); });
  return out;
}

}  // namespace

std::vector<std::string> owners_of(const Trace& t) {
  std::vector<std::string> out;
  for (const Trace::Lane& lane : t.lanes)
    if (std::find(out.begin(), out.end(), lane.owner) == out.end()) out.push_back(lane.owner);
  return out;
}

std::vector<std::vector<std::string>> table_of(const Trace& t, By by, const std::string& owner) {
  const auto& head = kHead[static_cast<std::size_t>(by)];
  const bool of_ops = by == By::kOp, has_second = head[1][0];
  std::vector<std::vector<std::string>> rows(1);
  rows[0].push_back(head[0]);
  if (has_second) rows[0].push_back(head[1]);
  for (const char* column : {"calls", "own time", "share", "with what is within", "each"})
    rows[0].push_back(column);
  if (of_ops) rows[0].push_back("on the device");
  rows[0].push_back("bytes");
  const std::vector<Sum> sums = sums_of(t, by, owner);
  double all = 0;
  for (const Sum& s : sums) all += s.own;
  for (const Sum& s : sums) {
    std::vector<std::string> row{s.names[0]};
    if (has_second) row.push_back(s.names.size() > 1 ? s.names[1] : "");
    row.push_back(std::to_string(s.calls));
    row.push_back(duration_text(s.own / 1e6));
    row.push_back(all > 0 ? fmt::format("{:.1f} %", 100 * s.own / all) : "");
    row.push_back(duration_text(s.host / 1e6));
    row.push_back(s.calls ? duration_text((s.host / static_cast<double>(s.calls)) / 1e6) : "");
    if (of_ops) row.push_back(s.device > 0 ? duration_text(s.device / 1e6) : "");
    row.push_back(s.bytes ? byte_text(s.bytes) : "");
    rows.push_back(std::move(row));
  }
  return rows;
}

json json_of(const Trace& t, By by) {
  const auto& head = kHead[static_cast<std::size_t>(by)];
  json rows = json::array();
  const std::vector<std::string> owners = owners_of(t);
  for (const std::string& owner : owners)
    for (const Sum& s : sums_of(t, by, owner)) {
      json row;
      if (owners.size() > 1) row["process"] = owner;
      row[head[0]] = s.names[0];
      if (head[1][0]) row[head[1]] = s.names.size() > 1 ? s.names[1] : "";
      row.update({{"calls", s.calls}, {"own_us", s.own}, {"us", s.host}, {"bytes", s.bytes}});
      if (by == By::kOp) row["device_us"] = s.device;
      rows.push_back(std::move(row));
    }
  return rows;
}

std::string heading_of(const Trace& t) {
  std::vector<double> busy(t.lanes.size()), waited(t.lanes.size());
  for (const Trace::Span& s : t.spans) {
    if (s.around == Trace::kNone) busy[s.lane] += s.length;
    if (s.category == "wait") waited[s.lane] += s.length;
  }
  std::string text = fmt::format("{} of {}, {} spans", duration_text(t.length / 1e6),
                                 t.program.empty() ? "a program" : t.program, t.spans.size());
  if (t.dropped) text += fmt::format("; {} more were not kept (most_spans)", t.dropped);
  text += '\n';
  for (std::size_t i = 0; i < t.lanes.size(); ++i) {
    text += fmt::format("{}, {}: {} seen", t.lanes[i].group, t.lanes[i].name,
                        duration_text(busy[i] / 1e6));
    if (t.length > 0) text += fmt::format(", {:.0f} %", 100 * busy[i] / t.length);
    if (waited[i] > 0) text += fmt::format("; {} of it waited", duration_text(waited[i] / 1e6));
    text += '\n';
  }
  std::map<std::string, std::uint64_t> most;
  for (const Trace::Use& u : t.uses) most[u.device] = std::max(most[u.device], u.bytes);
  for (const auto& [device, bytes] : most)
    text += fmt::format("{}: {} in use at most\n", device, byte_text(bytes));
  return text;
}

}  // namespace cli
