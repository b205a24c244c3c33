// SPDX-License-Identifier: Apache-2.0
// report.h: a result as a row of JSON: seconds and spread by rival, and each rival's time
// divided by ours.
#pragma once
#include <nlohmann/json.hpp>

#include "case.h"

namespace bench {
nlohmann::json json_of(const Result& r);
}  // namespace bench
