// SPDX-License-Identifier: Apache-2.0
// pooling.cc: the largest or the mean of each window. The windows have a given size, or as many of
// them as the result has places cover the input.
#include "core/module/kind.h"

namespace bp::nn {
namespace {

constexpr AttrSpecs kWindow{
    required_ints_attr("kernel_size", "sizes of the windows, or one for all"),
    ints_attr("stride", "steps; none: kernel_size")};
constexpr AttrSpec kCeilMode =
    flag_attr("ceil_mode", false, "whether windows may go beyond the end");
constexpr AttrSpecs kMaxPool = kWindow.with(
    {ints_attr("padding", 0, "added on both sides, never the largest"),
     ints_attr("dilation", 1, "steps between a window's elements"),
     flag_attr("return_indices", false, "whether the places are a second result"), kCeilMode});
constexpr AttrSpecs kAvgPool =
    kWindow.with({ints_attr("padding", 0, "zeros added on both sides"), kCeilMode,
                  flag_attr("count_include_pad", true, "whether these zeros count")});
constexpr AttrSpecs kAdaptivePool{
    required_ints_attr("output_size", "sizes of the result, or one for all")};

// Prints sizes as they were given: one integer, or a tuple.
std::string sizes_text(Span v) { return v.size() == 1 ? std::to_string(v[0]) : python_text(v); }
Span kernel_of(const Module& m) { return m.ints(kWindow["kernel_size"]); }
Span stride_of(const Module& m) {
  const Span stride = m.ints(kWindow["stride"]);
  return stride.empty() ? kernel_of(m) : stride;
}

template <uint32_t kOp, uint32_t kIndexed>
void max_pool(ForwardCall& f) {
  const Module& m = f.m;
  const bp_attr attrs[] = {
      ints_value(kernel_of(m)), ints_value(stride_of(m)), ints_value(m.ints(kMaxPool["padding"])),
      ints_value(m.ints(kMaxPool["dilation"])), flag_value(m.flag(kMaxPool["ceil_mode"]))};
  if (f.out.size() < 2) return f.give(0, invoke(kOp, {f.x()}, attrs));
  if (!m.flag(kMaxPool["return_indices"]))
    fail(BP_INVALID_ARGUMENT, "2 outputs are wanted, and return_indices is not set");
  invoke(kIndexed, {f.x()}, attrs, f.out);
}
std::string max_extra(const Module& m) {
  return fmt::format(
      "kernel_size={}, stride={}, padding={}, dilation={}, ceil_mode={}", sizes_text(kernel_of(m)),
      sizes_text(stride_of(m)), sizes_text(m.ints(kMaxPool["padding"])),
      sizes_text(m.ints(kMaxPool["dilation"])), python_text(m.flag(kMaxPool["ceil_mode"])));
}

template <uint32_t kOp>
void avg_pool(ForwardCall& f) {
  const Module& m = f.m;
  f.give(0,
         invoke(kOp, {value(f.x())},
                {ints_value(kernel_of(m)), ints_value(stride_of(m)),
                 ints_value(m.ints(kAvgPool["padding"])), flag_value(m.flag(kAvgPool["ceil_mode"])),
                 flag_value(m.flag(kAvgPool["count_include_pad"]))}));
}
std::string avg_extra(const Module& m) {
  const bool tuples = std::string_view(m.kind->name) == "avg_pool1d";
  const auto text = [&](Span v) { return tuples ? python_text(v) : sizes_text(v); };
  return fmt::format("kernel_size={}, stride={}, padding={}", text(kernel_of(m)),
                     text(stride_of(m)), text(m.ints(kAvgPool["padding"])));
}

template <uint32_t kOp>
void adaptive_pool(ForwardCall& f) {
  f.give(0, invoke(kOp, {value(f.x())}, {ints_value(f.m.ints(kAdaptivePool["output_size"]))}));
}
std::string adaptive_extra(const Module& m) {
  return "output_size=" + sizes_text(m.ints(kAdaptivePool["output_size"]));
}

template <uint32_t kOp, uint32_t kIndexed>
constexpr ModuleKind max_kind(const char* name, const char* title) {
  return {.name = name,
          .title = title,
          .attrs = kMaxPool,
          .n_outputs = 2,
          .forward = max_pool<kOp, kIndexed>,
          .extra = max_extra,
          .doc = "The largest of each window."};
}
template <uint32_t kOp>
constexpr ModuleKind avg_kind(const char* name, const char* title) {
  return {.name = name,
          .title = title,
          .attrs = kAvgPool,
          .forward = avg_pool<kOp>,
          .extra = avg_extra,
          .doc = "The mean of each window."};
}
template <uint32_t kOp>
constexpr ModuleKind adaptive_kind(const char* name, const char* title, const char* doc) {
  return {.name = name,
          .title = title,
          .attrs = kAdaptivePool,
          .forward = adaptive_pool<kOp>,
          .extra = adaptive_extra,
          .doc = doc};
}
constexpr const char* kMeans = "Means of so many windows as the result has places.";
constexpr const char* kLargest = "The largest of so many windows as the result has places.";
constexpr ModuleKind kPoolingKinds[] = {
    max_kind<BP_OP_MAX_POOL1D, BP_OP_MAX_POOL1D_WITH_INDICES>("max_pool1d", "MaxPool1d"),
    max_kind<BP_OP_MAX_POOL2D, BP_OP_MAX_POOL2D_WITH_INDICES>("max_pool2d", "MaxPool2d"),
    max_kind<BP_OP_MAX_POOL3D, BP_OP_MAX_POOL3D_WITH_INDICES>("max_pool3d", "MaxPool3d"),
    avg_kind<BP_OP_AVG_POOL1D>("avg_pool1d", "AvgPool1d"),
    avg_kind<BP_OP_AVG_POOL2D>("avg_pool2d", "AvgPool2d"),
    avg_kind<BP_OP_AVG_POOL3D>("avg_pool3d", "AvgPool3d"),
    adaptive_kind<BP_OP_ADAPTIVE_AVG_POOL1D>("adaptive_avg_pool1d", "AdaptiveAvgPool1d", kMeans),
    adaptive_kind<BP_OP_ADAPTIVE_AVG_POOL2D>("adaptive_avg_pool2d", "AdaptiveAvgPool2d", kMeans),
    adaptive_kind<BP_OP_ADAPTIVE_AVG_POOL3D>("adaptive_avg_pool3d", "AdaptiveAvgPool3d", kMeans),
    adaptive_kind<BP_OP_ADAPTIVE_MAX_POOL1D>("adaptive_max_pool1d", "AdaptiveMaxPool1d", kLargest),
    adaptive_kind<BP_OP_ADAPTIVE_MAX_POOL2D>("adaptive_max_pool2d", "AdaptiveMaxPool2d", kLargest),
    adaptive_kind<BP_OP_ADAPTIVE_MAX_POOL3D>("adaptive_max_pool3d", "AdaptiveMaxPool3d", kLargest),
};
}  // namespace

std::span<const ModuleKind> pooling_kinds() { return kPoolingKinds; }

}  // namespace bp::nn
