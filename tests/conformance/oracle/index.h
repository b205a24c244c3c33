// SPDX-License-Identifier: Apache-2.0
// index.h: walking over the indices of arrays, for oracles that say which element goes where.
#pragma once
#include "array.h"

namespace conformance {

// f(index) for every index of the shape, in row-major order.
template <class F>
void each_index(const Shape& shape, const F& f) {
  Shape at(shape.size(), 0);
  for (int64_t i = 0; i < count_of(shape); ++i) {
    f(static_cast<const Shape&>(at));
    for (size_t d = shape.size(); d-- > 0;) {
      if (++at[d] < shape[d]) break;
      at[d] = 0;
    }
  }
}

inline size_t place_of(const Shape& shape, const Shape& at) {
  size_t i = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    i = i * static_cast<size_t>(shape[d]) + static_cast<size_t>(at[d]);
  return i;
}
inline Real value_at(const Array& a, const Shape& at) { return a.re[place_of(a.shape, at)]; }

inline void append_element(Array& out, const Array& from, size_t at) {
  out.re.push_back(from.re[at]);
  if (is_complex(out.dtype)) out.im.push_back(from.im[at]);
}
inline void append_number(Array& out, Real v) {
  out.re.push_back(v);
  if (is_complex(out.dtype)) out.im.push_back(0);
}

}  // namespace conformance
