// SPDX-License-Identifier: Apache-2.0
// gradient_binary.cc: each operand, which may be a number, gets the gradient g of the result times
// its partial derivative; GradCall::give sums that to the operand's shape where it was broadcast.
#include "core/grad/autograd.h"
#include "core/ops/elementwise/attributes.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"

namespace bp::ops {
namespace {

// Numbers are taken for real, so that only tensors are conjugated.
Value conjugated(const Value& v) { return v.kept ? Value(conjugate(v.kept)) : v; }
double real_number(const Value& v) {
  return v.value.kind == BP_VALUE_F64 ? v.value.as.f64 : static_cast<double>(v.value.as.i64);
}
Value zero(GradCall& c) { return zero_of(c.grad()->dtype); }

// Gives g to the operand that is the extreme; where both are equal each has half. A NaN is neither
// less nor greater: both have g there, as in PyTorch.
void extreme(GradCall& c, uint32_t loses) {
  const Ref<Tensor> half = mul(c.grad(), 0.5), same = equal(c.value(0), c.value(1));
  for (size_t i = 0; i < 2; ++i)
    if (c.wants(i))
      c.give(i, where(same, half,
                      where(invoke(loses, {c.value(i), c.value(1 - i)}), zero(c), c.grad())));
}
// Gives the gradients of a - b * q, where the rounded quotient q counts as constant.
void remains(GradCall& c, uint32_t rounding) {
  c.give(0, c.grad());
  if (c.wants(1))
    c.give(1, negative(mul(c.grad(), invoke(rounding, {div(c.value(0), c.value(1))}))));
}
// Returns the gradient of a term of addcmul or addcdiv without its factor.
Ref<Tensor> scaled(GradCall& c) {
  const double value = c.f64(kTermAttrs["value"]);
  return value == 1 ? c.grad() : mul(c.grad(), value);
}

}  // namespace

void add_back(GradCall& c) {
  c.give(0, c.grad());
  c.give(1, c.grad());
}
void sub_back(GradCall& c) {
  c.give(0, c.grad());
  if (c.wants(1)) c.give(1, negative(c.grad()));
}
void mul_back(GradCall& c) {
  if (c.wants(0)) c.give(0, mul(c.grad(), conjugated(c.value(1))));
  if (c.wants(1)) c.give(1, mul(c.grad(), conjugated(c.value(0))));
}
void div_back(GradCall& c) {
  const Value b = conjugated(c.value(1));
  if (c.wants(0)) c.give(0, div(c.grad(), b));
  if (c.wants(1)) c.give(1, negative(mul(c.grad(), div(div(conjugated(c.value(0)), b), b))));
}
// d/da a^b = b a^(b-1), 0 where b is 0; d/db = a^b ln a, 0 where a is 0 and b not negative.
void pow_back(GradCall& c) {
  const Value a = c.value(0), b = c.value(1);
  if (c.wants(0)) {
    const Ref<Tensor> slope =
        mul(power(a, b.kept                         ? Value(sub(b, 1))
                     : b.value.kind == BP_VALUE_F64 ? Value(b.value.as.f64 - 1)
                                                    : Value(b.value.as.i64 - 1)),
            b);
    const Ref<Tensor> g = mul(c.grad(), conjugate(slope));
    const bool zero_number =
        !b.kept && (b.value.kind == BP_VALUE_F64 ? b.value.as.f64 == 0 : b.value.as.i64 == 0);
    c.give(0, zero_number ? zeros_like(g) : b.kept ? where(equal(b, 0), zero_of(g->dtype), g) : g);
  }
  if (!c.wants(1)) return;
  const Ref<Tensor> y = c.result();
  const Value base = a.kept ? a : Value(filled({}, y->dtype, a.value, y->device()));
  const Ref<Tensor> slope = conjugate(mul(y, logarithm(base)));
  if (is_complex(y->dtype)) return c.give(1, mul(c.grad(), slope));
  const Ref<Tensor> flat = both(equal(base, 0), at_most(0, b));
  c.give(1, mul(c.grad(), where(flat, zero_of(y->dtype), slope)));
}
void maximum_back(GradCall& c) { extreme(c, BP_OP_LT); }
void minimum_back(GradCall& c) { extreme(c, BP_OP_GT); }
// The origin has no angle; the gradient there is 0, as in PyTorch.
void atan2_back(GradCall& c) {
  const Value a = c.value(0), b = c.value(1);
  const Ref<Tensor> r2 = add(mul(a, a), mul(b, b));
  const Ref<Tensor> g = where(equal(r2, 0.0), zero(c), div(c.grad(), r2));
  if (c.wants(0)) c.give(0, mul(g, b));
  if (c.wants(1)) c.give(1, negative(mul(g, a)));
}
void hypot_back(GradCall& c) {
  const Ref<Tensor> g = div(c.grad(), c.result());
  if (c.wants(0)) c.give(0, mul(g, c.value(0)));
  if (c.wants(1)) c.give(1, mul(g, c.value(1)));
}
// The share of e^a in e^a + e^b, by their difference: an infinite result is no difference.
void logaddexp_back(GradCall& c) {
  for (size_t i = 0; i < 2; ++i)
    if (c.wants(i)) c.give(i, mul(c.grad(), logistic(sub(c.value(i), c.value(1 - i)))));
}
void copysign_back(GradCall& c) {
  if (c.wants(0)) c.give(0, mul(c.grad(), sign_of(mul(c.in(0), c.result()))));
  if (c.wants(1)) c.give(1, zeros_like(c.grad()));
}
// a + one step where they differ; b itself, which PyTorch gives no gradient, where they are equal.
void nextafter_back(GradCall& c) {
  if (c.wants(0)) c.give(0, where(unequal(c.value(0), c.value(1)), c.grad(), zero(c)));
  if (c.wants(1)) c.give(1, zeros_like(c.grad()));
}
void remainder_back(GradCall& c) { remains(c, BP_OP_FLOOR); }
void fmod_back(GradCall& c) { remains(c, BP_OP_TRUNC); }
void where_back(GradCall& c) {
  if (c.wants(1)) c.give(1, where(c.value(0), c.grad(), zero(c)));
  if (c.wants(2)) c.give(2, where(c.value(0), zero(c), c.grad()));
}
// a + w (b - a)
void lerp_back(GradCall& c) {
  const Value w = c.value(2);
  if (c.wants(0)) c.give(0, mul(c.grad(), w.kept ? Value(sub(1.0, w)) : Value(1 - real_number(w))));
  if (c.wants(1)) c.give(1, mul(c.grad(), w));
  if (c.wants(2)) c.give(2, mul(c.grad(), sub(c.value(1), c.value(0))));
}
// x + value a b and x + value a / b
void addcmul_back(GradCall& c) {
  c.give(0, c.grad());
  if (!c.wants(1) && !c.wants(2)) return;
  const Ref<Tensor> g = scaled(c);
  for (size_t i = 1; i < 3; ++i)
    if (c.wants(i)) c.give(i, mul(g, conjugated(c.value(3 - i))));
}
void addcdiv_back(GradCall& c) {
  c.give(0, c.grad());
  if (!c.wants(1) && !c.wants(2)) return;
  const Value b = conjugated(c.value(2));
  const Ref<Tensor> g = div(scaled(c), b);
  if (c.wants(1)) c.give(1, g);
  if (c.wants(2)) c.give(2, negative(mul(g, div(conjugated(c.value(1)), b))));
}
// x gets g between the bounds; beyond them the bound that x passed gets it. At the bound itself x
// has nothing where that is a number, and where it is a tensor each has half, as in PyTorch.
void clip_back(GradCall& c) {
  const auto given = [&](size_t i) { return c.operand(i).dtype != BP_DTYPE_NONE; };
  const Value x = c.in(0), low = c.value(1), high = c.value(2);
  // Returns g where a < b, and where a is b what a tensor as bound has of it.
  const auto below = [&](const Value& a, const Value& b, const Ref<Tensor>& g, bool tensor) {
    const Ref<Tensor> inside = where(less(a, b), g, zero(c));
    return tensor ? where(equal(a, b), mul(g, 0.5), inside) : inside;
  };
  if (c.wants(0)) {
    Ref<Tensor> g = c.grad();
    if (given(1)) g = below(low, x, g, static_cast<bool>(low.kept));
    if (given(2)) g = below(x, high, g, static_cast<bool>(high.kept));
    c.give(0, g);
  }
  if (c.wants(1)) {
    const Ref<Tensor> g = below(x, low, c.grad(), true);
    c.give(1, given(2) ? where(less(low, high), g, zero(c)) : g);
  }
  if (c.wants(2)) {
    const Ref<Tensor> g = below(high, x, c.grad(), true);
    c.give(2, given(1) ? where(less(high, low), c.grad(), g) : g);
  }
}

}  // namespace bp::ops
