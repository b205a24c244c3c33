// SPDX-License-Identifier: Apache-2.0
// gradient_binary.cc: each operand, which may be a number, gets the gradient g of the result times
// its partial derivative; GradCall::give sums that to the operand's shape where it was broadcast.
#include "core/grad/autograd.h"
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

// Gives g to the operand that is the extreme; where both are equal each has half.
void extreme(GradCall& c, const Ref<Tensor>& first, const Ref<Tensor>& same) {
  const Ref<Tensor> half = mul(c.grad(), 0.5);
  if (c.wants(0)) c.give(0, where(same, half, where(first, c.grad(), zero(c))));
  if (c.wants(1)) c.give(1, where(same, half, where(first, zero(c), c.grad())));
}
// Gives the gradients of a - b * q, where the rounded quotient q counts as constant.
void remains(GradCall& c, uint32_t rounding) {
  c.give(0, c.grad());
  if (c.wants(1))
    c.give(1, negative(mul(c.grad(), invoke(rounding, {div(c.value(0), c.value(1))}))));
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
  if (!a.kept)
    return c.give(1, mul(c.grad(), mul(y, logarithm(filled({}, y->dtype, a.value, y->device())))));
  const Ref<Tensor> slope = conjugate(mul(y, logarithm(a)));
  if (is_complex(y->dtype)) return c.give(1, mul(c.grad(), slope));
  const Ref<Tensor> flat = both(equal(a, 0), at_most(0, b));
  c.give(1, mul(c.grad(), where(flat, zero_of(y->dtype), slope)));
}
void maximum_back(GradCall& c) {
  extreme(c, less(c.value(1), c.value(0)), equal(c.value(0), c.value(1)));
}
void minimum_back(GradCall& c) {
  extreme(c, less(c.value(0), c.value(1)), equal(c.value(0), c.value(1)));
}
void atan2_back(GradCall& c) {
  const Value a = c.value(0), b = c.value(1);
  const Ref<Tensor> g = div(c.grad(), add(mul(a, a), mul(b, b)));
  if (c.wants(0)) c.give(0, mul(g, b));
  if (c.wants(1)) c.give(1, negative(mul(g, a)));
}
void hypot_back(GradCall& c) {
  const Ref<Tensor> g = div(c.grad(), c.result());
  if (c.wants(0)) c.give(0, mul(g, c.value(0)));
  if (c.wants(1)) c.give(1, mul(g, c.value(1)));
}
void logaddexp_back(GradCall& c) {
  for (size_t i = 0; i < 2; ++i)
    if (c.wants(i)) c.give(i, mul(c.grad(), exponential(sub(c.value(i), c.result()))));
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
// x gets g where min <= x <= max; elsewhere the bound that x passed gets it.
void clip_back(GradCall& c) {
  const auto given = [&](size_t i) { return c.operand(i).dtype != BP_DTYPE_NONE; };
  const Ref<Tensor> x = c.in(0);
  if (c.wants(0)) {
    Ref<Tensor> g = c.grad();
    if (given(1)) g = where(at_most(c.value(1), x), g, zero(c));
    if (given(2)) g = where(at_most(x, c.value(2)), g, zero(c));
    c.give(0, g);
  }
  if (c.wants(1)) {
    Ref<Tensor> g = where(less(x, c.value(1)), c.grad(), zero(c));
    c.give(1, given(2) ? where(less(c.value(1), c.value(2)), g, zero(c)) : g);
  }
  if (c.wants(2)) {
    const Ref<Tensor> above = less(c.value(2), x);
    c.give(2, where(given(1) ? either(above, less(c.value(2), c.value(1))) : above, c.grad(),
                    zero(c)));
  }
}

}  // namespace bp::ops
