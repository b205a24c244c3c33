// SPDX-License-Identifier: Apache-2.0
// op_def.h: what an op is. A row is data: id, name, inputs, attributes, rules, bounds. Everything
// that names an op (c_op_ids.h, c_ops.h and its functions, the C++ wrappers, docs/ops.md) is
// printed from the rows by tools/opgen. core/ops holds the rows.
//
//   constexpr OpRow kRow{.id = 4, .name = "sqrt", .inputs = {{{"x"}}}, .dtype = rule::floating,
//                        .shape = rule::broadcast, .grad = {"SqrtBackward0", sqrt_back, kOut0}};
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

// How the core arranges a call's operands before a kernel sees them, so that kernels stay short.
// Strides count elements. Sizes of 1 are dropped and neighbours merged ("coalesced") wherever that
// is possible. A kernel is never called when every output is empty.
enum class Layout : uint8_t {
  // Every tensor has one common shape of rank >= 1, with stride 0 where an input is broadcast.
  // Numbers go by value.
  kElementwise,
  // The input is [kept..., reduced...] with at least one reduced dim, whose size may be 0; outputs
  // are [kept...]. A position along the reduction is the row-major index over the reduced dims.
  kReduce,
  // Every tensor is [outer..., n]: the axis is last and never merged, outer sizes are equal.
  kRows,
  // a is [batch..., M, K], b is [batch..., K, N], out is [batch..., M, N], all of equal rank. A
  // broadcast batch dim has stride 0.
  kMatmul,
  // Operands are as the caller gave them. Where the row has an axis, one without dims is [1].
  kGeneral,
  // Lists of tensors go to the kernel in one call (call/foreach.h), every tensor as one dense run.
  kForeach
};

// What the attributes of every reduction begin with; where there is one axis at most, the first is
// called "axis".
inline constexpr AttrSpecs kReduceAttrs{ints_attr("axes"), flag_attr("keepdims", false)};

// How an input joins the call.
enum class Role : uint8_t {
  kNone,       // end of the list
  kValue,      // promoted with the other kValue inputs, then converted to the compute dtype
  kAny,        // of its own dtype, never converted
  kCondition,  // bool
  kIndex,      // any integer dtype, converted to i64
  kScalar,     // a number by value; tensors are refused
  kList        // one or more tensors, promoted together; the only input, except in kForeach rows
};
// An optional input may be BP_VALUE_NONE (in C: NULL). A row with a composition is then composed,
// unless its kernel has BP_KERNEL_TAKES_NONE; that kernel, and that of a row without a composition,
// sees BP_ARG_NONE.
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
  bp_dtype dtype = BP_DTYPE_NONE;  // a number's: BP_BOOL, BP_I64, BP_F64 or BP_C128
  std::span<const int64_t> shape{};
  int64_t i64 = 0;
  double f64 = 0;  // the real part of a complex number
};

// What a row's rules read and fill. Rules are pure and throw Error with the values in the text.
struct Inference : AttrReader {
  // A constructor, for as an aggregate all of it would be written with zeros first.
  Inference(const OpRow& of, std::span<const Operand> operands,
            std::span<const bp_attr> values = {})
      : AttrReader{values}, row(of), in(operands) {}

  const OpRow& row;
  std::span<const Operand> in;
  bp_dtype compute = BP_DTYPE_NONE;
  // The dtypes that the kernel writes; output 0 is converted to final_dtype afterwards.
  bp_dtype out_dtype[kMaxOutputs] = {BP_DTYPE_NONE, BP_DTYPE_NONE, BP_DTYPE_NONE, BP_DTYPE_NONE};
  bp_dtype final_dtype = BP_DTYPE_NONE;
  bool reads_numbers = false;  // whether the dtype rule asks for more than the dtypes of operands
  Dims out_shape[kMaxOutputs];

  // The place of the row's attribute of that name, for rules that several rows share.
  size_t at(std::string_view name) const;
};
using Rule = void (*)(Inference&);

// What a composition works with; defined in call/compose.h.
struct Composer;
using Compose = void (*)(Composer&);

// What a gradient function works with; defined in core/grad/autograd.h.
struct GradCall;
using GradientFunction = void(GradCall&);

// What is kept of a call until backward reads it: its first operands and results.
enum Saves : uint32_t {
  kIn0 = 1,
  kIn1 = 2,
  kIn2 = 4,
  kIn3 = 8,
  kOut0 = 1 << 16,
  kOut1 = 2 << 16,
  kOut2 = 4 << 16
};
// How a row's gradient goes back.
struct Gradient {
  const char* name = nullptr;       // of the node that made a result: "SqrtBackward0"
  GradientFunction* run = nullptr;  // gives each operand that wants one its gradient
  uint32_t saves = 0;               // the Saves that run reads

  constexpr bool saves_in(size_t i) const { return i < 16 && saves >> i & 1; }
  constexpr bool saves_out(size_t i) const { return saves >> (16 + i) & 1; }
};
// Of a row whose operands never have a gradient: comparisons, positions.
constexpr Gradient kNoGradient{.name = ""};

enum RowFlag : uint32_t {
  kScalarForm = 1,      // a number may stand in place of the last input: prints bp_<op>_scalar
  kAnyOutputDtype = 2,  // a given output may have any dtype; it is converted as copy_ does
  // the op makes data without a tensor operand, on the given output's device or the default one
  kCreates = 4,
  // the last two attributes are seed and offset; -1 draws from the device's generator
  kRandom = 8,
  kCommutes = 16,
  // the outputs' shapes depend on values: the composition reads sizes back, and the caller waits
  // for them
  kDataShape = 32,
  // the first output may be the first input itself, and then the kernel writes only what changes
  kUpdates = 64,
  kComplexToo = 128,  // complex operands are taken, by a dtype rule that would refuse them
  // a backend must have a kernel: every row without this flag is composed of rows with it, so that
  // a backend with kernels for these alone, in f32, i64 and bool, runs every op
  kPrimitive = 256,
  kProducts = 512  // made of products as matmul is, whose precision the program may choose
};

struct OpRow {
  uint32_t id;
  const char* name;
  InputSpecs inputs{};
  AttrSpecs attrs{};
  std::array<const char*, kMaxOutputs> outputs{"out"};
  Layout layout = Layout::kElementwise;
  // the operand (inputs, then outputs) whose dtype picks the kernel; negative counts from the last
  int8_t key = 0;
  Rule dtype = nullptr;
  Rule shape = nullptr;
  Compose compose = nullptr;
  Compose compose_complex = nullptr;  // the composition where the op computes in a complex dtype
  // A row without one that is composed has the gradients of its parts; any other refuses backward.
  Gradient grad{};
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
  // Returns the place of the attribute of that name, or -1 if there is none.
  constexpr int find_attr(std::string_view wanted) const { return attrs.find(wanted); }
  constexpr uint32_t n_outputs() const {
    uint32_t n = 0;  // a kForeach row may have none
    while (n < outputs.size() && outputs[n]) ++n;
    return n;
  }
  constexpr bool takes_list() const { return inputs[0].role == Role::kList; }
};

inline size_t Inference::at(std::string_view name) const {
  return static_cast<size_t>(row.find_attr(name));
}

// The table, in id order, and look-ups, which return nullptr for an unknown op. All three are
// defined in core/ops; user ops are not in the table (call/user_op.h).
std::span<const OpRow* const> op_table();
const OpRow* find_op(std::string_view name);
const OpRow* find_op(uint32_t id);
constexpr uint32_t kMaxBuiltinOp = 512;  // ids of built-in rows stay below

}  // namespace bp
