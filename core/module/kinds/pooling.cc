// SPDX-License-Identifier: Apache-2.0
// pooling.cc: the largest or the mean of windows, of a size or so many.
#include "core/module/kind.h"

namespace bp::nn {
namespace pooling_rows {
namespace {

constexpr ModuleAttr kMax[] = {
    attr::sizes("kernel_size", "sizes of the windows, or one for all"),
    attr::no_integers("stride", "steps; none: kernel_size"),
    attr::integers("padding", 0, "added on both sides, never the largest"),
    attr::integers("dilation", 1, "steps between a window's elements"),
    attr::flag("return_indices", false, "whether the places are a second result"),
    attr::flag("ceil_mode", false, "whether windows may go beyond the end")};
constexpr ModuleAttr kAvg[] = {kMax[0], kMax[1],
                               attr::integers("padding", 0, "zeros added on both sides"), kMax[5],
                               attr::flag("count_include_pad", true, "whether these zeros count")};
constexpr ModuleAttr kAdaptive[] = {
    attr::sizes("output_size", "sizes of the result, or one for all")};

// As it was given: an integer alone, or a tuple.
std::string sizes_text(Span v) { return v.size() == 1 ? std::to_string(v[0]) : python_text(v); }
Span stride_of(const Module& m) { return m.ints(1).empty() ? m.ints(0) : m.ints(1); }

template <uint32_t kOp, uint32_t kIndexed>
void max_pool(ForwardCall& f) {
  const Module& m = f.m;
  const bp_attr attrs[] = {ints_value(m.ints(0)), ints_value(stride_of(m)), ints_value(m.ints(2)),
                           ints_value(m.ints(3)), flag_value(m.flag(5))};
  if (f.out.size() < 2)
    return f.give(0, op(kOp, {value(f.x())}, {attrs[0], attrs[1], attrs[2], attrs[3], attrs[4]}));
  if (!m.flag(4)) fail(BP_INVALID_ARGUMENT, "2 outputs are wanted, and return_indices is not set");
  const bp_value in[] = {tensor_value(f.x())};
  invoke(*find_op(kIndexed), in, attrs, f.out);
}
std::string max_extra(const Module& m) {
  return fmt::format("kernel_size={}, stride={}, padding={}, dilation={}, ceil_mode={}",
                     sizes_text(m.ints(0)), sizes_text(stride_of(m)), sizes_text(m.ints(2)),
                     sizes_text(m.ints(3)), python_text(m.flag(5)));
}

template <uint32_t kOp>
void avg_pool(ForwardCall& f) {
  const Module& m = f.m;
  f.give(0, op(kOp, {value(f.x())},
               {ints_value(m.ints(0)), ints_value(stride_of(m)), ints_value(m.ints(2)),
                flag_value(m.flag(3)), flag_value(m.flag(4))}));
}
std::string avg_extra(const Module& m) {
  const bool tuples = std::string_view(m.kind->name) == "avg_pool1d";
  const auto text = [&](Span v) { return tuples ? python_text(v) : sizes_text(v); };
  return fmt::format("kernel_size={}, stride={}, padding={}", text(m.ints(0)), text(stride_of(m)),
                     text(m.ints(2)));
}

template <uint32_t kOp>
void adaptive(ForwardCall& f) {
  f.give(0, op(kOp, {value(f.x())}, {ints_value(f.m.ints(0))}));
}
std::string adaptive_extra(const Module& m) { return "output_size=" + sizes_text(m.ints(0)); }

template <uint32_t kOp, uint32_t kIndexed>
constexpr ModuleKind max_kind(const char* name, const char* title) {
  return {.name = name,
          .title = title,
          .attrs = kMax,
          .n_outputs = 2,
          .forward = max_pool<kOp, kIndexed>,
          .extra = max_extra,
          .doc = "The largest of each window."};
}
template <uint32_t kOp>
constexpr ModuleKind avg_kind(const char* name, const char* title) {
  return {.name = name,
          .title = title,
          .attrs = kAvg,
          .forward = avg_pool<kOp>,
          .extra = avg_extra,
          .doc = "The mean of each window."};
}
template <uint32_t kOp>
constexpr ModuleKind adaptive_kind(const char* name, const char* title, const char* doc) {
  return {.name = name,
          .title = title,
          .attrs = kAdaptive,
          .forward = adaptive<kOp>,
          .extra = adaptive_extra,
          .doc = doc};
}
constexpr const char* kMeans = "Means of so many windows as the result has places.";
constexpr const char* kLargest = "The largest of so many windows as the result has places.";
constexpr ModuleKind kRows[] = {
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
}  // namespace pooling_rows

std::span<const ModuleKind> pooling_kinds() { return pooling_rows::kRows; }

}  // namespace bp::nn
