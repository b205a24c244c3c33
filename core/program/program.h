// SPDX-License-Identifier: Apache-2.0
// program.h: calls that were recorded once and run again. A program is a list of steps, each of
// which is one launch of a kernel or one transfer between devices, with its operands arranged: a
// run looks nothing up, infers nothing and allocates only its results and one block for everything
// in between. Views are no steps: an operand is a strided look at a buffer.
//
// A buffer is what a storage was while the calls were recorded: an input, which each run binds;
// memory that lives elsewhere, which the program holds and reads or writes in place (weights,
// states of optimisers, running statistics); or memory that the calls made. A program does not
// change once it is made, and any number of threads may run it, one at a time where it writes what
// it holds.
//
//   Recorder::begin({&x, 1}, /*flags=*/0);
//   const Ref<Tensor> made = invoke(BP_OP_EXP, {*x});
//   Tensor* outputs[] = {made.get()};
//   const Ref<Program> program = Recorder::end(outputs, {});
//   run(*program, {&y, 1}, out);
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "c_plugin_fuse.h"
#include "c_program.h"
#include "core/tensor/tape.h"
#include "core/tensor/tensor.h"
#include "core/value/op_def.h"

namespace bp {

struct Buffer {
  enum class Kind : uint8_t { kInput, kHeld, kMade };
  Kind kind = Kind::kHeld;
  bool written = false;  // by a step
  bool output = false;   // an output looks at it, so that each run makes it anew
  Device* device = nullptr;
  uint64_t bytes = 0;
  Ref<Storage> held{};   // of kHeld
  uint32_t input = 0;    // of kInput
  int64_t first = 0;     // byte of the storage at which an input's data began
  uint64_t at = 0;       // of kMade: where it lies in its device's block
  int32_t scratch = -1;  // the group that alone uses it; then it has no place in the block
};

// A strided look at a buffer.
struct BufferView {
  uint32_t buffer = 0;
  int64_t offset = 0;  // in bytes
  bp_dtype dtype = BP_F32;
  Dims shape{}, strides{};
};

struct Input {
  BufferView place;
  Device* device;
};

// An operand of a step.
struct Argument {
  static constexpr uint32_t kNumber = UINT32_MAX;
  uint32_t buffer = kNumber;
  bool reads = false, writes = false;
};

// Random numbers that a run draws from a device's generator, as the calls did.
struct Draw {
  Device* device;
  int64_t n;
  uint64_t seed, offset;  // what was drawn while recording
};

struct Step {
  const OpRow* row = nullptr;  // of a launch; a transfer is from args[0] to args[1]
  const bp_kernel* kernel = nullptr;
  Device* device = nullptr;  // of a launch, or where a transfer goes to
  std::vector<bp_arg> args;  // data is the offset in the buffer; shape and strides point into dims
  std::vector<Argument> uses;  // one for each of args
  std::vector<int64_t> dims;
  std::vector<bp_attr> attrs;              // complete, in the row's order
  std::vector<std::vector<int64_t>> ints;  // what they point to
  std::vector<std::string> texts;
  uint32_t n_in = 0, n_out = 0, flags = 0;
  int32_t draw = -1;        // whose numbers the last two attributes name,
  uint64_t draw_shift = 0;  // from that one on
  Refresh refresh;

  Step() = default;
  Step(Step&&) = default;
  Step& operator=(Step&&) = default;
};

// What a backend has made of a group, given back with it.
class FusedCode {
 public:
  FusedCode() = default;
  FusedCode(Device& device, bp_fused_code* code) : device_(&device), code_(code) {}
  FusedCode(FusedCode&& other) noexcept
      : device_(other.device_), code_(std::exchange(other.code_, nullptr)) {}
  FusedCode& operator=(FusedCode&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(code_, other.code_);
    return *this;
  }
  ~FusedCode();
  const bp_fused_code* get() const { return code_; }

