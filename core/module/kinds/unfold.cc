// SPDX-License-Identifier: Apache-2.0
// unfold.cc: windows of images side by side as columns, and columns added up to images.
#include "core/module/kind.h"

namespace bp::nn {
namespace {

constexpr AttrSpecs kUnfold{
    required_ints_attr("kernel_size", "sizes of the windows, or one for both"),
    ints_attr("dilation", 1, "steps between a window's elements"),
    ints_attr("padding", 0, "zeros added on both sides"),
    ints_attr("stride", 1, "steps of the windows")};
constexpr AttrSpecs kFold =
    AttrSpecs{required_ints_attr("output_size", "sizes of the images, or one for both")}.with(
        kUnfold);

std::string sizes_of(Span v) { return v.size() == 1 ? std::to_string(v[0]) : python_text(v); }

// The attributes are those of the op.
template <uint32_t kOp>
void columns_forward(ForwardCall& f) {
  SmallVec<bp_attr, 8> attrs;
  for (size_t i = 0; i < f.m.kind->attrs.size(); ++i) attrs.push_back(ints_value(f.m.ints(i)));
  f.give(0, invoke(kOp, {value(f.x())}, attrs));
}
std::string columns_extra(const Module& m) {
  std::string s;
  for (size_t i = 0; i < m.kind->attrs.size(); ++i)
    s += fmt::format("{}{}={}", i ? ", " : "", m.kind->attrs.at(i).name, sizes_of(m.ints(i)));
  return s;
}

// clang-format off
constexpr ModuleKind kUnfoldKinds[] = {
    {.name = "unfold", .title = "Unfold", .attrs = kUnfold, .forward = columns_forward<BP_OP_IM2COL>, .extra = columns_extra,
     .doc = "The windows of images as columns."},
    {.name = "fold", .title = "Fold", .attrs = kFold, .forward = columns_forward<BP_OP_COL2IM>, .extra = columns_extra,
     .doc = "Columns added up, where windows overlap, to images."},
};
// clang-format on
}  // namespace

std::span<const ModuleKind> unfold_kinds() { return kUnfoldKinds; }

}  // namespace bp::nn
