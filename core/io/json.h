// SPDX-License-Identifier: Apache-2.0
// json.h: JSON that somebody else wrote, as a tree. It is bounded by its text: nothing is reserved
// for what is not there, and what nests deeper, or has more fields in an object, than any text of
// ours is refused. Running out of memory on the way leaves nothing behind, which cannot be said of
// the trees of the library that reads the words.
//
//   const Json tree = parse_json("{\"a\": [1, 2.5]}");
//   const Json* a = tree.find("a");   // a->list[1].number is 2.5
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bp {

inline constexpr const char* kJsonNull = R"(null)";  // JSON's word, no backend's name

struct Json {
  enum class Kind : uint8_t { kNull, kFlag, kInteger, kLarge, kFloat, kText, kList, kObject };
  Kind kind = Kind::kNull;
  bool flag = false;
  int64_t integer = 0;  // of kInteger
  double number = 0;    // of kInteger, kLarge and kFloat; kLarge is beyond int64
  std::string text{};
  std::vector<Json> list{};         // of kList and kObject
  std::vector<std::string> keys{};  // of kObject: of each of the list

  // Returns the field of an object, or nullptr when there is none.
  const Json* find(std::string_view key) const;
};

inline constexpr int kDeepestJson = 8;
inline constexpr size_t kMostJsonFields = 64;
// Throws BP_INVALID_ARGUMENT that says at which byte it goes wrong.
Json parse_json(std::string_view text);
// The text in quotes, with escapes.
std::string quoted_json(std::string_view text);
// A number that is read as the same kFloat; those that JSON lacks as the texts "nan", "inf",
// "-inf".
std::string float_json(double x);

}  // namespace bp
