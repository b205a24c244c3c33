// SPDX-License-Identifier: Apache-2.0
// rows_test.cc: each row of the machine's table runs in kernels made for it, in all lanes and in
// some, and gives what PTX promises (expectations.h). A row that nothing here expects fails by
// name.
#include "machine/rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "expectations.h"
#include "text_module.h"

namespace {

using namespace expectations;
using machine::Memory;

// Runs a kernel: t is the thread, i and o are where its 64 bytes of `in` and of `out` begin.
// Returns what `out` holds then.
constexpr size_t kEach = 8;  // words of a thread, of which the last says whether a guard is true
std::vector<Bits> execute(const std::string& outside, const std::string& body,
                          const std::vector<Bits>& in, std::vector<Bits> out,
                          const std::vector<Bits>& more = {}) {
  Memory memory(/*devices=*/1, /*bytes_each=*/1 << 22);
  std::vector<uint64_t> parameters;
  for (const std::vector<Bits>& words : {in, out}) {
    parameters.push_back(memory.allocate(0, 8 * words.size()));
    machine::Block& block = *memory.find(parameters.back());
    std::memcpy(block.bytes, words.data(), block.size);
    std::memset(block.written, 1, block.size);
  }
  parameters.insert(parameters.end(), more.begin(), more.end());
  TextModule module(
      outside +
      ".visible .entry k(.param .u64 pi, .param .u64 po, .param .align 16 .b8 pd[16]) {\n"
      ".reg .pred on; .reg .b32 t, w; .reg .b64 i, o, x;\n"
      "ld.param.u64 i, [pi]; ld.param.u64 o, [po]; mov.u32 t, %tid.x;\n"
      "mul.wide.u32 x, t, 64; add.s64 i, i, x; add.s64 o, o, x;\n"
      "ld.global.u32 w, [i+56]; setp.ne.u32 on, w, 0;\n" +
      body + "\nret; }\n");
  module.run(memory, parameters, static_cast<uint32_t>(in.size() / kEach));
  std::memcpy(out.data(), memory.find(parameters[1])->bytes, 8 * out.size());
  return out;
}

std::mt19937_64 random_bits(1);

struct Data {
  std::vector<Bits> in, out;
  explicit Data(size_t threads) : in(threads * kEach), out(threads * kEach) {
    for (Bits& b : in) b = random_bits();
    for (Bits& b : out) b = random_bits();
    for (size_t k = kEach - 1; k < in.size(); k += kEach) in[k] &= 1;
  }
};
constexpr const char* kGuards[] = {"", "@on ", "@!on "};
bool is_on(const std::string& guard, const Bits* in) {
  return guard.empty() || (in[kEach - 1] != 0) == (guard == "@on ");
}

std::string bytes_text(const char* op, int bytes) { return op + std::to_string(8 * bytes) + " "; }
std::string place(const char* base, size_t word) {
  return "[" + std::string(base) + "+" + std::to_string(8 * word) + "]";
}
// Declares a register and fills it from a word; a byte needs a register of its own kind.
std::string filled(const std::string& name, Type t, int bytes, const char* base, size_t word) {
  if (t.kind == 'p')
    return ".reg .pred " + name + "; ld.global.u32 w, " + place(base, word) + "; setp.ne.u32 " +
           name + ", w, 0;\n";
  return bytes_text(".reg .b", bytes) + name + "; " + bytes_text("ld.global.b", bytes) + name +
         ", " + place(base, word) + ";\n";
}
std::string kept(const std::string& name, Type t, int bytes, size_t word) {
  if (t.kind == 'p')
    return "selp.u32 w, 1, 0, " + name + "; st.global.u32 " + place("o", word) + ", w;\n";
  return bytes_text("st.global.b", bytes) + place("o", word) + ", " + name + ";\n";
}

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

// ---- ld, st, atom, cvta: 9.7.9, 9.7.13 ----

// Bytes of a thread in a space: what declares them, their address, and the space in opcodes.
struct Home {
  std::string opens, address, space;
};
Home home_of(const std::string& space) {
  const std::string shared = ".shared .align 16 .b8 tile[1024];\n",
                    local = ".local .align 16 .b8 here[32];\n";
  if (space == "shared")
    return {shared +
                "mul.wide.u32 x, t, 32; .reg .b32 y, z; cvt.u32.u64 y, x; mov.u32 z, tile; "
                "add.u32 y, y, z;\n",
            "[y]", "shared"};
  if (space == "local") return {local, "[here]", "local"};
  if (space == "call") return {".param .align 16 .b8 arg[32];\n", "[arg]", "param"};
  if (space == "generic shared")
    return {shared +
                "mov.u64 x, tile; cvta.shared.u64 x, x; .reg .b64 z; mul.wide.u32 z, t, 32; "
                "add.s64 x, x, z;\n",
            "[x]", ""};
  if (space == "generic local")
    return {local + "mov.u64 x, here; cvta.local.u64 x, x;\n", "[x]", ""};
  return {"add.s64 x, o, 32;\n", "[x]", space == "generic global" ? "" : "global"};
}
std::string at(const Home& h, size_t k) {
  return h.address.substr(0, h.address.size() - 1) + "+" + std::to_string(k) + "]";
}
std::string moved(const Home& h, bool in, const std::string& other, size_t bytes) {
  std::string text = "{ .reg .b16 e;\n";
  const std::string space = h.space.empty() ? "" : "." + h.space;
  for (size_t k = 0; k < bytes; ++k) {
    const std::string there = "[" + other + "+" + std::to_string(k) + "]";
    text += in ? "ld.global.u8 e, " + there + "; st" + space + ".u8 " + at(h, k) + ", e;\n"
               : "ld" + space + ".u8 e, " + at(h, k) + "; st.global.u8 " + there + ", e;\n";
  }
  return text + "}\n";
}

void check_access(const std::string& opcode, Type t, int elements, const std::string& space,
                  int width, const std::string& guard) {
  const bool stores = opcode.starts_with("st");
  const size_t n = static_cast<size_t>(elements), bytes = n * static_cast<size_t>(t.bytes);
  constexpr size_t kThreads = 32;
  Data data(kThreads);
  auto& [in, out] = data;
  const std::vector<Bits> entry = {random_bits(), random_bits()};
  Home h = home_of(space);
  std::string outside, body, list;
  if (space == "const") {
    outside = ".const .align 16 .b8 table[1024] = {";
    for (size_t k = 0; k < 1024; ++k)
      outside += (k ? "," : "") +
                 std::to_string(reinterpret_cast<const uint8_t*>(&in[k / 32 * kEach])[k % 32]);
    outside += "};\n";
    h.opens = "mul.wide.u32 x, t, 32; .reg .b64 z; mov.u64 z, table; add.s64 x, x, z;\n";
  } else if (space == "entry") {
    h = {"", "[pd]", "param"};
    for (size_t k = 0; k < kThreads; ++k) std::copy(entry.begin(), entry.end(), &in[k * kEach]);
  }
  body = h.opens;
  if (stores)
    body += moved(h, true, "o", 16);
  else if (space != "const" && space != "entry")
    body += moved(h, true, "i", 16);
  for (size_t e = 0; e < n; ++e) {
    body += filled("r" + std::to_string(e), t, width, stores ? "i" : "o", e);
    list += (e ? ", r" : "r") + std::to_string(e);
  }
  if (n > 1) list = "{" + list + "}";
  body += guard + opcode +
          (stores ? " " + h.address + ", " + list : " " + list + ", " + h.address) + ";\n";
  if (stores)
    body += moved(h, false, "o", 16);
  else
    for (size_t e = 0; e < n; ++e) body += kept("r" + std::to_string(e), t, width, e);
  const std::vector<Bits> got = execute(outside, body, in, out, entry);
  for (size_t k = 0; k < kThreads; ++k) {
    const bool off = !is_on(guard, &in[k * kEach]);
    std::vector<Bits> want(&out[k * kEach], &out[k * kEach + 4]);
    for (size_t e = 0; e < n && !off; ++e) {
      Bits element = 0;
      if (stores) {
        std::memcpy(reinterpret_cast<char*>(want.data()) + e * static_cast<size_t>(t.bytes),
                    &in[k * kEach + e], static_cast<size_t>(t.bytes));
      } else {
        std::memcpy(
            &element,
            reinterpret_cast<const char*>(&in[k * kEach]) + e * static_cast<size_t>(t.bytes),
            static_cast<size_t>(t.bytes));
        element = held(t, element, width);
        std::memcpy(&want[e], &element, static_cast<size_t>(width));
      }
    }
    ASSERT_TRUE(std::equal(want.begin(), want.begin() + (stores ? 2 : 4), &got[k * kEach]))
        << guard << opcode << " in " << space << ", registers of " << width << " bytes, " << bytes
        << " bytes of thread " << k << (off ? ", which is off" : "");
  }
}

bool check_access(const std::string& opcode, const std::string& space, Type t, int elements) {
  static const std::map<std::string, std::vector<std::string>> kSpaces = {
      {"", {"generic global", "generic shared", "generic local"}},
      {".global", {"global"}},
      {".volatile.global", {"global"}},
      {".global.nc", {"global"}},
      {".const", {"const"}},
      {".shared", {"shared"}},
      {".local", {"local"}},
      {".param", {"call", "entry"}}};
  const auto spaces = kSpaces.find(space);
  if (spaces == kSpaces.end() || !t.kind) return false;
  for (const std::string& where : spaces->second)
    for (int width = t.bytes; width <= (t.kind == 'f' ? t.bytes : 8); width *= 2)
      for (const char* guard : kGuards)
        if (where != "entry" || opcode.starts_with("ld"))
          check_access(opcode, t, elements, where, width, guard);
  return true;
}

bool expect_access(const std::string& opcode) {
  std::string space = opcode.substr(2);
  const size_t last = space.rfind('.');
  const Type t = type(space.substr(last + 1));
  space = space.substr(0, last);
  int elements = 1;
  for (const int n : {2, 4})
    if (space.ends_with(".v" + std::to_string(n))) elements = n, space.resize(space.size() - 3);
  return check_access(opcode, space, t, elements);
}

// Each lane on a cell of its own, then all that are on at the cell of the first.
bool expect_atom(const std::string& opcode) {
  for (const char* space : {"global", "shared"}) {
    for (const char* op : {"add", "max"}) {
      for (const char* name : {"u32", "u64"}) {
        if (opcode != "atom." + std::string(space) + "." + op + "." + name) continue;
        const Type t = type(name);
        const bool adds = *op == 'a';
        const Home h = home_of(space);
        const std::string first = *space == 's' ? "[tile]" : "[x]";
        for (const char* guard : kGuards) {
          const auto [in, out] = Data(32);
          std::string body = h.opens + moved(h, true, "i", 8) + filled("s", t, t.bytes, "i", 1) +
                             filled("d", t, t.bytes, "o", 0);
          body += guard + opcode + " d, " + h.address + ", s;\n" + kept("d", t, t.bytes, 0) +
                  "add.s64 o, o, 8;\n" + moved(h, false, "o", 8) + "sub.s64 o, o, 8;\n";
          if (*space == 'g') body += "mul.wide.u32 i, t, 64; sub.s64 x, x, i;\n";
          body += "bar.warp.sync -1;\n" + (guard + opcode) + " d, " + first +
                  ", s;\nbar.warp.sync -1;\n" + kept("d", t, t.bytes, 2) +
                  bytes_text(("ld." + std::string(space) + ".b").c_str(), t.bytes) + "d, " + first +
                  ";\n" + kept("d", t, t.bytes, 3);
          const std::vector<Bits> got = execute("", body, in, out);
          const auto cut = [&](Bits w) { return held({'u', t.bytes}, w, 8); };
          Bits total = 0;
          std::set<Bits> olds, starts;
          for (size_t k = 0; k < 32; ++k) {
            const Bits* i = &in[k * kEach];
            const Bits* g = &got[k * kEach];
            const bool on = is_on(guard, i);
            const Bits was = cut(i[0]), with = cut(i[1]),
                       is = adds ? cut(was + with) : std::max(was, with);
            EXPECT_EQ(cut(g[0]), on ? was : cut(out[k * kEach]))
                << guard << opcode << " of thread " << k;
            EXPECT_EQ(cut(g[1]), on ? is : was) << guard << opcode << " of thread " << k;
            if (k == 0) total = on ? is : was;
            if (!on) continue;
            olds.insert(cut(g[2])), starts.insert(cut(g[2] + with));
            total = adds ? cut(total + with) : std::max(total, with);
          }
          // In whatever order they came, each found what the one before had left.
          const auto first_came =
              std::count_if(olds.begin(), olds.end(), [&](Bits w) { return !starts.count(w); });
          EXPECT_TRUE(!adds || first_came == 1) << guard << opcode;
          for (size_t k = 0; k < 32; ++k)
            EXPECT_EQ(cut(got[k * kEach + 3]), total) << guard << opcode;
        }
        return true;
      }
    }
  }
  return false;
}

// An address goes to another space and back, and what is stored at one is found at the other.
bool expect_cvta(const std::string& opcode) {
  for (const char* space : {"global", "shared", "local"}) {
    if (opcode != "cvta." + std::string(space) + ".u64" &&
        opcode != "cvta.to." + std::string(space) + ".u64")
      continue;
    const std::string s = space;
    const std::string own = s == "global" ? "mov.u64 x, o;\n"
                            : s == "shared"
                                ? ".shared .align 16 .b8 tile[1024]; mov.u64 x, tile; .reg .b64 z; "
                                  "mul.wide.u32 z, t, 8; add.s64 x, x, z;\n"
                                : ".local .align 8 .b8 here[16]; mov.u64 x, here;\n";
    for (const char* guard : kGuards) {
      const auto [in, out] = Data(32);
      const bool to = opcode.starts_with("cvta.to");
      // g is the generic address, y comes from the opcode; off lanes keep y, which is 1 before.
      const std::string body =
          own + ".reg .b64 g, y, v; ld.global.u64 v, [i]; cvta." + s +
          ".u64 g, x; mov.u64 y, 1;\n" + guard + opcode + (to ? " y, g;\n" : " y, x;\n") +
          ".reg .pred q, r; setp.eq.u64 q, y, 1; @q bra kept;\n" +
          (to ? "st.u64 [g], v; ld." + s + ".u64 v, [y];\n"
              : "st." + s + ".u64 [x], v; ld.u64 v, [y];\n") +
          "st.global.u64 [o+8], v; bra end; kept: st.global.u64 [o+8], y; end:\n";
      const std::vector<Bits> got = execute("", body, in, out);
      for (size_t k = 0; k < 32; ++k) {
        EXPECT_EQ(got[k * kEach + 1], is_on(guard, &in[k * kEach]) ? in[k * kEach] : 1)
            << guard << opcode << " of thread " << k;
      }
    }
    return true;
  }
  return false;
}

// ---- what lanes tell each other: vote, shfl ----

bool expect_vote(const std::string& opcode) {
  if (opcode != "vote.sync.ballot.b32" && opcode != "vote.ballot.sync.b32") return false;
  for (const uint32_t members : {~0u, 0x8001fff1u, 0x4u}) {
    std::vector<Bits> in(32 * kEach), out(in.size());
    uint32_t want = 0;
    for (uint32_t k = 0; k < 32; ++k) {
      in[k * kEach] = random_bits() & 1;
      in[k * kEach + 7] = members >> k & 1;
      if (in[k * kEach] && in[k * kEach + 7]) want |= 1u << k;
    }
    const std::string body = filled("s0", {'p', 4}, 4, "i", 0) +
                             ".reg .b32 d; mov.u32 d, 77; @on " + opcode + " d, s0, " +
                             std::to_string(members) + "; st.global.u32 [o], d;";
    const std::vector<Bits> got = execute("", body, in, out);
    for (uint32_t k = 0; k < 32; ++k)
      EXPECT_EQ(got[k * kEach], members >> k & 1 ? want : 77) << opcode << " of lane " << k;
  }
  return true;
}

// As CUDA's __shfl_*_sync describe it: lanes are in segments of `width`, and none gives out of its
// own.
bool expect_shfl(const std::string& opcode) {
  const std::string way = opcode.size() > 14 ? opcode.substr(10, opcode.size() - 14) : "";
  if (opcode != "shfl.sync." + way + ".b32" ||
      !std::set<std::string>{"idx", "up", "down", "bfly"}.count(way))
    return false;
  for (const int width : {32, 16, 8, 4, 2, 1}) {
    for (const bool half : {false, true}) {
      if (half && width == 32) continue;
      auto [in, out] = Data(32);
      std::fill(out.begin(), out.end(), 0);
      for (Bits& w : in) w &= 0xffffffff;
      for (size_t k = 0; k < 32; ++k) {
        if (half)
          in[k * kEach + 1] &=
              0xffffffe0 | static_cast<unsigned>(width - 1);  // bfly stays in its segment
        in[k * kEach + 7] = !half || k < 16;
      }
      const int c = (32 - width) << 8 | (way == "up" ? 0 : 31);
      const std::string body =
          filled("s0", {'b', 4}, 4, "i", 0) + filled("s1", {'b', 4}, 4, "i", 1) +
          ".reg .b32 d; .reg .pred q; mov.u32 d, 77; setp.ne.u32 q, t, 99; @on " + opcode +
          " d|q, s0, s1, " + std::to_string(c) + (half ? ", 0xffff" : ", -1") +
          "; st.global.u32 [o], d;\n" + kept("q", {'p', 4}, 4, 1) +
          (half ? ""
                : opcode + " d, s0, s1, " + std::to_string(c) + ", -1; st.global.u32 [o+16], d;");
      const std::vector<Bits> got = execute("", body, in, out);
      for (int lane = 0; lane < 32; ++lane) {
        const Bits* i = &in[static_cast<size_t>(lane) * kEach];
        const Bits* g = &got[static_cast<size_t>(lane) * kEach];
        const int b = static_cast<int>(i[1] % 32), begin = lane / width * width,
                  end = begin + width;
        int from = way == "up"     ? lane - b
                   : way == "down" ? lane + b
                   : way == "bfly" ? lane ^ b
                                   : begin + b % width;
        const bool inside = way == "up" ? from >= begin : from < end;
        if (!inside) from = lane;
        const Bits value = in[static_cast<size_t>(from) * kEach];
        const bool on = i[7] != 0;
        EXPECT_EQ(g[0], on ? value : 77) << opcode << " of lane " << lane << ", width " << width;
        EXPECT_EQ(g[1], !on || inside) << opcode << " of lane " << lane << ", width " << width;
        EXPECT_EQ(g[2], half ? 0 : value) << opcode << " without a predicate, lane " << lane;
      }
    }
  }
  return true;
}

// ---- control: 9.7.12; barriers: 9.7.13 ----

// A body that leaves in r what a function of the thread says, and the opcodes it is there for
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
    {"bar.sync",
     "shl.b32 n, t, 2; st.shared.u32 [n], t; bar.sync 0; xor.b32 n, n, 128; ld.shared.u32 r, [n];",
     [](uint32_t t) { return t ^ 32; }, 64},
    {"bar.red.or.pred", "setp.eq.u32 p, t, 3; bar.red.or.pred q, 0, p; selp.u32 r, 5, 6, q;",
     [](uint32_t) { return 5u; }, 64},
    {"bar.red.or.pred",
     "setp.eq.u32 p, t, 40; bar.red.or.pred q, 0, p; selp.u32 r, 5, 6, q; setp.eq.u32 p, t, 99; "
     "bar.red.or.pred q, 0, p; @q mov.u32 r, 9;",
     [](uint32_t) { return 5u; }, 64},
    {"bar.warp.sync",
     "shl.b32 n, t, 2; st.shared.u32 [n], t; bar.warp.sync -1; xor.b32 n, n, 4; "
     "ld.shared.u32 r, [n];",
     [](uint32_t t) { return t ^ 1; }},
    {"bar.warp.sync bra",
     "setp.lt.u32 p, t, 4; @!p bra end; shl.b32 n, t, 2; st.shared.u32 [n], t; bar.warp.sync 15; "
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
                ".shared .align 4 .b8 tile[256]; .reg .pred p, q; .reg .b32 r, n; mov.u32 r, 7;\n" +
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
  return expect_control(opcode);
}

std::vector<std::string> operations() {
  std::set<std::string> all;
  for (const auto& [opcode, row] : machine::rows()) all.insert(opcode.substr(0, opcode.find('.')));
  return {all.begin(), all.end()};
}

class Rows : public testing::TestWithParam<std::string> {};

TEST_P(Rows, GiveWhatPtxPromises) {
  for (const auto& [opcode, row] : machine::rows()) {
    if (opcode.substr(0, opcode.find('.')) != GetParam()) continue;
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
