// SPDX-License-Identifier: Apache-2.0
// row_kernels.h: kernels that are made for a row of the machine's table: each thread has kEach
// words that go in and as many that come out. With CUDA_ROWS=card they run on a card.
//
//   auto [in, out] = Data(32);
//   const Words got = execute("", filled("s0", t, 4, "i", 0) + "..." + kept("d0", t, 4, 0), in, out);
#pragma once
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "card.h"
#include "expectations.h"
#include "text_module.h"

namespace row_kernels {

using namespace expectations;
using machine::Memory;

constexpr size_t kEach = 8;  // words of a thread, of which the last says whether a guard is true

// Runs a text's entry k on `in` and `out`, whose addresses are its first parameters and `more` the
// others. Returns what `out` holds then.
using Words = std::vector<Bits>;
using Runs = Words (*)(const std::string& text, const Words& in, Words out, const Words& more,
                       uint32_t threads);

inline Words on_machine(const std::string& text, const Words& in, Words out, const Words& more,
                        uint32_t threads) {
  Memory memory(/*devices=*/1, /*bytes_each=*/1 << 22);
  Words parameters;
  for (const Words& words : {in, out}) {
    parameters.push_back(memory.allocate(0, 8 * words.size()));
    machine::Block& block = *memory.find(parameters.back());
    std::memcpy(block.bytes, words.data(), block.size);
    std::memset(block.written, 1, block.size);
  }
  parameters.insert(parameters.end(), more.begin(), more.end());
  TextModule(text).run(memory, parameters, threads);
  std::memcpy(out.data(), memory.find(parameters[1])->bytes, 8 * out.size());
  return out;
}

// mma wants 8.0.
constexpr char kCardHead[] = ".version 9.0\n.target sm_80\n.address_size 64\n";
inline Words on_card(const std::string& text, const Words& in, Words out, const Words& more,
                     uint32_t threads) {
  constexpr size_t kRoom = 1 << 20;
  constexpr uint32_t kMost = 1024;  // threads of a block
  static const uint64_t at = card::allocate(2 * kRoom);
  const card::Module module(kCardHead + text);
  card::to_card(at, in.data(), 8 * in.size());
  card::to_card(at + kRoom, out.data(), 8 * out.size());
  for (uint32_t k = 0; k < threads; k += kMost)
    module.run({at + 8 * kEach * k, at + kRoom + 8 * kEach * k, more[0], more[1]},
               std::min(kMost, threads - k));
  card::to_host(out.data(), at + kRoom, 8 * out.size());
  return out;
}

// Runs a kernel: t is the thread, i and o are where its 64 bytes of `in` and of `out` begin.
// Returns what `out` holds then.
inline Words execute(const std::string& outside, const std::string& body, const Words& in,
                     const Words& out, const Words& more = {0, 0}) {
  static const char* const where = std::getenv("CUDA_ROWS");
  static const Runs runs = where && std::string(where) == "card" ? on_card : on_machine;
  return runs(
      outside +
          ".visible .entry k(.param .u64 pi, .param .u64 po, .param .align 16 .b8 pd[16]) {\n"
          ".reg .pred on; .reg .b32 t, w; .reg .b64 i, o, x;\n"
          "ld.param.u64 i, [pi]; ld.param.u64 o, [po]; mov.u32 t, %tid.x;\n"
          "mul.wide.u32 x, t, 64; add.s64 i, i, x; add.s64 o, o, x;\n"
          "ld.global.u32 w, [i+56]; setp.ne.u32 on, w, 0;\n" +
          body + "\nret; }\n",
      in, out, more, static_cast<uint32_t>(in.size() / kEach));
}

inline std::mt19937_64 random_bits(1);

struct Data {
  std::vector<Bits> in, out;
  explicit Data(size_t threads) : in(threads * kEach), out(threads * kEach) {
    for (Bits& b : in) b = random_bits();
    for (Bits& b : out) b = random_bits();
    for (size_t k = kEach - 1; k < in.size(); k += kEach) in[k] &= 1;
  }
};
constexpr const char* kGuards[] = {"", "@on ", "@!on "};
inline bool is_on(const std::string& guard, const Bits* in) {
  return guard.empty() || (in[kEach - 1] != 0) == (guard == "@on ");
}

inline std::string bytes_text(const char* op, int bytes) {
  return op + std::to_string(8 * bytes) + " ";
}
inline std::string place(const char* base, size_t word) {
  return "[" + std::string(base) + "+" + std::to_string(8 * word) + "]";
}
// Declares a register and fills it from a word; a byte needs a register of its own kind.
inline std::string filled(const std::string& name, Type t, int bytes, const char* base,
                          size_t word) {
  if (t.kind == 'p')
    return ".reg .pred " + name + "; ld.global.u32 w, " + place(base, word) + "; setp.ne.u32 " +
           name + ", w, 0;\n";
  return bytes_text(".reg .b", bytes) + name + "; " + bytes_text("ld.global.b", bytes) + name +
         ", " + place(base, word) + ";\n";
}
inline std::string kept(const std::string& name, Type t, int bytes, size_t word) {
  if (t.kind == 'p')
    return "selp.u32 w, 1, 0, " + name + "; st.global.u32 " + place("o", word) + ", w;\n";
  return bytes_text("st.global.b", bytes) + place("o", word) + ", " + name + ";\n";
}

}  // namespace row_kernels
