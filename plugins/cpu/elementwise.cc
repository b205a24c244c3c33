#include "elementwise.h"

#include "parallel.h"
#include "scalar.h"
#include "walk.h"

namespace bp_cpu {
namespace {

// The common call: dense tensors and numbers.
struct Plain {
  const char* in[kMaxInputs];
  int32_t step[kMaxInputs];  // bytes from one element to the next, 0 for a number
  alignas(16) char number[kMaxInputs][16];
  unsigned mask = 0;

  // False when some operand needs the general call.
  bool take(const bp_launch& launch, const Loops& loops) {
    const int n_in = static_cast<int>(launch.n_in);
    if (!(launch.args[n_in].flags & BP_ARG_CONTIGUOUS)) return false;
    for (int i = 0; i < n_in; ++i) {
      const bp_arg& arg = launch.args[i];
      if (arg.kind == BP_ARG_TENSOR) {
        if (!(arg.flags & BP_ARG_CONTIGUOUS)) return false;
        in[i] = static_cast<const char*>(arg.data);
        step[i] = kItemBytes[arg.dtype];
      } else {
        store_scalar(arg, arg.dtype, /*wide=*/false, number[i]);
        in[i] = number[i];
        step[i] = 0;
        mask |= mask_bit(n_in, i);
      }
    }
    return loops.dense[mask] != nullptr;
  }
};

}  // namespace

void run_elementwise(const bp_launch& launch, const Loops& loops) {
  const bp_arg* args = launch.args;
  const uint32_t n_in = launch.n_in;
  const bp_arg& out = args[n_in];
  const void* in[kMaxInputs];
  const bool narrow = !loops.load && !loops.store;
  // Small dense tensors come first: here nanoseconds count. Numbers bear no flags.
  uint32_t flags = out.flags;
  for (uint32_t i = 0; i < n_in; ++i) {
    flags &= args[i].flags;
    in[i] = args[i].data;
  }
  if ((flags & BP_ARG_CONTIGUOUS) && narrow && out.rank == 1 && out.shape[0] <= loops.grain && loops.dense[0])
    return loops.dense[0](out.data, in, out.shape[0]);

  Plain plain;
  if (!narrow || !plain.take(launch, loops)) return Walk(launch, loops).run();
  const Loop loop = loops.dense[plain.mask];
  int64_t count = 1;
  for (int d = 0; d < out.rank; ++d) count *= out.shape[d];
  parallel_for(count, loops.grain, [&](int64_t begin, int64_t end) {
    const void* from[kMaxInputs];
    for (uint32_t i = 0; i < n_in; ++i) from[i] = plain.in[i] + begin * plain.step[i];
    loop(static_cast<char*>(out.data) + begin * kItemBytes[out.dtype], from, end - begin);
  });
}

}  // namespace bp_cpu
