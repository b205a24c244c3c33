// SPDX-License-Identifier: Apache-2.0
// print_saved.cc: a saved program as JSON; declared in saved.h.
#include "core/base/error.h"
#include "core/io/json.h"
#include "core/program/saved.h"
#include "core/value/dtype.h"

namespace bp {
namespace {

template <class List, class F>
std::string list_json(const List& list, F&& entry) {
  std::string text = "[";
  for (const auto& x : list) {
    if (text.size() > 1) text += ',';
    text += entry(x);
  }
  return text + ']';
}
std::string ints_json(Span values) {
  return list_json(values, [](int64_t x) { return fmt::format("{}", x); });
}

std::string view_json(const BufferView& v) {
  std::string text = fmt::format("{{\"buffer\":{},\"dtype\":\"{}\"", v.buffer, dtype_name(v.dtype));
  if (v.offset) text += fmt::format(",\"at\":{}", v.offset);
  text += ",\"shape\":" + ints_json(v.shape);
  if (!is_contiguous(v.shape, v.strides)) text += ",\"strides\":" + ints_json(v.strides);
  return text + '}';
}

std::string operand_json(const SavedOperand& o) {
  if (o.is_view) return view_json(o.view);
  const auto& x = o.number.as;
  switch (o.number.kind) {
    case BP_VALUE_I64: return fmt::format("{}", x.i64);
    case BP_VALUE_BOOL: return x.i64 ? "true" : "false";
    case BP_VALUE_F64: return float_json(x.f64);
    case BP_VALUE_C128: return fmt::format("[{},{}]", float_json(x.c128[0]), float_json(x.c128[1]));
    default: return kJsonNull;
  }
}

std::string attr_json(const bp_attr& a) {
  switch (a.kind) {
    case BP_ATTR_F64: return float_json(a.value.f64);
    case BP_ATTR_BOOL: return a.value.i64 ? "true" : "false";
    case BP_ATTR_INTS: return ints_json({a.value.ints, a.count});
    case BP_ATTR_STR: return quoted_json({a.value.str, a.count});
    case BP_ATTR_DTYPE:
      return a.value.i64 == BP_DTYPE_NONE
                 ? kJsonNull
                 : quoted_json(dtype_name(static_cast<bp_dtype>(a.value.i64)));
    default: return fmt::format("{}", a.value.i64);
  }
}

std::string step_json(const SavedStep& s) {
  std::string text = "{";
  if (s.row) text += fmt::format("\"op\":{},\"name\":\"{}\",", s.row->id, s.row->name);
  text += fmt::format("\"device\":{},\"in\":{},\"out\":{}", s.device, list_json(s.in, operand_json),
                      list_json(s.out, view_json));
  if (!s.attrs.empty()) {
    text += ",\"attrs\":{";
    for (const bp_attr& a : s.attrs)
      text += fmt::format("{}\"{}\":{}", text.back() == '{' ? "" : ",", a.name, attr_json(a));
    text += '}';
  }
  if (s.draw >= 0) text += fmt::format(",\"draw\":[{},{}]", s.draw, s.draw_shift);
  if (s.counts) text += ",\"counts\":true";
  return text + '}';
}

}  // namespace

std::string print_saved(const SavedProgram& saved) {
  const auto buffer = [](const SavedBuffer& b) {
    std::string text = fmt::format("{{\"is\":\"{}\",\"device\":{},\"bytes\":{}",
                                   kSavedKinds[static_cast<size_t>(b.kind)], b.device, b.bytes);
    if (b.kind == Buffer::Kind::kHeld) text += ",\"tensor\":" + quoted_json(b.tensor);
    return text + '}';
  };
  const auto draw = [](const SavedDraw& d) {
    return fmt::format("{{\"device\":{},\"count\":{}}}", d.device, d.n);
  };
  return fmt::format(
      "{{\"version\":{},\"library\":\"{}\",\"devices\":{},"
      "\"passes\":{{\"without\":{},\"block_bytes\":{}}},\"buffers\":{},\"inputs\":{},\"outputs\":{},"
      "\"draws\":{},\"steps\":{}}}",
      kSavedVersion, BP_VERSION, list_json(saved.devices, quoted_json), saved.planned.without,
      saved.planned.block_bytes, list_json(saved.buffers, buffer),
      list_json(saved.inputs, view_json), list_json(saved.outputs, view_json),
      list_json(saved.draws, draw), list_json(saved.steps, step_json));
}

}  // namespace bp
