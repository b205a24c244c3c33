// What the ops mean for complex operands, in complex long double; functions are the C library's,
// whose special values are those of C's Annex G. Errors are counted in units of the modulus of the
// result: either part may be far smaller than the number.
#include <cmath>
#include <complex>
#include <utility>

#include "oracle/oracle.h"
#include "promote.h"

namespace conformance {
namespace {

using Number = std::complex<Real>;

Number at(const Array& a, size_t i) { return {a.re[i], a.im[i]}; }

Real size_of(Number z) { return std::hypot(z.real(), z.imag()); }

void put(Expected& e, Number z) {
  e.array.re.push_back(z.real());
  if (is_complex(e.array.dtype)) e.array.im.push_back(z.imag());
  const Real size = size_of(z);
  e.scale.push_back(std::isfinite(size) ? size : 0);
}

Expected empty_like(const Array& x, bp_dtype t) { return {Array{t, x.shape, {}, {}}}; }

// ---- one operand ----

using Formula = Number (*)(Number z);
enum class Result { kComplex, kPart, kBool };

template <Formula kFormula, Result kResult = Result::kComplex>
Answer apply(const Call& call) {
  const Array& x = call.in[0].array;
  Expected e = empty_like(x, kResult == Result::kComplex ? x.dtype
                             : kResult == Result::kPart  ? part_of(x.dtype)
                                                         : BP_BOOL);
  for (size_t i = 0; i < x.size(); ++i) put(e, kFormula(at(x, i)));
  return {e};
}

bool either(Number z, bool (*is)(Real)) { return is(z.real()) || is(z.imag()); }

Number neg(Number z) { return {-z.real(), -z.imag()}; }
Number conj(Number z) { return {z.real(), -z.imag()}; }
Number real(Number z) { return z.real(); }
Number imag(Number z) { return z.imag(); }
Number absolute(Number z) { return size_of(z); }
Number angle(Number z) { return std::atan2(z.imag(), z.real()); }

// ---- two operands ----

struct Pair {
  Shape shape;
  Array a, b;
};
Pair operands(const Call& call) {
  const bp_dtype t = result_type(call.in);
  const Shape shape = broadcast_shape(call.in);
  return {shape, seen(call.in[0], t, shape), seen(call.in[1], t, shape)};
}

// f64 sums are rounded once, in double.
Real add(Real a, Real b, bp_dtype t) {
  return t == BP_C128 ? static_cast<Real>(static_cast<double>(a) + static_cast<double>(b)) : a + b;
}
template <bool kMinus>
Answer sum(const Call& call) {
  Pair p = operands(call);
  Expected e{p.a};
  for (size_t i = 0; i < p.a.size(); ++i) {
    e.array.re[i] = add(p.a.re[i], kMinus ? -p.b.re[i] : p.b.re[i], p.a.dtype);
    e.array.im[i] = add(p.a.im[i], kMinus ? -p.b.im[i] : p.b.im[i], p.a.dtype);
  }
  return {e};
}

// As the formula runs in the parts' own dtype: intermediate results may overflow.
template <class T>
Number plain_product(Number a, Number b) {
  const T ar = static_cast<T>(a.real()), ai = static_cast<T>(a.imag());
  const T br = static_cast<T>(b.real()), bi = static_cast<T>(b.imag());
  return {ar * br - ai * bi, ar * bi + ai * br};
}
// Judged by the size of the products: the two halves of each part may cancel.
Answer mul(const Call& call) {
  Pair p = operands(call);
  Expected e{p.a, {}, true};
  for (size_t i = 0; i < p.a.size(); ++i) {
    const Number a = at(p.a, i), b = at(p.b, i);
    Number z = p.a.dtype == BP_C64 ? plain_product<float>(a, b) : plain_product<double>(a, b);
    if (std::isfinite(z.real()) && std::isfinite(z.imag())) z = plain_product<Real>(a, b);
    e.array.re[i] = z.real();
    e.array.im[i] = z.imag();
    e.scale.push_back(size_of(a) * size_of(b));
  }
  return {e};
}

Number quotient(Number a, Number b) {
  const Real ar = a.real(), ai = a.imag(), br = b.real(), bi = b.imag();
  const Real size = br * br + bi * bi;  // long double holds the square of any double
  const Number q{(ar * br + ai * bi) / size, (ai * br - ar * bi) / size};
  if (!std::isnan(q.real()) || !std::isnan(q.imag())) return q;
  const Real inf = INFINITY;
  auto box = [](Real v) { return std::copysign(Real(std::isinf(v)), v); };
  if (br == 0 && bi == 0) return {std::copysign(inf, br) * ar, std::copysign(inf, br) * ai};
  if (either(a, std::isinf) && std::isfinite(br) && std::isfinite(bi))
    return {inf * (box(ar) * br + box(ai) * bi), inf * (box(ai) * br - box(ar) * bi)};
  if (either(b, std::isinf) && std::isfinite(ar) && std::isfinite(ai))
    return {0 * (ar * box(br) + ai * box(bi)), 0 * (ai * box(br) - ar * box(bi))};
  return q;
}
Answer div(const Call& call) {
  Pair p = operands(call);
  Expected e = empty_like(p.a, p.a.dtype);
  e.any_zero = true;
  for (size_t i = 0; i < p.a.size(); ++i) put(e, quotient(at(p.a, i), at(p.b, i)));
  return {e};
}

// ---- put together from parts ----

template <bool kPolar>
Answer from_parts(const Call& call) {
  Pair p = operands(call);
  Expected e = empty_like(p.a, p.a.dtype == BP_F64 ? BP_C128 : BP_C64);
  for (size_t i = 0; i < p.a.size(); ++i) {
    const Real a = p.a.re[i], b = p.b.re[i];
    put(e, kPolar ? Number{a * std::cos(b), a * std::sin(b)} : Number{a, b});
  }
  return {e};
}

constexpr ComplexOracle kOracles[] = {
    {"neg", apply<neg>, 0},
    {"conj", apply<conj>, 0},
    {"real", apply<real, Result::kPart>, 0},
    {"imag", apply<imag, Result::kPart>, 0},
    {"abs", apply<absolute, Result::kPart>, 1},
    {"angle", apply<angle, Result::kPart>, 2},
    {"add", sum<false>, 0},
    {"sub", sum<true>, 0},
    {"mul", mul, 2},
    {"div", div, 3},
};

// ---- the rows of complex_parts.cc for real operands ----

Answer same(const Call& call) { return {{call.in[0].array}}; }
Answer real_angle(const Call& call) {
  const bp_dtype t = default_float_of(call.in[0].array.dtype);
  Array x = seen(call.in[0], t, call.in[0].array.shape);
  for (Real& v : x.re) v = std::isnan(v) ? v : v < 0 ? std::acos(Real{-1}) : 0;
  return {{x}};
}

constexpr uint32_t kParts = 1u << BP_F32 | 1u << BP_F64;
constexpr Spec kSpecs[] = {
    {"real", Family::kUnary, kReals, same},
    {"imag", Family::kUnary, 0, same},
    {"conj", Family::kUnary, kReals, same},
    {"angle", Family::kUnary, kReals, real_angle, Compute::kDefaultFloat},
    {"complex", Family::kBinary, kParts, from_parts<false>},
    {"polar", Family::kBinary, kParts, from_parts<true>},
};

}  // namespace

std::span<const Spec> complex_parts_oracles() { return kSpecs; }
std::span<const ComplexOracle> complex_oracles() { return kOracles; }

}  // namespace conformance
