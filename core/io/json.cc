// SPDX-License-Identifier: Apache-2.0
#include "core/io/json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/shown.h"
#include "core/io/refuse.h"

namespace bp {
namespace {

// Builds the tree from the words (nlohmann's SAX interface).
class TreeBuilder {
 public:
  explicit TreeBuilder(Json& root) { open_.push_back(&root); }

  bool null() { return add({}); }
  bool boolean(bool x) { return add({.kind = Json::Kind::kFlag, .flag = x}); }
  bool number_integer(int64_t x) {
    return add({.kind = Json::Kind::kInteger, .integer = x, .number = static_cast<double>(x)});
  }
  bool number_unsigned(uint64_t x) {
    if (x <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      return number_integer(static_cast<int64_t>(x));
    return add({.kind = Json::Kind::kLarge, .number = static_cast<double>(x)});
  }
  bool number_float(double x, const std::string&) {
    return add({.kind = Json::Kind::kFloat, .number = x});
  }
  bool string(std::string& text) {
    return add({.kind = Json::Kind::kText, .text = std::move(text)});
  }
  bool binary(std::vector<uint8_t>&) { return false; }
  bool start_object(size_t) { return start(Json::Kind::kObject); }
  bool start_array(size_t) { return start(Json::Kind::kList); }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool key(std::string& name) {
    Json& object = *open_.back();
    if (object.keys.size() == kMostJsonFields)
      refuse("its JSON has an object of more than {} fields", kMostJsonFields);
    if (object.find(name)) refuse("its JSON has the field '{}' twice", shown(name));
    object.keys.push_back(std::move(name));
    return true;
  }
  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) {
    refuse("it is not JSON: it goes wrong at byte {}", position);
  }

 private:
  // The root is filled in, any other value is an entry of what is open.
  Json& place(Json&& value) {
    Json& parent = *open_.back();
    if (open_.size() == 1) return parent = std::move(value);
    return parent.list.emplace_back(std::move(value));
  }
  bool add(Json&& value) {
    place(std::move(value));
    return true;
  }
  bool start(Json::Kind kind) {
    if (open_.size() > static_cast<size_t>(kDeepestJson))
      refuse("its JSON nests deeper than {} levels", kDeepestJson);
    Json value;
    value.kind = kind;
    open_.push_back(&place(std::move(value)));
    return true;
  }
  bool end() {
    open_.pop_back();
    return true;
  }

  std::vector<Json*> open_;  // entries of a list stay where they are while one of them is open
};

}  // namespace

const Json* Json::find(std::string_view key) const {
  const auto at = std::find(keys.begin(), keys.end(), key);
  const auto i = static_cast<size_t>(at - keys.begin());
  return i < list.size() ? &list[i] : nullptr;
}

Json parse_json(std::string_view text) {
  Json root;
  TreeBuilder builder(root);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return root;
}

std::string quoted_json(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

std::string float_json(double x) {
  if (!std::isfinite(x)) return std::isnan(x) ? "\"nan\"" : x > 0 ? "\"inf\"" : "\"-inf\"";
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace bp
