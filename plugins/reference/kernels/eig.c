/* SPDX-License-Identifier: Apache-2.0 */
/* eig: A V = V diag(w) for each matrix of the batch, in complex f64, rounded once. Rotations bring
 * A to Hessenberg form, then shifted QR steps to the triangular T of A = Z T Z^H (Francis, 1961;
 * Golub and Van Loan, Matrix Computations, 7.4 and 7.5), whose diagonal is w; T's eigenvectors come
 * by substitution. Infinities and NaN, with which that would never end, are refused. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "number.h"

typedef double complex number_t;
/* x + iy; a complex number lies as its two parts (C11 6.2.5), and not every compiler has CMPLX. */
static number_t complex_of(double x, double y) {
  const double parts[2] = {x, y};
  number_t z;
  memcpy(&z, parts, sizeof z);
  return z;
}

struct schur {
  int64_t n;
  number_t *t, *z, *v; /* n x n, row-major; T is A at first */
  double size;         /* the largest row sum of moduli of A */
};

/* Rotates rows i and i + 1 of T so that (a, b) becomes (r, 0), and columns as well, so that Z T Z^H
 * stays. */
static void rotate(struct schur* s, int64_t i, number_t a, number_t b) {
  const int64_t n = s->n;
  const double r = hypot(cabs(a), cabs(b));
  if (b == 0) return;
  const number_t c = a / r, d = b / r;
  for (int64_t j = 0; j < n; ++j) {
    number_t *x = &s->t[i * n + j], *y = x + n;
    const number_t old = *x;
    *x = conj(c) * old + conj(d) * *y;
    *y = c * *y - d * old;
  }
  for (int64_t j = 0; j < 2 * n; ++j) { /* T's rows, and then Z's */
    number_t* x = j < n ? &s->t[j * n + i] : &s->z[(j - n) * n + i];
    const number_t old = x[0];
    x[0] = old * c + x[1] * d;
    x[1] = x[1] * conj(c) - old * conj(d);
  }
}

/* The eigenvalue of the 2 x 2 matrix that ends at (i, i) which is nearer to its last element. */
static number_t shift_of(const struct schur* s, int64_t i) {
  const number_t* x = &s->t[(i - 1) * s->n + i - 1];
  const number_t a = x[0], b = x[1], c = x[s->n], d = x[s->n + 1];
  const number_t half = (a - d) / 2, root = csqrt(half * half + b * c);
  return cabs(half + root) < cabs(half - root) ? d + half + root : d + half - root;
}

/* Returns 0 where the steps do not converge. */
static int triangular(struct schur* s) {
  const int64_t n = s->n;
  number_t* t = s->t;
  for (int64_t j = 0; j + 2 < n; ++j)
    for (int64_t i = n - 2; i > j; --i) rotate(s, i, t[i * n + j], t[(i + 1) * n + j]);
  int steps = 0;
  for (int64_t last = n - 1; last > 0;) {
    int64_t first = last; /* of the block that no small subdiagonal element parts */
    for (; first > 0; --first)
      if (cabs(t[first * n + first - 1]) <= DBL_EPSILON * s->size) break;
    if (first > 0) t[first * n + first - 1] = 0;
    if (first == last) {
      --last;
      steps = 0;
      continue;
    }
    if (++steps > 100) return 0;
    number_t shift = shift_of(s, last);
    if (steps % 10 == 0) shift = t[last * n + last] + cabs(t[last * n + last - 1]); /* a cycle */
    rotate(s, first, t[first * n + first] - shift, t[(first + 1) * n + first]);
    for (int64_t i = first + 1; i < last; ++i)
      rotate(s, i, t[i * n + i - 1], t[(i + 1) * n + i - 1]);
  }
  return 1;
}

