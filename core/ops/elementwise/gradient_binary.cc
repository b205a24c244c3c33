// gradient_binary.cc: of a op b: g times each partial derivative, summed to the operand's shape
// where it was broadcast (GradCall::give). Operands may be numbers.
#include "core/ops/gradients.h"

namespace bp::ops {
namespace gradient_binary_rows {
namespace {

// A number's conjugate is itself: values of calls are real or, when complex, tensors.
V conjugated(const ComposeValue& v) { return v.kept ? V(conjugate(v.kept)) : V(v); }
double real_number(const ComposeValue& v) {
  return v.value.kind == BP_VALUE_F64 ? v.value.as.f64 : static_cast<double>(v.value.as.i64);
}
V zero(GradCall& c) { return zero_of(c.grad()->dtype); }

void add_(GradCall& c) {
  c.give(0, c.grad());
  c.give(1, c.grad());
}
void sub_(GradCall& c) {
  c.give(0, c.grad());
  if (c.wants(1)) c.give(1, negative(c.grad()));
}
void mul_(GradCall& c) {
  if (c.wants(0)) c.give(0, mul(c.grad(), conjugated(c.value(1))));
  if (c.wants(1)) c.give(1, mul(c.grad(), conjugated(c.value(0))));
}
void div_(GradCall& c) {
  const V b = conjugated(c.value(1));
  if (c.wants(0)) c.give(0, div(c.grad(), b));
  if (c.wants(1)) c.give(1, negative(mul(c.grad(), div(div(conjugated(c.value(0)), b), b))));
}
// d/da a^b = b a^(b-1), 0 where b is 0; d/db = a^b ln a, 0 where a is 0 and b not negative.
void pow_(GradCall& c) {
  const V a = c.value(0), b = c.value(1);
  if (c.wants(0)) {
    const Ref<Tensor> slope = mul(power(a, b.kept                         ? V(sub(b, int64_t{1}))
                                           : b.value.kind == BP_VALUE_F64 ? V(b.value.as.f64 - 1)
                                                                          : V(b.value.as.i64 - 1)),
                                  b);
    const Ref<Tensor> g = mul(c.grad(), conjugate(slope));
    const bool zero_number =
        !b.kept && (b.value.kind == BP_VALUE_F64 ? b.value.as.f64 == 0 : b.value.as.i64 == 0);
    c.give(0, zero_number ? zeros_like(g)
              : b.kept    ? where(equal(b, int64_t{0}), zero_of(g->dtype), g)
                          : g);
  }
  if (!c.wants(1)) return;
  const Ref<Tensor> y = c.result();
  if (!a.kept)
    return c.give(
        1, mul(c.grad(), mul(y, made(BP_OP_LOG, filled({}, y->dtype, a.value, y->device())))));
  const Ref<Tensor> slope = conjugate(mul(y, made(BP_OP_LOG, a)));
  if (is_complex(y->dtype)) return c.give(1, mul(c.grad(), slope));
  const Ref<Tensor> flat = made(BP_OP_LOGICAL_AND, equal(a, int64_t{0}), at_most(int64_t{0}, b));
  c.give(1, mul(c.grad(), where(flat, zero_of(y->dtype), slope)));
}
// Where both are equal each has half.
void extreme(GradCall& c, const Ref<Tensor>& first, const Ref<Tensor>& equal_) {
  const Ref<Tensor> half = mul(c.grad(), 0.5);
  if (c.wants(0)) c.give(0, where(equal_, half, where(first, c.grad(), zero(c))));
  if (c.wants(1)) c.give(1, where(equal_, half, where(first, zero(c), c.grad())));
}
void maximum(GradCall& c) {
  extreme(c, less(c.value(1), c.value(0)), equal(c.value(0), c.value(1)));
}
void minimum(GradCall& c) {
  extreme(c, less(c.value(0), c.value(1)), equal(c.value(0), c.value(1)));
}
void atan2_(GradCall& c) {
  const V a = c.value(0), b = c.value(1);
  const Ref<Tensor> g = div(c.grad(), add(mul(a, a), mul(b, b)));
  if (c.wants(0)) c.give(0, mul(g, b));
  if (c.wants(1)) c.give(1, negative(mul(g, a)));
}
void hypot_(GradCall& c) {
  const Ref<Tensor> g = div(c.grad(), c.result());
  if (c.wants(0)) c.give(0, mul(g, c.value(0)));
  if (c.wants(1)) c.give(1, mul(g, c.value(1)));
}
void logaddexp(GradCall& c) {
  for (size_t i = 0; i < 2; ++i)
    if (c.wants(i)) c.give(i, mul(c.grad(), made(BP_OP_EXP, sub(c.value(i), c.result()))));
}
void copysign_(GradCall& c) {
  if (c.wants(0)) c.give(0, mul(c.grad(), made(BP_OP_SIGN, mul(c.in(0), c.result()))));
  if (c.wants(1)) c.give(1, zeros_like(c.grad()));
}
// a - b * q, where q does not change.
void remains(GradCall& c, uint32_t rounding) {
  c.give(0, c.grad());
  if (c.wants(1)) c.give(1, negative(mul(c.grad(), made(rounding, div(c.value(0), c.value(1))))));
}
void remainder_(GradCall& c) { remains(c, BP_OP_FLOOR); }
void fmod_(GradCall& c) { remains(c, BP_OP_TRUNC); }
void none(GradCall& c) {
  for (size_t i = 0; i < 2; ++i)
    if (c.wants(i)) c.give(i, zeros_like(c.grad()));
}
void where_(GradCall& c) {
  if (c.wants(1)) c.give(1, where(c.value(0), c.grad(), zero(c)));
  if (c.wants(2)) c.give(2, where(c.value(0), zero(c), c.grad()));
}
// a + w (b - a)
void lerp(GradCall& c) {
  const V w = c.value(2);
  if (c.wants(0)) c.give(0, mul(c.grad(), w.kept ? V(sub(1.0, w)) : V(1 - real_number(w))));
  if (c.wants(1)) c.give(1, mul(c.grad(), w));
  if (c.wants(2)) c.give(2, mul(c.grad(), sub(c.value(1), c.value(0))));
}

// g where min <= x <= max; else it is the bound's that x passed.
void clip(GradCall& c) {
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
    c.give(2, where(given(1) ? made(BP_OP_LOGICAL_OR, above, less(c.value(2), c.value(1))) : above,
                    c.grad(), zero(c)));
  }
}

#define BP_NO_GRADIENT(op) \
  { op, "", nullptr, 0, 0 }
constexpr GradientRow kRows[] = {
    {BP_OP_ADD, "AddBackward0", add_, 0, 0},
    {BP_OP_SUB, "SubBackward0", sub_, 0, 0},
    {BP_OP_MUL, "MulBackward0", mul_, kBoth, 0},
    {BP_OP_DIV, "DivBackward0", div_, kBoth, 0},
    {BP_OP_POW, "PowBackward0", pow_, kBoth, kOut0},
    {BP_OP_MAXIMUM, "MaximumBackward0", maximum, kBoth, 0},
    {BP_OP_MINIMUM, "MinimumBackward0", minimum, kBoth, 0},
    {BP_OP_ATAN2, "Atan2Backward0", atan2_, kBoth, 0},
    {BP_OP_HYPOT, "HypotBackward0", hypot_, kBoth, kOut0},
    {BP_OP_LOGADDEXP, "LogaddexpBackward0", logaddexp, kBoth, kOut0},
    {BP_OP_COPYSIGN, "CopysignBackward0", copysign_, kIn0, kOut0},
    {BP_OP_REMAINDER, "RemainderBackward0", remainder_, kBoth, 0},
    {BP_OP_FMOD, "FmodBackward0", fmod_, kBoth, 0},
    {BP_OP_FLOOR_DIVIDE, "FloorDivideBackward0", none, 0, 0},
    {BP_OP_WHERE, "WhereBackward0", where_, kIn0, 0},
    {BP_OP_CLIP, "ClampBackward1", clip, kIn0 | kIn1 | kIn2, 0},
    {BP_OP_LERP, "LerpBackward0", lerp, kIn0 | kIn1 | kIn2, 0},
    BP_NO_GRADIENT(BP_OP_EQ),
    BP_NO_GRADIENT(BP_OP_NE),
    BP_NO_GRADIENT(BP_OP_LT),
    BP_NO_GRADIENT(BP_OP_LE),
    BP_NO_GRADIENT(BP_OP_GT),
    BP_NO_GRADIENT(BP_OP_GE),
    BP_NO_GRADIENT(BP_OP_LOGICAL_AND),
    BP_NO_GRADIENT(BP_OP_LOGICAL_OR),
    BP_NO_GRADIENT(BP_OP_LOGICAL_XOR),
};
#undef BP_NO_GRADIENT
}  // namespace
}  // namespace gradient_binary_rows

std::span<const GradientRow> binary_gradients() { return gradient_binary_rows::kRows; }

}  // namespace bp::ops
