// SPDX-License-Identifier: Apache-2.0
// optim_numbers.h: what PyTorch's optimisers and schedules do (data/optim_numbers.py).
//
//   for (const Json& record : optim_numbers()["schedules"]) ...
#pragma once
#include <fstream>
#include <nlohmann/json.hpp>

namespace bp_test {

using Json = nlohmann::json;

inline const Json& optim_numbers() {
  static const Json all = Json::parse(std::ifstream(API_DATA "/optim_numbers.json"));
  return all;
}

}  // namespace bp_test
