// SPDX-License-Identifier: Apache-2.0
// Loops of AVX2: a truth is a register whose lanes are all ones or zero. A row ends with a mask
// where all that it reads and writes is four bytes wide, and else element by element.
#include "fusion/assembler.h"

#if defined(BP_HAS_XBYAK)
namespace bp_cpu {
namespace {

using namespace Xbyak;
using bp_kit::Body;

class Loop256 final : public Assembler {
 public:
  explicit Loop256(const Body& body) : Assembler(body, {8, 16, 5, 9}) {
    for (const Body::Pointer& p : body.pointers)
      is_wide_ &= p.is_one() || p.dtype == BP_F32 || p.dtype == BP_I32;
  }

  Vector vector_of(int r) const override { return Ymm(r); }
  void round(const Vector& out, const Vector& a, Rounding how) override { vroundps(out, a, how); }
  void copy_sign(const Vector& out, const Vector& a, const Vector& sign) override {
    const Vector bit = vector_of(take());
    vandps(bit, sign, number(uint32_t{0x80000000}));
    vandps(out, a, number(uint32_t{0x7FFFFFFF}));
    vorps(out, out, bit);
    give(bit);
  }
  bool scales() const override { return false; }
  int compare(const Vector& a, const Operand& b, FloatIs how) override {
    const int r = take();
    vcmpps(Ymm(r), a, b, how);
    return r;
  }
  int test_bit(const Vector& a, uint32_t bit) override {
    const int r = take();
    vpand(Ymm(r), a, number(bit));
    vpcmpeqd(Ymm(r), Ymm(r), number(bit));
    return r;
  }
  void select(const Vector& out, int truth, const Vector& yes, const Vector& no) override {
    vblendvps(out, no, yes, Ymm(truth));
  }
  void give_truth(int r) override { give(Ymm(r)); }

 private:
  enum class Part : uint8_t { kWhole, kMasked, kLone };  // of a register's lanes

  static Xmm low(const Vector& r) { return Xmm(r.getIdx()); }

  void emit_tail() override {
    if (is_wide_) {
      reserved_ = 1;
      tail_ = width_.registers - n_pinned_ - 1;
      vmovd(low(Ymm(tail_)), edx);
      vpbroadcastd(Ymm(tail_), low(Ymm(tail_)));
      vpcmpgtd(Ymm(tail_), Ymm(tail_), ptr[rip + counting()]);
      part_ = Part::kMasked;
      emit_body();
      reserved_ = 0;
      part_ = Part::kWhole;
      return;
    }
    if (reduces()) throw Full();
    Label one;
    part_ = Part::kLone;
    L(one);
    emit_body();
    inc(rax);
    lea(rdx, ptr[rsi + width_.lanes]);
    cmp(rax, rdx);
    jl(one, T_NEAR);
    part_ = Part::kWhole;
  }
  void within(const Vector& out, const Vector& a, const Vector& b) override {
    vblendvps(out, b, a, Ymm(tail_));
  }

  // ---- memory ----

  void load(const Vector& to, uint32_t i) override {
    const bp_dtype d = described(i).dtype;
    if (part_ == Part::kLone) {
      switch (d) {
        case BP_F32:
        case BP_I32: return vmovss(low(to), elements(i, 4));
        case BP_BOOL:
        case BP_U8: movzx(edx, byte[place(i, 1)]); break;
        case BP_I8: movsx(edx, byte[place(i, 1)]); break;
        case BP_U16: movzx(edx, word[place(i, 2)]); break;
        default: movsx(edx, word[place(i, 2)]); break;
      }
      return vmovd(low(to), edx);
    }
    switch (d) {
      case BP_F32:
      case BP_I32:
        if (part_ == Part::kMasked) return vmaskmovps(to, Ymm(tail_), elements(i, 4));
        return vmovups(to, elements(i, 4));
      case BP_BOOL:
      case BP_U8: return vpmovzxbd(to, elements(i, 1));
      case BP_I8: return vpmovsxbd(to, elements(i, 1));
      case BP_U16: return vpmovzxwd(to, elements(i, 2));
      default: return vpmovsxwd(to, elements(i, 2));
    }
  }
  void store(uint32_t v, uint32_t i) override {
    const bp_dtype d = described(i).dtype;
    const Vector r = d == BP_BOOL ? truth(v) : vector(v);
    if (d == BP_F32 || d == BP_I32) {
      if (part_ == Part::kLone) return vmovss(elements(i, 4), low(r));
      if (part_ == Part::kMasked) return vmaskmovps(elements(i, 4), Ymm(tail_), r);
      return vmovups(elements(i, 4), r);
    }
    const Vector narrow = vector_of(take());
    const bool is_byte = d == BP_BOOL || d == BP_U8 || d == BP_I8;
    if (d == BP_BOOL)
      vpsrld(narrow, r, 31);
    else
      vpand(narrow, r, number(is_byte ? uint32_t{0xFF} : uint32_t{0xFFFF}));
    if (part_ == Part::kLone) {
      is_byte ? vpextrb(elements(i, 1), low(narrow), 0) : vpextrw(elements(i, 2), low(narrow), 0);
      return give(narrow);
    }
    const Vector upper = vector_of(take());
    vextracti128(low(upper), Ymm(narrow.getIdx()), 1);
    vpackusdw(low(narrow), low(narrow), low(upper));
    if (is_byte) {
      vpackuswb(low(narrow), low(narrow), low(narrow));
      vmovq(elements(i, 1), low(narrow));
    } else {
      vmovdqu(elements(i, 2), low(narrow));
    }
    give(upper);
    give(narrow);
  }

