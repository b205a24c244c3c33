// SPDX-License-Identifier: Apache-2.0
// decompose.cc: orthogonal decompositions, all by LAPACK (linalg.h).
#include <cmath>

#include "algebra/linalg.h"
#include "algebra/matrices.h"

namespace bp_cpu {
namespace {

template <class T>
struct Decomposition {
  static constexpr bool kNeedsLapack = true;
  static constexpr double kWorthThreads = 0x1p32;  // half of the work waits for memory
  Decomposition(const bp_launch& launch, const Lapack<T>* l, int32_t tail)
      : batches(launch.args[launch.n_in], tail),
        a(launch.args[0], 2, batches),
        lapack(*l),
        pool(l->pool),
        longest(std::max(a.rows, a.cols)),
        shortest(std::min(a.rows, a.cols)),
        m(static_cast<int>(a.rows)),
        n(static_cast<int>(a.cols)) {
    const auto side = static_cast<double>(longest);
    flops = 4 * side * static_cast<double>(shortest) * static_cast<double>(shortest);
  }
  Batches batches;
  Matrices<T> a;
  const Lapack<T>& lapack;
  BlasPool pool;
  double flops;
  int64_t longest, shortest;
  int m, n;
};

int leading(int64_t rows) { return static_cast<int>(std::max<int64_t>(1, rows)); }

template <class T>
void make_identity(T* a, int64_t n) {
  std::fill_n(a, n * n, T{});
  for (int64_t i = 0; i < n; ++i) a[i * n + i] = T{1};
}

// The args are a, q [m, c] and r [c, n], where c is m when complete and min(m, n) otherwise.
template <class T>
struct Qr : Decomposition<T> {
  using Base = Decomposition<T>;
  using Base::a, Base::lapack, Base::m, Base::n, Base::shortest;
  Qr(const bp_launch& l, const Lapack<T>* lapack)
      : Base(l, lapack, 2),
        q(l.args[1], 2, this->batches),
        r(l.args[2], 2, this->batches),
        columns(q.cols) {
    room = this->longest <= INT_MAX ? this->lapack.qr_room(m, n, static_cast<int>(columns)) : 0;
  }
  struct Blocks {
    T *q, *r, *tau, *work;
    uint64_t size;
  };
  Blocks blocks(char* memory) const {
    Cutter cut(memory);
    T* x = cut.take<T>(a.rows * std::max(a.cols, columns));
    T* y = cut.take<T>(columns * a.cols);
    T* tau = cut.take<T>(shortest);
    T* work = cut.take<T>(room);
    return {x, y, tau, work, cut.size};
  }
  int run(int64_t i, const Blocks& b) const {
    a.load(i, b.q);
    if (const int info = lapack.qr(m, n, b.q, leading(m), b.tau, b.work, room)) return info;
    for (int64_t j = 0; j < a.cols; ++j)
      for (int64_t k = 0; k < columns; ++k)
        b.r[j * columns + k] = k <= j ? b.q[j * a.rows + k] : T{};
    const int info = lapack.qr_columns(m, static_cast<int>(columns), static_cast<int>(shortest),
                                       b.q, leading(m), b.tau, b.work, room);
    if (info) return info;
    q.store(i, b.q, a.rows);
    r.store(i, b.r, columns);
    return 0;
  }
  static void failure(int info, char* text, size_t size) {
    std::snprintf(text, size, "LAPACK reports %d from its factorization", info);
  }
  Matrices<T> q, r;
  int64_t columns, room;
};

// The args are a, u [m, c], s and vh [d, n], or a and s without vectors.
template <class T, bool vectors>
struct SvdOf : Decomposition<T> {
  using Base = Decomposition<T>;
  using Base::a, Base::lapack, Base::m, Base::n, Base::shortest;
  using R = Real<T>;
  SvdOf(const bp_launch& l, const Lapack<T>* lapack)
      : Base(l, lapack, vectors ? 2 : 1),
        u(l.args[1], vectors ? 2 : 1, this->batches),
        s(l.args[vectors ? 2 : 1], 1, this->batches),
        vh(l.args[vectors ? 3 : 1], vectors ? 2 : 1, this->batches),
        job(!vectors                                  ? 'N'
            : u.cols > shortest || vh.rows > shortest ? 'A'
                                                      : 'S') {
    room = this->longest <= INT_MAX ? this->lapack.svd_room(job, m, n) : 0;
  }
  struct Blocks {
    T *a, *u, *vh, *work;
    R *s, *real;
    int* ints;
    uint64_t size;
  };
  // As LAPACK's manual says of cgesdd's rwork, with the 7 that versions before 3.7 ask for.
  int64_t reals() const {
    const int64_t k = shortest, l = this->longest;
    if (!kIsComplex<T>) return 0;
    return vectors ? std::max(5 * k * k + 7 * k, 2 * l * k + 2 * k * k + k) : 7 * k;
  }
  Blocks blocks(char* memory) const {
    Cutter cut(memory);
    T* x = cut.take<T>(a.rows * a.cols);
    T* y = cut.take<T>(vectors ? u.rows * u.cols : 0);
    T* z = cut.take<T>(vectors ? vh.rows * vh.cols : 0);
    T* work = cut.take<T>(room);
    R* values = cut.take<R>(shortest);
    R* real = cut.take<R>(reals());
    int* ints = cut.take<int>(8 * shortest);
    return {x, y, z, work, values, real, ints, cut.size};
  }
  int run(int64_t i, const Blocks& b) const {
    if (shortest == 0) {  // LAPACK returns at once and writes nothing to u and vh
      if constexpr (vectors) {
        make_identity(b.u, u.rows);
        make_identity(b.vh, vh.cols);
      }
    } else {
      a.load(i, b.a);
      const int ldvh = vectors ? leading(vh.rows) : 1;
      const int info = lapack.svd(job, m, n, b.a, b.s, b.u, vectors ? leading(m) : 1, b.vh, ldvh,
                                  b.work, room, b.real, b.ints);
      if (info) return info;
    }
    if constexpr (vectors) {
      u.store(i, b.u, u.rows);
      vh.store(i, b.vh, vh.rows);
    }
    s.store(i, b.s, shortest);
    return 0;
  }
  static void failure(int info, char* text, size_t size) {
    if (info < 0)
      std::snprintf(
          text, size,
          "The algorithm failed to converge because the input matrix contained non-finite values.");
    else
      std::snprintf(
          text, size,
          "The algorithm failed to converge because the input matrix is ill-conditioned or has too many "
          "repeated singular values (error code: %d).",
          info);
  }
  Matrices<T> u;
  Matrices<R> s;
  Matrices<T> vh;
  char job;
  int64_t room;
};
template <class T>
using Svd = SvdOf<T, true>;
template <class T>
using SingularValues = SvdOf<T, false>;

// The args are a, w and v, or a and w without vectors; upper names the triangle that is read.
template <class T, bool vectors>
struct EighOf : Decomposition<T> {
  using Base = Decomposition<T>;
  using Base::a, Base::lapack, Base::n;
  using R = Real<T>;
  EighOf(const bp_launch& l, const Lapack<T>* lapack)
      : Base(l, lapack, 1),
        w(l.args[1], 1, this->batches),
        v(l.args[vectors ? 2 : 1], vectors ? 2 : 1, this->batches),
        upper(l.attrs[BP_ATTR_EIGH_UPPER].value.i64 != 0) {
    if (this->longest <= INT_MAX) room = this->lapack.eigh_room(vectors, n);
    this->flops *= 3;
  }
  struct Blocks {
    T *a, *work;
    R *w, *real;
    int* ints;
    uint64_t size;
  };
  Blocks blocks(char* memory) const {
    Cutter cut(memory);
    T *x = cut.take<T>(a.rows * a.cols), *work = cut.take<T>(room.work);
    R *values = cut.take<R>(a.rows), *real = cut.take<R>(room.real);
    int* ints = cut.take<int>(room.ints);
    return {x, work, values, real, ints, cut.size};
  }
  int run(int64_t i, const Blocks& b) const {
    a.load(i, b.a);
    const int info = lapack.eigh(vectors, upper, n, b.a, b.w, b.work, room.work, b.real, room.real,
                                 b.ints, room.ints);
    if (info) return info;
    w.store(i, b.w, a.rows);
    if constexpr (vectors) v.store(i, b.a, a.rows);
    return 0;
  }
  static void failure(int info, char* text, size_t size) {
    std::snprintf(
        text, size,
        "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated "
        "eigenvalues (error code: %d).",
        info);
  }
  Matrices<R> w;
  Matrices<T> v;
  bool upper;
  typename Lapack<T>::EighRoom room{};
};
template <class T>
using Eigh = EighOf<T, true>;
template <class T>
using Eigenvalues = EighOf<T, false>;

// The args are a, w and v, or a and w without vectors; w and v are complex.
template <class T, bool vectors>
struct EigOf : Decomposition<T> {
  using Base = Decomposition<T>;
  using Base::a, Base::lapack, Base::n;
  using R = Real<T>;
  using C = std::complex<R>;
  EigOf(const bp_launch& l, const Lapack<T>* lapack)
      : Base(l, lapack, 1),
        w(l.args[1], 1, this->batches),
        v(l.args[vectors ? 2 : 1], vectors ? 2 : 1, this->batches) {
    if (this->longest <= INT_MAX) room = this->lapack.eig_room(vectors, n);
    this->flops *= 6;
  }
  struct Blocks {
    T *a, *work;
    C *w, *v;
    R* real;
    uint64_t size;
  };
  Blocks blocks(char* memory) const {
    Cutter cut(memory);
    T *x = cut.take<T>(a.rows * a.cols), *work = cut.take<T>(room);
    C *values = cut.take<C>(a.rows), *columns = cut.take<C>(vectors ? a.rows * a.cols : 0);
    R* real = cut.take<R>(Lapack<T>::eig_real_room(vectors, a.rows));
    return {x, work, values, columns, real, cut.size};
  }
  int run(int64_t i, const Blocks& b) const {
    a.load(i, b.a);
    for (int64_t k = 0; k < a.rows * a.cols; ++k)  // LAPACK may go round for ever
      if (!std::isfinite(std::real(b.a[k])) || !std::isfinite(std::imag(b.a[k]))) return -1;
    if (const int info = lapack.eig(vectors, n, b.a, b.w, b.v, b.work, room, b.real)) return info;
    w.store(i, b.w, a.rows);
    if constexpr (vectors) v.store(i, b.v, a.rows);
    return 0;
  }
  static void failure(int info, char* text, size_t size) {
    if (info < 0)
      std::snprintf(text, size, "input tensor should not contain infs or NaNs.");
    else
      EighOf<T, vectors>::failure(info, text, size);
  }
  Matrices<C> w, v;
  int64_t room = 0;
};
template <class T>
using Eig = EigOf<T, true>;
template <class T>
using Eigvals = EigOf<T, false>;

}  // namespace

bp_status run_qr(const bp_launch* launch, bp_error** err) { return run_numbers<Qr>(*launch, err); }
bp_status run_svd(const bp_launch* launch, bp_error** err) {
  return run_numbers<Svd>(*launch, err);
}
bp_status run_svdvals(const bp_launch* launch, bp_error** err) {
  return run_numbers<SingularValues>(*launch, err);
}
bp_status run_eigh(const bp_launch* launch, bp_error** err) {
  return run_numbers<Eigh>(*launch, err);
}
bp_status run_eigvalsh(const bp_launch* launch, bp_error** err) {
  return run_numbers<Eigenvalues>(*launch, err);
}
bp_status run_eig(const bp_launch* launch, bp_error** err) {
  return run_numbers<Eig>(*launch, err);
}
bp_status run_eigvals(const bp_launch* launch, bp_error** err) {
  return run_numbers<Eigvals>(*launch, err);
}

}  // namespace bp_cpu
