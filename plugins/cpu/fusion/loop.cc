// SPDX-License-Identifier: Apache-2.0
#include "fusion/loop.h"

#if defined(BP_HAS_XBYAK)
#include <xbyak/xbyak.h>
#include <xbyak/xbyak_util.h>

#include <bit>
#include <map>
#endif

namespace bp_cpu {

using bp_kit::Body;

namespace {

bool is_small_integer(bp_dtype d) { return d == BP_U8 || d == BP_I8 || d == BP_U16 || d == BP_I16; }
bool is_i32_lane(bp_dtype d) { return d == BP_I32 || is_small_integer(d); }
bool is_lane(bp_dtype d) { return d == BP_F32 || d == BP_BOOL || is_i32_lane(d); }

// The kernel of powers has few exponents with a loop of their own.
bool is_square(const bp_launch& l) {
  const bp_arg& power = l.args[1];
  return l.args[0].kind == BP_ARG_TENSOR && ((power.kind == BP_ARG_SCALAR_F64 && power.f64 == 2) ||
                                             (power.kind == BP_ARG_SCALAR_I64 && power.i64 == 2));
}

bool knows(uint32_t op, bp_dtype in, bp_dtype out) {
  switch (op) {
    case BP_OP_ADD:
    case BP_OP_SUB:
    case BP_OP_MUL: return in == BP_F32 || in == BP_I32;
    case BP_OP_DIV:
    case BP_OP_MAXIMUM:
    case BP_OP_MINIMUM:
    case BP_OP_CLIP:
    case BP_OP_NEG:
    case BP_OP_ABS:
    case BP_OP_SIGN:
    case BP_OP_SQRT:
    case BP_OP_RSQRT:
    case BP_OP_SQUARE:
    case BP_OP_RECIPROCAL:
    case BP_OP_RELU:
    case BP_OP_FLOOR:
    case BP_OP_CEIL:
    case BP_OP_TRUNC:
    case BP_OP_ROUND: return in == BP_F32;
    case BP_OP_EQ:
    case BP_OP_NE:
    case BP_OP_LT:
    case BP_OP_LE:
    case BP_OP_GT:
    case BP_OP_GE: return in == BP_F32 || is_i32_lane(in);
    case BP_OP_LOGICAL_AND:
    case BP_OP_LOGICAL_OR:
    case BP_OP_LOGICAL_XOR:
    case BP_OP_LOGICAL_NOT:
    case BP_OP_BITWISE_AND:
    case BP_OP_BITWISE_OR:
    case BP_OP_BITWISE_XOR:
    case BP_OP_BITWISE_NOT: return in == BP_BOOL;
    case BP_OP_FILL:
    case BP_OP_WHERE: return out == BP_F32 || out == BP_I32;
    case BP_OP_COPY: return is_lane(in) && is_lane(out) && !(in == BP_BOOL && out == BP_BOOL);
    default: return false;
  }
}

}  // namespace

bool is_known(const bp_launch& l) {
  if (l.n_out != 1 || l.n_in < 1 || l.n_in > 3) return false;
  const bp_arg& out = l.args[l.n_in];
  if (!is_lane(out.dtype)) return false;
  if (l.op == BP_OP_FILL) return knows(l.op, out.dtype, out.dtype);
  if (l.op == BP_OP_POW) return out.dtype == BP_F32 && is_square(l);
  for (uint32_t i = 0; i < l.n_in; ++i) {
    const bp_arg& a = l.args[i];
    if (a.kind == BP_ARG_NONE || a.kind == BP_ARG_SCALAR_C128 || !is_lane(a.dtype)) return false;
    if (a.kind != BP_ARG_TENSOR && a.dtype == BP_BOOL) return false;
  }
  return knows(l.op, l.args[l.op == BP_OP_WHERE ? 1 : 0].dtype, out.dtype);
}

#if !defined(BP_HAS_XBYAK)

bool can_assemble() { return false; }
std::unique_ptr<Loop> assemble(const Body&, uint32_t* fits) {
  *fits = 0;
  return nullptr;
}

#else

namespace {

using namespace Xbyak;

constexpr int kLanes = 16;
// Predicates of comparisons, as the instructions count them (Intel SDM, VCMPPS and VPCMPD).
enum Float : uint8_t {
  kEq = 0,
  kUnordered = 3,
  kNotEq = 4,
  kLt = 17,
  kLe = 18,
  kNotEqOrdered = 12,
  kNotLt = 21,
  kGe = 29,
  kGt = 30,
  kOrdered = 7
};
enum Integer : uint8_t { kIntEq = 0, kIntLt = 1, kIntLe = 2, kIntNe = 4, kIntGe = 5, kIntGt = 6 };
enum Rounding : uint8_t { kNearest = 0x08, kDown = 0x09, kUp = 0x0A, kToZero = 0x0B };

// Raised when registers run out.
struct Full {};

class Assembler final : public Loop, private CodeGenerator {
 public:
  explicit Assembler(const Body& body)
      : CodeGenerator(bytes_for(body), DontSetProtectRWE),
        body_(body),
        uses_(body.values.size()),
        where_(body.values.size(), -1) {
    for (const Body::Step& s : body.steps) {
      for (uint32_t i = 0; i < s.n_in; ++i) ++uses_[s.in[i]];
      if (s.store >= 0) ++uses_[s.out];
    }
  }

