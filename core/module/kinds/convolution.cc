// SPDX-License-Identifier: Apache-2.0
// convolution.cc: convolutions of one to three spatial dimensions, their lazy forms, and transposed
// ones.
#include <algorithm>
#include <cmath>

#include "core/module/initialiser.h"
#include "core/module/kind.h"

namespace bp::nn {
namespace convolution_rows {
namespace {

enum { kIn, kOut, kKernel, kStride, kPadding, kDilation, kGroups, kBias, kMode };
constexpr ModuleAttr kConv[] = {
    attr::size("in_channels", "channels of the input"),
    attr::size("out_channels", "channels of the result"),
    attr::sizes("kernel_size", "sizes of the kernel, or one for all"),
    attr::integers("stride", 1, "steps of the kernel"),
    {.name = "padding",
     .kind = BP_ATTR_INTS,
     .doc = "added on both sides; or \"valid\" (none), \"same\" (as the input)",
     .text_too = true},
    attr::integers("dilation", 1, "steps between a kernel's elements"),
    attr::integer("groups", 1, "groups of channels that do not meet"),
    attr::flag("bias", true, "whether there is a learned bias"),
    attr::text("padding_mode", "zeros", "zeros, reflect, replicate or circular"),
};
enum { kTStride = 3, kTPadding, kTMore, kTGroups, kTBias, kTDilation };
// clang-format off
constexpr ModuleAttr kTransposed[] = {
    kConv[0], kConv[1], kConv[2], kConv[3],
    attr::integers("padding", 0, "taken from both sides of the result"),
    attr::integers("output_padding", 0, "added to one side of the result"),
    kConv[6], kConv[7], kConv[5]};
// clang-format on

// One number stands for all.
void spread(Module& m, size_t attr, size_t n) {
  AttrValue& v = m.attrs[attr];
  if (v.kind != BP_ATTR_INTS) return;
  if (v.ints.size() == 1) v.ints.assign(n, v.ints[0]);
  if (v.ints.size() != n)
    fail(BP_INVALID_ARGUMENT, "{}: {} has {} numbers, expected {} or one", m.title,
         m.kind->attrs[attr].name, v.ints.size(), n);
}

void start(Module& m) {
  init::kaiming_uniform(*m.parameter(0), std::sqrt(5.0), "fan_in", "leaky_relu");
  if (m.parameter(1)) init::bounded(*m.parameter(1), init::fans(*m.parameter(0)).in);
}

void check_groups(const Module& m, int64_t in, int64_t out, int64_t groups) {
  if (groups <= 0) fail(BP_INVALID_ARGUMENT, "groups must be a positive integer");
  if (in % groups) fail(BP_INVALID_ARGUMENT, "in_channels must be divisible by groups");
  if (out % groups) fail(BP_INVALID_ARGUMENT, "out_channels must be divisible by groups");
  if (in < 0 || out < 0)
    fail(BP_INVALID_ARGUMENT, "{}: channels must not be negative, got {} and {}", m.title, in, out);
}

// Of a convolution, with `shift` attributes before it missing (those of a lazy one).
template <size_t n>
void check_conv(Module& m, size_t shift) {
  for (size_t a : {kKernel, kStride, kPadding, kDilation}) spread(m, a - shift, n);
  const AttrValue& padding = m.attrs[kPadding - shift];
  if (padding.kind == BP_ATTR_STR) {
    if (padding.text != "same" && padding.text != "valid")
      fail(BP_INVALID_ARGUMENT, "Invalid padding string '{}', should be one of valid, same",
           padding.text);
    for (int64_t s : m.ints(kStride - shift))
      if (padding.text == "same" && s != 1)
        fail(BP_INVALID_ARGUMENT, "padding='same' is not supported for strided convolutions");
  }
  const std::string_view mode = m.str(kMode - shift);
  if (mode != "zeros" && mode != "reflect" && mode != "replicate" && mode != "circular")
    fail(
        BP_INVALID_ARGUMENT,
        "padding_mode must be one of zeros, reflect, replicate, circular, but got padding_mode='{}'",
        mode);
}
Dims weight_shape(const Module& m, int64_t first, int64_t second) {
  Dims shape{first, second};
  for (int64_t k : m.ints(kKernel)) shape.push_back(k);
  return shape;
}

template <size_t n>
void make_conv(Maker& k) {
  Module& m = k.m;
  check_conv<n>(m, 0);
  check_groups(m, m.i64(kIn), m.i64(kOut), m.i64(kGroups));
  k.parameter("weight", weight_shape(m, m.i64(kOut), m.i64(kIn) / m.i64(kGroups)));
  if (m.flag(kBias))
    k.parameter("bias", Dims{m.i64(kOut)});
  else
    k.no_parameter("bias");
  start(m);
}

// What is added around x before the op, when that cannot do it: as pad's attribute, the last
// dimension first.
Dims sides(const Module& m) {
  Dims pad;
  const Span kernel = m.ints(kKernel), dilation = m.ints(kDilation);
  for (size_t i = kernel.size(); i-- > 0;) {
    const int64_t total = m.attrs[kPadding].kind == BP_ATTR_STR
                              ? (m.str(kPadding) == "same" ? dilation[i] * (kernel[i] - 1) : 0)
                              : 2 * m.ints(kPadding)[i];
    pad.push_back(total / 2), pad.push_back(total - total / 2);
  }
  return pad;
}
template <uint32_t kOp>
void conv_forward(ForwardCall& f) {
  const Module& m = f.m;
  Ref<Tensor> x = Ref<Tensor>::share(&f.x());
  const std::string_view mode = m.str(kMode);
  const bool simple = mode == "zeros" && m.attrs[kPadding].kind == BP_ATTR_INTS;
  if (!simple) {
    const Dims pad = sides(m);
    if (std::any_of(pad.begin(), pad.end(), [](int64_t p) { return p != 0; }))
      x = op(BP_OP_PAD, {x},
             {ints_value(pad), str_value(mode == "zeros" ? "constant" : mode), float_value(0)});
  }
  f.give(0, op(kOp, {x, m.parameter(0), maybe(m.parameter(1))},
               {ints_value(m.ints(kStride)), ints_value(simple ? m.ints(kPadding) : Span{}),
                ints_value(m.ints(kDilation)), int_value(m.i64(kGroups))}));
}

bool all(Span list, int64_t v) {
  return std::all_of(list.begin(), list.end(), [v](int64_t i) { return i == v; });
}
std::string conv_extra(const Module& m) {
  const size_t shift = m.attrs.size() == std::size(kConv) ? 0 : 1;  // lazy: without in_channels
  std::string s =
      fmt::format("{}, {}, kernel_size={}, stride={}", shift ? 0 : m.i64(kIn), m.i64(kOut - shift),
                  python_text(m.ints(kKernel - shift)), python_text(m.ints(kStride - shift)));
  if (m.attrs[kPadding - shift].kind == BP_ATTR_STR)
    s += fmt::format(", padding={}", m.str(kPadding - shift));
  else if (!all(m.ints(kPadding - shift), 0))
    s += ", padding=" + python_text(m.ints(kPadding - shift));
  if (!all(m.ints(kDilation - shift), 1))
    s += ", dilation=" + python_text(m.ints(kDilation - shift));
  if (m.i64(kGroups - shift) != 1) s += fmt::format(", groups={}", m.i64(kGroups - shift));
  if (!m.parameter(1)) s += ", bias=False";
  if (m.str(kMode - shift) != "zeros") s += fmt::format(", padding_mode={}", m.str(kMode - shift));
  return s;
}

template <size_t n>
void make_lazy(Maker& k) {
  check_conv<n>(k.m, 1);
  k.lazy_parameter("weight");
  if (k.m.flag(kBias - 1))
    k.lazy_parameter("bias");
  else
    k.no_parameter("bias");
}
template <size_t n>
void materialize(Module& m, Span x) {
  if (x.size() != n + 1 && x.size() != n + 2)
    fail(BP_INVALID_ARGUMENT, "Expected {}D or {}D input to {}, but got input of size {}", n + 1,
         n + 2, m.title, format_shape(x));
  const int64_t in = x[x.size() - n - 1], groups = m.i64(kGroups - 1), out = m.i64(kOut - 1);
  check_groups(m, in, out, groups);
  AttrValue size = m.attrs[0];
  size.i = in;
  m.attrs.insert(m.attrs.begin(), size);
  constexpr const char* kNames[] = {"conv1d", "conv2d", "conv3d"};
  become(m, kNames[n - 1]);
  const bool fresh = materialize_parameter(*m.parameter(0), weight_shape(m, out, in / groups));
  if (m.parameter(1)) materialize_parameter(*m.parameter(1), Dims{out});
  if (fresh) start(m);
}

template <size_t n>
void make_transposed(Maker& k) {
  Module& m = k.m;
  for (size_t a : {+kKernel, +kTStride, +kTPadding, +kTMore, +kTDilation}) spread(m, a, n);
  check_groups(m, m.i64(kIn), m.i64(kOut), m.i64(kTGroups));
  k.parameter("weight", weight_shape(m, m.i64(kIn), m.i64(kOut) / m.i64(kTGroups)));
  if (m.flag(kTBias))
    k.parameter("bias", Dims{m.i64(kOut)});
  else
    k.no_parameter("bias");
  start(m);
}
template <uint32_t kOp>
void transposed_forward(ForwardCall& f) {
  const Module& m = f.m;
  f.give(0, op(kOp, {value(f.x()), m.parameter(0), maybe(m.parameter(1))},
               {ints_value(m.ints(kTStride)), ints_value(m.ints(kTPadding)),
                ints_value(m.ints(kTMore)), int_value(m.i64(kTGroups)),
                ints_value(m.ints(kTDilation))}));
}
std::string transposed_extra(const Module& m) {
  std::string s = fmt::format("{}, {}, kernel_size={}, stride={}", m.i64(kIn), m.i64(kOut),
                              python_text(m.ints(kKernel)), python_text(m.ints(kTStride)));
  if (!all(m.ints(kTPadding), 0)) s += ", padding=" + python_text(m.ints(kTPadding));
  if (!all(m.ints(kTDilation), 1)) s += ", dilation=" + python_text(m.ints(kTDilation));
  if (!all(m.ints(kTMore), 0)) s += ", output_padding=" + python_text(m.ints(kTMore));
  if (m.i64(kTGroups) != 1) s += fmt::format(", groups={}", m.i64(kTGroups));
  if (!m.parameter(1)) s += ", bias=False";
  return s;
}

template <size_t n, uint32_t kOp>
constexpr ModuleKind conv(const char* name, const char* title) {
  return {
      .name = name,
      .title = title,
      .attrs = kConv,
      .make = make_conv<n>,
      .forward = conv_forward<kOp>,
      .extra = conv_extra,
      .doc =
          "Convolution of [N, C, size] or [C, size] with a kernel for each pair of channels, plus bias."};
}
template <size_t n, uint32_t kOp>
constexpr ModuleKind lazy(const char* name, const char* title) {
  return {
      .name = name,
      .title = title,
      .attrs = std::span(kConv).template subspan<1>(),
      .make = make_lazy<n>,
      .forward = conv_forward<kOp>,
      .extra = conv_extra,
      .materialize = materialize<n>,
      .doc = "A convolution that takes in_channels from its first input, and is one from then on."};
}
template <size_t n, uint32_t kOp>
constexpr ModuleKind transposed(const char* name, const char* title) {
  return {.name = name,
          .title = title,
          .attrs = kTransposed,
          .make = make_transposed<n>,
          .forward = transposed_forward<kOp>,
          .extra = transposed_extra,
          .doc = "The gradient of a convolution towards its input, plus bias."};
}
constexpr ModuleKind kRows[] = {
    conv<1, BP_OP_CONV1D>("conv1d", "Conv1d"),
    conv<2, BP_OP_CONV2D>("conv2d", "Conv2d"),
    conv<3, BP_OP_CONV3D>("conv3d", "Conv3d"),
    lazy<1, BP_OP_CONV1D>("lazy_conv1d", "LazyConv1d"),
    lazy<2, BP_OP_CONV2D>("lazy_conv2d", "LazyConv2d"),
    lazy<3, BP_OP_CONV3D>("lazy_conv3d", "LazyConv3d"),
    transposed<1, BP_OP_CONV_TRANSPOSE1D>("conv_transpose1d", "ConvTranspose1d"),
    transposed<2, BP_OP_CONV_TRANSPOSE2D>("conv_transpose2d", "ConvTranspose2d"),
    transposed<3, BP_OP_CONV_TRANSPOSE3D>("conv_transpose3d", "ConvTranspose3d"),
};
}  // namespace
}  // namespace convolution_rows

std::span<const ModuleKind> convolution_kinds() { return convolution_rows::kRows; }

}  // namespace bp::nn
