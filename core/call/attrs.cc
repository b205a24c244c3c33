// SPDX-License-Identifier: Apache-2.0
// attrs.cc: puts attributes, as the caller named them, into the row's order; declared in invoke.h.
#include "core/base/error.h"
#include "core/call/invoke.h"

namespace bp {

void arrange_attrs(const OpRow& row, std::span<const bp_attr> given, std::span<bp_attr> out) {
  uint32_t seen = 0;
  for (size_t i = 0; i < row.attrs.size(); ++i) out[i] = default_attr(row.attrs.at(i));
  for (const bp_attr& g : given) {
    if (!g.name) fail(BP_INVALID_ARGUMENT, "{}: an attribute has no name", row.name);
    const int i = row.find_attr(g.name);
    if (i < 0) fail(BP_NOT_FOUND, "{}: no attribute '{}'", row.name, g.name);
    bp_attr& slot = out[static_cast<size_t>(i)];
    if (seen >> i & 1)
      fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' is given twice", row.name, g.name);
    seen |= 1u << i;
    bp_attr_kind kind = slot.kind;
    if (kind == BP_ATTR_F64 && g.kind == BP_ATTR_I64) {
      slot.value.f64 = static_cast<double>(g.value.i64);
      continue;
    }
    if (kind == BP_ATTR_INTS && g.kind == BP_ATTR_I64) {  // one axis for a list of them
      slot.count = 1;
      slot.value.ints = &g.value.i64;
      continue;
    }
    if (kind != g.kind)
      fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' has kind {}, expected {}", row.name, g.name,
           g.kind, kind);
    if (kind == BP_ATTR_INTS && g.count && !g.value.ints)
      fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' says {} values but points nowhere", row.name,
           g.name, g.count);
    if (kind == BP_ATTR_INTS && g.count > BP_MAX_RANK)
      fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' has {} values, at most {} are possible",
           row.name, g.name, g.count, +BP_MAX_RANK);
    if (kind == BP_ATTR_STR && !g.value.str)
      fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' points nowhere", row.name, g.name);
    slot.count = kind == BP_ATTR_INTS || kind == BP_ATTR_STR ? g.count : 1;
    slot.value = g.value;
  }
  for (size_t i = 0; i < row.attrs.size(); ++i)
    if (row.attrs.at(i).required && !(seen >> i & 1))
      fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' must be given", row.name, row.attrs.at(i).name);
}

}  // namespace bp
