// SPDX-License-Identifier: Apache-2.0
// json_attrs.h: attributes as a JSON object has them, alive as long as this.
//
//   const JsonAttrs attrs(record["options"]);
//   M m = made<M>(bp_module_create, "linear", attrs.data(), attrs.size(), kCpu, BP_F64);
#pragma once
#include <deque>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kit/invoke.h"

namespace bp_test {

class JsonAttrs {
 public:
  explicit JsonAttrs(const nlohmann::json& object) {
    for (const auto& [name, v] : object.items()) all_.push_back(made_of(name, v));
  }
  const std::vector<bp_attr>& list() const { return all_; }
  const bp_attr* data() const { return all_.data(); }
  uint32_t size() const { return static_cast<uint32_t>(all_.size()); }

 private:
  bp_attr made_of(const std::string& key, const nlohmann::json& v) {
    const char* name = texts_.emplace_back(key).c_str();
    if (v.is_boolean()) return flag(name, v);
    if (v.is_number_integer()) return attr(name, v.get<int64_t>());
    if (v.is_number()) return attr(name, v.get<double>());
    if (v.is_string()) {
      const std::string& text = texts_.emplace_back(v);
      return {name, BP_ATTR_STR, static_cast<uint32_t>(text.size()), {.str = text.c_str()}, 0};
    }
    const std::vector<int64_t>& ints = ints_.emplace_back(v);
    return {name, BP_ATTR_INTS, static_cast<uint32_t>(ints.size()), {.ints = ints.data()}, 0};
  }

  std::deque<std::string> texts_;  // whose elements stay where they are
  std::deque<std::vector<int64_t>> ints_;
  std::vector<bp_attr> all_;
};

}  // namespace bp_test
