// SPDX-License-Identifier: Apache-2.0
// convolution.cc: convolutions of one to three dims are made of three rows for any of these:
// convolution, and its gradients towards the input (which a transposed convolution is) and towards
// the weight. A backend without kernels for them gets products with windows of the padded input.
#include <algorithm>

#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/network/attributes.h"
#include "core/ops/network/window.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

// input [N, C, size..] or [C, size..], weight [O, C / groups, kernel..]

constexpr AttrSpecs kConvTransposeAttrs{ints_attr("stride"), ints_attr("padding"),
                                        ints_attr("output_padding"), int_attr("groups", 1),
                                        ints_attr("dilation")};
template <bool kTransposed>
constexpr AttrSpecs kConvAttrs = kTransposed ? kConvTransposeAttrs : kConvolutionAttrs;

struct Conv {
  Spatial kernel, step, padding, dilation, more;  // more is output_padding
  int64_t groups;
  Dims out;  // spatial
};

template <size_t n, bool kTransposed>
Conv conv_of(const OpRow& row, Span weight, Span x, const AttrReader& attrs) {
  constexpr const AttrSpecs& kAttrs = kConvAttrs<kTransposed>;
  Conv c;
  c.step = spatial(row.name, "stride", attrs.ints(kAttrs["stride"]), n, 1, 1);
  c.padding = spatial(row.name, "padding", attrs.ints(kAttrs["padding"]), n, 0, 0);
  c.dilation = spatial(row.name, "dilation", attrs.ints(kAttrs["dilation"]), n, 1, 1);
  if (kTransposed)
    c.more = spatial(row.name, "output_padding", attrs.ints(kConvTransposeAttrs["output_padding"]),
                     n, 0, 0);
  c.groups = attrs.i64(kAttrs["groups"]);
  for (size_t i = 0; i < n; ++i) {
    c.kernel.v[i] = weight[i + 2];
    const int64_t reach = c.dilation[i] * (c.kernel[i] - 1) + 1, size = x[i + 2];
    c.out.push_back(kTransposed ? (size - 1) * c.step[i] - 2 * c.padding[i] + reach + c.more[i]
                                : (size + 2 * c.padding[i] - reach) / c.step[i] + 1);
    if (!kTransposed && size + 2 * c.padding[i] < reach)
      fail(
          BP_INVALID_ARGUMENT,
          "Calculated padded input size per channel: ({}). Kernel size: ({}). Kernel size can't be greater "
          "than actual input size",
          size + 2 * c.padding[i], reach);
    if (kTransposed && c.more[i] >= std::max(c.step[i], c.dilation[i]))
      fail(
          BP_INVALID_ARGUMENT,
          "output padding must be smaller than either stride or dilation, but got output_padding: {}, "
          "stride: {}, dilation: {}",
          c.more[i], c.step[i], c.dilation[i]);
    if (c.out[i] < 0)
      fail(BP_INVALID_ARGUMENT, "{}: the output would have the size {}", row.name, c.out[i]);
  }
  return c;
}

