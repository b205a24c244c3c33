// SPDX-License-Identifier: Apache-2.0
// verdict.h: whether a result is right, and what is wrong with it.
//
//   Verdict v = judge(op, spec, session, call);
//   if (!v) complain(v.text);
#pragma once
#include <string>
#include <type_traits>
#include <utility>

namespace conformance {

struct [[nodiscard]] Verdict {
  bool good = true;
  std::string text{};     // "" when good
  bool unserved = false;  // wrong because the call is BP_UNSUPPORTED

  explicit operator bool() const { return good; }
  // What a test framework shows, made of a bool and followed by a text: EXPECT_TRUE(verdict) then
  // says the text, and this kit needs no framework.
  template <class Shown>
  requires requires(Shown shown, const std::string& s) {
    shown << s;
  } &&(!std::is_same_v<Shown, bool>)operator Shown() const {
    return Shown(good) << text;
  }
};
inline Verdict accepted() { return {}; }
inline Verdict rejected(std::string text, bool unserved = false) {
  return {false, std::move(text), unserved};
}

}  // namespace conformance