  // Registers: the pointers; rax the index in a row, rsi the last index of a whole vector, rdi the
  // rows that are left, edx what is needed for a moment; k7 the mask of a row's end.
  void assemble() {
    Label row, loop, tail, next, done;
    prologue();
    L(row);
    load_lone_elements();
    xor_(eax, eax);
    test(rsi, rsi);
    jl(tail, T_NEAR);
    align(32);
    L(loop);
    emit_body(/*masked=*/false);
    add(rax, kLanes);
    cmp(rax, rsi);
    jle(loop, T_NEAR);
    L(tail);
    lea(edx, ptr[rsi + kLanes]);
    sub(edx, eax);
    jz(next, T_NEAR);
    vpbroadcastd(zmm0, edx);
    vmovdqu32(zmm1, ptr[rip + counting_]);
    vpcmpud(k7, zmm1, zmm0, kIntLt);
    emit_body(/*masked=*/true);
    L(next);
    dec(rdi);
    jz(done, T_NEAR);
    for (uint32_t i = 0; i < body_.pointers.size(); ++i)
      advance(pointer(i), body_.pointers[i].row_bytes());
    jmp(row, T_NEAR);
    L(done);
    epilogue();
    constants();
    readyRE();           // all labels are there
    setProtectModeRE();  // never writable and executable at once
    run_ = getCode<void (*)(char* const*, int64_t, int64_t)>();
  }

  uint32_t step() const { return step_; }  // the one that is being emitted

 private:
  static size_t bytes_for(const Body& body) {
    const size_t bytes = 1024 + 256 * body.steps.size() + 64 * body.values.size();
    return (bytes + 4095) / 4096 * 4096;
  }

  static constexpr int kPointerRegisters[kMostPointers] = {1, 8, 9, 10, 11, 3, 5, 12, 13, 14, 15};
  static constexpr int kSaved[] = {3, 5, 12, 13, 14, 15};

  Reg64 pointer(uint32_t i) const { return Reg64(kPointerRegisters[i]); }

  void prologue() {
    for (int r : kSaved) push(Reg64(r));
    for (uint32_t i = 0; i < body_.pointers.size(); ++i) mov(pointer(i), ptr[rdi + 8 * i]);
    mov(rdi, rdx);
    sub(rsi, kLanes);
    // Numbers stay in registers as long as there is room.
    for (uint32_t v = 0; v < body_.values.size(); ++v) {
      const Body::Value& x = body_.values[v];
      if (x.kind == Body::Value::Kind::kNumber && n_pinned_ < 10) {
        pin(v);
        vbroadcastss(Zmm(where_[v]), ptr[rip + constant(x.bits)]);
      }
    }
  }
  void load_lone_elements() {
    for (uint32_t v = 0; v < body_.values.size(); ++v) {
      const Body::Value& x = body_.values[v];
      if (x.kind == Body::Value::Kind::kLoaded && body_.pointers[x.pointer].is_one())
        load_one(v, pointer(x.pointer));
    }
  }
  void advance(const Reg64& p, int64_t bytes) {
    if (bytes == static_cast<int32_t>(bytes)) {
      if (bytes) add(p, static_cast<int32_t>(bytes));
      return;
    }
    mov(rdx, static_cast<uint64_t>(bytes));
    add(p, rdx);
  }
  void pin(uint32_t v) {
    where_[v] = 31 - n_pinned_++;
    if (n_pinned_ > 20) throw Full();
    pinned_.resize(where_.size());
    pinned_[v] = true;
  }
  void load_one(uint32_t v, const Reg64& at) {
    pin(v);
    const Zmm z(where_[v]);
    switch (body_.values[v].dtype) {
      case BP_F32:
      case BP_I32: vbroadcastss(z, ptr[at]); return;
      case BP_U8: movzx(edx, byte[at]); break;
      case BP_I8: movsx(edx, byte[at]); break;
      case BP_U16: movzx(edx, word[at]); break;
      default: movsx(edx, word[at]); break;
    }
    vpbroadcastd(z, edx);
  }
  void epilogue() {
    vzeroupper();
    for (size_t i = std::size(kSaved); i-- > 0;) pop(Reg64(kSaved[i]));
    ret();
  }
  Label& constant(uint32_t bits) { return constants_[bits]; }
  void constants() {
    align(16);
    if (has_ones_) {
      L(sixteen_ones_);
      for (int i = 0; i < kLanes; ++i) db(1);
    }
    L(counting_);
    for (uint32_t i = 0; i < kLanes; ++i) dd(i);
    for (auto& [bits, label] : constants_) {
      L(label);
      dd(bits);
    }
  }
  Address number(uint32_t bits) { return ptr_b[rip + constant(bits)]; }
  Address number(float x) { return number(std::bit_cast<uint32_t>(x)); }

