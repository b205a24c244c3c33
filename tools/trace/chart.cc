// SPDX-License-Identifier: Apache-2.0
#include "trace/chart.h"

#include <fmt/format.h>

#include <cmath>

#include "cli.h"

namespace cli {
namespace {

// 1, 2 or 5 times a power of ten, about so many microseconds.
double round_step(double us) {
  const double power = std::pow(10, std::floor(std::log10(us)));
  for (double m : {1.0, 2.0, 5.0})
    if (us <= m * power) return m * power;
  return 10 * power;
}

}  // namespace

std::string Chart::axis(double bottom) const {
  if (length_ <= 0) return "";
  std::string out = "<g stroke=\"#e6e6e6\" fill=\"#666666\">\n";
  const double step = round_step(length_ / 10);
  for (int i = 0; i <= 10 && step * i <= length_; ++i)
    out += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.0f}\" y2=\"{2:.0f}\"/><text stroke=\"none\" x=\"{0:.1f}\" y=\"{3:.0f}\" "
        "text-anchor=\"middle\">{4}</text>\n",
        x(step * i), kTop - 6, bottom, kTop - 10, i ? duration_text(step * i / 1e6) : "0");
  return out + "</g>\n";
}

std::string Chart::title(double y, const std::string& name, const std::string& remark) const {
  return fmt::format(
      "<text x=\"6\" y=\"{:.0f}\" font-weight=\"bold\">{}</text><text x=\"6\" y=\"{:.0f}\" fill=\"#666666\">{}</text>\n",
      y + kRow - 5, svg_text(name), y + 2 * kRow - 5, svg_text(remark));
}

std::string Chart::legend(const std::vector<std::pair<std::string, std::string>>& colour_of) const {
  std::string out;
  double at = kLeft;
  for (const auto& [name, colour] : colour_of) {
    const double wide = 30 + kCharacter * static_cast<double>(name.size());
    if (at + wide > width_) break;
    out += fmt::format(
        "<rect x=\"{:.0f}\" y=\"8\" width=\"10\" height=\"10\" fill=\"{}\"/><text x=\"{:.0f}\" y=\"17\">{}</text>\n",
        at, colour, at + 14, svg_text(name));
    at += wide;
  }
  return out;
}

std::string Chart::page(double bottom, const std::string& body) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"monospace\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{2}</svg>\n",
      width_, bottom + kGap, body);
}

}  // namespace cli
