// SPDX-License-Identifier: Apache-2.0
// Automatic differentiation through the C API: leaves, accumulation, what is refused and how,
// views, in-place changes. Gradients of each op are conformance's business (gradient_test.cc).
#include "kit/devices.h"
#include "kit/invoke.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

T leaf(const Shape& shape, const std::vector<float>& v) {
  return bp_test::leaf(tensor<float>(shape, v));
}
T add(const T& a, const T& b) { return made(bp_add, a.get(), b.get()); }
T mul(const T& a, const T& b) { return made(bp_mul, a.get(), b.get()); }
Answer back(const T& root, uint32_t flags = 0) {
  bp_tensor* roots[] = {root.get()};
  return attempt(bp_backward, roots, static_cast<bp_tensor* const*>(nullptr), 1u, flags);
}
std::string grad_fn(const T& t) {
  char text[64];
  EXPECT_EQ(bp_tensor_grad_fn(t.get(), text, sizeof text, nullptr, nullptr), BP_OK);
  return text;
}
std::string text(const T& t) {
  char buf[256];
  EXPECT_EQ(bp_tensor_format(t.get(), nullptr, buf, sizeof buf, nullptr, nullptr), BP_OK);
  return buf;
}
struct NoGrad {
  uint32_t before = bp_grad_set_enabled(0);
  ~NoGrad() { bp_grad_set_enabled(before); }
};

TEST(Autograd, OfAProductIsTheOtherFactor) {
  const T a = leaf({2}, {2, 3}), b = leaf({2}, {5, 7});
  EXPECT_EQ(back(sum(mul(a, b))).status, BP_OK);
  EXPECT_EQ(values<float>(grad_of(a)), (std::vector<float>{5, 7}));
  EXPECT_EQ(values<float>(grad_of(b)), (std::vector<float>{2, 3}));
}

TEST(Autograd, Accumulates) {
  const T a = leaf({}, {2});
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(back(mul(a, a)).status, BP_OK);
    EXPECT_EQ(values<float>(grad_of(a)), (std::vector<float>{4.0f * static_cast<float>(i)}));
  }
  EXPECT_EQ(bp_tensor_set_grad(a.get(), nullptr, nullptr), BP_OK);
  EXPECT_EQ(grad_of(a), nullptr);
}

TEST(Autograd, SumsWhatWasBroadcast) {
  const T a = leaf({2, 3}, {1, 2, 3, 4, 5, 6}), b = leaf({3}, {1, 1, 1}), c = leaf({2, 1}, {1, 1});
  EXPECT_EQ(back(sum(mul(mul(a, b), c))).status, BP_OK);
  EXPECT_EQ(values<float>(grad_of(b)), (std::vector<float>{5, 7, 9}));
  EXPECT_EQ(values<float>(grad_of(c)), (std::vector<float>{6, 15}));
}

TEST(Autograd, LeavesAndWhatIsMadeOfThem) {
  const T a = leaf({1}, {2}), y = mul(a, a), plain = tensor<float>({1}, {1});
  EXPECT_EQ(bp_tensor_is_leaf(a.get()), 1u);
  EXPECT_EQ(bp_tensor_is_leaf(y.get()), 0u);
  EXPECT_EQ(bp_tensor_is_leaf(plain.get()), 1u);
  EXPECT_EQ(bp_tensor_requires_grad(y.get()), 1u);
  EXPECT_EQ(bp_tensor_requires_grad(mul(plain, plain).get()), 0u);
  EXPECT_EQ(grad_fn(y), "MulBackward0");
  EXPECT_EQ(grad_fn(a), "");
  EXPECT_EQ(bp_tensor_requires_grad(made(bp_tensor_detach, y.get()).get()), 0u);
  EXPECT_EQ(
      attempt(bp_tensor_set_requires_grad, y.get(), 0u).message,
      "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that "
      "doesn't require differentiation use var_no_grad = var.detach().");
  EXPECT_EQ(attempt(bp_tensor_set_requires_grad, tensor<int64_t>({1}, {1}).get(), 1u).message,
            "only Tensors of floating point and complex dtype can require gradients, got Long");
}

TEST(Autograd, NothingIsRecordedWhenTheThreadDoesNot) {
  const T a = leaf({1}, {2});
  {
    const NoGrad off;
    EXPECT_EQ(bp_tensor_requires_grad(mul(a, a).get()), 0u);
    EXPECT_EQ(bp_grad_enabled(), 0u);
  }
  EXPECT_EQ(bp_grad_enabled(), 1u);
  EXPECT_EQ(bp_tensor_requires_grad(mul(a, a).get()), 1u);
}

