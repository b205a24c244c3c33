// SPDX-License-Identifier: Apache-2.0
// fused.cu: the interpreter of groups' segments; declared in fused.h. A thread takes a pack of
// neighbours of the innermost dim and runs all steps over it. Its slots lie in shared memory, where
// each thread reads and writes its own alone: registers cannot be indexed, and memory of a thread's
// own would go through the caches beside the operands.
#include <bit>

#include "gpu/block.h"
#include "gpu/divider.h"
#include "gpu/functors/activation.h"
#include "gpu/functors/binary.h"
#include "gpu/functors/binary_math.h"
#include "gpu/functors/choose.h"
#include "gpu/functors/compare.h"
#include "gpu/functors/divide.h"
#include "gpu/functors/unary.h"
#include "gpu/fused.h"
#include "gpu/kernel.h"

namespace bp_gpu {

using namespace functors;

namespace {

constexpr int32_t kPack = kFusedPack;

// The kinds of values, as the list of functors calls them.
using F32 = float;
using I32 = int32_t;
using Truth = Bool;

template <class T>
GPU_FN T value(uint32_t bits) {
  if constexpr (std::is_same_v<T, Bool>)
    return {static_cast<uint8_t>(bits)};
  else
    return std::bit_cast<T>(bits);
}
GPU_FN uint32_t bits_of(float x) { return std::bit_cast<uint32_t>(x); }
GPU_FN uint32_t bits_of(int32_t x) { return static_cast<uint32_t>(x); }
GPU_FN uint32_t bits_of(Bool x) { return x.byte; }

struct alignas(16) Pack {
  uint32_t item[kPack];
};
// One access, or several of as many bytes as there may be.
template <class Word>
constexpr int32_t kWordsAlign = kPack * sizeof(Word) < 16 ? kPack * sizeof(Word) : 16;
template <class Word>
struct alignas(kWordsAlign<Word>) Words {
  Word item[kPack];
};

template <class To, class From>
struct Cast {
  GPU_FN static To of(From x) { return convert<To>(x); }
};

struct Fused {
  FusedProgram p;
  char* data[kFusedPointers];
  bool side_by_side[kFusedPointers];  // packs of it are one access
  uint32_t n, n_inner;                // packs: all, of a row of the innermost dim
  int32_t pack;                       // kPack, which a compiler is not to know
  Divider inner, outer[kFusedDims - 1];

  // Where a pack lies.
  struct Spot {
    uint32_t x[kFusedDims - 1];  // the indices of the dims outside of the innermost
    int64_t first;               // in the innermost
    int32_t count;
  };

  GPU_FN void operator()(const Place& at) const {
    const int32_t threads = least(at.threads(), kLanes);
    if (at.thread() >= threads) return;
    Pack* const slots = at.shared<Pack>() + at.thread();
    const auto step = static_cast<uint32_t>(at.blocks() * threads);
    for (auto i = static_cast<uint32_t>(at.block() * threads + at.thread()); i < n; i += step) {
      const Spot spot = spot_of(i);
      Pack last{};
      for (int32_t s = 0; s < p.n_steps; ++s) {
        const FusedStep& line = p.steps[s];
        last =
            line.code == FusedCode::kLoad ? load(line, spot) : computed(line, slots, threads, last);
        if (line.slot != FusedStep::kNone) slots[line.slot * threads] = last;
        if (line.store != FusedStep::kNone) store(line.store, spot, last);
      }
    }
  }

  GPU_FN Spot spot_of(uint32_t i) const {
    Spot spot{};
    uint32_t row = inner.quotient(i);
    spot.first = static_cast<int64_t>(i - row * n_inner) * kPack;
    const int64_t left = p.sizes[0] - spot.first;
    spot.count = left < kPack ? static_cast<int32_t>(left) : kPack;
    if (p.rank == 1) return spot;
    unrolled<kFusedDims - 1>([&](int32_t d) {
      const uint32_t outside = outer[d].quotient(row);
      spot.x[d] = row - outside * outer[d].by;
      row = outside;
    });
    return spot;
  }

