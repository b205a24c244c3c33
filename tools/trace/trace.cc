// SPDX-License-Identifier: Apache-2.0
#include "trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <stdexcept>
#include <system_error>
#include <tuple>

namespace cli {

using nlohmann::json;

namespace {

// Microseconds of a file: of 30 years at most.
double time_of(const json& e, const char* key) {
  const double us = e.value(key, 0.0);
  if (!(us >= 0 && us <= 1e15))
    throw std::runtime_error(fmt::format("a profile has no time \"{}\" of {}", key, us));
  return us;
}

// A name as a terminal may show it.
std::string shown(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  return text;
}

// How deep a page is nested. What is deeper than this is no profile, and copying it would take the
// stack; the parser stops there.
class DepthOf final : public json::json_sax_t {
 public:
  bool is_too_deep() const { return depth_ > kDeepest; }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return ++depth_ <= kDeepest; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return --depth_, true; }
  bool start_array(std::size_t) override { return ++depth_ <= kDeepest; }
  bool end_array() override { return --depth_, true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;  // the parse that follows tells it
  }

 private:
  static constexpr int kDeepest = 32;
  int depth_ = 0;
};

}  // namespace

std::string Trace::Span::text(const char* key) const {
  const auto at = says.is_object() ? says.find(key) : says.end();
  return at != says.end() && at->is_string() ? shown(at->get<std::string>()) : "";
}

std::uint64_t Trace::Span::bytes() const {
  const auto at = says.is_object() ? says.find("bytes") : says.end();
  return at != says.end() && at->is_number_unsigned() ? at->get<std::uint64_t>() : 0;
}

json read_json(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::system_error(errno, std::system_category(), "cannot read '" + path + "'");
  // Looked at first, because a callback of the parser would cost the square of the file's size.
  DepthOf depth;
  json::sax_parse(in, &depth);
  if (depth.is_too_deep())
    throw std::runtime_error("'" + path + "' is no profile: it is nested too deep");
  in.clear();
  in.seekg(0);
  json page = json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (!page.is_object() || !page.contains("traceEvents") || !page["traceEvents"].is_array())
    throw std::runtime_error("'" + path + "' is no profile: no JSON object with \"traceEvents\"");
  return page;
}

namespace {

using Key = std::pair<std::int64_t, std::int64_t>;  // process and number

// The times of a file have three decimals; what touches does not lie within.
constexpr double kRounding = 0.0015;

class Reader {
 public:
  explicit Reader(const json& page) : page_(page) {}
  Trace read() {
    const json& facts = page_.contains("otherData") ? page_["otherData"] : json::object();
    trace_.program = shown(facts.value("program", ""));
    trace_.dropped = facts.value("dropped", std::uint64_t{0});
    for (const json& e : page_["traceEvents"])
      if (e.value("ph", "") == "M") name(e);
    order_lanes();
    for (const json& e : page_["traceEvents"]) {
      const std::string kind = e.value("ph", "");
      if (kind == "X") span(e);
      if (kind == "C") use(e);
      if (kind == "N") block(e);
      if (kind == "D") end_of_block(e);
    }
    nest();
    for (const Trace::Span& s : trace_.spans) trace_.length = std::max(trace_.length, s.end());
    trace_.length = std::max(trace_.length, time_of(facts, "length_us"));
    for (Trace::Block& b : trace_.blocks)
      if (b.lives) b.end = trace_.length;
    return std::move(trace_);
  }

