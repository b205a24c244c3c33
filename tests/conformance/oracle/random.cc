// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10 from the paper (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// SC'11, section 3), one counter at a time.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "oracle/oracle.h"

namespace conformance {
namespace random_specs {
namespace {

std::array<uint32_t, 4> philox(uint64_t seed, uint64_t counter) {
  std::array<uint32_t, 4> x{static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), 0,
                            0};
  auto k0 = static_cast<uint32_t>(seed), k1 = static_cast<uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t{0xD2511F53} * x[0], p1 = uint64_t{0xCD9E8D57} * x[2];
    x = {static_cast<uint32_t>(p1 >> 32) ^ x[1] ^ k0, static_cast<uint32_t>(p1),
         static_cast<uint32_t>(p0 >> 32) ^ x[3] ^ k1, static_cast<uint32_t>(p0)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return x;
}

template <class F>
Array draw(const Call& call, bp_dtype t, F f) {
  const auto seed = static_cast<uint64_t>(call.i64("seed", 0)),
             offset = static_cast<uint64_t>(call.i64("offset", 0));
  Array out{t, call.ints("shape"), {}, {}};
  const auto n = static_cast<uint64_t>(count_of(out.shape));
  for (uint64_t i = 0; i < n; ++i) out.re.push_back(f(philox(seed, offset + i)));
  return out;
}

Real round_down(Real v, bp_dtype t) {
  if (v == 0) return v;
  const Format f = format_of(t);
  const Real unit = std::ldexp(Real{1}, std::max(std::ilogb(v), f.emin) - f.precision + 1);
  return std::floor(v / unit) * unit;
}

Answer uniform(const Call& call) {
  const bp_dtype t = call.dtype("dtype", bp_get_default_dtype());
  const Real low = call.f64("low", 0), high = call.f64("high", 1);
  return {{draw(call, t, [&](const auto& w) -> Real {
    if (t == BP_F64) {
      const Real bits = static_cast<Real>((uint64_t{w[0]} >> 5) << 26 | w[1] >> 6);
      return low + (high - low) * std::ldexp(bits, -53);
    }
    const Real v = low + (high - low) * std::ldexp(static_cast<Real>(w[0] >> 8), -24);
    return t == BP_F32 ? v : round_down(round_to(v, BP_F32), t);
  })}};
}

Answer normal(const Call& call) {
  const bp_dtype t = call.dtype("dtype", bp_get_default_dtype());
  const Real mean = call.f64("mean", 0), std = call.f64("std", 1);
  std::vector<Real> scale;
  Expected e{draw(call, t, [&](const auto& w) -> Real {
    const Real radius = std::sqrt(-2 * std::log(std::ldexp(static_cast<Real>(w[0]) + 1, -32)));
    scale.push_back(std::fabs(mean) + std::fabs(std) * radius);
    return mean +
           std * radius *
               std::cos(2 * std::numbers::pi_v<Real> * std::ldexp(static_cast<Real>(w[1]), -32));
  })};
  e.scale = scale;
  e.any_zero = true;
  e.tolerance.assign(e.array.size(), t == BP_F64 ? 0 : Real{1e-6} * std::fabs(std));
  return {e};
}

Answer randint(const Call& call) {
  const int64_t low = call.i64("low", 0), high = call.i64("high", 0);
  const auto range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  const bp_dtype t = call.dtype("dtype", BP_I64);
  return {{draw(call, t, [&](const auto& w) -> Real {
    const uint64_t word = w[0] | uint64_t{w[1]} << 32;
    const auto drawn = static_cast<uint64_t>(static_cast<__uint128_t>(word) * range >> 64);
    return convert(static_cast<Real>(static_cast<int64_t>(static_cast<uint64_t>(low) + drawn)),
                   BP_I64, t);
  })}};
}

Answer bernoulli(const Call& call) {
  const double p = call.f64("p", 0.5);
  return {{draw(call, call.dtype("dtype", bp_get_default_dtype()), [&](const auto& w) -> Real {
    return std::ldexp(static_cast<double>(w[0] >> 8), -24) < p;
  })}};
}

constexpr Spec kSpecs[] = {
    {"uniform", Family::kRandom, kFloats, uniform},
    {"normal", Family::kRandom, kFloats, normal},
    {"randint", Family::kRandom, kInts | kFloats, randint},
    {"bernoulli", Family::kRandom, kReals, bernoulli},
};

}  // namespace
}  // namespace random_specs

std::span<const Spec> random_oracles() { return random_specs::kSpecs; }

}  // namespace conformance
