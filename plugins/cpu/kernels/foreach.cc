// SPDX-License-Identifier: Apache-2.0
// foreach.cc: steps of optimisers over lists of tensors, and the norm of lists. All elements of all
// tensors are shared out to the threads, and each is read and written once. Halves go through
// blocks of f32. The parts of a norm are joined in an order that the shapes alone give.
#include <math.h>

#include "device/parallel.h"
#include "device/registry.h"
#include "device/scratch.h"
#include "driver/narrow.h"
#include "kit/optimizers.h"

namespace bp_cpu::BP_ISA {
namespace {

using namespace bp_kit;

constexpr int64_t kGrain = 16384, kBlock = 512;
constexpr int64_t kPart = 4096;  // elements of a part of a norm

// Numbers runs of `unit` elements through all tensors of a list: tensor k begins at first[k], and
// first[count] is how many there are.
void number_through(const bp_launch& l, int64_t count, int64_t unit, int64_t* first) {
  first[0] = 0;
  for (int64_t k = 0; k < count; ++k)
    first[k + 1] = first[k] + (l.args[k].shape[0] + unit - 1) / unit;
}
int64_t tensor_of(const int64_t* first, int64_t count, int64_t at) {
  int64_t low = 0, high = count;
  while (high - low > 1) {
    const int64_t middle = (low + high) / 2;
    (first[middle] <= at ? low : high) = middle;
  }
  return low;
}

// Steps n elements; each list begins at its own place.
template <class Op, class T>
void step(const Op& given, T* const* lists, int64_t n) {
  constexpr int kLists = Op::kLists;
  const Op op = given;
  // A list that the op does not have stands for list 0 and is never looked at.
  T *p = lists[0], *g = lists[kLists > 1 ? 1 : 0], *a = lists[kLists > 2 ? 2 : 0],
    *b = lists[kLists > 3 ? 3 : 0], *c = lists[kLists > 4 ? 4 : 0];
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) {
    T own = p[i], gradient = g[i], first = a[i], second = b[i], third = c[i];
    op(own, gradient, first, second, third);
    p[i] = own;
    if constexpr (kLists > 2) a[i] = first;
    if constexpr (kLists > 3) b[i] = second;
    if constexpr (kLists > 4) c[i] = third;
  }
}

template <class Op>
void step_halves(const Op& op, bp_dtype dtype, uint16_t* const* lists, int64_t n) {
  alignas(64) float wide[Op::kLists][kBlock];
  float* p[Op::kLists];
  for (int j = 0; j < Op::kLists; ++j) p[j] = wide[j];
  const NarrowLoad load = narrow_loader(dtype);
  const NarrowStore store = narrow_storer(dtype);
  for (int64_t at = 0; at < n; at += kBlock) {
    const int64_t some = n - at < kBlock ? n - at : kBlock;
    for (int j = 0; j < Op::kLists; ++j) load(wide[j], lists[j] + at, some);
    step(op, p, some);
    for (int j = 0; j < Op::kLists; ++j)
      if (j != 1) store(lists[j] + at, wide[j], some);
  }
}

template <class T, class Op>
bp_status update(const bp_launch& l, const Op& op, bp_error** err) {
  const int64_t count = count_of<Op>(l);
  const Scratch scratch(l, static_cast<uint64_t>(count + 1) * sizeof(int64_t));
  int64_t* first = scratch.as<int64_t>();
  if (!first) return scratch.fail(err);
  number_through(l, count, 1, first);
  parallel_for(first[count], kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t k = tensor_of(first, count, begin); begin < end; ++k) {
      const int64_t stop = first[k + 1] < end ? first[k + 1] : end;
      if (stop <= begin) continue;
      T* lists[Op::kLists];
      for (int j = 0; j < Op::kLists; ++j)
        lists[j] = static_cast<T*>(l.args[j * count + k].data) + (begin - first[k]);
      if constexpr (sizeof(T) == 2)
        step_halves(op, l.args[0].dtype, lists, stop - begin);
      else
        step(op, lists, stop - begin);
      begin = stop;
    }
  });
  return BP_OK;
}

bp_status run_update(const bp_launch* l, bp_error** err) {
  switch (l->args[0].dtype) {
    case BP_F32:
      return with_update<float>(*l, [&](const auto& op) { return update<float>(*l, op, err); });
    case BP_F64:
      return with_update<double>(*l, [&](const auto& op) { return update<double>(*l, op, err); });
    default:
      return with_update<float>(*l, [&](const auto& op) { return update<uint16_t>(*l, op, err); });
  }
}

// ---- norm ----
template <class T>
double norm_part(const NormOf& norm, const T* x, int64_t n) {
  double sum = 0;
  if (norm.kind == NormOf::kSquares) {
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    return sum;
  }
  sum = norm.none();
  for (int64_t i = 0; i < n; ++i) sum = norm.join(sum, norm.term(static_cast<double>(x[i])));
  return sum;
}
double norm_of_part(const NormOf& norm, const bp_arg& a, int64_t from, int64_t n) {
  if (a.dtype == BP_F32) return norm_part(norm, static_cast<const float*>(a.data) + from, n);
  if (a.dtype == BP_F64) return norm_part(norm, static_cast<const double*>(a.data) + from, n);
  float wide[kPart];
  narrow_loader(a.dtype)(wide, static_cast<const uint16_t*>(a.data) + from, n);
  return norm_part(norm, wide, n);
}

bp_status run_norm(const bp_launch* l, bp_error** err) {
  const NormOf norm(l->attrs[BP_ATTR_FOREACH_NORM_ORD].value.f64);
  const int64_t count = l->n_in;
  const Scratch numbers(*l, static_cast<uint64_t>(count + 1) * sizeof(int64_t));
  int64_t* first = numbers.as<int64_t>();
  if (!first) return numbers.fail(err);
  number_through(*l, count, kPart, first);
  const Scratch scratch(*l, static_cast<uint64_t>(first[count] + 1) * sizeof(double));
  double* parts = scratch.as<double>();
  if (!parts) return scratch.fail(err);
  parallel_for(first[count], kGrain / kPart, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      const int64_t k = tensor_of(first, count, part), from = (part - first[k]) * kPart,
                    left = l->args[k].shape[0] - from;
      parts[part] = norm_of_part(norm, l->args[k], from, left < kPart ? left : kPart);
    }
  });
  double sum = first[count] ? norm.none() : 0;
  for (int64_t part = 0; part < first[count]; ++part) sum = norm.join(sum, parts[part]);
  const bp_arg& out = l->args[count];
  if (out.dtype == BP_F64)
    *static_cast<double*>(out.data) = norm.end(sum);
  else
    *static_cast<float*>(out.data) = static_cast<float>(norm.end(sum));
  return BP_OK;
}

}  // namespace

void add_foreach(Registry& r) {
  for (const uint32_t op : kUpdateOps) r.add(op, kFloats, run_update);
  r.add(BP_OP_FOREACH_NORM, kFloats, run_norm);
}

}  // namespace bp_cpu::BP_ISA