TEST(Autograd, SecondBackwardIsRefusedUnlessTheGraphIsRetained) {
  const T a = leaf({1}, {2}), y = mul(a, a);
  EXPECT_EQ(back(y, BP_GRAD_RETAIN_GRAPH).status, BP_OK);
  EXPECT_EQ(back(y).status, BP_OK);
  const Answer again = back(y);
  EXPECT_EQ(again.status, BP_BAD_STATE);
  EXPECT_EQ(again.message.find("Trying to backward through the graph a second time"), 0u)
      << again.message;
  EXPECT_EQ(values<float>(grad_of(a)), (std::vector<float>{8}));
}

TEST(Autograd, RootsThatCannotStart) {
  EXPECT_EQ(back(tensor<float>({1}, {1})).message,
            "element 0 of tensors does not require grad and does not have a grad_fn");
  EXPECT_EQ(back(leaf({2}, {1, 2})).message,
            "grad can be implicitly created only for scalar outputs");
}

TEST(Autograd, ChangedInPlaceIsFoundOut) {
  const T a = leaf({3}, {1, 2, 3}), b = mul(a, a), y = sum(mul(b, b));
  const bp_value one = number(1.0);
  EXPECT_EQ(attempt(bp_tensor_fill_, b.get(), &one).status, BP_OK);
  const Answer r = back(y);
  EXPECT_EQ(r.status, BP_BAD_STATE);
  EXPECT_EQ(
      r.message,
      "one of the variables needed for gradient computation has been modified by an inplace operation: [Float [3]] "
      "is at version 2; expected version 1 instead.");
}

TEST(Autograd, ALeafIsNotChangedInPlace) {
  const T a = leaf({2}, {1, 2}), b = tensor<float>({2}, {1, 1});
  const char* text = "a leaf Variable that requires grad is being used in an in-place operation.";
  EXPECT_EQ(attempt(bp_add_into, a.get(), b.get(), a.get()).message, text);
  EXPECT_EQ(attempt(bp_tensor_copy_, a.get(), b.get(), 0u).message, text);
  const NoGrad off;
  EXPECT_EQ(attempt(bp_add_into, a.get(), b.get(), a.get()).status, BP_OK);
  EXPECT_EQ(values<float>(a), (std::vector<float>{2, 3}));
}

TEST(Autograd, InPlaceOnAResultGoesOn) {
  const T a = leaf({2}, {2, 3}), y = add(a, a), b = tensor<float>({2}, {5, 7});
  EXPECT_EQ(attempt(bp_mul_into, y.get(), b.get(), y.get()).status, BP_OK);
  EXPECT_EQ(grad_fn(y), "MulBackward0");
  EXPECT_EQ(back(sum(y)).status, BP_OK);
  EXPECT_EQ(values<float>(grad_of(a)), (std::vector<float>{10, 14}));
}

TEST(Autograd, GivenOutputsAreRefused) {
  const T a = leaf({2}, {1, 2}), out = tensor<float>({2}, {0, 0});
  EXPECT_EQ(
      attempt(bp_add_into, a.get(), a.get(), out.get()).message,
      "add(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.");
}

TEST(Autograd, ThroughViews) {
  const T a = leaf({2, 3}, {1, 2, 3, 4, 5, 6});
  const T turned = made(bp_tensor_transpose, a.get(), int64_t{0}, int64_t{1});
  const T row = made(bp_tensor_select, turned.get(), int64_t{0}, int64_t{2});
  const T part =
      made(bp_tensor_slice, row.get(), int64_t{0}, int64_t{1}, BP_SLICE_NONE, int64_t{1});
  EXPECT_EQ(back(sum(mul(part, part))).status, BP_OK);
  EXPECT_EQ(values<float>(grad_of(a)), (std::vector<float>{0, 0, 0, 0, 0, 12}));
}

TEST(Autograd, ThroughOverlappingViews) {
  const T a = leaf({4}, {1, 2, 3, 4});
  const Shape shape{3, 2}, strides{1, 1};
  const T windows =
      made(bp_tensor_as_strided, a.get(), 2, shape.data(), strides.data(), int64_t{0});
  EXPECT_EQ(back(sum(windows)).status, BP_OK);
  EXPECT_EQ(values<float>(grad_of(a)), (std::vector<float>{1, 2, 2, 1}));
}

