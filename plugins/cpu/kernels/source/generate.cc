// SPDX-License-Identifier: Apache-2.0
// generate.cc: arange, linspace, one_hot.
#include <algorithm>
#include <cstddef>

#include "device/error.h"
#include "device/parallel.h"
#include "device/registry.h"
#include "driver/narrow.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kGrain = 32768;

double as_double(const bp_arg& x) {
  return x.kind == BP_ARG_SCALAR_F64 ? x.f64 : static_cast<double>(x.i64);
}

// Sets every element i of a 1-D output to f(i).
template <class T, class F>
bp_status fill_line(const bp_arg& out, const F& f) {
  T* y = static_cast<T*>(out.data);
  const int64_t step = out.strides[0];
  parallel_for(out.shape[0], kGrain, [&](int64_t begin, int64_t end) {
    if (step == 1)
      for (int64_t i = begin; i < end; ++i) y[i] = convert<T>(f(i));
    else
      for (int64_t i = begin; i < end; ++i) y[i * step] = convert<T>(f(i));
  });
  return BP_OK;
}

// Sets elements [first, last) of a 1-D output to f(i), i as an f64. Vectors can convert 32-bit
// numbers to that, counted from the first of a stretch on.
template <class T, class F>
void fill_stretch(const bp_arg& out, int64_t first, int64_t last, const F& f) {
  constexpr int64_t kStretch = int64_t{1} << 20;
  T* y = static_cast<T*>(out.data);
  const int64_t step = out.strides[0];
  parallel_for(last - first, kGrain, [&](int64_t begin, int64_t end) {
    begin += first, end += first;
    if (sizeof(T) < sizeof(float) || step != 1) {
      for (int64_t i = begin; i < end; ++i) y[i * step] = convert<T>(f(static_cast<double>(i)));
      return;
    }
    for (; begin < end; begin += kStretch) {
      const auto n = static_cast<int32_t>(std::min(kStretch, end - begin));
      const double base = static_cast<double>(begin);
      for (int32_t k = 0; k < n; ++k) y[begin + k] = convert<T>(f(base + k));
    }
  });
}

template <class T>
bp_status run_arange(const bp_launch* launch, bp_error**) {
  const bp_arg &start = launch->args[0], &step = launch->args[2], &out = launch->args[3];
  if constexpr (std::is_integral_v<T>) {
    if (start.kind == BP_ARG_SCALAR_I64 && step.kind == BP_ARG_SCALAR_I64) {
      const uint64_t a = static_cast<uint64_t>(start.i64), d = static_cast<uint64_t>(step.i64);
      return fill_line<T>(
          out, [=](int64_t i) { return static_cast<int64_t>(a + d * static_cast<uint64_t>(i)); });
    }
  }
  const double a = as_double(start), d = as_double(step);
  return fill_line<T>(out, [=](int64_t i) { return a + static_cast<double>(i) * d; });
}

template <class T>
bp_status run_linspace(const bp_launch* launch, bp_error**) {
  const double start = as_double(launch->args[0]), end = as_double(launch->args[1]);
  const bp_arg& out = launch->args[2];
  const int64_t last = out.shape[0] - 1;
  const double range = end - start, n = static_cast<double>(last > 0 ? last : 1);
  const int64_t half = last > 0 ? (last + 1) / 2 : out.shape[0];
  // The product comes first: where it is exact, a point that should be 0 is 0.
  fill_stretch<T>(out, 0, half, [=](double i) { return start + i * range / n; });
  const double most = static_cast<double>(last);
  fill_stretch<T>(out, half, out.shape[0], [=](double i) { return end - (most - i) * range / n; });
  return BP_OK;
}

// x has any rank and strides, and out one more dim at the end.
bp_status run_one_hot(const bp_launch* launch, bp_error** err) {
  const bp_arg &x = launch->args[0], &out = launch->args[1];
  const int64_t classes = out.shape[x.rank];
  int64_t n = 1;
  for (int32_t i = 0; i < x.rank; ++i) n *= x.shape[i];
  const int64_t* in = static_cast<const int64_t*>(x.data);
  int64_t* y = static_cast<int64_t*>(out.data);
  for (int64_t i = 0; i < n; ++i)
    if (in[i] < 0 || in[i] >= classes)
      return fail(
          launch, err, BP_INDEX_OUT_OF_RANGE,
          "Class values must be smaller than num_classes and non-negative: got %lld for %lld classes",
          static_cast<long long>(in[i]), static_cast<long long>(classes));
  parallel_for(n, kGrain / (classes + 1) + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      __builtin_memset(y + i * classes, 0, static_cast<std::size_t>(classes) * sizeof(int64_t));
      y[i * classes + in[i]] = 1;
    }
  });
  return BP_OK;
}

}  // namespace

void add_generate(Registry& r) {
  each_type<kReals>(
      [&](auto t, bp_dtype d) { r.add(BP_OP_ARANGE, bit(d), run_arange<decltype(t)>); });
  each_type<kFloats>(
      [&](auto t, bp_dtype d) { r.add(BP_OP_LINSPACE, bit(d), run_linspace<decltype(t)>); });
  r.add(BP_OP_ONE_HOT, bit(BP_I64), run_one_hot, BP_KERNEL_CONTIGUOUS);
}

}  // namespace bp_cpu::BP_ISA
