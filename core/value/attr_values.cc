// SPDX-License-Identifier: Apache-2.0
#include "core/value/attr_values.h"

#include <string>

#include "core/base/error.h"

namespace bp {
namespace {

const char* kind_text(bp_attr_kind kind) {
  switch (kind) {
    case BP_ATTR_I64: return "an integer";
    case BP_ATTR_F64: return "a number";
    case BP_ATTR_BOOL: return "a flag";
    case BP_ATTR_INTS: return "a list of integers";
    case BP_ATTR_DTYPE: return "a dtype";
    case BP_ATTR_STR: return "a text";
    default: return "unknown";
  }
}

std::string names_in(const AttrSpecs& specs) {
  std::string names;
  for (const AttrSpec& s : specs) names += (names.empty() ? "" : ", ") + std::string(s.name);
  return names.empty() ? "none" : names;
}

// Converts a number to the spec's kind. Returns false when there is no such conversion.
bool converts(const AttrSpec& spec, const bp_attr& given, bp_attr* value) {
  const bool whole = given.kind == BP_ATTR_I64 || given.kind == BP_ATTR_BOOL;
  if (spec.kind == BP_ATTR_F64 && whole)
    value->value.f64 = static_cast<double>(given.value.i64);
  else if (spec.kind == BP_ATTR_I64 && whole)
    value->value.i64 = given.value.i64;
  else if (spec.kind == BP_ATTR_BOOL && whole)
    value->value.i64 = given.value.i64 != 0;
  else if (spec.kind == BP_ATTR_INTS && given.kind == BP_ATTR_I64)
    value->value.ints = &given.value.i64;
  else
    return false;
  return true;
}

bp_attr taken(std::string_view owner, const AttrSpec& spec, const bp_attr& given) {
  bp_attr value{spec.name, spec.kind, 1, given.value, 0};
  if (converts(spec, given, &value)) return value;
  if (given.kind != spec.kind && !(spec.text_too && given.kind == BP_ATTR_STR))
    fail(BP_INVALID_ARGUMENT, "{}: {} is {}, expected {}", owner, spec.name, kind_text(given.kind),
         kind_text(spec.kind));
  if (given.kind != BP_ATTR_INTS && given.kind != BP_ATTR_STR) return value;
  const bool list = given.kind == BP_ATTR_INTS;
  if (list ? given.count && !given.value.ints : !given.value.str)
    fail(BP_INVALID_ARGUMENT, "{}: {} points nowhere", owner, spec.name);
  if (list && given.count > BP_MAX_RANK && !spec.any_length)
    fail(BP_INVALID_ARGUMENT, "{}: {} has {} values, at most {} are possible", owner, spec.name,
         given.count, +BP_MAX_RANK);
  value.kind = given.kind;
  value.count = given.count;
  return value;
}

// Written in its place, for a copy would wait until what was just written has arrived in the cache.
void put_default(bp_attr& a, const AttrSpec& spec) {
  a.name = spec.name;
  a.kind = spec.kind;
  a.count = 1;
  a.reserved = 0;
  switch (spec.kind) {
    case BP_ATTR_F64: a.value.f64 = spec.value.f64; break;
    case BP_ATTR_STR:
      a.value.str = spec.value.str;
      a.count = static_cast<uint32_t>(std::string_view(spec.value.str).size());
      break;
    case BP_ATTR_INTS:
      a.value.ints = spec.none ? nullptr : &spec.value.i64;
      a.count = spec.none ? 0 : 1;
      break;
    default: a.value.i64 = spec.value.i64;
  }
}

}  // namespace

bp_attr default_attr(const AttrSpec& spec) {
  bp_attr a;
  put_default(a, spec);
  return a;
}

uint32_t take_attrs(std::string_view owner, const AttrSpecs& specs, std::span<const bp_attr> given,
                    std::span<bp_attr> values) {
  uint32_t seen = 0;
  for (const bp_attr& g : given) {
    if (!g.name) fail(BP_INVALID_ARGUMENT, "{}: an attribute has no name", owner);
    const int at = specs.find(g.name);
    if (at < 0)
      fail(BP_NOT_FOUND, "{} has no attribute '{}'; it has {}", owner, g.name, names_in(specs));
    if (seen >> at & 1)
      fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' is given twice", owner, g.name);
    seen |= 1u << at;
    const auto i = static_cast<size_t>(at);
    values[i] = taken(owner, specs.at(i), g);
  }
  return seen;
}

AttrValues::AttrValues(std::string_view owner, const AttrSpecs& specs,
                       std::span<const bp_attr> given) {
  attrs = {values_.data(), specs.size()};
  for (size_t i = 0; i < specs.size(); ++i) put_default(values_[i], specs.at(i));
  const uint32_t seen = take_attrs(owner, specs, given, {values_.data(), specs.size()});
  for (size_t i = 0; i < specs.size(); ++i)
    if (specs.at(i).required && !(seen >> i & 1))
      fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' must be given", owner, specs.at(i).name);
}

}  // namespace bp
