// SPDX-License-Identifier: Apache-2.0
#include "train/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace cli {
namespace {

namespace bp = backplane;

using Fields = std::vector<std::string>;

std::runtime_error bad_place(const std::string& path, std::size_t line, const std::string& what) {
  return std::runtime_error(fmt::format("{}, line {}: {}", path, line, what));
}

// Reads a record. A quoted field may hold commas, quotes that are doubled, and ends of lines.
// `line` is that of the record's end. Returns false at the file's end.
bool read_record(std::istream& in, const std::string& path, std::size_t& line, Fields& fields) {
  fields.clear();
  std::string field;
  bool quoted = false, any = false, closed = false;
  const std::size_t first = line + 1;
  for (int c = in.get();; c = in.get()) {
    const bool end = c == std::istream::traits_type::eof();
    if (end && quoted) throw bad_place(path, first, "a quote is not closed");
    if (end && !any) return false;
    if (!end) any = true;
    if (c == '\n') ++line;
    if (quoted) {
      if (c != '"')
        field += static_cast<char>(c);
      else if (in.peek() == '"')
        field += static_cast<char>(in.get());
      else
        quoted = false, closed = true;
    } else if (c == '"' && field.empty() && !closed) {
      quoted = true;
    } else if (end || c == '\n' || c == ',') {
      if (!field.empty() && field.back() == '\r') field.pop_back();
      fields.push_back(std::move(field));
      field.clear();
      closed = false;
      if (end && c != ',') ++line;
      if (c != ',') return true;
    } else {
      field += static_cast<char>(c);
    }
  }
}

std::optional<double> number_of(const std::string& field) {
  const std::size_t first = field.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  const char* begin = field.data() + first + (field[first] == '+' ? 1 : 0);
  const char* end = field.data() + field.find_last_not_of(" \t") + 1;
  double value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) return {};
  return value;
}

bool is_whole(double value) { return value == std::floor(value) && std::abs(value) < 9e15; }

// Returns the index of a column by its name, or by its number when no column is called so.
std::size_t column_of(const Fields& names, const std::string& wanted, const std::string& path) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (const auto n = std::count(names.begin(), names.end(), wanted); n > 1)
    throw BadInput(
        fmt::format("{} has {} columns '{}'; name one by its number, from 0", path, n, wanted));
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
  if (error == std::errc{} && end == wanted.data() + wanted.size() && index < names.size())
    return index;
  throw BadInput(fmt::format("{} has no column '{}'; it has {}{}", path, wanted,
                             fmt::join(names, ", "), did_you_mean(wanted, names)));
}

struct Table {
  Fields names;
  std::vector<std::size_t> targets;  // columns
  std::vector<float> features;       // row by row
  std::vector<Fields> target;        // for each target column, what stands there
  std::vector<std::size_t> lines;    // of each row
};

void add_row(Table& table, const Fields& fields, const std::string& path, std::size_t line) {
  if (fields.size() != table.names.size())
    throw bad_place(path, line,
                    fmt::format("{} fields, expected {}", fields.size(), table.names.size()));
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto at = std::find(table.targets.begin(), table.targets.end(), i);
    if (at != table.targets.end()) {
      table.target[static_cast<std::size_t>(at - table.targets.begin())].push_back(fields[i]);
      continue;
    }
    const auto value = number_of(fields[i]);
    if (!value)
      throw bad_place(path, line,
                      fmt::format("column '{}': '{}' is no number", table.names[i], fields[i]));
    table.features.push_back(static_cast<float>(*value));
  }
  table.lines.push_back(line);
}

Table read_table(const std::string& path, const std::vector<std::string>& targets) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  if (file.peek() == 0xEF) file.ignore(3);  // the mark that some spreadsheets begin with
  Table table;
  Fields fields;
  std::size_t line = 0;
  if (!read_record(file, path, line, fields)) throw std::runtime_error(path + " is empty");
  // Names are texts. A line that has a number as well is a row with a text for its target.
  const bool head = std::none_of(fields.begin(), fields.end(),
                                 [](const std::string& f) { return number_of(f).has_value(); });
  for (std::size_t i = 0; i < fields.size(); ++i)
    table.names.push_back(head ? fields[i] : std::to_string(i));
  for (const std::string& t : targets) {
    const std::size_t i = column_of(table.names, t, path);
    if (std::find(table.targets.begin(), table.targets.end(), i) != table.targets.end())
      throw BadInput(fmt::format("--target says the column '{}' twice", table.names[i]));
    table.targets.push_back(i);
  }
  if (targets.empty()) table.targets.push_back(table.names.size() - 1);
  table.target.resize(table.targets.size());
  if (table.names.size() <= table.targets.size())
    throw std::runtime_error(fmt::format("{} has no column beside the target", path));
  if (!head) add_row(table, fields, path, line);
  while (read_record(file, path, line, fields))
    if (fields.size() > 1 || !fields[0].empty()) add_row(table, fields, path, line);
  if (table.lines.empty()) throw std::runtime_error(path + " holds no rows");
  return table;
}

