// SPDX-License-Identifier: Apache-2.0
#include "fusion/assembler.h"

#include <algorithm>
#include <cmath>
#include <optional>

#if defined(BP_HAS_XBYAK)
namespace bp_cpu {

using namespace Xbyak;
using bp_kit::Body;

namespace {

constexpr int kPointerRegisters[kMostPointers] = {1, 8, 9, 10, 11, 3, 5, 12, 13, 14, 15};
constexpr int kSaved[] = {3, 5, 12, 13, 14, 15};

// 1 / x, by which whole numbers of a small dtype are divided exactly, or none.
struct Inverse {
  float high, low;
};
std::optional<Inverse> exact_inverse(bp_dtype d, float x) {
  const bool is_signed = d == BP_I8 || d == BP_I16;
  if (!is_signed && d != BP_U8 && d != BP_U16) return std::nullopt;
  const int32_t count = d == BP_U8 || d == BP_I8 ? 256 : 65536, least = is_signed ? -count / 2 : 0;
  const double whole = 1 / static_cast<double>(x);
  const auto high = static_cast<float>(whole), low = static_cast<float>(whole - high);
  for (int32_t i = least; i < least + count; ++i) {
    const auto a = static_cast<float>(i);
    if (std::bit_cast<uint32_t>(std::fma(a, high, a * low)) != std::bit_cast<uint32_t>(a / x))
      return std::nullopt;
  }
  return Inverse{high, low};
}

size_t bytes_for(const Phases& phases) {
  size_t bytes = 4096;
  for (const Phase& p : phases.list) {
    const size_t times = p.reductions.empty() ? 1 : 3;
    for (const Phase::Part* part : {&p.once, &p.each}) {
      bytes += times * (768 * part->steps.size() + 96 * part->uses.size());
      for (const Body::Step& s : part->steps) bytes += is_function(s.op) ? times * 6144 : 0;
    }
    bytes += 2048 * p.reductions.size();
  }
  return (bytes + 4095) / 4096 * 4096;
}

}  // namespace

Assembler::Assembler(const Body& body, const Width& width) : Assembler(body, width, Phases(body)) {}
Assembler::Assembler(const Body& body, const Width& width, Phases phases)
    : CodeGenerator(bytes_for(phases), DontSetProtectRWE),
      body_(body),
      width_(width),
      phases_(std::move(phases)),
      where_(2 * body.values.size(), -1) {}

// Registers: the pointers; rax the index in a row, rsi the last index of a whole vector, rdi the
// rows that are left, edx what is needed for a moment.
void Assembler::assemble(size_t copies) {
  Label row, done;
  if (!phases_.fits || frame_bytes() > kMostKept) throw Full();
  prologue();
  L(row);
  load_lone_elements();
  for (const Phase& p : phases_.list) emit_phase(p, copies);
  dec(rdi);
  jz(done, T_NEAR);
  for (uint32_t i = 0; i < body_.pointers.size(); ++i)
    advance(pointer(i), body_.pointers[i].row_bytes());
  jmp(row, T_NEAR);
  L(done);
  epilogue();
  mending();
  constants();
  readyRE();           // all labels are there
  setProtectModeRE();  // never writable and executable at once
  run_ = getCode<void (*)(char* const*, int64_t, int64_t)>();
}

void Assembler::emit_phase(const Phase& p, size_t copies) {
  phase_ = &p;
  if (!p.once.steps.empty()) {
    is_once_ = true;
    emit_body();
    is_once_ = false;
  }
  if (reduces())
    emit_reduction(copies);
  else if (!p.each.steps.empty())
    emit_loop(copies);
}

void Assembler::emit_loop(size_t copies) {
  Label pairs, single, loop, tail, done;
  xor_(eax, eax);
  if (copies > 1) {
    align(32);
    L(pairs);
    lea(rdx, ptr[rax + width_.lanes]);
    cmp(rdx, rsi);
    jg(single, T_NEAR);
    copies_ = copies;
    emit_body();
    copies_ = 1;
    add(rax, 2 * width_.lanes);
    jmp(pairs, T_NEAR);
    L(single);
  }
  cmp(rax, rsi);
  jg(tail, T_NEAR);
  align(32);
  L(loop);
  emit_body();
  add(rax, width_.lanes);
  cmp(rax, rsi);
  jle(loop, T_NEAR);
  L(tail);
  lea(edx, ptr[rsi + width_.lanes]);
  sub(edx, eax);
  jz(done, T_NEAR);
  emit_tail();
  L(done);
}

Reg64 Assembler::pointer(uint32_t i) const { return Reg64(kPointerRegisters[i]); }

void Assembler::prologue() {
  for (int r : kSaved) push(Reg64(r));
  for (uint32_t i = 0; i < body_.pointers.size(); ++i) mov(pointer(i), ptr[rdi + 8 * i]);
  mov(rdi, rdx);
  sub(rsi, width_.lanes);
  if (const int32_t bytes = frame_bytes()) {
    mov(rdx, rsp);
    sub(rsp, bytes + 8);
    and_(rsp, -64);
    mov(ptr[rsp + bytes], rdx);
  }
  // Numbers stay in registers as long as there is room.
  for (uint32_t v = 0; v < body_.values.size(); ++v) {
    const Value& x = body_.values[v];
    if (x.kind == Value::Kind::kNumber && n_pinned_ < width_.numbers) {
      pin(v);
      broadcast(vector_of(where_[v]), x.bits);
    }
  }
}
void Assembler::load_lone_elements() {
  for (uint32_t v = 0; v < body_.values.size(); ++v) {
    const Value& x = body_.values[v];
    if (x.kind == Value::Kind::kLoaded && body_.pointers[x.pointer].is_one())
      load_one(v, pointer(x.pointer));
  }
}
void Assembler::advance(const Reg64& p, int64_t bytes) {
  if (bytes == static_cast<int32_t>(bytes)) {
    if (bytes) add(p, static_cast<int32_t>(bytes));
    return;
  }
  mov(rdx, static_cast<uint64_t>(bytes));
  add(p, rdx);
}
void Assembler::pin(uint32_t v) {
  where_[v] = width_.registers - 1 - n_pinned_++;
  if (n_pinned_ > width_.pinned) throw Full();
  pinned_.resize(where_.size());
  pinned_[v] = true;
}
void Assembler::load_one(uint32_t v, const Reg64& at) {
  pin(v);
  const Vector r = vector_of(where_[v]);
  switch (body_.values[v].dtype) {
    case BP_F32:
    case BP_I32: vbroadcastss(r, ptr[at]); return;
    case BP_U8: movzx(edx, byte[at]); break;
    case BP_I8: movsx(edx, byte[at]); break;
    case BP_U16: movzx(edx, word[at]); break;
    default: movsx(edx, word[at]); break;
  }
  vmovd(Xmm(r.getIdx()), edx);
  vpbroadcastd(r, Xmm(r.getIdx()));
}
void Assembler::store_one(const Vector& r, uint32_t i) {
  const Xmm one(r.getIdx());
  switch (described(i).dtype) {
    case BP_F32:
    case BP_I32: return vmovss(ptr[pointer(i)], one);
    case BP_U8:
    case BP_I8: return vpextrb(ptr[pointer(i)], one, 0);
    case BP_U16:
    case BP_I16: return vpextrw(ptr[pointer(i)], one, 0);
    default: throw Full();
  }
}
void Assembler::epilogue() {
  vzeroupper();
  if (const int32_t bytes = frame_bytes()) mov(rsp, ptr[rsp + bytes]);
  for (size_t i = std::size(kSaved); i-- > 0;) pop(Reg64(kSaved[i]));
  ret();
}

// AVX-512 takes four bytes for all lanes; AVX2 wants all of them in memory.
Address Assembler::number(uint32_t bits) {
  return width_.lanes == 16 ? ptr_b[rip + constant(bits)] : ptr[rip + constant(bits)];
}
void Assembler::broadcast(const Vector& to, uint32_t bits) {
  vbroadcastss(to, ptr[rip + constant(bits)]);
}
void Assembler::constants() {
  align(32);
  tables();
  L(counting_);
  for (int i = 0; i < width_.lanes; ++i) dd(static_cast<uint32_t>(i));
  for (auto& [bits, label] : constants_) {
    L(label);
    for (int i = 0; i < (width_.lanes == 16 ? 1 : width_.lanes); ++i) dd(bits);
  }
}

int Assembler::take() {
  for (int r = 0; r < width_.registers - n_pinned_ - reserved_; ++r)
    if (!(busy_ >> r & 1)) {
      busy_ |= uint32_t{1} << r;
      return r;
    }
  throw Full();
}
// After its last use a value's register is free.
void Assembler::used(uint32_t v) {
  if (--left_[of_copy(v)] || is_pinned(v) || !has(v)) return;
  if (body_.values[v].dtype == BP_BOOL)
    give_truth(where(v));
  else
    give(vector_of(where(v)));
  put(v, -1);
}
Xmm Assembler::make(uint32_t v) {
  put(v, take());
  return vector_of(where(v));
}
Xmm Assembler::vector(uint32_t v) {
  if (has(v)) return vector_of(where(v));
  const Value& x = body_.values[v];
  const Vector r = make(v);
  if (x.kind == Value::Kind::kNumber)
    broadcast(r, x.bits);
  else if (x.kind == Value::Kind::kComputed)
    vmovups(r, kept(v));
  else
    load(r, x.pointer);
  return r;
}
// Moves the value to a register that it has until the row ends.
void Assembler::keep_for_row(uint32_t v) {
  const Vector r = vector_of(where(v));
  give(r);
  pin(v);
  if (busy_ >> where_[v] & 1) throw Full();
  vmovaps(vector_of(where_[v]), r);
}
Address Assembler::kept(uint32_t v) const {
  const size_t at = static_cast<size_t>(phases_.kept[v] * kept_bytes()) +
                    (ahead_ + copy_) * static_cast<size_t>(width_.lanes) * 4;
  return ptr[rsp + rax * 4 + at];
}

void Assembler::emit_body() {
  const std::vector<uint32_t>& uses = part().uses;
  left_ = uses;
  left_.insert(left_.end(), uses.begin(), uses.end());
  busy_ = 0;
  for (copy_ = 0; copy_ < copies_; ++copy_)
    for (uint32_t v = 0; v < uses.size(); ++v)
      if (!is_pinned(v)) put(v, -1);
  for (const Step& s : part().steps) {
    launch_ = s.launch;
    for (copy_ = 0; copy_ < copies_; ++copy_) emit_step(s);
  }
  if (!is_once_)
    for (copy_ = 0; copy_ < copies_; ++copy_) accumulate();
  copy_ = 0;
}
void Assembler::emit_step(const Step& s) {
  if (body_.values[s.out].dtype == BP_BOOL)
    emit_truth(s);
  else
    emit_vector(s);
  for (uint32_t i = 0; i < s.n_in; ++i) used(s.in[i]);
  if (phases_.kept[s.out] >= 0) vmovups(kept(s.out), vector(s.out));
  const bool is_one = is_once_ && s.store >= 0;
  if (is_one) store_one(vector(s.out), static_cast<uint32_t>(s.store));
  if (is_once_ && phases_.stays[s.out]) return keep_for_row(s.out);
  if (s.store >= 0) {
    if (!is_one) store(s.out, static_cast<uint32_t>(s.store));
    used(s.out);
  } else if (!left_[of_copy(s.out)]) {
    left_[of_copy(s.out)] = 1;  // nobody reads it
    used(s.out);
  }
}

void Assembler::emit_vector(const Step& s) {
  if (s.op == BP_OP_COPY || s.op == BP_OP_FILL) return convert(s);
  if (s.op == BP_OP_WHERE) return choose(s);
  if (is_function(s.op)) return function(s);
  const Vector a = vector(s.in[0]);
  const Vector b = s.n_in > 1 ? vector(s.in[1]) : a;
  if (dtype(s.out) == BP_I32) {
    const Vector out = make(s.out);
    if (s.op == BP_OP_ADD) return vpaddd(out, a, b);
    if (s.op == BP_OP_SUB) return vpsubd(out, a, b);
    return vpmulld(out, a, b);
  }
  const Vector out = make(s.out);
  switch (s.op) {
    case BP_OP_ADD: return vaddps(out, a, b);
    case BP_OP_SUB: return vsubps(out, a, b);
    case BP_OP_MUL: return vmulps(out, a, b);
    case BP_OP_DIV: return divide(s, out, a, b);
    case BP_OP_MAXIMUM: return extreme(out, a, b, true);
    case BP_OP_MINIMUM: return extreme(out, a, b, false);
    case BP_OP_CLIP: {
      const Vector high = vector(s.in[2]), raised = vector_of(take());
      extreme(raised, a, b, true);
      extreme(out, raised, high, false);
      return give(raised);
    }
    case BP_OP_NEG: return vxorps(out, a, number(uint32_t{0x80000000}));
    case BP_OP_ABS: return vandps(out, a, number(uint32_t{0x7FFFFFFF}));
    case BP_OP_SIGN: return sign(out, a);
    case BP_OP_SQRT: return vsqrtps(out, a);
    case BP_OP_RSQRT: vsqrtps(out, a); return invert(out, out);
    case BP_OP_POW:
    case BP_OP_SQUARE: return vmulps(out, a, a);
    case BP_OP_RECIPROCAL: return invert(out, a);
    case BP_OP_RELU: return relu(out, a);
    case BP_OP_FLOOR: return round(out, a, kDown);
    case BP_OP_CEIL: return round(out, a, kUp);
    case BP_OP_TRUNC: return round(out, a, kToZero);
    default: return round(out, a, kNearest);
  }
}
// Small whole numbers by a number are products with its inverse in two parts, where that gives the
// same for each of them.
void Assembler::divide(const Step& s, const Vector& out, const Vector& a, const Vector& b) {
  const Value& by = body_.values[s.in[1]];
  const auto made = std::find_if(body_.steps.begin(), body_.steps.end(),
                                 [&](const Step& x) { return x.out == s.in[0]; });
  if (by.kind == Value::Kind::kNumber && made != body_.steps.end() && made->op == BP_OP_COPY)
    if (const auto inverse = exact_inverse(dtype(made->in[0]), std::bit_cast<float>(by.bits))) {
      vmulps(out, a, number(inverse->low));
      return vfmadd231ps(out, a, number(inverse->high));
    }
  vdivps(out, a, b);
}
void Assembler::invert(const Vector& out, const Vector& a) {
  const Vector one = vector_of(take());
  broadcast(one, std::bit_cast<uint32_t>(1.0F));
  vdivps(out, one, a);
  give(one);
}

// As convert in kit/number.h.
void Assembler::convert(const Step& s) {
  const bp_dtype from = dtype(s.in[0]), to = dtype(s.out);
  if (from == BP_BOOL) return from_truth(s);
  const Vector a = vector(s.in[0]), out = make(s.out);
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

}  // namespace bp_cpu
#endif