  // ---- truths ----

  Vector truth(uint32_t v) {
    if (has(v)) return vector_of(where(v));
    const Vector r = vector(v), zero = vector_of(take());
    vpxor(zero, zero, zero);
    vpcmpgtd(r, r, zero);
    give(zero);
    return r;
  }
  void invert_truth(const Vector& r) {
    const Vector ones = vector_of(take());
    vpcmpeqd(ones, ones, ones);
    vpxor(r, r, ones);
    give(ones);
  }
  void emit_truth(const Step& s) override {
    const bp_dtype from = dtype(s.in[0]);
    if (from == BP_BOOL) {
      const Vector a = truth(s.in[0]), b = s.n_in > 1 ? truth(s.in[1]) : a;
      const Vector out = make(s.out);
      switch (s.op) {
        case BP_OP_LOGICAL_AND:
        case BP_OP_BITWISE_AND: return vpand(out, a, b);
        case BP_OP_LOGICAL_OR:
        case BP_OP_BITWISE_OR: return vpor(out, a, b);
        case BP_OP_LOGICAL_XOR:
        case BP_OP_BITWISE_XOR: return vpxor(out, a, b);
        default: vmovaps(out, a); return invert_truth(out);
      }
    }
    const Vector a = vector(s.in[0]);
    if (s.op == BP_OP_ISNAN) return vcmpps(make(s.out), a, a, kUnordered);
    if (s.op == BP_OP_ISINF || s.op == BP_OP_ISFINITE) {
      const Vector out = make(s.out);
      vandps(out, a, number(uint32_t{0x7FFFFFFF}));
      return vcmpps(out, out, number(kInfinity), s.op == BP_OP_ISINF ? kEq : kLt);
    }
    if (s.op == BP_OP_COPY) {
      const Vector out = make(s.out);
      vpxor(out, out, out);
      if (from == BP_F32) return vcmpps(out, a, out, kNotEq);
      vpcmpeqd(out, a, out);
      return invert_truth(out);
    }
    const Vector b = vector(s.in[1]), out = make(s.out);
    if (from == BP_F32) return vcmpps(out, a, b, float_is(s.op));
    const bool swaps = s.op == BP_OP_LT || s.op == BP_OP_GE;
    if (s.op == BP_OP_EQ || s.op == BP_OP_NE)
      vpcmpeqd(out, a, b);
    else
      swaps ? vpcmpgtd(out, b, a) : vpcmpgtd(out, a, b);
    if (s.op == BP_OP_NE || s.op == BP_OP_LE || s.op == BP_OP_GE) invert_truth(out);
  }
  static uint8_t float_is(uint32_t op) {
    switch (op) {
      case BP_OP_EQ: return kEq;
      case BP_OP_NE: return kNotEq;
      case BP_OP_LT: return kLt;
      case BP_OP_LE: return kLe;
      case BP_OP_GT: return kGt;
      default: return kGe;
    }
  }
  void choose(const Step& s) override {
    const Vector k = truth(s.in[0]), x = vector(s.in[1]), y = vector(s.in[2]);
    vblendvps(make(s.out), y, x, k);
  }
  void from_truth(const Step& s) override {
    const Vector k = truth(s.in[0]);
    vpand(make(s.out), k, number(dtype(s.out) == BP_F32 ? std::bit_cast<uint32_t>(1.0F) : 1U));
  }

  // ---- operations ----

  void extreme(const Vector& out, const Vector& a, const Vector& b, bool greater) override {
    const Vector k = vector_of(take());
    vcmpps(k, a, a, kUnordered);
    greater ? vmaxps(out, a, b) : vminps(out, a, b);
    vblendvps(out, out, a, k);
    give(k);
  }
  void sign(const Vector& out, const Vector& a) override {
    const Vector k = vector_of(take());
    vpxor(k, k, k);
    vcmpps(k, a, k, kNotEqOrdered);
    vandps(out, a, number(uint32_t{0x80000000}));
    vorps(out, out, number(1.0F));
    vandps(out, out, k);
    give(k);
  }
  void any_above(const Vector& a, float bound) override {
    const Vector far = vector_of(take());
    vandps(far, a, number(uint32_t{0x7FFFFFFF}));
    vcmpps(far, far, number(bound), kGt);
    vtestps(far, far);
    give(far);
  }
  void relu(const Vector& out, const Vector& a) override {
    vpxor(out, out, out);
    vcmpps(out, a, out, kNotLt);
    vandps(out, out, a);
  }
  void to_integer(const Vector& out, const Vector& a, bp_dtype to) override {
    const Vector k = vector_of(take());
    vcmpps(k, a, a, kOrdered);
    if (to == BP_I32) {
      vcvttps2dq(out, a);  // what is out of range becomes the least
      vpand(out, out, k);
      vcmpps(k, a, number(0x1p31F), kGe);
      vblendvps(out, out, number(uint32_t{0x7FFFFFFF}), k);
    } else {
      const float low = to == BP_I8 ? -128 : to == BP_I16 ? -32768 : 0;
      const float high = to == BP_I8 ? 127 : to == BP_U8 ? 255 : to == BP_I16 ? 32767 : 65535;
      vmaxps(out, a, number(low));
      vminps(out, out, number(high));
      vcvttps2dq(out, out);
      vpand(out, out, k);
    }
    give(k);
  }

  bool is_wide_ = true;
  Part part_ = Part::kWhole;
  int tail_ = 0;  // the register of the tail's mask
};

}  // namespace

std::unique_ptr<Assembler> new_loop256(const Body& body) { return std::make_unique<Loop256>(body); }

}  // namespace bp_cpu
#endif
