// SPDX-License-Identifier: Apache-2.0
// What the ops mean for complex operands, in complex long double; functions are the C library's,
// whose special values are those of C's Annex G. Errors are counted in units of the modulus of the
// result: either part may be far smaller than the number.
#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "oracle/oracle.h"
#include "promote.h"

namespace conformance {
namespace complex_specs {
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

template <Formula kFormula, Result kResult = Result::kComplex, bool kAnyZero = false>
Answer apply(const Call& call) {
  const Array& x = call.in[0].array;
  Expected e = empty_like(x, kResult == Result::kComplex ? x.dtype
                             : kResult == Result::kPart  ? part_of(x.dtype)
                                                         : BP_BOOL);
  e.any_zero = kAnyZero;
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

// Where Annex G leaves the sign of a zero or an infinity open: that of the operand.
Number sinh(Number z) {
  if (std::isinf(z.real()) && !std::isfinite(z.imag())) return {z.real(), NAN};
  return std::sinh(z);
}
Number cosh(Number z) {
  if (z.real() == 0 && !std::isfinite(z.imag())) return {NAN, z.real()};
  return std::cosh(z);
}
Number turned(Number z) { return {-z.imag(), z.real()}; }  // i z
Number sin(Number z) {
  const Number w = sinh(turned(z));
  return {w.imag(), -w.real()};
}
Number cos(Number z) { return cosh(turned(z)); }
// At infinity the zero's sign is that of the imaginary part, as the array API has it.
Number tanh(Number z) {
  const Number w = std::tanh(z);
  return std::isinf(z.real()) ? Number{w.real(), std::copysign(Real{0}, z.imag())} : w;
}
Number tan(Number z) {
  const Number w = tanh(turned(z));
  return {w.imag(), -w.real()};
}
Number asin(Number z) { return std::asin(z); }
Number acos(Number z) { return std::acos(z); }
Number atan(Number z) { return std::atan(z); }
Number asinh(Number z) { return std::asinh(z); }
Number acosh(Number z) { return std::acosh(z); }
Number atanh(Number z) { return std::atanh(z); }
Number root(Number z) { return std::sqrt(z); }
Number exponential(Number z) { return std::exp(z); }
Number logarithm(Number z) { return std::log(z); }
Number log2(Number z) {
  const Number w = std::log(z);
  return {w.real() / std::log(Real{2}), w.imag() / std::log(Real{2})};
}
Number log10(Number z) {
  const Number w = std::log(z);
  return {w.real() / std::log(Real{10}), w.imag() / std::log(Real{10})};
}
Number expm1(Number z) {
  const Real x = z.real(), y = z.imag();
  if (y == 0) return {std::expm1(x) + Real{0}, y};  // +0 of -0
  if (!std::isfinite(y) || !std::isfinite(x)) {
    const Number e = std::exp(z);
    return {e.real() - 1, e.imag()};
  }
  const Real half = std::sin(y / 2);
  return {std::expm1(x) * std::cos(y) - 2 * half * half, std::exp(x) * std::sin(y)};
}
Number log1p(Number z) {
  const Real x = z.real(), y = z.imag();
  if (y == 0 && x > -1) return {std::log1p(x), y};
  if (std::fabs(x) < 0.5L && std::fabs(y) < 0.5L)
    return {std::log1p(2 * x + (x * x + y * y)) / 2, std::atan2(y, 1 + x)};
  return std::log(Number{1 + x, y});
}
Number sign(Number z) {
  if (either(z, std::isnan)) return {NAN, NAN};
  if (either(z, std::isinf))
    z = {std::copysign(Real(std::isinf(z.real())), z.real()),
         std::copysign(Real(std::isinf(z.imag())), z.imag())};
  const Real size = size_of(z);
  return size == 0 ? Number{} : Number{z.real() / size, z.imag() / size};
}

Number isnan(Number z) { return either(z, std::isnan); }
Number isinf(Number z) { return either(z, std::isinf); }
Number isfinite(Number z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }
Number logical_not(Number z) { return z == Number{}; }

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

Answer square(const Call& call) { return mul({{call.in[0], call.in[0]}, {}}); }

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
Number reciprocal(Number z) { return quotient({1, 0}, z); }
Number rsqrt(Number z) { return reciprocal(std::sqrt(z)); }
// 1 + e^z cancels near the poles.
Answer sigmoid(const Call& call) {
  const Array& x = call.in[0].array;
  Expected out = empty_like(x, x.dtype);
  out.any_zero = true;
  const Real eps = std::ldexp(Real{1}, 1 - format_of(part_of(x.dtype)).precision);
  for (size_t i = 0; i < x.size(); ++i) {
    const Number z = at(x, i), e = std::exp(z.real() < 0 ? z : Number{-z.real(), -z.imag()});
    const Number below{1 + e.real(), e.imag()};
    put(out, z.real() < 0 ? quotient(e, below) : reciprocal(below));
    const Real loss = 2 * eps * size_of(e) / size_of(below) * out.scale.back();
    out.tolerance.push_back(std::isfinite(loss) ? loss : 0);
  }
  return {out};
}

// exp(b log a): an error in the exponent counts as often as the exponent is large, and infinities
// are as the formula has them. Whole exponents are multiplied out.
Answer power(const Call& call) {
  Pair p = operands(call);
  Expected e = empty_like(p.a, p.a.dtype);
  e.any_zero = true;
  const Real eps = std::ldexp(Real{1}, 1 - format_of(part_of(p.a.dtype)).precision);
  for (size_t i = 0; i < p.a.size(); ++i) {
    const Number a = at(p.a, i), b = at(p.b, i);
    const bool whole = std::isfinite(size_of(a)) && b.imag() == 0 &&
                       std::floor(b.real()) == b.real() && std::fabs(b.real()) <= 64;
    const Number exponent = plain_product<Real>(b, std::log(a));
    Number z = std::exp(exponent);
    Real steps = size_of(exponent);
    if (whole) {
      z = 1;
      for (int n = 0; n < std::fabs(b.real()); ++n) z = plain_product<Real>(z, a);
      if (b.real() < 0) z = reciprocal(z);
      steps = std::max(std::fabs(b.real()), std::isfinite(steps) ? steps : 0);
    } else if (a == Number{} && b.real() > 0) {
      z = 0;
    }
    put(e, z);
    const Real size = size_of(z);
    const bool known =
        std::isfinite(steps) && steps * eps < 0.01L && size < max_of(part_of(p.a.dtype)) / 4;
    e.tolerance.push_back(known ? 3 * steps * eps * size : 0);
    e.open.push_back(!known);
  }
  return {e};
}

template <bool (*kFormula)(bool, bool)>
Answer logical(const Call& call) {
  Pair p = operands(call);
  Expected e = empty_like(p.a, BP_BOOL);
  for (size_t i = 0; i < p.a.size(); ++i)
    e.array.re.push_back(kFormula(at(p.a, i) != Number{}, at(p.b, i) != Number{}));
  return {e};
}
bool both(bool a, bool b) { return a && b; }
bool one_at_least(bool a, bool b) { return a || b; }
bool one_alone(bool a, bool b) { return a != b; }

Answer div(const Call& call) {
  Pair p = operands(call);
  Expected e = empty_like(p.a, p.a.dtype);
  e.any_zero = true;
  for (size_t i = 0; i < p.a.size(); ++i) put(e, quotient(at(p.a, i), at(p.b, i)));
  return {e};
}

// ---- along axes ----

Array part(const Array& a, bool imaginary) {
  return {part_of(a.dtype), a.shape, imaginary ? a.im : a.re, {}};
}
Array with_asked_dtype(const Call& call) {
  return convert(call.in[0].array, call.dtype("dtype", call.in[0].array.dtype));
}

// What is linear is so for each part: the row's oracle for real operands answers.
template <const char* const& kOp>
Answer by_parts(const Call& call) {
  const Array x = with_asked_dtype(call);
  Call one = call;
  std::erase_if(one.attrs, [](const Attribute& a) { return a.name == "dtype"; });
  Expected whole[2];
  for (const bool imaginary : {false, true}) {
    one.in[0].array = part(x, imaginary);
    whole[imaginary] = oracle_of(kOp)->oracle(one)[0];
  }
  Expected e = whole[0];
  e.array.dtype = x.dtype;
  e.array.im = whole[1].array.re;
  for (size_t i = 0; i < e.scale.size(); ++i) e.scale[i] = std::max(e.scale[i], whole[1].scale[i]);
  return {e};
}
constexpr const char *kSum = "sum", *kMean = "mean", *kCumsum = "cumsum", *kDiff = "diff",
                     *kMatmul = "matmul", *kVecdot = "vecdot", *kLinear = "linear";

// The elements that meet in each output, in row-major order.
struct Groups {
  Shape shape;
  std::vector<std::vector<size_t>> of;
};
Groups group(const Shape& shape, const Call& call) {
  const size_t rank = shape.size();
  std::vector<bool> reduced(rank, call.ints("axes").empty());
  for (const int64_t axis : call.ints("axes"))
    if (rank > 0) reduced[wrap_axis(axis, rank)] = true;
  Groups g;
  Shape kept = shape;
  for (size_t d = 0; d < rank; ++d)
    if (reduced[d]) kept[d] = 1;
  g.of.resize(static_cast<size_t>(count_of(kept)));
  for (size_t i = 0; i < static_cast<size_t>(count_of(shape)); ++i)
    g.of[position_in(kept, shape, i)].push_back(i);
  for (size_t d = 0; d < rank; ++d)
    if (!reduced[d] || call.i64("keepdims", 0)) g.shape.push_back(kept[d]);
  return g;
}

// Distances in the plane: the parts' variances, added up.
template <bool kRoot>
Answer deviation(const Call& call) {
  Call one = call;
  Expected e;
  for (const bool imaginary : {false, true}) {
    one.in[0].array = part(call.in[0].array, imaginary);
    const Expected of = oracle_of("var")->oracle(one)[0];
    if (!imaginary) e = of;
    for (size_t i = 0; imaginary && i < of.array.size(); ++i) e.array.re[i] += of.array.re[i];
  }
  if (kRoot)
    for (Real& v : e.array.re) v = std::sqrt(v);
  return {e};
}

// The norm of the moduli.
Answer vector_norm(const Call& call) {
  Call sizes = call;
  Array& x = sizes.in[0].array = part(call.in[0].array, false);
  for (size_t i = 0; i < x.size(); ++i) x.re[i] = size_of(at(call.in[0].array, i));
  return oracle_of("vector_norm")->oracle(sizes);
}

// Each factor rounds a few times, whatever the order.
Real tolerance_of(Number product, size_t factors, bp_dtype t) {
  const Real eps = std::ldexp(Real{1}, 1 - format_of(part_of(t)).precision);
  return 3 * static_cast<Real>(factors) * eps * size_of(product);
}

Answer prod(const Call& call) {
  const Array x = with_asked_dtype(call);
  const Groups g = group(x.shape, call);
  Expected e{Array{x.dtype, g.shape, {}, {}}, {}, true, {}};
  for (const auto& group : g.of) {
    Number z = 1;
    for (const size_t i : group) z = plain_product<Real>(z, at(x, i));
    put(e, z);
    e.tolerance.push_back(tolerance_of(z, group.size(), x.dtype));
  }
  return {e};
}

Answer cumprod(const Call& call) {
  const Array x = with_asked_dtype(call);
  const size_t n = x.size();
  Expected e{Array{x.dtype, x.shape, std::vector<Real>(n), std::vector<Real>(n)},
             {},
             true,
             std::vector<Real>(n)};
  const Rows rows = rows_of(x.shape, call.i64("axis", 0));
  for (size_t o = 0; o < rows.outer; ++o)
    for (size_t i = 0; i < rows.inner; ++i) {
      Number z = 1;
      for (size_t j = 0; j < rows.n; ++j) {
        const size_t here = rows.at(o, j, i);
        z = plain_product<Real>(z, at(x, here));
        e.array.re[here] = z.real();
        e.array.im[here] = z.imag();
        e.tolerance[here] = tolerance_of(z, j + 1, x.dtype);
      }
    }
  return {e};
}

template <bool kAny>
Answer quantify(const Call& call) {
  const Array& x = call.in[0].array;
  const Groups g = group(x.shape, call);
  Expected e{Array{BP_BOOL, g.shape, {}, {}}};
  for (const auto& group : g.of) {
    bool found = false;
    for (const size_t i : group) found = found || (at(x, i) != Number{}) == kAny;
    e.array.re.push_back(found == kAny);
  }
  return {e};
}

Answer count_nonzero(const Call& call) {
  const Array& x = call.in[0].array;
  const Groups g = group(x.shape, call);
  Expected e{Array{BP_I64, g.shape, {}, {}}};
  for (const auto& group : g.of)
    e.array.re.push_back(static_cast<Real>(
        std::count_if(group.begin(), group.end(), [&](size_t i) { return at(x, i) != Number{}; })));
  return {e};
}

// Four products of parts, whose bounds add up; kConjugate: the first operand's conjugate.
template <const char* const& kOp, bool kConjugate>
Answer products(const Call& call) {
  const auto of = [&](bool a, bool b) {
    Call one = call;
    one.in[0].array = part(call.in[0].array, a);
    one.in[1].array = part(call.in[1].array, b);
    if (a && kConjugate)
      for (Real& v : one.in[0].array.re) v = -v;
    if (one.in.size() > 2 && one.in[2].is_tensor()) {  // a bias, which joins one product
      if (a)
        one.in[2].kind = BP_VALUE_NONE;
      else
        one.in[2].array = part(one.in[2].array, b);
    }
    return oracle_of(kOp)->oracle(one)[0];
  };
  const Expected rr = of(false, false), ii = of(true, true), ri = of(false, true),
                 ir = of(true, false);
  Expected e = rr;
  e.array.dtype = call.in[0].array.dtype;
  e.array.im = ri.array.re;
  const Real eps = std::ldexp(Real{1}, 1 - format_of(rr.array.dtype).precision);
  for (size_t i = 0; i < rr.array.size(); ++i) {
    e.array.re[i] -= ii.array.re[i];
    e.array.im[i] += ir.array.re[i];
    e.tolerance[i] +=
        ii.tolerance[i] + ri.tolerance[i] + ir.tolerance[i] + eps * size_of(at(e.array, i));
  }
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
    {"sqrt", apply<root>, 2},
    {"rsqrt", apply<rsqrt, Result::kComplex, true>, 8},
    {"square", square, 3},
    {"reciprocal", apply<reciprocal, Result::kComplex, true>, 3},
    {"sign", apply<sign>, 3},
    {"exp", apply<exponential>, 3},
    {"expm1", apply<expm1>, 6},
    {"log", apply<logarithm>, 3},
    {"log1p", apply<log1p>, 4},
    {"log2", apply<log2>, 4},
    {"log10", apply<log10>, 4},
    {"sin", apply<sin>, 4},
    {"cos", apply<cos>, 4},
    {"tan", apply<tan>, 8},
    {"sinh", apply<sinh>, 4},
    {"cosh", apply<cosh>, 4},
    {"tanh", apply<tanh>, 8},
    {"asin", apply<asin>, 6},
    {"acos", apply<acos>, 6},
    {"atan", apply<atan>, 6},
    {"asinh", apply<asinh>, 6},
    {"acosh", apply<acosh>, 6},
    {"atanh", apply<atanh>, 6},
    {"sigmoid", sigmoid, 10},
    {"isnan", apply<isnan, Result::kBool>, 0},
    {"isinf", apply<isinf, Result::kBool>, 0},
    {"isfinite", apply<isfinite, Result::kBool>, 0},
    {"logical_not", apply<logical_not, Result::kBool>, 0},
    {"pow", power, 4},
    {"logical_and", logical<both>, 0},
    {"logical_or", logical<one_at_least>, 0},
    {"logical_xor", logical<one_alone>, 0},
    {"sum", by_parts<kSum>, 8},
    {"mean", by_parts<kMean>, 8},
    {"cumsum", by_parts<kCumsum>, 32},
    {"prod", prod, 8},
    {"cumprod", cumprod, 8},
    {"any", quantify<true>, 0},
    {"all", quantify<false>, 0},
    {"count_nonzero", count_nonzero, 0},
    {"diff", by_parts<kDiff>, 0},
    {"var", deviation<false>, 64},
    {"std", deviation<true>, 64},
    {"vector_norm", vector_norm, 32},
    {"matmul", products<kMatmul, false>, 0},
    {"vecdot", products<kVecdot, true>, 0},
    {"linear", products<kLinear, false>, 0},
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
}  // namespace complex_specs

std::span<const Spec> complex_parts_oracles() { return complex_specs::kSpecs; }
std::span<const ComplexOracle> complex_oracles() { return complex_specs::kOracles; }

}  // namespace conformance
