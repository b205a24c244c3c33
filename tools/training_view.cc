// SPDX-License-Identifier: Apache-2.0
#include "training_view.h"

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
      learned * static_cast<double>(epochs_) * static_cast<double>(images_) / passed;
  const std::string left = learned > 0 ? time_text(passed * (1 - done) / learned) + " left" : "";
  fmt::print("\repoch {:>2}/{} [{:<30}] {:>3.0f}%  {:>6.0f} images/s  {:<16}", f.epoch + 1, epochs_,
             std::string(static_cast<std::size_t>(kWidth * done), '#'), 100 * done, rate, left);
  std::fflush(stdout);
}

void TrainingView::clear() const {
  if (is_terminal(STDOUT_FILENO)) fmt::print("\r{:<90}\r", "");
}

void TrainingView::epoch(const backplane::TrainFigures& e) {
  done_.push_back(e);
  clear();
  fmt::print(
      "epoch {:>2}/{}   loss {:.4f}   right {:>6.2f} %   held out: loss {:.4f}   right {:>6.2f} %\n",
      e.epoch + 1, epochs_, e.train_loss, 100 * e.train_accuracy, e.val_loss, 100 * e.val_accuracy);
  std::fflush(stdout);
}

std::string TrainingView::curve() const {
  constexpr std::size_t kHeight = 8, kWidest = 60;
  if (done_.size() < 2) return "";
  double top = 0;
  for (const auto& e : done_) top = std::max({top, e.train_loss, e.val_loss});
  if (!std::isfinite(top) || top <= 0) return "";
  const std::size_t width = std::min(done_.size(), kWidest);
  std::vector<std::string> lines(kHeight, std::string(2 * width, ' '));
  const auto put = [&](std::size_t column, double value, char mark) {
    const auto height = std::min(static_cast<std::size_t>(value / top * kHeight), kHeight - 1);
    lines[kHeight - 1 - height][2 * column] = mark;
  };
  for (std::size_t c = 0; c < width; ++c) {
    const auto& e = done_[c * (done_.size() - 1) / (width - 1)];
    put(c, e.train_loss, 'o');
    put(c, e.val_loss, '*');
  }
  std::string out = "\n  loss by epoch: o learned, * held out\n";
  for (std::size_t i = 0; i < kHeight; ++i)
    out += fmt::format("{:>7} |{}\n",
                       i == 0             ? fmt::format("{:.3f}", top)
                       : i + 1 == kHeight ? "0"
                                          : "",
                       lines[i]);
  return out + fmt::format("{:>7} +{}\n", "", std::string(2 * width, '-'));
}

}  // namespace cli