  // ---- registers ----

  int take() {
    for (int r = 0; r < 32 - n_pinned_; ++r)
      if (!(busy_ >> r & 1)) {
        busy_ |= uint32_t{1} << r;
        return r;
      }
    throw Full();
  }
  Opmask take_mask() {
    for (int r = 1; r < 7; ++r)
      if (!(busy_masks_ >> r & 1)) {
        busy_masks_ |= 1u << r;
        return Opmask(r);
      }
    throw Full();
  }
  void give(const Zmm& z) { busy_ &= ~(uint32_t{1} << z.getIdx()); }
  void give(const Opmask& k) { busy_masks_ &= ~(1u << k.getIdx()); }
  bool is_pinned(uint32_t v) const { return v < pinned_.size() && pinned_[v]; }
  // After its last use a value's register is free.
  void used(uint32_t v) {
    if (--left_[v] || is_pinned(v) || where_[v] < 0) return;
    if (body_.values[v].dtype == BP_BOOL)
      give(Opmask(where_[v]));
    else
      give(Zmm(where_[v]));
    where_[v] = -1;
  }
  Zmm make(uint32_t v) {
    where_[v] = take();
    return Zmm(where_[v]);
  }
  Opmask make_mask(uint32_t v) {
    const Opmask k = take_mask();
    where_[v] = k.getIdx();
    return k;
  }

  // ---- memory ----

  template <class T>
  T loaded(const T& r) const {
    return masked_ ? r | k7 | T_z : r;
  }
  Zmm vector(uint32_t v) {
    if (where_[v] >= 0) return Zmm(where_[v]);
    const Body::Value& x = body_.values[v];
    const Zmm z = make(v);
    if (x.kind == Body::Value::Kind::kNumber) {
      vbroadcastss(z, ptr[rip + constant(x.bits)]);
      return z;
    }
    const Reg64 at = pointer(x.pointer);
    switch (x.dtype) {
      case BP_F32: vmovups(loaded(z), ptr[at + rax * 4]); break;
      case BP_I32: vmovdqu32(loaded(z), ptr[at + rax * 4]); break;
      case BP_U8: vpmovzxbd(loaded(z), ptr[at + rax]); break;
      case BP_I8: vpmovsxbd(loaded(z), ptr[at + rax]); break;
      case BP_U16: vpmovzxwd(loaded(z), ptr[at + rax * 2]); break;
      default: vpmovsxwd(loaded(z), ptr[at + rax * 2]); break;
    }
    return z;
  }
  Opmask mask(uint32_t v) {
    if (where_[v] >= 0) return Opmask(where_[v]);
    const Opmask k = make_mask(v);
    const int r = take();
    vmovdqu8(loaded(Xmm(r)), ptr[pointer(body_.values[v].pointer) + rax]);
    vptestmb(k, Xmm(r), Xmm(r));
    give(Zmm(r));
    return k;
  }
  void store(uint32_t v, uint32_t to) {
    const Reg64 at = pointer(to);
    const bp_dtype d = body_.pointers[to].dtype;
    if (d == BP_BOOL) {
      const int r = take();
      vmovdqu8(Xmm(r) | mask(v) | T_z, ptr[rip + ones_()]);
      vmovdqu8(ptr[at + rax] | (masked_ ? k7 : k0), Xmm(r));
      give(Zmm(r));
      return;
    }
    const Zmm z = vector(v);
    if (d == BP_F32 || d == BP_I32)
      masked_ ? vmovups(ptr[at + rax * 4] | k7, z) : vmovups(ptr[at + rax * 4], z);
    else if (d == BP_U8 || d == BP_I8)
      masked_ ? vpmovdb(ptr[at + rax] | k7, z) : vpmovdb(ptr[at + rax], z);
    else
      masked_ ? vpmovdw(ptr[at + rax * 2] | k7, z) : vpmovdw(ptr[at + rax * 2], z);
  }