  GPU_FN char* address(int32_t i, const Spot& spot) const {
    int64_t by = spot.first * p.pointers[i].strides[0];
    if (p.rank == 1) return data[i] + by;
    unrolled<kFusedDims - 1>([&](int32_t d) { by += spot.x[d] * p.pointers[i].strides[d + 1]; });
    return data[i] + by;
  }

  // ---- memory ----

  template <class Word>
  GPU_FN Pack read(int32_t i, const Spot& spot) const {
    const char* from = address(i, spot);
    Pack y;
    if (side_by_side[i] && spot.count == kPack) {
      const auto all = *reinterpret_cast<const Words<Word>*>(from);
      unrolled<kPack>([&](int32_t k) { y.item[k] = all.item[k]; });
    } else {
      unrolled<kPack>([&](int32_t k) {
        y.item[k] = k < spot.count
                        ? *reinterpret_cast<const Word*>(from + k * p.pointers[i].strides[0])
                        : Word{};
      });
    }
    return y;
  }
  template <class Word>
  GPU_FN void write(int32_t i, const Spot& spot, const Pack& x) const {
    char* to = address(i, spot);
    if (side_by_side[i] && spot.count == kPack) {
      Words<Word> all;
      unrolled<kPack>([&](int32_t k) { all.item[k] = static_cast<Word>(x.item[k]); });
      *reinterpret_cast<Words<Word>*>(to) = all;
    } else {
      unrolled<kPack>([&](int32_t k) {
        if (k < spot.count)
          *reinterpret_cast<Word*>(to + k * p.pointers[i].strides[0]) =
              static_cast<Word>(x.item[k]);
      });
    }
  }

  GPU_FN Pack load(const FusedStep& line, const Spot& spot) const {
    const int32_t i = line.in[0];
    switch (p.pointers[i].item_bytes) {
      case 1: return as_values(line.dtype, read<uint8_t>(i, spot));
      case 2: return as_values(line.dtype, read<uint16_t>(i, spot));
      default: return read<uint32_t>(i, spot);
    }
  }
  GPU_FN void store(int32_t i, const Spot& spot, const Pack& x) const {
    switch (p.pointers[i].item_bytes) {
      case 1: return write<uint8_t>(i, spot, x);
      case 2: return write<uint16_t>(i, spot, as_elements(p.pointers[i].dtype, x));
      default: return write<uint32_t>(i, spot, x);
    }
  }

  template <class F>
  GPU_FN static Pack each(const Pack& x, const F& fn) {
    Pack y;
    unrolled<kPack>([&](int32_t k) { y.item[k] = fn(x.item[k]); });
    return y;
  }
  template <class Half>
  GPU_FN static uint32_t widened(uint32_t bits) {
    return bits_of(to_float(Half{static_cast<uint16_t>(bits)}));
  }
  template <class Half>
  GPU_FN static uint32_t narrowed(uint32_t bits) {
    return convert<Half>(value<float>(bits)).bits;
  }
  template <class T>
  GPU_FN static uint32_t wrapped(uint32_t bits) {
    return bits_of(static_cast<int32_t>(static_cast<T>(bits)));
  }

  // Elements of at most 16 bits as values.
  GPU_FN static Pack as_values(uint32_t dtype, const Pack& x) {
    switch (dtype) {
      case BP_F16: return each(x, [](uint32_t b) { return widened<F16>(b); });
      case BP_BF16: return each(x, [](uint32_t b) { return widened<BF16>(b); });
      case BP_I8: return each(x, [](uint32_t b) { return wrapped<int8_t>(b); });
      case BP_I16: return each(x, [](uint32_t b) { return wrapped<int16_t>(b); });
      default: return x;
    }
  }
  // Values as elements of 16 bits, which are the lower ones of integers.
  GPU_FN static Pack as_elements(uint32_t dtype, const Pack& x) {
    switch (dtype) {
      case BP_F16: return each(x, [](uint32_t b) { return narrowed<F16>(b); });
      case BP_BF16: return each(x, [](uint32_t b) { return narrowed<BF16>(b); });
      default: return x;
    }
  }
  // Values that were computed in 32 bits as values of their dtype.
  GPU_FN static Pack settled(uint32_t dtype, const Pack& x) {
    switch (dtype) {
      case BP_F16:
      case BP_BF16: return as_values(dtype, as_elements(dtype, x));
      case BP_U8: return each(x, [](uint32_t b) { return wrapped<uint8_t>(b); });
      case BP_U16: return each(x, [](uint32_t b) { return wrapped<uint16_t>(b); });
      case BP_I8:
      case BP_I16: return as_values(dtype, x);
      default: return x;
    }
  }

