// SPDX-License-Identifier: Apache-2.0
// ptx.h: PTX as text and as statements. Registers are numbers here, whatever scope they were
// declared in; names of variables, labels and functions stay text. PTX ISA 9.0, section 4.
//
//   const Source source = index(text);                          // where each function begins: a quick look
//   const Function f = parse(source.entries.at(name));          // its statements
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace machine {

struct Variable {
  std::string_view name;
  uint32_t bytes = 0, align = 1;
  std::vector<uint8_t> initial;  // empty: zeros
};

// Where a function's text is: from an entry's parameters on, from a .func's results on.
struct Place {
  std::string_view name, text;
  int line = 1;
};

struct Source {
  std::map<std::string_view, Place> entries, functions;
  std::vector<Variable> global;  // .global and .const of the module
  std::vector<Variable>
      shared_arrays;  // .extern .shared: begins where an entry's own shared memory ends
};

struct Operand {
  enum Kind { kRegister, kNumber, kSymbol, kAddress, kList } kind = kNumber;
  int reg = -1;  // kRegister; the base of a kAddress, or -1
  std::string_view
      name;  // kSymbol, a special register included; the base of a kAddress without a register
  uint64_t bits = 0;           // kNumber; the offset of a kAddress
  int real = 0;                // kNumber: 4 and 8 for 0f... and 0d..., 0 for an integer
  bool negated = false;        // !p
  std::vector<Operand> items;  // kList: {a, b}, and a|b
};

struct Statement {
  std::string_view opcode, text;
  int line = 0;
  int guard = -1;  // a register
  bool guard_negated = false;
  uint64_t used_bytes =
      ~uint64_t{0};  // .pragma "used_bytes_mask": of what a load reads, the rest is dropped
  std::vector<Operand> operands;
};

struct Function {
  std::string_view name;
  std::vector<uint8_t> registers;                // of each, its bytes; 0: a predicate
  std::vector<Variable> parameters, results;     // of the declaration
  std::vector<Variable> local, shared, scratch;  // scratch: .param variables that calls use
  std::vector<Statement> statements;
  std::map<std::string_view, uint32_t> labels;  // the statement that follows
  uint32_t max_threads = 1024;
};

Source index(std::string_view text);  // throws Fault
Function parse(const Place& place);   // throws Fault

}  // namespace machine
