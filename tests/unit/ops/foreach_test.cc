// SPDX-License-Identifier: Apache-2.0
// Ops over lists of tensors: a backend without their kernels takes the compositions, which must do
// what the kernels do.
#include <cmath>

#include "core/call/compose.h"
#include "kit/invoke.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

struct Step {
  const char* op;
  size_t lists;
  std::vector<bp_attr> attrs;  // in row order, count first
};

bp_attr f(double v) { return bp::float_value(v); }
bp_attr i(int64_t v) { return bp::int_value(v); }
bp_attr b(bool v) { return bp::flag_value(v); }

std::vector<T> lists_of(size_t lists) {
  std::vector<T> all;
  for (size_t list = 0; list < lists; ++list)
    for (int64_t k = 0; k < 3; ++k) {
      std::vector<float> v;
      for (int64_t n = 0; n < 5 + k; ++n) {
        const float wave = std::sin(static_cast<float>(n + 7 * k) + static_cast<float>(list));
        v.push_back(list < 2 ? wave : list == 3 ? wave * wave / 8 + 0.1f : 1 + wave * wave);
      }
      all.push_back(tensor<float>({5 + k}, v));
    }
  return all;
}
std::vector<bp_value> values_of(const std::vector<T>& tensors) {
  std::vector<bp_value> in;
  for (const T& t : tensors) in.push_back(value(t));
  return in;
}

void compose(const Step& s, const std::vector<T>& tensors) {
  const bp::OpRow& row = *bp::find_op(std::string_view(s.op));
  const std::vector<bp_value> in = values_of(tensors);
  std::vector<bp::Operand> operands(in.size());
  for (size_t n = 0; n < in.size(); ++n) {
    operands[n].is_tensor = true;
    operands[n].dtype = in[n].as.tensor->dtype;
    operands[n].shape = in[n].as.tensor->shape;
  }
  bp::Inference plan(row, operands, s.attrs);
  row.dtype(plan);
  row.shape(plan);
  bp::Composer c{{s.attrs}, row, in, plan, in[0].as.tensor->device()};
  row.compose(c);
}

const Step kSteps[] = {
    {"foreach_sgd", 2, {i(3), f(0.1), f(0), f(0), f(0.25), b(false), b(true), b(false)}},
    {"foreach_sgd", 3, {i(3), f(0.1), f(0.9), f(0.25), f(0), b(false), b(false), b(false)}},
    {"foreach_sgd", 3, {i(3), f(0.1), f(0.9), f(0), f(0.25), b(true), b(false), b(true)}},
    {"foreach_adam", 5, {i(3), f(0.1), f(0.9), f(0.99), f(1e-8), f(0.25), i(4), b(true)}},
    {"foreach_adamw", 4, {i(3), f(0.1), f(0.9), f(0.99), f(1e-8), f(0.25), i(4), b(false)}},
    {"foreach_rmsprop", 3, {i(3), f(0.1), f(0.9), f(1e-8), f(0.25), f(0), b(false), b(false)}},
    {"foreach_rmsprop", 4, {i(3), f(0.1), f(0.9), f(1e-8), f(0), f(0.5), b(false), b(true)}},
    {"foreach_rmsprop", 5, {i(3), f(0.1), f(0.9), f(1e-8), f(0), f(0.5), b(true), b(false)}},
    {"foreach_adagrad", 3, {i(3), f(0.1), f(0.5), f(0.25), f(1e-8), i(4), b(false)}},
};

TEST(ForeachCompositions, DoWhatTheKernelsDo) {
  for (const Step& s : kSteps) {
    const std::vector<T> by_kernel = lists_of(s.lists), composed = lists_of(s.lists);
    const bp::OpRow& row = *bp::find_op(std::string_view(s.op));
    bp::invoke(row, values_of(by_kernel), s.attrs, {});
    compose(s, composed);
    for (size_t n = 0; n < by_kernel.size(); ++n) {
      const auto x = values<float>(by_kernel[n]), y = values<float>(composed[n]);
      for (size_t e = 0; e < x.size(); ++e)
        EXPECT_NEAR(x[e], y[e], 1e-6f * (1 + std::fabs(y[e])))
            << s.op << " of " << s.lists << " lists, tensor " << n;
    }
    EXPECT_NE(values<float>(composed[0]), values<float>(lists_of(s.lists)[0]));
  }
}

TEST(ForeachCompositions, OfClippingDoWhatTheKernelsDo) {
  std::vector<T> by_kernel = lists_of(1), composed = lists_of(1);
  const T factor = tensor<float>({}, {0.25f});
  for (std::vector<T>* all : {&by_kernel, &composed})
    all->push_back(made(bp_tensor_alias, factor.get()));
  bp::invoke(*bp::find_op(BP_OP_FOREACH_SCALE), values_of(by_kernel), {}, {});
  compose({"foreach_scale", 1, {}}, composed);
  for (size_t n = 0; n < 3; ++n) EXPECT_EQ(values<float>(by_kernel[n]), values<float>(composed[n]));

  by_kernel = lists_of(1), composed = lists_of(1);
  const bp_attr bounds[] = {f(-0.5), f(0.25)};
  bp::invoke(*bp::find_op(BP_OP_FOREACH_CLAMP), values_of(by_kernel), bounds, {});
  compose({"foreach_clamp", 1, {f(-0.5), f(0.25)}}, composed);
  for (size_t n = 0; n < 3; ++n) EXPECT_EQ(values<float>(by_kernel[n]), values<float>(composed[n]));
}

TEST(ForeachNorm, HasAGradientThroughItsComposition) {
  const T x = tensor<float>({2}, {3, 4}), y = tensor<float>({1}, {12});
  EXPECT_EQ(bp_tensor_set_requires_grad(x.get(), 1, nullptr), BP_OK);
  const bp_value in[] = {value(x), value(y)};
  bp_tensor* out = nullptr;
  bp_error* err = nullptr;
  ASSERT_EQ(bp_invoke(BP_OP_FOREACH_NORM, in, 2, nullptr, 0, &out, 1, &err), BP_OK)
      << bp_error_message(err, nullptr);
  const T norm(out);
  EXPECT_EQ(values<float>(made(bp_tensor_detach, norm.get())), (std::vector<float>{13}));
  ASSERT_EQ(bp_backward(&out, nullptr, 1, 0, &err), BP_OK) << bp_error_message(err, nullptr);
  const auto grad = values<float>(made(bp_tensor_grad, x.get()));
  EXPECT_NEAR(grad[0], 3.0 / 13, 1e-6);
  EXPECT_NEAR(grad[1], 4.0 / 13, 1e-6);
}

TEST(ForeachSteps, OfLeavesAreRefusedWhileTheThreadRecords) {
  const T p = tensor<float>({2}, {3, 4}), g = tensor<float>({2}, {1, 1});
  EXPECT_EQ(bp_tensor_set_requires_grad(p.get(), 1, nullptr), BP_OK);
  const bp_value in[] = {value(p), value(g)};
  bp_attr count = i(1);
  count.name = "count";
  bp_error* err = nullptr;
  const bp_status status = bp_invoke(BP_OP_FOREACH_SGD, in, 2, &count, 1, nullptr, 0, &err);
  const Answer r = taken(status, err);
  EXPECT_LT(r.status, 0);
  EXPECT_NE(
      r.message.find("a leaf Variable that requires grad is being used in an in-place operation"),
      std::string::npos)
      << r.message;
  EXPECT_EQ(values<float>(p), (std::vector<float>{3, 4}));
}

}  // namespace
}  // namespace bp_test
