// SPDX-License-Identifier: Apache-2.0
#include "core/value/infer.h"

#include <cmath>

#include "core/base/error.h"
#include "core/value/dtype.h"

namespace bp::rule {
namespace {

bool joins(const InputSpec& spec) { return spec.role == Role::kValue || spec.role == Role::kList; }

const InputSpec& spec_of(const Inference& f, size_t i) {
  return f.row.takes_list() ? f.row.inputs[0] : f.row.inputs[i];
}

bp_dtype number_dtype(bp_dtype t) {
  return t == BP_F64 ? default_dtype() : t == BP_C128 ? default_complex_dtype() : t;
}

// Returns PyTorch's result_type over the inputs that promote.
bp_dtype result_type(const Inference& f) {
  ResultType r;
  for (size_t i = 0; i < f.in.size(); ++i) {
    const Operand& x = f.in[i];
    if (!joins(spec_of(f, i)) || x.is_none) continue;
    r.add(x.is_tensor ? x.dtype : number_dtype(x.dtype), !x.is_tensor,
          x.is_tensor && !x.shape.empty());
  }
  return r.get();
}

void set_outputs(Inference& f, bp_dtype t) {
  for (uint32_t i = 0; i < f.row.n_outputs(); ++i) f.out_dtype[i] = t;
}

[[noreturn]] void refuse(const Inference& f, bp_dtype t) {
  fail(BP_DTYPE_MISMATCH, "\"{}\" not implemented for '{}'", f.row.name, dtype_title(t));
}

void refuse_complex(const Inference& f, bp_dtype t) {
  if (is_complex(t) && !(f.row.flags & kComplexToo)) refuse(f, t);
}

// Refuses a complex number where the result is real.
void refuse_lost_imaginary(const Inference& f, bp_dtype result) {
  for (const Operand& x : f.in)
    if (!x.is_tensor && x.dtype == BP_C128 && !is_complex(result))
      fail(BP_DTYPE_MISMATCH, "{}: a complex number cannot be converted to type {}", f.row.name,
           dtype_name(result));
}

bp_dtype given_dtype(const Inference& f, bp_dtype absent) {
  bp_dtype t = BP_DTYPE_NONE;
  for (size_t i = 0; i < f.attrs.size(); ++i)
    if (f.row.attrs.at(i).kind == BP_ATTR_DTYPE) t = static_cast<bp_dtype>(f.i64(i));
  if (t == BP_DTYPE_NONE) return absent;
  check_dtype(t, f.row.name);
  return t;
}

bool all_tensor_or_not_needed(const Inference& f) {
  for (const Operand& x : f.in)
    if (x.is_tensor) return true;
  return f.in.empty();
}

}  // namespace

// ---- dtypes ----

void promoted(Inference& f) {
  f.compute = result_type(f);
  set_outputs(f, f.compute);
}

void ordered(Inference& f) {
  promoted(f);
  refuse_complex(f, f.compute);
}

void magnitude(Inference& f) {
  promoted(f);
  set_outputs(f, real_of(f.compute));
}

void angle_dtype(Inference& f) {
  magnitude(f);
  if (category(f.compute) < Category::kFloating) set_outputs(f, f.compute = default_dtype());
}

void imaginary(Inference& f) {
  magnitude(f);
  if (!is_complex(f.compute) && all_tensor_or_not_needed(f))
    fail(BP_DTYPE_MISMATCH, "{} is not implemented for tensors with non-complex dtypes.",
         f.row.name);
}

void from_parts(Inference& f) {
  promoted(f);
  if (f.compute != BP_F32 && f.compute != BP_F64 && all_tensor_or_not_needed(f))
    fail(BP_DTYPE_MISMATCH,
         "{}: Expected both inputs to be Float or Double tensors but got {} and {}", f.row.name,
         dtype_title(f.in[0].dtype), dtype_title(f.in[1].dtype));
  if (f.in[0].is_tensor && f.in[1].is_tensor && f.in[0].dtype != f.in[1].dtype)
    fail(BP_DTYPE_MISMATCH,
         "Expected object of scalar type {} but got scalar type {} for second argument",
         dtype_title(f.in[0].dtype), dtype_title(f.in[1].dtype));
  set_outputs(f, complex_of(f.compute));
}

void arithmetic(Inference& f) {
  promoted(f);
  refuse_complex(f, f.compute);
  if (f.compute != BP_BOOL) return;
  if (f.row.id == BP_OP_SUB)
    fail(BP_DTYPE_MISMATCH,
         "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
         "`logical_xor()` operator instead.");
  if (f.row.id == BP_OP_NEG)
    fail(BP_DTYPE_MISMATCH,
         "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to "
         "invert a mask, use the `~` or `logical_not()` operator instead.");
  refuse(f, BP_BOOL);
}

void floating(Inference& f) {
  promoted(f);
  refuse_complex(f, f.compute);
  if (category(f.compute) < Category::kFloating) f.compute = default_dtype();
  set_outputs(f, f.compute);
}

void predicate(Inference& f) {
  f.compute = result_type(f);
  set_outputs(f, BP_BOOL);
}

void comparison(Inference& f) {
  predicate(f);
  refuse_complex(f, f.compute);
}

void bits(Inference& f) {
  promoted(f);
  if (category(f.compute) > Category::kInteger) refuse(f, f.compute);
}

void whole(Inference& f) {
  promoted(f);
  if (!is_integer(f.compute)) refuse(f, f.compute);
}

void power(Inference& f) {
  promoted(f);
  refuse_complex(f, f.compute);
  const Operand& e = f.in[1];
  f.reads_numbers = is_integer(f.compute);
  if (f.reads_numbers && !e.is_tensor && e.i64 < 0)
    fail(BP_INVALID_ARGUMENT, "Integers to negative integer powers are not allowed.");
  if (f.compute == BP_BOOL) refuse(f, BP_BOOL);
}

// Kernels add integers and bools into 64 bits. When another integer dtype is asked for, the sum is
// converted afterwards, which gives the same bits as adding in it.
void accumulated(Inference& f) {
  const bp_dtype own = result_type(f);
  refuse_complex(f, own);
  const bp_dtype wide = own == BP_U64 ? BP_U64 : BP_I64;
  const bp_dtype asked = given_dtype(f, category(own) >= Category::kFloating ? own : wide);
  refuse_complex(f, asked);
  if (is_complex(own) && !is_complex(asked))
    fail(BP_DTYPE_MISMATCH, "result type {} can't be cast to the desired output type {}",
         dtype_title(own), dtype_title(asked));
  if (category(asked) >= Category::kFloating) {
    f.compute = asked;
    set_outputs(f, asked);
    return;
  }
  f.compute = is_floating(own) ? BP_I64 : own;
  set_outputs(f, is_floating(own) ? BP_I64 : wide);
  f.final_dtype = asked;
}

void averaged(Inference& f) {
  const bp_dtype t = given_dtype(f, result_type(f));
  const bool takes_complex = f.row.flags & kComplexToo;
  if (is_complex(result_type(f)) && takes_complex && !is_complex(t))
    fail(BP_DTYPE_MISMATCH, "{}(): a complex mean is no {}", f.row.name, dtype_title(t));
  if (!is_floating(t) && !(is_complex(t) && takes_complex))
    fail(BP_DTYPE_MISMATCH,
         "{}(): could not infer output dtype. Input dtype must be a floating point dtype. Got: {}",
         f.row.name, dtype_title(t));
  f.compute = t;
  set_outputs(f, t);
}

void deviation(Inference& f) {
  averaged(f);
  set_outputs(f, real_of(f.compute));
}

void index_result(Inference& f) {
  f.compute = result_type(f);
  refuse_complex(f, f.compute);
  set_outputs(f, BP_I64);
}

void with_indices(Inference& f) {
  index_result(f);
  f.out_dtype[0] = f.compute;
}

void one_hot_dtype(Inference& f) {
  f.compute = BP_I64;
  set_outputs(f, BP_I64);
}

void given_float(Inference& f) {
  const bp_dtype t = given_dtype(f, default_dtype());
  if (!is_floating(t) && !(f.row.id == BP_OP_BERNOULLI && !is_complex(t)))
    fail(BP_DTYPE_MISMATCH, "{}: dtype must be a floating point dtype, got {}", f.row.name,
         dtype_name(t));
  refuse_lost_imaginary(f, t);
  f.compute = t;
  set_outputs(f, t);
}

void given_or_number(Inference& f) {
  bp_dtype number = f.in.empty() ? default_dtype() : f.in[0].dtype;
  for (const Operand& x : f.in) number = promote(number, x.dtype);
  f.compute = given_dtype(f, number_dtype(number));
  refuse_lost_imaginary(f, f.compute);
  if (f.row.id == BP_OP_ARANGE && (is_complex(f.compute) || f.compute == BP_BOOL))
    refuse(f, f.compute);
  set_outputs(f, f.compute);
}

void given_or_i64(Inference& f) {
  const bp_dtype t = given_dtype(f, BP_I64);
  if (is_complex(t) || t == BP_BOOL) refuse(f, t);
  f.compute = t;
  set_outputs(f, t);
}

void cast_to(Inference& f) {
  f.compute = f.in[0].dtype;
  set_outputs(f, given_dtype(f, f.compute));
}

void matmul_dtype(Inference& f) {
  if (!f.in[0].is_tensor || !f.in[1].is_tensor)
    fail(BP_INVALID_ARGUMENT, "matmul: both operands must be tensors");
  const bp_dtype a = f.in[0].dtype, b = f.in[1].dtype;
  if (a != b)
    fail(BP_DTYPE_MISMATCH, "mat1 and mat2 must have the same dtype, but got {} and {}",
         dtype_title(a), dtype_title(b));
  refuse_complex(f, a);
  f.compute = a;
  set_outputs(f, a);
}

// ---- shapes ----

void broadcast(Inference& f) {
  if (!all_tensor_or_not_needed(f))
    fail(BP_INVALID_ARGUMENT, "{}: at least one operand must be a tensor", f.row.name);
  Dims shape;
  bool first = true;
  for (const Operand& x : f.in) {
    if (!x.is_tensor) continue;
    shape = first ? Dims(x.shape) : broadcast_shapes(shape, x.shape);
    first = false;
  }
  for (uint32_t i = 0; i < f.row.n_outputs(); ++i) f.out_shape[i] = shape;
}

void reduce(Inference& f) {
  const Span shape = f.in[0].shape, axes = f.ints(kReduceAttrs["axes"]);
  const bool keepdims = f.flag(kReduceAttrs["keepdims"]);
  uint64_t reduced = axes.empty() ? ~uint64_t{0} : 0;
  for (int64_t axis : axes) {
    const uint64_t bit = uint64_t{1} << wrap_dim(axis, static_cast<int64_t>(shape.size()));
    if (reduced & bit)
      fail(BP_INVALID_ARGUMENT, "dim {} appears multiple times in the list of dims {}", axis,
           format_shape(axes));
    reduced |= bit;
  }
  if (axes.size() > 1 && f.row.find_attr("axis") >= 0)
    fail(BP_INVALID_ARGUMENT, "{}: one axis at most, got {}", f.row.name, format_shape(axes));
  Dims out;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!(reduced >> i & 1))
      out.push_back(shape[i]);
    else if (keepdims)
      out.push_back(1);
  }
  f.out_shape[0] = out;
}

