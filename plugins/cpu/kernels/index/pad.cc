// SPDX-License-Identifier: Apache-2.0
// pad.cc: elements added around a tensor. A table says for each place of an axis which element of x
// comes there; between the edges of a row whole runs are moved.
#include <cstddef>
#include <cstring>

#include "device/parallel.h"
#include "device/registry.h"
#include "device/scratch.h"
#include "driver/scalar.h"
#include "kit/element.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kGrain = 16384, kNowhere = -1;

int64_t remainder(int64_t a, int64_t n) {
  const int64_t r = a % n;
  return r < 0 ? r + n : r;
}

// One axis: n elements of x, of which `before` and `after` are added at the ends, or taken away
// where they are negative.
struct Axis {
  int64_t n, before, after, size;

  // Returns the place in x of element `at`, counted from x's first one, by the mode's first letter.
  int64_t source(char mode, int64_t at) const {
    if (at >= 0 && at < n && mode != 'c') return at;
    switch (mode) {
      case 'r': return at < 0 ? 0 : n - 1;
      case 'm': {
        const int64_t last = n - 1, period = 2 * last;
        if (last == 0) return 0;
        const int64_t in_period = remainder(at, period);
        return in_period < last ? in_period : period - in_period;
      }
      case 'c': {
        const int64_t first = before < 0 ? -before : 0, kept = n - first + (after < 0 ? after : 0);
        return remainder(at - first, kept) + first;
      }
      default: return kNowhere;
    }
  }
};

// Returns a letter for the mode: (r)eplicate, (m)irror, (c)ircular or a (n)umber.
char mode_of(const bp_attr& mode) {
  const auto is = [&](const char* name) {
    return std::strlen(name) == mode.count && std::memcmp(mode.value.str, name, mode.count) == 0;
  };
  return is("replicate") ? 'r' : is("reflect") ? 'm' : is("circular") ? 'c' : 'n';
}

template <class T>
struct Padding {
  int32_t rank;
  Axis axis[BP_MAX_RANK];
  const int64_t* table[BP_MAX_RANK];  // for each place of an axis of out
  const T* x;
  T* out;
  T value;

  // Fills rows [begin, end) of out, all of whose dims but the last are counted as one.
  void run(int64_t begin, int64_t end) const {
    const int32_t last = rank - 1;
    int64_t at[BP_MAX_RANK] = {}, left = begin;
    for (int32_t d = last - 1; d >= 0; --d) {
      at[d] = left % axis[d].size;
      left /= axis[d].size;
    }
    for (int64_t row = begin; row < end; ++row) {
      int64_t place = 0;
      for (int32_t d = 0; d < last && place != kNowhere; ++d) {
        const int64_t source = table[d][at[d]];
        place = source == kNowhere ? kNowhere : place * axis[d].n + source;
      }
      fill_row(out + row * axis[last].size, place);
      for (int32_t d = last - 1; d >= 0 && ++at[d] == axis[d].size; --d) at[d] = 0;
    }
  }
  void fill_row(T* to, int64_t place) const {
    const Axis& a = axis[rank - 1];
    if (place == kNowhere) {
      for (int64_t i = 0; i < a.size; ++i) to[i] = value;
      return;
    }
    const T* from = x + place * a.n;
    const int64_t* source = table[rank - 1];
    const int64_t first = a.before > 0 ? a.before : 0,
                  last = a.after > 0 ? a.size - a.after : a.size;
    const auto edge = [&](int64_t i) { to[i] = source[i] == kNowhere ? value : from[source[i]]; };
    for (int64_t i = 0; i < first && i < a.size; ++i) edge(i);
    if (last > first)
      std::memcpy(to + first, from + (first - a.before),
                  static_cast<std::size_t>(last - first) * sizeof(T));
    for (int64_t i = last > first ? last : first; i < a.size; ++i) edge(i);
  }
};

template <class T>
bp_status run_of(const bp_launch* launch, bp_error** err) {
  const bp_arg &x = launch->args[0], &out = launch->args[1];
  if (x.rank == 0) {
    std::memcpy(out.data, x.data, sizeof(T));
    return BP_OK;
  }
  const bp_attr& pad = launch->attrs[BP_ATTR_PAD_PAD];
  const char mode = mode_of(launch->attrs[BP_ATTR_PAD_MODE]);
  Padding<T> p{x.rank, {}, {}, static_cast<const T*>(x.data), static_cast<T*>(out.data), {}};
  bp_arg number{};
  number.kind = BP_ARG_SCALAR_F64;
  number.f64 = launch->attrs[BP_ATTR_PAD_VALUE].value.f64;
  store_scalar(number, x.dtype, /*wide=*/false, &p.value);
  int64_t places = 0, rows = 1;
  for (int32_t d = 0; d < x.rank; ++d) places += out.shape[d];
  Scratch scratch(*launch, static_cast<uint64_t>(places) * sizeof(int64_t));
  int64_t* table = scratch.as<int64_t>();
  if (!table) return scratch.fail(err);
  for (int32_t d = 0; d < x.rank; ++d) {
    const auto i = static_cast<uint32_t>(2 * (x.rank - 1 - d));
    const bool padded = i < pad.count;
    Axis& a = p.axis[d] = {x.shape[d], padded ? pad.value.ints[i] : 0,
                           padded ? pad.value.ints[i + 1] : 0, out.shape[d]};
    p.table[d] = table;
    for (int64_t k = 0; k < a.size; ++k) *table++ = a.source(mode, k - a.before);
    if (d < x.rank - 1) rows *= a.size;
  }
  parallel_for(rows, kGrain / (p.axis[x.rank - 1].size + 1) + 1,
               [&](int64_t begin, int64_t end) { p.run(begin, end); });
  return BP_OK;
}

bp_status run(const bp_launch* launch, bp_error** err) {
  return with_size(launch->args[0].dtype, [&](auto t) { return run_of<decltype(t)>(launch, err); });
}

}  // namespace

void add_pad(Registry& r) { r.add(BP_OP_PAD, kAllDtypes, run, BP_KERNEL_CONTIGUOUS); }

}  // namespace bp_cpu::BP_ISA