// Makes classes of texts: their places in the sorted list of them, or in the run's list.
std::vector<std::int64_t> class_numbers(Data& data, const Fields& texts, const Table& table,
                                        const std::string& path) {
  if (data.classes.empty()) {
    data.classes = texts;
    std::sort(data.classes.begin(), data.classes.end());
    data.classes.erase(std::unique(data.classes.begin(), data.classes.end()), data.classes.end());
  }
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto at = std::find(data.classes.begin(), data.classes.end(), texts[i]);
    if (at == data.classes.end())
      throw bad_place(path, table.lines[i],
                      fmt::format("'{}' is none of the classes that were learned: {}", texts[i],
                                  fmt::join(data.classes, ", ")));
    numbers.push_back(at - data.classes.begin());
  }
  return numbers;
}

void fill_target(Data& data, const Table& table, const std::string& path) {
  const auto n = static_cast<std::int64_t>(table.lines.size());
  const auto k = static_cast<std::int64_t>(table.targets.size());
  std::vector<double> values(static_cast<std::size_t>(n * k));
  bool numbers = data.classes.empty(), whole = true;
  for (std::size_t t = 0; t < table.target.size() && numbers; ++t)
    for (std::size_t i = 0; i < table.lines.size() && numbers; ++i) {
      const auto value = number_of(table.target[t][i]);
      numbers = value.has_value();
      if (!numbers && k > 1)
        throw bad_place(
            path, table.lines[i],
            fmt::format("column '{}': '{}' is no number", data.targets[t], table.target[t][i]));
      if (table.target[t][i].empty())
        throw bad_place(path, table.lines[i],
                        fmt::format("column '{}', the target, is empty", data.targets[t]));
      if (numbers) {
        values[i * table.target.size() + t] = *value;
        whole = whole && is_whole(*value);
      }
    }
  if (!numbers) {
    data.kind = TargetKind::kText;
    data.target = bp::tensor(class_numbers(data, table.target[0], table, path), "cpu");
  } else if (whole && k == 1) {
    data.kind = TargetKind::kWhole;
    data.target = bp::tensor(std::vector<std::int64_t>(values.begin(), values.end()), "cpu");
  } else {
    data.target = bp::tensor(std::vector<float>(values.begin(), values.end()), {n, k}, "cpu");
  }
}

Data table_data(const std::string& path, const DataOptions& options) {
  const Table table = read_table(path, options.targets);
  Data data;
  data.classes = options.classes;
  for (std::size_t i = 0; i < table.names.size(); ++i)
    if (std::find(table.targets.begin(), table.targets.end(), i) == table.targets.end())
      data.columns.push_back(table.names[i]);
  for (const std::size_t i : table.targets) data.targets.push_back(table.names[i]);
  fill_target(data, table, path);
  data.features = bp::tensor(table.features,
                             {static_cast<std::int64_t>(table.lines.size()),
                              static_cast<std::int64_t>(data.columns.size())},
                             "cpu");
  if (options.integers) data.features = data.features.to(BP_I64);
  return data;
}

bp::Tensor array_of(const bp::Dict& arrays, const std::string& name, const std::string& path,
                    const char* option) {
  if (arrays.contains(name)) {
    bp::Tensor array = arrays.get(name);
    if (bp_dtype_kind(array.dtype()) == BP_DTYPE_KIND_COMPLEX)
      throw BadInput(fmt::format("{}: the array '{}' is {}, expected real numbers", option, name,
                                 bp_dtype_name(array.dtype())));
    return array;
  }
  std::vector<std::string> names;
  for (const auto& [key, tensor] : arrays.items()) names.push_back(key);
  throw BadInput(fmt::format("{} has no array '{}' for {}; it has {}{}", path, name, option,
                             names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                             did_you_mean(name, names)));
}

Data npz_data(const std::string& path, const DataOptions& options) {
  if (options.targets.size() > 1) throw BadInput("--target: of an .npz file it is one array");
  const bp::Dict arrays = bp::load_npz(path, "cpu");
  Data data;
  data.targets = {options.targets.empty() ? "y" : options.targets[0]};
  data.features =
      array_of(arrays, options.features.empty() ? "x" : options.features, path, "--features");
  data.target = array_of(arrays, data.targets[0], path, "--target");
  if (data.features.rank() == 0 || data.target.rank() == 0 ||
      data.features.size(0) != data.target.size(0) || data.features.size(0) == 0)
    throw std::runtime_error(fmt::format(
        "{}: features of shape [{}] and a target of shape [{}] have no rows in common", path,
        fmt::join(data.features.shape(), ", "), fmt::join(data.target.shape(), ", ")));
  data.features = data.features.to(options.integers ? BP_I64 : BP_F32);
  const std::int32_t kind = bp_dtype_kind(data.target.dtype());
  const bool whole = kind != BP_DTYPE_KIND_FLOAT;
  const std::int64_t n = data.target.size(0);
  if (whole && data.target.numel() == n) {
    data.kind = TargetKind::kWhole;
    data.target = data.target.to(BP_I64).reshape({n});
  } else {
    data.target = data.target.to(BP_F32);
    if (data.target.rank() == 1) data.target = data.target.reshape({n, 1});
  }
  return data;
}

}  // namespace

Data load_data(const std::string& path, const DataOptions& options) {
  return std::filesystem::path(path).extension() == ".npz" ? npz_data(path, options)
                                                           : table_data(path, options);
}

}  // namespace cli
