// SPDX-License-Identifier: Apache-2.0
// oracle.h: what every op means, written apart from the kernels: one plain function per op over
// host arrays, in long double or exact integers. A row of the op table without an oracle here fails
// the suite.
#pragma once
#include <span>
#include <string>

#include "call.h"

namespace conformance {

using Oracle = Answer (*)(const Call&);
// For results that are not unique: what is wrong with them, or "". The answer then says shapes and
// dtypes only.
using Check = std::string (*)(const Call&, const std::vector<Array>& results);

// Which cases an op is given (cases/<family>.cc), and which dtype picks its kernel.
enum class Family {
  kUnary,     // key: the dtype computed in
  kBinary,    // key: the dtype computed in
  kBounds,    // key: the dtype computed in; clip, lerp, addcmul, addcdiv
  kWhere,     // key: what x and y promote to
  kConvert,   // key: the input's
  kFill,      // key: the result's
  kReduce,    // key: the dtype computed in
  kRows,      // key: the dtype computed in
  kMatmul,    // key: the input's
  kLinalg,    // key: what the inputs promote to
  kFft,       // key: the input's
  kJoin,      // key: the result's
  kIndex,     // key: x's
  kOneHot,    // key: i64
  kSequence,  // key: the result's
  kComposed,  // key: the first input's; cases/composed.cc says how each is called
  kRandom     // key: the result's
};

constexpr uint32_t kBools = 1u << BP_BOOL;
constexpr uint32_t kInts = [] {
  uint32_t all = 0;
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t) all |= uint32_t{is_integer(t)} << t;
  return all;
}();
constexpr uint32_t kFloats = 1u << BP_F16 | 1u << BP_BF16 | 1u << BP_F32 | 1u << BP_F64;
constexpr uint32_t kComplexes = 1u << BP_C64 | 1u << BP_C128;
constexpr uint32_t kReals = kBools | kInts | kFloats;
constexpr uint32_t kArithmetic = kReals | kComplexes;  // no dtype that is only stored
constexpr uint32_t kAll = (1u << BP_DTYPE_COUNT) - 1;

// What becomes of integers and bools before an op computes.
enum class Compute { kAsTheyAre, kDefaultFloat };

struct Spec {
  const char* op;
  Family family;
  uint32_t dtypes;  // operands of one of these are accepted
  Oracle oracle;
  Compute compute = Compute::kAsTheyAre;
  Check check = nullptr;
  // What complex operands are answered by, where it is another function, and the bound of its
  // error.
  Oracle complex = nullptr;
  double complex_ulp = 0;

  Answer answer(const Call& call) const;
  // Whether operands of the dtype are BP_DTYPE_MISMATCH. Of one that is only stored nothing is
  // said: rules take it as what it is, and compositions that widen it compute with it.
  bool refuses(bp_dtype t) const { return (kArithmetic & ~dtypes) >> t & 1; }
};
// A function for complex operands beside that of the row's Spec, whose dtypes then hold them too.
struct ComplexOracle {
  const char* op;
  Oracle oracle;
  double max_ulp;
};

std::span<const Spec> unary_oracles();
std::span<const Spec> binary_oracles();
std::span<const Spec> activation_oracles();
std::span<const Spec> convert_oracles();
std::span<const Spec> reduce_oracles();
std::span<const Spec> rows_oracles();
std::span<const Spec> linear_oracles();
std::span<const Spec> linalg_oracles();
std::span<const Spec> fft_oracles();
std::span<const Spec> indexing_oracles();
std::span<const Spec> creation_oracles();
std::span<const Spec> random_oracles();
std::span<const Spec> manipulate_oracles();
std::span<const Spec> products_oracles();
std::span<const Spec> scatter_oracles();
std::span<const Spec> selecting_oracles();
std::span<const Spec> loss_oracles();
std::span<const Spec> normalize_oracles();
std::span<const Spec> recurrent_oracles();
std::span<const Spec> network_oracles();
std::span<const Spec> window_oracles();
std::span<const Spec> convolution_oracles();
std::span<const Spec> complex_parts_oracles();
std::span<const ComplexOracle> complex_oracles();
std::span<const Spec> einsum_oracles();

// nullptr: none is written.
const Spec* oracle_of(const std::string& op);
// The names of all oracles, to find those whose op is gone.
std::vector<std::string> oracle_names();

// The dtype an elementwise call computes in: what its operands promote to, integers made floats
// where the op says so.
bp_dtype compute_dtype(const Spec& spec, const std::vector<Operand>& operands);
bp_dtype default_float_of(bp_dtype t);  // the default dtype for integers and bools, else t
// Operand i as the op sees it: converted to `t` and expanded to `shape`.
Array seen(const Operand& x, bp_dtype t, const Shape& shape);
// The same for arithmetic: a number that meets f16 or bf16 is not rounded to it but computed with
// in f32, as PyTorch does.
Array seen_in_arithmetic(const Operand& x, bp_dtype t, const Shape& shape);
Shape broadcast_shape(const std::vector<Operand>& operands);

}  // namespace conformance
