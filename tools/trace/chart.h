// SPDX-License-Identifier: Apache-2.0
// chart.h: a picture over time as SVG: a column of names, and right of it a scale in which things
// lie.
//
//   const Chart chart(trace.length, 1600);
//   std::string svg = chart.page(bottom, chart.axis(bottom) + body);
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace cli {

class Chart {
 public:
  static constexpr double kTop = 44, kRow = 17, kGap = 12;
  static constexpr double kCharacter = 6.6;  // the width of one

  // The scale ends at `length` microseconds; the picture is `width` pixels wide.
  Chart(double length, double width) : length_(length), width_(width) {}
  double x(double us) const {
    return kLeft + (length_ > 0 ? us / length_ : 0) * (width_ - kLeft - kRight);
  }
  std::string axis(double bottom) const;
  // A name at the left, and below it a remark.
  std::string title(double y, const std::string& name, const std::string& remark) const;
  // At the top, a name for each colour, as far as there is room.
  std::string legend(const std::vector<std::pair<std::string, std::string>>& colour_of) const;
  std::string page(double bottom, const std::string& body) const;

 private:
  static constexpr double kLeft = 170, kRight = 20;
  double length_, width_;
};

}  // namespace cli
