// SPDX-License-Identifier: Apache-2.0
// Loops of AVX-512: truths are masks, and a mask lets a row end anywhere.
#include "fusion/assembler.h"

#if defined(BP_HAS_XBYAK)
namespace bp_cpu {
namespace {

using namespace Xbyak;
using bp_kit::Body;

// Predicates of VPCMPD (Intel SDM).
enum Integer : uint8_t { kIntEq = 0, kIntLt = 1, kIntLe = 2, kIntNe = 4, kIntGe = 5, kIntGt = 6 };

class Loop512 final : public Assembler {
 public:
  explicit Loop512(const Body& body) : Assembler(body, {16, 32, 10, 20}) {}

  Vector vector_of(int r) const override { return Zmm(r); }
  void round(const Vector& out, const Vector& a, Rounding how) override {
    vrndscaleps(out, a, how);
  }
  void copy_sign(const Vector& out, const Vector& a, const Vector& sign) override {
    vmovaps(out, sign);
    vpternlogd(out, a, number(uint32_t{0x80000000}),
               0xE4);  // where that is 1 the first, else the second
  }
  bool scales() const override { return true; }
  int compare(const Vector& a, const Operand& b, FloatIs how) override {
    const Opmask k = take_mask();
    vcmpps(k, a, b, how);
    return k.getIdx();
  }
  int test_bit(const Vector& a, uint32_t bit) override {
    const Opmask k = take_mask();
    vptestmd(k, a, number(bit));
    return k.getIdx();
  }
  void select(const Vector& out, int truth, const Vector& yes, const Vector& no) override {
    vblendmps(Zmm(out.getIdx()) | Opmask(truth), no, yes);
  }
  void give_truth(int r) override { busy_masks_ &= ~(1u << r); }

 private:
  // k7 is the mask of a row's end.
  void emit_tail() override {
    vpbroadcastd(zmm0, edx);
    vmovdqu32(zmm1, ptr[rip + counting()]);
    vpcmpud(k7, zmm1, zmm0, kIntLt);
    masked_ = true;
    emit_body();
    masked_ = false;
  }
  void within(const Vector& out, const Vector& a, const Vector& b) override {
    vblendmps(Zmm(out.getIdx()) | k7, b, a);
  }
  void emit_body() override {
    busy_masks_ = 0;
    Assembler::emit_body();
  }

  Opmask take_mask() {
    for (int r = 1; r < 7; ++r)
      if (!(busy_masks_ >> r & 1)) {
        busy_masks_ |= 1u << r;
        return Opmask(r);
      }
    throw Full();
  }
  void give_mask(const Opmask& k) { give_truth(k.getIdx()); }
  Opmask make_mask(uint32_t v) {
    const Opmask k = take_mask();
    put(v, k.getIdx());
    return k;
  }
  Opmask mask(uint32_t v) {
    if (has(v)) return Opmask(where(v));
    const Opmask k = make_mask(v);
    const int r = take();
    vmovdqu8(loaded(Xmm(r)), elements(pointer_of(v), 1));
    vptestmb(k, Xmm(r), Xmm(r));
    give(Zmm(r));
    return k;
  }

  template <class R>
  R loaded(const R& r) const {
    return masked_ ? r | k7 | T_z : r;
  }
  void load(const Vector& to, uint32_t i) override {
    const Zmm z(to.getIdx());
    switch (described(i).dtype) {
      case BP_F32: return vmovups(loaded(z), elements(i, 4));
      case BP_I32: return vmovdqu32(loaded(z), elements(i, 4));
      case BP_U8: return vpmovzxbd(loaded(z), elements(i, 1));
      case BP_I8: return vpmovsxbd(loaded(z), elements(i, 1));
      case BP_U16: return vpmovzxwd(loaded(z), elements(i, 2));
      default: return vpmovsxwd(loaded(z), elements(i, 2));
    }
  }
  void store(uint32_t v, uint32_t i) override {
    const bp_dtype d = described(i).dtype;
    if (d == BP_BOOL) {
      const int r = take();
      vmovdqu8(Xmm(r) | mask(v) | T_z, ptr[rip + ones_()]);
      vmovdqu8(elements(i, 1) | (masked_ ? k7 : k0), Xmm(r));
      return give(Zmm(r));
    }
    const Zmm z(vector(v).getIdx());
    if (d == BP_F32 || d == BP_I32)
      masked_ ? vmovups(elements(i, 4) | k7, z) : vmovups(elements(i, 4), z);
    else if (d == BP_U8 || d == BP_I8)
      masked_ ? vpmovdb(elements(i, 1) | k7, z) : vpmovdb(elements(i, 1), z);
    else
      masked_ ? vpmovdw(elements(i, 2) | k7, z) : vpmovdw(elements(i, 2), z);
  }

