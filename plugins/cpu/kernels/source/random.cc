// SPDX-License-Identifier: Apache-2.0
// random.cc: Philox4x32-10 (Salmon et al., SC'11): key = seed, counter = offset + i for element i,
// words w0 and w1 used. A block of counters is drawn at a time, several in the lanes of a vector;
// every element stands for itself, so the stream depends on neither threads nor instruction set.
#include <math.h>

#include "device/parallel.h"
#include "device/registry.h"
#include "driver/narrow.h"
#include "math/logarithm.h"
#include "math/vector.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kBlock = 256, kGrain = 16384;

struct Words {
  alignas(64) uint32_t w0[kBlock], w1[kBlock];
};

// The multipliers of a round, and what the key's halves grow by.
constexpr uint32_t kM0 = 0xD2511F53, kM1 = 0xCD9E8D57, kW0 = 0x9E3779B9, kW1 = 0xBB67AE85;

#if HWY_TARGET != HWY_SCALAR
// Draws n counters, rounded up to pairs of vectors, whose chains of rounds run side by side. A word
// is the lower half of a lane of 64 bits: the product of lower halves ignores the upper ones, which
// may so be left as they come.
void draw(uint64_t seed, uint64_t first, int64_t n, Words* out) {
  constexpr int kRounds = 10, kPair = 2;
  using D = Tag<uint64_t>;
  const D d;
  const hn::Repartition<uint32_t, D> halves;
  const hn::Rebind<uint32_t, D> narrow;
  const auto times = [&](auto word, auto factor) {
    return hn::MulEven(hn::BitCast(halves, word), hn::BitCast(halves, factor));
  };
  hn::Vec<D> key0[kRounds], key1[kRounds];
  uint32_t k0 = static_cast<uint32_t>(seed), k1 = static_cast<uint32_t>(seed >> 32);
  for (int round = 0; round < kRounds; ++round, k0 += kW0, k1 += kW1)
    key0[round] = hn::Set(d, k0), key1[round] = hn::Set(d, k1);
  const auto m0 = hn::Set(d, kM0), m1 = hn::Set(d, kM1);
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto step = hn::Set(d, hn::Lanes(d));
  auto counter = hn::Iota(d, first);
  for (int64_t i = 0; i < n; i += kPair * lanes) {
    hn::Vec<D> c0[kPair], c1[kPair], c2[kPair], c3[kPair];
    for (int v = 0; v < kPair; ++v, counter = hn::Add(counter, step)) {
      c0[v] = counter, c1[v] = hn::ShiftRight<32>(counter);
      c2[v] = c3[v] = hn::Zero(d);
    }
    for (int round = 0; round < kRounds; ++round)
      for (int v = 0; v < kPair; ++v) {
        const auto p0 = times(c0[v], m0), p1 = times(c2[v], m1);
        c0[v] = hn::Xor(hn::Xor(hn::ShiftRight<32>(p1), c1[v]), key0[round]);
        c1[v] = p1;
        c2[v] = hn::Xor(hn::Xor(hn::ShiftRight<32>(p0), c3[v]), key1[round]);
        c3[v] = p0;
      }
    for (int v = 0; v < kPair; ++v) {
      hn::Store(hn::TruncateTo(narrow, c0[v]), narrow, out->w0 + i + v * lanes);
      hn::Store(hn::TruncateTo(narrow, c1[v]), narrow, out->w1 + i + v * lanes);
    }
  }
}
#else
void draw(uint64_t seed, uint64_t first, int64_t n, Words* out) {
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t counter = first + static_cast<uint64_t>(i);
    uint32_t c0 = static_cast<uint32_t>(counter), c1 = static_cast<uint32_t>(counter >> 32), c2 = 0,
             c3 = 0;
    uint32_t k0 = static_cast<uint32_t>(seed), k1 = static_cast<uint32_t>(seed >> 32);
    for (int round = 0; round < 10; ++round) {
      const uint64_t p0 = uint64_t{kM0} * c0, p1 = uint64_t{kM1} * c2;
      c0 = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ k0;
      c1 = static_cast<uint32_t>(p1);
      c2 = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ k1;
      c3 = static_cast<uint32_t>(p0);
      k0 += kW0;
      k1 += kW1;
    }
    out->w0[i] = c0;
    out->w1[i] = c1;
  }
}
#endif

// The attributes end in seed and offset; make(words, out, n) turns a block into elements.
template <class T, class Make>
bp_status stream(const bp_launch* launch, const Make& make) {
  const bp_arg& out = launch->args[launch->n_in];
  const bp_attr* last = launch->attrs + launch->n_attr;
  const uint64_t seed = static_cast<uint64_t>(last[-2].value.i64),
                 offset = static_cast<uint64_t>(last[-1].value.i64);
  int64_t n = 1;
  for (int32_t i = 0; i < out.rank; ++i) n *= out.shape[i];
  T* y = static_cast<T*>(out.data);
  parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    Words words;
    for (int64_t i = begin; i < end; i += kBlock) {
      const int64_t drawn = end - i < kBlock ? end - i : kBlock;
      draw(seed, offset + static_cast<uint64_t>(i), drawn, &words);
      make(words, y + i, drawn);
    }
  });
  return BP_OK;
}

double unit24(uint32_t w) { return static_cast<double>(w >> 8) * 0x1p-24; }

// The nearest narrow value not above v.
template <class H>
H round_down(float v) {
  H y;
  from_float(v, &y);
  if (to_float(y) > v)
    y.bits = static_cast<uint16_t>(y.bits & 0x8000 ? y.bits + 1 : y.bits ? y.bits - 1 : 0x8001);
  return y;
}

