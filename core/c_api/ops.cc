// SPDX-License-Identifier: Apache-2.0
// ops.cc: bp_invoke, reflection over ops, users' own ops; declared in c_api.h.
#include "core/backend/registry.h"
#include "core/base/nearest.h"
#include "core/c_api/lists.h"
#include "core/c_api/run.h"
#include "core/call/rehearsal.h"
#include "core/call/user_op.h"
#include "core/value/attr_values.h"

namespace bp {
namespace {

const OpRow* builtin(uint32_t op) {
  if (op >= kFirstUserOp) return nullptr;
  const OpRow* row = find_op(op);
  if (!row) fail(BP_NOT_FOUND, "{} is not the id of an op", op);
  return row;
}

std::string_view nearest_op(std::string_view name) {
  std::vector<std::string_view> names;
  for (const OpRow* row : op_table()) names.push_back(row->name);
  return nearest(name, names);
}

// Checks the handles and kinds of operands that come over the border.
std::span<const bp_value> checked_values(const bp_value* in, uint32_t n) {
  if (n > BP_MAX_INPUTS)
    fail(BP_INVALID_ARGUMENT, "{} inputs, at most {} are possible", n, +BP_MAX_INPUTS);
  if (n) need(in, "inputs");
  for (uint32_t i = 0; i < n; ++i) {
    if (in[i].kind < BP_VALUE_NONE || in[i].kind > BP_VALUE_C128)
      fail(BP_INVALID_ARGUMENT, "input {} has kind {}, which is not known", i, in[i].kind);
    if (in[i].kind == BP_VALUE_TENSOR) checked(in[i].as.tensor, "an input");
  }
  return {in, n};
}

uint32_t flags_of(const OpRow& row) {
  const auto flag = [](bool set, uint32_t bit) { return set ? bit : 0; };
  return flag(row.takes_list(), BP_OP_FLAG_LIST) |
         flag(row.flags & kScalarForm, BP_OP_FLAG_SCALAR) | flag(row.compose, BP_OP_FLAG_COMPOSED) |
         flag(row.layout == Layout::kElementwise, BP_OP_FLAG_ELEMENTWISE) |
         flag(row.flags & kCreates, BP_OP_FLAG_CREATES) |
         flag(row.layout == Layout::kForeach, BP_OP_FLAG_FOREACH) |
         flag(row.flags & kPrimitive, BP_OP_FLAG_PRIMITIVE);
}

struct Outputs {
  Ref<Tensor> list[BP_MAX_OUTPUTS];
  Outputs(bp_tensor** out, uint32_t n) {
    if (n > BP_MAX_OUTPUTS)
      fail(BP_INVALID_ARGUMENT, "{} outputs, at most {} are possible", n, +BP_MAX_OUTPUTS);
    if (n) need(out, "outputs");  // an op over lists may have none
    for (uint32_t i = 0; i < n; ++i)
      if (out[i]) list[i] = Ref<Tensor>::share(&checked(out[i], "an output"));
  }
  void hand_over(bp_tensor** out, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i)
      if (!out[i]) out[i] = list[i].release();
  }
};

}  // namespace
}  // namespace bp

using namespace bp;

