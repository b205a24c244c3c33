// SPDX-License-Identifier: Apache-2.0
// selecting.cc: the rows whose results are as long as the data says. The number of elements is read
// back from the device, for which the caller waits; then every shape is known and ops run as usual.
// flat_nonzero is the one that may be a kernel: its size is given, so that it waits for nobody.
#include <algorithm>

#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

Ref<Tensor> flat(Tensor& x) { return reshape(x, Dims{x.count}); }

// The row-major positions at which mask, a dense tensor of bools, is true.
Ref<Tensor> positions(const Ref<Tensor>& mask) {
  const int64_t n = item(*sum(mask, {}, false)).as.i64;
  return invoke(BP_OP_FLAT_NONZERO, {mask}, {int_value(n)});
}

void nonzero_dtype(Inference& f) {
  f.compute = f.in[0].dtype;
  f.out_dtype[0] = BP_I64;
}
constexpr AttrSpecs kFlatAttrs{required_int_attr("size")};
void flat_shape(Inference& f) {
  const int64_t size = f.i64(kFlatAttrs["size"]);
  if (size < 0) fail(BP_INVALID_ARGUMENT, "flat_nonzero: size is {}, expected at least 0", size);
  f.out_shape[0] = Dims{size};
}
// Stands in for the shape until the data is known (kDataShape).
void unknown_shape(Inference& f) {
  for (uint32_t i = 0; i < f.row.n_outputs(); ++i) f.out_shape[i] = Dims{0};
}
void selected_shape(Inference& f) {
  rule::broadcast(f);  // for its checks
  unknown_shape(f);
}

// The running count says where each position goes; what has no place goes behind the last one.
void flat_nonzero(Composer& c) {
  const Ref<Tensor> mask = flat(*contiguous(c.tensor(0)));
  const int64_t size = c.i64(kFlatAttrs["size"]);
  const Ref<Tensor> count =
      invoke(BP_OP_CUMSUM, {as_dtype(*mask, BP_I64)}, {int_value(0), dtype_value(BP_DTYPE_NONE)});
  const Ref<Tensor> place = where(both(mask, at_most(count, size)), sub(count, 1), size);
  const Ref<Tensor> none = filled(Dims{size + 1}, BP_I64, -1, c.device);
  const Ref<Tensor> all =
      invoke(BP_OP_SCATTER, {none, place, counted(mask->count, c.device)}, {int_value(0)});
  c.out[0] = narrow(*all, 0, 0, size);
}

// Column d of a position is (position / stride) % size.
void nonzero(Composer& c) {
  const Tensor& x = c.tensor(0);
  Ref<Tensor> at = positions(contiguous(*as_dtype(c.tensor(0), BP_BOOL)));
  c.out[0] = new_tensor(Dims{at->count, int64_t{x.rank()}}, BP_I64, x.device());
  const Dims strides = contiguous_strides(x.shape);
  for (uint32_t d = 0; d < x.rank(); ++d) {
    Ref<Tensor> column = strides[d] == 1 ? at : floor_quotient(at, strides[d]);
    if (d > 0) column = remainder(column, x.shape[d]);
    write(*select(*c.out[0], 1, d), *column);
  }
}

void masked_select(Composer& c) {
  Dims shape = broadcast_shapes(c.tensor(0).shape, c.tensor(1).shape);
  Ref<Tensor> x = contiguous(*expand(c.tensor(0), shape)),
              mask = contiguous(*expand(c.tensor(1), shape));
  c.out[0] = picked(flat(*x), positions(mask), 0);
}

// Returns where sorted values differ from the one before. NaN equals nothing, so that each stays.
Ref<Tensor> starts(const Ref<Tensor>& sorted) {
  Ref<Tensor> differs = new_tensor(sorted->shape, BP_BOOL, sorted->device());
  const int64_t n = sorted->count;
  if (n) write(*narrow(*differs, 0, 0, 1), *filled(Dims{1}, BP_BOOL, 1, sorted->device()));
  if (n > 1)
    write(*narrow(*differs, 0, 1, n - 1),
          *unequal(narrow(*sorted, 0, 1, n - 1), narrow(*sorted, 0, 0, n - 1)));
  return positions(differs);
}

void unique(Composer& c) {
  Ref<Tensor> x = flat(*contiguous(c.tensor(0))), sorted[2];
  invoke(BP_OP_SORT, {x}, {int_value(-1), flag_value(false)}, sorted);
  c.out[0] = picked(sorted[0], starts(sorted[0]), 0);
}

// The sort is stable: the first of equal values is where they first occur.
void unique_all(Composer& c) {
  Ref<Tensor> x = flat(*contiguous(c.tensor(0))), sorted[2];
  invoke(BP_OP_SORT, {x}, {int_value(-1), flag_value(false)}, sorted);
  Ref<Tensor> begin = starts(sorted[0]), order = sorted[1];
  const int64_t n = x->count, groups = begin->count;
  c.out[0] = picked(sorted[0], begin, 0);
  c.out[1] = picked(order, begin, 0);
  Ref<Tensor> end = new_tensor(Dims{groups}, BP_I64, x->device());
  if (groups) {
    write(*narrow(*end, 0, 0, groups - 1), *narrow(*begin, 0, 1, groups - 1));
    write(*narrow(*end, 0, groups - 1, 1), *filled(Dims{1}, BP_I64, n, x->device()));
  }
  c.out[3] = sub(end, begin);
  // A one at every start but the first: the running sum is each sorted element's group.
  Ref<Tensor> first = filled(Dims{n}, BP_I64, 0, x->device());
  if (groups > 1) {
    Ref<Tensor> later = narrow(*begin, 0, 1, groups - 1),
                ones = filled(later->shape, BP_I64, 1, x->device());
    first = invoke(BP_OP_INDEX_COPY, {first, later, ones}, {int_value(0)});
  }
  Ref<Tensor> group = invoke(BP_OP_CUMSUM, {first}, {int_value(0), dtype_value(BP_I64)});
  c.out[2] =
      reshape(*invoke(BP_OP_INDEX_COPY, {first, order, group}, {int_value(0)}), c.tensor(0).shape);
}

