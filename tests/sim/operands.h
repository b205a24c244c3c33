// SPDX-License-Identifier: Apache-2.0
// operands.h: operands of table rows, made when their device is known, and views of them.
//
//   const Make m = turned(of({3, 4}));  // of: the test's own numbers of a shape
//   const T on_sim = m(device("sim:0"));
#pragma once
#include <functional>
#include <vector>

#include "kit/tensors.h"

using Make = std::function<bp_test::T(bp_device)>;

template <class F, class... A>
Make view(const Make& of_what, F f, A... args) {
  return [=](bp_device where) { return bp_test::made(f, of_what(where).get(), args...); };
}
inline Make turned(const Make& m) { return view(m, bp_tensor_transpose, int64_t{-1}, int64_t{-2}); }
inline Make every(int64_t step, int64_t dim, const Make& m) {
  return view(m, bp_tensor_slice, dim, int64_t{0}, int64_t{1000}, step);
}
inline Make five_from_2(int64_t dim, const Make& m) {
  return view(m, bp_tensor_narrow, dim, int64_t{2}, int64_t{5});
}

inline std::vector<double> numbers(const bp_test::T& t) {
  return bp_test::values<double>(bp_test::made(bp_cast, t.get(), BP_F64));
}
