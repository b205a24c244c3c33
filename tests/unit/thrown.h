// SPDX-License-Identifier: Apache-2.0
// thrown.h: what a function of the core throws.
//
//   EXPECT_EQ(thrown([] { promote(BP_U64, BP_I8); }, BP_DTYPE_MISMATCH), "Promotion for ...");
#pragma once
#include "core/base/error.h"
#include "kit/answer.h"

namespace bp_test {

// {BP_OK, "no error"} if nothing was thrown.
template <class F>
Answer caught(F&& call) {
  try {
    call();
  } catch (const bp::Error& e) {
    return {e.status(), e.message()};
  }
  return {BP_OK, "no error"};
}

// The sentence of an error that must have this status; "no error" if nothing was thrown.
template <class F>
std::string thrown(F&& call, bp_status status = BP_INVALID_ARGUMENT) {
  const Answer a = caught(call);
  EXPECT_TRUE(a.status == status || a.status == BP_OK) << a.status << ": " << a.message;
  return a.message;
}

}  // namespace bp_test
