// SPDX-License-Identifier: Apache-2.0
// gamma.cc: the rows of the gamma function's logarithm and its derivative, what they are composed
// of, and their gradients. A branch that is not chosen may overflow.
#include <cmath>
#include <numbers>
#include <span>

#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

// log(gamma(z)) / ((z - 1) (z - 2)) in powers of z - 3/2, for 1 <= z <= 2: Chebyshev fits of our
// own, computed with 50 digits. The quotient has no zero there, so that the product keeps its
// digits beside 1 and 2.
constexpr double kNear[] = {0.483128951,   -0.145959697,   0.0629112789,
                            -0.0313190425, 0.016803567,    -0.00927653644,
                            0.00535511656, -0.00397213376, 0.00238831134};
constexpr double kNearF64[] = {
    0.48312895054098089,    -0.14595989591430608,    0.062911401074564392,
    -0.031308487501010648,  0.01679709863127416,     -0.0094256224485257978,
    0.0054464578391260646,  -0.0032120740737152812,  0.001922916312790516,
    -0.0011644145847310124, 0.00071151906751529593,  -0.00043799307479613916,
    0.00027131373861446928, -0.00016891782155248982, 0.00010535512483785592,
    -6.6141360223464143e-5, 4.3027681497650298e-5,   -2.7201673025504752e-5,
    1.3186019073996834e-5,  -8.3550758697952728e-6,  1.2140008083973407e-5,
    -7.7606601525134468e-6};
// What Stirling's formula lacks, times z, in powers of 1 / z^2, for z >= 3.
constexpr double kFar[] = {0.0833333327, -0.00277758622, 0.000784718413, -0.000454428318};
constexpr double kFarF64[] = {
    0.083333333333333333,   -0.0027777777777757697, 0.00079365079262240405, -0.00059523788545031386,
    0.00084172823940323582, -0.0019160464198791072, 0.0063461105782926715,  -0.027601910018978466,
    0.13605466944124706,    -0.63461908657061155,   2.3482971113720579,     -5.7242315051337284,
    6.6533964225147482};
// Of B_2k / (2 k z^2k), which log(z) - 1 / (2 z) exceeds digamma by, and of B_2k / z^(2k + 1),
// which trigamma exceeds 1 / z + 1 / (2 z^2) by (Abramowitz and Stegun, 6.3.18 and 6.4.12). They
// are enough where z is shift_of its dtype or more.
constexpr double kDigamma[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                               1.0 / 132, -691.0 / 32760, 1.0 / 12};
constexpr double kTrigamma[] = {1.0 / 6,  -1.0 / 30,     1.0 / 42, -1.0 / 30,
                                5.0 / 66, -691.0 / 2730, 7.0 / 6};
int shift_of(bp_dtype t) { return t == BP_F64 ? 10 : 4; }

// Works in place, unless the steps are recorded, which then need what they read.
Ref<Tensor> polynomial(const Ref<Tensor>& x, std::span<const double> coefficients) {
  const bool recorded = records() && wants_grad(*x);
  Ref<Tensor> y = mul(x, coefficients.back());
  for (size_t i = coefficients.size() - 1; i-- > 0;) {
    add_to(y, coefficients[i]);
    if (i == 0) break;
    if (recorded)
      y = mul(y, x);
    else
      invoke(BP_OP_MUL, {*y, x}, {}, {&y, 1});
  }
  return y;
}
// Returns x less the nearest integer, which is exact.
Ref<Tensor> fraction(const Ref<Tensor>& x) { return sub(x, invoke(BP_OP_ROUND, {x})); }

std::span<const double> of_width(bool wide, std::span<const double> f64,
                                 std::span<const double> f32) {
  return wide ? f64 : f32;
}

// Every x has a z >= 1: of a positive x below 1 by gamma(x) = gamma(x + 1) / x, of a negative one
// by reflection, gamma(x) gamma(1 - x) = pi / sin(pi x); z below 3 has one between 1 and 2.
void lgamma(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  const bool wide = x->dtype == BP_F64;
  const Ref<Tensor> left = less(x, 0), small = both(no(left), less(x, 1));
  const Ref<Tensor> z = where(left, sub(1, x), where(small, add(x, 1), x)), lower = sub(z, 1);
  const Ref<Tensor> lifted = at_most(2, z), far = at_most(3, z);
  // z - 1, or z - 2 where it is between 2 and 3; of x below 1 it is x, before z was rounded.
  const Ref<Tensor> above = where(small, x, sub(where(lifted, lower, z), 1));
  const Ref<Tensor> near =
      mul(mul(above, sub(above, 1)), polynomial(sub(above, 0.5), of_width(wide, kNearF64, kNear)));
  const Ref<Tensor> log_z = logarithm(where(far, z, where(lifted, lower, 1)));
  const Ref<Tensor> inverse = div(1, z);
  const Ref<Tensor> rest = polynomial(mul(inverse, inverse), of_width(wide, kFarF64, kFar));
  constexpr double kHalfLog2PiLessHalf = 0.41893853320467274178;
  const Ref<Tensor> stirling =
      add(add(mul(sub(z, 0.5), sub(log_z, 1)), kHalfLog2PiLessHalf), mul(rest, inverse));
  const Ref<Tensor> positive = where(far, stirling, add(near, log_z));
  // What the logarithm of gamma(x) has beside that of gamma(z): - log(x), or that of the
  // reflection.
  const Ref<Tensor> sine_over_pi =
      mul(sine(mul(fraction(x), std::numbers::pi)), std::numbers::inv_pi);
  const Ref<Tensor> beside = logarithm(absolute(where(left, sine_over_pi, where(small, x, 1))));
  const Ref<Tensor> y = sub(where(left, negative(positive), positive), beside);
  // So large are integers alone, and of a negative one y is the difference of two infinities.
  c.out[0] = where(equal(positive, HUGE_VAL), HUGE_VAL, y);
}