extern "C" {

bp_status bp_invoke(uint32_t op, const bp_value* inputs, uint32_t n_in, const bp_attr* attrs,
                    uint32_t n_attr, bp_tensor** outputs, uint32_t n_out, bp_error** err) {
  return guard(err, [&] {
    // The short path refuses what is not as it should be; all checks come after it.
    if (n_attr == 0 && n_out == 1 && inputs && outputs)
      if (Tensor* written = short_path(op, {inputs, n_in}, outputs[0])) {
        outputs[0] = written;
        return;
      }
    const auto given = attr_list(attrs, n_attr);
    const OpRow* row = builtin(op);
    const auto user = row ? nullptr : find_user_op(op);
    // Checked before outputs are read, as a wrong count would read past the caller's array.
    if (const uint32_t wanted = row ? row->n_outputs() : user->desc.n_outputs; n_out != wanted)
      fail(BP_INVALID_ARGUMENT, "{}: expected {} outputs, got {}",
           row ? row->name : user->desc.name, wanted, n_out);
    const auto values = checked_values(inputs, n_in);
    Outputs out(outputs, n_out);
    if (user) {
      invoke_user(*user, values, given, {out.list, n_out});
    } else {
      const AttrValues complete(row->name, row->attrs, given);
      invoke_long(*row, values, complete.attrs, {out.list, n_out});
    }
    out.hand_over(outputs, n_out);
  });
}

bp_status bp_op_find(const char* name, uint32_t* op, bp_error** err) {
  return guard(err, [&] {
    need(name, "name");
    need(op, "op");
    if (const OpRow* row = find_op(std::string_view(name))) {
      *op = row->id;
    } else if (auto user = find_user_op(std::string_view(name))) {
      *op = user->id;
    } else {
      fail(BP_NOT_FOUND, "no op is named '{}'; the nearest is '{}'", name, nearest_op(name));
    }
  });
}

uint32_t bp_op_count(void) { return static_cast<uint32_t>(op_table().size()) + user_op_count(); }

bp_status bp_op_at(uint32_t i, uint32_t* op, bp_error** err) {
  return guard(err, [&] {
    need(op, "op");
    const auto rows = op_table();
    if (i < rows.size()) {
      *op = rows[i]->id;
      return;
    }
    *op = user_op_at(static_cast<uint32_t>(i - rows.size()));
  });
}

bp_status bp_op_get_info(uint32_t op, bp_op_info* out, bp_error** err) {
  return guard(err, [&] {
    bp_op_info info{};
    info.op = op;
    if (const OpRow* row = builtin(op)) {
      info.name = row->name;
      info.doc = row->doc;
      info.n_inputs = row->n_inputs();
      info.n_outputs = row->n_outputs();
      info.n_attrs = static_cast<uint32_t>(row->attrs.size());
      info.flags = flags_of(*row);
      info.max_ulp = static_cast<double>(row->max_ulp);
      info.domain_low = row->domain_low;
      info.domain_high = row->domain_high;
      for (uint32_t i = 0; i < row->n_inputs(); ++i)
        if (row->inputs[i].optional) info.optional_inputs |= uint64_t{1} << i;
    } else {
      const auto user = find_user_op(op);
      info.name = user->desc.name;
      info.doc = user->desc.doc;
      info.n_inputs = user->desc.n_inputs;
      info.n_outputs = user->desc.n_outputs;
      info.flags = user->desc.compose ? +BP_OP_FLAG_COMPOSED : 0u;
    }
    put_struct(info, out, "out");
  });
}

bp_status bp_op_input_name(uint32_t op, uint32_t i, const char** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    const OpRow* row = builtin(op);
    if (!row) fail(BP_UNSUPPORTED, "the inputs of {} have no names", find_user_op(op)->name);
    if (i >= row->n_inputs())
      fail(BP_INDEX_OUT_OF_RANGE, "{}: input {} of {}", row->name, i, row->n_inputs());
    *out = row->inputs[i].name;
  });
}

bp_status bp_op_output_name(uint32_t op, uint32_t i, const char** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    const OpRow* row = builtin(op);
    if (!row) fail(BP_UNSUPPORTED, "the outputs of {} have no names", find_user_op(op)->name);
    if (i >= row->n_outputs())
      fail(BP_INDEX_OUT_OF_RANGE, "{}: output {} of {}", row->name, i, row->n_outputs());
    *out = row->outputs[i];
  });
}

bp_status bp_op_attr(uint32_t op, uint32_t i, bp_attr_info* out, bp_error** err) {
  return guard(err, [&] {
    if (const OpRow* row = builtin(op)) return put_attr(row->name, row->attrs, i, out);
    put_attr(find_user_op(op)->name, kNoAttrs, i, out);
  });
}

bp_status bp_op_supported(uint32_t op, bp_dtype dtype, bp_kind kind, uint32_t* out,
                          bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    check_dtype(dtype, "dtype");
    const OpRow* row = builtin(op);
    if (!row) {
      const auto user = find_user_op(op);
      *out = user->desc.compose || user->kernel(kind);
      return;
    }
    *out = runs(require_backend(kind), *row, dtype);
  });
}

bp_status bp_op_register(const bp_op_desc* desc, uint32_t* op, bp_error** err) {
  return guard(err, [&] {
    need(op, "op");
    *op = register_op(get_struct(desc, "desc"));
  });
}

bp_status bp_op_register_kernel(uint32_t op, bp_kind kind, bp_op_kernel_fn run, void* user,
                                bp_error** err) {
  return guard(err, [&] {
    if (!run) fail(BP_INVALID_ARGUMENT, "run must not be NULL");
    if (op < kFirstUserOp)
      fail(BP_INVALID_ARGUMENT, "{} is a built-in op; kernels of those come from plugins", op);
    register_kernel(op, kind, run, user);
  });
}

}  // extern "C"
