// convolution.cc: convolutions and their gradients towards the input, as products with windows of the padded input.
#include <algorithm>

#include "core/infer.h"
#include "core/ops/families.h"
#include "core/ops/window.h"

namespace bp::ops {
namespace {

// input [N, C, size..] or [C, size..], weight [O, C / groups, kernel..]

struct Conv {
  Spatial kernel, step, padding, dilation, more;  // more: output_padding
  int64_t groups;
  Dims out;  // spatial
};

template <size_t n, bool kTransposed>
Conv conv_of(const OpRow& row, Span weight, Span x, std::span<const bp_attr> attrs) {
  const auto ints = [&](const char* name) -> Span {
    const bp_attr& a = attrs[static_cast<size_t>(row.find_attr(name))];
    return {a.value.ints, a.count};
  };
  Conv c;
  c.step = spatial(row.name, "stride", ints("stride"), n, 1, 1);
  c.padding = spatial(row.name, "padding", ints("padding"), n, 0, 0);
  c.dilation = spatial(row.name, "dilation", ints("dilation"), n, 1, 1);
  if (kTransposed) c.more = spatial(row.name, "output_padding", ints("output_padding"), n, 0, 0);
  c.groups = attrs[static_cast<size_t>(row.find_attr("groups"))].value.i64;
  for (size_t i = 0; i < n; ++i) {
    c.kernel.v[i] = weight[i + 2];
    const int64_t reach = c.dilation[i] * (c.kernel[i] - 1) + 1, size = x[i + 2];
    c.out.push_back(kTransposed ? (size - 1) * c.step[i] - 2 * c.padding[i] + reach + c.more[i]
                                : (size + 2 * c.padding[i] - reach) / c.step[i] + 1);
    if (!kTransposed && size + 2 * c.padding[i] < reach)
      fail(BP_INVALID_ARGUMENT, "Calculated padded input size per channel: ({}). Kernel size: ({}). Kernel size can't be greater "
           "than actual input size", size + 2 * c.padding[i], reach);
    if (kTransposed && c.more[i] >= std::max(c.step[i], c.dilation[i]))
      fail(BP_INVALID_ARGUMENT, "output padding must be smaller than either stride or dilation, but got output_padding: {}, "
           "stride: {}, dilation: {}", c.more[i], c.step[i], c.dilation[i]);
    if (c.out[i] < 0) fail(BP_INVALID_ARGUMENT, "{}: the output would have the size {}", row.name, c.out[i]);
  }
  return c;
}

template <size_t n, bool kTransposed>
void conv_shape(Inference& f) {
  check_rank(f, n);
  const Span w = f.in[1].shape;
  if (w.size() != n + 2)
    fail(BP_INVALID_ARGUMENT, "{}: weight should have {} dimensions, got {}", f.row.name, n + 2, format_shape(w));
  for (int64_t size : w.last(n))
    if (size < 1 || size > kLargestSize)
      fail(BP_INVALID_ARGUMENT, "{}: a kernel of weight {} has no size", f.row.name, format_shape(w));
  const Dims x = batched(f.in[0].shape, n);
  const int64_t groups = f.i64(static_cast<size_t>(f.row.find_attr("groups")));
  if (groups < 1) fail(BP_INVALID_ARGUMENT, "non-positive groups is not supported");
  const int64_t wanted = kTransposed ? w[0] : w[1] * groups;
  if (x[1] != wanted || w[0] % groups != 0)
    fail(BP_INVALID_ARGUMENT, "Given groups={}, weight of size {}, expected input{} to have {} channels, but got {} channels "
         "instead", groups, format_shape(w), format_shape(f.in[0].shape), wanted, x[1]);
  const int64_t channels = kTransposed ? w[1] * groups : w[0];
  if (f.in[2].is_tensor && Dims(f.in[2].shape) != Dims{channels})
    fail(BP_INVALID_ARGUMENT, "Given weight of size {}, expected bias to be 1-dimensional with {} elements, but got bias of size "
         "{} instead", format_shape(w), channels, format_shape(f.in[2].shape));
  const Conv c = conv_of<n, kTransposed>(f.row, w, x, f.attrs);
  Dims out{x[0], channels};
  out.append(c.out.begin(), c.out.end());
  if (f.in[0].shape.size() == n + 1) out.erase(0);
  f.out_shape[0] = out;
}

// x is padded already; weight [O, C / groups, kernel..].
template <size_t n>
Ref<Tensor> convolved(Tensor& x, Tensor& weight, const Conv& c) {
  const int64_t channels = weight.shape[0], in_group = x.shape[1] / c.groups, groups = c.groups;
  int64_t taps = 1;
  for (size_t i = 0; i < n; ++i) taps *= c.kernel[i];
  Ref<Tensor> seen = windows(x, c.kernel, c.step, c.dilation, c.out, n);
  const int64_t places = numel(c.out);
  seen = reshape(*seen, Dims{x.shape[0], groups, in_group * taps, places});
  Ref<Tensor> w = reshape(weight, Dims{groups, channels / groups, in_group * taps});
  Dims shape{x.shape[0], channels};
  shape.append(c.out.begin(), c.out.end());
  return reshape(*product(w, seen), shape);
}
// [C, O / groups, kernel..] becomes [O, C / groups, kernel..], each kernel back to front.
template <size_t n>
Ref<Tensor> turned(Tensor& w, int64_t groups) {
  Dims apart{groups, w.shape[0] / groups}, order{0, 2, 1}, back, shape{w.shape[1] * groups, w.shape[0] / groups};
  for (size_t i = 1; i < n + 2; ++i) apart.push_back(w.shape[i]);
  for (size_t i = 0; i < n; ++i) {
    order.push_back(static_cast<int64_t>(i + 3)), back.push_back(static_cast<int64_t>(i + 2));
    shape.push_back(w.shape[i + 2]);
  }
  return flip(*reshape(*permute(*reshape(w, apart), order), shape), back);
}
// Zeros between elements.
template <size_t n>
Ref<Tensor> stretched(Tensor& x, const Spatial& step) {
  Dims shape = x.shape;
  bool any = false;
  for (size_t i = 0; i < n; ++i) any |= step[i] > 1, shape[i + 2] = shape[i + 2] ? (shape[i + 2] - 1) * step[i] + 1 : 0;
  if (!any) return Ref<Tensor>::share(&x);
  Ref<Tensor> out = filled(shape, x.dtype, zero_of(x.dtype), x.device()), to = out;
  for (size_t i = 0; i < n; ++i) to = slice(*to, static_cast<int64_t>(i + 2), 0, shape[i + 2], step[i]);
  if (x.count) write(*to, x);
  return out;
}

template <size_t n, bool kTransposed>
void conv(Composer& c) {
  Ref<Tensor> x = c.computed(0), w = c.computed(1);
  x = reshape(*x, batched(x->shape, n));
  Conv p = conv_of<n, kTransposed>(c.row, w->shape, x->shape, c.attrs);
  Spatial before = p.padding, after = p.padding;
  if (kTransposed) {
    for (size_t i = 0; i < n; ++i) {
      before.v[i] = p.dilation[i] * (p.kernel[i] - 1) - p.padding[i];
      after.v[i] = before[i] + p.more[i];
    }
    x = stretched<n>(*x, p.step);
    w = turned<n>(*w, p.groups);
    p.step = Spatial{{1, 1, 1}};
  }
  x = padded(*x, before, after, n, zero_of(x->dtype));
  Ref<Tensor> y = convolved<n>(*x, *w, p);
  if (c.has(2)) {
    Dims shape(static_cast<uint32_t>(n + 1), 1);
    shape[0] = -1;
    y = add(y, reshape(*c.computed(2), shape));
  }
  c.out[0] = reshape(*y, c.plan.out_shape[0]);
}

constexpr InputSpecs kConvInputs{{{"input"}, {"weight"}, {"bias", Role::kValue, true}}};
constexpr AttrSpecs kConv{{ints_attr("stride"), ints_attr("padding"), ints_attr("dilation"), int_attr("groups", 1)}};
constexpr AttrSpecs kConvTransposed{{ints_attr("stride"), ints_attr("padding"), ints_attr("output_padding"),
                                     int_attr("groups", 1), ints_attr("dilation")}};

template <size_t n, bool kTransposed>
constexpr OpRow conv_row(uint32_t id, const char* name) {
  return {.id = id, .name = name, .inputs = kConvInputs, .attrs = kTransposed ? kConvTransposed : kConv,
          .layout = Layout::kGeneral, .dtype = rule::arithmetic, .shape = conv_shape<n, kTransposed>,
          .compose = conv<n, kTransposed>,
          .doc = kTransposed ? "The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. "
                               "Error as matmul."
                             : "Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / "
                               "groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul."};
}
constexpr OpRow kRows[] = {
    conv_row<1, false>(220, "conv1d"),
    conv_row<2, false>(221, "conv2d"),
    conv_row<3, false>(222, "conv3d"),
    conv_row<1, true>(223, "conv_transpose1d"),
    conv_row<2, true>(224, "conv_transpose2d"),
    conv_row<3, true>(225, "conv_transpose3d"),
};
}  // namespace

std::span<const OpRow> convolution() { return kRows; }

}  // namespace bp::ops
