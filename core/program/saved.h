// SPDX-License-Identifier: Apache-2.0
// saved.h: a program as plain data, which a file holds (file.h). Its steps are calls: an op, views
// of buffers and numbers as operands, views that are written, attributes. They are restated from
// the launches of the backend that recorded them, so that any backend can make the same calls again
// and get launches of its own: other kernels, workspaces, compositions where it has no kernel.
//
//   const SavedProgram saved = saved_of(program);
//   const SavedProgram same = parse_saved(print_saved(saved));
//   const Ref<Program> again = replayed(same, held, devices);
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/program.h"

namespace bp {

struct SavedOperand {
  bp_value number{};  // where it is no view: a number, or nothing
  BufferView view{};
  bool is_view = false;
};

// A call. A transfer has no row, one operand and one result, both 1-D and dense.
struct SavedStep {
  const OpRow* row = nullptr;
  uint32_t device = 0;
  std::vector<SavedOperand> in;
  std::vector<BufferView> out;
  std::vector<bp_attr> attrs;  // by name; lists and texts lie in SavedProgram
  int32_t draw = -1;           // whose numbers it takes, from draw_shift on
  uint64_t draw_shift = 0;
  bool counts = false;  // its attribute "step" is one more in each run
};

struct SavedBuffer {
  Buffer::Kind kind = Buffer::Kind::kMade;
  uint32_t device = 0;
  uint64_t bytes = 0;
  std::string tensor{};  // of kHeld: the name of its values
};

struct SavedDraw {
  uint32_t device;
  int64_t n;
};

struct SavedProgram {
  std::vector<std::string> devices;  // labels, in the order in which the program uses them
  Planning planned;
  std::vector<SavedBuffer> buffers;
  std::vector<BufferView> inputs, outputs;  // an input's buffer is its reach
  std::vector<SavedDraw> draws;
  std::vector<SavedStep> steps;
  std::vector<const Storage*> held;  // of each buffer, where a program has it: its values

  SavedProgram() = default;
  SavedProgram(SavedProgram&&) = default;
  SavedProgram& operator=(SavedProgram&&) = default;

  bp_attr ints_of(std::string_view name, std::vector<int64_t> values);
  bp_attr text_of(std::string_view name, std::string text);

 private:
  std::deque<std::vector<int64_t>> ints_;
  std::deque<std::string> texts_;
};

// Names held buffers "held.0", ...; those that borrow the same memory have one name. Throws
// BP_UNSUPPORTED for what a file cannot say. (restate.cc)
SavedProgram saved_of(const Program& p);

// JSON, and back. (print_saved.cc, parse_saved.cc) What is read has its numbers in range, views
// that lie in their buffers, ops and attributes that this library knows, and inputs that fit their
// buffers; anything else is BP_INVALID_ARGUMENT, in a sentence that says where. Whether operands
// suit their ops, the calls say when they are made again.
inline constexpr int64_t kSavedVersion = 1;
inline constexpr const char* kSavedKinds[] = {"input", "held", "made"};  // as Buffer::Kind
std::string print_saved(const SavedProgram& saved);
SavedProgram parse_saved(std::string_view json);

// Records the calls on `devices`, one for each of the labels, without running them. held[i] are the
// values of buffer i, on its device. (replay.cc) Throws BP_INVALID_ARGUMENT for a step that reads
// what no earlier one wrote, and what the calls throw, with the step's place before it.
Ref<Program> replayed(const SavedProgram& saved, const std::vector<Ref<Tensor>>& held,
                      const std::vector<Device*>& devices);

}  // namespace bp
