// SPDX-License-Identifier: Apache-2.0
// factor.cc: triangular factors, and what is solved with them (linalg.h).
#include "algebra/factor.h"

#include "algebra/linalg.h"
#include "algebra/matrices.h"

namespace bp_cpu {
namespace {

// What the operations here have in common.
template <class T>
struct Factor {
  static constexpr bool kNeedsLapack = false;
  static constexpr double kWorthThreads = 0x1p27;
  Factor(const bp_launch& launch, const Lapack<T>* l, int32_t tail)
      : batches(launch.args[launch.n_in], tail), lapack(l), pool(l ? l->pool : BlasPool{}) {}

  int factor(int64_t m, int64_t n, T* a, int* pivots) const {
    if (lapack)
      return lapack->lu(static_cast<int>(m), static_cast<int>(n), a, static_cast<int>(m), pivots);
    return factor_lu(m, n, a, pivots);
  }

  Batches batches;
  const Lapack<T>* lapack;
  BlasPool pool;
  double flops = 0;
  int64_t longest = 0;
};

double cube(int64_t n) {
  return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
}

// The args are a and out. The attribute upper names the triangle that is read; the upper factor is
// computed as the lower one of the adjoint.
template <class T>
struct Cholesky : Factor<T> {
  static constexpr double kWorthThreads = 0x1p28;
  Cholesky(const bp_launch& l, const Lapack<T>* lapack)
      : Factor<T>(l, lapack, 2),
        a(l.args[0], 2, this->batches),
        out(l.args[1], 2, this->batches),
        upper(l.attrs[BP_ATTR_CHOLESKY_UPPER].value.i64 != 0),
        n(a.rows) {
    this->longest = n;
    this->flops = cube(n) / 3;
  }
  struct Blocks {
    T* a;
    uint64_t size;
  };
  Blocks blocks(char* memory) const {
    Cutter cut(memory);
    T* p = cut.take<T>(n * n);
    return {p, cut.size};
  }
  int run(int64_t i, const Blocks& b) const {
    upper ? a.load_adjoint(i, b.a) : a.load(i, b.a);
    const int info = this->lapack
                         ? this->lapack->cholesky(static_cast<int>(n), b.a, static_cast<int>(n))
                         : factor_cholesky(n, b.a);
    if (info) return info;
    for (int64_t j = 1; j < n; ++j) std::fill_n(b.a + j * n, j, T{});
    if (!upper) {
      out.store(i, b.a, n);
      return 0;
    }
    if constexpr (kIsComplex<T>)
      for (int64_t k = 0; k < n * n; ++k) b.a[k] = std::conj(b.a[k]);
    out.store_transposed(i, b.a, n);
    return 0;
  }
  static void failure(int info, char* text, size_t room) {
    std::snprintf(
        text, room,
        "The factorization could not be completed because the input is not positive-definite (the leading "
        "minor of order %d is not positive-definite).",
        info);
  }
  Matrices<T> a, out;
  bool upper;
  int64_t n;
};

// The args are a, lu and pivots (i32).
template <class T>
struct LuFactor : Factor<T> {
  LuFactor(const bp_launch& l, const Lapack<T>* lapack)
      : Factor<T>(l, lapack, 2),
        a(l.args[0], 2, this->batches),
        lu(l.args[1], 2, this->batches),
        pivots(l.args[2], 1, this->batches) {
    this->longest = std::max(a.rows, a.cols);
    this->flops =
        static_cast<double>(a.rows * a.cols) * static_cast<double>(std::min(a.rows, a.cols));
  }
  struct Blocks {
    T* a;
    int* pivots;
    uint64_t size;
  };
  Blocks blocks(char* memory) const {
    Cutter cut(memory);
    T* p = cut.take<T>(a.rows * a.cols);
    int* q = cut.take<int>(pivots.rows);
    return {p, q, cut.size};
  }
  int run(int64_t i, const Blocks& b) const {
    a.load(i, b.a);
    // The info is not looked at, because a singular matrix has factors too.
    if (a.rows && a.cols) this->factor(a.rows, a.cols, b.a, b.pivots);
    lu.store(i, b.a, a.rows);
    pivots.store(i, b.pivots, pivots.rows);
    return 0;
  }
  static void failure(int, char*, size_t) {}
  Matrices<T> a, lu;
  Matrices<int32_t> pivots;
};

// The args are a, b and out. Without the attribute left, x a = b is solved as a' x' = b'.
template <class T>
struct SolveTriangular : Factor<T> {
  SolveTriangular(const bp_launch& l, const Lapack<T>* lapack)
      : Factor<T>(l, lapack, 2),
        a(l.args[0], 2, this->batches),
        b(l.args[1], 2, this->batches),
        out(l.args[2], 2, this->batches),
        left(l.attrs[BP_ATTR_SOLVE_TRIANGULAR_LEFT].value.i64 != 0),
        upper((l.attrs[BP_ATTR_SOLVE_TRIANGULAR_UPPER].value.i64 != 0) == left),
        unit(l.attrs[BP_ATTR_SOLVE_TRIANGULAR_UNITRIANGULAR].value.i64 != 0),
        n(a.rows),
        k(left ? b.cols : b.rows) {
    this->longest = std::max(n, k);
    this->flops = static_cast<double>(n * n) * static_cast<double>(k);
  }
  struct Blocks {
    T *a, *b;
    uint64_t size;
  };
  Blocks blocks(char* memory) const {
    Cutter cut(memory);
    T *p = cut.take<T>(n * n), *q = cut.take<T>(n * k);
    return {p, q, cut.size};
  }
  int run(int64_t i, const Blocks& m) const {
    const int size = static_cast<int>(n), others = static_cast<int>(k);
    // Rows that lie dense are the columns of a', whose copy is saved: x' a' = b'.
    if (this->lapack && left && a.col == 1 && a.row >= n && a.row <= INT_MAX) {
      b.load_transposed(i, m.b);
      this->lapack->triangular_solve(/*left=*/false, !upper, unit, others, size, a.at(i),
                                     static_cast<int>(a.row), m.b, others);
      out.store_transposed(i, m.b, k);
      return 0;
    }
    left ? a.load(i, m.a) : a.load_transposed(i, m.a);
    left ? b.load(i, m.b) : b.load_transposed(i, m.b);
    if (this->lapack)
      this->lapack->triangular_solve(/*left=*/true, upper, unit, size, others, m.a, size, m.b,
                                     size);
    else
      solve_triangular(upper, unit, n, k, m.a, m.b);
    left ? out.store(i, m.b, n) : out.store_transposed(i, m.b, n);
    return 0;
  }
  static void failure(int, char*, size_t) {}
  Matrices<T> a, b, out;
  bool left, upper, unit;
  int64_t n, k;
};

// The args are a, b and out; b and out are vectors or matrices.
template <class T>
struct Solve : Factor<T> {
  Solve(const bp_launch& l, const Lapack<T>* lapack)
      : Solve(l, lapack, l.args[1].rank == 1 ? 1 : 2) {}
  Solve(const bp_launch& l, const Lapack<T>* lapack, int32_t tail)
      : Factor<T>(l, lapack, tail),
        a(l.args[0], 2, this->batches),
        b(l.args[1], tail, this->batches),
        out(l.args[2], tail, this->batches),
        n(a.rows),
        k(b.cols) {
    this->longest = std::max(n, k);
    this->flops = cube(n) * 2 / 3 + 2 * static_cast<double>(n * n) * static_cast<double>(k);
  }
  struct Blocks {
    T *a, *b;
    int* pivots;
    uint64_t size;
  };
  Blocks blocks(char* memory) const {
    Cutter cut(memory);
    T *p = cut.take<T>(n * n), *q = cut.take<T>(n * k);
    int* r = cut.take<int>(n);
    return {p, q, r, cut.size};
  }
  int run(int64_t i, const Blocks& m) const {
    a.load(i, m.a);
    b.load(i, m.b);
    if (const int info = this->factor(n, n, m.a, m.pivots)) return info;
    const int side = static_cast<int>(n);
    if (this->lapack)
      this->lapack->lu_solve(side, static_cast<int>(k), m.a, side, m.pivots, m.b, side);
    else
      solve_lu(n, k, m.a, m.pivots, m.b);
    out.store(i, m.b, n);
    return 0;
  }
  static void failure(int, char* text, size_t room) {
    std::snprintf(text, room, "The solver failed because the input matrix is singular.");
  }
  Matrices<T> a, b, out;
  int64_t n, k;
};

// The args are a and out.
template <class T>
struct Inverse : Factor<T> {
  static constexpr double kWorthThreads = 0x1p28;
  Inverse(const bp_launch& l, const Lapack<T>* lapack)
      : Factor<T>(l, lapack, 2),
        a(l.args[0], 2, this->batches),
        out(l.args[1], 2, this->batches),
        n(a.rows) {
    this->longest = n;
    this->flops = 2 * cube(n);
    room = lapack && n <= INT_MAX ? lapack->inverse_room(static_cast<int>(n)) : n * n;
  }
  struct Blocks {
    T *a, *work;  // without LAPACK the inverse is built in work
    int* pivots;
    uint64_t size;
  };
  Blocks blocks(char* memory) const {
    Cutter cut(memory);
    T *p = cut.take<T>(n * n), *q = cut.take<T>(room);
    int* r = cut.take<int>(n);
    return {p, q, r, cut.size};
  }
  int run(int64_t i, const Blocks& b) const {
    a.load(i, b.a);
    if (const int info = this->factor(n, n, b.a, b.pivots)) return info;
    if (this->lapack) {
      const int side = static_cast<int>(n);
      const int info = this->lapack->lu_inverse(side, b.a, side, b.pivots, b.work, room);
      out.store(i, b.a, n);
      return info;
    }
    std::fill_n(b.work, n * n, T{});
    for (int64_t j = 0; j < n; ++j) b.work[j * n + j] = T{1};
    solve_lu(n, n, b.a, b.pivots, b.work);
    out.store(i, b.work, n);
    return 0;
  }
  static void failure(int info, char* text, size_t room) {
    std::snprintf(
        text, room,
        "The diagonal element %d is zero, the inversion could not be completed because the input matrix is "
        "singular.",
        info);
  }
  Matrices<T> a, out;
  int64_t n, room;
};

}  // namespace

bp_status run_cholesky(const bp_launch* launch, bp_error** err) {
  return run_numbers<Cholesky>(*launch, err);
}
bp_status run_lu_factor(const bp_launch* launch, bp_error** err) {
  return run_numbers<LuFactor>(*launch, err);
}
bp_status run_solve_triangular(const bp_launch* launch, bp_error** err) {
  return run_numbers<SolveTriangular>(*launch, err);
}
bp_status run_solve(const bp_launch* launch, bp_error** err) {
  return run_numbers<Solve>(*launch, err);
}
bp_status run_inv(const bp_launch* launch, bp_error** err) {
  return run_numbers<Inverse>(*launch, err);
}

}  // namespace bp_cpu