template <size_t n, bool kTransposed>
void conv_shape(Inference& f) {
  check_rank(f, n);
  const Span w = f.in[1].shape;
  if (w.size() != n + 2)
    fail(BP_INVALID_ARGUMENT, "{}: weight should have {} dimensions, got {}", f.row.name, n + 2,
         format_shape(w));
  for (int64_t size : w.last(n))
    if (size < 1 || size > kLargestSize)
      fail(BP_INVALID_ARGUMENT, "{}: a kernel of weight {} has no size", f.row.name,
           format_shape(w));
  const Dims x = batched(f.in[0].shape, n);
  const int64_t groups = f.i64(kConvAttrs<kTransposed>["groups"]);
  if (groups < 1) fail(BP_INVALID_ARGUMENT, "non-positive groups is not supported");
  if (w[0] < groups)
    fail(
        BP_INVALID_ARGUMENT,
        "Given groups={}, expected weight to be at least {} at dimension 0, but got weight of size {} instead",
        groups, groups, format_shape(w));
  const int64_t wanted = kTransposed ? w[0] : w[1] * groups;
  if (x[1] != wanted || w[0] % groups != 0)
    fail(
        BP_INVALID_ARGUMENT,
        "Given groups={}, weight of size {}, expected input{} to have {} channels, but got {} channels "
        "instead",
        groups, format_shape(w), format_shape(f.in[0].shape), wanted, x[1]);
  const int64_t channels = kTransposed ? w[1] * groups : w[0];
  if (f.in[2].is_tensor && Dims(f.in[2].shape) != Dims{channels})
    fail(
        BP_INVALID_ARGUMENT,
        "Given weight of size {}, expected bias to be 1-dimensional with {} elements, but got bias of size "
        "{} instead",
        format_shape(w), channels, format_shape(f.in[2].shape));
  const Conv c = conv_of<n, kTransposed>(f.row, w, x, f);
  Dims out{x[0], channels};
  out.append(c.out.begin(), c.out.end());
  if (f.in[0].shape.size() == n + 1) out.erase(0);
  f.out_shape[0] = out;
}

// ---- of any dims: input [N, C, size..], weight [O, C / groups, kernel..], grad [N, O, out..] ----

struct Geometry {
  size_t n;  // spatial dims
  Spatial kernel, step, padding, dilation;
  int64_t groups;
  Dims out;  // spatial
};
Geometry geometry(const OpRow& row, Span x, Span kernel, std::span<const bp_attr> attrs) {
  const AttrReader v{attrs.last(kConvolutionAttrs.size())};
  Geometry g;
  g.n = x.size();
  g.step = spatial(row.name, "stride", v.ints(kConvolutionAttrs["stride"]), g.n, 1, 1);
  g.padding = spatial(row.name, "padding", v.ints(kConvolutionAttrs["padding"]), g.n, 0, 0);
  g.dilation = spatial(row.name, "dilation", v.ints(kConvolutionAttrs["dilation"]), g.n, 1, 1);
  g.groups = v.i64(kConvolutionAttrs["groups"]);
  if (g.groups < 1) fail(BP_INVALID_ARGUMENT, "non-positive groups is not supported");
  for (size_t i = 0; i < g.n; ++i) {
    g.kernel.v[i] = kernel[i];
    if (kernel[i] < 1 || kernel[i] > kLargestSize || x[i] > kLargestSize)
      fail(BP_INVALID_ARGUMENT, "{}: a kernel of {} over {} is not possible", row.name,
           format_shape(kernel), format_shape(x));
    const int64_t free = x[i] + 2 * g.padding[i] - g.dilation[i] * (kernel[i] - 1) - 1;
    if (free < 0)
      fail(BP_INVALID_ARGUMENT,
           "{}: a kernel of {} with dilation {} is larger than the padded input of {}", row.name,
           format_shape(kernel), g.dilation[i], format_shape(x));
    g.out.push_back(free / g.step[i] + 1);
  }
  return g;
}
void check_pair(const Inference& f, size_t given) {
  const size_t rank = f.in[0].shape.size();
  if (rank < 3 || rank > 2 + kMost || f.in[1].shape.size() != rank)
    fail(BP_INVALID_ARGUMENT,
         "{}: {} and {} must have 3 to 5 dimensions, the same number, got {} and {}", f.row.name,
         f.row.inputs[0].name, f.row.inputs[1].name, format_shape(f.in[0].shape),
         format_shape(f.in[1].shape));
  if (given && given != rank - 2)
    fail(BP_INVALID_ARGUMENT, "{}: size must have {} values, got {}", f.row.name, rank - 2, given);
}
void check_channels(const Inference& f, int64_t groups, bool fits) {
  if (!fits)
    fail(BP_INVALID_ARGUMENT, "{}: the channels of {} {} and {} {} do not fit with groups={}",
         f.row.name, f.row.inputs[0].name, format_shape(f.in[0].shape), f.row.inputs[1].name,
         format_shape(f.in[1].shape), groups);
}
void check_out(const Inference& f, const Geometry& g) {
  if (Dims(f.in[0].shape.subspan(2)) != g.out)
    fail(BP_INVALID_ARGUMENT, "{}: grad {} does not have the convolution's size {}", f.row.name,
         format_shape(f.in[0].shape), format_shape(g.out));
}

