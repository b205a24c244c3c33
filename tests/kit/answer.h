// SPDX-License-Identifier: Apache-2.0
// answer.h: what a call of the C API said: its status, and the sentence of its error.
//
//   Answer a = attempt(bp_add_into, x.get(), y.get(), out.get());
//   EXPECT_EQ(a.status, BP_OK) << a.message;
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "c_api.h"

namespace bp_test {

struct Answer {
  bp_status status = BP_OK;
  std::string message{};
};

// Takes over `err`, which belongs to `status`.
inline Answer taken(bp_status status, bp_error* err) {
  Answer a{status, bp_error_message(err, nullptr)};
  EXPECT_EQ(err ? bp_error_code(err) : status, status);
  EXPECT_EQ(a.message.find('\n'), std::string::npos) << a.message;
  bp_error_release(err);
  return a;
}

// f(args..., &err).
template <class F, class... A>
Answer attempt(F&& f, A... args) {
  bp_error* err = nullptr;
  const bp_status status = f(args..., &err);
  return taken(status, err);
}

}  // namespace bp_test
