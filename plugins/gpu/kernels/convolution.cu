// SPDX-License-Identifier: Apache-2.0
// convolution.cu: convolutions and their gradients, where the vendor has a library for them
// (convolution.h). What it does not serve is refused before anything happens.
#include <climits>

#include "gpu/convolution.h"
#include "gpu/kernel.h"
#include "gpu/plugin.h"

namespace bp_gpu {
namespace {

// Returns false for numbers beyond 32 bits, and when nothing is to be summed.
bool take(int64_t from, int64_t least, int32_t* to) {
  *to = static_cast<int32_t>(from);
  return from >= least && from <= INT_MAX;
}

// Where the row has x, w and y among its operands.
struct Order {
  int at[3];
};
constexpr Order order_of(uint32_t op) {
  return op == BP_OP_CONVOLUTION              ? Order{{0, 1, 2}}
         : op == BP_OP_CONVOLUTION_INPUT_GRAD ? Order{{2, 1, 0}}
                                              : Order{{1, 2, 0}};
}

bool describe(const bp_launch& l, ConvolutionShape* s) {
  // The attributes end in those of a convolution; its gradients have a size before them.
  const bp_attr* attrs = l.attrs + (l.n_attr - 1 - BP_ATTR_CONVOLUTION_GROUPS);
  const Order order = order_of(l.op);
  const int32_t n = l.args[0].rank - 2, ones = n == 1 ? 1 : 0;
  s->op = l.op;
  s->dtype = l.args[0].dtype;
  s->may_round = s->dtype == BP_F32 && (l.flags & (BP_LAUNCH_TF32 | BP_LAUNCH_BF16));
  s->dims = n + ones;
  bool fits = take(attrs[BP_ATTR_CONVOLUTION_GROUPS].value.i64, 1, &s->groups);
  for (int k = 0; k < 3; ++k) {
    const bp_arg& a = l.args[order.at[k]];
    fits &= take(a.shape[0], 1, &s->size[k][0]) && take(a.shape[1], 1, &s->size[k][1]);
    s->size[k][2] = 1;
    for (int32_t d = 0; d < n; ++d) fits &= take(a.shape[d + 2], 1, &s->size[k][d + 2 + ones]);
  }
  const auto values = [&](int32_t attr, int32_t absent, int32_t* to) {
    const bp_attr& a = attrs[attr];
    to[0] = absent;
    for (int32_t d = 0; d < n; ++d)
      fits &=
          take(a.count == 0 ? absent : a.value.ints[a.count == 1 ? 0 : d], absent, &to[d + ones]);
  };
  values(BP_ATTR_CONVOLUTION_STRIDE, 1, s->stride);
  values(BP_ATTR_CONVOLUTION_PADDING, 0, s->padding);
  values(BP_ATTR_CONVOLUTION_DILATION, 1, s->dilation);
  return fits;
}

bp_status ask_workspace(const bp_launch* l, uint64_t* bytes, bp_error** err) {
  Convolution c{};
  if (!describe(*l, &c.shape)) return BP_UNSUPPORTED;
  const bp_status status = vendor().convolve(*l, &c, err);
  *bytes = c.workspace_bytes;
  return status;
}

bp_status run_convolution(const bp_launch& l, bp_error** err) {
  Convolution c{};
  describe(l, &c.shape);
  c.first = l.args[0].data, c.second = l.args[1].data, c.out = l.args[2].data;
  c.workspace = l.workspace, c.workspace_bytes = l.workspace_bytes;
  return vendor().convolve(l, &c, err);
}

}  // namespace

void add_convolution(Registry& r) {
  if (!vendor().convolve) return;
  for (uint32_t op :
       {BP_OP_CONVOLUTION, BP_OP_CONVOLUTION_INPUT_GRAD, BP_OP_CONVOLUTION_WEIGHT_GRAD})
    r.add(op, kFloats, entry<run_convolution>, BP_KERNEL_CONTIGUOUS, ask_workspace);
}

}  // namespace bp_gpu
