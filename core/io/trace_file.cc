// SPDX-License-Identifier: Apache-2.0
#include "core/io/trace_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/io/file.h"
#include "core/io/json.h"

namespace bp {
namespace {

constexpr size_t kAtOnce = size_t{1} << 18;

class Writer {
 public:
  Writer(const Profile& p, Sink& out) : p_(p), out_(out) {}
  void write();

 private:
  template <class... A>
  void add(fmt::format_string<A...> text, A&&... args) {
    fmt::format_to(std::back_inserter(text_), text, std::forward<A>(args)...);
    if (text_.size() > kAtOnce) flush();
  }
  // An event begins with a comma unless it is the first.
  template <class... A>
  void event(fmt::format_string<A...> text, A&&... args) {
    text_ += std::exchange(any_, true) ? ",\n" : "\n";
    add(text, std::forward<A>(args)...);
  }
  void flush() {
    out_.write(text_.data(), text_.size());
    text_.clear();
  }
  void groups();
  void span(const TraceRecord& r);
  void way_back(const TraceRecord& from, const TraceRecord& to);
  void block(const TraceBlock& b, size_t id);
  size_t process_of(std::string_view group);
  std::string name_of_process(const std::string& group) const;
  std::string membership() const;
  double us(int64_t ns) const { return static_cast<double>(ns - p_.begin) / 1e3; }
  double us_long(const TraceRecord& r) const { return static_cast<double>(r.end - r.begin) / 1e3; }

  const Profile& p_;
  Sink& out_;
  std::string text_;
  bool any_ = false;
  std::vector<std::string> groups_{"host"};
};

std::string in_quotes(std::string_view text) { return quoted_json(as_utf8(text)); }

// Counted from 1.
size_t Writer::process_of(std::string_view group) {
  auto at = std::find(groups_.begin(), groups_.end(), group);
  if (at == groups_.end()) at = groups_.insert(groups_.end(), std::string(group));
  return static_cast<size_t>(at - groups_.begin()) + 1;
}

// The arguments of its name.
std::string Writer::name_of_process(const std::string& group) const {
  const TraceMember& m = p_.member;
  if (!m.size) return fmt::format(R"("name":{})", in_quotes(group));
  const std::string rank = fmt::format("rank {} of {}", m.rank, m.size);
  const std::string whole = group == groups_[0]
                                ? fmt::format("{} ({})", rank, ::program_invocation_short_name)
                                : fmt::format("{}, {}", rank, group);
  return fmt::format(R"("name":{},"process":{},"part":{})", in_quotes(whole), in_quotes(rank),
                     in_quotes(group));
}

std::string Writer::membership() const {
  const TraceMember& m = p_.member;
  if (!m.size) return "";
  char host[HOST_NAME_MAX + 1] = "";
  ::gethostname(host, sizeof host - 1);
  return fmt::format(R"("group":{{"kind":{},"rank":{},"size":{}}},"host":{},)", in_quotes(m.kind),
                     m.rank, m.size, in_quotes(host));
}

void Writer::groups() {
  for (const TraceLane& lane : p_.lanes) process_of(lane.group);
  for (const TraceCount& c : p_.counts) process_of(c.device);
  for (const TraceBlock& b : p_.blocks) process_of(b.device);
  for (size_t i = 0; i < groups_.size(); ++i) {
    event(R"({{"ph":"M","name":"process_name","pid":{},"tid":0,"args":{{{}}}}})", i + 1,
          name_of_process(groups_[i]));
    event(R"({{"ph":"M","name":"process_sort_index","pid":{},"tid":0,"args":{{"sort_index":{}}}}})",
          i + 1, i + 1);
  }
  std::vector<bool> has_exchanges(p_.lanes.size());
  for (const TraceRecord& r : p_.records)
    if (r.sort == TraceSort::kExchange) has_exchanges[r.lane] = true;
  for (size_t i = 0; i < p_.lanes.size(); ++i) {
    event(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})",
          process_of(p_.lanes[i].group), i + 1, in_quotes(p_.lanes[i].name));
    if (!has_exchanges[i]) continue;  // these come behind the threads
    event(R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})",
          process_of(p_.lanes[i].group), i + 1, i + 1);
  }
}