  // ---- operations ----

  void emit_body(bool masked) {
    masked_ = masked;
    left_ = uses_;
    busy_ = busy_masks_ = 0;
    for (size_t v = 0; v < where_.size(); ++v)
      if (!is_pinned(static_cast<uint32_t>(v))) where_[v] = -1;
    for (step_ = 0; step_ < body_.steps.size(); ++step_) {
      const Body::Step& s = body_.steps[step_];
      if (body_.values[s.out].dtype == BP_BOOL)
        emit_truth(s);
      else
        emit_vector(s);
      for (uint32_t i = 0; i < s.n_in; ++i) used(s.in[i]);
      if (s.store >= 0) {
        store(s.out, static_cast<uint32_t>(s.store));
        used(s.out);
      } else if (!left_[s.out]) {
        left_[s.out] = 1;  // nobody reads it
        used(s.out);
      }
    }
  }

  // (a > b || a is no number) ? a : b, or the same with <.
  void extreme(const Zmm& out, const Zmm& a, const Zmm& b, bool greater) {
    const Opmask k = take_mask();
    greater ? vmaxps(out, a, b) : vminps(out, a, b);
    vcmpps(k, a, a, kUnordered);
    vmovaps(out | k, a);
    give(k);
  }
  // 1 with the sign of a, where a is a number other than 0.
  void sign(const Zmm& out, const Zmm& a) {
    const Opmask k = take_mask();
    vcmpps(k, a, number(0.0F), kNotEqOrdered);
    vpandd(out, a, number(uint32_t{0x80000000}));
    vpord(out | k | T_z, out, number(1.0F));
    give(k);
  }
  void relu(const Zmm& out, const Zmm& a) {
    const Opmask k = take_mask();
    vpxord(out, out, out);
    vcmpps(k, a, out, kNotLt);
    vmovaps(out | k | T_z, a);
    give(k);
  }

  void emit_vector(const Body::Step& s) {
    if (s.op == BP_OP_COPY || s.op == BP_OP_FILL) return convert(s);
    if (s.op == BP_OP_WHERE) {
      const Opmask k = mask(s.in[0]);
      const Zmm x = vector(s.in[1]), y = vector(s.in[2]);
      vblendmps(make(s.out) | k, y, x);
      return;
    }
    const Zmm a = vector(s.in[0]);
    const Zmm b = s.n_in > 1 ? vector(s.in[1]) : a;
    if (body_.values[s.out].dtype == BP_I32) {
      const Zmm out = make(s.out);
      if (s.op == BP_OP_ADD) return vpaddd(out, a, b);
      if (s.op == BP_OP_SUB) return vpsubd(out, a, b);
      return vpmulld(out, a, b);
    }
    const Zmm out = make(s.out);
    switch (s.op) {
      case BP_OP_ADD: return vaddps(out, a, b);
      case BP_OP_SUB: return vsubps(out, a, b);
      case BP_OP_MUL: return vmulps(out, a, b);
      case BP_OP_DIV: return vdivps(out, a, b);
      case BP_OP_MAXIMUM: return extreme(out, a, b, true);
      case BP_OP_MINIMUM: return extreme(out, a, b, false);
      case BP_OP_CLIP: {
        const Zmm high = vector(s.in[2]), raised(take());
        extreme(raised, a, b, true);
        extreme(out, raised, high, false);
        return give(raised);
      }
      case BP_OP_NEG: return vpxord(out, a, number(uint32_t{0x80000000}));
      case BP_OP_ABS: return vpandd(out, a, number(uint32_t{0x7FFFFFFF}));
      case BP_OP_SIGN: return sign(out, a);
      case BP_OP_SQRT: return vsqrtps(out, a);
      case BP_OP_RSQRT: vsqrtps(out, a); return invert(out, out);
      case BP_OP_POW:
      case BP_OP_SQUARE: return vmulps(out, a, a);
      case BP_OP_RECIPROCAL: return invert(out, a);
      case BP_OP_RELU: return relu(out, a);
      case BP_OP_FLOOR: return vrndscaleps(out, a, kDown);
      case BP_OP_CEIL: return vrndscaleps(out, a, kUp);
      case BP_OP_TRUNC: return vrndscaleps(out, a, kToZero);
      default: return vrndscaleps(out, a, kNearest);
    }
  }
  void invert(const Zmm& out, const Zmm& a) {
    const Zmm one(take());
    vbroadcastss(one, ptr[rip + constant(std::bit_cast<uint32_t>(1.0F))]);
    vdivps(out, one, a);
    give(one);
  }

