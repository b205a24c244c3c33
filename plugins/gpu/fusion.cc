// SPDX-License-Identifier: Apache-2.0
#include "gpu/fusion.h"

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "gpu/fused_rules.h"
#include "kit/element.h"

// A group that is one segment: which of its arguments the program's pointers are.
struct bp_fused_code {
  struct Place {
    uint32_t launch, argument;
  };
  bp_gpu::FusedProgram program{};
  std::vector<Place> places{};
  uint32_t n_read = 0;  // of them, which come first
};

namespace bp_gpu {
namespace {

using namespace bp_kit;

// A step, before values have their slots.
struct Line {
  FusedStep step{};
  uint32_t in[3] = {}, n_in = 0, out = 0, launch = 0;
};

class Compiler {
 public:
  Compiler(const bp_fused& group, uint32_t first, const Body& body)
      : group_(group),
        first_(first),
        body_(body),
        last_use_(body.values.size()),
        slot_(body.values.size(), FusedStep::kNone) {}

  // Returns nullptr where there are too many numbers, steps or values at once; *fits is then how
  // many launches may do.
  std::unique_ptr<bp_fused_code> compile(uint32_t* fits) {
    auto code = std::make_unique<bp_fused_code>();
    program_ = &code->program;
    if (!lay_dims()) return nullptr;
    lay_pointers(*code);
    write_lines();
    if (!give_slots(fits)) return nullptr;
    return code;
  }

 private:
  bool lay_dims() {
    const Space& s = body_.space;
    program_->rank = static_cast<int32_t>(s.rank());
    constexpr int64_t kMost = (int64_t{1} << 31) - 1;  // what a Divider divides
    std::copy(s.sizes.begin(), s.sizes.end(), program_->sizes);
    program_->sizes[s.rank() - 1] = group_.units * s.per_unit;
    int64_t packs = (program_->sizes[0] + kFusedPack - 1) / kFusedPack;
    for (size_t d = 1; d < s.rank() && packs <= kMost; ++d) packs *= program_->sizes[d];
    return packs <= kMost;
  }

  // Those that are only read come first.
  void lay_pointers(bp_fused_code& code) {
    std::vector<bool> written(body_.pointers.size());
    for (const Body::Step& s : body_.steps)
      if (s.store >= 0) written[static_cast<size_t>(s.store)] = true;
    place_.resize(body_.pointers.size());
    for (const bool writes : {false, true})
      for (size_t i = 0; i < body_.pointers.size(); ++i) {
        if (written[i] != writes) continue;
        const Body::Pointer& p = body_.pointers[i];
        place_[i] = static_cast<uint8_t>(code.places.size());
        FusedProgram::Pointer& to = program_->pointers[place_[i]];
        to.item_bytes = kItemBytes[p.dtype];
        to.dtype = p.dtype;
        std::copy(p.strides.begin(), p.strides.end(), to.strides);
        code.places.push_back({p.launch, p.argument});
        if (!writes) ++code.n_read;
      }
    program_->n_pointers = static_cast<int32_t>(code.places.size());
  }

  // What is loaded is loaded right before the step that reads it first.
  void write_lines() {
    std::vector<bool> loaded(body_.values.size());
    for (const Body::Step& s : body_.steps) {
      for (uint32_t i = 0; i < s.n_in; ++i) {
        const Body::Value& v = body_.values[s.in[i]];
        if (v.kind != Body::Value::Kind::kLoaded || loaded[s.in[i]]) continue;
        loaded[s.in[i]] = true;
        Line load;
        load.step = {FusedCode::kLoad, static_cast<uint8_t>(v.dtype)};
        load.step.in[0] = place_[v.pointer];
        load.out = s.in[i];
        load.launch = s.launch;
        lines_.push_back(load);
      }
      Line line;
      line.step = {fused_code(*group_.launches[first_ + s.launch].launch),
                   static_cast<uint8_t>(body_.values[s.out].dtype)};
      if (s.store >= 0) line.step.store = place_[static_cast<size_t>(s.store)];
      line.n_in = s.n_in;
      line.out = s.out;
      line.launch = s.launch;
      for (uint32_t i = 0; i < s.n_in; ++i) {
        line.in[i] = s.in[i];
        last_use_[s.in[i]] = lines_.size();
      }
      lines_.push_back(line);
    }
  }