void convolution_shape(Inference& f) {
  check_pair(f, 0);
  const Span x = f.in[0].shape, w = f.in[1].shape;
  const Geometry g = geometry(f.row, x.subspan(2), w.subspan(2), f.attrs);
  check_channels(f, g.groups, w[1] * g.groups == x[1] && w[0] % g.groups == 0);
  f.out_shape[0] = Dims{x[0], w[0]};
  f.out_shape[0].append(g.out.begin(), g.out.end());
}
void input_grad_shape(Inference& f) {
  const Span grad = f.in[0].shape, w = f.in[1].shape, size = f.ints(kConvolutionGradAttrs["size"]);
  check_pair(f, size.size());
  const Geometry g = geometry(f.row, size, w.subspan(2), f.attrs);
  check_channels(f, g.groups, grad[1] == w[0] && w[0] % g.groups == 0);
  check_out(f, g);
  f.out_shape[0] = Dims{grad[0], w[1] * g.groups};
  for (int64_t s : size) f.out_shape[0].push_back(s);
}
void weight_grad_shape(Inference& f) {
  const Span grad = f.in[0].shape, x = f.in[1].shape, size = f.ints(kConvolutionGradAttrs["size"]);
  check_pair(f, size.size());
  const Geometry g = geometry(f.row, x.subspan(2), size, f.attrs);
  check_channels(f, g.groups, grad[0] == x[0] && grad[1] % g.groups == 0 && x[1] % g.groups == 0);
  check_out(f, g);
  f.out_shape[0] = Dims{grad[1], x[1] / g.groups};
  for (int64_t s : size) f.out_shape[0].push_back(s);
}

// Returns the taps of all channels of a group by place: [N, groups, C / groups * taps, places].
Ref<Tensor> grouped_windows(Tensor& x, const Geometry& g) {
  Ref<Tensor> seen = windows(x, g.kernel, g.step, g.dilation, g.out, g.n);
  return reshape(*seen, Dims{x.shape[0], g.groups,
                             x.shape[1] / g.groups * numel(Span(g.kernel.v, g.n)), numel(g.out)});
}
Ref<Tensor> convolved(Tensor& input, Tensor& weight, const Geometry& g) {
  Ref<Tensor> x = padded(input, g.padding, g.padding, g.n, zero_of(input.dtype));
  Ref<Tensor> w = reshape(
      weight, Dims{g.groups, weight.shape[0] / g.groups, numel(Span(weight.shape).subspan(1))});
  Dims shape{x->shape[0], weight.shape[0]};
  shape.append(g.out.begin(), g.out.end());
  return reshape(*product(w, grouped_windows(*x, g)), shape);
}
// [O, C / groups, kernel..] becomes [C, O / groups, kernel..], each kernel back to front.
Ref<Tensor> turned(Tensor& w, int64_t groups, size_t n) {
  Dims apart{groups, w.shape[0] / groups}, order{0, 2, 1}, back,
      shape{w.shape[1] * groups, w.shape[0] / groups};
  for (size_t i = 1; i < n + 2; ++i) apart.push_back(w.shape[i]);
  for (size_t i = 0; i < n; ++i) {
    order.push_back(static_cast<int64_t>(i + 3)), back.push_back(static_cast<int64_t>(i + 2));
    shape.push_back(w.shape[i + 2]);
  }
  return flip(*reshape(*permute(*reshape(w, apart), order), shape), back);
}
// Returns x with step - 1 zeros between neighbours.
Ref<Tensor> stretched(Tensor& x, const Spatial& step, size_t n) {
  Dims shape = x.shape;
  bool any = false;
  for (size_t i = 0; i < n; ++i)
    any |= step[i] > 1, shape[i + 2] = shape[i + 2] ? (shape[i + 2] - 1) * step[i] + 1 : 0;
  if (!any) return Ref<Tensor>::share(&x);
  Ref<Tensor> out = filled(shape, x.dtype, zero_of(x.dtype), x.device());
  Inside inside;
  for (size_t i = 0; i < n; ++i)
    inside.cuts.push_back({static_cast<int64_t>(i + 2), 0, x.shape[i + 2], step[i]});
  return x.count ? embedded(std::move(out), Ref<Tensor>::share(&x), inside) : out;
}

