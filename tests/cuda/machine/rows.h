// SPDX-License-Identifier: Apache-2.0
// rows.h: what the machine knows of PTX: a row for each opcode, by its whole name. What has no row
// is refused by name, never guessed.
//
// A row's operands are a word, a letter for each: results first.
//   1 2 4 8   a register of so many bytes, or a number
//   p         a predicate                      w   a register of at least the bytes of `wide`
//   a         an address, or what lies there (with `access`)
//   l         a label     f   a function       -   anything, not looked at
//   ?         a second result that may be left out: d|p
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "program.h"

namespace machine {

enum class Space : uint8_t { kGeneric, kGlobal, kShared, kLocal, kEntryParameter, kScratch };

// A load or a store.
struct Access {
  Space space = Space::kGeneric;
  bool stores = false, is_signed = false;
  uint8_t bytes = 0;     // of an element
  uint8_t elements = 1;  // .v2, .v4
};

struct Row {
  enum Flow : uint8_t {
    kOn,        // the next instruction follows
    kBranch,    // to a label
    kCall,      // written into the caller when it is decoded
    kEnd,       // the thread ends, or in a function goes back
    kBarrier,   // of the block
    kTogether,  // of the lanes that an operand names, or of all 32
  };
  std::string_view section;  // of PTX ISA 9.0
  std::string operands;
  Run run = nullptr;
  Flow flow = kOn;
  Access access{};           // where operands have an 'a'
  uint8_t wide[2] = {0, 0};  // cvt: the bytes of the result's and of the source's type
  Run by_width[4][4] = {};   // cvt: by the log2 of the bytes of its registers
  int members = -1;          // kTogether: which operand says the lanes; -1: none, all take part
};

using Rows = std::map<std::string, Row, std::less<>>;

// nullptr when there is none.
const Row* find_row(std::string_view opcode);
const Rows& rows();

// Each file's part of the table.
void add_integer_rows(Rows& rows);
void add_float_rows(Rows& rows);
void add_conversion_rows(Rows& rows);
void add_access_rows(Rows& rows);
void add_flow_rows(Rows& rows);
void add_matrix_rows(Rows& rows);

// How an access is done, once its space is known.
Run access_run(const Access& access);
// Where 16 bytes of shared memory lie that a lane's address names, judged as a load of them.
const std::byte* read_shared_row(Warp& w, const Instruction& i, int lane);

}  // namespace machine