  // A value that only the next step reads stays where it was made; any other has a slot until it
  // was read for the last time.
  bool give_slots(uint32_t* fits) {
    bool taken[kFusedSlots] = {};
    for (size_t i = 0; i < lines_.size(); ++i) {
      Line& line = lines_[i];
      *fits = line.launch;
      if (i == kFusedSteps) return false;
      for (uint32_t k = 0; k < line.n_in; ++k)
        if (!operand(line.in[k], i, &line.step.in[k])) return false;
      for (uint32_t k = 0; k < line.n_in; ++k)
        if (const uint8_t slot = slot_[line.in[k]];
            slot != FusedStep::kNone && last_use_[line.in[k]] == i)
          taken[slot] = false;
      if (last_use_[line.out] > i + 1) {
        bool* free = std::find(taken, taken + kFusedSlots, false);
        if (free == taken + kFusedSlots) return false;
        *free = true;
        line.step.slot = slot_[line.out] = static_cast<uint8_t>(free - taken);
        program_->n_slots = std::max(program_->n_slots, line.step.slot + 1);
      }
      program_->steps[i] = line.step;
    }
    program_->n_steps = static_cast<int32_t>(lines_.size());
    return true;
  }

  bool operand(uint32_t value, size_t line, uint8_t* in) {
    const Body::Value& v = body_.values[value];
    if (v.kind != Body::Value::Kind::kNumber) {
      *in = line && lines_[line - 1].out == value ? FusedStep::kLast : slot_[value];
      return true;
    }
    uint32_t* const end = program_->numbers + n_numbers_;
    uint32_t* const at = std::find(program_->numbers, end, v.bits);
    if (at == end) {
      if (n_numbers_ == kFusedNumbers) return false;
      *at = v.bits;
      ++n_numbers_;
    }
    *in = static_cast<uint8_t>(FusedStep::kNumbers + (at - program_->numbers));
    return true;
  }

  const bp_fused& group_;
  const uint32_t first_;
  const Body& body_;
  FusedProgram* program_ = nullptr;
  std::vector<uint8_t> place_;  // of each pointer of the body, in the program
  std::vector<Line> lines_;
  std::vector<size_t> last_use_;  // of each value: the line
  std::vector<uint8_t> slot_;
  int32_t n_numbers_ = 0;
};

// A segment of one launch is not worth an interpreter.
bp_status make_group(const bp_fused* group, uint32_t* together, bp_fused_code** out, bp_error**) {
  try {
    for (uint32_t k = 0, n = 1; k < group->n_launches; k += n, n = 1) {
      auto code =
          longest_piece(*group, k, {}, kFusedRules, &n, [&](const Body& body, uint32_t* fits) {
            return Compiler(*group, k, body).compile(fits);
          });
      if (!code || n == 1) continue;
      for (uint32_t i = 0; i < n; ++i) together[k + i] = k;
      if (n == group->n_launches) *out = code.release();
    }
    return BP_OK;
  } catch (const std::bad_alloc&) {
    return BP_OUT_OF_HOST_MEMORY;
  }
}

bp_status run_group(const bp_fused* group, bp_error** err) {
  bp_launch launch = *group->launches[0].launch;
  bp_arg args[kFusedPointers];
  launch.args = args;
  const bp_fused_code& code = *group->code;
  bp_arg* at = args;
  for (const bp_fused_code::Place& p : code.places)
    *at++ = group->launches[p.launch].launch->args[p.argument];
  launch.n_in = code.n_read;
  launch.n_out = static_cast<uint32_t>(code.places.size()) - code.n_read;
  return launch_fused(launch, code.program, err);
}

void drop_group(bp_fused_code* code) { delete code; }

}  // namespace

const bp_fuse_api kFuse = {sizeof(bp_fuse_api), BP_FUSE_WHOLE, run_group, make_group, drop_group};

}  // namespace bp_gpu
