// SPDX-License-Identifier: Apache-2.0
// queued.cc: the host's time to queue a small op on an accelerator.
#include <array>

#include "case.h"
#include "tensor.h"

namespace bench {
namespace {

using Operands = std::array<bp_tensor*, 2>;
struct Op {
  const char* name;
  int64_t rows, columns;  // of both operands; rows 0: one dimension
  bp_status (*fresh)(Operands x, bp_tensor** out, bp_error** e);
  bp_status (*given)(Operands x, bp_tensor* out, bp_error** e);
};
// clang-format off
constexpr Op kOps[] = {
    {"add", 0, 4, [](Operands x, bp_tensor** out, bp_error** e) { return bp_add(x[0], x[1], out, e); },
     [](Operands x, bp_tensor* out, bp_error** e) { return bp_add_into(x[0], x[1], out, e); }},
    {"exp", 0, 4, [](Operands x, bp_tensor** out, bp_error** e) { return bp_exp(x[0], out, e); },
     [](Operands x, bp_tensor* out, bp_error** e) { return bp_exp_into(x[0], out, e); }},
    {"sum", 0, 4,
     [](Operands x, bp_tensor** out, bp_error** e) {
       return bp_sum(x[0], nullptr, 0, /*keepdims=*/0, BP_DTYPE_NONE, out, e);
     },
     [](Operands x, bp_tensor* out, bp_error** e) {
       return bp_sum_into(x[0], nullptr, 0, /*keepdims=*/0, BP_DTYPE_NONE, out, e);
     }},
    {"softmax", 0, 4, [](Operands x, bp_tensor** out, bp_error** e) { return bp_softmax(x[0], /*axis=*/0, out, e); },
     [](Operands x, bp_tensor* out, bp_error** e) { return bp_softmax_into(x[0], /*axis=*/0, out, e); }},
    {"matmul", 16, 16, [](Operands x, bp_tensor** out, bp_error** e) { return bp_matmul(x[0], x[1], out, e); },
     [](Operands x, bp_tensor* out, bp_error** e) { return bp_matmul_into(x[0], x[1], out, e); }},
};
// clang-format on
constexpr int kBatch = 100;

void add_op(Case& c, const char* name, bp_device device, const Op& op, bool given) {
  const auto operand = [&] {
    return op.rows ? ones({op.rows, op.columns}, device) : ones({op.columns}, device);
  };
  const TensorPtr a = operand(), b = operand();
  const auto fresh = [=] {
    bp_tensor* made = nullptr;
    bp_error* e = nullptr;
    check(op.fresh({a.get(), b.get()}, &made, &e), e);
    return made;
  };
  const TensorPtr out(fresh(), bp_tensor_release);
  if (given)
    c.add(name, [=] {
      bp_error* e = nullptr;
      check(op.given({a.get(), b.get()}, out.get(), &e), e);
    });
  else
    c.add(name, [=] { bp_tensor_release(fresh()); });
}

}  // namespace

void add_queued_cases(Cases& out, const std::string& subject, bp_device device,
                      const Extend& extend) {
  for (bool given : {false, true})
    for (const Op& op : kOps) {
      const std::string size = op.rows ? ", 16 x 16" : ", 4 elements";
      const auto prepare = [device, op, given, extend](Case& c) {
        c.batch = kBatch;
        c.drain = [device] { check(bp_synchronize(device, nullptr)); };
        add_op(c, "ours", device, op, given);
        add_op(c, "cpu", cpu(), op, given);
        if (extend) extend(c, op.name, op.columns, given);
      };
      out.push_back(
          {subject, op.name + size + (given ? ", given output" : ", new tensor"), prepare});
    }
}

}  // namespace bench