void reduce_nonempty(Inference& f) {
  reduce(f);
  const Span shape = f.in[0].shape, axes = f.ints(kReduceAttrs["axes"]);
  if (numel(shape) != 0 || numel(f.out_shape[0]) == 0) return;
  fail(BP_INDEX_OUT_OF_RANGE,
       "{}(): Expected reduction dim {} to have non-zero size, but the input has shape {}",
       f.row.name, axes.empty() ? "(all)" : format_shape(axes), format_shape(shape));
}

void same(Inference& f) {
  const int axis = f.row.find_attr("axis");
  if (axis >= 0)
    wrap_dim(f.i64(static_cast<size_t>(axis)), static_cast<int64_t>(f.in[0].shape.size()));
  for (uint32_t i = 0; i < f.row.n_outputs(); ++i) f.out_shape[i] = Dims(f.in[0].shape);
}

void matmul_shape(Inference& f) {
  const Span a = f.in[0].shape, b = f.in[1].shape;
  if (a.empty() || b.empty())
    fail(BP_INVALID_ARGUMENT,
         "both arguments to matmul need to be at least 1D, but they are {}D and {}D", a.size(),
         b.size());
  const size_t na = a.size(), nb = b.size();
  const int64_t k = a[na - 1], kb = nb == 1 ? b[0] : b[nb - 2];
  const int64_t m = na == 1 ? 1 : a[na - 2], n = nb == 1 ? 1 : b[nb - 1];
  if (k != kb)
    fail(BP_INVALID_ARGUMENT, "mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", m, k,
         kb, n);
  Dims out = broadcast_shapes(a.first(na > 2 ? na - 2 : 0), b.first(nb > 2 ? nb - 2 : 0));
  if (na > 1) out.push_back(m);
  if (nb > 1) out.push_back(n);
  f.out_shape[0] = out;
}

