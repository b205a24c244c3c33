// SPDX-License-Identifier: Apache-2.0
// functions.cc: exp, tanh, log and their like inside of a loop. The kernels' own templates (math/)
// are called with a vector type whose operations write instructions, so that the loop takes the
// same steps in the same order as the kernel and gives the same bits.
#include "fusion/assembler.h"

#if defined(BP_HAS_XBYAK)
#define BP_ISA isa_written
#include <math.h>

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "hwy/highway.h"

namespace bp_cpu {
namespace {

using Xbyak::Operand;
using Vector = Xbyak::Xmm;

// Whom this thread's function is written for.
thread_local Assembler* to = nullptr;

// A register, until the last who holds it lets it go.
class Register {
 public:
  explicit Register(int r, bool is_own) : r_(r), is_own_(is_own) {}
  ~Register() {
    if (is_own_) to->give(vector());
  }
  Register(const Register&) = delete;
  Register& operator=(const Register&) = delete;
  Vector vector() const { return to->vector_of(r_); }
  bool is_own() const { return is_own_; }
  int keep() {
    is_own_ = false;
    return r_;
  }

 private:
  int r_;
  bool is_own_;  // else a value of the loop has it
};

// A vector of T: in a register, or the same number in all lanes.
template <class T>
struct Written {
  std::shared_ptr<Register> in;  // null for a number
  uint32_t number = 0;           // its bits

  static Written fresh() { return {std::make_shared<Register>(to->take(), true)}; }
  Vector vector() const { return in->vector(); }
  Written loaded() const {
    if (in) return *this;
    Written out = fresh();
    to->broadcast(out.vector(), number);
    return out;
  }
  // Calls emit with what an instruction takes as its last operand.
  template <class Emit>
  void last(const Emit& emit) const {
    if (in)
      emit(vector());
    else
      emit(to->number(number));
  }
  // Nobody else holds its register, so that a result may have it.
  bool is_free() const { return in && in.use_count() == 1 && in->is_own(); }
};
using Floats = Written<float>;

// Operands come by value, so that what was made for the call alone is free.
using Instruction = void (*)(const Vector& out, const Vector& a, const Operand& b);
template <class T>
Written<T> written(Written<T> a, const Written<T>& b, Instruction emit) {
  if (!a.in) a = a.loaded();
  Written<T> out = a.is_free() ? a : Written<T>::fresh();
  b.last([&](const Operand& second) { emit(out.vector(), a.vector(), second); });
  return out;
}
// a b + c and the like, by instructions whose result takes the place of c or of a.
Floats fused(Floats a, Floats b, Floats c, Instruction onto_c, Instruction onto_a) {
  if (!a.in || (!a.is_free() && b.is_free())) std::swap(a, b);
  if (a.is_free() && !c.is_free()) {
    if (!b.in) b = b.loaded();
    c.last([&](const Operand& third) { onto_a(a.vector(), b.vector(), third); });
    return a;
  }
  if (!a.in) a = a.loaded();
  if (!c.is_free()) {
    const Floats copy = Floats::fresh();
    if (c.in)
      to->vmovaps(copy.vector(), c.vector());
    else
      to->broadcast(copy.vector(), c.number);
    c = copy;
  }
  b.last([&](const Operand& second) { onto_c(c.vector(), a.vector(), second); });
  return c;
}

class Truth {
 public:
  explicit Truth(int r) : r_(r) {}
  ~Truth() { to->give_truth(r_); }
  Truth(const Truth&) = delete;
  Truth& operator=(const Truth&) = delete;
  int where() const { return r_; }

 private:
  int r_;
};
struct WrittenMask {
  std::shared_ptr<Truth> in;
};
WrittenMask compared(const Floats& a, const Floats& b, FloatIs how) {
  const Floats first = a.loaded();
  int r = 0;
  b.last([&](const Operand& second) { r = to->compare(first.vector(), second, how); });
  return {std::make_shared<Truth>(r)};
}

// In the place of Highway's tag of a vector.
template <class Lane>
struct WrittenTag {
  using T = Lane;
  template <class Other>
  using Rebind = WrittenTag<Other>;
};
// NOLINTBEGIN(readability-identifier-naming): the names are Highway's.
// By these it finds the types of vectors and masks.
template <class T>
Written<T> Zero(WrittenTag<T>) {
  return {};
}
template <class T>
WrittenMask MaskFromVec(const Written<T>& x);  // its type alone is asked for
// NOLINTEND(readability-identifier-naming)

constexpr uint32_t kSign = 0x80000000;

}  // namespace
}  // namespace bp_cpu

