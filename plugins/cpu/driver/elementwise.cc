// SPDX-License-Identifier: Apache-2.0
#include "driver/elementwise.h"

#include "device/parallel.h"
#include "driver/scalar.h"
#include "driver/streaming.h"
#include "driver/walk.h"

namespace bp_cpu {
namespace {

// The common call: dense tensors and numbers.
struct Plain {
  const char* in[kMaxInputs] = {};
  int32_t step[kMaxInputs] = {};  // bytes from one element to the next, 0 for a number
  alignas(16) char number[kMaxInputs][16];
  unsigned mask = 0;

  // Returns false when some operand needs the general call.
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
        if (!mask_bit(n_in, i)) return false;
        store_scalar(arg, arg.dtype, /*wide=*/false, number[i]);
        in[i] = number[i];
        step[i] = 0;
        mask |= mask_bit(n_in, i);
      }
    }
    return loops.dense[mask] != nullptr;
  }

  void run(const bp_launch& launch, const Loops& loops, int64_t begin, int64_t end,
           char* to) const {
    const void* from[kMaxInputs];
    for (uint32_t i = 0; i < launch.n_in; ++i) from[i] = in[i] + begin * step[i];
    loops.dense[mask](to, from, end - begin);
  }

  // Whether stores should pass the caches by. In place, their lines have just been read.
  bool streams(const bp_launch& launch, int64_t count) const {
    const bp_arg& out = launch.args[launch.n_in];
    int64_t bytes = count * kItemBytes[out.dtype];
    for (uint32_t i = 0; i < launch.n_in; ++i) {
      bytes += count * step[i];
      if (in[i] == out.data) return false;
    }
    return worth_streaming(bytes);
  }
  // Blocks are small and the next one's inputs are fetched ahead, because memory would idle while a
  // larger block is computed.
  void stream(const bp_launch& launch, const Loops& loops, int64_t begin, int64_t end) const {
    constexpr int64_t kBlock = 512, kLine = 64;  // bytes
    alignas(64) char block[kBlock];
    const bp_arg& out = launch.args[launch.n_in];
    const int64_t bytes = kItemBytes[out.dtype], most = kBlock / bytes;
    for (int64_t first = begin; first < end; first += most) {
      const int64_t last = end - first < most ? end : first + most;
      for (uint32_t i = 0; i < launch.n_in; ++i)
        for (int64_t ahead = 0; ahead < most * step[i]; ahead += kLine)
          __builtin_prefetch(in[i] + last * step[i] + ahead);
      run(launch, loops, first, last, block);
      stream_block(static_cast<char*>(out.data) + first * bytes, block, (last - first) * bytes);
    }
    stream_done();
  }
};

}  // namespace

// This is out of line, so that a small call does not pay for its stack.
[[gnu::noinline]] static void run_any(const bp_launch& launch, const Loops& loops) {
  const bp_arg& out = launch.args[launch.n_in];
  Plain plain;
  if (loops.load || loops.store || !plain.take(launch, loops)) return Walk(launch, loops).run();
  int64_t count = 1;
  for (int d = 0; d < out.rank; ++d) count *= out.shape[d];
  parallel_for(count, loops.grain, [&](int64_t begin, int64_t end) {
    if (plain.streams(launch, count))
      plain.stream(launch, loops, begin, end);
    else
      plain.run(launch, loops, begin, end,
                static_cast<char*>(out.data) + begin * kItemBytes[out.dtype]);
  });
}

// Small dense tensors come first, because nanoseconds count here. Numbers have no flags.
void run_elementwise(const bp_launch& launch, const Loops& loops) {
  const uint32_t n_in = launch.n_in;
  const bp_arg* args = launch.args;
  const bp_arg& out = args[n_in];
  if (n_in - 1 < kMaxInputs) {
    // With one or two operands, one of them stands for the others too.
    const bp_arg &a = args[0], &b = args[n_in / 2], &c = args[n_in - 1];
    const void* in[kMaxInputs] = {a.data, b.data, c.data};
    if ((out.flags & a.flags & b.flags & c.flags & BP_ARG_CONTIGUOUS) && out.rank == 1 &&
        out.shape[0] <= loops.grain && loops.dense[0] && !loops.load && !loops.store)
      return loops.dense[0](out.data, in, out.shape[0]);
  }
  run_any(launch, loops);
}

}  // namespace bp_cpu