void convolution(Composer& c) {
  Ref<Tensor> x = c.computed(0), w = c.computed(1);
  c.out[0] = convolved(
      *x, *w, geometry(c.row, Span(x->shape).subspan(2), Span(w->shape).subspan(2), c.attrs));
}
// The gradient, with zeros between its elements where steps were larger, is convolved with step 1.
void convolution_input_grad(Composer& c) {
  Ref<Tensor> grad = c.computed(0), w = c.computed(1);
  const Span size = c.ints(kConvolutionGradAttrs["size"]);
  Geometry g = geometry(c.row, size, Span(w->shape).subspan(2), c.attrs);
  grad = stretched(*grad, g.step, g.n);
  Spatial before, after;
  for (size_t i = 0; i < g.n; ++i) {
    const int64_t reach = g.dilation[i] * (g.kernel[i] - 1);
    before.v[i] = reach - g.padding[i];
    after.v[i] = size[i] + reach - grad->shape[i + 2] - before[i];
  }
  grad = padded(*grad, before, after, g.n, zero_of(grad->dtype));
  g.step = Spatial{{1, 1, 1}}, g.padding = Spatial{}, g.out = Dims(size);
  c.out[0] = convolved(*grad, *turned(*w, g.groups, g.n), g);
}
void convolution_weight_grad(Composer& c) {
  Ref<Tensor> grad = c.computed(0), x = c.computed(1);
  const Span size = c.ints(kConvolutionGradAttrs["size"]);
  const Geometry g = geometry(c.row, Span(x->shape).subspan(2), size, c.attrs);
  const int64_t channels = grad->shape[1] / g.groups, places = numel(g.out);
  // The sizes are named because reshape cannot find one out when the batch is empty.
  const int64_t taps = x->shape[1] / g.groups * numel(size);
  x = padded(*x, g.padding, g.padding, g.n, zero_of(x->dtype));
  const int64_t all = grad->shape[0] * places;
  Ref<Tensor> rows = reshape(*grad, Dims{grad->shape[0], g.groups, channels, places});
  rows = reshape(*permute(*rows, Dims{1, 2, 0, 3}), Dims{g.groups, channels, all});
  Ref<Tensor> seen =
      reshape(*permute(*grouped_windows(*x, g), Dims{1, 0, 3, 2}), Dims{g.groups, all, taps});
  c.out[0] = reshape(*product(rows, seen), c.plan.out_shape[0]);
}

// ---- convolutions of one, two and three dims ----

