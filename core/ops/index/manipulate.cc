// SPDX-License-Identifier: Apache-2.0
// manipulate.cc: the rows that move, repeat, mask and pad elements.
#include <algorithm>

#include "core/ops/families.h"
#include "core/ops/made_of.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

constexpr AttrSpecs kRollAttrs{ints_attr("shift"), ints_attr("axis")},
    kRepeatAttrs{required_int_attr("repeats"), ints_attr("axis")},
    kTileAttrs{ints_attr("repetitions")}, kTriangleAttrs{int_attr("diagonal", 0)},
    kPadAttrs{ints_attr("pad"), str_attr("mode", "constant"), float_attr("value", 0)};

int64_t rank_of(const Operand& x) { return static_cast<int64_t>(x.shape.size()); }

// ---- shapes ----

int64_t times(int64_t a, int64_t b, const char* name) {
  int64_t n = 0;
  if (__builtin_mul_overflow(a, b, &n))
    fail(BP_OUT_OF_HOST_MEMORY, "{}: {} times {} elements are too many", name, a, b);
  return n;
}

void roll_shape(Inference& f) {
  const Span shift = f.ints(kRollAttrs["shift"]), axis = f.ints(kRollAttrs["axis"]);
  if (shift.empty()) fail(BP_INVALID_ARGUMENT, "`shifts` required");
  if (!axis.empty() ? shift.size() != axis.size() : shift.size() != 1)
    fail(BP_INVALID_ARGUMENT, "shifts and dimensions must align. shifts: {}, dims:{}", shift.size(),
         axis.size());
  if (!axis.empty() && f.in[0].shape.empty())
    fail(BP_INDEX_OUT_OF_RANGE, "Dimension specified as {} but tensor has no dimensions", axis[0]);
  for (int64_t a : axis) wrap_dim(a, rank_of(f.in[0]));
  f.out_shape[0] = Dims(f.in[0].shape);
}
void repeat_shape(Inference& f) {
  const int64_t n = f.i64(kRepeatAttrs["repeats"]);
  const Span given = f.ints(kRepeatAttrs["axis"]);
  if (n < 0) fail(BP_INVALID_ARGUMENT, "repeats can not be negative, got {}", n);
  if (given.size() > 1)
    fail(BP_INVALID_ARGUMENT, "repeat: one axis at most, got {}", format_shape(given));
  Dims out(f.in[0].shape);
  if (given.empty()) out = Dims{numel(out)};
  const int64_t axis = given.empty() ? 0 : wrap_dim(given[0], rank_of(f.in[0]));
  if (out.empty()) fail(BP_INVALID_ARGUMENT, "repeat: an axis of a tensor without dimensions");
  out[axis] = times(out[axis], n, "repeat");
  f.out_shape[0] = out;
}
void tile_shape(Inference& f) {
  const Span repetitions = f.ints(kTileAttrs["repetitions"]);
  Dims out(f.in[0].shape);
  while (out.size() < repetitions.size()) out.insert(0, 1);
  for (size_t i = 0; i < repetitions.size(); ++i) {
    if (repetitions[i] < 0)
      fail(BP_INVALID_ARGUMENT, "tile: repetitions must not be negative, got {}",
           format_shape(repetitions));
    int64_t& size = out[out.size() - repetitions.size() + i];
    size = times(size, repetitions[i], "tile");
  }
  f.out_shape[0] = out;
}
void matrix_shape(Inference& f) {
  if (rank_of(f.in[0]) < 2)
    fail(BP_INVALID_ARGUMENT, "{}: input tensor must have at least 2 dimensions", f.row.name);
  f.out_shape[0] = Dims(f.in[0].shape);
}
// Returns how many of n elements negative padding leaves.
int64_t kept_of(int64_t n, int64_t before, int64_t after) {
  return n + std::min<int64_t>(before, 0) + std::min<int64_t>(after, 0);
}
void pad_shape(Inference& f) {
  const Span pad = f.ints(kPadAttrs["pad"]), x = f.in[0].shape;
  if (pad.size() % 2 != 0)
    fail(BP_INVALID_ARGUMENT, "Padding length must be divisible by 2, got {}", pad.size());
  if (pad.size() / 2 > x.size())
    fail(
        BP_INVALID_ARGUMENT,
        "Padding length should be less than or equal to two times the input dimension but got padding "
        "length {} and input of dimension {}",
        pad.size(), x.size());
  const std::string_view mode = f.str(kPadAttrs["mode"]);
  if (mode != "constant" && mode != "reflect" && mode != "replicate" && mode != "circular")
    fail(BP_INVALID_ARGUMENT, "Unrecognised padding mode {}", mode);
  Dims out(x);
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    const size_t d = x.size() - 1 - i;
    const int64_t before = pad[2 * i], after = pad[2 * i + 1],
                  most = mode == "reflect" ? x[d] - 1 : kept_of(x[d], before, after);
    if (mode == "reflect" && (before > most || after > most))
      fail(
          BP_INVALID_ARGUMENT,
          "Padding size should be less than the corresponding input dimension, but got: padding ({}, "
          "{}) at dimension {} of input {}",
          before, after, d, format_shape(x));
    if (mode == "circular" && (before > most || after > most))
      fail(
          BP_INVALID_ARGUMENT,
          "Padding value causes wrapping around more than once: padding ({}, {}) at dimension {} of input {}",
          before, after, d, format_shape(x));
    constexpr int64_t kMost = int64_t{1} << 48;
    if (before > kMost || before < -kMost || after > kMost || after < -kMost)
      fail(BP_OUT_OF_HOST_MEMORY, "pad: {} and {} elements are too many", before, after);
    out[d] += before + after;
    if (out[d] < 0 || (mode == "replicate" && x[d] == 0 && out[d] > 0))
      fail(
          BP_INVALID_ARGUMENT,
          "The input size {}, plus negative padding {} and {}, resulted in an invalid output size, "
          "check dimension {} of your input",
          x[d], before, after, d);
  }
  f.out_shape[0] = out;
}

