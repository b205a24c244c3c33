// SPDX-License-Identifier: Apache-2.0
#include "library/lapack.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "device/error.h"
#include "library/on_demand.h"

namespace bp_cpu {

// Fortran's signatures; those of svd, eigh and eig differ between real and complex numbers.
template <class T>
struct Lapack<T>::Routines {
  void (*potrf)(const char* uplo, const int* n, T* a, const int* lda, int* info, size_t);
  void (*getrf)(const int* m, const int* n, T* a, const int* lda, int* pivots, int* info);
  void (*getrs)(const char* trans, const int* n, const int* nrhs, const T* a, const int* lda,
                const int* pivots, T* b, const int* ldb, int* info, size_t);
  void (*getri)(const int* n, T* a, const int* lda, const int* pivots, T* work, const int* lwork,
                int* info);
  void (*trsm)(const char* side, const char* uplo, const char* trans, const char* diag,
               const int* m, const int* n, const T* alpha, const T* a, const int* lda, T* b,
               const int* ldb, size_t, size_t, size_t, size_t);
  void (*geqrf)(const int* m, const int* n, T* a, const int* lda, T* tau, T* work, const int* lwork,
                int* info);
  void (*orgqr)(const int* m, const int* n, const int* k, T* a, const int* lda, const T* tau,
                T* work, const int* lwork, int* info);
  void (*gesdd)();
  void (*syevd)();
  void (*geev)();
};

namespace {

using RealSvd = void (*)(const char* job, const int* m, const int* n, void* a, const int* lda,
                         void* s, void* u, const int* ldu, void* vt, const int* ldvt, void* work,
                         const int* lwork, int* iwork, int* info, size_t);
using ComplexSvd = void (*)(const char* job, const int* m, const int* n, void* a, const int* lda,
                            void* s, void* u, const int* ldu, void* vt, const int* ldvt, void* work,
                            const int* lwork, void* rwork, int* iwork, int* info, size_t);
using RealEigh = void (*)(const char* job, const char* uplo, const int* n, void* a, const int* lda,
                          void* w, void* work, const int* lwork, int* iwork, const int* liwork,
                          int* info, size_t, size_t);
using ComplexEigh = void (*)(const char* job, const char* uplo, const int* n, void* a,
                             const int* lda, void* w, void* work, const int* lwork, void* rwork,
                             const int* lrwork, int* iwork, const int* liwork, int* info, size_t,
                             size_t);

using RealEig = void (*)(const char* left, const char* right, const int* n, void* a, const int* lda,
                         void* wr, void* wi, void* vl, const int* ldvl, void* vr, const int* ldvr,
                         void* work, const int* lwork, int* info, size_t, size_t);
using ComplexEig = void (*)(const char* left, const char* right, const int* n, void* a,
                            const int* lda, void* w, void* vl, const int* ldvl, void* vr,
                            const int* ldvr, void* work, const int* lwork, void* rwork, int* info,
                            size_t, size_t);

template <class T>
constexpr char kLetter = 's';
template <>
constexpr char kLetter<double> = 'd';
template <>
constexpr char kLetter<std::complex<float>> = 'c';
template <>
constexpr char kLetter<std::complex<double>> = 'z';

template <class F>
bool find(void* library, char letter, const char* name, F& out) {
  out = reinterpret_cast<F>(find_routine(library, (std::string(1, letter) + name + "_").c_str()));
  return out != nullptr;
}

template <class T>
struct Found {
  Lapack<T> lapack;
  typename Lapack<T>::Routines routines;

  bool open(void* library) {
    const char c = kLetter<T>;
    lapack.routines = &routines;
    lapack.pool.find(library);
    return find(library, c, "potrf", routines.potrf) && find(library, c, "getrf", routines.getrf) &&
           find(library, c, "getrs", routines.getrs) && find(library, c, "getri", routines.getri) &&
           find(library, c, "trsm", routines.trsm) && find(library, c, "geqrf", routines.geqrf) &&
           find(library, c, kIsComplex<T> ? "ungqr" : "orgqr", routines.orgqr) &&
           find(library, c, "gesdd", routines.gesdd) &&
           find(library, c, kIsComplex<T> ? "heevd" : "syevd", routines.syevd) &&
           find(library, c, "geev", routines.geev);
  }
};

// OpenBLAS, that of the Python wheel and Debian's, carries LAPACK; liblapack is the reference, or
// what the machine's owner put in its place.
constexpr const char* kFiles[] = {"libscipy_openblas.so", "libopenblas.so.0", "liblapack.so.3"};

struct Library {
  Found<float> s;
  Found<double> d;
  Found<std::complex<float>> c;
  Found<std::complex<double>> z;

