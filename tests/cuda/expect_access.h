// SPDX-License-Identifier: Apache-2.0
// expect_access.h: what ld, st, atom and cvta are expected to do, in every space. Each function
// returns false for an opcode that it does not know.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "row_kernels.h"

namespace row_kernels {

// ---- ld, st, atom, cvta: 9.7.9, 9.7.13 ----

// Bytes of a thread in a space: what declares them, their address, and the space in opcodes. What
// a call is given is read where it returns it.
struct Home {
  std::string opens, address, space, call = {}, returned = {};
  const std::string& read_at() const { return returned.empty() ? address : returned; }
};
// What a kernel reads and does not write.
inline bool is_given(const std::string& space) {
  return space == "const" || space == "entry" || space == "read only";
}
constexpr const char* kSame =
    ".func (.param .align 16 .b8 out[16]) same(.param .align 16 .b8 in[16]) { .reg .b64 a, b;\n"
    "ld.param.u64 a, [in]; ld.param.u64 b, [in+8]; st.param.u64 [out], a; st.param.u64 [out+8], b; "
    "ret; }\n";
inline Home home_of(const std::string& space) {
  const std::string shared = ".shared .align 16 .b8 tile[1024];\n",
                    local = ".local .align 16 .b8 here[32];\n";
  if (space == "shared")
    return {shared +
                "mul.wide.u32 x, t, 32; .reg .b32 y, z; cvt.u32.u64 y, x; mov.u32 z, tile; "
                "add.u32 y, y, z;\n",
            "[y]", "shared"};
  if (space == "local") return {local, "[here]", "local"};
  if (space == "call")
    return {".param .align 16 .b8 argument[16]; .param .align 16 .b8 result[16];\n", "[argument]",
            "param", "call (result), same, (argument);\n", "[result]"};
  if (space == "generic shared")
    return {shared +
                "mov.u64 x, tile; cvta.shared.u64 x, x; .reg .b64 z; mul.wide.u32 z, t, 32; "
                "add.s64 x, x, z;\n",
            "[x]", ""};
  if (space == "generic local")
    return {local + "mov.u64 x, here; cvta.local.u64 x, x;\n", "[x]", ""};
  return {"add.s64 x, o, 32;\n", "[x]", space == "generic global" ? "" : "global"};
}
inline std::string at(const std::string& address, size_t k) {
  return address.substr(0, address.size() - 1) + "+" + std::to_string(k) + "]";
}
inline std::string moved(const Home& h, bool in, const std::string& other, size_t bytes) {
  std::string text = "{ .reg .b16 e;\n";
  const std::string space = h.space.empty() ? "" : "." + h.space;
  for (size_t k = 0; k < bytes; ++k) {
    const std::string there = "[" + other + "+" + std::to_string(k) + "]";
    text +=
        in ? "ld.global.u8 e, " + there + "; st" + space + ".u8 " + at(h.address, k) + ", e;\n"
           : "ld" + space + ".u8 e, " + at(h.read_at(), k) + "; st.global.u8 " + there + ", e;\n";
  }
  return text + "}\n";
}

inline void check_access(const std::string& opcode, Type t, int elements, const std::string& space,
                         int width, const std::string& guard) {
  const bool stores = opcode.starts_with("st");
  const size_t n = static_cast<size_t>(elements), bytes = n * static_cast<size_t>(t.bytes);
  constexpr size_t kThreads = 32;
  Data data(kThreads);
  auto& [in, out] = data;
  const std::vector<Bits> entry = {random_bits(), random_bits()};
  Home h;
  std::string outside, body, list;
  if (space == "const") {
    outside = ".const .align 16 .b8 table[1024] = {";
    for (size_t k = 0; k < 1024; ++k)
      outside += (k ? "," : "") +
                 std::to_string(reinterpret_cast<const uint8_t*>(&in[k / 32 * kEach])[k % 32]);
    outside += "};\n";
    h = {"mul.wide.u32 x, t, 32; .reg .b64 z; mov.u64 z, table; add.s64 x, x, z;\n", "[x]", ""};
  } else if (space == "entry") {
    h = {"", "[pd]", "param"};
    for (size_t k = 0; k < kThreads; ++k) std::copy(entry.begin(), entry.end(), &in[k * kEach]);
  } else if (space == "read only") {
    h = {"", "[i]", "global"};
  } else {
    h = home_of(space);
  }
  outside += space == "call" ? kSame : "";
  body = h.opens;
  if (stores)
    body += moved(h, true, "o", 16);
  else if (!is_given(space))
    body += moved(h, true, "i", 16) + h.call;
  for (size_t e = 0; e < n; ++e) {
    body += filled("r" + std::to_string(e), t, width, stores ? "i" : "o", e);
    list += (e ? ", r" : "r") + std::to_string(e);
  }
  if (n > 1) list = "{" + list + "}";
  body += guard + opcode +
          (stores ? " " + h.address + ", " + list : " " + list + ", " + h.read_at()) + ";\n";
  if (stores)
    body += h.call + moved(h, false, "o", 16);
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

inline bool check_access(const std::string& opcode, const std::string& space, Type t,
                         int elements) {
  static const std::map<std::string, std::vector<std::string>> kSpaces = {
      {"", {"generic global", "generic shared", "generic local"}},
      {".global", {"global"}},
      {".volatile.global", {"global"}},
      {".global.nc", {"read only"}},
      {".const", {"const"}},
      {".shared", {"shared"}},
      {".local", {"local"}},
      {".param", {"call", "entry"}}};
  const auto spaces = kSpaces.find(space);
  if (spaces == kSpaces.end() || !t.kind) return false;
  for (const std::string& where : spaces->second)
    for (int width = t.bytes; width <= (t.kind == 'f' ? t.bytes : 8); width *= 2)
      for (const char* guard : kGuards)  // none before an access to what a call passes: 9.7.9
        if ((opcode.starts_with("ld") || !is_given(where)) && (where != "call" || !*guard))
          check_access(opcode, t, elements, where, width, guard);
  return true;
}

inline bool expect_access(const std::string& opcode) {
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
inline bool expect_atom(const std::string& opcode) {
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
inline bool expect_cvta(const std::string& opcode) {
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

}  // namespace row_kernels