  // ---- steps ----

  GPU_FN Pack operand(uint8_t in, const Pack* slots, int32_t threads, const Pack& last) const {
    if (in < kFusedSlots) return slots[in * threads];
    if (in == FusedStep::kLast) return last;
    Pack all;
    unrolled<kPack>([&](int32_t k) { all.item[k] = p.numbers[in - FusedStep::kNumbers]; });
    return all;
  }

  template <class F, class... T>
  GPU_FN static uint32_t one(uint32_t a, uint32_t b, uint32_t c) {
    if constexpr (sizeof...(T) == 1)
      return bits_of(F::of(value<T>(a)...));
    else if constexpr (sizeof...(T) == 2)
      return two<F, T...>(a, b);
    else
      return three<F, T...>(a, b, c);
  }
  template <class F, class A, class B>
  GPU_FN static uint32_t two(uint32_t a, uint32_t b) {
    return bits_of(F::of(value<A>(a), value<B>(b)));
  }
  template <class F, class A, class B, class C>
  GPU_FN static uint32_t three(uint32_t a, uint32_t b, uint32_t c) {
    return bits_of(F::of(value<A>(a), value<B>(b), value<C>(c)));
  }
  template <class F, class... T>
  GPU_FN static Pack all(const Pack& a, const Pack& b, const Pack& c) {
    Pack y;
    unrolled<kPack>([&](int32_t k) { y.item[k] = one<F, T...>(a.item[k], b.item[k], c.item[k]); });
    return y;
  }

  GPU_FN Pack computed(const FusedStep& line, const Pack* slots, int32_t threads,
                       const Pack& last) const {
    const Pack a = operand(line.in[0], slots, threads, last),
               b = operand(line.in[1], slots, threads, last),
               c = operand(line.in[2], slots, threads, last);
    return settled(line.dtype, line.code < FusedCode::kLastLight   ? light(line, a, b, c)
                               : line.code < FusedCode::kLastOfOne ? heavy(line.code, a)
                                                                   : heavier(line.code, a, b, c));
  }

  GPU_FN static Pack light(const FusedStep& line, const Pack& a, const Pack& b, const Pack& c) {
    switch (line.code) {
#define BP_ONE(kind, row, functor)  \
  case FusedCode::k##kind##functor: \
    return all<functor, kind>(a, b, c);
#define BP_TWO(kind, row, functor)  \
  case FusedCode::k##kind##functor: \
    return all<functor, kind, kind>(a, b, c);
#define BP_THREE(kind, row, functor) \
  case FusedCode::k##kind##functor: return all<functor, kind, kind, kind>(a, b, c);
      BP_FUSED_LIGHT(BP_ONE, BP_TWO, BP_THREE)
#undef BP_ONE
#undef BP_TWO
#undef BP_THREE
      case FusedCode::kWhere: return all<Choose, Bool, int32_t, int32_t>(a, b, c);
      case FusedCode::kF32FromI32: return all<Cast<float, int32_t>, int32_t>(a, b, c);
      case FusedCode::kF32FromTruth: return all<Cast<float, Bool>, Bool>(a, b, c);
      case FusedCode::kI32FromF32: return to_integers(line.dtype, a);
      case FusedCode::kI32FromTruth: return all<Cast<int32_t, Bool>, Bool>(a, b, c);
      case FusedCode::kTruthFromF32: return all<Cast<Bool, float>, float>(a, b, c);
      case FusedCode::kTruthFromI32: return all<Cast<Bool, int32_t>, int32_t>(a, b, c);
      default: return a;
    }
  }
  template <class T>
  GPU_FN static Pack saturated(const Pack& x) {
    return each(
        x, [](uint32_t b) { return bits_of(static_cast<int32_t>(convert<T>(value<float>(b)))); });
  }
  GPU_FN static Pack to_integers(uint32_t dtype, const Pack& x) {
    switch (dtype) {
      case BP_U8: return saturated<uint8_t>(x);
      case BP_I8: return saturated<int8_t>(x);
      case BP_U16: return saturated<uint16_t>(x);
      case BP_I16: return saturated<int16_t>(x);
      default: return saturated<int32_t>(x);
    }
  }

