// SPDX-License-Identifier: Apache-2.0
// copy.cc: any dtype into any other, by the rules in kit/number.h. Narrow floats go through f32.
#include <cstring>

#include "device/registry.h"
#include "driver/elementwise.h"
#include "driver/narrow.h"
#include "driver/strided.h"
#include "kernels/dense.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class To, class From>
void convert_all(void* out, const void* const* in, int64_t n) {
  To* y = static_cast<To*>(out);
  const From* x = static_cast<const From*>(in[0]);
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) y[i] = convert<To>(x[i]);
}

template <int kBytes>
void move(void* out, const void* const* in, int64_t n) {
  constexpr int64_t kLongRow = 65536;  // bytes
  if (out == in[0]) return;
  if (n * kBytes <= kLongRow)
    copy_row(out, in[0], n * kBytes);
  else
    std::memcpy(out, in[0], static_cast<size_t>(n) * kBytes);
}

template <class From>
constexpr Loop from(bp_dtype to) {
  return with_type(to, [](auto t) -> Loop { return convert_all<Calc<decltype(t)>, From>; });
}

constexpr Loop converter(bp_dtype in, bp_dtype to) {
  return with_type(in, [to](auto t) { return from<Calc<decltype(t)>>(to); });
}

constexpr Loop mover(bp_dtype d) {
  return with_size(d, [](auto t) -> Loop { return move<sizeof t>; });
}

// f32 to and from a narrow float takes no block in between.
template <class T>
void widen(void* out, const void* const* in, int64_t n) {
  load_narrow<T>(static_cast<float*>(out), in[0], n);
}
template <class T>
void narrow(void* out, const void* const* in, int64_t n) {
  store_narrow<T>(out, static_cast<const float*>(in[0]), n);
}
constexpr Loop widener(bp_dtype from) {
  return with_type(from, [](auto t) -> Loop {
    if constexpr (kIsNarrow<decltype(t)>)
      return widen<decltype(t)>;
    else
      return nullptr;
  });
}
constexpr Loop narrower(bp_dtype to) {
  return with_type(to, [](auto t) -> Loop {
    if constexpr (kIsNarrow<decltype(t)>)
      return narrow<decltype(t)>;
    else
      return nullptr;
  });
}

constexpr Table movers() {
  Table m{};
  for (bp_dtype d = 0; d < BP_DTYPE_COUNT; ++d) {
    m.by_dtype[d].dense[0] = mover(d);
    m.by_dtype[d].dense[1] = with_size(d, [](auto t) -> Loop { return repeat<decltype(t)>; });
    m.by_dtype[d].moves = true;
  }
  return m;
}
constexpr Table kMovers = movers();

bp_status run_copy(const bp_launch* launch, bp_error**) {
  const bp_dtype in = launch->args[0].dtype, out = launch->args[1].dtype;
  if (in == out) {
    run_elementwise(*launch, kMovers.by_dtype[in]);
    return BP_OK;
  }
  Loops loops;
  if (in == BP_F32 && bp_kit::is_narrow(out)) {
    loops.dense[0] = narrower(out);
  } else if (out == BP_F32 && bp_kit::is_narrow(in)) {
    loops.dense[0] = widener(in);
  } else {
    loops.dense[0] = converter(in, out);
    loops.load = narrow_loader(in);
    loops.store = narrow_storer(out);
  }
  run_elementwise(*launch, loops);
  return BP_OK;
}

}  // namespace

void add_copy(Registry& r) { r.add(BP_OP_COPY, kAllDtypes, run_copy); }

}  // namespace bp_cpu::BP_ISA