 private:
  Device* device_ = nullptr;
  bp_fused_code* code_ = nullptr;
};

// Steps that run block by block over their outermost dim, so that what they hand on stays in a
// cache. A group of one step runs as it is.
struct Group {
  uint32_t first = 0, count = 1;
  uint32_t passes = 1;                  // over its elements: steps that run in one loop are one
  int64_t units = 1, block = 1;         // a block is so many units
  uint64_t scratch_bytes = 0;           // of a block
  std::vector<int64_t> dim_per_unit{};  // of each step: how much of its outermost dim a unit is
  // Of each argument of all steps: what a launch is told, with data as an offset in its buffer or
  // in scratch memory; from one unit to the next; whether it lies in scratch memory; its buffer.
  std::vector<bp_arg> args{};
  std::vector<int64_t> unit_bytes{};
  std::vector<uint8_t> in_scratch{};
  std::vector<uint32_t> memory{};
  FusedCode code{};  // the backend's own
};

// A group as its backend is told of it; `args` are the group's, with their data where it lies now.
class FusedCall {
 public:
  FusedCall(std::span<const Step> steps, const Group& group, const bp_arg* args, bp_pstream* queue);
  bp_fused fused{};

 private:
  SmallVec<bp_launch, 8> launches_;
  SmallVec<bp_fused_launch, 8> parts_;
};

struct WayBack;

struct Facts {
  uint32_t recorded = 0;         // steps
  uint64_t eager_peak = 0;       // bytes of what the recorded calls made, at most at once
  uint32_t dead = 0, equal = 0;  // steps that passes left out,
  uint32_t joined = 0;           // made part of the one before,
  uint32_t added = 0;            // and those that they added
  uint32_t without = 0;          // how it was made ready to run: see Planning
  uint64_t block_bytes = 0;
};

}  // namespace bp

struct bp_program final : bp::Object {
  std::vector<bp::Input> inputs;
  std::vector<bp::BufferView> outputs;
  std::vector<bp::Buffer> buffers;
  std::vector<bp::Step> steps;
  std::vector<bp::Draw> draws;
  // the block of each device: its size, and something that keeps the device
  struct Block {
    bp::Device* device;
    uint64_t bytes = 0;
    bp::Ref<bp::Storage> anchor{};
  };
  std::vector<Block> blocks;
  std::vector<bp::Group> groups;  // after the blocks: they go while the devices are there
  bp::Facts facts;
  std::unique_ptr<bp::WayBack> back;  // of one whose results have gradients (way_back.h)

  std::span<const bp::Step> steps_of(const bp::Group& g) const {
    return {steps.data() + g.first, g.count};
  }

  bp_program();
  ~bp_program();
  static void destroy(bp_program* p) noexcept { delete p; }
};

namespace bp {

using Program = bp_program;

inline constexpr uint32_t kPasses = BP_PASS_DEAD | BP_PASS_EQUAL | BP_PASS_GROUP | BP_PASS_JOIN;
// What a block of a group reads and writes stays in a second-level cache, or nearly in a first.
inline constexpr uint64_t kBlockBytes = uint64_t{64} << 10;
struct Planning {
  uint32_t without = 0;  // BP_PASS_* flags of what is not to be done
  uint64_t block_bytes = kBlockBytes;
  // Only elementwise steps run in groups: a sum may round otherwise where it is cut otherwise.
  bool same_bits = false;
};
// The results that callers see.
size_t n_results(const Program& p);
// Makes what was recorded ready to run: leaves steps out, groups them, and gives every buffer its
// place. (plan.cc)
void plan(Program& p, const Planning& how);
// Throws when these are not the numbers of its inputs and outputs.
void check_counts(const Program& p, size_t n_in, size_t n_out);
// Runs the program. An empty out[i] is made, a given one written. Throws when an input has not the
// dtype, shape and device that were recorded. (run.cc)
void run(Program& p, std::span<Tensor* const> in, std::span<Ref<Tensor>> out);
// The same for one without a way back, with as many inputs and outputs as it has.
void run_steps(Program& p, std::span<Tensor* const> in, std::span<Ref<Tensor>> out);
// Bytes that a run's launches and transfers read and write in memory. (moved.cc)
uint64_t moved_bytes(const Program& p);
// The steps as text, a line for each. (text.cc)
std::string text(const Program& p);
Program& checked(const bp_program* p);

}  // namespace bp
