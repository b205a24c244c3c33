// SPDX-License-Identifier: Apache-2.0
// nll_loss.cc: nll_loss: input [N, C, places] or [C], with a class for each of N x places. Chunks
// of a fixed length are summed in f64, and then joined in order.
#include <cstring>

#include "device/error.h"
#include "device/parallel.h"
#include "device/registry.h"
#include "device/scratch.h"
#include "kernels/network/operands.h"
#include "kernels/reduction/elements.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kChunkTargets = 4096;

// What a chunk of targets gives. `wrong` is the first of them that is no class.
struct Chunk {
  double loss = 0, weight = 0;
  bool has_wrong = false;
  int64_t wrong = 0;
};

template <class T>
struct Nll {
  using A = Calc<T>;
  const bp_arg *input, *target, *weights;
  int64_t classes = 1, places = 1, ignored;

  explicit Nll(const bp_launch& l)
      : input(l.args),
        target(l.args + 1),
        weights(l.args + 2),
        ignored(l.attrs[BP_ATTR_NLL_LOSS_IGNORE_INDEX].value.i64) {
    classes = input->shape[input->rank == 1 ? 0 : 1];
    for (int32_t d = 2; d < input->rank; ++d) places *= input->shape[d];
  }
  double weight_of(int64_t c) const {
    double w = 1;
    if (weights->kind == BP_ARG_TENSOR)
      each_type<kFloats>([&](auto t, bp_dtype d) {
        if (d == weights->dtype) w = convert<A>(static_cast<const decltype(t)*>(weights->data)[c]);
      });
    return w;
  }
  // Sums targets [begin, end), which are of type I; with `out` the losses are written too.
  template <class I>
  Chunk sum_of(int64_t begin, int64_t end, T* out) const {
    const T* x = static_cast<const T*>(input->data);
    Chunk sum;
    for (int64_t i = begin; i < end; ++i) {
      const auto c = static_cast<int64_t>(static_cast<const I*>(target->data)[i]);
      double loss = 0;
      if (c != ignored) {
        if (c < 0 || c >= classes) {
          if (!sum.has_wrong) sum.has_wrong = true, sum.wrong = c;
          continue;
        }
        const double w = weight_of(c);
        const int64_t at =
            places == 1 ? i * classes + c : (i / places * classes + c) * places + i % places;
        loss = -w * static_cast<double>(convert<A>(x[at]));
        sum.loss += loss;
        sum.weight += w;
      }
      if (out) out[i] = convert<T>(static_cast<A>(loss));
    }
    return sum;
  }
  Chunk run(int64_t begin, int64_t end, T* out) const {
    Chunk sum;
    each_type<kIntegers>([&](auto t, bp_dtype d) {
      if (d == target->dtype) sum = sum_of<decltype(t)>(begin, end, out);
    });
    return sum;
  }
};

template <class T>
bp_status run(const bp_launch* launch, bp_error** err) {
  const Nll<T> nll(*launch);
  const bp_attr& reduction = launch->attrs[BP_ATTR_NLL_LOSS_REDUCTION];
  const auto is = [&](const char* name) {
    return reduction.count == std::strlen(name) &&
           std::memcmp(reduction.value.str, name, reduction.count) == 0;
  };
  T* out = static_cast<T*>(launch->args[3].data);
  const int64_t n = count_of(launch->args[1]), chunks = (n + kChunkTargets - 1) / kChunkTargets;
  Scratch scratch(*launch, static_cast<uint64_t>(chunks) * sizeof(Chunk));
  auto* sums = scratch.as<Chunk>();
  if (!sums) return scratch.fail(err);
  parallel_chunks(n, kChunkTargets, 4, [&](int64_t index, int64_t begin, int64_t end) {
    sums[index] = nll.run(begin, end, is("none") ? out : nullptr);
  });
  Chunk all;
  for (int64_t i = 0; i < chunks; ++i) {
    if (sums[i].has_wrong)
      return fail(launch, err, BP_INDEX_OUT_OF_RANGE, "Target %lld is out of bounds.",
                  static_cast<long long>(sums[i].wrong));
    all.loss += sums[i].loss, all.weight += sums[i].weight;
  }
  if (!is("none"))
    *out = convert<T>(static_cast<Calc<T>>(is("mean") ? all.loss / all.weight : all.loss));
  return BP_OK;
}

}  // namespace

void add_nll_loss(Registry& r) {
  each_type<kFloats>([&](auto t, bp_dtype d) {
    r.add(BP_OP_NLL_LOSS, bit(d), run<decltype(t)>, BP_KERNEL_CONTIGUOUS | BP_KERNEL_TAKES_NONE);
  });
}

}  // namespace bp_cpu::BP_ISA
