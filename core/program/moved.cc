// SPDX-License-Identifier: Apache-2.0
// moved.cc: what a run reads and writes in memory; declared in program.h.
#include <algorithm>
#include <unordered_map>

#include "core/program/program.h"

namespace bp {
namespace {

// Bytes of the elements that an argument has of its own: what is broadcast counts once.
uint64_t own_bytes(const bp_arg& a) {
  int64_t n = 1;
  for (int32_t d = 0; d < a.rank; ++d)
    if (a.strides[d] != 0) n *= a.shape[d];
  return static_cast<uint64_t>(n * dtype_bytes(a.dtype));
}

}  // namespace

uint64_t moved_bytes(const Program& p) {
  struct Passes {
    uint64_t read = 0, written = 0;
  };
  uint64_t all = 0;
  for (const Group& g : p.groups) {
    // What steps of a group share goes through memory once; what lies in scratch memory, and what a
    // step reads that one before it wrote, never.
    std::unordered_map<uint32_t, Passes> buffers;
    for (uint32_t i = g.first; i < g.first + g.count; ++i) {
      const Step& s = p.steps[i];
      for (size_t k = 0; k < s.args.size(); ++k) {
        const Argument& use = s.uses[k];
        if (use.buffer == Argument::kNumber || p.buffers[use.buffer].scratch >= 0) continue;
        Passes& b = buffers[use.buffer];
        const uint64_t bytes = own_bytes(s.args[k]);
        if (use.reads && b.written == 0) b.read = std::max(b.read, bytes);
        if (use.writes) b.written = std::max(b.written, bytes);
      }
    }
    for (const auto& [buffer, b] : buffers) all += b.read + b.written;
  }
  return all;
}

}  // namespace bp
