// SPDX-License-Identifier: Apache-2.0
// view.h: a run as a person sees it: on a terminal one line that is redrawn with a bar, a
// rate and the time left; a line for each epoch; at the end the curve of the losses.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "backplane.hpp"

namespace cli {

class TrainingView {
 public:
  // `examples` counts those of an epoch, which are called `what`; `epochs` the whole run.
  TrainingView(std::int64_t examples, std::uint64_t epochs, const char* what)
      : examples_(examples), epochs_(epochs), what_(what) {}
  void batch(const backplane::TrainFigures& f);
  void epoch(const backplane::TrainFigures& e);
  void clear() const;
  // Draws the losses over the epochs, eight lines high, on a logarithmic axis unless one is not
  // above zero; "" for less than two epochs and for losses that are all alike.
  std::string curve() const;
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  const std::int64_t examples_;
  const std::uint64_t epochs_;
  const char* const what_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_{};
  double first_ = -1;  // the share of the run that an earlier process did
  std::vector<backplane::TrainFigures> done_;
};

// Returns "5 s" or "2 min 10 s".
std::string time_text(double seconds);

}  // namespace cli