void concat_shape(Inference& f) {
  if (f.in.empty()) fail(BP_INVALID_ARGUMENT, "concat(): expected a non-empty list of Tensors");
  size_t first = 0;  // an empty 1-D tensor joins anything
  auto skipped = [&](size_t i) { return f.in[i].shape.size() == 1 && f.in[i].shape[0] == 0; };
  while (first + 1 < f.in.size() && skipped(first)) ++first;
  Dims out(f.in[first].shape);
  const int64_t axis = wrap_dim(f.i64(f.at("axis")), out.size());
  for (size_t i = 0; i < f.in.size(); ++i) {
    const Span s = f.in[i].shape;
    if (s.empty())
      fail(BP_INVALID_ARGUMENT, "zero-dimensional tensor (at position {}) cannot be concatenated",
           i);
    if (i <= first || skipped(i)) continue;
    if (s.size() != out.size())
      fail(BP_INVALID_ARGUMENT, "Tensors must have same number of dimensions: got {} and {}",
           out.size(), s.size());
    for (size_t d = 0; d < s.size(); ++d)
      if (static_cast<int64_t>(d) != axis && s[d] != out[d])
        fail(BP_INVALID_ARGUMENT,
             "Sizes of tensors must match except in dimension {}. Expected size {} but got size "
             "{} for tensor number {} in the list.",
             axis, out[d], s[d], i);
    if (const int64_t before = out[axis]; __builtin_add_overflow(before, s[axis], &out[axis]))
      fail(BP_OUT_OF_HOST_MEMORY, "concat: {} and {} elements along dimension {} are too many",
           before, s[axis], axis);
  }
  f.out_shape[0] = out;
}

