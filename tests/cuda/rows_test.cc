// SPDX-License-Identifier: Apache-2.0
// rows_test.cc: each row of the machine's table runs in kernels made for it, in all lanes and in
// some (row_kernels.h), and gives what PTX promises: expectations.h of what computes, expect_*.h of
// the others. A row that nothing expects fails by name. With CUDA_ROWS=card they run on a real
// card; CUDA_ROWS_SHARE=2/16 is the third of 16 shares.
#include "machine/rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "expect_access.h"
#include "expect_warp.h"

namespace {

using namespace row_kernels;

// ---- inputs ----

std::vector<Bits> edges(Type t) {
  if (t.kind == 'p') return {0, 1};
  const Bits top = Bits{1} << (8 * t.bytes - 1);
  std::vector<Bits> all = {0,   1,   2,   31,      32,      33,      63,       64,      65,
                           255, 256, top, top - 1, top + 1, top / 2, ~Bits{0}, ~Bits{1}};
  if (t.kind == 'f') {
    std::vector<double> reals = {0, 0.3, 0.5, 0.49999997, 1, 1.5, 2.5, 3, 100.25, HUGE_VAL};
    for (const int n : {7, 8, 15, 16, 31, 32, 63, 64, 126, -126, -149})
      for (const double of : {1.0, 1.5, 0x1.fffffcp-1}) reals.push_back(std::ldexp(of, n));
    for (const int n : {7, 8, 15, 16, 31, 32}) reals.push_back(std::ldexp(1, n) - 0.5);
    all.clear();
    for (const double x : reals)
      for (const double y : {x, -x})
        all.push_back(t.bytes == 4 ? bits(static_cast<float>(y)) : bits(y));
    const Bits infinity = t.bytes == 4 ? 0x7f800000 : 0x7ff0000000000000;
    for (const Bits b : {infinity - 1, infinity + 1, infinity + top / 256 + 7,
                         infinity | top / 2 | 1, Bits{1}, Bits{3}})
      all.insert(all.end(), {b, b | top});
  }
  for (int k = 0; k < 6; ++k) all.push_back(random_bits());
  return all;
}

// Tuples of the sources' edges: all of them, or as many at random as are enough.
std::vector<std::vector<Bits>> tuples(const std::vector<Type>& from) {
  constexpr size_t kMost = 4096;
  std::vector<std::vector<Bits>> each;
  size_t all = 1;
  for (const Type& t : from) all *= each.emplace_back(edges(t)).size();
  std::vector<std::vector<Bits>> made((std::min(all, kMost) + 31) / 32 * 32);
  for (size_t k = 0; k < made.size(); ++k) {
    size_t which = all <= kMost ? k % all : random_bits() % all;
    for (const std::vector<Bits>& e : each) {
      made[k].push_back(e[which % e.size()]);
      which /= e.size();
    }
  }
  return made;
}

// ---- rows that compute ----

bool same(Type t, Bits want, Bits got) {
  if (t.kind == 'f' && t.bytes == 4 && std::isnan(real<float>(want)))
    return std::isnan(real<float>(got));
  if (t.kind == 'f' && t.bytes == 8 && std::isnan(real<double>(want)))
    return std::isnan(real<double>(got));
  return want == got;
}

// Registers of `to` and `from` bytes, of one that the form lets be wider.
void check_form(const std::string& opcode, const Form& f, int to, int from,
                const std::string& guard) {
  const auto width = [&](Type t, int wide) { return f.widens ? wide : t.bytes; };
  const size_t results = f.to.size(), sources = f.from.size();
  const auto cases = tuples(f.from);
  Data data(cases.size());
  auto& [in, out] = data;
  std::string body, operands;
  for (size_t k = 0; k < sources; ++k)
    body += filled("s" + std::to_string(k), f.from[k], width(f.from[k], from), "i", k);
  for (size_t k = 0; k < results; ++k)
    body += filled("d" + std::to_string(k), f.to[k], width(f.to[k], to), "o", k);
  for (size_t k = 0; k < results; ++k) operands += (k ? ", d" : "d") + std::to_string(k);
  for (size_t k = 0; k < sources; ++k) operands += ", s" + std::to_string(k);
  body += f.before.empty() ? "" : ".reg .b32 t0; " + f.before;
  body += guard + opcode.substr(0, opcode.find(' ')) + " " + (f.text.empty() ? operands : f.text) +
          "; " + f.after + "\n";
  for (size_t k = 0; k < results; ++k)
    body += kept("d" + std::to_string(k), f.to[k], width(f.to[k], to), k);
  for (size_t c = 0; c < cases.size(); ++c) {
    for (size_t k = 0; k < sources; ++k) {
      // Above the type's bits of a wider register lies anything.
      const Bits used = ~Bits{0} >> (64 - 8 * f.from[k].bytes);
      in[c * kEach + k] =
          f.from[k].kind == 'p' ? cases[c][k] : (cases[c][k] & used) | (random_bits() & ~used);
    }
    for (size_t k = 0; k < results; ++k)
      if (f.to[k].kind == 'p') out[c * kEach + k] = random_bits() & 1;
  }
  const std::vector<Bits> got = execute("", body, in, out);
  for (size_t c = 0; c < cases.size(); ++c) {
    const bool off = !is_on(guard, &in[c * kEach]);
    Bits want[4] = {};
    const bool promised = f.value(&in[c * kEach], want);
    for (size_t k = 0; k < results; ++k) {
      const int bytes = width(f.to[k], to);
      const Bits has = held({'u', bytes}, got[c * kEach + k], 8),
                 was = held({'u', bytes}, out[c * kEach + k], 8);
      const bool carry = !f.after.empty() && k == 1;  // what went in comes out
      const bool right = off && carry ? has == (in[c * kEach + 3] & 1)
                         : off        ? has == was
                         : !promised  ? true
                         : f.near     ? f.near(&in[c * kEach], has)
                                      : same(f.to[k], held(f.to[k], want[k], bytes), has);
      ASSERT_TRUE(right) << guard << opcode << ", registers of " << to << " and " << from
                         << " bytes, of " << std::hex << in[c * kEach] << " " << in[c * kEach + 1]
                         << " " << in[c * kEach + 2] << " " << in[c * kEach + 3] << ": result " << k
                         << " is " << has << ", not " << held(f.to[k], want[k], bytes)
                         << (off ? " (off)" : "");
    }
  }
}

void check_form(const std::string& opcode, const Form& f) {
  const auto widths = [&](Type t) {
    std::vector<int> all = {t.bytes};
    for (int n = 2 * t.bytes; f.widens && t.kind != 'f' && n <= 8; n *= 2) all.push_back(n);
    return all;
  };
  for (const int to : widths(f.to[0]))
    for (const int from : widths(f.from[0]))
      for (const char* guard : kGuards) check_form(opcode, f, to, from, guard);
}

// ---- control: 9.7.12; barriers: 9.7.13 ----

// A body that leaves in r (7 at first) what a function of the thread says, where n is the address
// of the thread's word of shared memory, and the opcodes it is there for
// (none: it is there for its operands). Lanes that ended keep 7, with which r is stored before.
struct Control {
  const char* opcodes;
  const char* body;
  uint32_t (*want)(uint32_t t);
  int threads = 32;
};
constexpr const char* kFunctions =
    ".func (.param .b32 out) twice(.param .b32 in) {\n"
    ".reg .b32 a; .reg .pred small; ld.param.u32 a, [in]; add.u32 a, a, a;\n"
    "st.param.u32 [out], a; setp.le.u32 small, a, 20; @small ret; bra big;\n"
    "st.param.u32 [out], 0; big: add.u32 a, a, 1; st.param.u32 [out], a; ret; }\n"
    ".func (.param .b32 out) four(.param .b32 in) { .reg .b32 a; ld.param.u32 a, [in];\n"
    "{ .param .b32 x; st.param.u32 [x], a; .param .b32 y; call.uni (y), twice, (x); "
    "ld.param.u32 a, [y]; }\n"
    "{ .param .b32 x; st.param.u32 [x], a; .param .b32 y; call (y), twice, (x); "
    "ld.param.u32 a, [y]; }\n"
    "st.param.u32 [out], a; ret.uni; }\n";
uint32_t twice(uint32_t a) { return 2 * a > 20 ? 2 * a + 1 : 2 * a; }

const Control kControls[] = {
    {"bra", "setp.lt.u32 p, t, 9; @p bra less; mov.u32 r, 1; bra end; less: mov.u32 r, 2; end:",
     [](uint32_t t) { return t < 9 ? 2u : 1u; }},
    {"bra.uni", "mov.u32 r, 3; bra.uni end; mov.u32 r, 4; end:", [](uint32_t) { return 3u; }},
    {"bra",
     "mov.u32 r, 0; mov.u32 n, t; again: setp.eq.u32 p, n, 0; @p bra out; add.u32 r, r, n; "
     "sub.u32 n, n, 1; bra again; out:",
     [](uint32_t t) { return t * (t + 1) / 2; }},
    {"bra bra.uni",
     "and.b32 n, t, 1; setp.eq.u32 p, n, 0; and.b32 n, t, 2; setp.eq.u32 q, n, 0; @p bra even;\n"
     "@!q bra oddhigh; mov.u32 r, 10; bra.uni join; oddhigh: mov.u32 r, 20; "
     "join: add.u32 r, r, 1; bra end;\n"
     "even: @q bra low; mov.u32 r, 30; bra end; low: mov.u32 r, 40; end: add.u32 r, r, t;",
     [](uint32_t t) { return t + (t & 1 ? (t & 2 ? 21u : 11u) : (t & 2 ? 30u : 40u)); }},
    {"ret", "setp.ge.u32 p, t, 5; st.global.u32 [o], r; @p ret; mov.u32 r, 8;",
     [](uint32_t t) { return t >= 5 ? 7u : 8u; }},
    {"ret.uni", "st.global.u32 [o], r; mov.u32 r, 8; ret.uni;", [](uint32_t) { return 7u; }},
    {"exit",
     "setp.ge.u32 p, t, 5; st.global.u32 [o], r; @!p exit; mov.u32 r, 8; st.global.u32 [o], r; "
     "exit; mov.u32 r, 9;",
     [](uint32_t t) { return t >= 5 ? 8u : 7u; }},
    {"call.uni ret ret.uni",
     "{ .param .b32 a; st.param.u32 [a], t; .param .b32 b; call.uni (b), twice, (a); "
     "ld.param.u32 r, [b]; }\n"
     "{ .param .b32 a; st.param.u32 [a], r; .param .b32 b; call.uni (b), four, (a); "
     "ld.param.u32 r, [b]; }",
     [](uint32_t t) { return twice(twice(twice(t))); }},
    {"call",
     "{ .param .b32 a; st.param.u32 [a], t; .param .b32 b; call (b), four, (a); "
     "ld.param.u32 r, [b]; }",
     [](uint32_t t) { return twice(twice(t)); }},
    {"call.uni bra",
     "setp.lt.u32 p, t, 6; @p bra end; { .param .b32 a; st.param.u32 [a], t; .param .b32 b; "
     "call.uni (b), twice, (a); ld.param.u32 r, [b]; } end:",
     [](uint32_t t) { return t < 6 ? 7u : twice(t); }},
    {"bar.sync", "st.shared.u32 [n], t; bar.sync 0; xor.b32 n, n, 128; ld.shared.u32 r, [n];",
     [](uint32_t t) { return t ^ 32; }, 64},
    {"bar.red.or.pred", "setp.eq.u32 p, t, 3; bar.red.or.pred q, 0, p; selp.u32 r, 5, 6, q;",
     [](uint32_t) { return 5u; }, 64},
    {"bar.red.or.pred",
     "setp.eq.u32 p, t, 40; bar.red.or.pred q, 0, p; selp.u32 r, 5, 6, q; setp.eq.u32 p, t, 99; "
     "bar.red.or.pred q, 0, p; @q mov.u32 r, 9;",
     [](uint32_t) { return 5u; }, 64},
    {"bar.warp.sync",
     "st.shared.u32 [n], t; bar.warp.sync -1; xor.b32 n, n, 4; ld.shared.u32 r, [n];",
     [](uint32_t t) { return t ^ 1; }},
    {"bar.warp.sync bra",
     "setp.lt.u32 p, t, 4; @!p bra end; st.shared.u32 [n], t; bar.warp.sync 15; "
     "xor.b32 n, n, 4; ld.shared.u32 r, [n]; end:",
     [](uint32_t t) { return t < 4 ? t ^ 1 : 7u; }},
    {"membar.cta", "mov.u32 r, 1; membar.cta;", [](uint32_t) { return 1u; }},
    {"membar.gl", "mov.u32 r, 1; membar.gl;", [](uint32_t) { return 1u; }},
    {"membar.sys", "mov.u32 r, 1; membar.sys;", [](uint32_t) { return 1u; }},
    {"", "mov.u32 r, %laneid; mov.u32 n, %warpid; mad.lo.u32 r, n, 100, r;",
     [](uint32_t t) { return t / 32 * 100 + t % 32; }, 64},
    {"", "mov.u32 r, %lanemask_lt; mov.u32 n, %lanemask_le; sub.u32 r, n, r; shr.u32 r, r, t;",
     [](uint32_t) { return 1u; }},
    {"",
     "cvt.u64.u32 x, t; mov.b64 {r, _}, x; mov.b64 x, {0x10, r}; add.s64 x, x, -3; "
     "mov.b64 {n, r}, x; mad.lo.u32 r, r, 100, n;",
     [](uint32_t t) { return t * 100 + 13; }},
    {"",
     "mov.f32 n, 0f40000000; fma.rn.f32 n, n, 0f40400000, 0f3F800000; cvt.rzi.s32.f32 r, n; "
     "ld.global.v2.u32 {_, n}, [i]; add.u32 r, r, n;",
     [](uint32_t) { return 7u; }},
    {"", "mov.u32 r, %lanemask_lt;", [](uint32_t t) { return (1u << t) - 1; }},
    {"",
     "mov.u32 r, %ntid.x; mov.u32 n, %ntid.y; mad.lo.u32 r, r, 10, n; mov.u32 n, %ntid.z; "
     "add.u32 r, r, n;",
     [](uint32_t) { return 642u; }, 64},
    {"",
     "mov.u32 r, %nctaid.x; mov.u32 n, %ctaid.x; sub.u32 r, r, n; mov.u32 n, %ctaid.y; "
     "add.u32 r, r, n; mov.u32 n, %tid.y; add.u32 r, r, n;",
     [](uint32_t) { return 1u; }},
};

bool expect_control(const std::string& opcode) {
  bool found = false;
  for (const Control& c : kControls) {
    if ((" " + std::string(c.opcodes) + " ").find(" " + opcode + " ") == std::string::npos)
      continue;
    found = true;
    std::vector<Bits> in(static_cast<size_t>(c.threads) * kEach), out(in.size());
    const std::vector<Bits> got =
        execute(kFunctions,
                ".shared .align 256 .b8 tile[256]; .reg .pred p, q; .reg .b32 r, n;\n"
                "mov.u32 r, tile; shl.b32 n, t, 2; add.u32 n, n, r; mov.u32 r, 7;\n" +
                    std::string(c.body) + "\nst.global.u32 [o], r;",
                in, out);
    for (uint32_t t = 0; t < static_cast<uint32_t>(c.threads); ++t)
      EXPECT_EQ(got[t * kEach], c.want(t)) << c.body << "\nof thread " << t;
  }
  return found;
}

// ---- all rows ----

bool expected(const std::string& opcode) {
  if (const auto form = form_of(opcode)) return check_form(opcode, *form), true;
  const std::string first = opcode.substr(0, opcode.find('.'));
  if (first == "ld" || first == "st") return expect_access(opcode);
  if (first == "atom") return expect_atom(opcode);
  if (first == "cvta") return expect_cvta(opcode);
  if (first == "vote") return expect_vote(opcode);
  if (first == "shfl") return expect_shfl(opcode);
  if (first == "mma") return expect_mma(opcode);
  if (first == "ldmatrix") return expect_ldmatrix(opcode);
  return expect_control(opcode);
}

std::vector<std::string> operations() {
  std::set<std::string> all;
  for (const auto& [opcode, row] : machine::rows()) all.insert(opcode.substr(0, opcode.find('.')));
  return {all.begin(), all.end()};
}

class Rows : public testing::TestWithParam<std::string> {};

// Whether a row is of this process's share.
bool is_of_share(size_t row) {
  unsigned share = 0, shares = 1;
  if (const char* chosen = std::getenv("CUDA_ROWS_SHARE"))
    std::sscanf(chosen, "%u/%u", &share, &shares);
  return row % shares == share;
}

TEST_P(Rows, GiveWhatPtxPromises) {
  size_t n = 0;
  for (const auto& [opcode, row] : machine::rows()) {
    if (!is_of_share(n++) || opcode.substr(0, opcode.find('.')) != GetParam()) continue;
    try {
      EXPECT_TRUE(expected(opcode)) << opcode << " is a row of which nothing is expected here";
    } catch (const machine::Fault& fault) {
      ADD_FAILURE() << opcode << ": " << fault.what();
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Of, Rows, testing::ValuesIn(operations()),
                         [](const auto& info) { return info.param; });

TEST(Operands, AreSpecialRegistersNumbersAndNothing) { EXPECT_TRUE(expect_control("")); }

// Sums and differences of 128 bits, and a product of 64, in words of 32.
TEST(Carries, GoThroughChains) {
  std::vector<Bits> in(32 * kEach), out(in.size());
  for (size_t k = 0; k < in.size(); ++k)
    in[k] = k % 3 ? random_bits() : random_bits() & 1 ? ~Bits{0} : 0;
  const auto chain = [](const std::string& op) {
    std::string text;
    for (int k = 0; k < 4; ++k)
      text += op +
              (k == 0   ? ".cc"
               : k == 3 ? "c"
                        : "c.cc") +
              ".u32 d" + std::to_string(k) + ", a" + std::to_string(k) + ", b" + std::to_string(k) +
              ";\n";
    return text;
  };
  const auto kept_at = [](size_t word) {
    return "mov.b64 x, {d0, d1}; st.global.u64 " + place("o", word) +
           ", x; mov.b64 x, {d2, d3}; st.global.u64 " + place("o", word + 1) + ", x;\n";
  };
  std::string body = ".reg .b32 a<4>, b<4>, d<4>;\n";
  for (const char* each : {"a0, a1", "a2, a3", "b0, b1", "b2, b3"})
    body += "ld.global.u64 x, [i]; add.s64 i, i, 8; mov.b64 {" + std::string(each) + "}, x;\n";
  body += chain("add") + kept_at(0) + chain("sub") + kept_at(2) +
          "mul.lo.u32 d0, a0, b0; mul.hi.u32 d1, a0, b0; mad.lo.cc.u32 d1, a0, b1, d1; "
          "madc.hi.u32 d2, a0, b1, 0;\n"
          "mad.lo.cc.u32 d1, a1, b0, d1; madc.hi.cc.u32 d2, a1, b0, d2; addc.u32 d3, 0, 0;\n"
          "mad.lo.cc.u32 d2, a1, b1, d2; madc.hi.u32 d3, a1, b1, d3;\n" +
          kept_at(4);
  const std::vector<Bits> got = execute("", body, in, out);
  for (size_t k = 0; k < in.size(); k += kEach) {
    const auto both = [&](const std::vector<Bits>& words, size_t at) {
      return Natural{words[k + at + 1]} << 64 | words[k + at];
    };
    EXPECT_TRUE(both(got, 0) == both(in, 0) + both(in, 2)) << k;
    EXPECT_TRUE(both(got, 2) == both(in, 0) - both(in, 2)) << k;
    EXPECT_TRUE(both(got, 4) == Natural{in[k]} * in[k + 2]) << k;
  }
}

// ---- what the machine does not know ----

struct Unknown {
  const char* name;
  const char* body;
  const char* says;  // all of these, between bars
};
const Unknown kUnknown[] = {
    {"AnOpcode", "sin.approx.f32 %r1, %r2;", "sin.approx.f32"},
    {"AModifier", "add.sat.s32 %r1, %r2, %r3;", "add.sat.s32"},
    {"AType", "add.f16 %h1, %h2, %h3;", "add.f16"},
    {"AListOfAnotherLength", "mov.b64 {%h1, %h2}, %d1;", "mov.b64 {%h1, %h2}, %d1"},
    {"ASpecialRegister", "mov.u32 %r1, %smid;", "%smid"},
    {"ASpecialRegisterOf64Bits", "mov.u64 %d1, %clock64;", "%clock64"},
    {"ADirective", ".branchtargets a, b;", ".branchtargets"},
    {"ATypeOfRegisters", ".reg .f128 %q;", "registers of a type"},
    {"ATypeOfAVariable", ".shared .texref image;", ".texref"},
    {"ANarrowRegister", "add.s32 %r1, %h2, %r3;", "add.s32 %r1, %h2, %r3|%h2 has 16 bits, not 32"},
    {"AWideRegister", "add.s32 %d1, %r2, %r3;", "add.s32 %d1, %r2, %r3|%d1 has 64 bits, not 32"},
    {"ARegisterInsteadOfAPredicate", "setp.eq.u32 %r1, %r2, %r3;", "setp.eq.u32 %r1"},
    {"APredicateInsteadOfARegister", "mov.u32 %p1, %r2;", "mov.u32 %p1"},
    {"ANarrowResultOfACvt", "cvt.u32.u64 %h1, %d2;", "%h1 is too narrow"},
    {"ANarrowResultOfALoad", "ld.global.u32 %h1, [%d1];", "%h1 is too narrow"},
    {"RegistersOfManyWidths", "ld.global.v2.u16 {%h1, %r1}, [%d1];", "ld.global.v2.u16"},
    {"ANarrowAddress", "ld.global.u32 %r1, [%h1];", "ld.global.u32 %r1, [%h1]"},
    {"AMissingOperand", "add.s32 %r1, %r2;", "add.s32 %r1, %r2|missing"},
    {"AnOperandTooMany", "add.s32 %r1, %r2, %r3, %r3;", "add.s32 %r1, %r2, %r3, %r3|too many"},
    {"ALabel", "bra nowhere;", "bra nowhere|label"},
    {"AFunction", "call.uni nobody;", "call.uni nobody"},
    {"AFunctionsParameter", "{ .param .b32 a; call.uni (a), f, (b); }", "call.uni (a), f, (b)"},
    {"ANumberOfParameters", "{ .param .b32 a; call.uni (a), f; }", "call.uni (a), f|parameters"},
    {"ARegister", "add.s32 %r1, %r2, %r9;", "%r9"},
    {"AName", "add.s32 %r1, %r2, something;", "something"},
    {"AGuard", "@%z add.s32 %r1, %r2, %r3;", "guard"},
    {"AGuardThatIsNoPredicate", "@%r1 add.s32 %r1, %r2, %r3;", "the guard is no predicate"},
    {"ANegatedOperand", "and.pred %p1, !%p2, %p3;", "!%p2"},
    {"AnotherSpace", "ld.global.u32 %r1, [tile];", "tile lies in another space"},
    {"ANumber", "mov.u32 %r1, 12ab;", "12ab"},
    {"ANumberOfAnotherWidth", "mov.f32 %r1, 0d3FF0000000000000;", "width"},
    {"AHalfNumber", "mov.f32 %r1, 0f3F80;", "0f3F80"},
};

void PrintTo(const Unknown& u, std::ostream* to) { *to << u.body; }

class Ptx : public testing::TestWithParam<Unknown> {};

// What the machine says of a text, or "" when its entry k runs to its end.
std::string refusal(const std::string& text) {
  Memory memory(/*devices=*/1, /*bytes_each=*/1 << 16);
  try {
    TextModule(text).run(memory, {0}, /*threads=*/1);
  } catch (const machine::Fault& fault) {
    EXPECT_EQ(fault.code, machine::kIllegalInstruction) << fault.what();
    return fault.what();
  }
  return "";
}
std::string around(const std::string& body) {
  return ".func (.param .b32 o) f(.param .b32 i) { ret; }\n.visible .entry k(.param .u64 p) {\n"
         ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<4>; .reg .b64 %d<4>; "
         ".shared .b32 tile;\n" +
         body + "\nret; }";
}

TEST_P(Ptx, ThatIsNotKnownIsRefusedByName) {
  const std::string what = refusal(around(GetParam().body));
  EXPECT_NE(what.find("line "), what.npos) << what;
  for (std::string says = GetParam().says; !says.empty();) {
    const size_t bar = std::min(says.find('|'), says.size());
    EXPECT_NE(what.find(says.substr(0, bar)), what.npos)
        << "'" << what << "' does not say " << says;
    says.erase(0, bar + 1);
  }
}
INSTANTIATE_TEST_SUITE_P(For, Ptx, testing::ValuesIn(kUnknown),
                         [](const auto& info) { return info.param.name; });

TEST(Ptx, WithAnUnknownDirectiveOutsideOfABodyIsRefusedByName) {
  EXPECT_NE(refusal(".alias a, b;\n" + around("")).find(".alias"), std::string::npos);
  EXPECT_NE(refusal(".visible .entry k() .blocksareclusters { ret; }").find(".blocksareclusters"),
            std::string::npos);
}

TEST(Ptx, ThatEndsTooEarlyIsRefused) {
  const std::string text =
      around("add.s32 %r1, 1, 2; st.shared.u32 [tile], %r1; mov.u32 %r2, %tid.x; // that is all");
  EXPECT_EQ(refusal(text), "");
  for (size_t n = 0; n < text.size(); ++n)
    EXPECT_NE(refusal(text.substr(0, n)), "") << text.substr(0, n);
}

}  // namespace