TEST(Autograd, GradientsHaveGradients) {
  const T x = leaf({1}, {3}), y = mul(mul(x, x), x);
  bp_tensor *roots[] = {y.get()}, *inputs[] = {x.get()}, *first[] = {nullptr},
            *second[] = {nullptr};
  ASSERT_EQ(bp_grad(roots, nullptr, 1, inputs, 1, BP_GRAD_CREATE_GRAPH, first, nullptr), BP_OK);
  const T d(first[0]);
  EXPECT_EQ(values<float>(d), (std::vector<float>{27}));
  bp_tensor* again[] = {d.get()};
  ASSERT_EQ(bp_grad(again, nullptr, 1, inputs, 1, 0, second, nullptr), BP_OK);
  EXPECT_EQ(values<float>(T(second[0])), (std::vector<float>{18}));
  EXPECT_EQ(grad_of(x), nullptr);
}

TEST(Autograd, GradientsThatHoldThemselvesAreCollected) {
  const auto collected = [] {
    uint64_t n = 0;
    EXPECT_EQ(bp_grad_collect(&n, nullptr), BP_OK);
    return n;
  };
  EXPECT_EQ(collected(), 0u);
  const uint64_t before = memory_of(kCpu).n_live;
  {
    const T a = leaf({2}, {2, 3}), b = leaf({2}, {1, 1}), y = mul(a, b);
    ASSERT_EQ(bp_tensor_retain_grad(y.get(), nullptr), BP_OK);
    ASSERT_EQ(back(sum(mul(mul(y, y), y)), BP_GRAD_CREATE_GRAPH).status, BP_OK);
    EXPECT_EQ(collected(), 0u);  // a and b are held
    EXPECT_EQ(values<float>(grad_of(a)), (std::vector<float>{12, 27}));
  }
  EXPECT_GT(memory_of(kCpu).n_live, before);
  EXPECT_EQ(collected(), 3u);  // of a, of b, and of what was made of them
  EXPECT_EQ(memory_of(kCpu).n_live, before);
  T gradient;
  {
    const T a = leaf({1}, {2});
    ASSERT_EQ(back(mul(mul(a, a), a), BP_GRAD_CREATE_GRAPH).status, BP_OK);
    gradient = grad_of(a);
  }
  EXPECT_EQ(collected(), 0u);  // the gradient's graph leads to the leaf
  gradient.reset();
  EXPECT_EQ(collected(), 1u);
  {
    const T a = leaf({1}, {2});
    ASSERT_EQ(bp_tensor_set_grad(a.get(), add(a, a).get(), nullptr), BP_OK);
  }
  EXPECT_EQ(collected(), 1u);
  EXPECT_EQ(memory_of(kCpu).n_live, before);
}

TEST(Autograd, OfWhatLiesBetween) {
  const T x = leaf({1}, {3}), y = mul(x, x), z = mul(y, y);
  EXPECT_EQ(attempt(bp_tensor_retain_grad, y.get()).status, BP_OK);
  bp_tensor *roots[] = {z.get()}, *inputs[] = {y.get()}, *outs[] = {nullptr};
  ASSERT_EQ(bp_grad(roots, nullptr, 1, inputs, 1, BP_GRAD_RETAIN_GRAPH, outs, nullptr), BP_OK);
  EXPECT_EQ(values<float>(T(outs[0])), (std::vector<float>{18}));
  EXPECT_EQ(back(z).status, BP_OK);
  EXPECT_EQ(values<float>(grad_of(y)), (std::vector<float>{18}));  // bp_grad left it alone
  EXPECT_EQ(values<float>(grad_of(x)), (std::vector<float>{108}));
}

TEST(Autograd, UnusedInputsAreRefusedUnlessAllowed) {
  const T x = leaf({1}, {3}), other = leaf({1}, {1}), y = mul(x, x);
  bp_tensor *roots[] = {y.get()}, *inputs[] = {other.get()}, *outs[] = {nullptr};
  EXPECT_EQ(
      attempt(bp_grad, roots, static_cast<bp_tensor* const*>(nullptr), 1u, inputs, 1u,
              uint32_t{BP_GRAD_RETAIN_GRAPH}, outs)
          .message,
      "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this is the "
      "desired behavior.");
  EXPECT_EQ(bp_grad(roots, nullptr, 1, inputs, 1, BP_GRAD_ALLOW_UNUSED, outs, nullptr), BP_OK);
  EXPECT_EQ(outs[0], nullptr);
}