void Writer::span(const TraceRecord& r) {
  event(R"({{"ph":"X","cat":"{}","name":{},"pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f})",
        name_of(r.sort), in_quotes(r.name), process_of(p_.lanes[r.lane].group), r.lane + 1,
        us(r.begin), us_long(r));
  std::string says = r.says;
  const auto say = [&](std::string_view text) {
    if (!says.empty()) says += ',';
    says += text;
  };
  if (!r.within.empty()) say("\"for\":" + in_quotes(r.within));
  if (!r.path.empty()) say("\"path\":" + in_quotes(r.path));
  if (r.failed) say(R"("failed":true)");
  if (!says.empty()) add(R"(,"args":{{{}}})", says);
  add("}}");
}

// An arrow from the op to its gradient.
void Writer::way_back(const TraceRecord& from, const TraceRecord& to) {
  event(R"({{"ph":"s","cat":"backward","name":"backward","id":{},"pid":{},"tid":{},"ts":{:.3f}}})",
        to.id, process_of(p_.lanes[from.lane].group), from.lane + 1, us(from.begin));
  event(
      R"({{"ph":"f","bp":"e","cat":"backward","name":"backward","id":{},"pid":{},"tid":{},"ts":{:.3f}}})",
      to.id, process_of(p_.lanes[to.lane].group), to.lane + 1, us(to.begin));
}

// An object of the format's, from its creation to its end.
void Writer::block(const TraceBlock& b, size_t id) {
  const size_t process = process_of(b.device);
  event(
      R"({{"ph":"N","cat":"memory","name":"block","id":{},"pid":{},"tid":0,"ts":{:.3f},"args":{{"bytes":{},"op":{},"module":{}}}}})",
      id, process, us(b.begin), b.bytes, in_quotes(b.op), in_quotes(b.module));
  if (b.end)
    event(R"({{"ph":"D","cat":"memory","name":"block","id":{},"pid":{},"tid":0,"ts":{:.3f}}})", id,
          process, us(b.end));
}

void Writer::write() {
  add(R"({{"displayTimeUnit":"ns","otherData":{{"program":"backplane {}","pid":{},{}"began_ns":{},"length_us":{:.3f},"dropped":{},"dropped_blocks":{}}},)",
      BP_VERSION, ::getpid(), membership(), p_.since_1970, us(p_.end), p_.n_dropped,
      p_.n_dropped_blocks);
  add("\"traceEvents\":[");
  groups();
  std::unordered_map<uint64_t, const TraceRecord*> gone_back;
  for (const TraceRecord& r : p_.records)
    if (r.forward) gone_back[r.forward] = nullptr;
  for (const TraceRecord& r : p_.records) {
    span(r);
    if (const auto at = gone_back.find(r.id); r.id && at != gone_back.end()) at->second = &r;
  }
  for (const TraceRecord& r : p_.records)
    if (const TraceRecord* from = r.forward ? gone_back[r.forward] : nullptr) way_back(*from, r);
  for (const TraceCount& c : p_.counts)
    event(
        R"({{"ph":"C","name":"bytes in use","pid":{},"tid":0,"ts":{:.3f},"args":{{"bytes":{}}}}})",
        process_of(c.device), us(c.at), c.bytes);
  for (size_t i = 0; i < p_.blocks.size(); ++i) block(p_.blocks[i], i + 1);
  add("\n]}}\n");
  flush();
}

}  // namespace

void write_trace(const Profile& p, const std::string& path) {
  replace_file(path, [&](Sink& out) { Writer(p, out).write(); });
}

}  // namespace bp
