// SPDX-License-Identifier: Apache-2.0
// random.cc: the rows that draw random numbers by Philox4x32-10 (Salmon et al., SC'11). Element i
// has the words w0..w3 of the key `seed` and the counter `offset` + i. These are the last two
// attributes; -1 draws from the device's generator.
#include <cmath>

#include "core/base/error.h"
#include "core/ops/families.h"
#include "core/ops/made_of.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {
constexpr AttrSpec kShape = ints_attr("shape"), kDtype = dtype_attr("dtype"),
                   kSeed = int_attr("seed", -1), kOffset = int_attr("offset", -1);
constexpr AttrSpecs kUniformAttrs{kShape, kDtype, float_attr("low", 0), float_attr("high", 1),
                                  kSeed,  kOffset},
    kNormalAttrs{kShape, kDtype, float_attr("mean", 0), float_attr("std", 1), kSeed, kOffset},
    kRandintAttrs{kShape, kDtype, int_attr("low", 0), required_int_attr("high"), kSeed, kOffset},
    kBernoulliAttrs{kShape, kDtype, float_attr("p", 0.5), kSeed, kOffset};

// Parameters that no distribution has are refused before anything is drawn.
void uniform_rule(Inference& f) {
  rule::given_float(f);
  const double low = f.f64(kUniformAttrs["low"]), high = f.f64(kUniformAttrs["high"]);
  if (!(low <= high) || !std::isfinite(high - low))
    fail(BP_INVALID_ARGUMENT, "uniform expects a finite range with low <= high, got [{}, {})", low,
         high);
}
void normal_rule(Inference& f) {
  rule::given_float(f);
  const double std = f.f64(kNormalAttrs["std"]);
  if (!(std >= 0)) fail(BP_INVALID_ARGUMENT, "normal expects std >= 0.0, but found std {}", std);
}
void randint_rule(Inference& f) {
  rule::given_or_i64(f);
  const int64_t low = f.i64(kRandintAttrs["low"]), high = f.i64(kRandintAttrs["high"]);
  if (low >= high)
    fail(BP_INVALID_ARGUMENT,
         "random_ expects 'from' to be less than 'to', but got from={} >= to={}", low, high);
}
void bernoulli_rule(Inference& f) {
  rule::given_float(f);
  const double p = f.f64(kBernoulliAttrs["p"]);
  if (!(p >= 0 && p <= 1))
    fail(BP_INVALID_ARGUMENT, "bernoulli expects p to be in [0, 1], but got p={}", p);
}

// uniform's numbers are multiples of 2^-24, so that p may be rounded up to one.
void bernoulli(Composer& c) {
  const double p = std::ldexp(std::ceil(std::ldexp(c.f64(kBernoulliAttrs["p"]), 24)), -24);
  Ref<Tensor> drawn = new_tensor(c.plan.out_shape[0], BP_F32, c.device);
  invoke(BP_OP_UNIFORM, {},
         {ints_value(drawn->shape), dtype_value(BP_F32), float_value(0), float_value(1),
          c.attrs[c.attrs.size() - 2], c.attrs[c.attrs.size() - 1]},
         {&drawn, 1});
  c.out[0] = as_dtype(*less(drawn, p), c.plan.out_dtype[0]);
}

// clang-format off
constexpr OpRow kRandomRows[] = {
    {.id = 120, .name = "uniform",
     .attrs = kUniformAttrs,
     .layout = Layout::kGeneral, .key = -1, .dtype = uniform_rule, .shape = rule::given_shape,
     .flags = kPrimitive | kCreates | kRandom,
     .doc = "low + (high - low) * u, u in [0, 1): (w0 >> 8) / 2^24 for f32, f16 and bf16 (the f32 result rounded down), "
            "((w0 >> 5) * 2^26 + (w1 >> 6)) / 2^53 for f64."},
    {.id = 121, .name = "normal",
     .attrs = kNormalAttrs,
     .layout = Layout::kGeneral, .key = -1, .dtype = normal_rule, .shape = rule::given_shape,
     .flags = kPrimitive | kCreates | kRandom, .max_ulp = 64,
     .doc = "mean + std * sqrt(-2 ln((w0 + 1) / 2^32)) * cos(2 pi w1 / 2^32) (Box and Muller, 1958). Devices agree within "
            "the bound, or 1e-6 std for f32 and narrower."},
    {.id = 122, .name = "randint",
     .attrs = kRandintAttrs,
     .layout = Layout::kGeneral, .key = -1, .dtype = randint_rule, .shape = rule::given_shape,
     .flags = kPrimitive | kCreates | kRandom,
     .doc = "Integers in [low, high): low + floor((w0 + w1 * 2^32) * (high - low) / 2^64)."},
    {.id = 123, .name = "bernoulli",
     .attrs = kBernoulliAttrs,
     .layout = Layout::kGeneral, .key = -1, .dtype = bernoulli_rule, .shape = rule::given_shape, .compose = bernoulli,
     .flags = kCreates | kRandom, .doc = "1 with probability p, else 0: (w0 >> 8) / 2^24 < p."},
};
// clang-format on
}  // namespace

std::span<const OpRow> random_rows() { return kRandomRows; }

}  // namespace bp::ops
