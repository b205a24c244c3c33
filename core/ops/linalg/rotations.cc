// SPDX-License-Identifier: Apache-2.0
// rotations.cc: eigenvalues of symmetric matrices and singular values by Jacobi's rotations.
// Declared in compose.h. Half as many rotations as there are rows run at once, of all matrices of a
// batch: Brent and Luk, "The solution of singular-value and symmetric eigenvalue problems on
// multiprocessor arrays" (1985). Row i is paired with row i + h; after each round all rows but the
// first move on by one place, so that in 2 h - 1 rounds, a sweep, each has met each. The caller
// waits for the device once a sweep. Real numbers alone.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/ops/linalg/attributes.h"
#include "core/ops/linalg/compose.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"

namespace bp::ops::compose {
namespace {

constexpr int kMostSweeps = 30;  // some ten are enough
constexpr int64_t kAlong[] = {-1};

// The places of n rows, and of one of zeros more where n is odd, in each round.
struct Ring {
  explicit Ring(int64_t n, Device& device) : half((n + 1) / 2) {
    const auto size = static_cast<size_t>(2 * half);
    // Read as a ring, the first half goes on to the right and the second to the left.
    std::vector<size_t> ring(size);
    for (size_t i = 0; i < size; ++i) ring[i] = i < size / 2 ? i : size - 1 - (i - size / 2);
    moved.resize(size);
    for (size_t i = 1; i < size; ++i)
      moved[ring[i]] = static_cast<int64_t>(ring[i == 1 ? size - 1 : i - 1]);
    label.resize(size);
    std::iota(label.begin(), label.end(), int64_t{0});
    order = on_device(moved, device);
  }
  void advance() {
    std::vector<int64_t> next;
    for (const int64_t from : moved) next.push_back(label[static_cast<size_t>(from)]);
    label = std::move(next);
  }
  // Where the rows 0 .. n - 1 are now.
  Ref<Tensor> places(int64_t n, Device& device) const {
    std::vector<int64_t> at(label.size());
    for (size_t i = 0; i < label.size(); ++i)
      at[static_cast<size_t>(label[i])] = static_cast<int64_t>(i);
    at.resize(static_cast<size_t>(n));
    return on_device(at, device);
  }
  static Ref<Tensor> on_device(const std::vector<int64_t>& v, Device& device) {
    return from_host(Dims{static_cast<int64_t>(v.size())}, BP_I64, device,
                     [&](int64_t i) { return v[static_cast<size_t>(i)]; });
  }