// ---- compositions ----

Ref<Tensor> rolled(Tensor& x, int64_t shift, int64_t axis) {
  if (x.rank() == 0) return clone(x);
  const int64_t n = x.shape[axis];
  const int64_t by = x.count ? ((shift % n) + n) % n : 0;
  if (by == 0) return clone(x);
  return invoke(BP_OP_CONCAT, {narrow(x, axis, n - by, by), narrow(x, axis, 0, n - by)},
                {int_value(axis)});
}
void roll(Composer& c) {
  Tensor& x = c.tensor(0);
  const Span shift = c.ints(kRollAttrs["shift"]), axis = c.ints(kRollAttrs["axis"]);
  if (axis.empty()) {
    Ref<Tensor> line = reshape(x, Dims{-1});
    c.out[0] = reshape(*rolled(*line, shift[0], 0), x.shape);
    return;
  }
  c.out[0] = Ref<Tensor>::share(&x);
  for (size_t i = 0; i < shift.size(); ++i)
    c.out[0] = rolled(*c.out[0], shift[i], wrap_dim(axis[i], x.rank()));
}

void repeat(Composer& c) {
  Ref<Tensor> x = Ref<Tensor>::share(&c.tensor(0));
  const Span given = c.ints(kRepeatAttrs["axis"]);
  if (given.empty()) x = reshape(*x, Dims{x->count});
  const int64_t axis = given.empty() ? 0 : wrap_dim(given[0], x->rank());
  Dims wide = x->shape;
  wide.insert(static_cast<uint32_t>(axis + 1), c.i64(kRepeatAttrs["repeats"]));
  Ref<Tensor> repeated = expand(*unsqueeze(*x, axis + 1), wide);
  c.out[0] = reshape(*contiguous(*repeated), c.plan.out_shape[0]);
}

void tile(Composer& c) {
  Tensor& x = c.tensor(0);
  const Dims& shape = c.plan.out_shape[0];
  const Span given = c.ints(kTileAttrs["repetitions"]);
  Dims apart, wide;  // [1, n0, 1, n1, ...] and [r0, n0, r1, n1, ...]
  for (uint32_t i = 0; i < shape.size(); ++i) {
    const uint32_t missing = shape.size() - x.rank();
    const int64_t n = i < missing ? 1 : x.shape[i - missing];
    const size_t at = i + given.size();
    const int64_t times = at < shape.size() ? 1 : given[at - shape.size()];
    apart.push_back(1), apart.push_back(n);
    wide.push_back(times), wide.push_back(n);
  }
  Ref<Tensor> seen = expand(*reshape(x, apart), wide);
  c.out[0] = reshape(*contiguous(*seen), shape);
}

// Keeps of each matrix what lies on one side of the diagonal.
template <bool kLower>
void triangle(Composer& c) {
  Tensor& x = c.tensor(0);
  Ref<Tensor> rows = unsqueeze(*counted(x.shape[x.rank() - 2], x.device()), 1);
  Ref<Tensor> columns = counted(x.shape[x.rank() - 1], x.device());
  // A diagonal beyond the corners is like one at the corner.
  const int64_t k =
      std::clamp(c.i64(kTriangleAttrs["diagonal"]), -x.shape[x.rank() - 2], x.shape[x.rank() - 1]);
  Ref<Tensor> edge = add(rows, k);
  Ref<Tensor> kept = kLower ? at_most(columns, edge) : at_most(edge, columns);
  c.out[0] = where(kept, c.in[0], zero_of(x.dtype));
}