  // As convert in kit/number.h.
  void convert(const Body::Step& s) {
    const bp_dtype from = body_.values[s.in[0]].dtype, to = body_.values[s.out].dtype;
    if (from == BP_BOOL) {
      const Opmask k = mask(s.in[0]);
      vbroadcastss(make(s.out) | k | T_z,
                   ptr[rip + constant(to == BP_F32 ? std::bit_cast<uint32_t>(1.0F) : 1)]);
      return;
    }
    const Zmm a = vector(s.in[0]), out = make(s.out);
    if (from == to) return vmovaps(out, a);
    if (to == BP_F32) return vcvtdq2ps(out, a);
    if (from == BP_F32) return to_integer(out, a, to);
    const int bits = to == BP_I32 ? 0 : to == BP_U8 || to == BP_I8 ? 24 : 16;
    vpslld(out, a, static_cast<uint8_t>(bits));
    if (to == BP_U8 || to == BP_U16)
      vpsrld(out, out, static_cast<uint8_t>(bits));
    else
      vpsrad(out, out, static_cast<uint8_t>(bits));
  }
  // Saturates; what is no number becomes 0.
  void to_integer(const Zmm& out, const Zmm& a, bp_dtype to) {
    const Opmask k = take_mask();
    vcmpps(k, a, a, kOrdered);
    if (to == BP_I32) {
      vcvttps2dq(out | k | T_z, a);  // what is out of range becomes the least
      vcmpps(k, a, number(0x1p31F), kGe);
      vpblendmd(out | k, out, number(uint32_t{0x7FFFFFFF}));
    } else {
      const float low = to == BP_I8 ? -128 : to == BP_I16 ? -32768 : 0;
      const float high = to == BP_I8 ? 127 : to == BP_U8 ? 255 : to == BP_I16 ? 32767 : 65535;
      vmaxps(out, a, number(low));
      vminps(out, out, number(high));
      vcvttps2dq(out | k | T_z, out);
    }
    give(k);
  }

  void emit_truth(const Body::Step& s) {
    const bp_dtype from = body_.values[s.in[0]].dtype;
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
    const Zmm a = vector(s.in[0]);
    if (s.op == BP_OP_COPY) {
      if (from != BP_F32) return vptestmd(make_mask(s.out), a, a);
      return vcmpps(make_mask(s.out), a, number(uint32_t{0}), kNotEq);
    }
    const Zmm b = vector(s.in[1]);
    const Opmask out = make_mask(s.out);
    const bool f = from == BP_F32;
    const auto compare = [&](uint8_t of_floats, uint8_t of_integers) {
      f ? vcmpps(out, a, b, of_floats) : vpcmpd(out, a, b, of_integers);
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

  Label& ones_() {
    has_ones_ = true;
    return sixteen_ones_;
  }

  const Body& body_;
  std::vector<uint32_t> uses_, left_;
  std::vector<int> where_;  // the register of each value, or -1
  std::vector<bool> pinned_;
  std::map<uint32_t, Label> constants_;
  Label sixteen_ones_, counting_;
  bool has_ones_ = false, masked_ = false;
  int n_pinned_ = 0;
  uint32_t busy_ = 0, busy_masks_ = 0, step_ = 0;
};

}  // namespace

bool can_assemble() {
  static const bool can = [] {
    const util::Cpu cpu;
    return cpu.has(util::Cpu::tAVX512F) && cpu.has(util::Cpu::tAVX512BW) &&
           cpu.has(util::Cpu::tAVX512VL) && cpu.has(util::Cpu::tAVX512DQ) &&
           cpu.has(util::Cpu::tBMI2);
  }();
  return can;
}

std::unique_ptr<Loop> assemble(const Body& body, uint32_t* fits) {
  *fits = 0;
  auto loop = std::make_unique<Assembler>(body);
  try {
    loop->assemble();
    return loop;
  } catch (const Full&) {
    *fits = body.steps[loop->step()].launch;
  } catch (const Error&) {  // the system lets no memory become code
  }
  return nullptr;
}

#endif

}  // namespace bp_cpu
