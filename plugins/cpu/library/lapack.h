// SPDX-License-Identifier: Apache-2.0
// lapack.h: LAPACK, opened at run time by the first call that wants it: programs without linear
// algebra do not pay for it. The Fortran interface, which every LAPACK has: column-major, 32-bit
// integers, arguments by reference, lengths of texts last. None of its routines is given an
// argument that it would refuse, because it prints what it refuses.
//
//   const Lapack<double>* l = lapack<double>();
//   if (!l) return no_lapack(launch, err);
//   const int info = l->cholesky(n, a, n);   // in place, lower
#pragma once
#include <complex>
#include <cstdint>

#include "c_plugin.h"
#include "library/blas_pool.h"

namespace bp_cpu {

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};
template <class T>
using Real = typename RealOf<T>::type;
template <class T>
constexpr bool kIsComplex = !std::is_same_v<T, Real<T>>;

// Called at probe. The option `cpu.lapack` = off keeps it closed; whether there is one is seen at
// the first use.
void allow_lapack(const bp_host* host);
// Returns BP_UNSUPPORTED, and says what to install; BP_OUT_OF_HOST_MEMORY where there may be one,
// but neither memory nor a thread to open it with.
bp_status no_lapack(const bp_launch* launch, bp_error** err);

// LAPACK's routines without the fixed arguments. Each returns LAPACK's info; `work` has as many
// elements as the matching *_room says.
template <class T>
class Lapack {
 public:
  using R = Real<T>;
  int cholesky(int n, T* a, int lda) const;                // lower
  int lu(int m, int n, T* a, int lda, int* pivots) const;  // pivots from 1
  int lu_solve(int n, int k, const T* lu, int lda, const int* pivots, T* b, int ldb) const;
  int lu_inverse(int n, T* lu, int lda, const int* pivots, T* work, int64_t room) const;
  void triangular_solve(bool left, bool upper, bool unit, int rows, int cols, const T* a, int lda,
                        T* b, int ldb) const;
  int qr(int m, int n, T* a, int lda, T* tau, T* work, int64_t room) const;
  // Makes the first n columns of Q.
  int qr_columns(int m, int n, int k, T* a, int lda, const T* tau, T* work, int64_t room) const;
  // `job` is 'A' for all vectors, 'S' for the first min(m, n), 'N' for none.
  int svd(char job, int m, int n, T* a, R* s, T* u, int ldu, T* vh, int ldvh, T* work, int64_t room,
          R* real, int* ints) const;
  int eigh(bool vectors, bool upper, int n, T* a, R* w, T* work, int64_t room, R* real,
           int64_t real_room, int* ints, int64_t ints_room) const;
  // Of any square matrix; v is not read without vectors. `real` has eig_real_room elements.
  int eig(bool vectors, int n, T* a, std::complex<R>* w, std::complex<R>* v, T* work, int64_t room,
          R* real) const;

  int64_t inverse_room(int n) const;
  int64_t qr_room(int m, int n, int columns) const;
  int64_t svd_room(char job, int m, int n) const;
  struct EighRoom {
    int64_t work, real, ints;
  };
  EighRoom eigh_room(bool vectors, int n) const;
  int64_t eig_room(bool vectors, int n) const;
  // Real matrices have parts of values and real columns, complex ones LAPACK's own work.
  static int64_t eig_real_room(bool vectors, int64_t n) {
    return 2 * n + (vectors && !kIsComplex<T> ? n * n : 0);
  }

  BlasPool pool;

  // The routines as the library has them; found by open.
  struct Routines;
  const Routines* routines = nullptr;
};

// Returns nullptr when there is none, or no room to open it.
template <class T>
const Lapack<T>* lapack();

}  // namespace bp_cpu