void unique_dtypes(Inference& f) {
  rule::ordered(f);
  for (uint32_t i = 1; i < f.row.n_outputs(); ++i) f.out_dtype[i] = BP_I64;
}

constexpr AttrSpecs kBincountAttrs{int_attr("minlength", 0)};
void bincount_dtype(Inference& f) {
  if (!is_integer(f.in[0].dtype))
    fail(BP_DTYPE_MISMATCH, "\"bincount_cpu\" not implemented for '{}'",
         dtype_title(f.in[0].dtype));
  f.compute = f.in[0].dtype;
  f.out_dtype[0] = f.in[1].is_none ? BP_I64 : f.in[1].dtype == BP_F32 ? BP_F32 : BP_F64;
}
void bincount_shape(Inference& f) {
  if (f.in[0].shape.size() != 1)
    fail(BP_INVALID_ARGUMENT, "bincount only supports 1-d non-negative integral inputs.");
  if (!f.in[1].is_none && (f.in[1].shape.size() != 1 || f.in[1].shape[0] != f.in[0].shape[0]))
    fail(BP_INVALID_ARGUMENT, "weights should be 1-d and have the same length as input");
  if (f.i64(kBincountAttrs["minlength"]) < 0) fail(BP_INVALID_ARGUMENT, "minlength should be >= 0");
  unknown_shape(f);
}
void bincount(Composer& c) {
  const Ref<Tensor> x = as_dtype(c.tensor(0), BP_I64);
  int64_t bins = c.i64(kBincountAttrs["minlength"]);
  if (x->count) {
    const auto extreme = [&](uint32_t id) { return item(*reduced(id, x, {}, false)).as.i64; };
    if (extreme(BP_OP_MIN) < 0)
      fail(BP_INVALID_ARGUMENT, "bincount only supports 1-d non-negative integral inputs.");
    bins = std::max(bins, extreme(BP_OP_MAX) + 1);
  }
  const bp_dtype t = c.plan.out_dtype[0];
  const Ref<Tensor> weights =
      c.has(1) ? as_dtype(c.tensor(1), t) : filled(Dims{x->count}, t, 1, c.device);
  c.out[0] = invoke(BP_OP_SCATTER_ADD, {filled(Dims{bins}, t, zero_of(t), c.device), x, weights},
                    {int_value(0)});
}

// clang-format off
constexpr OpRow kSelectingRows[] = {
    {.id = 310, .name = "nonzero", .inputs = kAnyX, .layout = Layout::kGeneral, .dtype = nonzero_dtype, .shape = unknown_shape,
     .compose = nonzero, .grad = kNoGradient, .flags = kDataShape,
     .doc = "Where x is not zero, in row-major order: i64 [count, rank of x], an index in each row. Waits for the device."},
    {.id = 311, .name = "flat_nonzero", .inputs = {{{"mask", Role::kCondition}}}, .attrs = kFlatAttrs,
     .layout = Layout::kGeneral, .dtype = nonzero_dtype, .shape = flat_shape, .compose = flat_nonzero,
     .grad = kNoGradient,
     .doc = "The first `size` row-major positions at which mask is true, in order; -1 after the last. Waits for nobody."},
    {.id = 312, .name = "masked_select", .inputs = {{{"x", Role::kAny}, {"mask", Role::kCondition}}},
     .layout = Layout::kGeneral, .dtype = rule::cast_to, .shape = selected_shape, .compose = masked_select, .flags = kDataShape,
     .doc = "The elements of x at which mask is true, in row-major order, 1-D; x and mask broadcast. Waits for the device."},
    {.id = 313, .name = "unique", .inputs = kX, .layout = Layout::kGeneral, .dtype = unique_dtypes, .shape = unknown_shape,
     .compose = unique, .flags = kDataShape,
     .doc = "The different values of x, ascending, 1-D; each NaN is one of its own. Waits for the device."},
    {.id = 314, .name = "unique_all", .inputs = kX, .outputs = {"values", "indices", "inverse", "counts"},
     .layout = Layout::kGeneral, .dtype = unique_dtypes, .shape = unknown_shape, .compose = unique_all, .flags = kDataShape,
     .doc = "unique, and for each value where it first occurs in flattened x and how often; inverse, of x's shape: which value each "
            "element is. Waits for the device."},
    {.id = 316, .name = "bincount", .inputs = {{{"x", Role::kAny}, {"weights", Role::kAny, true}}}, .attrs = kBincountAttrs,
     .layout = Layout::kGeneral, .dtype = bincount_dtype, .shape = bincount_shape, .compose = bincount, .flags = kDataShape, .max_ulp = 8,
     .doc = "How often each of 0, 1, .. max(x) is in x, a list of no negative integers, in i64; or the sums of their weights, in f64, of "
            "f32 in f32. At least minlength of them. The bound is of sum's kind. Waits for the device."},
};
// clang-format on
}  // namespace

std::span<const OpRow> selecting_rows() { return kSelectingRows; }

}  // namespace bp::ops
