// SPDX-License-Identifier: Apache-2.0
// unfold.cc: the rows that lay windows of images side by side as columns, and add columns up to
// images: PyTorch's unfold and fold, each the other's gradient.
#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/network/window.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

constexpr size_t kDims = 2;  // of an image
constexpr AttrSpecs kIm2colAttrs{required_ints_attr("kernel_size"), ints_attr("dilation"),
                                 ints_attr("padding"), ints_attr("stride")},
    kCol2imAttrs = AttrSpecs{required_ints_attr("output_size")}.with(kIm2colAttrs);

struct Columns {
  Spatial kernel, dilation, padding, step;
  Dims blocks;  // how many windows there are along each dim of the image

  int64_t taps() const { return kernel[0] * kernel[1]; }
  int64_t count() const { return blocks[0] * blocks[1]; }
};
// `first` is the place of kernel_size in the row's attributes; those of both rows go on alike.
Columns columns_of(const char* op, const AttrReader& v, size_t first, Span image) {
  const auto of = [&](size_t i, const char* name, int64_t absent, int64_t least) {
    return spatial(op, name, v.ints(first + i), kDims, absent, least);
  };
  Columns c{of(0, "kernel_size", 1, 1),
            of(1, "dilation", 1, 1),
            of(2, "padding", 0, 0),
            of(3, "stride", 1, 1),
            {}};
  for (size_t i = 0; i < kDims; ++i) {
    const int64_t free = image[i] + 2 * c.padding[i] - c.dilation[i] * (c.kernel[i] - 1) - 1;
    c.blocks.push_back((free < 0 ? free - c.step[i] + 1 : free) / c.step[i] + 1);
  }
  return c;
}
void check_blocks(const Columns& c, Span image) {
  if (c.blocks[0] > 0 && c.blocks[1] > 0) return;
  fail(
      BP_INVALID_ARGUMENT,
      "Given input with spatial size ({}, {}), kernel_size=({}, {}), dilation=({}, {}), padding=({}, "
      "{}), calculated shape of the array of sliding blocks as ({}, {}), but its components must be "
      "at least one.",
      image[0], image[1], c.kernel[0], c.kernel[1], c.dilation[0], c.dilation[1], c.padding[0],
      c.padding[1], c.blocks[0], c.blocks[1]);
}

void im2col_shape(Inference& f) {
  const Span x = f.in[0].shape;
  check_rank(f, kDims);
  check_sizes(f, kDims + 1);
  const Columns c = columns_of(f.row.name, f, kIm2colAttrs["kernel_size"], x.last(kDims));
  check_blocks(c, x.last(kDims));
  f.out_shape[0] = Dims(x.first(x.size() - kDims));
  f.out_shape[0].back() *= c.taps();
  f.out_shape[0].push_back(c.count());
}
void col2im_shape(Inference& f) {
  const Span x = f.in[0].shape;
  if (x.size() != 2 && x.size() != 3)
    fail(BP_INVALID_ARGUMENT,
         "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero "
         "dimensions for input, but got: {}",
         format_shape(x));
  const Spatial size =
      spatial(f.row.name, "output_size", f.ints(kCol2imAttrs["output_size"]), kDims, 1, 1);
  const Columns c = columns_of(f.row.name, f, kCol2imAttrs["kernel_size"], Span(size.v, kDims));
  check_blocks(c, Span(size.v, kDims));
  if (x[x.size() - 2] % c.taps())
    fail(
        BP_INVALID_ARGUMENT,
        "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
        "input.size(1)={} and kernel_size=({}, {}).",
        x[x.size() - 2], c.kernel[0], c.kernel[1]);
  if (x.back() != c.count())
    fail(BP_INVALID_ARGUMENT,
         "Given output_size=({}, {}), kernel_size=({}, {}), dilation=({}, {}), padding=({}, {}), "
         "stride=({}, {}), expected size of input's dimension 2 to match the calculated number of "
         "sliding blocks {} * {} = {}, but got input.size(2)={}.",
         size[0], size[1], c.kernel[0], c.kernel[1], c.dilation[0], c.dilation[1], c.padding[0],
         c.padding[1], c.step[0], c.step[1], c.blocks[0], c.blocks[1], c.count(), x.back());
  f.out_shape[0] = Dims(x.first(x.size() - 2));
  f.out_shape[0].push_back(x[x.size() - 2] / c.taps());
  f.out_shape[0].append(size.v, size.v + kDims);
}