// The way back is let go of without a recursion, and the blocks go back.
TEST(Autograd, LongChainsAreLetGo) {
  const uint64_t before = memory_of(kCpu).allocated_bytes;
  {
    const T a = leaf({1}, {1}), one = tensor<float>({1}, {1});
    T y = mul(a, one);
    for (int i = 0; i < 200000; ++i) y = add(y, one);
    EXPECT_EQ(back(y).status, BP_OK);
    EXPECT_EQ(values<float>(grad_of(a)), (std::vector<float>{1}));
    T unused = mul(a, one);
    for (int i = 0; i < 200000; ++i) unused = add(unused, one);
  }
  EXPECT_EQ(memory_of(kCpu).allocated_bytes, before);
}

// ---- hooks ----

struct Seen {
  int calls = 0, destroyed = 0;
  bp_status status = BP_OK;
};
bp_status doubled(void* user, bp_tensor* grad, bp_tensor** out, bp_error** err) {
  auto& seen = *static_cast<Seen*>(user);
  ++seen.calls;
  if (seen.status != BP_OK) return bp_error_set(err, seen.status, "the hook says no");
  return bp_add(grad, grad, out, err);
}
bp_status counted(void* user, bp_tensor*, bp_tensor**, bp_error**) {
  ++static_cast<Seen*>(user)->calls;
  return BP_OK;
}
void let_go(void* user) { ++static_cast<Seen*>(user)->destroyed; }

TEST(AutogradHooks, ChangeWhatPasses) {
  Seen of_leaf, between;
  uint64_t id = 0;
  {
    const T a = leaf({1}, {3}), y = mul(a, a);
    ASSERT_EQ(bp_tensor_register_hook(a.get(), doubled, &of_leaf, let_go, &id, nullptr), BP_OK);
    uint64_t other = 0;
    ASSERT_EQ(bp_tensor_register_hook(y.get(), doubled, &between, let_go, &other, nullptr), BP_OK);
    EXPECT_EQ(back(mul(y, y)).status, BP_OK);
    EXPECT_EQ(values<float>(grad_of(a)), (std::vector<float>{4 * 108}));
    EXPECT_EQ(attempt(bp_tensor_remove_hook, a.get(), id).status, BP_OK);
    EXPECT_EQ(of_leaf.destroyed, 1);
    EXPECT_EQ(attempt(bp_tensor_remove_hook, a.get(), id).status, BP_NOT_FOUND);
  }
  EXPECT_EQ(of_leaf.calls, 1);
  EXPECT_EQ(between.calls, 1);
  EXPECT_EQ(between.destroyed, 1);
}

TEST(AutogradHooks, EndTheBackwardWhenTheyFail) {
  Seen seen{.status = BP_CALLBACK};
  const T a = leaf({1}, {3});
  uint64_t id = 0;
  ASSERT_EQ(bp_tensor_register_hook(a.get(), doubled, &seen, nullptr, &id, nullptr), BP_OK);
  const Answer r = back(mul(a, a));
  EXPECT_EQ(r.status, BP_CALLBACK);
  EXPECT_EQ(r.message, "the hook says no");
  EXPECT_EQ(grad_of(a), nullptr);
}

TEST(AutogradHooks, AfterAccumulationSeeTheLeaf) {
  Seen seen;
  const T a = leaf({1}, {3}), y = mul(a, a);
  uint64_t id = 0;
  ASSERT_EQ(bp_tensor_register_accumulated_hook(a.get(), counted, &seen, nullptr, &id, nullptr),
            BP_OK);
  EXPECT_EQ(attempt(bp_tensor_register_accumulated_hook, y.get(), &counted, &seen,
                    static_cast<void (*)(void*)>(nullptr), &id)
                .message,
            "post accumulate grad hooks cannot be registered on non-leaf tensors");
  EXPECT_EQ(back(add(y, y)).status, BP_OK);
  EXPECT_EQ(seen.calls, 1);
}

// ---- functions ----

