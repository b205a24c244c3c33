// SPDX-License-Identifier: Apache-2.0
// error.h: the one exception of the core. Rules throw it, and each extern "C" function turns it
// into a status (guard.h). A message is one line and holds the values.
//
//   fail(BP_INVALID_ARGUMENT, "shape[{}] = {} is negative", 0, -3);
#pragma once
#include <fmt/core.h>

#include <exception>
#include <string>
#include <utility>

#include "c_types.h"

namespace bp {

class Error : public std::exception {
 public:
  Error(bp_status status, std::string message, uint32_t flags = 0)
      : status_(status), flags_(flags), message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }
  bp_status status() const { return status_; }
  uint32_t flags() const { return flags_; }
  const std::string& message() const { return message_; }

 private:
  bp_status status_;
  uint32_t flags_;
  std::string message_;
};

[[noreturn, gnu::cold]] void fail_text(bp_status status, std::string message);

template <class... Args>
[[noreturn, gnu::cold]] void fail(bp_status status, fmt::format_string<Args...> text,
                                  Args&&... args) {
  fail_text(status, fmt::format(text, std::forward<Args>(args)...));
}

// The C error object, which belongs to the caller. Control characters become spaces.
// make_error returns out_of_memory_error() when host memory is exhausted.
[[gnu::cold]] bp_error* make_error(bp_status status, const char* text, size_t length,
                                   uint32_t flags) noexcept;
[[gnu::cold]] bp_error* make_error(const Error& e) noexcept;
bp_error* out_of_memory_error() noexcept;  // never freed
// Throws what a plugin or a callback reported: `status`, or BP_INTERNAL where it is no failure,
// with the text and the flags of `err`, which is released, or with `fallback` when `err` is NULL.
[[noreturn, gnu::cold]] void throw_taken(bp_status status, bp_error* err, uint32_t flags,
                                         const char* fallback);

}  // namespace bp
