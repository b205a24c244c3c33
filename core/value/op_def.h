// op_def.h: what an op is. A row is data: id, name, inputs, attributes, rules, bounds. Everything
// that names an op (c_op_ids.h, c_ops.h and its functions, the C++ wrappers, docs/ops.md) is
// printed from the rows by tools/opgen.
//
// Layout says how the core arranges a call's operands before a kernel sees them, so that kernels
// stay short. All strides are in elements; sizes of 1 are dropped and neighbours merged
// ("coalesced") wherever that is possible; a kernel is never called when every output is empty.
//   kElementwise  every tensor has one common shape of rank >= 1, broadcast inputs with stride 0; scalars by value.
//   kReduce       input [kept..., reduced...] (at least one reduced dim; its count may be 0), outputs [kept...].
//                 A position along the reduction is the row-major index over the reduced dims.
//   kRows         every tensor [outer..., n]: the axis is last and never merged; outer sizes are equal.
//   kMatmul       a [batch..., M, K], b [batch..., K, N], out [batch..., M, N]; equal rank, broadcast batch stride 0.
//   kGeneral      operands as the caller gave them.
//   kMulti        lists of tensors, one kernel call for all of them (core/call/foreach.h): every tensor is one dense run.
//
//   constexpr OpRow row{.id = 4, .name = "sqrt", .inputs = {{"x"}}, .dtype = rule::floating, ...};
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "c_op_ids.h"
#include "c_types.h"
#include "core/value/attr_spec.h"
#include "core/value/shape.h"

struct bp_tensor;

namespace bp {

struct OpRow;
constexpr uint32_t kMaxOutputs = 4;  // of a row

enum class Layout : uint8_t { kElementwise, kReduce, kRows, kMatmul, kGeneral, kMulti };

// What the attributes of every reduction begin with; where there is one axis at most, the first is
// called "axis".
inline constexpr AttrSpecs kReduceAttrs{ints_attr("axes"), flag_attr("keepdims", false)};

// How an input joins the call.
enum class Role : uint8_t {
  kNone,       // end of the list
  kValue,      // promoted with the other kValue inputs and converted to the compute dtype
  kAny,        // its own dtype, never converted
  kCondition,  // bool
  kIndex,      // any integer dtype, converted to i64
  kScalar,     // a number by value; tensors are refused
  kList  // one or more tensors, promoted together; the only input of its row but for kMulti ones
};
// An optional input may be BP_VALUE_NONE (in C: NULL). A row with a composition is then composed; a
// kernel of a row without one sees BP_ARG_NONE.
struct InputSpec {
  const char* name = nullptr;
  Role role = Role::kValue;
  bool optional = false;
};

using InputSpecs = std::array<InputSpec, 5>;

// One input as the rules see it: a tensor's dtype and shape, or a number.
struct Operand {
  bool is_tensor = false;
  bool is_none = false;
  bp_dtype dtype = BP_DTYPE_NONE;  // of a number: BP_BOOL, BP_I64, BP_F64 or BP_C128
  std::span<const int64_t> shape{};
  int64_t i64 = 0;
  double f64 = 0;  // of a complex number its real part
};

// What a row's rules read and fill. Rules are pure and throw Error with the values in the text.
struct Inference : AttrReader {
  const OpRow& row;
  std::span<const Operand> in;
  bp_dtype compute = BP_DTYPE_NONE;
  // As the kernel writes them; output 0 is converted to final_dtype afterwards.
  bp_dtype out_dtype[kMaxOutputs] = {BP_DTYPE_NONE, BP_DTYPE_NONE, BP_DTYPE_NONE, BP_DTYPE_NONE};
  bp_dtype final_dtype = BP_DTYPE_NONE;
  Dims out_shape[kMaxOutputs] = {};

  // The place of the row's attribute of that name, for rules that several rows share.
  size_t at(std::string_view name) const;
};
using Rule = void (*)(Inference&);

// What a composition works with; defined in compose.h.
struct Composer;
using Compose = void (*)(Composer&);

enum RowFlag : uint32_t {
  kScalarForm = 1,      // a number may stand in place of the last input: prints bp_<op>_scalar
  kAnyOutputDtype = 2,  // a given output may have any dtype, conversions as copy_ has them
  // makes data without a tensor operand: the device is the given output's or the default
  kCreates = 4,
  // the last two attributes are seed and offset; -1 draws from the device's generator
  kRandom = 8,
  kCommutes = 16,
  // the outputs' shapes depend on values: the composition reads sizes back, for which the caller
  // waits
  kDataShape = 32,
  // the first output may be the first input itself: the kernel then writes what changes alone
  kUpdates = 64,
  kComplexToo = 128  // complex operands are taken, by a dtype rule that refuses them otherwise
};

struct OpRow {
  uint32_t id;
  const char* name;
  InputSpecs inputs{};
  AttrSpecs attrs{};
  std::array<const char*, kMaxOutputs> outputs{"out"};
  Layout layout = Layout::kElementwise;
  // the operand (inputs, then outputs) whose dtype picks the kernel; negative: from the last
  int8_t key = 0;
  Rule dtype = nullptr;
  Rule shape = nullptr;
  Compose compose = nullptr;
  Compose compose_complex = nullptr;  // the same, where the op computes in a complex dtype
  uint32_t flags = 0;
  double domain_low = -1e308, domain_high = 1e308;  // outside, the bound below is not promised
  float max_ulp = 0;                                // f32 and f64 results; f16 and bf16 promise 1
  const char* doc = "";
  // what PyTorch calls the function whose kernel refuses an operand for its values
  const char* fault = nullptr;

  constexpr uint32_t n_inputs() const {
    uint32_t n = 0;
    while (n < inputs.size() && inputs[n].name) ++n;
    return n;
  }
  // The place of the attribute of that name, or -1.
  constexpr int find_attr(std::string_view wanted) const { return attrs.find(wanted); }
  constexpr uint32_t n_outputs() const {
    uint32_t n = 0;  // a kMulti row may have none
    while (n < outputs.size() && outputs[n]) ++n;
    return n;
  }
  constexpr bool takes_list() const { return inputs[0].role == Role::kList; }
};

inline size_t Inference::at(std::string_view name) const {
  return static_cast<size_t>(row.find_attr(name));
}

// The table, in id order, and lookups. User ops are not in it (see user_op.h).
std::span<const OpRow* const> op_table();
const OpRow* find_op(std::string_view name);
const OpRow* find_op(uint32_t id);
constexpr uint32_t kMaxBuiltinOp = 512;  // ids of built-in rows stay below

}  // namespace bp
