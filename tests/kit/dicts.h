// SPDX-License-Identifier: Apache-2.0
// dicts.h: dicts of given tensors, and the names in a dict.
//
//   D d = dict({{"weight", w.get()}});
//   EXPECT_EQ(names(d), (std::vector<std::string>{"weight"}));
#pragma once
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "kit/handles.h"

namespace bp_test {

inline D dict(std::initializer_list<std::pair<const char*, bp_tensor*>> tensors = {}) {
  D d = made<D>(bp_dict_create);
  for (const auto& [name, t] : tensors) EXPECT_EQ(bp_dict_set(d.get(), name, t, nullptr), BP_OK);
  return d;
}
inline T get(const D& d, const char* name) { return made(bp_dict_get, d.get(), name); }
inline std::vector<std::string> names(const D& d) {
  std::vector<std::string> all;
  for (uint64_t i = 0; i < bp_dict_size(d.get()); ++i) {
    const char* name = "";
    const T t = made(bp_dict_at, d.get(), i, &name);
    all.push_back(name);
  }
  return all;
}

}  // namespace bp_test
