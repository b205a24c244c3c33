// SPDX-License-Identifier: Apache-2.0
// convolution.cc: convolutions of one to three spatial dimensions, their lazy forms, and transposed
// ones.
#include <algorithm>
#include <cmath>

#include "core/module/initialiser.h"
#include "core/module/kind.h"

namespace bp::nn {
namespace {

constexpr AttrSpec kInChannels = required_int_attr("in_channels", "channels of the input"),
                   kOutChannels = required_int_attr("out_channels", "channels of the result"),
                   kKernelSize =
                       required_ints_attr("kernel_size", "sizes of the kernel, or one for all"),
                   kStride = ints_attr("stride", 1, "steps of the kernel"),
                   kDilation = ints_attr("dilation", 1, "steps between a kernel's elements"),
                   kGroups = int_attr("groups", 1, "groups of channels that do not meet"),
                   kConvBias = flag_attr("bias", true, "whether there is a learned bias");
constexpr AttrSpecs kLazyConv{
    kOutChannels,
    kKernelSize,
    kStride,
    or_text(ints_attr("padding", 0,
                      "added on both sides; or \"valid\" (none), \"same\" (as the input)")),
    kDilation,
    kGroups,
    kConvBias,
    str_attr("padding_mode", "zeros", "zeros, reflect, replicate or circular")};
constexpr AttrSpecs kConv = AttrSpecs{kInChannels}.with(kLazyConv);
constexpr AttrSpecs kTransposed{kInChannels,
                                kOutChannels,
                                kKernelSize,
                                kStride,
                                ints_attr("padding", 0, "taken from both sides of the result"),
                                ints_attr("output_padding", 0, "added to one side of the result"),
                                kGroups,
                                kConvBias,
                                kDilation};

// Lets a list of one number stand for n equal ones.
void spread(Module& m, size_t at, size_t n) {
  AttrValue& v = m.attrs[at];
  if (v.kind != BP_ATTR_INTS) return;
  if (v.ints.size() == 1) v.ints.assign(n, v.ints[0]);
  if (v.ints.size() != n)
    fail(BP_INVALID_ARGUMENT, "{}: {} has {} numbers, expected {} or one", m.title,
         m.kind->attrs.at(at).name, v.ints.size(), n);
}

void start_conv(Module& m) {
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

// kSpecs is the list of a convolution or of a lazy one.
template <size_t n, const AttrSpecs& kSpecs>
void check_conv(Module& m) {
  for (size_t at : {kSpecs["kernel_size"], kSpecs["stride"], kSpecs["padding"], kSpecs["dilation"]})
    spread(m, at, n);
  const AttrValue& padding = m.attrs[kSpecs["padding"]];
  if (padding.kind == BP_ATTR_STR) {
    if (padding.text != "same" && padding.text != "valid")
      fail(BP_INVALID_ARGUMENT, "Invalid padding string '{}', should be one of valid, same",
           padding.text);
    for (int64_t s : m.ints(kSpecs["stride"]))
      if (padding.text == "same" && s != 1)
        fail(BP_INVALID_ARGUMENT, "padding='same' is not supported for strided convolutions");
  }
  const std::string_view mode = m.str(kSpecs["padding_mode"]);
  if (mode != "zeros" && mode != "reflect" && mode != "replicate" && mode != "circular")
    fail(
        BP_INVALID_ARGUMENT,
        "padding_mode must be one of zeros, reflect, replicate, circular, but got padding_mode='{}'",
        mode);
}
Dims weight_shape(int64_t first, int64_t second, Span kernel) {
  Dims shape{first, second};
  for (int64_t k : kernel) shape.push_back(k);
  return shape;
}

template <size_t n>
void make_conv(Maker& k) {
  Module& m = k.m;
  check_conv<n, kConv>(m);
  const int64_t in = m.i64(kConv["in_channels"]), out = m.i64(kConv["out_channels"]),
                groups = m.i64(kConv["groups"]);
  check_groups(m, in, out, groups);
  k.parameter("weight", weight_shape(out, in / groups, m.ints(kConv["kernel_size"])));
  k.optional_parameter("bias", Dims{out}, m.flag(kConv["bias"]));
  start_conv(m);
}

// Returns the padding that the op itself cannot add, as pad's attribute has it: two numbers for
// each dimension, the last dimension first.
Dims sides(const Module& m) {
  Dims pad;
  const Span kernel = m.ints(kConv["kernel_size"]), dilation = m.ints(kConv["dilation"]);
  const AttrValue& padding = m.attrs[kConv["padding"]];
  for (size_t i = kernel.size(); i-- > 0;) {
    const int64_t total = padding.kind == BP_ATTR_INTS ? 2 * padding.ints[i]
                          : padding.text == "same"     ? dilation[i] * (kernel[i] - 1)
                                                       : 0;
    pad.push_back(total / 2), pad.push_back(total - total / 2);
  }
  return pad;
}
template <uint32_t kOp>
void conv_forward(ForwardCall& f) {
  const Module& m = f.m;
  Ref<Tensor> x = Ref<Tensor>::share(&f.x());
  const std::string_view mode = m.str(kConv["padding_mode"]);
  const AttrValue& padding = m.attrs[kConv["padding"]];
  const bool simple = mode == "zeros" && padding.kind == BP_ATTR_INTS;
  if (!simple) {
    const Dims pad = sides(m);
    if (std::any_of(pad.begin(), pad.end(), [](int64_t p) { return p != 0; }))
      x = invoke(BP_OP_PAD, {x},
                 {ints_value(pad), str_value(mode == "zeros" ? "constant" : mode), float_value(0)});
  }
  f.give(0, invoke(kOp, {x, m.needed_parameter(0), maybe(m.parameter(1))},
                   {ints_value(m.ints(kConv["stride"])),
                    ints_value(simple ? Span(padding.ints) : Span{}),
                    ints_value(m.ints(kConv["dilation"])), int_value(m.i64(kConv["groups"]))}));
}

bool all(Span list, int64_t v) {
  return std::all_of(list.begin(), list.end(), [v](int64_t i) { return i == v; });
}
template <const AttrSpecs& kSpecs>
std::string channels_extra(const Module& m, int64_t in) {
  const Span dilation = m.ints(kSpecs["dilation"]);
  const AttrValue& padding = m.attrs[kSpecs["padding"]];
  const int64_t groups = m.i64(kSpecs["groups"]);
  const std::string_view mode = m.str(kSpecs["padding_mode"]);
  std::string s = fmt::format(
      "{}, {}, kernel_size={}, stride={}", in, m.i64(kSpecs["out_channels"]),
      python_text(m.ints(kSpecs["kernel_size"])), python_text(m.ints(kSpecs["stride"])));
  if (padding.kind == BP_ATTR_STR)
    s += ", padding=" + padding.text;
  else if (!all(padding.ints, 0))
    s += ", padding=" + python_text(Span(padding.ints));
  if (!all(dilation, 1)) s += ", dilation=" + python_text(dilation);
  if (groups != 1) s += fmt::format(", groups={}", groups);
  if (!m.parameter(1)) s += ", bias=False";
  if (mode != "zeros") s += fmt::format(", padding_mode={}", mode);
  return s;
}
std::string conv_extra(const Module& m) {
  return channels_extra<kConv>(m, m.i64(kConv["in_channels"]));
}
std::string lazy_conv_extra(const Module& m) { return channels_extra<kLazyConv>(m, 0); }

template <size_t n>
void make_lazy_conv(Maker& k) {
  check_conv<n, kLazyConv>(k.m);
  k.lazy_parameter("weight");
  k.lazy_parameter("bias", k.m.flag(kLazyConv["bias"]));
}
template <size_t n>
void materialize_conv(Module& m, Span x) {
  if (x.size() != n + 1 && x.size() != n + 2)
    fail(BP_INVALID_ARGUMENT, "Expected {}D or {}D input to {}, but got input of size {}", n + 1,
         n + 2, m.title, format_shape(x));
  const int64_t in = x[x.size() - n - 1], groups = m.i64(kLazyConv["groups"]),
                out = m.i64(kLazyConv["out_channels"]);
  check_groups(m, in, out, groups);
  constexpr const char* kNames[] = {"conv1d", "conv2d", "conv3d"};
  become(m, kNames[n - 1], in);
  const bool fresh = materialize_parameter(
      *m.needed_parameter(0), weight_shape(out, in / groups, m.ints(kConv["kernel_size"])));
  if (m.parameter(1)) materialize_parameter(*m.parameter(1), Dims{out});
  if (fresh) start_conv(m);
}

template <size_t n>
void make_transposed(Maker& k) {
  Module& m = k.m;
  for (size_t at : {kTransposed["kernel_size"], kTransposed["stride"], kTransposed["padding"],
                    kTransposed["output_padding"], kTransposed["dilation"]})
    spread(m, at, n);
  const int64_t in = m.i64(kTransposed["in_channels"]), out = m.i64(kTransposed["out_channels"]),
                groups = m.i64(kTransposed["groups"]);
  check_groups(m, in, out, groups);
  k.parameter("weight", weight_shape(in, out / groups, m.ints(kTransposed["kernel_size"])));
  k.optional_parameter("bias", Dims{out}, m.flag(kTransposed["bias"]));
  start_conv(m);
}
template <uint32_t kOp>
void transposed_forward(ForwardCall& f) {
  const Module& m = f.m;
  f.give(0, invoke(kOp, {value(f.x()), m.needed_parameter(0), maybe(m.parameter(1))},
                   {ints_value(m.ints(kTransposed["stride"])),
                    ints_value(m.ints(kTransposed["padding"])),
                    ints_value(m.ints(kTransposed["output_padding"])),
                    int_value(m.i64(kTransposed["groups"])),
                    ints_value(m.ints(kTransposed["dilation"]))}));
}
std::string transposed_extra(const Module& m) {
  const Span padding = m.ints(kTransposed["padding"]), dilation = m.ints(kTransposed["dilation"]),
             more = m.ints(kTransposed["output_padding"]);
  const int64_t groups = m.i64(kTransposed["groups"]);
  std::string s = fmt::format("{}, {}, kernel_size={}, stride={}",
                              m.i64(kTransposed["in_channels"]), m.i64(kTransposed["out_channels"]),
                              python_text(m.ints(kTransposed["kernel_size"])),
                              python_text(m.ints(kTransposed["stride"])));
  if (!all(padding, 0)) s += ", padding=" + python_text(padding);
  if (!all(dilation, 1)) s += ", dilation=" + python_text(dilation);
  if (!all(more, 0)) s += ", output_padding=" + python_text(more);
  if (groups != 1) s += fmt::format(", groups={}", groups);
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
constexpr ModuleKind lazy_conv(const char* name, const char* title) {
  return {
      .name = name,
      .title = title,
      .attrs = kLazyConv,
      .make = make_lazy_conv<n>,
      .forward = conv_forward<kOp>,
      .extra = lazy_conv_extra,
      .materialize = materialize_conv<n>,
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
constexpr ModuleKind kConvolutionKinds[] = {
    conv<1, BP_OP_CONV1D>("conv1d", "Conv1d"),
    conv<2, BP_OP_CONV2D>("conv2d", "Conv2d"),
    conv<3, BP_OP_CONV3D>("conv3d", "Conv3d"),
    lazy_conv<1, BP_OP_CONV1D>("lazy_conv1d", "LazyConv1d"),
    lazy_conv<2, BP_OP_CONV2D>("lazy_conv2d", "LazyConv2d"),
    lazy_conv<3, BP_OP_CONV3D>("lazy_conv3d", "LazyConv3d"),
    transposed<1, BP_OP_CONV_TRANSPOSE1D>("conv_transpose1d", "ConvTranspose1d"),
    transposed<2, BP_OP_CONV_TRANSPOSE2D>("conv_transpose2d", "ConvTranspose2d"),
    transposed<3, BP_OP_CONV_TRANSPOSE3D>("conv_transpose3d", "ConvTranspose3d"),
};
}  // namespace

std::span<const ModuleKind> convolution_kinds() { return kConvolutionKinds; }

}  // namespace bp::nn