  int64_t half;
  std::vector<int64_t> moved;  // the row that comes to each place
  std::vector<int64_t> label;  // the row that is there
  Ref<Tensor> order;           // moved, on the device
};

struct Rotation {
  Ref<Tensor> cosine, sine;  // [..., half, 1]
};
// Returns the smaller rotation that makes q's inner product with p zero: p has the square pp, q has
// qq. Where `is_done` nothing turns.
Rotation rotation(const Ref<Tensor>& pp, const Ref<Tensor>& qq, const Ref<Tensor>& pq,
                  const Ref<Tensor>& is_done) {
  const Ref<Tensor> slope = div(sub(qq, pp), mul(pq, 2.0));
  const Ref<Tensor> size = div(1.0, add(absolute(slope), root(add(mul(slope, slope), 1.0))));
  const Ref<Tensor> turn = where(less(slope, 0.0), negative(size), size);
  const Ref<Tensor> tangent = where(is_done, 0.0, turn);
  const Ref<Tensor> c = div(1.0, root(add(mul(tangent, tangent), 1.0)));
  return {unsqueeze(*c, -1), unsqueeze(*mul(c, tangent), -1)};
}
Ref<Tensor> rotated(const Ref<Tensor>& rows, const Rotation& r) {
  const int64_t half = rows->shape[rows->rank() - 2] / 2;
  const Ref<Tensor> p = narrow(*rows, -2, 0, half), q = narrow(*rows, -2, half, half);
  const Ref<Tensor> both_rows[] = {sub(mul(p, r.cosine), mul(q, r.sine)),
                                   add(mul(p, r.sine), mul(q, r.cosine))};
  return joined(both_rows, -2);
}
Ref<Tensor> flipped_over(const Ref<Tensor>& t) { return transpose(*t, -2, -1); }
Ref<Tensor> rows_at(const Ref<Tensor>& t, const Ref<Tensor>& places) {
  return picked(t, places, static_cast<int64_t>(t->rank()) - 2);
}
// Returns matrices of zeros with m in their first rows and columns.
Ref<Tensor> padded(const Ref<Tensor>& m, int64_t rows, int64_t columns) {
  Dims shape(m->shape);
  shape[shape.size() - 2] = rows;
  shape.back() = columns;
  Ref<Tensor> all = filled(shape, m->dtype, 0.0, m->device());
  copy_into(*narrow(*narrow(*all, -2, 0, m->shape[m->rank() - 2]), -1, 0, m->shape.back()), *m,
            /*non_blocking=*/false);
  return all;
}
Ref<Tensor> identities(const Ref<Tensor>& like, int64_t n) {
  const Ref<Tensor> at = counted(n, like->device());
  Dims shape(like->shape);
  shape[shape.size() - 2] = shape.back() = n;
  const Ref<Tensor> ones = as_dtype(*equal(unsqueeze(*at, -1), at), like->dtype);
  return clone(*expand(*ones, shape));
}
// Returns the rows of t in the order of `order` [..., rows].
Ref<Tensor> sorted_rows(const Ref<Tensor>& t, const Ref<Tensor>& order) {
  return gather(t, expand(*unsqueeze(*order, -1), t->shape), static_cast<int64_t>(t->rank()) - 2);
}
struct Ordered {
  Ref<Tensor> values, order;
};
Ordered ordered(const Ref<Tensor>& values, bool falling) {
  Ref<Tensor> out[2];
  invoke(BP_OP_SORT, {values}, {int_value(-1), flag_value(falling)}, out);
  return {out[0], out[1]};
}
bool is_any(const Ref<Tensor>& truths) {
  return item(*reduced(BP_OP_ANY, truths, {}, false)).as.i64 != 0;
}
// The largest modulus of each batch's matrix, [..., 1, 1]; 1 for zeros.
Ref<Tensor> scale_of_each(const Ref<Tensor>& a) {
  constexpr int64_t kBoth[] = {-2, -1};
  const Ref<Tensor> most = reduced(BP_OP_MAX, absolute(a), kBoth, /*keepdims=*/true);
  return where(equal(most, 0.0), 1.0, most);
}

struct Eigen {
  Ref<Tensor> values, vectors;
};

// Rotates rows and columns of S until nothing is left beside its diagonal.
Eigen eigen_of(const Ref<Tensor>& given, bool upper) {
  const int64_t n = given->shape.back();
  const Ref<Tensor> part =
      invoke(upper ? BP_OP_TRIU : BP_OP_TRIL, {given}, {int_value(upper ? 1 : -1)});
  const Ref<Tensor> on_diagonal = mul(given, identities(given, n));
  const Ref<Tensor> symmetric = add(add(part, flipped_over(part)), on_diagonal);
  const Ref<Tensor> scale = scale_of_each(symmetric);
  Device& device = given->device();
  Ring ring(n, device);
  const int64_t half = ring.half;
  Ref<Tensor> s = padded(div(symmetric, scale), 2 * half, 2 * half), v = identities(s, 2 * half);
  constexpr int64_t kBoth[] = {-2, -1};
  const Ref<Tensor> small = mul(squeeze(*root(sum(mul(s, s), kBoth, /*keepdims=*/true)), kAlong),
                                2 * float_format(s->dtype).epsilon());
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    Ref<Tensor> is_busy;
    for (int64_t round = 0; round + 1 < 2 * half; ++round) {
      const Ref<Tensor> d = bp::diagonal(*s, 0, -2, -1);
      const Ref<Tensor> pp = narrow(*d, -1, 0, half), qq = narrow(*d, -1, half, half),
                        pq = bp::diagonal(*s, half, -2, -1);
      const Ref<Tensor> is_over = greater(absolute(pq), small);
      is_busy = is_busy ? either(is_busy, is_over) : is_over;
      const Rotation r = rotation(pp, qq, pq, no(is_over));
      s = flipped_over(rotated(flipped_over(rotated(s, r)), r));
      s = flipped_over(rows_at(flipped_over(rows_at(s, ring.order)), ring.order));
      v = rows_at(rotated(v, r), ring.order);
      ring.advance();
    }
    if (!is_any(is_busy)) break;
  }
  const Ref<Tensor> places = ring.places(n, device);
  const Ref<Tensor> values = picked(bp::diagonal(*s, 0, -2, -1), places, -1);
  const Ordered rising = ordered(mul(values, squeeze(*scale, kAlong)), /*falling=*/false);
  const Ref<Tensor> rows = narrow(*rows_at(v, places), -1, 0, n);
  return {rising.values, flipped_over(sorted_rows(rows, rising.order))};
}

// Hestenes' one-sided rotations: rows of B = R A^T are turned until they are orthogonal.
struct Turned {
  Ref<Tensor> rows;   // [..., n, m]: singular values times the left vectors, falling
  Ref<Tensor> sizes;  // [..., n]
  Ref<Tensor> vh;     // [..., n, n]
};
Turned orthogonal_rows(const Ref<Tensor>& a) {  // at least as high as wide
  const int64_t m = a->shape[a->rank() - 2], n = a->shape.back();
  const Ref<Tensor> scale = scale_of_each(a);
  Device& device = a->device();
  Ring ring(n, device);
  const int64_t half = ring.half;
  Ref<Tensor> b = padded(flipped_over(div(a, scale)), 2 * half, m), r = identities(b, 2 * half);
  const double small = 2 * float_format(a->dtype).epsilon() * std::sqrt(static_cast<double>(m));
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    Ref<Tensor> is_busy;
    for (int64_t round = 0; round + 1 < 2 * half; ++round) {
      const Ref<Tensor> p = narrow(*b, -2, 0, half), q = narrow(*b, -2, half, half);
      const Ref<Tensor> pp = sum(mul(p, p), kAlong, false), qq = sum(mul(q, q), kAlong, false),
                        pq = sum(mul(p, q), kAlong, false);
      const Ref<Tensor> is_over = greater(absolute(pq), mul(mul(root(pp), root(qq)), small));
      is_busy = is_busy ? either(is_busy, is_over) : is_over;
      const Rotation turn = rotation(pp, qq, pq, no(is_over));
      b = rows_at(rotated(b, turn), ring.order);
      r = rows_at(rotated(r, turn), ring.order);
      ring.advance();
    }
    if (!is_any(is_busy)) break;
  }
  const Ref<Tensor> places = ring.places(n, device);
  b = rows_at(b, places);
  r = narrow(*rows_at(r, places), -1, 0, n);
  const Ordered falling = ordered(root(sum(mul(b, b), kAlong, false)), /*falling=*/true);
  return {sorted_rows(b, falling.order), mul(falling.values, squeeze(*scale, kAlong)),
          sorted_rows(r, falling.order)};
}

