// SPDX-License-Identifier: Apache-2.0
// memory.cc: who holds memory in a profile: a table of the worst moment, and a picture; declared in
// trace.h.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "cli.h"
#include "trace/chart.h"
#include "trace/trace.h"

namespace cli {
namespace {

// A block begins or ends.
struct Change {
  double at;
  bool begins;
  const Trace::Block* block;
};

// By time; what ends comes before what begins then.
std::map<std::string, std::vector<Change>> changes_by_device(const Trace& t) {
  std::map<std::string, std::vector<Change>> out;
  for (const Trace::Block& b : t.blocks) {
    out[b.device].push_back({b.begin, true, &b});
    if (!b.lives) out[b.device].push_back({b.end, false, &b});
  }
  for (auto& [device, changes] : out)
    std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
      return a.at != b.at ? a.at < b.at : !a.begins && b.begins;
    });
  return out;
}

double worst_moment(const std::vector<Change>& changes) {
  double at = 0;
  std::uint64_t now = 0, most = 0;
  for (const Change& c : changes) {
    c.begins ? now += c.block->bytes : now -= c.block->bytes;
    if (now > most) most = now, at = c.at;
  }
  return at;
}

std::string name_of(const std::string& op, const std::string& module) {
  if (op.empty()) return module.empty() ? "the program's own calls" : module;
  return module.empty() ? op : op + " in " + module;
}

constexpr double kHeight = 220;
constexpr const char* kShades[] = {"#5a8fc7", "#e8b04b", "#b9ddb0", "#c79bd2",
                                   "#e59a8c", "#8fb8de", "#f0e3a0", "#7fb5a8"};
constexpr std::size_t kMostShades = std::size(kShades);
constexpr const char* kRest = "#cccccc";

// What the largest holders, and the rest together, have after each change: a band each.
class Bands {
 public:
  Bands(const Holders& h, const std::vector<Change>& changes) : changes_(changes) {
    for (std::size_t i = 0; i < std::min(kMostShades, h.rows.size()); ++i)
      band_of_[name_of(h.rows[i].op, h.rows[i].module)] = i;
    most_ = std::max<std::uint64_t>(1, h.bytes);
  }
  // From the lowest to the highest, each with its upper edge.
  std::string text(const Chart& chart, double bottom, double end) const {
    std::string out;
    for (std::size_t band = kMostShades + 1; band-- > 0;) {  // the higher ones lie behind
      std::string points = fmt::format("{:.1f},{:.1f} ", chart.x(0), bottom);
      std::uint64_t below = 0;
      double last = bottom;
      for (const Change& c : changes_) {
        if (band_of(*c.block) > band) continue;
        c.begins ? below += c.block->bytes : below -= c.block->bytes;
        const double y = bottom - kHeight * static_cast<double>(below) / static_cast<double>(most_);
        points +=
            fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", chart.x(c.at), last, chart.x(c.at), y);
        last = y;
      }
      points += fmt::format("{0:.1f},{1:.1f} {0:.1f},{2:.1f}", chart.x(end), last, bottom);
      out += fmt::format("<polygon fill=\"{}\" points=\"{}\"/>\n",
                         band < kMostShades ? kShades[band] : kRest, points);
    }
    return out;
  }
  std::vector<std::pair<std::string, std::string>> legend() const {
    std::vector<std::pair<std::string, std::string>> out(band_of_.size());
    for (const auto& [name, i] : band_of_) out[i] = {name, kShades[i]};
    out.emplace_back("the rest", kRest);
    return out;
  }

 private:
  std::size_t band_of(const Trace::Block& b) const {
    const auto at = band_of_.find(name_of(b.op, b.module));
    return at == band_of_.end() ? kMostShades : at->second;
  }
  const std::vector<Change>& changes_;
  std::map<std::string, std::size_t> band_of_;
  std::uint64_t most_;
};

}  // namespace

std::vector<Holders> holders_of(const Trace& t) {
  std::vector<Holders> out;
  for (const auto& [device, changes] : changes_by_device(t)) {
    Holders h;
    h.device = device;
    h.at = worst_moment(changes);
    std::map<std::pair<std::string, std::string>, Holders::Row> rows;
    for (const Change& c : changes) {
      if (!c.begins || c.at > h.at || (!c.block->lives && c.block->end <= h.at)) continue;
      Holders::Row& row = rows[{c.block->op, c.block->module}];
      row.op = c.block->op;
      row.module = c.block->module;
      ++row.blocks;
      row.bytes += c.block->bytes;
      h.bytes += c.block->bytes;
    }
    for (auto& [names, row] : rows) h.rows.push_back(std::move(row));
    std::stable_sort(h.rows.begin(), h.rows.end(),
                     [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    for (const Trace::Use& u : t.uses)
      if (u.device == device) h.in_use = std::max(h.in_use, u.bytes);
    out.push_back(std::move(h));
  }
  return out;
}

std::string memory_picture_of(const Trace& t, double width) {
  const Chart chart(t.length, width);
  const auto changes = changes_by_device(t);
  double y = Chart::kTop;
  std::string body;
  for (const Holders& h : holders_of(t)) {
    const Bands bands(h, changes.at(h.device));
    body += fmt::format("<g transform=\"translate(0,{:.0f})\">\n{}</g>\n", y - Chart::kTop,
                        chart.legend(bands.legend()));
    y += y > Chart::kTop ? Chart::kRow : 0;  // below the first legend is the scale
    body += chart.title(y, h.device, byte_text(h.bytes) + " held") +
            bands.text(chart, y + kHeight, t.length);
    y += kHeight + 3 * Chart::kGap;
  }
  return chart.page(y, chart.axis(y) + body);
}

}  // namespace cli
