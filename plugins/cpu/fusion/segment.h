// SPDX-License-Identifier: Apache-2.0
// segment.h: neighbouring launches of a group that one loop does together, element by element or
// row by row. What one hands to the next stays in a register, and what only they use is never
// written.
//
//   uint32_t n = 0;
//   if (const std::unique_ptr<Segment> s = find_segment(group, first, &n)) s->run(group, begin, end, scratch);
#pragma once
#include <memory>
#include <vector>

#include "c_plugin_fuse.h"
#include "fusion/loop.h"

namespace bp_cpu {

class Segment {
 public:
  Segment(const bp_kit::Body& body, std::unique_ptr<Loop> loop);
  // Runs it for units [begin, end) of a block whose scratch memory this is.
  void run(const bp_fused& group, int64_t begin, int64_t end, char* scratch) const;
  // Runs it for the whole group, whose only part it is, with all threads.
  void run_all(const bp_fused& group) const;

 private:
  // Of the outermost dim, n_outer; of the innermost, n_inner elements alone, unless that is 0.
  void walk(size_t dim, char** at, int64_t n_outer, int64_t n_inner = 0) const;

  std::vector<int64_t> sizes_;
  int64_t per_unit_;
  bool is_of_rows_;  // which run as a whole
  int64_t grain_;    // elements that are worth a thread
  std::vector<bp_kit::Body::Pointer> pointers_;
  std::unique_ptr<Loop> loop_;
};

// The longest segment that begins with this launch, and how many launches it takes; nullptr where
// the launch's own kernel must run.
std::unique_ptr<Segment> find_segment(const bp_fused& group, uint32_t first, uint32_t* n);

}  // namespace bp_cpu