  void extreme(const Vector& out, const Vector& a, const Vector& b, bool greater) override {
    const Opmask k = take_mask();
    greater ? vmaxps(out, a, b) : vminps(out, a, b);
    vcmpps(k, a, a, kUnordered);
    vmovaps(Zmm(out.getIdx()) | k, a);
    give_mask(k);
  }
  void sign(const Vector& out, const Vector& a) override {
    const Opmask k = take_mask();
    vcmpps(k, a, number(0.0F), kNotEqOrdered);
    vpandd(out, a, number(uint32_t{0x80000000}));
    vpord(Zmm(out.getIdx()) | k | T_z, out, number(1.0F));
    give_mask(k);
  }
  void any_above(const Vector& a, float bound) override {
    const Vector magnitude = vector_of(take());
    const Opmask k = take_mask();
    vandps(magnitude, a, number(uint32_t{0x7FFFFFFF}));
    vcmpps(k, magnitude, number(bound), kGt);
    kortestw(k, k);
    give(magnitude);
    give_mask(k);
  }
  void keep_truths(const RegExp& at) override {
    for (int k = 1; k < 8; ++k) kmovw(ptr[at + 8 * k], Opmask(k));
  }
  void bring_truths(const RegExp& at) override {
    for (int k = 1; k < 8; ++k) kmovw(Opmask(k), ptr[at + 8 * k]);
  }
  void relu(const Vector& out, const Vector& a) override {
    const Opmask k = take_mask();
    vpxord(out, out, out);
    vcmpps(k, a, out, kNotLt);
    vmovaps(Zmm(out.getIdx()) | k | T_z, a);
    give_mask(k);
  }
  void to_integer(const Vector& out, const Vector& a, bp_dtype to) override {
    const Opmask k = take_mask();
    const Zmm z(out.getIdx());
    vcmpps(k, a, a, kOrdered);
    if (to == BP_I32) {
      vcvttps2dq(z | k | T_z, a);  // what is out of range becomes the least
      vcmpps(k, a, number(0x1p31F), kGe);
      vpblendmd(z | k, out, number(uint32_t{0x7FFFFFFF}));
    } else {
      const float low = to == BP_I8 ? -128 : to == BP_I16 ? -32768 : 0;
      const float high = to == BP_I8 ? 127 : to == BP_U8 ? 255 : to == BP_I16 ? 32767 : 65535;
      vmaxps(out, a, number(low));
      vminps(out, out, number(high));
      vcvttps2dq(z | k | T_z, out);
    }
    give_mask(k);
  }
  void choose(const Step& s) override {
    const Opmask k = mask(s.in[0]);
    const Vector x = vector(s.in[1]), y = vector(s.in[2]);
    vblendmps(Zmm(make(s.out).getIdx()) | k, y, x);
  }
  void from_truth(const Step& s) override {
    const Opmask k = mask(s.in[0]);
    vbroadcastss(Zmm(make(s.out).getIdx()) | k | T_z,
                 ptr[rip + constant(dtype(s.out) == BP_F32 ? std::bit_cast<uint32_t>(1.0F) : 1)]);
  }

  void emit_truth(const Step& s) override {
    const bp_dtype from = dtype(s.in[0]);
    if (from == BP_BOOL) {
      const Opmask a = mask(s.in[0]), b = s.n_in > 1 ? mask(s.in[1]) : a;
      const Opmask out = make_mask(s.out);
      switch (s.op) {
        case BP_OP_LOGICAL_AND:
        case BP_OP_BITWISE_AND: return kandw(out, a, b);
        case BP_OP_LOGICAL_OR:
        case BP_OP_BITWISE_OR: return korw(out, a, b);
        case BP_OP_LOGICAL_XOR:
        case BP_OP_BITWISE_XOR: return kxorw(out, a, b);
        default: return knotw(out, a);
      }
    }
    const Vector a = vector(s.in[0]);
    if (s.op == BP_OP_ISNAN) return vcmpps(make_mask(s.out), a, a, kUnordered);
    if (s.op == BP_OP_ISINF || s.op == BP_OP_ISFINITE) {
      const Vector magnitude = vector_of(take());
      vandps(magnitude, a, number(uint32_t{0x7FFFFFFF}));
      vcmpps(make_mask(s.out), magnitude, number(kInfinity), s.op == BP_OP_ISINF ? kEq : kLt);
      return give(magnitude);
    }
    if (s.op == BP_OP_COPY) {
      if (from != BP_F32) return vptestmd(make_mask(s.out), a, a);
      return vcmpps(make_mask(s.out), a, number(uint32_t{0}), kNotEq);
    }
    const Vector b = vector(s.in[1]);
    const Opmask out = make_mask(s.out);
    const auto compare = [&](uint8_t of_floats, uint8_t of_integers) {
      from == BP_F32 ? vcmpps(out, a, b, of_floats) : vpcmpd(out, a, b, of_integers);
    };
    switch (s.op) {
      case BP_OP_EQ: return compare(kEq, kIntEq);
      case BP_OP_NE: return compare(kNotEq, kIntNe);
      case BP_OP_LT: return compare(kLt, kIntLt);
      case BP_OP_LE: return compare(kLe, kIntLe);
      case BP_OP_GT: return compare(kGt, kIntGt);
      default: return compare(kGe, kIntGe);
    }
  }

  void tables() override {
    if (!has_ones_) return;
    L(sixteen_ones_);
    for (int i = 0; i < 16; ++i) db(1);
  }
  Label& ones_() {
    has_ones_ = true;
    return sixteen_ones_;
  }

  Label sixteen_ones_;
  bool has_ones_ = false, masked_ = false;
  uint32_t busy_masks_ = 0;
};

}  // namespace

std::unique_ptr<Assembler> new_loop512(const Body& body) { return std::make_unique<Loop512>(body); }

}  // namespace bp_cpu
#endif
