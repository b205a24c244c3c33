// SPDX-License-Identifier: Apache-2.0
// rows_float.cc: floating point. What PTX calls approximate is correctly rounded here, or nearly,
// and what it calls .ftz flushes subnormals. Every NaN result of f32 is 0x7fffffff on a card; here
// it may have another payload.
#include <bit>
#include <cfenv>
#include <cmath>

#include "lanes.h"
#include "rows.h"

namespace machine {
namespace {

constexpr std::string_view kFloat = "9.7.3 Floating-Point",
                           kCompare = "9.7.6 Comparison and Selection";

template <class T>
T flush(T x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(T{0}, x) : x;
}

// Rounds otherwise than to nearest: the mode holds for one operation that the compiler cannot move.
template <int kMode, class F>
float rounded(F f) {
  const int before = std::fegetround();
  std::fesetround(kMode);
  volatile float result = f();
  std::fesetround(before);
  return result;
}
template <int kMode>
float fma_rounded(float a, float b, float c) {
  volatile float x = a, y = b, z = c;
  return rounded<kMode>([&] { return std::fma(x, y, z); });
}
float add_to_zero(float a, float b) {
  volatile float x = a, y = b;
  return rounded<FE_TOWARDZERO>([&] { return x + y; });
}

// "computed as a * (1/b)": of a b beyond 2^126 the reciprocal is zero.
float divide(float a, float b) {
  return std::fabs(b) > 0x1p126f && !std::isinf(b) ? a * std::copysign(0.0f, b) : a / b;
}

// The upper half of an operand or a result; the lower counts as zero.
double upper(double x) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(x) & 0xffffffff00000000u);
}

template <class T>
void add_comparison(Rows& rows, const std::string& type) {
  const std::string letters =
      std::string("p") + static_cast<char>('0' + sizeof(T)) + static_cast<char>('0' + sizeof(T));
  const auto add = [&](const char* name, auto f) {
    rows["setp." + std::string(name) + "." + type] = {kCompare, letters, map<bool(T, T)>(f)};
  };
  add("eq", [](T a, T b) { return a == b; });
  add("ne", [](T a, T b) { return a < b || a > b; });
  add("lt", [](T a, T b) { return a < b; });
  add("le", [](T a, T b) { return a <= b; });
  add("gt", [](T a, T b) { return a > b; });
  add("ge", [](T a, T b) { return a >= b; });
  // Unordered: true of a NaN as well.
  add("equ", [](T a, T b) { return !(a < b || a > b); });
  add("neu", [](T a, T b) { return a != b; });
  add("ltu", [](T a, T b) { return !(a >= b); });
  add("leu", [](T a, T b) { return !(a > b); });
  add("gtu", [](T a, T b) { return !(a <= b); });
  add("geu", [](T a, T b) { return !(a < b); });
  add("num", [](T a, T b) { return a == a && b == b; });
  add("nan", [](T a, T b) { return a != a || b != b; });
}

template <class T>
void add_arithmetic(Rows& rows, const std::string& type) {
  const std::string letter(1, static_cast<char>('0' + sizeof(T)));
  const auto one = [&](const std::string& name, auto f) {
    rows[name + "." + type] = {kFloat, letter + letter, map<T(T)>(f)};
  };
  const auto two = [&](const std::string& name, auto f) {
    rows[name + "." + type] = {kFloat, letter + letter + letter, map<T(T, T)>(f)};
  };
  // Without a rounding, mul and add are to nearest too, and might be fused, which is not done here.
  for (const char* rn : {"", ".rn"}) {
    const std::string mode = rn;
    two("add" + mode, [](T a, T b) { return a + b; });
    two("sub" + mode, [](T a, T b) { return a - b; });
    two("mul" + mode, [](T a, T b) { return a * b; });
  }
  two("div.rn", [](T a, T b) { return a / b; });
  one("sqrt.rn", [](T a) { return std::sqrt(a); });
  one("rcp.rn", [](T a) { return T{1} / a; });
  one("abs", [](T a) { return std::fabs(a); });
  one("neg", [](T a) { return -a; });
  // A number wins over a NaN, and -0 is less than +0.
  two("min", [](T a, T b) {
    return a != a ? b : b != b ? a : a < b || (a == b && std::signbit(a)) ? a : b;
  });
  two("max", [](T a, T b) {
    return a != a ? b : b != b ? a : a > b || (a == b && !std::signbit(a)) ? a : b;
  });
  two("copysign", [](T sign, T b) { return std::copysign(b, sign); });
  rows["fma.rn." + type] = {kFloat, letter + letter + letter + letter,
                            map<T(T, T, T)>([](T a, T b, T c) { return std::fma(a, b, c); })};
  rows["selp." + type] = {kCompare, letter + letter + letter + "p",
                          map<T(T, T, bool)>([](T a, T b, bool p) { return p ? a : b; })};
}

}  // namespace

void add_float_rows(Rows& rows) {
  add_arithmetic<float>(rows, "f32");
  add_arithmetic<double>(rows, "f64");
  add_comparison<float>(rows, "f32");
  add_comparison<double>(rows, "f64");
  rows["fma.rm.f32"] = {kFloat, "4444",
                        map<float(float, float, float)>([](float a, float b, float c) {
                          return fma_rounded<FE_DOWNWARD>(a, b, c);
                        })};
  rows["fma.rz.f32"] = {kFloat, "4444",
                        map<float(float, float, float)>([](float a, float b, float c) {
                          return fma_rounded<FE_TOWARDZERO>(a, b, c);
                        })};
  rows["add.rz.f32"] = {
      kFloat, "444", map<float(float, float)>([](float a, float b) { return add_to_zero(a, b); })};
  rows["div.approx.f32"] = {
      kFloat, "444", map<float(float, float)>([](float a, float b) { return divide(a, b); })};
  rows["div.approx.ftz.f32"] = {kFloat, "444", map<float(float, float)>([](float a, float b) {
                                  return flush(divide(flush(a), flush(b)));
                                })};
  rows["ex2.approx.f32"] = {kFloat, "44", map<float(float)>([](float a) { return std::exp2(a); })};
  rows["ex2.approx.ftz.f32"] = {
      kFloat, "44", map<float(float)>([](float a) { return flush(std::exp2(flush(a))); })};
  rows["lg2.approx.f32"] = {kFloat, "44", map<float(float)>([](float a) { return std::log2(a); })};
  rows["lg2.approx.ftz.f32"] = {
      kFloat, "44", map<float(float)>([](float a) { return flush(std::log2(flush(a))); })};
  rows["rcp.approx.ftz.f32"] = {kFloat, "44",
                                map<float(float)>([](float a) { return flush(1.0f / flush(a)); })};
  rows["rcp.approx.ftz.f64"] = {kFloat, "88", map<double(double)>([](double a) {
                                  return upper(flush(1.0 / flush(upper(a))));
                                })};
  rows["rsqrt.approx.ftz.f32"] = {
      kFloat, "44", map<float(float)>([](float a) {
        return flush(static_cast<float>(1.0 / std::sqrt(static_cast<double>(flush(a)))));
      })};
  rows["rsqrt.approx.ftz.f64"] = {kFloat, "88", map<double(double)>([](double a) {
                                    return upper(flush(1.0 / std::sqrt(flush(upper(a)))));
                                  })};
}

}  // namespace machine
