// SPDX-License-Identifier: Apache-2.0
// data.h: a user's data, from a .csv or .npz file: features and a target, as tensors on the cpu.
//
//   Data data = load_data("iris.csv", {.targets = {"species"}});
//   data.features;   // [150, 4] f32
//   data.target;     // [150] i64: classes, because the column holds text
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli.h"

namespace cli {

enum class TargetKind { kText, kWhole, kNumbers };

struct DataOptions {
  // Of a table, the columns to predict, by name or index from 0; none is the last one. Of an .npz
  // file, the one array; none is "y".
  std::vector<std::string> targets = {};
  std::string features = {};              // of an .npz file, the other array; "" is "x"
  std::vector<std::string> classes = {};  // what a run has learned them to be, in order
  bool integers = false;                  // features are i64, as an embedding takes them
};

struct Data {
  backplane::Tensor features;  // [n, ...] f32, or i64
  backplane::Tensor target;    // [n] i64 classes, or [n, k] numbers, i64 or f32
  TargetKind kind = TargetKind::kNumbers;
  std::vector<std::string> targets;  // the names of their columns or of the array
  std::vector<std::string> columns;  // of a table, the names of the features
  std::vector<std::string> classes;  // of a text target, sorted
  std::int64_t count() const { return features.size(0); }
};

// A table is comma-separated (RFC 4180), with names in its first line when a field there is no
// number. Throws std::runtime_error with the file, the line, the column and what stands there, and
// BadInput for a target that is not in it.
Data load_data(const std::string& path, const DataOptions& options);

}  // namespace cli