// Highway's operations. The templates behind know those alone that are declared before them.
// NOLINTBEGIN(readability-identifier-naming)
namespace hwy::HWY_NAMESPACE {
using bp_cpu::Floats;
using bp_cpu::Operand;
using bp_cpu::to;
using bp_cpu::Truth;
using bp_cpu::Vector;
using bp_cpu::Written;
using bp_cpu::WrittenMask;
using bp_cpu::WrittenTag;
using bp_cpu::Zero;

#define BP_WRITES(instruction) \
  [](const Vector& out, const Vector& x, const Operand& y) { to->instruction(out, x, y); }
#define BP_TWO(Name, instruction)                                    \
  inline Floats Name(Floats a, const Floats& b) {                    \
    return bp_cpu::written(std::move(a), b, BP_WRITES(instruction)); \
  }
#define BP_TWO_INTEGERS(Name, instruction)                              \
  template <class T>                                                    \
  Written<T> Name(Written<T> a, Written<T> b) {                         \
    return bp_cpu::written<T>(std::move(a), b, BP_WRITES(instruction)); \
  }
#define BP_FUSED(Name, instruction)                                                               \
  inline Floats Name(Floats a, Floats b, Floats c) {                                              \
    return bp_cpu::fused(std::move(a), std::move(b), std::move(c), BP_WRITES(instruction##231ps), \
                         BP_WRITES(instruction##213ps));                                          \
  }
#define BP_COMPARED(Name, how)                                \
  inline WrittenMask Name(const Floats& a, const Floats& b) { \
    return bp_cpu::compared(a, b, bp_cpu::how);               \
  }
BP_TWO(Add, vaddps)
BP_TWO(Sub, vsubps)
BP_TWO(Mul, vmulps)
BP_TWO(Div, vdivps)
BP_TWO(Min, vminps)
BP_TWO(Max, vmaxps)
BP_TWO(And, vandps)
BP_TWO(Xor, vxorps)
BP_TWO_INTEGERS(Add, vpaddd)
BP_TWO_INTEGERS(Sub, vpsubd)
BP_FUSED(MulAdd, vfmadd)
BP_FUSED(MulSub, vfmsub)
BP_FUSED(NegMulAdd, vfnmadd)
BP_COMPARED(Eq, kEq)
BP_COMPARED(Lt, kLt)
BP_COMPARED(Le, kLe)
BP_COMPARED(Gt, kGt)
BP_COMPARED(Ge, kGe)
#undef BP_COMPARED
#undef BP_FUSED
#undef BP_TWO_INTEGERS
#undef BP_TWO

template <class T>
Written<T> SignBit(WrittenTag<T>) {
  return {nullptr, bp_cpu::kSign};
}
inline WrittenMask TestBit(const Written<uint32_t>& x, const Written<uint32_t>& bit) {
  return {std::make_shared<Truth>(to->test_bit(x.vector(), bit.number))};
}
template <class T>
WrittenMask RebindMask(WrittenTag<T>, const WrittenMask& x) {
  return x;
}
template <class T>
Written<T> Set(WrittenTag<T>, std::type_identity_t<T> x) {
  return {nullptr, std::bit_cast<uint32_t>(x)};
}
template <class T, class From>
Written<T> BitCast(WrittenTag<T>, const Written<From>& x) {
  return {x.in, x.number};
}
template <int kBits, class T>
Written<T> ShiftLeft(const Written<T>& x) {
  auto out = Written<T>::fresh();
  to->vpslld(out.vector(), x.vector(), kBits);
  return out;
}
template <int kBits>
Written<int32_t> ShiftRight(const Written<int32_t>& x) {
  auto out = Written<int32_t>::fresh();
  to->vpsrad(out.vector(), x.vector(), kBits);
  return out;
}
inline Floats Round(const Floats& x) {
  Floats out = Floats::fresh();
  to->round(out.vector(), x.vector(), bp_cpu::kNearest);
  return out;
}
inline Floats Sqrt(const Floats& x) {
  Floats out = Floats::fresh();
  to->vsqrtps(out.vector(), x.vector());
  return out;
}
inline Floats Abs(Floats x) {
  return bp_cpu::written(std::move(x), Floats{nullptr, ~bp_cpu::kSign}, BP_WRITES(vandps));
}
inline Floats Neg(Floats x) {
  if (!x.in) return {nullptr, x.number ^ bp_cpu::kSign};
  return bp_cpu::written(std::move(x), Floats{nullptr, bp_cpu::kSign}, BP_WRITES(vxorps));
}
inline Floats CopySign(const Floats& x, const Floats& sign) {
  Floats out = Floats::fresh();
  to->copy_sign(out.vector(), x.vector(), sign.vector());
  return out;
}
inline Floats IfThenElse(const WrittenMask& mask, const Floats& yes, const Floats& no) {
  const Floats a = yes.loaded(), b = no.loaded();
  Floats out = Floats::fresh();
  to->select(out.vector(), mask.in->where(), a.vector(), b.vector());
  return out;
}
inline Floats IfThenElseZero(const WrittenMask& mask, const Floats& yes) {
  return IfThenElse(mask, yes, {});
}
inline Floats IfThenZeroElse(const WrittenMask& mask, const Floats& no) {
  return IfThenElse(mask, {}, no);
}
#undef BP_WRITES

}  // namespace hwy::HWY_NAMESPACE
// NOLINTEND(readability-identifier-naming)

#include "math/error_function.h"
#include "math/exponential.h"
#include "math/inverse_trigonometry.h"
#include "math/logarithm.h"
#include "math/trigonometry.h"

namespace bp_cpu {
namespace {

// What exponential.h's scale uses where it is there.
Floats scaled_at_once(const Floats& p, const Floats& n) {
  if (!to->scales()) return isa_written::scale_by_two_factors(WrittenTag<float>(), p, n);
  Floats out = Floats::fresh();
  to->vscalefps(out.vector(), p.vector(), n.vector());
  return out;
}

// Of angles that are far from zero the library's function has the value, as for the kernels.
constexpr float kMostAngle = isa_written::TrigConstants<float>::kLimit;
Floats of_angle(const Floats& x, const Floats& y, float (*library)(float)) {
  to->mend(x.vector(), y.vector(), kMostAngle, library);
  return y;
}

Floats value_of(uint32_t op, const Floats& x) {
  namespace isa = isa_written;
  const WrittenTag<float> d;
  switch (op) {
    case BP_OP_EXP: return isa::exp(d, x);
    case BP_OP_EXP2: return isa::exp2(d, x);
    case BP_OP_EXPM1: return isa::expm1(d, x);
    case BP_OP_LOG: return isa::log(d, x);
    case BP_OP_LOG2: return isa::log2(d, x);
    case BP_OP_LOG10: return isa::log10(d, x);
    case BP_OP_LOG1P: return isa::log1p(d, x);
    case BP_OP_TANH: return isa::tanh(d, x);
    case BP_OP_SIGMOID: return isa::sigmoid(d, x);
    case BP_OP_SILU: return isa::silu(d, x);
    case BP_OP_GELU: return isa::gelu(d, x);
    case BP_OP_ERF: return isa::erf(d, x);
    case BP_OP_SIN: return of_angle(x, isa::sin(d, x), sinf);
    case BP_OP_COS: return of_angle(x, isa::cos(d, x), cosf);
    case BP_OP_TAN: return of_angle(x, isa::tan(d, x), tanf);
    case BP_OP_ASIN: return isa::asin(d, x);
    case BP_OP_ACOS: return isa::acos(d, x);
    default: return isa::atan(d, x);
  }
}

}  // namespace

// Two registers' elements, x and y: y becomes f(x) where |x| is above the bound.
struct Assembler::Mended {
  float x[16], y[16];

  static void mend(Mended* m, int32_t lanes, float bound, float (*f)(float)) {
    for (int32_t i = 0; i < lanes; ++i)
      if (std::fabs(m->x[i]) > bound) m->y[i] = f(m->x[i]);
  }
};

void Assembler::mend(const Vector& x, const Vector& y, float bound, float (*f)(float)) {
  Xbyak::Label fine;
  any_above(x, bound);
  jz(fine, T_NEAR);
  sub(rsp, sizeof(Mended));
  vmovups(ptr[rsp + offsetof(Mended, x)], x);
  vmovups(ptr[rsp + offsetof(Mended, y)], y);
  mov(edx, std::bit_cast<uint32_t>(bound));
  push(rsi);
  mov(rsi, reinterpret_cast<size_t>(f));
  call(mender_);
  pop(rsi);
  vmovups(y, ptr[rsp + offsetof(Mended, y)]);
  add(rsp, sizeof(Mended));
  L(fine);
  mends_ = true;
}

// Calls Mended::mend with what lies behind rsi and the address to return to, f being in rsi and the
// bound in edx, and leaves all registers but these as they are.
void Assembler::mending() {
  constexpr int kCallers[] = {0, 1, 7, 8, 9, 10, 11, 5};  // those that a function may change; rbp
  if (!mends_) return;
  L(mender_);
  for (int r : kCallers) push(Reg64(r));
  mov(rbp, rsp);
  sub(rsp, 64 * (width_.registers + 1));
  and_(rsp, -64);
  for (int r = 0; r < width_.registers; ++r) vmovups(ptr[rsp + 64 * r], vector_of(r));
  keep_truths(rsp + 64 * width_.registers);
  vmovd(xmm0, edx);
  lea(rdi, ptr[rbp + 8 * (std::size(kCallers) + 2)]);
  mov(rdx, rsi);
  mov(esi, width_.lanes);
  vzeroupper();
  mov(rax, reinterpret_cast<size_t>(&Mended::mend));
  call(rax);
  bring_truths(rsp + 64 * width_.registers);
  for (int r = 0; r < width_.registers; ++r) vmovups(vector_of(r), ptr[rsp + 64 * r]);
  mov(rsp, rbp);
  for (size_t i = std::size(kCallers); i-- > 0;) pop(Reg64(kCallers[i]));
  ret();
}

void Assembler::function(const Step& s) {
  to = this;
  const int x = vector(s.in[0]).getIdx();
  const Floats y = value_of(s.op, {std::make_shared<Register>(x, /*is_own=*/false)});
  put(s.out, y.in->keep());
}

}  // namespace bp_cpu
#endif
