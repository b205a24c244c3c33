// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include "oracle/index.h"
#include "oracle/oracle.h"

namespace conformance {
namespace manipulate_specs {
namespace {

// out[index] = x[source(index)], or `fill` where source says no.
template <class F>
Answer mapped(const Array& x, const Shape& shape, const F& source, Real fill = 0) {
  Array out{x.dtype, shape, {}, {}};
  each_index(shape, [&](const Shape& at) {
    Shape from = at;
    if (source(at, from))
      append_element(out, x, place_of(x.shape, from));
    else
      append_number(out, fill);
  });
  return {{out}};
}
int64_t modulo(int64_t a, int64_t n) { return ((a % n) + n) % n; }

Answer roll(const Call& call) {
  Array x = call.in[0].array;
  const Shape shape = x.shape, shift = call.ints("shift"), axis = call.ints("axis");
  if (axis.empty()) x.shape = {count_of(shape)};
  Answer answer = mapped(x, x.shape, [&](const Shape& at, Shape& from) {
    if (axis.empty()) from[0] = modulo(at[0] - shift[0], x.shape[0]);
    for (size_t i = 0; i < axis.size(); ++i) {
      const size_t d = wrap_axis(axis[i], shape.size());
      from[d] = modulo(from[d] - shift[i], shape[d]);
    }
    return true;
  });
  answer[0].array.shape = shape;
  return answer;
}

Answer repeat(const Call& call) {
  Array x = call.in[0].array;
  const Shape axes = call.ints("axis");
  if (axes.empty()) x.shape = {count_of(x.shape)};
  const size_t axis = axes.empty() ? 0 : wrap_axis(axes[0], x.shape.size());
  const int64_t n = call.i64("repeats", 0);
  Shape shape = x.shape;
  shape[axis] *= n;
  return mapped(x, shape, [&](const Shape& at, Shape& from) {
    from[axis] = at[axis] / n;
    return true;
  });
}

Answer tile(const Call& call) {
  Array x = call.in[0].array;
  Shape times = call.ints("repetitions");
  while (times.size() < x.shape.size()) times.insert(times.begin(), 1);
  while (x.shape.size() < times.size()) x.shape.insert(x.shape.begin(), 1);
  Shape shape = x.shape;
  for (size_t d = 0; d < shape.size(); ++d) shape[d] *= times[d];
  return mapped(x, shape, [&](const Shape& at, Shape& from) {
    for (size_t d = 0; d < shape.size(); ++d) from[d] = at[d] % x.shape[d];
    return true;
  });
}

template <bool kLower>
Answer triangle(const Call& call) {
  const Array& x = call.in[0].array;
  const int64_t k = call.i64("diagonal", 0);
  return mapped(x, x.shape, [&](const Shape& at, Shape&) {
    const int64_t right = at[at.size() - 1] - at[at.size() - 2];
    return kLower ? right <= k : right >= k;
  });
}

Answer pad(const Call& call) {
  const Array& x = call.in[0].array;
  const Shape by = call.ints("pad");
  const std::string mode = call.str("mode", "constant");
  Shape shape = x.shape, before(x.shape.size(), 0);
  for (size_t i = 0; i < by.size() / 2; ++i) {
    const size_t d = shape.size() - 1 - i;
    before[d] = by[2 * i];
    shape[d] += by[2 * i] + by[2 * i + 1];
  }
  const Real fill = convert(static_cast<Real>(call.f64("value", 0)), BP_F64, part_of(x.dtype));
  return mapped(
      x, shape,
      [&](const Shape& at, Shape& from) {
        for (size_t d = 0; d < shape.size(); ++d) {
          // what circular padding repeats is what negative padding leaves
          const int64_t n = x.shape[d], i = at[d] - before[d],
                        first = std::max<int64_t>(-before[d], 0),
                        kept = n - first + std::min<int64_t>(shape[d] - n - before[d], 0);
          from[d] = mode == "replicate"           ? std::clamp<int64_t>(i, 0, n - 1)
                    : mode == "circular"          ? first + modulo(i - first, kept)
                    : mode == "reflect" && i < 0  ? -i
                    : mode == "reflect" && i >= n ? 2 * (n - 1) - i
                                                  : i;
          if (from[d] < 0 || from[d] >= n) return false;
        }
        return true;
      },
      fill);
}

Answer diff(const Call& call) {
  Array x = call.in[0].array;
  const size_t axis = wrap_axis(call.i64("axis", -1), x.shape.size());
  Expected e{x, std::vector<Real>(x.size(), 0), true};
  for (size_t i = 0; i < x.size(); ++i) e.scale[i] = std::fabs(x.re[i]);
  for (int64_t k = 0; k < call.i64("n", 1); ++k) {
    Expected next{Array{x.dtype, e.array.shape, {}, {}}, {}, true};
    next.array.shape[axis] -= 1;
    each_index(next.array.shape, [&](const Shape& at) {
      Shape later = at;
      ++later[axis];
      const size_t i = place_of(e.array.shape, later), j = place_of(e.array.shape, at);
      const Real a = e.array.re[i], b = e.array.re[j];
      next.array.re.push_back(is_bool(x.dtype)      ? a != b
                              : is_integer(x.dtype) ? from_bits(to_bits(a) - to_bits(b), x.dtype)
                                                    : round_to(a - b, x.dtype));
      next.scale.push_back(e.scale[i] + e.scale[j]);
    });
    e = next;
  }
  return {e};
}

constexpr Spec kSpecs[] = {
    {"roll", Family::kComposed, kAll, roll},
    {"repeat", Family::kComposed, kAll, repeat},
    {"tile", Family::kComposed, kAll, tile},
    {"tril", Family::kComposed, kAll, triangle<true>},
    {"triu", Family::kComposed, kAll, triangle<false>},
    {"pad", Family::kComposed, kAll, pad},
    {"diff", Family::kComposed, kReals, diff},
};

}  // namespace
}  // namespace manipulate_specs

std::span<const Spec> manipulate_oracles() { return manipulate_specs::kSpecs; }

}  // namespace conformance
