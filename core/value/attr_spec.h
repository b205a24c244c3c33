// SPDX-License-Identifier: Apache-2.0
// attr_spec.h: what a named attribute with a default is. Ops, modules, optimisers and schedules
// describe theirs with a list of these, in the order in which values are kept and kernels receive
// them.
//
// A list finds an attribute by its name while it compiles: a name that the list does not have, or
// one whose kind the accessor does not read, is a compile error. Lists are constants with static
// storage: defaults and names are pointed to, never copied.
//
//   constexpr AttrSpecs kReduce{ints_attr("axes"), flag_attr("keepdims", false)};
//   Span axes = c.ints(kReduce["axes"]);
//   bool keepdims = c.flag(kReduce["keepdims"]);
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "c_types.h"

// clang before 17 takes calls of consteval functions in templates and lambdas for errors. It looks
// names up when the code runs; every other compiler has checked them.
#if defined(__clang__) && __clang_major__ < 17
#define BP_CONSTEVAL constexpr
#else
#define BP_CONSTEVAL consteval
#endif

namespace bp {

struct AttrSpec {
  // Of kind I64, BOOL, DTYPE: i64; of F64: f64; of STR: str; of INTS: the one number in i64.
  union Default {
    int64_t i64;
    double f64;
    const char* str;
  };
  const char* name = nullptr;
  bp_attr_kind kind = 0;
  bool required = false;
  bool none = false;        // of a list: none is given by default
  bool text_too = false;    // of a list: a text may stand for it
  bool any_length = false;  // of a list: it may be longer than BP_MAX_RANK
  Default value{.i64 = 0};
  const char* doc = "";
};

constexpr AttrSpec int_attr(const char* name, int64_t v, const char* doc = "") {
  return {.name = name, .kind = BP_ATTR_I64, .value = {.i64 = v}, .doc = doc};
}
constexpr AttrSpec float_attr(const char* name, double v, const char* doc = "") {
  return {.name = name, .kind = BP_ATTR_F64, .value = {.f64 = v}, .doc = doc};
}
constexpr AttrSpec flag_attr(const char* name, bool v, const char* doc = "") {
  return {.name = name, .kind = BP_ATTR_BOOL, .value = {.i64 = v}, .doc = doc};
}
constexpr AttrSpec str_attr(const char* name, const char* v, const char* doc = "") {
  return {.name = name, .kind = BP_ATTR_STR, .value = {.str = v}, .doc = doc};
}
constexpr AttrSpec dtype_attr(const char* name, const char* doc = "") {
  return {.name = name, .kind = BP_ATTR_DTYPE, .value = {.i64 = BP_DTYPE_NONE}, .doc = doc};
}
// A list that is not given by default. An optional axis is a list of one.
constexpr AttrSpec ints_attr(const char* name, const char* doc = "") {
  return {.name = name, .kind = BP_ATTR_INTS, .none = true, .doc = doc};
}
// A list that holds the one number v by default.
constexpr AttrSpec ints_attr(const char* name, int64_t v, const char* doc) {
  return {.name = name, .kind = BP_ATTR_INTS, .value = {.i64 = v}, .doc = doc};
}

constexpr AttrSpec required(AttrSpec spec) {
  spec.required = true;
  return spec;
}
constexpr AttrSpec required_int_attr(const char* name, const char* doc = "") {
  return required(int_attr(name, 0, doc));
}
constexpr AttrSpec required_float_attr(const char* name, const char* doc = "") {
  return required(float_attr(name, 0, doc));
}
constexpr AttrSpec required_str_attr(const char* name, const char* doc = "") {
  return required(str_attr(name, "", doc));
}
constexpr AttrSpec required_dtype_attr(const char* name, const char* doc = "") {
  return required(dtype_attr(name, doc));
}
constexpr AttrSpec required_ints_attr(const char* name, const char* doc = "") {
  return required(ints_attr(name, doc));
}
// The list, or a text in its place.
constexpr AttrSpec or_text(AttrSpec spec) {
  spec.text_too = true;
  return spec;
}
// The list, of any length.
constexpr AttrSpec any_length(AttrSpec spec) {
  spec.any_length = true;
  return spec;
}

// The place of an attribute in its list, made from its name by AttrSpecs.
struct AttrIndex {
  size_t index;
  bp_attr_kind kind;
  constexpr operator size_t() const { return index; }  // NOLINT: implicit by design
};

// What an accessor takes: the place of an attribute of one of these kinds. A place that was found
// by name is checked while it compiles; a number is for lists that are not known until the call.
template <bp_attr_kind... kKinds>
struct AttrOf {
  size_t index;
  // NOLINTNEXTLINE: implicit by design
  BP_CONSTEVAL AttrOf(AttrIndex at) : index(at.index) {
    if (((at.kind != kKinds) && ...)) throw "the attribute is of another kind";
  }
  constexpr AttrOf(size_t at) : index(at) {}  // NOLINT: implicit by design
  AttrOf(std::same_as<int> auto) = delete;    // a literal, which nothing would check
};
using WholeAttr = AttrOf<BP_ATTR_I64, BP_ATTR_BOOL, BP_ATTR_DTYPE>;
using FloatAttr = AttrOf<BP_ATTR_F64>;
using FlagAttr = AttrOf<BP_ATTR_BOOL>;
using IntsAttr = AttrOf<BP_ATTR_INTS>;
using TextAttr = AttrOf<BP_ATTR_STR>;

// Reads complete values by checked name.
struct AttrReader {
  std::span<const bp_attr> attrs;  // in their list's order
  int64_t i64(WholeAttr at) const { return attrs[at.index].value.i64; }
  bool flag(FlagAttr at) const { return attrs[at.index].value.i64 != 0; }
  double f64(FloatAttr at) const { return attrs[at.index].value.f64; }
  std::span<const int64_t> ints(IntsAttr at) const {
    return {attrs[at.index].value.ints, attrs[at.index].count};
  }
  std::string_view str(TextAttr at) const {
    return {attrs[at.index].value.str, attrs[at.index].count};
  }
};

class AttrSpecs {
 public:
  static constexpr size_t kMost = 12;