// Of c = a * a, told in its own words: gradients are tripled to be told apart.
bp_status tripled(void* user, bp_tensor* const* saved, uint32_t n_saved, bp_tensor* const* grads,
                  uint32_t, bp_tensor** out, uint32_t, bp_error** err) {
  ++static_cast<Seen*>(user)->calls;
  if (n_saved != 1) return bp_error_set(err, BP_CALLBACK, "nothing was saved");
  const bp_value six = number(6.0);
  bp_tensor* slope = nullptr;
  bp_status status = bp_mul_scalar(saved[0], &six, &slope, err);
  if (status == BP_OK) status = bp_mul(grads[0], slope, out, err);
  bp_tensor_release(slope);
  return status;
}
T squared(const T& a, Seen& seen) {
  T y;
  {
    const NoGrad off;
    y = mul(a, a);
  }
  bp_tensor *saved[] = {a.get()}, *in[] = {a.get()}, *out[] = {y.get()};
  const bp_grad_function_desc desc{sizeof desc, 1,     "SquaredBackward", tripled, saved,
                                   &seen,       let_go};
  EXPECT_EQ(attempt(bp_grad_function, &desc, in, 1u, out, 1u).status, BP_OK);
  return y;
}

TEST(AutogradFunctions, HaveTheirOwnWayBack) {
  Seen seen;
  {
    const T a = leaf({2}, {2, 3}), y = squared(a, seen);
    EXPECT_EQ(grad_fn(y), "SquaredBackward");
    EXPECT_EQ(back(sum(mul(y, tensor<float>({2}, {1, 10})))).status, BP_OK);
    EXPECT_EQ(values<float>(grad_of(a)), (std::vector<float>{12, 180}));
  }
  EXPECT_EQ(seen.calls, 1);
  EXPECT_EQ(seen.destroyed, 1);
}

TEST(AutogradFunctions, AndHooksAreSeenByTheOneWhoHoldsTheTensor) {
  Seen of_leaf, accumulated, of_result, own;
  const auto visited = [](const T& t) {
    std::vector<void*> all;
    const auto note = [](void* user, void (*destroy)(void*), void* arg) {
      EXPECT_EQ(destroy, let_go);
      static_cast<std::vector<void*>*>(arg)->push_back(user);
    };
    EXPECT_EQ(bp_tensor_visit_contexts(t.get(), note, &all, nullptr), BP_OK);
    return all;
  };
  const T a = leaf({1}, {3}), plain = tensor<float>({1}, {1});
  EXPECT_EQ(visited(plain), std::vector<void*>{});
  uint64_t id = 0, on_result = 0;
  ASSERT_EQ(bp_tensor_register_hook(a.get(), counted, &of_leaf, let_go, &id, nullptr), BP_OK);
  ASSERT_EQ(
      bp_tensor_register_accumulated_hook(a.get(), counted, &accumulated, let_go, &id, nullptr),
      BP_OK);
  EXPECT_EQ(visited(a), (std::vector<void*>{&of_leaf, &accumulated}));
  const T y = squared(a, own);
  EXPECT_EQ(visited(a), std::vector<void*>{});  // y's graph holds it too
  ASSERT_EQ(bp_tensor_register_hook(y.get(), counted, &of_result, let_go, &on_result, nullptr),
            BP_OK);
  EXPECT_EQ(visited(y), (std::vector<void*>{&of_result, &own}));
  {
    const T again(bp_tensor_retain(y.get()));
    EXPECT_EQ(visited(y), std::vector<void*>{});
  }
  {
    const T z = mul(y, y);
    EXPECT_EQ(visited(y), std::vector<void*>{});
  }
  ASSERT_EQ(bp_tensor_remove_hook(y.get(), on_result, nullptr), BP_OK);
  EXPECT_EQ(visited(y), std::vector<void*>{&own});
  ASSERT_EQ(back(y).status, BP_OK);
  EXPECT_EQ(visited(y), std::vector<void*>{});  // the way back went with the backward
}

TEST(AutogradFunctions, NoticeWhatWasSavedAndChanged) {
  Seen seen;
  const T a = leaf({1}, {2}), b = add(a, a), y = squared(b, seen);
  const bp_value one = number(1.0);
  EXPECT_EQ(attempt(bp_tensor_fill_, b.get(), &one).status, BP_OK);
  EXPECT_EQ(back(y).status, BP_BAD_STATE);
  EXPECT_EQ(seen.calls, 0);
}

TEST(AutogradFunctions, LeaveNothingBehindWhereNothingIsRecorded) {
  Seen seen;
  const T y = squared(tensor<float>({1}, {2}), seen);
  EXPECT_EQ(bp_tensor_requires_grad(y.get()), 0u);
  EXPECT_EQ(seen.destroyed, 1);
}

TEST(Autograd, IsShown) {
  const T a = leaf({1}, {2});
  EXPECT_EQ(text(a), "tensor([2.], requires_grad=True)");
  EXPECT_EQ(text(mul(a, a)), "tensor([4.], grad_fn=<MulBackward0>)");
}

}  // namespace
}  // namespace bp_test