  bool open() {
    return std::any_of(std::begin(kFiles), std::end(kFiles), [this](const char* file) {
      void* handle = open_library(file);
      return handle && s.open(handle) && d.open(handle) && c.open(handle) && z.open(handle);
    });
  }
};

OnDemand<Library> opened;
std::atomic<bool> allowed{true};

const Library* library() {
  return allowed.load(std::memory_order_acquire) ? opened.get() : nullptr;
}

// A routine tells the size of the work it wants as a floating number, which rounds large ones down.
template <class T>
int64_t rounded_up(T wanted) {
  const double size = static_cast<double>(std::real(wanted));
  return static_cast<int64_t>(size * (1 + 1e-6)) + 1;
}
int as_int(int64_t room) { return static_cast<int>(std::min<int64_t>(room, INT32_MAX)); }
int at_least_one(int x) { return std::max(1, x); }

}  // namespace

void allow_lapack(const bp_host* host) {
  const char* option = host->option(host->self, "lapack");
  allowed.store(!(option && !std::strcmp(option, "off")), std::memory_order_release);
}

bp_status no_lapack(const bp_launch* launch, bp_error** err) {
  if (allowed.load(std::memory_order_relaxed) && !opened.is_absent())
    return fail(launch, err, BP_OUT_OF_HOST_MEMORY,
                "needs LAPACK, and the system has no memory or no thread left to open it with");
  return fail(
      launch, err, BP_UNSUPPORTED,
      allowed.load(std::memory_order_relaxed)
          ? "needs LAPACK, and neither libopenblas.so.0 nor liblapack.so.3 was found; install one of them "
            "(Debian: libopenblas0-pthread)"
          : "needs LAPACK, which the option cpu.lapack switches off");
}

template <>
const Lapack<float>* lapack() {
  const Library* l = library();
  return l ? &l->s.lapack : nullptr;
}
template <>
const Lapack<double>* lapack() {
  const Library* l = library();
  return l ? &l->d.lapack : nullptr;
}
template <>
const Lapack<std::complex<float>>* lapack() {
  const Library* l = library();
  return l ? &l->c.lapack : nullptr;
}
template <>
const Lapack<std::complex<double>>* lapack() {
  const Library* l = library();
  return l ? &l->z.lapack : nullptr;
}

template <class T>
int Lapack<T>::cholesky(int n, T* a, int lda) const {
  int info = 0;
  routines->potrf("L", &n, a, &lda, &info, 1);
  return info;
}

template <class T>
int Lapack<T>::lu(int m, int n, T* a, int lda, int* pivots) const {
  int info = 0;
  routines->getrf(&m, &n, a, &lda, pivots, &info);
  return info;
}

template <class T>
int Lapack<T>::lu_solve(int n, int k, const T* lu, int lda, const int* pivots, T* b,
                        int ldb) const {
  int info = 0;
  routines->getrs("N", &n, &k, lu, &lda, pivots, b, &ldb, &info, 1);
  return info;
}

template <class T>
int64_t Lapack<T>::inverse_room(int n) const {
  T wanted{}, nothing{};
  int info = 0, pivot = 1;
  const int query = -1, lda = at_least_one(n);
  routines->getri(&n, &nothing, &lda, &pivot, &wanted, &query, &info);
  return std::max<int64_t>(rounded_up(wanted), lda);
}

template <class T>
int Lapack<T>::lu_inverse(int n, T* lu, int lda, const int* pivots, T* work, int64_t room) const {
  int info = 0;
  const int lwork = as_int(room);
  routines->getri(&n, lu, &lda, pivots, work, &lwork, &info);
  return info;
}

template <class T>
void Lapack<T>::triangular_solve(bool left, bool upper, bool unit, int rows, int cols, const T* a,
                                 int lda, T* b, int ldb) const {
  const T one{1};
  routines->trsm(left ? "L" : "R", upper ? "U" : "L", "N", unit ? "U" : "N", &rows, &cols, &one, a,
                 &lda, b, &ldb, 1, 1, 1, 1);
}

template <class T>
int64_t Lapack<T>::qr_room(int m, int n, int columns) const {
  T factor{}, form{}, nothing{};
  int info = 0;
  const int query = -1, lda = at_least_one(m), k = std::min(m, n);
  routines->geqrf(&m, &n, &nothing, &lda, &nothing, &factor, &query, &info);
  routines->orgqr(&m, &columns, &k, &nothing, &lda, &nothing, &form, &query, &info);
  return std::max(
      {rounded_up(factor), rounded_up(form), int64_t{at_least_one(std::max(n, columns))}});
}

template <class T>
int Lapack<T>::qr(int m, int n, T* a, int lda, T* tau, T* work, int64_t room) const {
  int info = 0;
  const int lwork = as_int(room);
  routines->geqrf(&m, &n, a, &lda, tau, work, &lwork, &info);
  return info;
}

template <class T>
int Lapack<T>::qr_columns(int m, int n, int k, T* a, int lda, const T* tau, T* work,
                          int64_t room) const {
  int info = 0;
  const int lwork = as_int(room);
  routines->orgqr(&m, &n, &k, a, &lda, tau, work, &lwork, &info);
  return info;
}

template <class T>
int Lapack<T>::svd(char job, int m, int n, T* a, R* s, T* u, int ldu, T* vh, int ldvh, T* work,
                   int64_t room, R* real, int* ints) const {
  int info = 0;
  const int lwork = room < 0 ? -1 : as_int(room), lda = at_least_one(m);
  if constexpr (kIsComplex<T>)
    reinterpret_cast<ComplexSvd>(routines->gesdd)(&job, &m, &n, a, &lda, s, u, &ldu, vh, &ldvh,
                                                  work, &lwork, real, ints, &info, 1);
  else
    reinterpret_cast<RealSvd>(routines->gesdd)(&job, &m, &n, a, &lda, s, u, &ldu, vh, &ldvh, work,
                                               &lwork, ints, &info, 1);
  return info;
}

template <class T>
int64_t Lapack<T>::svd_room(char job, int m, int n) const {
  T wanted{}, nothing{};
  R real{};
  int ints = 0;
  svd(job, m, n, &nothing, &real, &nothing, at_least_one(m), &nothing, at_least_one(n), &wanted, -1,
      &real, &ints);
  return rounded_up(wanted);
}

template <class T>
int Lapack<T>::eigh(bool vectors, bool upper, int n, T* a, R* w, T* work, int64_t room, R* real,
                    int64_t real_room, int* ints, int64_t ints_room) const {
  int info = 0;
  const char *job = vectors ? "V" : "N", *uplo = upper ? "U" : "L";
  const int lda = at_least_one(n), lwork = as_int(room), lrwork = as_int(real_room),
            liwork = as_int(ints_room);
  if constexpr (kIsComplex<T>)
    reinterpret_cast<ComplexEigh>(routines->syevd)(job, uplo, &n, a, &lda, w, work, &lwork, real,
                                                   &lrwork, ints, &liwork, &info, 1, 1);
  else
    reinterpret_cast<RealEigh>(routines->syevd)(job, uplo, &n, a, &lda, w, work, &lwork, ints,
                                                &liwork, &info, 1, 1);
  return info;
}

template <class T>
typename Lapack<T>::EighRoom Lapack<T>::eigh_room(bool vectors, int n) const {
  T wanted{}, nothing{};
  R real[2] = {};
  int ints = 0;
  eigh(vectors, false, n, &nothing, &real[0], &wanted, -1, &real[1], -1, &ints, -1);
  return {rounded_up(wanted), rounded_up(real[1]), std::max(1, ints)};
}

template <class T>
int Lapack<T>::eig(bool vectors, int n, T* a, std::complex<R>* w, std::complex<R>* v, T* work,
                   int64_t room, R* real) const {
  int info = 0;
  const char* job = vectors ? "V" : "N";
  const int lda = at_least_one(n), lwork = room < 0 ? -1 : as_int(room);
  T nothing{};
  if constexpr (kIsComplex<T>) {
    reinterpret_cast<ComplexEig>(routines->geev)("N", job, &n, a, &lda, w, &nothing, &lda, v, &lda,
                                                 work, &lwork, real, &info, 1, 1);
  } else {
    R *wr = real, *wi = real + n, *columns = vectors ? real + 2 * n : &nothing;
    reinterpret_cast<RealEig>(routines->geev)("N", job, &n, a, &lda, wr, wi, &nothing, &lda,
                                              columns, &lda, work, &lwork, &info, 1, 1);
    if (info || room < 0) return info;
    for (int j = 0; j < n; ++j) w[j] = {wr[j], wi[j]};
    // Of a pair of conjugates the first column has the real parts, the second the imaginary ones.
    for (int j = 0; vectors && j < n; ++j) {
      const bool pair = wi[j] != 0;
      const R *re = columns + int64_t{j} * n, *im = re + n;
      for (int i = 0; i < n; ++i) {
        v[int64_t{j} * n + i] = {re[i], pair ? im[i] : R{0}};
        if (pair) v[int64_t{j + 1} * n + i] = {re[i], -im[i]};
      }
      j += pair;
    }
  }
  return info;
}

template <class T>
int64_t Lapack<T>::eig_room(bool vectors, int n) const {
  T wanted{}, nothing{};
  R real[2] = {};
  std::complex<R> none{};
  eig(vectors, n, &nothing, &none, &none, &wanted, -1, real);
  return rounded_up(wanted);
}

template class Lapack<float>;
template class Lapack<double>;
template class Lapack<std::complex<float>>;
template class Lapack<std::complex<double>>;

}  // namespace bp_cpu