  constexpr AttrSpecs() = default;
  // NOLINTNEXTLINE: implicit by design, for the rows of tables
  constexpr AttrSpecs(std::initializer_list<AttrSpec> specs) {
    for (const AttrSpec& s : specs) specs_[size_++] = s;
  }

  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const AttrSpec* begin() const { return specs_.data(); }
  constexpr const AttrSpec* end() const { return specs_.data() + size_; }
  constexpr const AttrSpec& at(size_t i) const { return specs_[i]; }
  // Returns this list, followed by that one.
  constexpr AttrSpecs with(const AttrSpecs& more) const {
    AttrSpecs all = *this;
    for (const AttrSpec& s : more) all.specs_[all.size_++] = s;
    return all;
  }
  // Returns the place of that name, or -1.
  constexpr int find(std::string_view name) const {
    for (size_t i = 0; i < size_; ++i)
      if (are_same(specs_[i].name, name)) return static_cast<int>(i);
    return -1;
  }
  // Returns the place of that name. A name that the list does not have does not compile.
  BP_CONSTEVAL AttrIndex operator[](std::string_view name) const {
    const int i = find(name);
    if (i < 0) throw "the list has no attribute of that name";
    return {static_cast<size_t>(i), specs_[static_cast<size_t>(i)].kind};
  }

 private:
  // Most names differ in their first letter, so that measuring them first would take longer.
  static constexpr bool are_same(const char* name, std::string_view wanted) {
    for (const char letter : wanted)
      if (*name == 0 || *name++ != letter) return false;
    return *name == 0;
  }

  std::array<AttrSpec, kMost> specs_{};
  size_t size_ = 0;
};

inline constexpr AttrSpecs kNoAttrs{};

#undef BP_CONSTEVAL

}  // namespace bp
