// SPDX-License-Identifier: Apache-2.0
// rows_integer.cc: integers, their comparisons, logic and shifts, and sums longer than a register.
#include <bit>
#include <limits>

#include "lanes.h"
#include "rows.h"

namespace machine {
namespace {

constexpr std::string_view kInteger = "9.7.1 Integer Arithmetic",
                           kExtended = "9.7.2 Extended-Precision Integer Arithmetic",
                           kCompare = "9.7.6 Comparison and Selection",
                           kLogic = "9.7.8 Logic and Shift",
                           kMove = "9.7.9 Data Movement and Conversion";

// As many letters of a width as a row has operands of it.
template <class... T>
std::string letters() {
  std::string text;
  ((text += std::is_same_v<T, bool> ? 'p' : static_cast<char>('0' + sizeof(T))), ...);
  return text;
}

template <class R, class... S>
struct Adder {
  Rows& rows;
  template <class F>
  void operator()(std::string_view section, const std::string& name, F f) const {
    rows[name] = {section, letters<R, S...>(), map<R(S...)>(f)};
  }
};

template <class T, class Wide>
void add_arithmetic(Rows& rows, const std::string& type) {
  using U = std::make_unsigned_t<T>;
  const Adder<T, T, T> two{rows};
  const Adder<T, T> one{rows};
  two(kInteger, "add." + type, [](T a, T b) { return static_cast<T>(U(a) + U(b)); });
  two(kInteger, "sub." + type, [](T a, T b) { return static_cast<T>(U(a) - U(b)); });
  two(kInteger, "mul.lo." + type,
      [](T a, T b) { return static_cast<T>(uint64_t(a) * uint64_t(b)); });
  two(kInteger, "mul.hi." + type,
      [](T a, T b) { return static_cast<T>(Wide(a) * Wide(b) >> 8 * sizeof(T)); });
  two(kInteger, "min." + type, [](T a, T b) { return a < b ? a : b; });
  two(kInteger, "max." + type, [](T a, T b) { return a > b ? a : b; });
  // Division by zero: "unspecified, machine-specific value"; all ones here.
  two(kInteger, "div." + type, [](T a, T b) {
    return b == 0 ? T(-1) : b == T(-1) && std::is_signed_v<T> ? T(U(0) - U(a)) : T(a / b);
  });
  two(kInteger, "rem." + type, [](T a, T b) {
    return b == 0 ? a : b == T(-1) && std::is_signed_v<T> ? T(0) : T(a % b);
  });
  Adder<T, T, T, T>{rows}(kInteger, "mad.lo." + type, [](T a, T b, T c) {
    return static_cast<T>(uint64_t(a) * uint64_t(b) + uint64_t(c));
  });
  if constexpr (std::is_signed_v<T>) {
    one(kInteger, "abs." + type, [](T a) { return static_cast<T>(a < 0 ? U(0) - U(a) : U(a)); });
    one(kInteger, "neg." + type, [](T a) { return static_cast<T>(U(0) - U(a)); });
  }
  if constexpr (sizeof(T) < 8) {
    Adder<Wide, T, T>{rows}(kInteger, "mul.wide." + type,
                            [](T a, T b) { return static_cast<Wide>(Wide(a) * Wide(b)); });
    Adder<Wide, T, T, Wide>{rows}(kInteger, "mad.wide." + type, [](T a, T b, Wide c) {
      return static_cast<Wide>(uint64_t(Wide(a) * Wide(b)) + uint64_t(c));
    });
  }
  // A shift by the width or more leaves nothing, or the sign.
  Adder<T, T, uint32_t>{rows}(kLogic, "shr." + type, [](T a, uint32_t n) {
    constexpr uint32_t kBits = 8 * sizeof(T);
    if (n >= kBits) return static_cast<T>(a < 0 ? -1 : 0);
    return static_cast<T>(a >> n);
  });
}

template <class T>
void add_comparisons(Rows& rows, const std::string& type) {
  const Adder<bool, T, T> add{rows};
  add(kCompare, "setp.eq." + type, [](T a, T b) { return a == b; });
  add(kCompare, "setp.ne." + type, [](T a, T b) { return a != b; });
  add(kCompare, "setp.lt." + type, [](T a, T b) { return a < b; });
  add(kCompare, "setp.le." + type, [](T a, T b) { return a <= b; });
  add(kCompare, "setp.gt." + type, [](T a, T b) { return a > b; });
  add(kCompare, "setp.ge." + type, [](T a, T b) { return a >= b; });
  Adder<T, T, T, bool>{rows}(kCompare, "selp." + type, [](T a, T b, bool p) { return p ? a : b; });
}

// .b16, .b32, .b64: bits.
template <class T>
void add_bits(Rows& rows, const std::string& type) {
  constexpr uint32_t kBits = 8 * sizeof(T);
  const Adder<T, T, T> two{rows};
  two(kLogic, "and." + type, [](T a, T b) { return static_cast<T>(a & b); });
  two(kLogic, "or." + type, [](T a, T b) { return static_cast<T>(a | b); });
  two(kLogic, "xor." + type, [](T a, T b) { return static_cast<T>(a ^ b); });
  Adder<T, T>{rows}(kLogic, "not." + type, [](T a) { return static_cast<T>(~a); });
  const Adder<T, T, uint32_t> shift{rows};
  shift(kLogic, "shl." + type,
        [](T a, uint32_t n) { return static_cast<T>(n >= kBits ? 0 : uint64_t{a} << n); });
  shift(kLogic, "shr." + type,
        [](T a, uint32_t n) { return static_cast<T>(n >= kBits ? 0 : a >> n); });
  const Adder<bool, T, T> compare{rows};
  compare(kCompare, "setp.eq." + type, [](T a, T b) { return a == b; });
  compare(kCompare, "setp.ne." + type, [](T a, T b) { return a != b; });
  Adder<T, T, T, bool>{rows}(kCompare, "selp." + type, [](T a, T b, bool p) { return p ? a : b; });
  if constexpr (sizeof(T) >= 4) {
    const Adder<uint32_t, T> count{rows};
    count(kInteger, "clz." + type, [](T a) { return static_cast<uint32_t>(std::countl_zero(a)); });
    count(kInteger, "popc." + type, [](T a) { return static_cast<uint32_t>(std::popcount(a)); });
    Adder<T, T, T, uint32_t, uint32_t>{rows}(
        kInteger, "bfi." + type, [](T a, T b, uint32_t from, uint32_t n) {
          from &= 0xff, n &= 0xff;
          if (from >= kBits || n == 0) return b;
          const T ones = n >= kBits ? ~T{0} : static_cast<T>((T{1} << n) - 1);
          return static_cast<T>((b & ~(ones << from)) | (a & ones) << from);
        });
  }
}

void add_predicates(Rows& rows) {
  const Adder<bool, bool, bool> two{rows};
  two(kLogic, "and.pred", [](bool a, bool b) { return a && b; });
  two(kLogic, "or.pred", [](bool a, bool b) { return a || b; });
  two(kLogic, "xor.pred", [](bool a, bool b) { return a != b; });
  Adder<bool, bool>{rows}(kLogic, "not.pred", [](bool a) { return !a; });
  Adder<bool, bool>{rows}(kMove, "mov.pred", [](bool a) { return a; });
}

// ---- carries: CC.CF is a bit of each lane ----

enum Carry { kNone = 0, kIn = 1, kOut = 2 };

// Adds (or subtracts) b to a with what is carried.
template <int kCarry, bool kMinus>
uint32_t sum(uint32_t a, uint32_t b, uint32_t& carry, int lane) {
  const uint64_t in = kCarry & kIn ? carry >> lane & 1 : 0;
  const uint64_t all = kMinus ? uint64_t{a} - b - in : uint64_t{a} + b + in;
  if (kCarry & kOut) carry = (carry & ~(1u << lane)) | (all >> 32 != 0 ? 1u << lane : 0);
  return static_cast<uint32_t>(all);
}
// Not each_lane: the carries of all lanes are one word.
template <class F>
void one_by_one(uint32_t mask, F f) {
  for (uint32_t left = mask; left; left &= left - 1) f(std::countr_zero(left));
}
template <int kCarry, bool kMinus>
void run_sum(Warp& w, const Instruction& i, uint32_t mask) {
  one_by_one(mask, [&](int lane) {
    w.lanes<uint32_t>(i.at[0])[lane] = sum<kCarry, kMinus>(
        operand<uint32_t>(w, i.at[1], lane), operand<uint32_t>(w, i.at[2], lane), w.carry, lane);
  });
}
template <int kCarry, bool kHigh>
void run_mad(Warp& w, const Instruction& i, uint32_t mask) {
  one_by_one(mask, [&](int lane) {
    const uint64_t product =
        uint64_t{operand<uint32_t>(w, i.at[1], lane)} * operand<uint32_t>(w, i.at[2], lane);
    w.lanes<uint32_t>(i.at[0])[lane] =
        sum<kCarry, false>(static_cast<uint32_t>(kHigh ? product >> 32 : product),
                           operand<uint32_t>(w, i.at[3], lane), w.carry, lane);
  });
}

template <bool kMinus>
void add_carries(Rows& rows, const std::string& name) {
  for (const char* type : {".u32", ".s32"}) {
    rows[name + ".cc" + type] = {kExtended, "444", run_sum<kOut, kMinus>};
    rows[name + "c" + type] = {kExtended, "444", run_sum<kIn, kMinus>};
    rows[name + "c.cc" + type] = {kExtended, "444", run_sum<kIn | kOut, kMinus>};
  }
}
template <bool kHigh>
void add_mads(Rows& rows, const std::string& half) {
  rows["mad." + half + ".cc.u32"] = {kExtended, "4444", run_mad<kOut, kHigh>};
  rows["madc." + half + ".u32"] = {kExtended, "4444", run_mad<kIn, kHigh>};
  rows["madc." + half + ".cc.u32"] = {kExtended, "4444", run_mad<kIn | kOut, kHigh>};
}

uint32_t permute(uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t both = uint64_t{b} << 32 | a;
  uint32_t out = 0;
  for (int k = 0; k < 4; ++k) {
    const uint32_t nibble = selector >> 4 * k & 0xf;
    uint32_t byte = both >> 8 * (nibble & 7) & 0xff;
    if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;  // its sign, eight times
    out |= byte << 8 * k;
  }
  return out;
}

}  // namespace

void add_integer_rows(Rows& rows) {
  add_arithmetic<uint16_t, uint32_t>(rows, "u16");
  add_arithmetic<int16_t, int32_t>(rows, "s16");
  add_arithmetic<uint32_t, uint64_t>(rows, "u32");
  add_arithmetic<int32_t, int64_t>(rows, "s32");
  add_arithmetic<uint64_t, unsigned __int128>(rows, "u64");
  add_arithmetic<int64_t, __int128>(rows, "s64");
  add_comparisons<uint16_t>(rows, "u16");
  add_comparisons<int16_t>(rows, "s16");
  add_comparisons<uint32_t>(rows, "u32");
  add_comparisons<int32_t>(rows, "s32");
  add_comparisons<uint64_t>(rows, "u64");
  add_comparisons<int64_t>(rows, "s64");
  add_bits<uint16_t>(rows, "b16");
  add_bits<uint32_t>(rows, "b32");
  add_bits<uint64_t>(rows, "b64");
  add_predicates(rows);
  add_carries<false>(rows, "add");
  add_carries<true>(rows, "sub");
  add_mads<false>(rows, "lo");
  add_mads<true>(rows, "hi");
  Adder<uint32_t, uint32_t, uint32_t, uint32_t>{rows}(
      kMove, "prmt.b32",
      [](uint32_t a, uint32_t b, uint32_t selector) { return permute(a, b, selector); });
  Adder<uint32_t, uint32_t, uint32_t>{rows}(
      kInteger, "bmsk.clamp.b32", [](uint32_t from, uint32_t n) {
        if (from >= 32) return 0u;
        return n >= 32 ? ~0u << from : ((1u << n) - 1) << from;
      });
  Adder<uint32_t, uint32_t, uint32_t, uint32_t>{rows}(kInteger, "dp4a.u32.u32",
                                                      [](uint32_t a, uint32_t b, uint32_t c) {
                                                        for (int k = 0; k < 32; k += 8)
                                                          c += (a >> k & 0xff) * (b >> k & 0xff);
                                                        return c;
                                                      });
}

}  // namespace machine