 private:
  static Key key_of(const json& e) {
    return {e.value("pid", std::int64_t{0}), e.value("tid", std::int64_t{0})};
  }
  void name(const json& e) {
    const std::int64_t process = e.value("pid", std::int64_t{0});
    const std::string text = e.contains("args") ? shown(e["args"].value("name", "")) : "";
    if (e.value("name", "") == "process_name") {
      const json& args = e.contains("args") ? e["args"] : json::object();
      names_[process] = {text, shown(args.value("process", "")), shown(args.value("part", text))};
    }
    if (e.value("name", "") == "thread_sort_index" && e.contains("args"))
      order_[key_of(e)] = e["args"].value("sort_index", std::int64_t{0});
    if (e.value("name", "") == "thread_name")
      trace_.lanes.push_back({process, e.value("tid", std::int64_t{0}), "", text, "", ""});
  }
  void order_lanes() {
    for (Trace::Lane& lane : trace_.lanes) name(lane);
    const auto place = [&](const Trace::Lane& lane) {
      const auto order = order_.find({lane.process, lane.number});
      return std::tuple(lane.process, order == order_.end() ? 0 : order->second, lane.number);
    };
    std::stable_sort(trace_.lanes.begin(), trace_.lanes.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
    for (std::size_t i = 0; i < trace_.lanes.size(); ++i)
      lane_at_[{trace_.lanes[i].process, trace_.lanes[i].number}] = i;
  }
  void name(Trace::Lane& lane) {
    const Names& names = names_[lane.process];
    lane.group = names.whole;
    lane.owner = names.owner;
    lane.part = names.part;
  }
  std::size_t lane_of(const json& e) {
    const Key key = key_of(e);
    const auto [at, is_new] = lane_at_.emplace(key, trace_.lanes.size());
    if (is_new) {
      trace_.lanes.push_back({key.first, key.second, "", fmt::format("{}", key.second), "", ""});
      name(trace_.lanes.back());
    }
    return at->second;
  }
  void span(const json& e) {
    Trace::Span s;
    s.lane = lane_of(e);
    s.category = e.value("cat", "");
    s.name = shown(e.value("name", ""));
    s.begin = time_of(e, "ts");
    s.length = time_of(e, "dur");
    if (e.contains("args")) s.says = e["args"];
    trace_.spans.push_back(std::move(s));
  }
  void use(const json& e) {
    if (e.contains("args") && e["args"].contains("bytes"))
      trace_.uses.push_back({names_[e.value("pid", std::int64_t{0})].whole, time_of(e, "ts"),
                             e["args"].value("bytes", std::uint64_t{0})});
  }
  // Of a merged profile an id is a text.
  static std::string id_of(const json& e) { return e.contains("id") ? e["id"].dump() : ""; }
  void block(const json& e) {
    if (e.value("cat", "") != "memory" || !e.contains("args")) return;
    const json& says = e["args"];
    block_at_[id_of(e)] = trace_.blocks.size();
    trace_.blocks.push_back({names_[e.value("pid", std::int64_t{0})].whole,
                             shown(says.value("op", "")), shown(says.value("module", "")),
                             says.value("bytes", std::uint64_t{0}), time_of(e, "ts"), 0.0, true});
  }
  void end_of_block(const json& e) {
    const auto at = block_at_.find(id_of(e));
    if (e.value("cat", "") != "memory" || at == block_at_.end()) return;
    Trace::Block& b = trace_.blocks[at->second];
    b.end = std::max(b.begin, time_of(e, "ts"));
    b.lives = false;
  }
  void nest() {
    std::vector<Trace::Span>& all = trace_.spans;
    std::stable_sort(all.begin(), all.end(), [](const Trace::Span& a, const Trace::Span& b) {
      if (a.lane != b.lane) return a.lane < b.lane;
      return a.begin != b.begin ? a.begin < b.begin : a.length > b.length;
    });
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < all.size(); ++i) {
      Trace::Span& s = all[i];
      while (!open.empty() &&
             (all[open.back()].lane != s.lane || all[open.back()].end() < s.begin + kRounding))
        open.pop_back();
      s.own = s.length;
      s.depth = open.size();
      if (!open.empty()) {
        s.around = open.back();
        all[s.around].own = std::max(0.0, all[s.around].own - s.length);
      }
      open.push_back(i);
    }
  }

  struct Names {
    std::string whole, owner, part;
  };
  const json& page_;
  Trace trace_;
  std::map<std::int64_t, Names> names_;
  std::map<Key, std::int64_t> order_;  // of lanes that do not lie by their numbers
  std::map<Key, std::size_t> lane_at_;
  std::map<std::string, std::size_t> block_at_;
};

}  // namespace

Trace read_trace(const std::string& path) {
  const json page = read_json(path);
  try {
    return Reader(page).read();
  } catch (const json::exception& e) {
    throw std::runtime_error("'" + path + "' is no profile: " + e.what());
  } catch (const std::runtime_error& e) {
    throw std::runtime_error("'" + path + "': " + e.what());
  }
}

}  // namespace cli
