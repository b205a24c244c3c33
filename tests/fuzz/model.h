// SPDX-License-Identifier: Apache-2.0
// model.h: tensors as plain as they can be: a storage is an array of doubles, and a tensor is its
// shape and, in row-major order, the places of its elements in the storage. There are no strides,
// so that a view is a choice of places.
//
//   Model row = select(x, 0, 1);
//   row.storage->values[row.at[2]] = 5;   // x sees it
#pragma once
#include <c_api.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace fuzz {

using Shape = std::vector<int64_t>;
using Values = std::vector<double>;

// Thrown where the model cannot tell what the library does: an integer that a double does not hold,
// a number that the dtype does not have, a sum that overflows. The program ends there.
struct Undefined {};

struct Storage {
  bp_dtype dtype;
  Values values;
};
struct Model {
  std::shared_ptr<Storage> storage;
  Shape shape;
  std::vector<int64_t> at;
  bool any_strides = false;  // which need not nest, so that the library may take it for overlapping

  bp_dtype dtype() const { return storage->dtype; }
  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  double value(size_t i) const { return storage->values[static_cast<size_t>(at[i])]; }
  void set(size_t i, double v) { storage->values[static_cast<size_t>(at[i])] = v; }
};

inline int64_t count_of(const Shape& shape) {
  int64_t n = 1;
  for (const int64_t size : shape)
    if (__builtin_mul_overflow(n, size, &n) || n > 4096) throw Undefined();
  return n;
}

// Calls visit(index) for each index of the shape in row-major order.
template <class Visit>
void each_index(const Shape& shape, const Visit& visit) {
  Shape index(shape.size(), 0);
  for (int64_t left = count_of(shape); left > 0; --left) {
    visit(index);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
}

inline size_t flat(const Shape& shape, const Shape& index) {
  int64_t at = 0;
  for (size_t d = 0; d < shape.size(); ++d) at = at * shape[d] + index[d];
  return static_cast<size_t>(at);
}

// The view whose element at an index is x's at place_of(index).
template <class Place>
Model view(const Model& x, Shape shape, const Place& place_of) {
  Model y{x.storage, std::move(shape), {}, x.any_strides};
  each_index(y.shape, [&](const Shape& i) { y.at.push_back(x.at[flat(x.shape, place_of(i))]); });
  return y;
}

// ---- dtypes ----

// Those of the model in the order of promotion.
constexpr bp_dtype kDtypes[] = {BP_BOOL, BP_U8, BP_I32, BP_I64, BP_F32, BP_F64};
inline int rank_of(bp_dtype d) {
  return static_cast<int>(std::find(std::begin(kDtypes), std::end(kDtypes), d) - kDtypes);
}
inline bool is_float(bp_dtype d) { return d == BP_F32 || d == BP_F64; }
inline bp_dtype wider(bp_dtype a, bp_dtype b) { return rank_of(a) < rank_of(b) ? b : a; }

// PyTorch's result_type: tensors of no dimension join only with what is of a higher category.
inline bp_dtype promoted(std::initializer_list<const Model*> all) {
  bp_dtype with = BP_DTYPE_NONE, without = BP_DTYPE_NONE;
  for (const Model* m : all) {
    bp_dtype& d = m->rank() ? with : without;
    d = d == BP_DTYPE_NONE ? m->dtype() : wider(d, m->dtype());
  }
  if (with == BP_DTYPE_NONE || without == BP_DTYPE_NONE)
    return with == BP_DTYPE_NONE ? without : with;
  return !is_float(with) && (with == BP_BOOL || is_float(without)) ? wider(with, without) : with;
}
// Whether a result of one dtype may go into a given output of another.
inline bool castable(bp_dtype from, bp_dtype to) {
  return !(is_float(from) && !is_float(to)) && !(from != BP_BOOL && to == BP_BOOL);
}

// v as an element of the dtype. Integers wrap.
inline double as_dtype(double v, bp_dtype to) {
  if (to == BP_F64) return v;
  if (to == BP_F32) return static_cast<double>(static_cast<float>(v));
  if (to == BP_BOOL) return v != 0;
  if (!(std::abs(v) < 0x1p50)) throw Undefined();
  const auto n = static_cast<int64_t>(v);
  return static_cast<double>(to == BP_U8    ? static_cast<uint8_t>(n)
                             : to == BP_I32 ? static_cast<int32_t>(n)
                                            : n);
}
// A cast of a float to an integer that does not have the value is the machine's affair.
inline double cast(double v, bp_dtype from, bp_dtype to) {
  const double w = as_dtype(v, to);
  if (is_float(from) && !is_float(to) && to != BP_BOOL && w != std::trunc(v)) throw Undefined();
  return w;
}

// ---- shapes ----

// A dimension by Python's rules; a tensor without dimensions takes 0 and -1. Nothing when out of
// range.
inline std::optional<size_t> dim_of(int64_t dim, int64_t rank) {
  const int64_t n = std::max<int64_t>(rank, 1);
  if (dim < -n || dim >= n) return {};
  return static_cast<size_t>(dim < 0 ? dim + n : dim);
}

inline std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  Shape out(std::max(a.size(), b.size()), 1);
  for (const Shape* s : {&a, &b})
    for (size_t k = 1; k <= s->size(); ++k) {
      int64_t &have = out[out.size() - k], size = (*s)[s->size() - k];
      if (have == 1)
        have = size;
      else if (size != 1 && size != have)
        return {};
    }
  return out;
}
// x's elements repeated to a shape to which it broadcasts.
inline Model expanded(const Model& x, const Shape& shape) {
  return view(x, shape, [&](const Shape& i) {
    Shape at(i.end() - x.rank(), i.end());
    for (size_t d = 0; d < at.size(); ++d)
      if (x.shape[d] == 1) at[d] = 0;
    return at;
  });
}

}  // namespace fuzz
