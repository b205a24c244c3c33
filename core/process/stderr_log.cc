// SPDX-License-Identifier: Apache-2.0
#include "core/process/stderr_log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>

#include "core/base/shown.h"

namespace bp {
namespace {

constexpr std::string_view kLevels[] = {"debug", "info", "warning", "error"};
constexpr int32_t kSilent = static_cast<int32_t>(std::size(kLevels));
constexpr size_t kMostTopic = 32;

std::atomic<int32_t> least{kSilent};
char topic[kMostTopic];  // written while a generation starts, before it logs
std::atomic<int64_t> second{0};
std::atomic<uint64_t> printed{0};  // in that second, with those that were left out

// One call, so that lines of threads stay whole.
void print(std::string_view level, std::string_view text) noexcept {
  char line[1024];
  const auto end = fmt::format_to_n(line, sizeof line - 1, "backplane: {}: {}", level, text);
  char* last = line + std::min(end.size, sizeof line - 1);
  for (char* c = line; c < last; ++c)
    if (is_control(*c)) *c = ' ';
  *last++ = '\n';
  static_cast<void>(!::write(STDERR_FILENO, line, static_cast<size_t>(last - line)));
}

// Whether this second has room for one more line; says what the last one left out.
bool may_print() noexcept {
  const int64_t now = std::chrono::duration_cast<std::chrono::seconds>(
                          std::chrono::steady_clock::now().time_since_epoch())
                          .count();
  if (second.exchange(now) != now) {
    const uint64_t before = printed.exchange(0);
    if (before > kMostLinesInASecond) {
      char text[64];
      const auto end = fmt::format_to_n(text, sizeof text, "{} lines were left out",
                                        before - kMostLinesInASecond);
      print("warning", {text, std::min(end.size, sizeof text)});
    }
  }
  return printed.fetch_add(1) < kMostLinesInASecond;
}

}  // namespace

void choose_stderr_log(const std::optional<std::string>& wanted) noexcept {
  least.store(kSilent);
  if (!wanted || wanted->empty()) return;
  const std::string_view text = *wanted;
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string_view level = text.substr(0, colon),
                         about = colon < text.size() ? text.substr(colon + 1) : "";
  const auto* const at = std::find(std::begin(kLevels), std::end(kLevels), level);
  if (at == std::end(kLevels) || about.size() >= kMostTopic) {
    print(
        "error",
        "BACKPLANE_LOG is none of debug, info, warning, error, alone or with a topic: debug:cuda");
    return;
  }
  topic[about.copy(topic, kMostTopic - 1)] = '\0';
  least.store(static_cast<int32_t>(at - std::begin(kLevels)), std::memory_order_release);
}

void print_log(int32_t level, std::string_view text) noexcept {
  if (level < least.load(std::memory_order_acquire) || level >= kSilent || !text.starts_with(topic))
    return;
  if (may_print()) print(kLevels[static_cast<size_t>(level)], text);
}

}  // namespace bp