template <class T>
bp_status run_uniform(const bp_launch* launch, bp_error**) {
  const double low = launch->attrs[BP_ATTR_UNIFORM_LOW].value.f64,
               range = launch->attrs[BP_ATTR_UNIFORM_HIGH].value.f64 - low;
  return stream<T>(launch, [=](const Words& w, T* y, int64_t n) {
    // The product is exact, and so is this shorter way to it.
    if (std::is_same_v<T, float> && low == 0 && range == 1) {
      for (int64_t i = 0; i < n; ++i)
        y[i] = convert<T>(static_cast<float>(static_cast<int32_t>(w.w0[i] >> 8)) * 0x1p-24f);
      return;
    }
    for (int64_t i = 0; i < n; ++i) {
      if constexpr (std::is_same_v<T, double>) {
        const uint64_t bits = uint64_t{w.w0[i] >> 5} << 26 | w.w1[i] >> 6;
        y[i] = ::fma(range, static_cast<double>(bits) * 0x1p-53, low);
      } else if constexpr (std::is_same_v<T, float>) {
        y[i] = static_cast<float>(low + range * unit24(w.w0[i]));
      } else {
        y[i] = round_down<T>(static_cast<float>(low + range * unit24(w.w0[i])));
      }
    }
  });
}

// sqrt(-2 log u) sin(2 pi s), 2^-32 <= u <= 1 and |s| <= 1/4.
struct BoxMuller {
  // sin(2 pi s) / s in powers of s^2, interpolated at Chebyshev's points; error 2^-61
  static constexpr double kSin[] = {6.283185307179586,  -41.341702240399755, 81.60524927607362,
                                    -76.70585975282492, 42.058693925428685,  -15.0946416761179,
                                    3.8199280942271643, -0.7177337921413454, 0.10089695501646812};
  template <class D, class V>
  static HWY_INLINE V of(D d, V u, V s) {
    const auto [k, f] = split_exponent(d, u);
    const V log_u = log_of_parts(d, k, f, hn::Zero(d));
    const V radius = hn::Sqrt(hn::Mul(hn::Set(d, -2.0), log_u));
    return hn::Mul(radius, hn::Mul(s, polynomial(d, hn::Mul(s, s), kSin)));
  }
  static double scalar(double u, double s) {
    return __builtin_sqrt(-2 * ::log(u)) * ::sin(s * 6.283185307179586);
  }
};

// Box and Muller in f64 whatever the dtype: near u = 1 the logarithm needs all bits of 1 - u.
template <class T>
bp_status run_normal(const bp_launch* launch, bp_error**) {
  const double mean = launch->attrs[BP_ATTR_NORMAL_MEAN].value.f64,
               deviation = launch->attrs[BP_ATTR_NORMAL_STD].value.f64;
  return stream<T>(launch, [=](const Words& w, T* y, int64_t n) {
    alignas(64) double u[kBlock], s[kBlock];
    for (int64_t i = 0; i < n; ++i) {
      u[i] = (static_cast<double>(w.w0[i]) + 1) * 0x1p-32;
      // cos(2 pi t) = sin(2 pi s), s = |t - 1/2| - 1/4
      const auto turn = static_cast<int32_t>(w.w1[i] ^ 0x80000000u);
      s[i] = __builtin_fabs(static_cast<double>(turn)) * 0x1p-32 - 0.25;
    }
    const void* in[] = {u, s};
    binary_math<BoxMuller, double, false, false>(u, in, n);
    for (int64_t i = 0; i < n; ++i) y[i] = convert<T>(mean + deviation * u[i]);
  });
}

template <class T>
bp_status run_randint(const bp_launch* launch, bp_error**) {
  const uint64_t low = static_cast<uint64_t>(launch->attrs[BP_ATTR_RANDINT_LOW].value.i64);
  const uint64_t range = static_cast<uint64_t>(launch->attrs[BP_ATTR_RANDINT_HIGH].value.i64) - low;
  return stream<T>(launch, [=](const Words& w, T* y, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      // The high 64 bits of (w1 w0) * range, from four products of halves.
      const uint64_t a = w.w0[i], b = w.w1[i], c = range & 0xffffffffu, d = range >> 32;
      const uint64_t middle = (a * c >> 32) + (b * c & 0xffffffffu) + (a * d & 0xffffffffu);
      const uint64_t high = b * d + (b * c >> 32) + (a * d >> 32) + (middle >> 32);
      y[i] = convert<T>(static_cast<int64_t>(low + high));
    }
  });
}

template <class T>
bp_status run_bernoulli(const bp_launch* launch, bp_error**) {
  const double p = launch->attrs[BP_ATTR_BERNOULLI_P].value.f64;
  return stream<T>(launch, [=](const Words& w, T* y, int64_t n) {
    for (int64_t i = 0; i < n; ++i) y[i] = convert<T>(static_cast<uint8_t>(unit24(w.w0[i]) < p));
  });
}

}  // namespace

void add_random(Registry& r) {
  each_type<kReals>([&](auto t, bp_dtype d) {
    r.add(BP_OP_RANDINT, bit(d), run_randint<decltype(t)>, BP_KERNEL_CONTIGUOUS);
  });
  each_type<kReals | bit(BP_BOOL)>([&](auto t, bp_dtype d) {
    r.add(BP_OP_BERNOULLI, bit(d), run_bernoulli<decltype(t)>, BP_KERNEL_CONTIGUOUS);
  });
  each_type<kFloats>([&](auto t, bp_dtype d) {
    r.add(BP_OP_UNIFORM, bit(d), run_uniform<decltype(t)>, BP_KERNEL_CONTIGUOUS);
    r.add(BP_OP_NORMAL, bit(d), run_normal<decltype(t)>, BP_KERNEL_CONTIGUOUS);
  });
}

}  // namespace bp_cpu::BP_ISA