/* Column k of V: Z y of length 1, where (T - w) y = 0 and y[k] is 1. */
static void eigenvector(struct schur* s, int64_t k) {
  const int64_t n = s->n;
  const double least = DBL_EPSILON * s->size + DBL_MIN; /* what stands for a difference of 0 */
  number_t* y = s->v + n * n;
  double length = 0;
  for (int64_t i = 0; i < n; ++i) y[i] = i == k;
  for (int64_t i = k - 1; i >= 0; --i) {
    number_t rest = 0, difference = s->t[i * n + i] - s->t[k * n + k];
    for (int64_t j = i + 1; j <= k; ++j) rest += s->t[i * n + j] * y[j];
    if (cabs(difference) < least) difference = least;
    y[i] = -rest / difference;
    if (cabs(y[i]) > 1e100) /* one Jordan block gives powers of 1 / least */
      for (int64_t j = i; j <= k; ++j) y[j] *= 1e-100;
  }
  for (int64_t i = 0; i < n; ++i) {
    number_t sum = 0;
    for (int64_t j = 0; j <= k; ++j) sum += s->z[i * n + j] * y[j];
    s->v[i * n + k] = sum;
    length = hypot(length, cabs(sum));
  }
  for (int64_t i = 0; i < n; ++i) s->v[i * n + k] /= length;
}

/* The matrix at `from` of the operand a; its values go to w and its vectors to v. */
static bp_status one_matrix(const bp_launch* launch, bp_error** err, struct schur* s, char* from,
                            char* w_to, char* v_to) {
  const bp_arg *a = &launch->args[0], *w = &launch->args[1], *v = &launch->args[2];
  const int64_t n = s->n;
  struct walk elements;
  int64_t i = 0;
  double row = 0;
  s->size = 0;
  for (walk_dims(&elements, a, a->rank - 2, 2, from); elements.left; walk_next(&elements), ++i) {
    const struct number x = read_number(a->dtype, elements.at[0]);
    if (!isfinite(x.real) || !isfinite(x.imaginary))
      return fail_launch(launch, err, BP_INVALID_ARGUMENT,
                         "input tensor should not contain infs or NaNs.");
    s->t[i] = complex_of(x.real, x.imaginary);
    s->z[i] = i / n == i % n;
    row = (i % n ? row : 0) + cabs(s->t[i]);
    if (row > s->size) s->size = row;
  }
  if (!triangular(s))
    return fail_launch(launch, err, BP_INVALID_ARGUMENT, "the steps do not converge");
  for (int64_t k = 0; k < n; ++k) {
    eigenvector(s, k);
    float* value = (float*)w_to + 2 * k * w->strides[w->rank - 1];
    value[0] = (float)creal(s->t[k * n + k]);
    value[1] = (float)cimag(s->t[k * n + k]);
  }
  i = 0;
  for (walk_dims(&elements, v, v->rank - 2, 2, v_to); elements.left; walk_next(&elements), ++i) {
    float* element = (float*)elements.at[0];
    element[0] = (float)creal(s->v[i]);
    element[1] = (float)cimag(s->v[i]);
  }
  return BP_OK;
}

bp_status eig_any(const bp_launch* launch, bp_error** err) {
  const bp_arg *a = &launch->args[0], *w = &launch->args[1], *v = &launch->args[2];
  const bp_host* host = launch->stream->device->host;
  const int64_t n = row_size(a);
  const uint64_t room = (uint64_t)(3 * n * n + n) * sizeof(number_t);
  bp_status status = BP_OK;
  struct schur s = {n, host->alloc(host->self, room, 64), NULL, NULL, 0};
  struct walk batch;
  if (!s.t) return fail_launch(launch, err, BP_OUT_OF_HOST_MEMORY, "eig has no memory to work in");
  s.z = s.t + n * n;
  s.v = s.z + n * n;
  walk_dims(&batch, a, 0, a->rank - 2, a->data);
  walk_beside(&batch, w, 0, w->data);
  walk_beside(&batch, v, 0, v->data);
  for (; batch.left && status == BP_OK; walk_next(&batch))
    status = one_matrix(launch, err, &s, batch.at[0], batch.at[1], batch.at[2]);
  host->free(host->self, s.t);
  return status;
}