  // One element after the other, each of which is the packs' first in its turn, and then what was
  // made of it a's last: nothing is indexed.
  GPU_FN static void turn(Pack& x, uint32_t last) {
    unrolled<kPack - 1>([&](int32_t i) { x.item[i] = x.item[i + 1]; });
    x.item[kPack - 1] = last;
  }
  GPU_FN Pack heavy(FusedCode code, Pack a) const {
    for (int32_t k = 0; k < pack; ++k) turn(a, heavy(code, a.item[0]));
    return a;
  }
  GPU_FN Pack heavier(FusedCode code, Pack a, Pack b, Pack c) const {
    for (int32_t k = 0; k < pack; ++k) {
      turn(a, heavier(code, a.item[0], b.item[0], c.item[0]));
      turn(b, 0);
      turn(c, 0);
    }
    return a;
  }
  GPU_FN static uint32_t heavy(FusedCode code, uint32_t a) {
    switch (code) {
#define BP_ONE(kind, row, functor) \
  case FusedCode::k##kind##functor: return bits_of(functor::of(value<kind>(a)));
      BP_FUSED_HEAVY(BP_ONE)
#undef BP_ONE
      default: return a;
    }
  }
  GPU_FN static uint32_t heavier(FusedCode code, uint32_t a, uint32_t b, uint32_t c) {
    switch (code) {
#define BP_TWO(kind, row, functor)  \
  case FusedCode::k##kind##functor: \
    return two<functor, kind, kind>(a, b);
#define BP_THREE(kind, row, functor) \
  case FusedCode::k##kind##functor: return three<functor, kind, kind, kind>(a, b, c);
      BP_FUSED_HEAVIER(BP_TWO, BP_THREE)
#undef BP_TWO
#undef BP_THREE
      default: return a;
    }
  }
};

bool lies_in_packs(const FusedProgram& p, const FusedProgram::Pointer& x, const char* data) {
  const int64_t bytes = least(int64_t{kPack} * x.item_bytes, int64_t{16});
  bool good = x.strides[0] == x.item_bytes && reinterpret_cast<intptr_t>(data) % bytes == 0;
  for (int32_t d = 1; d < p.rank; ++d) good = good && x.strides[d] % bytes == 0;
  return good;
}

}  // namespace

bp_status launch_fused(const bp_launch& launch, const FusedProgram& program, bp_error** err) {
  return translated<kFusedPointers>(launch, err, [&](const bp_launch& l) {
    Fused k{};
    k.p = program;
    k.pack = kPack;
    k.n_inner = static_cast<uint32_t>((program.sizes[0] + kPack - 1) / kPack);
    k.inner = Divider(k.n_inner);
    k.n = k.n_inner;
    for (int32_t d = 1; d < program.rank; ++d) {
      k.outer[d - 1] = Divider(static_cast<uint32_t>(program.sizes[d]));
      k.n *= k.outer[d - 1].by;
    }
    for (int32_t i = 0; i < program.n_pointers; ++i) {
      k.data[i] = static_cast<char*>(l.args[i].data);
      k.side_by_side[i] = lies_in_packs(program, program.pointers[i], k.data[i]);
    }
    Shape shape = cover(k.n);
    shape.shared_bytes = program.n_slots * int64_t{kLanes} * int64_t{sizeof(Pack)};
    return bp_gpu::launch(l, shape, k, err);
  });
}

// It serves no row: groups call it.
void add_fused(Registry&) {}

}  // namespace bp_gpu