// Returns z, raised by shift_of its dtype where it is below that, and the sum of f(z), f(z + 1), ..
// that the raise costs, 0 elsewhere.
struct Raised {
  Ref<Tensor> z, cost;
};
template <class F>
Raised raised(const Ref<Tensor>& z, const F& f) {
  const int shift = shift_of(z->dtype);
  const Ref<Tensor> low = less(z, shift);
  Ref<Tensor> cost = f(z);
  for (int i = 1; i < shift; ++i) cost = add(cost, f(add(z, i)));
  return {where(low, add(z, shift), z), where(low, cost, 0)};
}

// digamma(z + 1) = digamma(z) + 1 / z; digamma(1 - x) - digamma(x) = pi / tan(pi x).
void digamma(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0), left = less(x, 0);
  const Raised r =
      raised(where(left, sub(1, x), x), [](const Ref<Tensor>& z) { return div(1, z); });
  const Ref<Tensor> inverse = div(1, r.z), square = mul(inverse, inverse);
  const Ref<Tensor> rest = add(mul(inverse, 0.5), mul(square, polynomial(square, kDigamma)));
  const Ref<Tensor> positive = sub(sub(logarithm(r.z), rest), r.cost);
  const Ref<Tensor> angle = mul(fraction(x), std::numbers::pi);
  const Ref<Tensor> reflected = div(mul(cosine(angle), std::numbers::pi), sine(angle));
  // The poles of negative integers have no sign; that of zero has the other one's.
  const Ref<Tensor> pole = both(left, equal(angle, 0));
  const Ref<Tensor> y = where(left, sub(positive, reflected), positive);
  c.out[0] = where(equal(x, 0), div(-1, x), where(pole, std::nan(""), y));
}

// trigamma(z + 1) = trigamma(z) - 1 / z^2; trigamma(x) + trigamma(1 - x) = (pi / sin(pi x))^2.
Ref<Tensor> trigamma(const Ref<Tensor>& x) {
  const Ref<Tensor> left = less(x, 0);
  const Raised r =
      raised(where(left, sub(1, x), x), [](const Ref<Tensor>& z) { return div(1, mul(z, z)); });
  const Ref<Tensor> inverse = div(1, r.z), square = mul(inverse, inverse);
  const Ref<Tensor> rest =
      add(mul(square, 0.5), mul(mul(square, inverse), polynomial(square, kTrigamma)));
  const Ref<Tensor> positive = add(add(inverse, rest), r.cost);
  // Where the reflection is not taken it has a slope all the same, so that a gradient has one.
  const Ref<Tensor> turned = where(left, x, 0.5);
  const Ref<Tensor> reflected =
      squared(div(std::numbers::pi, sine(mul(fraction(turned), std::numbers::pi))));
  return where(left, sub(reflected, positive), positive);
}

void lgamma_back(GradCall& c) { c.give(0, mul(c.grad(), invoke(BP_OP_DIGAMMA, {c.in(0)}))); }
void digamma_back(GradCall& c) { c.give(0, mul(c.grad(), trigamma(c.in(0)))); }

// clang-format off
constexpr OpRow kGammaRows[] = {
    {.id = 144, .name = "lgamma", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = lgamma,
     .grad = {"LgammaBackward0", lgamma_back, kIn0}, .max_ulp = 8,
     .doc = "log(abs(gamma(x))): inf at 0 and negative integers. Below 0 the error is that bound of the largest term of "
            "log(pi / abs(sin(pi x))) - lgamma(1 - x)."},
    {.id = 145, .name = "digamma", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = digamma,
     .grad = {"DigammaBackward0", digamma_back, kIn0}, .max_ulp = 8,
     .doc = "The derivative of lgamma: -inf at 0, inf at -0, NaN at negative integers. The bound is relative to the largest of "
            "the result, log(x + 10) and 1 / x."},
};
// clang-format on
}  // namespace

std::span<const OpRow> gamma_rows() { return kGammaRows; }

}  // namespace bp::ops
