// SPDX-License-Identifier: Apache-2.0
#include "plugin_calls/each_plugin_call.h"

#include <algorithm>
#include <string_view>

#include "memory/exhausted.h"
#include "plugin_calls/border.h"

namespace bp_test {
namespace {

enum class When { kAlways, kAfterAWait, kInAProfile };
struct Spared {
  std::string_view slot;
  When when = When::kAlways;
};
// The calls without which the library can do what it was asked to, each with what it does instead.
// Every other call that is refused must be reported: what a kernel or a copy did not do is missing
// from somebody's data.
constexpr Spared kSpared[] = {
    {"mem_alloc"},     // what streams keep goes back, and it asks again
    {"alloc"},         // of pinned memory: bytes go through ordinary memory
    {"memory_info"},   // a message says that the figure is not known
    {"stream_query"},  // after an exchange that failed: which device is to blame
    {"open"},          // of communicators: sums go around a ring
    {"wide_check"},    // a thread's look at exchanges: the group's next call, if any, is told
    {"event_query"},   // asks whether a block is free again
    {"stream_sync"},   // before a block goes back: whoever waits next is told
    {"event_sync"},
    {"sync"},
    // The order between a stream and those that used its block, before that goes back.
    {"event_open", When::kAfterAWait},
    {"event_record", When::kAfterAWait},
    {"stream_wait", When::kAfterAWait},
    // What a queue did is not seen then.
    {"event_open", When::kInAProfile},
    {"event_record", When::kInAProfile},
    {"event_elapsed", When::kInAProfile},
};

class Refusal final : public Failure {
 public:
  explicit Refusal(bp_status status, bool profiled = false)
      : Failure("BP_PLUGIN_CALLS_EVERY"), status_(status), profiled_(profiled) {}
  void start(long granted, size_t manner, Threads threads) override {
    works_ahead_ = threads == Threads::kAll;
    border().start(granted, refused(manner), status_);
  }
  std::string stop() override {
    met_ = border().stop();
    return met_.slots.empty() ? "" : met_.slots.front() + " with " + bp_status_name(status_);
  }
  std::string fault_in(bp_status status, const bp_error* err) override {
    if (std::string misuse = border().misuse(); !misuse.empty()) return misuse;
    if (status >= 0) return unreported();
    const std::string text = bp_error_message(err, nullptr);
    const std::string first = met_.slots.size() == 1 ? met_.slots[0] : "";
    if (text.find("the wrapping plugin refused '" + first) == std::string::npos)
      return "its text lacks the plugin's, which refused '" + met_.slots.front() + "'";
    if (is_translation(status)) return "";
    if (status != status_) return "it has another status";
    return bp_error_flags(err) & BP_ERROR_FROM_PLUGIN ? "" : "it does not say that a plugin failed";
  }
  Held held() override {
    Held all{};
    const auto open = border().open();
    std::copy(open.begin(), open.end(), all.begin());
    static_assert(Border::kKinds < std::tuple_size_v<Held>);
    all.back() = blocks_held();
    return all;
  }
  // A kind that cannot be loaded stays so until the next generation, with the same words, unless
  // its memory was exhausted; only a call that now goes another way succeeds.
  std::string recovered(bp_status status, const Run& again) override {
    if (status != BP_UNAVAILABLE) return "";
    bp_error* err = nullptr;
    const bp_status told = again(&err);
    std::string fault = told == BP_OK ? "" : fault_in(told, err);
    if (told != BP_OK && status_ == BP_OUT_OF_DEVICE_MEMORY) fault = "it is not tried again";
    bp_error_release(err);
    if (!fault.empty()) return fault;
    return bp_shutdown(-1, nullptr) == BP_OK ? "" : "bp_shutdown failed";
  }
  std::string left_behind() override { return left_at_the_border(); }

 private:
  // Memory that is exhausted has a sentence of the pool's, and the status of its device, whatever
  // the plugin calls it. Whatever it met, a kind is not available, and a group uses no device.
  bool is_translation(bp_status status) const {
    const auto is_exhaustion = [](bp_status s) {
      return s == BP_OUT_OF_HOST_MEMORY || s == BP_OUT_OF_DEVICE_MEMORY;
    };
    return (is_exhaustion(status) && is_exhaustion(status_)) || status == BP_UNAVAILABLE ||
           status == BP_UNSUPPORTED;
  }
  std::string unreported() const {
    if (works_ahead_) return "";  // what a thread met ahead of its reader may concern nobody
    for (const std::string& slot : met_.slots)
      if (std::none_of(std::begin(kSpared), std::end(kSpared), [&](const Spared& s) {
            return s.slot == slot && (s.when == When::kAlways ||
                                      (s.when == When::kAfterAWait ? met_.waited : profiled_));
          }))
        return "it succeeded although '" + slot + "' was refused";
    return "";
  }
  bp_status status_;
  bool profiled_;
  bool works_ahead_ = false;
  Border::Refused met_;
};

}  // namespace

std::string left_at_the_border() {
  if (std::string misuse = border().misuse(); !misuse.empty()) return misuse;
  const auto open = border().open();
  for (size_t kind = 0; kind < open.size(); ++kind)
    if (open[kind]) return Border::name_of(kind) + " is still open after a shutdown";
  return "";
}

void fail_each_plugin_call(const Call& call, bp_status status) {
  Refusal refusal(status, call.family == "profile");
  fail_each_point(call, refusal);
}
void fail_each_plugin_call_of_first(const Run& call, bp_status status) {
  Refusal refusal(status);
  fail_each_point_of_first(call, refusal);
}

}  // namespace bp_test
