// SPDX-License-Identifier: Apache-2.0
// modules.h: modules, run and listed.
//
//   M net = sequential(linear(3, 4), module("relu"), module("dropout", {attr("p", 0.5)}));
//   T y = run(net, x);
#pragma once
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "kit/invoke.h"
#include "kit/tensors.h"

namespace bp_test {

inline M module(const char* kind, std::initializer_list<bp_attr> attrs = {},
                bp_device device = kCpu, bp_dtype dtype = BP_DTYPE_NONE) {
  return made<M>(bp_module_create, kind, attrs.begin(), static_cast<uint32_t>(attrs.size()), device,
                 dtype);
}
inline M linear(int64_t in, int64_t out, bp_device device = kCpu) {
  return module("linear", {attr("in_features", in), attr("out_features", out)}, device);
}
inline void append(const M& m, const M& child) {
  EXPECT_EQ(bp_module_append(m.get(), child.get(), nullptr), BP_OK);
}
template <class... Children>
M sequential(const Children&... children) {
  M m = module("sequential");
  (append(m, children), ...);
  return m;
}

inline Answer fails(const M& m, const T& x) {
  bp_tensor *in[] = {x.get()}, *out = nullptr;
  return attempt(bp_module_forward, m.get(), static_cast<bp_tensor* const*>(in), 1u, &out, 1u);
}
inline T run(const M& m, const T& x) {
  bp_tensor *in[] = {x.get()}, *out = nullptr;
  const Answer a =
      attempt(bp_module_forward, m.get(), static_cast<bp_tensor* const*>(in), 1u, &out, 1u);
  EXPECT_EQ(a.status, BP_OK) << a.message;
  return T(out);
}
inline T named(const M& m, const char* path) { return made(bp_module_get, m.get(), path); }

using List = bp_status (*)(bp_module*, uint32_t, uint32_t, char*, uint64_t, uint64_t*, bp_tensor**,
                           bp_error**);
inline std::vector<std::pair<std::string, T>> listed(bp_module* m, List at,
                                                     uint32_t flags = BP_MODULE_RECURSE) {
  std::vector<std::pair<std::string, T>> all;
  char name[256];
  bp_tensor* t = nullptr;
  for (uint32_t i = 0; at(m, flags, i, name, sizeof name, nullptr, &t, nullptr) == BP_OK; ++i)
    all.emplace_back(name, T(t));
  return all;
}
inline std::string names(const M& m, List at, uint32_t flags = BP_MODULE_RECURSE) {
  std::string all;
  for (const auto& [name, t] : listed(m.get(), at, flags)) all += (all.empty() ? "" : " ") + name;
  return all;
}
template <class F>
std::string text_of(F&& f) {
  std::vector<char> buf(1 << 16);
  EXPECT_EQ(f(buf.data(), static_cast<uint64_t>(buf.size())), BP_OK);
  return buf.data();
}
inline std::string text(const M& m) {
  return text_of(
      [&](char* b, uint64_t n) { return bp_module_format(m.get(), b, n, nullptr, nullptr); });
}

}  // namespace bp_test
