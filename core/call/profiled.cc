// SPDX-License-Identifier: Apache-2.0
#include "core/call/profiled.h"

#include <algorithm>
#include <new>
#include <string>

#include "core/call/launch.h"
#include "core/device/device.h"

namespace bp {
namespace {

std::string text_of(const Tensor& t) {
  return fmt::format("\"{}{}\"", dtype_name(t.dtype), format_shape(t.shape));
}

std::string text_of(const bp_value& v) {
  switch (v.kind) {
    case BP_VALUE_TENSOR: return text_of(*v.as.tensor);
    case BP_VALUE_NONE: return "\"none\"";
    case BP_VALUE_F64: return fmt::format("\"{}\"", v.as.f64);
    case BP_VALUE_C128: return fmt::format("\"{}{:+}j\"", v.as.c128[0], v.as.c128[1]);
    default: return fmt::format("\"{}\"", v.as.i64);
  }
}

uint64_t bytes_of(const Tensor& t) { return static_cast<uint64_t>(t.count * dtype_bytes(t.dtype)); }

void describe(TraceSpan& span, std::span<const bp_value> in, std::span<const Ref<Tensor>> out) {
  constexpr size_t kMostShown = 16;
  uint64_t bytes = 0;
  std::string operands, results;
  for (size_t i = 0; i < in.size(); ++i) {
    if (is_tensor(in[i])) bytes += bytes_of(*in[i].as.tensor);
    if (i == kMostShown) operands += fmt::format(",\"{} more\"", in.size() - i);
    if (i < kMostShown) operands += (i ? "," : "") + text_of(in[i]);
  }
  for (size_t i = 0; i < out.size(); ++i) {
    if (!out[i]) continue;
    bytes += bytes_of(*out[i]);
    results += (results.empty() ? "" : ",") + text_of(*out[i]);
  }
  span.say("in", '[' + operands + ']');
  span.say("out", '[' + results + ']');
  span.say("bytes", std::to_string(bytes));
}

Device* device_of(std::span<const bp_value> in, std::span<const Ref<Tensor>> out) {
  for (const Ref<Tensor>& o : out)
    if (o) return &o->device();
  for (const bp_value& v : in)
    if (is_tensor(v)) return &v.as.tensor->device();
  return nullptr;
}

}  // namespace

void profiled_path(const OpRow& row, std::span<const bp_value> in, std::span<const bp_attr> attrs,
                   std::span<Ref<Tensor>> out, bool composes) {
  TraceSpan span(TraceSort::kOp, row.name);
  long_path(row, in, attrs, out, composes);
  if (!span || !keeps_profile()) return;
  span.ends_now();
  Device* const device = device_of(in, out);
  if (!device) return;
  try {
    describe(span, in, out);
    span.say("device", '"' + device->label + '"');
  } catch (const std::bad_alloc&) {
    // The span says less.
  }
  count_bytes(device->label, device->memory_stats().allocated_bytes);
}

void say_kernel(const Device& device, bp_dtype dtype) noexcept {
  char text[64];
  const auto end =
      fmt::format_to_n(text, sizeof text, "\"{} {}\"", device.backend->name, dtype_name(dtype));
  say_of_span("kernel", {text, std::min(end.size, sizeof text)});
}

}  // namespace bp
