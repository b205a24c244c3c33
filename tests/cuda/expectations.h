// SPDX-License-Identifier: Apache-2.0
// expectations.h: what an opcode of PTX computes in one lane, derived from the parts of its name
// (operation, modifiers, types) and from nothing that the machine uses: integers in 128 bits,
// floating point exactly in two numbers of 113 bits and then rounded. Sections are of PTX ISA 9.0.
//
//   const Form f = *form_of("add.s32");
//   Bits out[4], in[] = {2, 3};
//   f.value(in, out);  // out[0] == 5
#pragma once
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace expectations {

using Bits = uint64_t;
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 Natural;
__extension__ typedef __float128 Quad;

struct Type {
  char kind = 0;  // b u s f p, as PTX begins its types; 0: none
  int bytes = 0;
};

struct Form {
  std::vector<Type> to, from;
  // Writes the results' bits. Returns false where PTX promises nothing.
  std::function<bool(const Bits* in, Bits* out)> value;
  // Where PTX promises a bound of the error instead.
  std::function<bool(const Bits* in, Bits got)> near = nullptr;
  bool widens = false;                             // registers may be wider than the types
  std::string before = {}, text = {}, after = {};  // of registers d0, d1, s0, s1 ...
};

inline Type type(const std::string& word) {
  if (word == "pred") return {'p', 4};
  const int bits = word.empty() ? 0 : std::atoi(word.c_str() + 1);
  return bits && std::strchr("busf", word[0]) ? Type{word[0], bits / 8} : Type{};
}
inline Wide integer(Type t, Bits b) {
  const int unused = 64 - 8 * t.bytes;
  return t.kind == 's' ? Wide{static_cast<int64_t>(b << unused) >> unused}
                       : Wide{b << unused >> unused};
}
// As a register of so many bytes holds it.
inline Bits held(Type t, Bits b, int bytes) {
  return static_cast<Bits>(integer({'u', bytes}, static_cast<Bits>(integer(t, b))));
}
template <class T>
T real(Bits b) {
  T x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}
template <class T>
Bits bits(T x) {
  Bits b = 0;
  std::memcpy(&b, &x, sizeof x);
  return b;
}

// ---- floating point, exactly ----

enum Mode { kNearest, kDown, kToZero };

// Rounds s + rest, of which rest is less than the last bit of s.
template <class T>
T rounded(Quad s, Quad rest, Mode mode) {
  using Limits = std::numeric_limits<T>;
  constexpr T kInfinity = Limits::infinity();
  if (s != s || s - s != 0 || s == 0) return static_cast<T>(s);
  const auto exceeds = [&](Quad x) { return x > s || (x == s && rest < 0); };
  const auto falls_short = [&](Quad x) { return x < s || (x == s && rest > 0); };
  T low = std::clamp(static_cast<T>(s), Limits::lowest(), Limits::max());
  while (exceeds(low)) low = std::nextafter(low, -kInfinity);
  for (T next; !exceeds(next = std::nextafter(low, kInfinity));) low = next;
  if (!falls_short(low)) return low;
  const T high = std::nextafter(low, kInfinity);
  if (mode == kDown) return low;
  if (mode == kToZero) return s > 0 ? low : high;
  const auto unbounded = [](T x) {  // infinity as the number that comes after the largest
    return std::isinf(x) ? Quad{std::copysign(std::ldexp(T{1}, Limits::max_exponent - 1), x)} * 2
                         : Quad{x};
  };
  const Quad middle = (unbounded(low) + unbounded(high)) / 2;
  return exceeds(middle) ? low : falls_short(middle) ? high : bits(low) % 2 == 0 ? low : high;
}
template <class T>
T fma(T a, T b, T c, Mode mode = kNearest) {
  const Quad p = Quad{a} * Quad{b}, s = p + Quad{c};
  if (s - s != 0) return static_cast<T>(s);
  const Quad part = s - p, rest = (p - (s - part)) + (Quad{c} - part);
  if (s != 0) return rounded<T>(s, rest, mode);
  const bool minus = std::signbit(a) != std::signbit(b);
  if (p == 0 && minus == std::signbit(c)) return c;
  return mode == kDown ? -T{0} : T{0};
}
template <class T>
T divide(T a, T b) {  // 113 bits are enough that rounding twice is rounding once
  return rounded<T>(Quad{a} / Quad{b}, 0, kNearest);
}
template <class T>
T root(T a) {
  if (!(a > 0) || std::isinf(a)) return a < 0 ? std::numeric_limits<T>::quiet_NaN() : a;
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  const auto middle_squared = [](T x, T y) {
    return (Quad{x} + Quad{y}) * (Quad{x} + Quad{y}) / 4;
  };
  T r = static_cast<T>(std::sqrt(static_cast<long double>(a)));
  while (middle_squared(r, std::nextafter(r, kInfinity)) < Quad{a})
    r = std::nextafter(r, kInfinity);
  while (middle_squared(r, std::nextafter(r, T{0})) > Quad{a}) r = std::nextafter(r, T{0});
  return r;
}

// 9.7.6: which of less, equal, greater and (n) not comparable an operator is true of.
inline const std::map<std::string, std::string> kTrueOf = {
    {"eq", "="},    {"ne", "<>"},   {"lt", "<"},    {"le", "<="},   {"gt", ">"},
    {"ge", ">="},   {"num", "<=>"}, {"equ", "=n"},  {"neu", "<>n"}, {"ltu", "<n"},
    {"leu", "<=n"}, {"gtu", ">n"},  {"geu", ">=n"}, {"nan", "n"}};
template <class T>
char relation(T a, T b) {
  return a < b ? '<' : a > b ? '>' : a == b ? '=' : 'n';
}

template <class T>
std::optional<Form> float_form(const std::string& op, Type t) {
  const Type exact = {'b', t.bytes};
  const auto form = [&](size_t n, auto f) {
    return Form{{t}, std::vector<Type>(n, t), [f](const Bits* in, Bits* out) {
                  out[0] = bits<T>(f(real<T>(in[0]), real<T>(in[1]), real<T>(in[2])));
                  return true;
                }};
  };
  const auto extreme = [](T a, T b, bool greatest) {
    if (a != a || b != b) return a != a ? b : a;
    if (a == b) return std::signbit(a) != greatest ? a : b;
    return (a > b) == greatest ? a : b;
  };
  const T kOne{1};
  if (op == "add" || op == "add.rn") return form(2, [=](T a, T b, T) { return fma(a, kOne, b); });
  if (op == "add.rz") return form(2, [=](T a, T b, T) { return fma(a, kOne, b, kToZero); });
  if (op == "sub" || op == "sub.rn") return form(2, [=](T a, T b, T) { return fma(a, kOne, -b); });
  if (op == "mul" || op == "mul.rn")
    return form(2, [](T a, T b, T) {
      return fma(a, b, std::signbit(a) != std::signbit(b) ? -T{0} : T{0});
    });
  if (op == "fma.rn") return form(3, [](T a, T b, T c) { return fma(a, b, c); });
  if (op == "fma.rm") return form(3, [](T a, T b, T c) { return fma(a, b, c, kDown); });
  if (op == "fma.rz") return form(3, [](T a, T b, T c) { return fma(a, b, c, kToZero); });
  if (op == "div.rn") return form(2, [](T a, T b, T) { return divide(a, b); });
  if (op == "rcp.rn") return form(1, [=](T a, T, T) { return divide(kOne, a); });
  if (op == "sqrt.rn") return form(1, [](T a, T, T) { return root(a); });
  if (op == "min") return form(2, [=](T a, T b, T) { return extreme(a, b, false); });
  if (op == "max") return form(2, [=](T a, T b, T) { return extreme(a, b, true); });
  const Bits sign = Bits{1} << (8 * t.bytes - 1);
  const auto on_bits = [&](Type to, size_t n, auto f) {
    return Form{{to}, std::vector<Type>(n, t), [f](const Bits* in, Bits* out) {
                  return out[0] = f(in[0], in[1]), true;
                }};
  };
  if (op == "abs") return on_bits(t, 1, [=](Bits a, Bits) { return a & ~sign; });
  if (op == "neg") return on_bits(t, 1, [=](Bits a, Bits) { return a ^ sign; });
  if (op == "copysign")
    return on_bits(exact, 2, [=](Bits a, Bits b) { return (a & sign) | (b & ~sign); });
  if (op.starts_with("setp.") && kTrueOf.count(op.substr(5)))
    return Form{{{'p', 4}}, {t, t}, [of = kTrueOf.at(op.substr(5))](const Bits* in, Bits* out) {
                  out[0] = of.find(relation(real<T>(in[0]), real<T>(in[1]))) != of.npos;
                  return true;
                }};
  return std::nullopt;
}

// ---- what PTX calls approximate: 9.7.3, with its bounds ----

inline float flushed(float x) { return std::fabs(x) < FLT_MIN ? std::copysign(0.0f, x) : x; }

// Whether got is within a bound of the value; the last bits of what overflows or is flushed are
// free.
inline bool within(float got, long double want, long double bound, bool ftz) {
  if (want != want) return got != got;
  if (want == 0 || std::isinf(want)) return got == want && std::signbit(got) == std::signbit(want);
  if (ftz && std::fabs(want) < FLT_MIN * (1 - 1e-6L))
    return got == 0 && std::signbit(got) == std::signbit(want);
  if (ftz && std::fabs(want) < FLT_MIN * (1 + 1e-6L) && got == 0) return true;
  if (std::isinf(got))
    return std::signbit(got) == std::signbit(want) && std::fabs(want) + bound > FLT_MAX;
  return std::fabs(got - want) <= bound;
}
inline long double ulps(long double n, long double of) {
  const int exponent =
      of == 0 || std::isinf(of) || of != of ? -126 : std::max(std::ilogb(of), -126);
  return n * std::ldexp(1.0L, exponent - 23);
}

inline std::optional<Form> approximate_form(const std::string& op, Type t) {
  const bool ftz = op.find(".ftz") != op.npos;
  const std::string name = op.substr(0, op.find('.'));
  const auto in_f32 = [ftz](Bits b) { return ftz ? flushed(real<float>(b)) : real<float>(b); };
  Form f{{t}, {t}, [](const Bits*, Bits*) { return true; }};
  if (t.bytes == 8 && (name == "rcp" || name == "rsqrt")) {
    // Of operand and result the upper 32 bits count, and subnormals are zero.
    f.near = [name](const Bits* in, Bits got) {
      const auto upper = real<double>(in[0] >> 32 << 32);
      const double a = std::fabs(upper) < DBL_MIN ? std::copysign(0.0, upper) : upper,
                   x = real<double>(got);
      const double want = name == "rcp" ? 1 / a : 1 / std::sqrt(a);
      if (want != want) return x != x;
      if ((got & 0xffffffff) != 0) return false;
      if (std::fabs(want) < DBL_MIN) return x == 0 && std::signbit(x) == std::signbit(want);
      return std::isinf(want) ? x == want : std::fabs(x / want - 1) <= std::ldexp(1.0, -20);
    };
    return f;
  }
  if (t.bytes != 4) return std::nullopt;
  if (name == "div") {
    f.from = {t, t};
    f.near = [=](const Bits* in, Bits got) {
      const float a = in_f32(in[0]), b = in_f32(in[1]), x = real<float>(got);
      if (std::fabs(b) > 0x1p126f && !std::isinf(b))
        return a != a || std::isinf(a) ? x != x : x == 0;
      if (b != 0 && std::fabs(b) < 0x1p-126f) return true;  // nothing is promised
      const long double want = static_cast<long double>(a) / b;
      return within(x, want, ulps(2, want), ftz);
    };
  } else if (name == "ex2") {
    f.near = [=](const Bits* in, Bits got) {
      const long double want = std::exp2(static_cast<long double>(in_f32(in[0])));
      return within(real<float>(got), want, ulps(2, want), ftz);
    };
  } else if (name == "lg2") {
    f.near = [=](const Bits* in, Bits got) {
      const long double a = in_f32(in[0]), want = std::log2(a);
      return within(real<float>(got), want,
                    std::ldexp(a > 0.5L && a < 2 ? 1.0L : std::fabs(want), -22), ftz);
    };
  } else if (name == "rcp") {
    f.near = [=](const Bits* in, Bits got) {
      const long double want = 1 / static_cast<long double>(in_f32(in[0]));
      return within(real<float>(got), want, ulps(1, want), ftz);
    };
  } else if (name == "rsqrt") {
    f.near = [=](const Bits* in, Bits got) {
      const long double want = 1 / std::sqrt(static_cast<long double>(in_f32(in[0])));
      return within(real<float>(got), want, std::fabs(want) * std::exp2(-22.9L), ftz);
    };
  } else {
    return std::nullopt;
  }
  return f;
}

// ---- integers: 9.7.1, 9.7.2, 9.7.6, 9.7.8 ----

inline std::optional<Form> integer_form(const std::string& op, Type t) {
  const int n = 8 * t.bytes;
  const Type twice = {t.kind, 2 * t.bytes}, u32 = {'u', 4}, p = {'p', 4};
  // Of sources as integers of their types; the result's lower bits count.
  const auto form = [](Type to, const std::vector<Type>& from, auto f) {
    return Form{{to}, from, [=](const Bits* in, Bits* out) {
                  Wide x[5] = {};
                  for (size_t k = 0; k < from.size(); ++k) x[k] = integer(from[k], in[k]);
                  out[0] = static_cast<Bits>(f(x[0], x[1], x[2], x[3]));
                  return true;
                }};
  };
  const auto unless_zero = [](Form made) {  // division by zero is unspecified
    made.value = [f = made.value, d = made.from[1]](const Bits* in, Bits* out) {
      return integer(d, in[1]) != 0 && f(in, out);
    };
    return made;
  };
  const auto product = [](Wide a, Wide b) { return Natural(a) * Natural(b); };
  using W = Wide;
  if (op == "add") return form(t, {t, t}, [](W a, W b, W, W) { return a + b; });
  if (op == "sub") return form(t, {t, t}, [](W a, W b, W, W) { return a - b; });
  if (op == "mul.lo") return form(t, {t, t}, [=](W a, W b, W, W) { return product(a, b); });
  if (op == "mul.hi") return form(t, {t, t}, [=](W a, W b, W, W) { return product(a, b) >> n; });
  if (op == "mul.wide") return form(twice, {t, t}, [=](W a, W b, W, W) { return product(a, b); });
  if (op == "mad.lo")
    return form(t, {t, t, t}, [=](W a, W b, W c, W) { return product(a, b) + Natural(c); });
  if (op == "mad.wide")
    return form(twice, {t, t, twice}, [=](W a, W b, W c, W) { return product(a, b) + Natural(c); });
  if (op == "div")
    return unless_zero(form(t, {t, t}, [](W a, W b, W, W) { return b == 0 ? b : a / b; }));
  if (op == "rem")
    return unless_zero(form(t, {t, t}, [](W a, W b, W, W) { return b == 0 ? b : a % b; }));
  if (op == "min") return form(t, {t, t}, [](W a, W b, W, W) { return a < b ? a : b; });
  if (op == "max") return form(t, {t, t}, [](W a, W b, W, W) { return a < b ? b : a; });
  if (op == "abs") return form(t, {t}, [](W a, W, W, W) { return a < 0 ? -a : a; });
  if (op == "neg") return form(t, {t}, [](W a, W, W, W) { return -a; });
  if (op == "and") return form(t, {t, t}, [](W a, W b, W, W) { return a & b; });
  if (op == "or") return form(t, {t, t}, [](W a, W b, W, W) { return a | b; });
  if (op == "xor") return form(t, {t, t}, [](W a, W b, W, W) { return a ^ b; });
  if (op == "not") return form(t, {t}, [=](W a, W, W, W) { return t.kind == 'p' ? 1 - a : ~a; });
  if (op == "shl")
    return form(t, {t, u32}, [](W a, W k, W, W) { return k > 64 ? 0 : Natural(a) << int(k); });
  if (op == "shr")
    return form(t, {t, u32}, [](W a, W k, W, W) { return a >> int(std::min(k, W{64})); });
  if (op == "selp")
    return form({'b', t.bytes}, {t, t, p}, [](W a, W b, W c, W) { return c ? a : b; });
  if (op == "mov")
    return form({t.kind == 'p' ? 'p' : 'b', t.bytes}, {t}, [](W a, W, W, W) { return a; });
  if (op == "clz")
    return form(u32, {t}, [n](W a, W, W, W) {
      int k = 0;
      while (k < n && !(a >> (n - 1 - k) & 1)) ++k;
      return k;
    });
  if (op == "popc")
    return form(u32, {t}, [n](W a, W, W, W) {
      int k = 0;
      for (int at = 0; at < n; ++at) k += int(a >> at & 1);
      return k;
    });
  if (op == "bfi") {
    Form made = form(t, {t, t, u32, u32}, [n](W a, W b, W from, W count) {
      for (int k = 0, at = int(from); k < int(count) && at < n; ++k, ++at)
        b = (b & ~(W{1} << at)) | ((a >> k & 1) << at);
      return b;
    });
    // 9.7.1 says that 8 bits of a position count; with more, sm_90 gives something else for b64.
    made.value = [f = made.value](const Bits* in, Bits* out) {
      return ((in[2] | in[3]) & 0xffffff00) == 0 && f(in, out);
    };
    return made;
  }
  if (op == "bmsk.clamp")
    return form(t, {u32, u32}, [](W from, W count, W, W) {
      W mask = 0;
      for (W at = from; at < 32 && at < from + count; ++at) mask |= W{1} << int(at);
      return mask;
    });
  if (op == "prmt")
    return form(t, {t, t, u32}, [](W a, W b, W selector, W) {
      W all = 0;
      for (int k = 0; k < 4; ++k) {
        const int which = int(selector >> 4 * k & 7);
        const W byte = (which < 4 ? a : b) >> 8 * (which % 4) & 0xff;
        all |= (selector >> (4 * k + 3) & 1 ? (byte >= 128 ? W{255} : W{0}) : byte) << 8 * k;
      }
      return all;
    });
  if (op == "dp4a.u32")
    return form(t, {t, t, t}, [](W a, W b, W c, W) {
      for (int k = 0; k < 4; ++k) c += (a >> 8 * k & 255) * (b >> 8 * k & 255);
      return c;
    });
  if (op.starts_with("setp.") && kTrueOf.count(op.substr(5)))
    return form(p, {t, t}, [of = kTrueOf.at(op.substr(5))](W a, W b, W, W) {
      return of.find(relation(a, b)) != of.npos;
    });

  // Carries: one goes in from an instruction before, and the next adds what came out.
  const bool minus = op.starts_with("sub"),
             takes = op.starts_with("addc") || op.starts_with("subc") || op.starts_with("madc"),
             gives = op.find(".cc") != op.npos;
  if (!takes && !gives) return std::nullopt;
  Form f{{t, u32}, {u32, u32, u32, u32}, nullptr};
  f.value = [=, high = op.find(".hi") != op.npos, mad = op.starts_with("mad")](const Bits* in,
                                                                               Bits* out) {
    const Bits a = uint32_t(in[0]), b = uint32_t(in[1]), c = uint32_t(in[2]), carry = in[3] & 1;
    const Wide first = mad ? Wide{high ? a * b >> 32 : uint32_t(a * b)} : Wide{a},
               second = mad ? Wide{c} : Wide{b};
    const Wide sum =
        minus ? first - second - (takes ? carry : 0) : first + second + (takes ? carry : 0);
    out[0] = static_cast<uint32_t>(sum);
    out[1] = gives ? sum >> 32 != 0 : carry;
    return true;
  };
  f.before = minus ? "and.b32 s3, s3, 1; sub.cc.u32 t, 0, s3;"
                   : "and.b32 s3, s3, 1; add.cc.u32 t, s3, 0xffffffff;";
  f.text = op.starts_with("mad") ? "d0, s0, s1, s2" : "d0, s0, s1";
  f.after = minus ? "subc.u32 d1, 0, 0; and.b32 d1, d1, 1;" : "addc.u32 d1, 0, 0;";
  return f;
}

// ---- cvt: 9.7.9.22 ----

// x to an integer, which stands for any number that is too large for every type.
inline Wide to_integer(double x, const std::string& how) {
  constexpr double kBeyond = 0x1p100;
  if (std::fabs(x) >= kBeyond) return x > 0 ? Wide{1} << 100 : -(Wide{1} << 100);
  const Wide t = static_cast<Wide>(x);
  const double rest = x - static_cast<double>(t);
  if (how == "rmi") return t - (rest < 0);
  if (how == "rpi") return t + (rest > 0);
  if (how == "rni" && (std::fabs(rest) > 0.5 || (std::fabs(rest) == 0.5 && t % 2 != 0)))
    return t + (rest > 0 ? 1 : -1);
  return t;
}
inline std::optional<Form> conversion_form(const std::string& how, Type to, Type from) {
  Form f{{to}, {from}, nullptr};
  f.widens = true;
  const auto read = [from](Bits b) {
    return from.bytes == 4 ? double{real<float>(b)} : real<double>(b);
  };
  const auto write = [to](auto x) {
    return to.bytes == 4 ? bits(rounded<float>(Quad(x), 0, kNearest))
                         : bits(rounded<double>(Quad(x), 0, kNearest));
  };
  if (to.kind == 'f' && from.kind == 'f') {
    const bool integral = how == "rni" || how == "rzi" || how == "rmi" || how == "rpi";
    if (how != "" && how != "rn" && how != "sat" && !integral) return std::nullopt;
    f.value = [=](const Bits* in, Bits* out) {
      double x = read(in[0]);
      if (integral && std::fabs(x) < 0x1p60)
        x = std::copysign(static_cast<double>(to_integer(x, how)), x);
      if (how == "sat") x = x > 1 ? 1 : x > 0 ? x : 0;
      return out[0] = write(x), true;
    };
  } else if (to.kind == 'f') {
    if (how != "rn") return std::nullopt;
    f.value = [=](const Bits* in, Bits* out) { return out[0] = write(integer(from, in[0])), true; };
  } else if (from.kind == 'f') {
    if (how != "rni" && how != "rzi" && how != "rmi" && how != "rpi") return std::nullopt;
    f.value = [=](const Bits* in, Bits* out) {
      const double x = read(in[0]);
      const int n = 8 * to.bytes;
      const Wide least = to.kind == 's' ? -(Wide{1} << (n - 1)) : 0,
                 most = (Wide{1} << (to.kind == 's' ? n - 1 : n)) - 1;
      const Wide nan = from.bytes == 8 || to.bytes == 8 ? Wide{1} << (n - 1) : 0;
      out[0] = static_cast<Bits>(x != x ? nan : std::clamp(to_integer(x, how), least, most));
      return true;
    };
  } else {
    if (how != "") return std::nullopt;
    f.value = [=](const Bits* in, Bits* out) {
      return out[0] = static_cast<Bits>(integer(from, in[0])), true;
    };
  }
  return f;
}

// Two f32 to halves of `precision` bits, whose exponents begin at `least`: the first is the upper.
inline Form halves_form(int precision, int least, int greatest) {
  const auto rounded_half = [=](float x) -> Bits {
    const Bits sign = std::signbit(x) ? 0x8000 : 0;
    if (x != x) return 0x7fff;
    const double size = std::fabs(double{x});
    const int low = std::isinf(x) || x == 0 ? least : std::max(std::ilogb(size), least);
    const double unit = std::ldexp(1.0, low - (precision - 1));
    const double n = std::isinf(x) ? size : std::nearbyint(size / unit);  // ties to even
    const Bits infinity = static_cast<Bits>(greatest - least + 2) << (precision - 1);
    if (n * unit >= std::ldexp(1.0, greatest + 1)) return sign | infinity;
    return sign | ((static_cast<Bits>(low - least) << (precision - 1)) + static_cast<Bits>(n));
  };
  const Type f32 = {'f', 4};
  Form f{{{'b', 4}}, {f32, f32}, nullptr};
  f.value = [=](const Bits* in, Bits* out) {
    out[0] = rounded_half(real<float>(in[0])) << 16 | rounded_half(real<float>(in[1]));
    return true;
  };
  return f;
}

// mov.b64 d, {2} and mov.b64 {2}, d: the first part is the lowest.
inline std::optional<Form> pack_form(Type whole, const std::string& shape) {
  const int n = shape[shape.find('{') + 1] - '0', each = whole.bytes / n;
  const bool packs = shape[0] == 'd';
  const std::vector<Type> parts(static_cast<size_t>(n), Type{'b', each}), one = {whole};
  Form f{packs ? one : parts, packs ? parts : one, nullptr};
  f.value = [=](const Bits* in, Bits* out) {
    out[0] = 0;
    for (int k = 0; k < n; ++k) {
      if (packs)
        out[0] += static_cast<Bits>(integer(parts[0], in[k])) << 8 * each * k;
      else
        out[k] = in[0] >> 8 * each * k;
    }
    return true;
  };
  std::string list = "{";
  for (int k = 0; k < n; ++k)
    list += (k ? ", " : "") + std::string(packs ? "s" : "d") + std::to_string(k);
  f.text = packs ? "d0, " + list + "}" : list + "}, s0";
  return f;
}

// Nothing for an opcode that is not here, or does more than compute.
inline std::optional<Form> form_of(const std::string& opcode) {
  const std::string name = opcode.substr(0, opcode.find(' '));
  std::vector<std::string> words = {""};
  for (const char c : name) {
    if (c == '.')
      words.emplace_back();
    else
      words.back() += c;
  }
  std::string op = words[0];
  const Type last = type(words.back()),
             before = words.size() > 2 ? type(words[words.size() - 2]) : Type{};
  if (!last.kind) return std::nullopt;
  for (size_t k = 1; k + 1 < words.size(); ++k) op += "." + words[k];
  if (name == "cvt.rn.f16x2.f32") return halves_form(11, -14, 15);
  if (name == "cvt.rn.bf16x2.f32") return halves_form(8, -126, 127);
  if (words[0] == "cvt") {
    std::string how;
    for (size_t k = 1; k + 2 < words.size(); ++k) how += words[k];
    return conversion_form(how, before, last);
  }
  if (name != opcode) return pack_form(last, opcode.substr(name.size() + 1));
  if (op.find(".approx") != op.npos) return approximate_form(op, last);
  if (last.kind == 'f' && op != "mov" && op != "selp")
    return last.bytes == 4 ? float_form<float>(op, last) : float_form<double>(op, last);
  return integer_form(op, last);
}

}  // namespace expectations
