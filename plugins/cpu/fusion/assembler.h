// SPDX-License-Identifier: Apache-2.0
// assembler.h: what loops of both widths have in common: pointers, rows and their phases, which
// register holds which value, and the operations that are one instruction. A width adds how it
// keeps truths, how it ends a row, and what it needs several instructions for (loop256.cc,
// loop512.cc). Reductions are in reducing.cc.
#pragma once
#if defined(BP_HAS_XBYAK)
#include <xbyak/xbyak.h>

#include <bit>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "fusion/loop.h"
#include "fusion/phases.h"

namespace bp_cpu {

// What may be kept of a row, on the stack.
constexpr int32_t kMostKept = 32768;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Raised when registers run out.
struct Full {};

// Predicates of comparisons, as the instructions count them (Intel SDM, VCMPPS).
enum FloatIs : uint8_t {
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
enum Rounding : uint8_t { kNearest = 0x08, kDown = 0x09, kUp = 0x0A, kToZero = 0x0B };

class Assembler : public Loop, public Xbyak::CodeGenerator {
 public:
  using Vector = Xbyak::Xmm;  // a register of the width; it knows how wide it is

  // Takes one register's elements at a time, or two registers' side by side, so that the processor
  // always has a step at hand that does not wait for the one before. Throws Full, and Xbyak::Error
  // where the system lets no memory become code.
  void assemble(size_t copies);
  uint32_t launch() const { return launch_; }  // the one that is being emitted

  // ---- what functions are written with (functions.cc) ----
  virtual Vector vector_of(int r) const = 0;  // register r
  int take();
  void give(const Vector& r) { busy_ &= ~(uint32_t{1} << r.getIdx()); }
  Xbyak::Address number(uint32_t bits);             // as the last operand
  void broadcast(const Vector& to, uint32_t bits);  // a number
  virtual void round(const Vector& out, const Vector& a, Rounding how) = 0;
  virtual void copy_sign(const Vector& out, const Vector& a, const Vector& sign) = 0;
  virtual bool scales() const = 0;  // whether there is an instruction for a 2^b
  // Returns where the truth is, until it is given back.
  virtual int compare(const Vector& a, const Xbyak::Operand& b, FloatIs how) = 0;
  virtual int test_bit(const Vector& a, uint32_t bit) = 0;
  virtual void select(const Vector& out, int truth, const Vector& yes, const Vector& no) = 0;
  virtual void give_truth(int r) = 0;
  // Puts f(x) in the place of y's elements where |x| is above the bound, which is seldom.
  void mend(const Vector& x, const Vector& y, float bound, float (*f)(float));

 protected:
  using Address = Xbyak::Address;
  using Reg64 = Xbyak::Reg64;
  using Value = bp_kit::Body::Value;
  using Step = bp_kit::Body::Step;

  struct Width {
    int lanes;      // 32-bit elements of a register
    int registers;  // that there are
    int numbers;    // at most in registers for the whole loop
    int pinned;     // at most, with elements that are the same for a whole row
  };
  Assembler(const bp_kit::Body& body, const Width& width);

  // ---- what a width has of its own ----
  // What is left of a row, fewer elements than a register holds: from element rax to rsi + lanes,
  // edx of them.
  virtual void emit_tail() = 0;
  // In a tail: the elements of a that belong to the row, and for the others those of b.
  virtual void within(const Vector& out, const Vector& a, const Vector& b) = 0;
  virtual void load(const Vector& to, uint32_t pointer) = 0;  // f32 or whole numbers
  virtual void store(uint32_t v, uint32_t pointer) = 0;
  virtual void emit_truth(const Step& s) = 0;  // whose result is a truth
  virtual void choose(const Step& s) = 0;      // BP_OP_WHERE
  virtual void from_truth(const Step& s) = 0;  // BP_OP_COPY of a truth
  // (a > b || a is no number) ? a : b, or the same with <.
  virtual void extreme(const Vector& out, const Vector& a, const Vector& b, bool greater) = 0;
  // 1 with the sign of a, where a is a number other than 0; else 0.
  virtual void sign(const Vector& out, const Vector& a) = 0;
  virtual void relu(const Vector& out, const Vector& a) = 0;
  // Saturates; what is no number becomes 0.
  virtual void to_integer(const Vector& out, const Vector& a, bp_dtype to) = 0;
  // Leaves "not zero" behind where the magnitude of an element is above the bound.
  virtual void any_above(const Vector& a, float bound) = 0;
  virtual void keep_truths(const Xbyak::RegExp&) {}  // where they are in no vector
  virtual void bring_truths(const Xbyak::RegExp&) {}
  virtual void tables() {}  // of constants