// A's left vectors are completed by those that QR makes of them, whose signs may differ.
struct Singular {
  Ref<Tensor> u, s, vh;
};
Singular singular_of(const Ref<Tensor>& a, bool full) {  // at least as high as wide
  const Turned t = orthogonal_rows(a);
  const int64_t n = a->shape.back();
  const Ref<Tensor> length = root(sum(mul(t.rows, t.rows), kAlong, /*keepdims=*/true));
  const Ref<Tensor> unit = where(equal(length, 0.0), 0.0, div(t.rows, length));
  const QrFactors f = householder(flipped_over(unit), full);
  const Ref<Tensor> d = bp::diagonal(*f.r, 0, -2, -1);
  const Ref<Tensor> sign = unsqueeze(*where(less(d, 0.0), -1.0, 1.0), -2);
  const Ref<Tensor> first = narrow(*f.q, -1, 0, n);
  copy_into(*first, *mul(first, sign), /*non_blocking=*/false);
  return {f.q, t.sizes, t.vh};
}

}  // namespace

void eigh(Composer& c) {
  const Ref<Tensor> a = real_operand(c, 0);
  if (a->count == 0) {
    c.out[0] = new_tensor(c.plan.out_shape[0], a->dtype, c.device);
    c.out[1] = clone(*a);
    return;
  }
  const Eigen e = eigen_of(a, c.flag(kTriangleAttrs["upper"]));
  c.out[0] = e.values;
  c.out[1] = e.vectors;
}
void eigvalsh(Composer& c) {
  Ref<Tensor> out[2];
  invoke(BP_OP_EIGH, {c.in[0]}, c.attrs, out);
  c.out[0] = out[0];
}
void eigvals(Composer& c) {
  Ref<Tensor> out[2];
  invoke(BP_OP_EIG, {c.in[0]}, {}, out);
  c.out[0] = out[0];
}

void svd(Composer& c) {
  const Ref<Tensor> a = real_operand(c, 0);
  const bool full = c.flag(kSvdAttrs["full_matrices"]);
  if (a->count == 0) {
    const auto unit = [&](size_t i) {
      Ref<Tensor> t = filled(c.plan.out_shape[i], a->dtype, 0.0, c.device);
      if (t->count == 0) return t;
      copy_into(*bp::diagonal(*t, 0, -2, -1), *filled(Dims{}, a->dtype, 1.0, c.device), false);
      return t;
    };
    c.out[0] = unit(0);
    c.out[1] = new_tensor(c.plan.out_shape[1], a->dtype, c.device);
    c.out[2] = unit(2);
    return;
  }
  if (a->shape[a->rank() - 2] >= a->shape.back()) {
    const Singular f = singular_of(a, full);
    c.out[0] = f.u, c.out[1] = f.s, c.out[2] = f.vh;
  } else {
    const Singular f = singular_of(flipped_over(a), full);
    c.out[0] = flipped_over(f.vh), c.out[1] = f.s, c.out[2] = flipped_over(f.u);
  }
}
void svdvals(Composer& c) {
  const Ref<Tensor> a = real_operand(c, 0);
  if (a->count == 0)
    c.out[0] = new_tensor(c.plan.out_shape[0], a->dtype, c.device);
  else
    c.out[0] =
        orthogonal_rows(a->shape[a->rank() - 2] >= a->shape.back() ? a : flipped_over(a)).sizes;
}

}  // namespace bp::ops::compose