Ref<Tensor> padded_with(Composer& c, Tensor& x) {
  const Span pad = c.ints(kPadAttrs["pad"]);
  Ref<Tensor> out = filled(c.plan.out_shape[0], x.dtype, c.f64(kPadAttrs["value"]), x.device()),
              from = Ref<Tensor>::share(&x);
  Inside inside;
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    const int64_t d = static_cast<int64_t>(x.rank() - 1 - i);
    const int64_t before = pad[2 * i], after = pad[2 * i + 1];
    const int64_t skipped = before < 0 ? -before : 0, kept = kept_of(x.shape[d], before, after);
    from = narrow(*from, d, std::min(skipped, x.shape[d]), std::max<int64_t>(kept, 0));
    inside.cuts.push_back({d, before > 0 ? before : 0, kept, 1});
    if (kept <= 0) inside.cuts.back() = {d, 0, 0, 1};
  }
  return embedded(std::move(out), from, inside);
}
// Returns for each of `size` padded elements of an axis of n which element it comes from. What
// negative padding takes away does not come in again at the other end.
Ref<Tensor> mirrored(std::string_view mode, int64_t n, int64_t before, int64_t after, int64_t size,
                     Device& device) {
  Ref<Tensor> at = sub(counted(size, device), before);
  if (mode == "replicate") return smaller(larger(at, 0), n - 1);
  if (mode == "circular") {
    const int64_t first = before < 0 ? -before : 0;
    return add(remainder(sub(at, first), kept_of(n, before, after)), first);
  }
  const int64_t last = n - 1;
  if (last == 0) return mul(at, 0);
  return sub(last, absolute(sub(remainder(at, 2 * last), last)));
}
void pad(Composer& c) {
  Ref<Tensor> x = Ref<Tensor>::share(&c.tensor(0));
  const Span pad = c.ints(kPadAttrs["pad"]);
  const std::string_view mode = c.str(kPadAttrs["mode"]);
  if (mode == "constant") {
    c.out[0] = padded_with(c, *x);
    return;
  }
  const Dims shape = c.plan.out_shape[0];
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    const int64_t d = static_cast<int64_t>(shape.size() - 1 - i);
    x = picked(x, mirrored(mode, x->shape[d], pad[2 * i], pad[2 * i + 1], shape[d], x->device()),
               d);
  }
  c.out[0] = x.get() == &c.tensor(0) ? clone(*x) : x;
}

// clang-format off
constexpr OpRow kManipulateRows[] = {
    {.id = 180, .name = "roll", .inputs = kAnyX, .attrs = kRollAttrs,
     .layout = Layout::kGeneral, .dtype = rule::cast_to, .shape = roll_shape, .compose = roll,
     .doc = "Elements moved by shift along axis, what falls off coming in again; without axis as one line."},
    {.id = 181, .name = "repeat", .inputs = kAnyX, .attrs = kRepeatAttrs,
     .layout = Layout::kGeneral, .dtype = rule::cast_to, .shape = repeat_shape, .compose = repeat,
     .doc = "Each element of axis repeats times in a row; without axis of the flattened tensor. PyTorch's "
            "repeat_interleave."},
    {.id = 182, .name = "tile", .inputs = kAnyX, .attrs = kTileAttrs, .layout = Layout::kGeneral,
     .dtype = rule::cast_to, .shape = tile_shape, .compose = tile,
     .doc = "The whole repeated along each of the last axes."},
    {.id = 183, .name = "tril", .inputs = kAnyX, .attrs = kTriangleAttrs, .layout = Layout::kGeneral,
     .dtype = rule::cast_to, .shape = matrix_shape, .compose = triangle<true>,
     .doc = "Of each matrix the elements on and below the diagonal (counted to the right), else 0."},
    {.id = 184, .name = "triu", .inputs = kAnyX, .attrs = kTriangleAttrs, .layout = Layout::kGeneral,
     .dtype = rule::cast_to, .shape = matrix_shape, .compose = triangle<false>,
     .doc = "Of each matrix the elements on and above the diagonal (counted to the right), else 0."},
    {.id = 185, .name = "pad", .inputs = kAnyX,
     .attrs = kPadAttrs, .layout = Layout::kGeneral,
     .dtype = rule::cast_to, .shape = pad_shape, .compose = pad,
     .doc = "Elements added before and after: pad holds two numbers for the last axis, then for the one before it, ...; "
            "negative ones take away. mode: constant (value), reflect (without the edge), replicate (the edge), circular "
            "(of what negative numbers leave)."},
};
// clang-format on
}  // namespace

std::span<const OpRow> manipulate_rows() { return kManipulateRows; }

}  // namespace bp::ops
