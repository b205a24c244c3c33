// SPDX-License-Identifier: Apache-2.0
// picture.cc: a profile as a picture, for people without a viewer; declared in trace.h.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "cli.h"
#include "trace/chart.h"
#include "trace/trace.h"

namespace cli {
namespace {

constexpr double kRow = Chart::kRow, kMemory = 60;
constexpr double kLeast = 0.25;  // pixels that a span must have to be drawn

const std::vector<std::pair<std::string, std::string>> kColours = {
    {"op", "#8fb8de"},   {"kernel", "#5a8fc7"},   {"copy", "#e8b04b"},
    {"wait", "#d9d9d9"}, {"backward", "#c79bd2"}, {"module", "#b9ddb0"},
    {"step", "#e59a8c"}, {"range", "#f0e3a0"},    {"exchange", "#7fb5a8"}};

const char* colour_of(std::string_view category) {
  for (const auto& [name, colour] : kColours)
    if (category == name) return colour.c_str();
  return "#bbbbbb";
}

// At most so many bytes, and no part of a character.
std::string beginning(const std::string& text, std::size_t most) {
  std::size_t n = std::min(most, text.size());
  while (n > 0 && n < text.size() && (static_cast<unsigned char>(text[n]) & 0xC0) == 0x80) --n;
  return text.substr(0, n);
}

class Timeline {
 public:
  Timeline(const Trace& t, double width) : t_(t), chart_(t.length, width) {}
  std::string text() {
    double y = Chart::kTop;
    for (std::size_t i = 0; i < t_.lanes.size(); ++i) y = lane(i, y);
    y = memory(y);
    return chart_.page(y, chart_.legend(kColours) + chart_.axis(y) + body_);
  }

 private:
  // Draws a lane at y and returns where the next one begins.
  double lane(std::size_t i, double y) {
    std::size_t deepest = 0;
    std::map<std::size_t, double> drawn;  // up to where, in pixels, by depth
    std::string spans;
    for (const Trace::Span& s : t_.spans) {
      if (s.lane != i) continue;
      deepest = std::max(deepest, s.depth);
      const double from = chart_.x(s.begin), to = chart_.x(s.end());
      double& until = drawn.emplace(s.depth, -1).first->second;
      if (to - from < kLeast && to - until < kLeast) continue;  // it would not be seen
      until = to;
      const double w = std::max(kLeast, to - from), top = y + static_cast<double>(s.depth) * kRow;
      spans += fmt::format(
          "<g><title>{}</title><rect x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\" fill=\"{}\"/>",
          svg_text(fmt::format("{} {}, {} at {}{}", s.category, s.name,
                               duration_text(s.length / 1e6), duration_text(s.begin / 1e6),
                               s.says.is_object() ? " " + s.says.dump() : "")),
          from, top, w, kRow - 2, colour_of(s.category));
      if (const auto fits = static_cast<std::size_t>(std::max(0.0, w - 4) / Chart::kCharacter);
          fits >= 3)
        spans += fmt::format("<text x=\"{:.2f}\" y=\"{:.0f}\">{}</text>", from + 2, top + kRow - 5,
                             svg_text(beginning(s.name, fits)));
      spans += "</g>\n";
    }
    body_ += chart_.title(y, t_.lanes[i].group, t_.lanes[i].name) + spans;
    return y + std::max(2.0, static_cast<double>(deepest + 1)) * kRow + Chart::kGap;
  }
  // A line for each device over time.
  double memory(double y) {
    std::map<std::string, std::vector<const Trace::Use*>> by_device;
    for (const Trace::Use& u : t_.uses) by_device[u.device].push_back(&u);
    for (auto& [device, uses] : by_device) {
      std::stable_sort(uses.begin(), uses.end(),
                       [](const auto* a, const auto* b) { return a->at < b->at; });
      std::uint64_t most = 1;
      for (const Trace::Use* u : uses) most = std::max(most, u->bytes);
      std::string points;
      double last = kMemory;
      for (const Trace::Use* u : uses) {
        const double height =
            kMemory * (1 - static_cast<double>(u->bytes) / static_cast<double>(most));
        points += fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", chart_.x(u->at), y + last,
                              chart_.x(u->at), y + height);
        last = height;
      }
      body_ += chart_.title(y, device, byte_text(most) + " in use") +
               fmt::format("<polyline fill=\"none\" stroke=\"#4a7a4a\" points=\"{}\"/>\n", points);
      y += kMemory + Chart::kGap;
    }
    return y;
  }

  const Trace& t_;
  Chart chart_;
  std::string body_;
};

}  // namespace

std::string picture_of(const Trace& trace, double width) { return Timeline(trace, width).text(); }

}  // namespace cli
