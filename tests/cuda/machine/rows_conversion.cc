// SPDX-License-Identifier: Apache-2.0
// rows_conversion.cc: cvt, mov, cvta. A register of cvt may be wider than its type: the source's
// lower bytes count, and the result is extended by its sign, if it has one.
#include <cmath>
#include <cstring>
#include <limits>

#include "lanes.h"
#include "rows.h"

namespace machine {
namespace {

constexpr std::string_view kMove = "9.7.9 Data Movement and Conversion";

template <int kLog>
using Register = std::conditional_t<
    kLog == 0, uint8_t,
    std::conditional_t<kLog == 1, uint16_t, std::conditional_t<kLog == 2, uint32_t, uint64_t>>>;
template <class T>
constexpr int kLogOf = std::countr_zero(sizeof(T));

template <class D, class S, class F, int kTo, int kFrom>
void run_cvt(Warp& w, const Instruction& i, uint32_t mask) {
  using To = Register<kTo>;
  each_lane(mask, [&](int lane) {
    S from;
    const Register<kFrom> bits = w.lanes<Register<kFrom>>(i.at[1])[lane];
    std::memcpy(&from, &bits, sizeof from);
    const D to = F{}(from);
    if constexpr (std::is_integral_v<D>) {
      w.lanes<To>(i.at[0])[lane] = static_cast<To>(to);
    } else {
      To wide = 0;
      std::memcpy(&wide, &to, sizeof to);
      w.lanes<To>(i.at[0])[lane] = wide;
    }
  });
}

template <class D, class S, class F>
Row cvt(F) {
  Row row{kMove, "ww"};
  row.wide[0] = sizeof(D);
  row.wide[1] = sizeof(S);
  [&]<int... K>(std::integer_sequence<int, K...>) {
    const auto add = [&]<int kTo, int kFrom>() {
      if constexpr (kTo >= kLogOf<D> && kFrom >= kLogOf<S>)
        row.by_width[kTo][kFrom] = run_cvt<D, S, F, kTo, kFrom>;
    };
    (add.template operator()<K / 4, K % 4>(), ...);
  }
  (std::make_integer_sequence<int, 16>{});
  return row;
}

// Rounded already: what does not fit becomes the nearest that does. NaN is zero where both types
// have at most 32 bits, else the highest bit alone.
template <class D, class S>
D clamp(S x) {
  if (x != x)
    return sizeof(S) < 8 && sizeof(D) < 8 ? D{0}
                                          : static_cast<D>(uint64_t{1} << (8 * sizeof(D) - 1));
  // Both bounds are powers of two, or zero, and so exact in S.
  constexpr S kEnd = static_cast<S>(std::numeric_limits<D>::max() / 2 + 1) * 2;
  if (x >= kEnd) return std::numeric_limits<D>::max();
  if (x < static_cast<S>(std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
  return static_cast<D>(x);
}

struct Nearest {
  template <class T>
  static T round(T x) {
    return std::nearbyint(x);
  }
};
struct ToZero {
  template <class T>
  static T round(T x) {
    return std::trunc(x);
  }
};
struct Down {
  template <class T>
  static T round(T x) {
    return std::floor(x);
  }
};
struct Up {
  template <class T>
  static T round(T x) {
    return std::ceil(x);
  }
};

template <class R, class S, class... D>
void add_to_integers(Rows& rows, const std::string& round, const std::string& from,
                     const char* const (&names)[sizeof...(D)]) {
  int k = 0;
  ((rows["cvt." + round + "." + names[k++] + "." + from] =
        cvt<D, S>([](S x) { return clamp<D>(R::round(x)); })),
   ...);
}
template <class S, class R>
void add_rounding(Rows& rows, const std::string& round, const std::string& type) {
  rows["cvt." + round + "." + type + "." + type] = cvt<S, S>([](S x) { return R::round(x); });
  add_to_integers<R, S, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>(
      rows, round, type, {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"});
}

template <class S>
void add_from_integer(Rows& rows, const std::string& from) {
  const auto add = [&]<class D>(const char* to) {
    if (from != to)
      rows["cvt." + std::string(to) + "." + from] =
          cvt<D, S>([](S x) { return static_cast<D>(x); });
  };
  add.template operator()<uint8_t>("u8");
  add.template operator()<int8_t>("s8");
  add.template operator()<uint16_t>("u16");
  add.template operator()<int16_t>("s16");
  add.template operator()<uint32_t>("u32");
  add.template operator()<int32_t>("s32");
  add.template operator()<uint64_t>("u64");
  add.template operator()<int64_t>("s64");
  rows["cvt.rn.f32." + from] = cvt<float, S>([](S x) { return static_cast<float>(x); });
  rows["cvt.rn.f64." + from] = cvt<double, S>([](S x) { return static_cast<double>(x); });
}

template <class T>
void add_move(Rows& rows, const std::string& type) {
  const char letter = static_cast<char>('0' + sizeof(T));
  rows["mov." + type] = {kMove, {letter, letter}, map<T(T)>([](T a) { return a; })};
}

// mov.b64 d, {a, b} and back, and the like: kN parts of a whole.
template <class Whole, class Part>
void run_pack(Warp& w, const Instruction& i, uint32_t mask) {
  constexpr int kN = sizeof(Whole) / sizeof(Part);
  each_lane(mask, [&](int lane) {
    Whole whole = 0;
    for (int k = 0; k < kN; ++k)
      whole |= static_cast<Whole>(Whole{w.lanes<Part>(i.at[k + 1])[lane]} << 8 * sizeof(Part) * k);
    w.lanes<Whole>(i.at[0])[lane] = whole;
  });
}
template <class Whole, class Part>
void run_unpack(Warp& w, const Instruction& i, uint32_t mask) {
  constexpr int kN = sizeof(Whole) / sizeof(Part);
  each_lane(mask, [&](int lane) {
    const Whole whole = w.lanes<Whole>(i.at[kN])[lane];
    for (int k = 0; k < kN; ++k)
      w.lanes<Part>(i.at[k])[lane] = static_cast<Part>(whole >> 8 * sizeof(Part) * k);
  });
}
template <class Whole, class Part>
void add_packs(Rows& rows, const std::string& type) {
  constexpr size_t kN = sizeof(Whole) / sizeof(Part);
  const char whole = static_cast<char>('0' + sizeof(Whole));
  const std::string parts(kN, static_cast<char>('0' + sizeof(Part))),
      n = "{" + std::to_string(kN) + "}";
  rows["mov." + type + " d, " + n] = {kMove, whole + parts, run_pack<Whole, Part>};
  rows["mov." + type + " " + n + ", d"] = {kMove, parts + whole, run_unpack<Whole, Part>};
}

}  // namespace

void add_conversion_rows(Rows& rows) {
  add_rounding<float, Nearest>(rows, "rni", "f32");
  add_rounding<float, ToZero>(rows, "rzi", "f32");
  add_rounding<float, Down>(rows, "rmi", "f32");
  add_rounding<float, Up>(rows, "rpi", "f32");
  add_rounding<double, Nearest>(rows, "rni", "f64");
  add_rounding<double, ToZero>(rows, "rzi", "f64");
  add_rounding<double, Down>(rows, "rmi", "f64");
  add_rounding<double, Up>(rows, "rpi", "f64");
  add_from_integer<uint8_t>(rows, "u8");
  add_from_integer<int8_t>(rows, "s8");
  add_from_integer<uint16_t>(rows, "u16");
  add_from_integer<int16_t>(rows, "s16");
  add_from_integer<uint32_t>(rows, "u32");
  add_from_integer<int32_t>(rows, "s32");
  add_from_integer<uint64_t>(rows, "u64");
  add_from_integer<int64_t>(rows, "s64");
  rows["cvt.f64.f32"] = cvt<double, float>([](float x) { return static_cast<double>(x); });
  rows["cvt.rn.f32.f64"] = cvt<float, double>([](double x) { return static_cast<float>(x); });
  rows["cvt.sat.f32.f32"] =
      cvt<float, float>([](float x) { return x > 0 ? x < 1 ? x : 1.0f : 0.0f; });

  for (const char* t : {"u16", "s16", "b16"}) add_move<uint16_t>(rows, t);
  for (const char* t : {"u32", "s32", "b32", "f32"}) add_move<uint32_t>(rows, t);
  for (const char* t : {"u64", "s64", "b64", "f64"}) add_move<uint64_t>(rows, t);
  add_packs<uint64_t, uint32_t>(rows, "b64");
  add_packs<uint64_t, uint16_t>(rows, "b64");
  add_packs<uint32_t, uint16_t>(rows, "b32");
}

}  // namespace machine
