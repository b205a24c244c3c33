// SPDX-License-Identifier: Apache-2.0
#include "driver/fused.h"

#include <atomic>

#include "device/error.h"
#include "device/parallel.h"

namespace bp_cpu {
namespace {

constexpr uint32_t kMostArgs = 16;

// Runs a launch for units [begin, end). Tensors keep their strides; dim 0 is shorter, and data
// begins later.
bp_status run_part(const bp_fused_launch& f, int64_t begin, int64_t end, char* scratch) {
  const bp_launch& whole = *f.launch;
  bp_arg args[kMostArgs];
  int64_t shapes[kMostArgs][BP_MAX_RANK];
  for (uint32_t i = 0; i < whole.n_in + whole.n_out; ++i) {
    bp_arg& a = args[i];
    a = whole.args[i];
    if (a.kind != BP_ARG_TENSOR) continue;
    shapes[i][0] = (end - begin) * f.dim_per_unit;
    for (int32_t d = 1; d < a.rank; ++d) shapes[i][d] = a.shape[d];
    a.shape = shapes[i];
    a.data = f.in_scratch[i] ? scratch + reinterpret_cast<intptr_t>(a.data)
                             : static_cast<char*>(a.data) + begin * f.unit_bytes[i];
  }
  bp_launch part = whole;
  part.args = args;
  return f.run(&part, nullptr);
}

}  // namespace

bp_status run_fused(const bp_fused* group, bp_error** err) {
  const bp_fused& g = *group;
  for (uint32_t k = 0; k < g.n_launches; ++k)
    if (const bp_launch& l = *g.launches[k].launch; l.n_in + l.n_out > kMostArgs)
      return fail(&l, err, BP_UNSUPPORTED, "a launch of a group has %u arguments",
                  l.n_in + l.n_out);
  std::atomic<uint32_t> n_taken{0};
  std::atomic<int32_t> failed{BP_OK};
  parallel_for((g.units + g.block - 1) / g.block, 1, [&](int64_t first, int64_t last) {
    char* scratch = static_cast<char*>(g.scratch) + n_taken.fetch_add(1) * g.scratch_bytes;
    for (int64_t b = first; b < last && failed.load(std::memory_order_relaxed) == BP_OK; ++b) {
      const int64_t begin = b * g.block, end = begin + g.block;
      for (uint32_t k = 0; k < g.n_launches; ++k)
        if (const bp_status s =
                run_part(g.launches[k], begin, end < g.units ? end : g.units, scratch)) {
          failed.store(s, std::memory_order_relaxed);
          break;
        }
    }
  });
  if (const bp_status s = failed.load())
    return fail(g.launches[0].launch, err, s, "a kernel of a group of %u failed", g.n_launches);
  return BP_OK;
}

}  // namespace bp_cpu