  // ---- registers ----
  Vector make(uint32_t v);
  Vector vector(uint32_t v);  // with the value in it
  bool has(uint32_t v) const { return where(v) >= 0; }
  int where(uint32_t v) const { return where_[of_copy(v)]; }
  void put(uint32_t v, int r) { where_[of_copy(v)] = r; }

  Reg64 pointer(uint32_t i) const;
  // Where the elements at hand lie, of so many bytes each.
  Xbyak::RegExp place(uint32_t i, int bytes) const {
    return pointer(i) + rax * bytes + (ahead_ + copy_) * static_cast<size_t>(width_.lanes * bytes);
  }
  Address elements(uint32_t i, int bytes) const { return ptr[place(i, bytes)]; }
  const bp_kit::Body::Pointer& described(uint32_t i) const { return body_.pointers[i]; }
  bp_dtype dtype(uint32_t v) const { return body_.values[v].dtype; }
  uint32_t pointer_of(uint32_t v) const { return body_.values[v].pointer; }
  // Four bytes in memory, and as many of them as an operand needs.
  Xbyak::Label& constant(uint32_t bits) { return constants_[bits]; }
  Address number(float x) { return number(std::bit_cast<uint32_t>(x)); }
  Xbyak::Label& counting() { return counting_; }  // 0, 1, .. as i32
  // All steps of as many elements as a register holds, or what a phase does once for a row.
  virtual void emit_body();
  bool reduces() const { return !phase_->reductions.empty(); }

  const bp_kit::Body& body_;
  const Width width_;
  int n_pinned_ = 0;  // registers, the highest, which keep their values for a row or the loop
  int reserved_ = 0;  // those below them that no value gets

 private:
  Assembler(const bp_kit::Body& body, const Width& width, Phases phases);
  void prologue();
  void epilogue();
  void emit_phase(const Phase& p, size_t copies);
  void emit_loop(size_t copies);
  void load_lone_elements();
  void load_one(uint32_t v, const Reg64& at);
  void store_one(const Vector& r, uint32_t pointer);
  void advance(const Reg64& p, int64_t bytes);
  void pin(uint32_t v);
  size_t of_copy(uint32_t v) const { return is_pinned(v) ? v : v + copy_ * body_.values.size(); }
  bool is_pinned(uint32_t v) const { return v < pinned_.size() && pinned_[v]; }
  void keep_for_row(uint32_t v);
  Address kept(uint32_t v) const;  // the elements at hand of a row in memory
  const Phase::Part& part() const { return is_once_ ? phase_->once : phase_->each; }
  void used(uint32_t v);
  void emit_step(const Step& s);
  void emit_vector(const Step& s);
  void divide(const Step& s, const Vector& out, const Vector& a, const Vector& b);
  void invert(const Vector& out, const Vector& a);
  void convert(const Step& s);
  void function(const Step& s);
  struct Mended;
  void mending();
  void constants();

  // ---- reductions (reducing.cc) ----
  void emit_reduction(size_t copies);
  bool is_short() const;  // of the rows
  void take_short_row();
  void take_long_row(size_t copies);
  void begin_extremes();
  void begin_sums();
  void accumulate();
  void finish_sums();
  void add_wide(size_t k, const Vector& v);
  Vector total(size_t k);
  Vector accumulator(size_t k, int u) const;
  Address wide_sum(size_t k, int half) const;
  void upper_half(const Vector& out, const Vector& a, int lanes);
  int32_t kept_bytes() const;   // of a row in memory
  int32_t frame_bytes() const;  // of all that is kept of a row

  const Phases phases_;
  const Phase* phase_ = nullptr;  // that is being emitted
  bool is_once_ = false;          // what it does once for a row
  std::vector<uint32_t> left_;
  std::vector<int> where_;  // the register of each value, or -1; of each copy
  std::vector<bool> pinned_;
  std::map<uint32_t, Xbyak::Label> constants_;
  Xbyak::Label counting_, mender_;
  bool mends_ = false;
  uint32_t busy_ = 0, launch_ = 0;
  size_t copies_ = 1, copy_ = 0;  // that are emitted side by side, and the one at hand
  size_t ahead_ = 0;              // registers' elements between rax and these
  int sums_ = 0;                  // the first register of the accumulators, counted from the last
  bool in_tail_ = false, is_first_sum_ = false;
};

std::unique_ptr<Assembler> new_loop256(const bp_kit::Body& body);
std::unique_ptr<Assembler> new_loop512(const bp_kit::Body& body);

}  // namespace bp_cpu
#endif