void stack_shape(Inference& f) {
  if (f.in.empty()) fail(BP_INVALID_ARGUMENT, "stack expects a non-empty TensorList");
  Dims out(f.in[0].shape);
  for (size_t i = 1; i < f.in.size(); ++i)
    if (Dims(f.in[i].shape) != out)
      fail(BP_INVALID_ARGUMENT,
           "stack expects each tensor to be equal size, but got {} at entry 0 and {} at entry {}",
           format_shape(out), format_shape(f.in[i].shape), i);
  const int64_t axis = wrap_dim(f.i64(f.at("axis")), out.size() + 1);
  out.insert(static_cast<uint32_t>(axis), static_cast<int64_t>(f.in.size()));
  f.out_shape[0] = out;
}

void gather_shape(Inference& f) {
  const Span x = f.in[0].shape, index = f.in[1].shape;
  const int64_t axis = wrap_dim(f.i64(f.at("axis")), static_cast<int64_t>(x.size()));
  if (dims_along_axis(x) != dims_along_axis(index))
    fail(BP_INVALID_ARGUMENT,
         "Index tensor must have the same number of dimensions as input tensor, got {} and {}",
         index.size(), x.size());
  for (size_t d = 0; d < index.size(); ++d)
    if (static_cast<int64_t>(d) != axis && index[d] > x[d])
      fail(BP_INVALID_ARGUMENT,
           "Size does not match at dimension {} expected index {} to be smaller than self {} "
           "apart from dimension {}",
           d, format_shape(index), format_shape(x), axis);
  f.out_shape[0] = Dims(index);
}

void index_select_shape(Inference& f) {
  const Span x = f.in[0].shape, index = f.in[1].shape;
  const int64_t axis = wrap_dim(f.i64(f.at("axis")), static_cast<int64_t>(x.size()));
  if (index.size() > 1)
    fail(BP_INDEX_OUT_OF_RANGE,
         "index_select(): Index is supposed to be a vector, but got {} dimensions", index.size());
  const int64_t n = numel(index);
  if (x.empty() && n != 1)
    fail(BP_INVALID_ARGUMENT,
         "index_select(): Index to scalar can have only 1 value, got {} value(s)", n);
  f.out_shape[0] = Dims(x);
  if (!x.empty()) f.out_shape[0][axis] = n;
}

