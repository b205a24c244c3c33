// window.cc: convolutions and pooling. Windows are a strided view of the padded input, [N, C, kernel.., out..]: a convolution
// is a matrix product with it, pooling a reduction of it.
#include <cmath>
#include <limits>

#include "core/dtype.h"
#include "core/infer.h"
#include "core/ops/families.h"
#include "core/ops/made_of.h"

namespace bp::ops {
namespace {

constexpr int kMost = 3;  // spatial dims
constexpr int64_t kLargestSize = std::numeric_limits<int32_t>::max();  // of anything spatial: products do not overflow
struct Spatial {
  int64_t v[kMost] = {};
  int64_t operator[](size_t i) const { return v[i]; }
};

// One number for each spatial dim, one for all of them, or none: `absent`.
Spatial spatial(const char* op, const char* what, Span given, size_t n, int64_t absent, int64_t least) {
  if (given.size() > 1 && given.size() != n)
    fail(BP_INVALID_ARGUMENT, "expected {} to be a single integer value or a list of {} values to match the {} dimensions, but "
         "got {}={}", what, n, op, what, format_shape(given));
  Spatial s;
  for (size_t i = 0; i < n; ++i) {
    s.v[i] = given.empty() ? absent : given[given.size() == 1 ? 0 : i];
    if (s.v[i] > kLargestSize) fail(BP_INVALID_ARGUMENT, "{}: {} {} is too large", op, what, format_shape(given));
    if (s.v[i] >= least) continue;
    if (least > 0) fail(BP_INVALID_ARGUMENT, "{}: {} should be greater than zero, got {}", op, what, format_shape(given));
    fail(BP_INVALID_ARGUMENT, "{}: negative {} is not supported, got {}", op, what, format_shape(given));
  }
  return s;
}

// With or without a batch.
void check_rank(Inference& f, size_t n) {
  const Span x = f.in[0].shape;
  if (x.size() != n + 1 && x.size() != n + 2)
    fail(BP_INVALID_ARGUMENT, "Expected {}D (unbatched) or {}D (batched) input to {}, but got input of size: {}", n + 1, n + 2,
         f.row.name, format_shape(x));
  for (int64_t size : x.last(n))
    if (size > kLargestSize) fail(BP_INVALID_ARGUMENT, "{}: the size {} is too large", f.row.name, format_shape(x));
}
Dims batched(Span x, size_t n) {
  Dims shape(x);
  if (x.size() == n + 1) shape.insert(0, 1);
  return shape;
}

Ref<Tensor> padded(Tensor& x, const Spatial& before, const Spatial& after, size_t n, const bp_value& v) {
  Dims shape = x.shape;
  bool any = false;
  for (size_t i = 0; i < n; ++i) shape[i + 2] += before[i] + after[i], any |= before[i] != 0 || after[i] != 0;
  if (!any) return Ref<Tensor>::share(&x);
  Ref<Tensor> out = filled(shape, x.dtype, v, x.device()), to = out, from = Ref<Tensor>::share(&x);
  for (size_t i = 0; i < n; ++i) {
    const auto d = static_cast<int64_t>(i + 2);
    const int64_t cut = before[i] < 0 ? -before[i] : 0, kept = x.shape[i + 2] - cut - (after[i] < 0 ? -after[i] : 0);
    if (kept <= 0) return out;
    from = narrow(*from, d, cut, kept);
    to = narrow(*to, d, before[i] > 0 ? before[i] : 0, kept);
  }
  write(*to, *from);
  return out;
}

// [N, C, kernel.., out..] over x [N, C, size..]
Ref<Tensor> windows(const Tensor& x, const Spatial& kernel, const Spatial& step, const Spatial& dilation, const Dims& out, size_t n) {
  Dims shape{x.shape[0], x.shape[1]}, strides{x.strides[0], x.strides[1]};
  for (size_t i = 0; i < n; ++i) shape.push_back(kernel[i]), strides.push_back(x.strides[i + 2] * dilation[i]);
  for (size_t i = 0; i < n; ++i) shape.push_back(out[i]), strides.push_back(x.strides[i + 2] * step[i]);
  return make_view(x, shape, strides, x.offset);
}

// ---- convolution: input [N, C, size..], weight [O, C / groups, kernel..] ----

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

// ---- pooling: [N, C, size..] or [C, size..] ----

struct Pool {
  Spatial kernel, step, padding, dilation, after;
  Dims out;
};
template <size_t n>
Pool pool_of(const OpRow& row, Span x, std::span<const bp_attr> attrs) {
  const auto ints = [&](const char* name) -> Span {
    const int at = row.find_attr(name);
    return at < 0 ? Span{} : Span{attrs[static_cast<size_t>(at)].value.ints, attrs[static_cast<size_t>(at)].count};
  };
  const bool ceil_mode = attrs[static_cast<size_t>(row.find_attr("ceil_mode"))].value.i64;
  Pool p;
  if (ints("kernel_size").empty()) fail(BP_INVALID_ARGUMENT, "{}: kernel_size must be given", row.name);
  p.kernel = spatial(row.name, "kernel_size", ints("kernel_size"), n, 1, 1);
  p.step = ints("stride").empty() ? p.kernel : spatial(row.name, "stride", ints("stride"), n, 1, 1);
  p.padding = spatial(row.name, "padding", ints("padding"), n, 0, 0);
  p.dilation = spatial(row.name, "dilation", ints("dilation"), n, 1, 1);
  for (size_t i = 0; i < n; ++i) {
    if (p.padding[i] > p.kernel[i] / 2)
      fail(BP_INVALID_ARGUMENT, "pad should be at most half of effective kernel size, but got pad={}, kernel_size={} and "
           "dilation={}", p.padding[i], p.kernel[i], p.dilation[i]);
    const int64_t reach = p.dilation[i] * (p.kernel[i] - 1) + 1, size = x[i + 2], free = size + 2 * p.padding[i] - reach;
    int64_t out = free < 0 ? 0 : (free + (ceil_mode ? p.step[i] - 1 : 0)) / p.step[i] + 1;
    // The last window begins within the input or the padding before it.
    if (ceil_mode && out > 0 && (out - 1) * p.step[i] >= size + p.padding[i]) --out;
    if (out < 1)
      fail(BP_INVALID_ARGUMENT, "Given input size: {}. Calculated output size: {} along dimension {}. Output size is too small",
           format_shape(x), out, i + 2);
    p.out.push_back(out);
    p.after.v[i] = std::max(p.padding[i], (out - 1) * p.step[i] + reach - size - p.padding[i]);
  }
  return p;
}
template <size_t n>
void pool_shape(Inference& f) {
  check_rank(f, n);
  const Dims x = batched(f.in[0].shape, n);
  const Pool p = pool_of<n>(f.row, x, f.attrs);
  Dims out{x[0], x[1]};
  out.append(p.out.begin(), p.out.end());
  if (f.in[0].shape.size() == n + 1) out.erase(0);
  f.out_shape[0] = out;
}

bp_value lowest_of(bp_dtype t) {
  if (is_floating(t)) return number(-HUGE_VAL);
  if (is_unsigned(t)) return number(int64_t{0});
  const int bits = static_cast<int>(8 * dtype_bytes(t));
  return number(std::numeric_limits<int64_t>::min() >> (64 - bits));
}
template <size_t n>
Dims kernel_axes() {
  Dims axes;
  for (size_t i = 0; i < n; ++i) axes.push_back(static_cast<int64_t>(i + 2));
  return axes;
}
template <size_t n>
void max_pool(Composer& c) {
  Ref<Tensor> x = reshape(c.tensor(0), batched(c.tensor(0).shape, n));
  const Pool p = pool_of<n>(c.row, x->shape, c.attrs);
  x = padded(*x, p.padding, p.after, n, lowest_of(x->dtype));
  Ref<Tensor> y = reduced(BP_OP_MAX, windows(*x, p.kernel, p.step, p.dilation, p.out, n), kernel_axes<n>(), false);
  c.out[0] = reshape(*y, c.plan.out_shape[0]);
}

// How many elements each window has: of the input, or of the input and its padding of both sides, but not of what
// ceil_mode adds.
template <size_t n>
Ref<Tensor> counts(const Pool& p, Span x, bool include_pad, bp_dtype dtype, Device& device) {
  Dims shape{1, 1};
  for (size_t i = 0; i < n; ++i) shape.push_back(x[i + 2] + (include_pad ? 2 * p.padding[i] : 0));
  Ref<Tensor> ones = filled(shape, dtype, number(1.0), device);
  Spatial before, after;
  for (size_t i = 0; i < n; ++i) {
    before.v[i] = include_pad ? 0 : p.padding[i];
    after.v[i] = include_pad ? p.after[i] - p.padding[i] : p.after[i];
  }
  ones = padded(*ones, before, after, n, number(0.0));
  return sum(windows(*ones, p.kernel, p.step, p.dilation, p.out, n), kernel_axes<n>(), false);
}
template <size_t n>
void avg_pool(Composer& c) {
  Ref<Tensor> x = c.wide(0);
  x = reshape(*x, batched(x->shape, n));
  const Pool p = pool_of<n>(c.row, x->shape, c.attrs);
  const bool include_pad = c.i64(4);
  const Dims size = x->shape;
  x = padded(*x, p.padding, p.after, n, number(0.0));
  Ref<Tensor> total = sum(windows(*x, p.kernel, p.step, p.dilation, p.out, n), kernel_axes<n>(), false);
  c.out[0] = reshape(*div(total, counts<n>(p, size, include_pad, x->dtype, x->device())), c.plan.out_shape[0]);
}

// ---- by axis: adaptive pooling and interpolation ----

template <size_t n>
void resized_shape(Inference& f) {
  check_rank(f, n);
  const Spatial out = spatial(f.row.name, "output_size", f.ints(0), n, -1, 0);
  f.out_shape[0] = Dims(f.in[0].shape);
  for (size_t i = 0; i < n; ++i) f.out_shape[0][f.in[0].shape.size() - n + i] = out[i];
}
// Averages along an axis as a matrix product: column o has 1 / length in rows floor(o n / m) .. ceil((o + 1) n / m) - 1.
Ref<Tensor> averaged_along(Tensor& x, int64_t axis, int64_t to) {
  const int64_t from = x.shape[axis];
  Ref<Tensor> o = counted(to, x.device()), i = unsqueeze(*counted(from, x.device()), 1);
  Ref<Tensor> first = made(BP_OP_FLOOR_DIVIDE, mul(o, from), to);
  Ref<Tensor> end = made(BP_OP_FLOOR_DIVIDE, add(mul(add(o, int64_t{1}), from), to - 1), to);
  Ref<Tensor> inside = made(BP_OP_LOGICAL_AND, at_most(first, i), less(i, end));
  Ref<Tensor> share = div(as_dtype(*inside, x.dtype), as_dtype(*sub(end, first), x.dtype));
  return transpose(*product(transpose(x, axis, -1), share), axis, -1);
}
template <size_t n>
void adaptive_avg_pool(Composer& c) {
  Ref<Tensor> x = c.wide(0);
  for (size_t i = 0; i < n; ++i) {
    const auto axis = static_cast<int64_t>(x->rank() - n + i);
    if (c.plan.out_shape[0][axis] != x->shape[axis]) x = averaged_along(*x, axis, c.plan.out_shape[0][axis]);
  }
  c.out[0] = x;
}

void interpolate_shape(Inference& f) {
  const Span x = f.in[0].shape, size = f.ints(0);
  const auto mode = f.str(1);
  const size_t n = x.size() < 2 ? 0 : x.size() - 2;
  if (n < 1 || n > kMost || (size.size() != n && size.size() != 1))
    fail(BP_INVALID_ARGUMENT, "Input and output must have the same number of spatial dimensions, but got input with spatial "
         "dimensions of {} and output size of {}.", n, format_shape(size));
  if (mode != "nearest" && !(mode == "linear" && n == 1) && !(mode == "bilinear" && n == 2) && !(mode == "trilinear" && n == 3))
    fail(BP_INVALID_ARGUMENT, "Got {}D input, but {} mode is not for it", n + 2, mode);
  if (mode == "nearest" && f.i64(2))
    fail(BP_INVALID_ARGUMENT, "align_corners option can only be set with the interpolating modes: linear | bilinear | trilinear");
  f.out_shape[0] = Dims(x);
  for (size_t i = 0; i < n; ++i) {
    f.out_shape[0][i + 2] = size[size.size() == 1 ? 0 : i];
    if (x[i + 2] < 1 || f.out_shape[0][i + 2] < 1)
      fail(BP_INVALID_ARGUMENT, "Input and output sizes should be greater than 0, but got input {} output {}", format_shape(x),
           format_shape(size));
  }
}
Ref<Tensor> nearest_along(const Ref<Tensor>& x, int64_t axis, int64_t to) {
  Ref<Tensor> at = made(BP_OP_FLOOR_DIVIDE, mul(counted(to, x->device()), x->shape[axis]), to);
  return picked(x, at, axis);
}
// Between the neighbours of (o + 1/2) n / m - 1/2, or of o (n - 1) / (m - 1) with aligned corners.
Ref<Tensor> linear_along(const Ref<Tensor>& x, int64_t axis, int64_t to, bool aligned) {
  const int64_t from = x->shape[axis];
  Ref<Tensor> o = as_dtype(*counted(to, x->device()), BP_F64);
  const double by = aligned ? (to > 1 ? static_cast<double>(from - 1) / static_cast<double>(to - 1) : 0)
                            : static_cast<double>(from) / static_cast<double>(to);
  Ref<Tensor> place = aligned ? mul(o, by) : larger(sub(mul(add(o, 0.5), by), 0.5), 0.0);
  Ref<Tensor> low = smaller(made(BP_OP_FLOOR, place), static_cast<double>(from - 1));
  Dims shape(x->rank(), 1);
  shape[axis] = to;
  Ref<Tensor> weight = reshape(*as_dtype(*sub(place, low), x->dtype), shape);
  Ref<Tensor> first = as_dtype(*low, BP_I64), next = smaller(add(first, int64_t{1}), from - 1);
  return Composer::op(BP_OP_LERP, {picked(x, first, axis), picked(x, next, axis), weight});
}
void interpolate(Composer& c) {
  const bool nearest = c.str(1) == "nearest";
  Ref<Tensor> x = nearest ? Ref<Tensor>::share(&c.tensor(0)) : c.wide(0);
  for (uint32_t d = 2; d < x->rank(); ++d) {
    const int64_t to = c.plan.out_shape[0][d];
    if (to == x->shape[d]) continue;
    x = nearest ? nearest_along(x, d, to) : linear_along(x, d, to, c.i64(2));
  }
  c.out[0] = x;
}

// ---- rows ----

constexpr InputSpecs kConvInputs{{{"input"}, {"weight"}, {"bias", Role::kValue, true}}};
constexpr InputSpecs kInput{{{"input"}}};
constexpr AttrSpecs kConv{{ints_attr("stride"), ints_attr("padding"), ints_attr("dilation"), int_attr("groups", 1)}};
constexpr AttrSpecs kConvTransposed{{ints_attr("stride"), ints_attr("padding"), ints_attr("output_padding"),
                                     int_attr("groups", 1), ints_attr("dilation")}};
constexpr AttrSpecs kMaxPool{{required_ints_attr("kernel_size"), ints_attr("stride"), ints_attr("padding"),
                              ints_attr("dilation"), flag_attr("ceil_mode", false)}};
constexpr AttrSpecs kAvgPool{{required_ints_attr("kernel_size"), ints_attr("stride"), ints_attr("padding"),
                              flag_attr("ceil_mode", false), flag_attr("count_include_pad", true)}};
constexpr AttrSpecs kOutputSize{{required_ints_attr("output_size")}};

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
template <size_t n>
constexpr OpRow max_pool_row(uint32_t id, const char* name) {
  return {.id = id, .name = name, .inputs = kInput, .attrs = kMaxPool, .layout = Layout::kGeneral,
          .dtype = rule::arithmetic, .shape = pool_shape<n>, .compose = max_pool<n>,
          .doc = "The largest of each window; NaN when one is there. stride none: kernel_size."};
}
template <size_t n>
constexpr OpRow avg_pool_row(uint32_t id, const char* name) {
  return {.id = id, .name = name, .inputs = kInput, .attrs = kAvgPool, .layout = Layout::kGeneral,
          .dtype = rule::averaged, .shape = pool_shape<n>, .compose = avg_pool<n>, .max_ulp = 8,
          .doc = "The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of "
                 "sum's kind."};
}
template <size_t n>
constexpr OpRow adaptive_row(uint32_t id, const char* name) {
  return {.id = id, .name = name, .inputs = kInput, .attrs = kOutputSize, .layout = Layout::kGeneral,
          .dtype = rule::averaged, .shape = resized_shape<n>, .compose = adaptive_avg_pool<n>, .max_ulp = 16,
          .doc = "The mean over output_size windows that share the input evenly. The bound is of sum's kind."};
}

constexpr OpRow kRows[] = {
    conv_row<1, false>(220, "conv1d"),
    conv_row<2, false>(221, "conv2d"),
    conv_row<3, false>(222, "conv3d"),
    conv_row<1, true>(223, "conv_transpose1d"),
    conv_row<2, true>(224, "conv_transpose2d"),
    conv_row<3, true>(225, "conv_transpose3d"),
    max_pool_row<1>(226, "max_pool1d"),
    max_pool_row<2>(227, "max_pool2d"),
    avg_pool_row<1>(228, "avg_pool1d"),
    avg_pool_row<2>(229, "avg_pool2d"),
    adaptive_row<1>(230, "adaptive_avg_pool1d"),
    adaptive_row<2>(231, "adaptive_avg_pool2d"),
    {.id = 232, .name = "interpolate", .inputs = kInput,
     .attrs = {{required_ints_attr("size"), str_attr("mode", "nearest"), flag_attr("align_corners", false)}},
     .layout = Layout::kGeneral, .dtype = rule::averaged, .shape = interpolate_shape, .compose = interpolate, .max_ulp = 16,
     .doc = "input [N, C, sizes] at other sizes: nearest, linear, bilinear or trilinear. The bound is relative to the largest "
            "term."},
};
}  // namespace

std::span<const OpRow> window() { return kRows; }

}  // namespace bp::ops