void im2col(Composer& c) {
  const Ref<Tensor> x = reshape(c.tensor(0), batched(c.tensor(0).shape, kDims));
  const Columns p =
      columns_of(c.row.name, c, kIm2colAttrs["kernel_size"], Span(x->shape).last(kDims));
  const Ref<Tensor> wide = padded(*x, p.padding, p.padding, kDims, zero_of(x->dtype));
  c.out[0] =
      reshape(*windows(*wide, p.kernel, p.step, p.dilation, p.blocks, kDims), c.plan.out_shape[0]);
}
// Adds what each tap of the kernel met, a strided part of the padded image, in the taps' order.
void col2im(Composer& c) {
  Tensor& x = c.tensor(0);
  const Dims shape = batched(c.plan.out_shape[0], kDims);
  const Columns p = columns_of(c.row.name, c, kCol2imAttrs["kernel_size"], Span(shape).last(kDims));
  Dims split{shape[0], shape[1], p.taps()}, image(shape);
  split.append(p.blocks.begin(), p.blocks.end());
  for (size_t i = 0; i < kDims; ++i) image[i + 2] += 2 * p.padding[i];
  const Ref<Tensor> seen = reshape(*c.wide(0), split);
  const Ref<Tensor> sum = filled(image, seen->dtype, zero_of(x.dtype), x.device());
  for (int64_t k = 0; k < p.taps(); ++k) {
    Ref<Tensor> part = alias(*sum);
    const int64_t tap[kDims] = {k / p.kernel[1], k % p.kernel[1]};
    for (size_t i = 0; i < kDims; ++i) {
      const int64_t start = tap[i] * p.dilation[i];
      part = slice(*part, static_cast<int64_t>(i + 2), start,
                   start + (p.blocks[i] - 1) * p.step[i] + 1, p.step[i]);
    }
    add_to(part, select(*seen, 2, k));
  }
  Ref<Tensor> inside = sum;
  for (size_t i = 0; i < kDims; ++i)
    inside = narrow(*inside, static_cast<int64_t>(i + 2), p.padding[i], shape[i + 2]);
  c.out[0] = reshape(*inside, c.plan.out_shape[0]);
}

void im2col_back(GradCall& c) {
  const Dims& x = c.operand(0).shape;
  SmallVec<bp_attr, 8> attrs{ints_value(Span(x).last(kDims))};
  for (const bp_attr& shared : c.attrs) attrs.push_back(shared);
  c.give(0, invoke(BP_OP_COL2IM, {c.grad()}, attrs));
}
void col2im_back(GradCall& c) { c.give(0, invoke(BP_OP_IM2COL, {c.grad()}, c.attrs.subspan(1))); }

// clang-format off
constexpr OpRow kUnfoldRows[] = {
    {.id = 247, .name = "im2col", .inputs = kInput, .attrs = kIm2colAttrs, .layout = Layout::kGeneral,
     .dtype = rule::ordered, .shape = im2col_shape, .compose = im2col, .grad = {"Im2ColBackward0", im2col_back},
     .doc = "The windows of images [N, C, H, W] or [C, H, W], zeros around them, as columns [N, C * kernel, windows]: PyTorch's unfold."},
    {.id = 248, .name = "col2im", .inputs = kInput, .attrs = kCol2imAttrs, .layout = Layout::kGeneral,
     .dtype = rule::ordered, .shape = col2im_shape, .compose = col2im, .grad = {"Col2ImBackward0", col2im_back}, .max_ulp = 8,
     .doc = "Columns as im2col's, added up where windows overlap, to images of output_size: PyTorch's fold. The bound is of sum's kind."},
};
// clang-format on
}  // namespace

std::span<const OpRow> unfold_rows() { return kUnfoldRows; }

}  // namespace bp::ops
