// SPDX-License-Identifier: Apache-2.0
// activation.cu: neural networks' functions of one tensor, with parameters or without; clip and
// lerp of three tensors.
#include "gpu/elementwise.h"
#include "gpu/functors/activation.h"
#include "kit/parameters.h"

namespace bp_gpu {

using namespace functors;

namespace {

template <class F>
bp_status run_with_one(const bp_launch& l, bp_error** err) {
  const Parameters<1> p(l);
  return with_type_of<kFloats>(l.args[0].dtype, [&](auto t) {
    using T = decltype(t);
    return map<F, T, T, T>(p.launch(), err);
  });
}
template <class F>
bp_status run_with_two(const bp_launch& l, bp_error** err) {
  const Parameters<2> p(l);
  return with_type_of<kFloats>(l.args[0].dtype, [&](auto t) {
    using T = decltype(t);
    return map<F, T, T, T, T>(p.launch(), err);
  });
}
template <class F, uint64_t kMask>
bp_status run_three(const bp_launch& l, bp_error** err) {
  return with_type_of<kMask>(l.args[3].dtype, [&](auto t) {
    using T = decltype(t);
    return map<F, T, T, T, T>(l, err);
  });
}

}  // namespace

void add_activation(Registry& r) {
  r.add(BP_OP_SOFTPLUS, kFloats, entry<run_with_two<Softplus>>);
  r.add(BP_OP_ELU, kFloats, entry<run_with_one<Elu>>);
  r.add(BP_OP_LEAKY_RELU, kFloats, entry<run_with_one<LeakyRelu>>);
  add_unary<HardSwish, kFloats>(r, BP_OP_HARDSWISH);
  add_unary<HardSigmoid, kFloats>(r, BP_OP_HARDSIGMOID);
  add_unary<Mish, kFloats>(r, BP_OP_MISH);
  add_unary<GeluTanh, kFloats>(r, BP_OP_GELU_TANH);
  r.add(BP_OP_CLIP, kReals, entry<run_three<Clip, kReals>>);
  r.add(BP_OP_LERP, kFloats, entry<run_three<Lerp, kFloats>>);
}

}  // namespace bp_gpu
