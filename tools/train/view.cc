// SPDX-License-Identifier: Apache-2.0
#include "train/view.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "cli.h"

namespace cli {

std::string time_text(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{} min {} s", whole / 60, whole % 60);
}

double TrainingView::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void TrainingView::batch(const backplane::TrainFigures& f) {
  if (!is_terminal(STDOUT_FILENO)) return;
  const double done = (static_cast<double>(f.epoch) +
                       static_cast<double>(f.batch) / static_cast<double>(f.n_batches)) /
                      static_cast<double>(epochs_);
  if (first_ < 0) first_ = done;
  constexpr auto kBetween = std::chrono::milliseconds(100);
  if (Clock::now() - shown_ < kBetween && f.batch < f.n_batches) return;
  shown_ = Clock::now();
  constexpr double kWidth = 30;
  const double learned = done - first_, passed = seconds();
  const double rate =
      learned * static_cast<double>(epochs_) * static_cast<double>(examples_) / passed;
  const std::string left = learned > 0 ? time_text(passed * (1 - done) / learned) + " left" : "";
  fmt::print("\repoch {:>2}/{} [{:<30}] {:>3.0f}%  {:>6.0f} {}/s  {:<16}", f.epoch + 1, epochs_,
             std::string(static_cast<std::size_t>(kWidth * done), '#'), 100 * done, rate, what_,
             left);
  std::fflush(stdout);
}

void TrainingView::clear() const {
  if (is_terminal(STDOUT_FILENO)) fmt::print("\r{:<90}\r", "");
}

void TrainingView::epoch(const backplane::TrainFigures& e) {
  done_.push_back(e);
  clear();
  const auto share = [](double right) {
    return std::isnan(right) ? "" : fmt::format("   right {:>6.2f} %", 100 * right);
  };
  fmt::print("epoch {:>2}/{}   loss {:.4f}{}", e.epoch + 1, epochs_, e.train_loss,
             share(e.train_accuracy));
  if (!std::isnan(e.val_loss))
    fmt::print("   held out: loss {:.4f}{}", e.val_loss, share(e.val_accuracy));
  fmt::print("\n");
  std::fflush(stdout);
}

std::string TrainingView::curve() const {
  constexpr std::size_t kHeight = 8, kWidest = 34;  // two columns each, in a terminal of 80
  if (done_.size() < 2) return "";
  double low = INFINITY, top = -INFINITY;
  for (const auto& e : done_)
    for (const double value : {e.train_loss, e.val_loss})
      if (std::isfinite(value)) low = std::min(low, value), top = std::max(top, value);
  if (!(low < top)) return "";
  // Most of a loss falls in its first epochs, so that equal steps would show nothing of the others.
  const bool logarithmic = low > 0;
  const auto place = [&](double value) {
    return logarithmic ? std::log(value / low) / std::log(top / low) : (value - low) / (top - low);
  };
  const std::size_t width = std::min(done_.size(), kWidest);
  std::vector<std::vector<std::string>> lines(kHeight, std::vector<std::string>(2 * width, " "));
  const auto put = [&](std::size_t column, double value, const std::string& mark) {
    if (!std::isfinite(value)) return;
    const auto height = static_cast<std::size_t>(std::lround(place(value) * (kHeight - 1)));
    lines[kHeight - 1 - height][2 * column] = mark;
  };
  const std::string learned = painted(Paint::kFirst, "o"), held_out = painted(Paint::kSecond, "*");
  for (std::size_t c = 0; c < width; ++c) {
    const auto& e = done_[c * (done_.size() - 1) / (width - 1)];
    put(c, e.train_loss, learned);
    put(c, e.val_loss, held_out);
  }
  std::string out = fmt::format("\n  loss by epoch{}: {} learned, {} held out\n",
                                logarithmic ? ", on a logarithmic axis" : "", learned, held_out);
  for (std::size_t i = 0; i < kHeight; ++i) {
    const double share = 1 - static_cast<double>(i) / (kHeight - 1);
    const double value = logarithmic ? low * std::pow(top / low, share) : low + (top - low) * share;
    out += fmt::format("{:>9} |", fmt::format("{:.3g}", value));
    for (const std::string& mark : lines[i]) out += mark;
    out += "\n";
  }
  return out + fmt::format("{:>9} +{}\n", "", std::string(2 * width, '-'));
}

}  // namespace cli
