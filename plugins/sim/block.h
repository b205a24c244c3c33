// SPDX-License-Identifier: Apache-2.0
// block.h: runs kernels on the host. A Grid is what one launch needs and is made when it is queued;
// a Crew is what a thread runs grids with, one after the other. tests/hip runs the launches of a
// stand-in for ROCm so, too.
//
//   std::shared_ptr<Crew> crew = new_crew(/*threads=*/32);
//   const Grid grid({.blocks = 4}, &kernel, sizeof kernel, *std::pmr::get_default_resource());
//   run_kernel(*crew, grid, /*skip_barrier=*/0, bp_gpu::run<Kernel>);
#pragma once
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <span>

#include "vendor.h"

namespace bp_sim {

// What a block's threads may share at most: what a launch gets from CUDA unless it asks for more.
constexpr int64_t kMostSharedBytes = 48 * 1024;

// What a launch needs: a copy of the kernel and the order of its blocks. Both are allocated at
// once in the memory given, which the grid does not give back.
class Grid {
 public:
  Grid(const bp_gpu::Shape& shape, const void* kernel, uint64_t bytes,
       std::pmr::memory_resource& memory);
  const void* kernel() const { return room_; }
  std::span<int64_t> order() const {
    return {reinterpret_cast<int64_t*>(room_ + kernel_units_), blocks_};
  }
  // Of each block.
  size_t shared_bytes() const { return shared_bytes_; }

 private:
  using Unit = std::max_align_t;
  static size_t units(size_t bytes) { return (bytes + sizeof(Unit) - 1) / sizeof(Unit); }
  size_t blocks_, shared_bytes_, kernel_units_;
  Unit* room_;
};

struct Crew;
std::shared_ptr<Crew> new_crew(int32_t threads);  // of each block

// Runs every thread of every block, blocks in shuffled order. The barrier of number skip_barrier,
// from 1, that each thread meets holds nobody; 0: each holds.
void run_kernel(Crew& crew, const Grid& grid, int64_t skip_barrier, bp_gpu::KernelRun run);

}  // namespace bp_sim