Dims off_axis(Span x, Span index, int64_t axis) {
  Dims a(x), b(index);
  a[axis] = b[axis] = 1;
  return broadcast_shapes(a, b);
}

void take_along_shape(Inference& f) {
  const Span x = f.in[0].shape, index = f.in[1].shape;
  const int64_t axis = wrap_dim(f.i64(f.at("axis")), static_cast<int64_t>(x.size()));
  if (x.size() != index.size())
    fail(BP_INVALID_ARGUMENT,
         "take_along(): x and index need the same number of dimensions, got {} and {}", x.size(),
         index.size());
  if (x.empty()) return f.out_shape[0].clear();
  f.out_shape[0] = off_axis(x, index, axis);
  f.out_shape[0][axis] = index[axis];
}

void one_hot_shape(Inference& f) {
  const int64_t classes = f.i64(f.at("num_classes"));
  if (classes < 1)
    fail(BP_INVALID_ARGUMENT, "one_hot: num_classes must be at least 1, got {}", classes);
  f.out_shape[0] = Dims(f.in[0].shape);
  f.out_shape[0].push_back(classes);
}

void arange_shape(Inference& f) {
  const Operand &start = f.in[0], &end = f.in[1], &step = f.in[2];
  auto as_double = [](const Operand& x) {
    return x.dtype == BP_F64 ? x.f64 : static_cast<double>(x.i64);
  };
  const double a = as_double(start), b = as_double(end), d = as_double(step);
  if (d == 0 || std::isnan(d)) fail(BP_INVALID_ARGUMENT, "arange: step must be nonzero, got {}", d);
  if (!std::isfinite(a) || !std::isfinite(b))
    fail(BP_INVALID_ARGUMENT, "arange: unsupported range: {} -> {}", a, b);
  if (d > 0 ? a > b : a < b)
    fail(BP_INVALID_ARGUMENT,
         "arange: upper bound and larger bound inconsistent with step sign: {} -> {} by {}", a, b,
         d);
  const bool whole = start.dtype != BP_F64 && end.dtype != BP_F64 && step.dtype != BP_F64;
  double n = std::ceil((b - a) / d);
  if (whole) {
    const Int128 span = static_cast<Int128>(end.i64) - start.i64, by = step.i64;
    const Int128 count = (span + by + (by > 0 ? -1 : 1)) / by;
    n = static_cast<double>(count);
  }
  if (n >= 9e18) fail(BP_OUT_OF_HOST_MEMORY, "arange: {} elements are too many", n);
  f.out_shape[0] = Dims{static_cast<int64_t>(n)};
}

void steps_shape(Inference& f) {
  const int64_t steps = f.i64(f.at("steps"));
  if (steps < 0)
    fail(BP_INVALID_ARGUMENT, "linspace: number of steps must be non-negative, got {}", steps);
  f.out_shape[0] = Dims{steps};
}

void given_shape(Inference& f) {
  const Span shape = f.ints(f.at("shape"));
  checked_numel(shape);
  f.out_shape[0] = Dims(shape);
}

namespace {
// The size of the axis along which the row works.
int64_t axis_size(const Inference& f, int64_t axis) {
  const Span shape = f.in[0].shape;
  return shape.empty() ? 1 : shape[axis];
}
int64_t wrapped_axis(const Inference& f) {
  return wrap_dim(f.i64(f.at("axis")), static_cast<int64_t>(f.in[0].shape.size()));
}
// Both results are as long as `size` along the axis.
void shorten(Inference& f, int64_t axis, int64_t size) {
  same(f);
  if (!f.in[0].shape.empty()) f.out_shape[0][axis] = f.out_shape[1][axis] = size;
}
}  // namespace

void topk_shape(Inference& f) {
  const int64_t axis = wrapped_axis(f), size = axis_size(f, axis), k = f.i64(f.at("k"));
  if (k < 0 || k > size)
    fail(BP_INVALID_ARGUMENT, "selected index k out of range: k is {}, the axis has size {}", k,
         size);
  shorten(f, axis, k);
}

void kthvalue_shape(Inference& f) {
  const int64_t axis = wrapped_axis(f), size = axis_size(f, axis), k = f.i64(f.at("k"));
  if (k < 1 || k > size)
    fail(BP_INVALID_ARGUMENT, "selected number k out of range: k is {}, the axis has size {}", k,
         size);
  shorten(f, axis, 1);
}

}  // namespace bp::rule