template <size_t n, bool kTransposed>
void conv(Composer& c) {
  Ref<Tensor> x = c.computed(0), w = c.computed(1);
  x = reshape(*x, batched(x->shape, n));
  const Conv p = conv_of<n, kTransposed>(c.row, w->shape, x->shape, c);
  const auto list = [](const Spatial& s) { return ints_value({s.v, n}); };
  Ref<Tensor> y =
      kTransposed ? invoke(BP_OP_CONVOLUTION_INPUT_GRAD, {x, w},
                           {ints_value(p.out), list(p.step), list(p.padding), list(p.dilation),
                            int_value(p.groups)})
                  : invoke(BP_OP_CONVOLUTION, {x, w},
                           {list(p.step), list(p.padding), list(p.dilation), int_value(p.groups)});
  if (c.has(2)) {
    Dims shape(static_cast<uint32_t>(n + 1), 1);
    shape[0] = -1;
    add_to(y, reshape(*c.computed(2), shape));
  }
  c.out[0] = reshape(*y, c.plan.out_shape[0]);
}

// Nothing is promoted, as in PyTorch.
void one_dtype(Inference& f) {
  rule::arithmetic(f);
  for (size_t i = 1; i < f.in.size(); ++i)
    if (f.in[i].is_tensor && f.in[i].dtype != f.in[0].dtype)
      fail(BP_DTYPE_MISMATCH, "Input type ({}) and {} type ({}) should be the same",
           dtype_title(f.in[0].dtype), f.row.inputs[i].name, dtype_title(f.in[i].dtype));
}

constexpr InputSpecs kConvInputs{{{"input"}, {"weight"}, {"bias", Role::kValue, true}}};

template <size_t n, bool kTransposed>
constexpr OpRow conv_row(uint32_t id, const char* name) {
  return {
      .id = id,
      .name = name,
      .inputs = kConvInputs,
      .attrs = kConvAttrs<kTransposed>,
      .layout = Layout::kGeneral,
      .dtype = one_dtype,
      .shape = conv_shape<n, kTransposed>,
      .compose = conv<n, kTransposed>,
      .doc =
          kTransposed
              ? "The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. "
                "Error as matmul."
              : "Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / "
                "groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul."};
}

// clang-format off
constexpr OpRow kConvolutionRows[] = {
    {.id = 340, .name = "convolution", .inputs = {{{"input"}, {"weight"}}}, .attrs = kConvolutionAttrs, .layout = Layout::kGeneral,
     .dtype = rule::arithmetic, .shape = convolution_shape, .compose = convolution,
     .grad = {"ConvolutionBackward0", convolution_back, kIn0 | kIn1}, .flags = kProducts,
     .doc = "Convolution of input [N, C, size] with weight [O, C / groups, kernel] over one to three dims. Error as matmul."},
    {.id = 341, .name = "convolution_input_grad", .inputs = {{{"grad"}, {"weight"}}}, .attrs = kConvolutionGradAttrs,
     .layout = Layout::kGeneral, .dtype = rule::arithmetic, .shape = input_grad_shape, .compose = convolution_input_grad,
     .grad = {"ConvolutionBackward0", convolution_input_grad_back, kIn0 | kIn1}, .flags = kProducts,
     .doc = "convolution's gradient towards an input of the spatial size; grad is that of its result. Error as matmul."},
    {.id = 342, .name = "convolution_weight_grad", .inputs = {{{"grad"}, {"input"}}}, .attrs = kConvolutionGradAttrs,
     .layout = Layout::kGeneral, .dtype = rule::arithmetic, .shape = weight_grad_shape, .compose = convolution_weight_grad,
     .grad = {"ConvolutionBackward0", convolution_weight_grad_back, kIn0 | kIn1}, .flags = kProducts,
     .doc = "convolution's gradient towards a weight whose kernels have the size; grad is that of its result. Error as matmul."},
    conv_row<1, false>(220, "conv1d"),
    conv_row<2, false>(221, "conv2d"),
    conv_row<3, false>(222, "conv3d"),
    conv_row<1, true>(223, "conv_transpose1d"),
    conv_row<2, true>(224, "conv_transpose2d"),
    conv_row<3, true>(225, "conv_transpose3d"),
};
// clang-format on
}  // namespace

std::span<const OpRow> convolution_rows() { return kConvolutionRows; }

}  // namespace bp::ops
