// SPDX-License-Identifier: Apache-2.0
// Modules through the C API: what is in them, moves in place, running and what is said when it
// fails, lazy parameters. Numbers of each kind: module_cases_test.cc.
#include <algorithm>
#include <cmath>

#include "kit/modules.h"

namespace bp_test {
namespace {

TEST(Module, ListsWhatIsInItInPyTorchsOrder) {
  const M inner =
      sequential(linear(3, 2), module("batch_norm1d", {attr("num_features", int64_t{2})}));
  const M net = sequential(linear(4, 3), inner, module("relu"));
  EXPECT_EQ(names(net, bp_module_parameter_at),
            "0.weight 0.bias 1.0.weight 1.0.bias 1.1.weight 1.1.bias");
  EXPECT_EQ(names(net, bp_module_buffer_at),
            "1.1.running_mean 1.1.running_var 1.1.num_batches_tracked");
  EXPECT_EQ(names(net, bp_module_parameter_at, 0), "");
  std::string modules;
  char name[64];
  bp_module* each = nullptr;
  for (uint32_t i = 0; bp_module_child_at(net.get(), BP_MODULE_RECURSE, i, name, sizeof name,
                                          nullptr, &each, nullptr) == BP_OK;
       ++i) {
    modules += std::string("[") + name + " " + bp_module_title(each) + "]";
    bp_module_release(each);
  }
  EXPECT_EQ(modules, "[ Sequential][0 Linear][1 Sequential][1.0 Linear][1.1 BatchNorm1d][2 ReLU]");
  EXPECT_EQ(
      text(net),
      "Sequential(\n  (0): Linear(in_features=4, out_features=3, bias=True)\n  (1): Sequential(\n    (0): "
      "Linear(in_features=3, out_features=2, bias=True)\n    (1): BatchNorm1d(2, eps=1e-05, momentum=0.1, affine=True, "
      "bias=True, track_running_stats=True)\n  )\n  (2): ReLU()\n)");
}

TEST(Module, ListsSharedParametersOnce) {
  const M a = linear(3, 3);
  const M net = sequential(a, module("relu"), a);
  EXPECT_EQ(names(net, bp_module_parameter_at), "0.weight 0.bias");
  EXPECT_EQ(names(net, bp_module_parameter_at, BP_MODULE_RECURSE | BP_MODULE_DUPLICATES),
            "0.weight 0.bias 2.weight 2.bias");
}

TEST(Module, FindsByPathAndSaysWhatThereIs) {
  const M net = sequential(linear(4, 3));
  EXPECT_EQ(shape_of(named(net, "0.weight")), (Shape{3, 4}));
  EXPECT_EQ(refusal(bp_module_get, net.get(), "0.wait").message,
            "Linear has no attribute `wait`; it has weight, bias");
  EXPECT_EQ(refusal(bp_module_get, net.get(), "1.weight").status, BP_NOT_FOUND);
}

TEST(Module, RefusesNamesThatAreTakenAndModulesInsideThemselves) {
  const M net = sequential(linear(2, 2)), outer = sequential(net);
  const T t = counting<float>({2});
  EXPECT_EQ(attempt(bp_module_set_buffer, net.get(), "0", t.get(), 1u).message,
            "attribute '0' already exists");
  EXPECT_EQ(attempt(bp_module_set_parameter, net.get(), "a.b", t.get()).message,
            "parameter name can't contain \".\", got: a.b");
  EXPECT_EQ(attempt(bp_module_set_parameter, net.get(), "", t.get()).message,
            "parameter name can't be empty string \"\"");
  EXPECT_EQ(attempt(bp_module_append, net.get(), outer.get()).message,
            "Sequential cannot be inside itself, as '1'");
  EXPECT_EQ(attempt(bp_module_append, net.get(), net.get()).status, BP_INVALID_ARGUMENT);
  ASSERT_EQ(bp_tensor_set_requires_grad(t.get(), 1, nullptr), BP_OK);
  const T made_of = made(bp_add, t.get(), t.get());
  EXPECT_NE(attempt(bp_module_set_parameter, net.get(), "p", made_of.get())
                .message.find("Cannot assign non-leaf Tensor"),
            std::string::npos);
}

TEST(Module, MovesInPlace) {
  if (!has_kind("sim")) GTEST_SKIP() << "the sim backend is not built";
  const M net =
      sequential(linear(3, 2), module("batch_norm1d", {attr("num_features", int64_t{2})}));
  const auto before = listed(net.get(), bp_module_parameter_at),
             buffers = listed(net.get(), bp_module_buffer_at);
  const T x = counting<float>({4, 3});
  const T y = run(net, x);
  bp_tensor *roots[] = {y.get()}, *grads[] = {y.get()};
  ASSERT_EQ(bp_backward(roots, grads, 1, 0, nullptr), BP_OK);
  const T grad = grad_of(before[0].second);
  const auto weight = values<float>(before[0].second), was = values<float>(grad);
  ASSERT_EQ(bp_module_to(net.get(), device("sim:1"), BP_DTYPE_NONE, 0, nullptr), BP_OK);
  for (const auto& list : {&before, &buffers})
    for (const auto& [name, t] : *list) {
      EXPECT_EQ(named(net, name.c_str()).get(), t.get()) << name;
      EXPECT_EQ(bp_tensor_device(t.get()), device("sim:1")) << name;
    }
  EXPECT_EQ(grad_of(before[0].second).get(), grad.get());
  EXPECT_EQ(bp_tensor_device(grad.get()), device("sim:1"));
  EXPECT_EQ(values<float>(to(grad, kCpu)), was);
  EXPECT_EQ(values<float>(to(before[0].second, kCpu)), weight);
  EXPECT_EQ(bp_tensor_requires_grad(before[0].second.get()), 1u);
  EXPECT_EQ(bp_tensor_is_leaf(before[0].second.get()), 1u);
  EXPECT_EQ(bp_tensor_device(run(net, to(x, device("sim:1"))).get()), device("sim:1"));
}

TEST(Module, ConvertsFloatingEntriesAlone) {
  const M net = module("batch_norm1d", {attr("num_features", int64_t{2})});
  ASSERT_EQ(bp_module_to(net.get(), 0, BP_F64, 0, nullptr), BP_OK);
  EXPECT_EQ(bp_tensor_dtype(named(net, "weight").get()), BP_F64);
  EXPECT_EQ(bp_tensor_dtype(named(net, "running_var").get()), BP_F64);
  EXPECT_EQ(bp_tensor_dtype(named(net, "num_batches_tracked").get()), BP_I64);
  EXPECT_EQ(
      attempt(bp_module_to, net.get(), bp_device{0}, BP_I32, 0u).message,
      "nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=torch.int32");
}

TEST(Module, MovesOneDeviceOrOneDtypeAlone) {
  if (!has_kind("sim")) GTEST_SKIP() << "the sim backend is not built";
  const M net = sequential(linear(2, 2), linear(2, 2, device("sim:0")));
  ASSERT_EQ(bp_module_move(net.get(), device("sim:0"), BP_DTYPE_NONE, device("sim:1"),
                           BP_DTYPE_NONE, 0, nullptr),
            BP_OK);
  EXPECT_EQ(bp_tensor_device(named(net, "0.weight").get()), kCpu);
  EXPECT_EQ(bp_tensor_device(named(net, "1.weight").get()), device("sim:1"));
  const M half = linear(2, 2);
  ASSERT_EQ(bp_module_to(half.get(), 0, BP_F16, 0, nullptr), BP_OK);
  append(net, half);
  ASSERT_EQ(bp_module_move(net.get(), 0, BP_F16, 0, BP_BF16, 0, nullptr), BP_OK);
  EXPECT_EQ(bp_tensor_dtype(named(net, "2.bias").get()), BP_BF16);
  EXPECT_EQ(bp_tensor_dtype(named(net, "0.bias").get()), BP_F32);
}

TEST(Module, NamesItselfInErrors) {
  const M net = sequential(sequential(linear(4, 3)), linear(5, 1));
  const Answer wrong = fails(net, counting<float>({2, 4}));
  EXPECT_EQ(wrong.message,
            "net.1 (Linear): mat1 and mat2 shapes cannot be multiplied (2x3 and 5x1)");
  EXPECT_EQ(wrong.status, BP_INVALID_ARGUMENT);
  ASSERT_EQ(bp_module_set_name(net.get(), "digits", nullptr), BP_OK);
  bp_error* e = nullptr;
  bp_tensor *out = nullptr, *in[] = {nullptr};
  EXPECT_LT(bp_module_forward(net.get(), in, 1, &out, 1, &e), 0);
  EXPECT_EQ(std::string(bp_error_message(e, nullptr)),
            "digits (Sequential): input 0 must not be NULL");
  EXPECT_TRUE(bp_error_flags(e) & BP_ERROR_IN_MODULE);
  bp_error_release(e);
  if (!has_kind("sim")) return;
  const T there = to(counting<float>({2, 4}), device("sim:0"));
  EXPECT_EQ(fails(net, there).message.substr(0, 62),
            "digits.0.0 (Linear): Expected all tensors to be on the same de");
}

// ---- modules of one's own ----

struct Doubling {
  int calls = 0, gone = 0;
};
bp_status twice(void* user, bp_module* m, bp_tensor* const* in, uint32_t, bp_tensor** out, uint32_t,
                bp_error** err) {
  ++static_cast<Doubling*>(user)->calls;
  bp_module* inner = nullptr;
  bp_status status = bp_module_get_child(m, "inner", &inner, err);
  bp_tensor* y = nullptr;
  if (status >= 0) status = bp_module_forward(inner, in, 1, &y, 1, err);
  if (status >= 0) status = bp_add(y, y, out, err);
  bp_tensor_release(y);
  bp_module_release(inner);
  return status;
}
M custom(bp_module_forward_fn f, Doubling* d) {
  bp_module_desc desc{};
  desc.struct_size = sizeof desc;
  desc.title = "Twice";
  desc.forward = f;
  desc.user = d;
  desc.destroy = [](void* user) { ++static_cast<Doubling*>(user)->gone; };
  bp_module* m = nullptr;
  EXPECT_EQ(bp_module_custom(&desc, &m, nullptr), BP_OK);
  return M(m);
}

TEST(Module, RunsACallersForward) {
  Doubling d;
  {
    const M twice_linear = custom(twice, &d), inner = linear(2, 1);
    ASSERT_EQ(bp_module_set_child(twice_linear.get(), "inner", inner.get(), nullptr), BP_OK);
    const M net = sequential(twice_linear);
    const T x = counting<float>({3, 2}), y = run(net, x);
    EXPECT_EQ(values<float>(y),
              values<float>(made(bp_add, run(inner, x).get(), run(inner, x).get())));
    EXPECT_EQ(bp_tensor_requires_grad(y.get()), 1u);
    EXPECT_EQ(
        text(net),
        "Sequential(\n  (0): Twice(\n    (inner): Linear(in_features=2, out_features=1, bias=True)\n  )\n)");
    EXPECT_EQ(fails(net, counting<float>({3, 5})).message.substr(0, 22), "net.0.inner (Linear): ");
    EXPECT_EQ(d.calls, 2);
  }
  EXPECT_EQ(d.gone, 1);
}

TEST(Module, SaysWhatACallersForwardDidWrong) {
  Doubling d;
  const M silent = custom([](void*, bp_module*, bp_tensor* const*, uint32_t, bp_tensor**, uint32_t,
                             bp_error**) { return bp_status{-77}; },
                          &d);
  const M forgets = custom([](void*, bp_module*, bp_tensor* const*, uint32_t, bp_tensor**, uint32_t,
                              bp_error**) { return bp_status{0}; },
                           &d);
  const T x = counting<float>({1});
  EXPECT_EQ(fails(silent, x).message, "net (Twice): forward failed with -77");
  EXPECT_EQ(fails(forgets, x).message, "net (Twice): forward left output 0 empty");
  EXPECT_EQ(fails(module("module_list"), x).message,
            "net (ModuleList): Module [ModuleList] is missing the required \"forward\" function");
}

TEST(Module, HooksMayReplaceWhatGoesInAndComesOut) {
  const M net = module("identity");
  const auto add_one = [](void* user, bp_module*, bp_tensor* const*, uint32_t, bp_tensor** tensors,
                          uint32_t n, bp_error** err) {
    ++*static_cast<int*>(user);
    for (uint32_t i = 0; i < n; ++i) {
      bp_tensor* more = nullptr;
      const bp_status status = bp_add(tensors[i], tensors[i], &more, err);
      if (status < 0) return status;
      bp_tensor_release(tensors[i]);
      tensors[i] = more;
    }
    return bp_status{BP_OK};
  };
  int before = 0, after = 0;
  uint64_t first = 0, second = 0;
  ASSERT_EQ(bp_module_add_hook(net.get(), 1, add_one, &before, nullptr, &first, nullptr), BP_OK);
  ASSERT_EQ(bp_module_add_hook(net.get(), 0, add_one, &after, nullptr, &second, nullptr), BP_OK);
  EXPECT_EQ(values<float>(run(net, counting<float>({3}))), (std::vector<float>{0, 4, 8}));
  ASSERT_EQ(bp_module_remove_hook(net.get(), first, nullptr), BP_OK);
  EXPECT_EQ(values<float>(run(net, counting<float>({3}))), (std::vector<float>{0, 2, 4}));
  EXPECT_EQ(attempt(bp_module_remove_hook, net.get(), first).status, BP_NOT_FOUND);
  EXPECT_EQ(before, 1);
  EXPECT_EQ(after, 2);
}

// ---- lazy ----

TEST(LazyModule, TakesItsShapeFromTheFirstInputOnItsOwnDevice) {
  const M net = module("lazy_linear", {attr("out_features", int64_t{2})});
  const T weight = named(net, "weight");
  EXPECT_EQ(bp_tensor_shape(weight.get()), nullptr);
  EXPECT_EQ(bp_tensor_dtype(weight.get()), BP_F32);
  EXPECT_NE(refusal(bp_add, weight.get(), weight.get())
                .message.find("Attempted to use an uninitialized parameter in"),
            std::string::npos);
  EXPECT_EQ(text(net), "LazyLinear(in_features=0, out_features=2, bias=True)");
  const bp_device there = has_kind("sim") ? device("sim:1") : kCpu;
  ASSERT_EQ(bp_module_to(net.get(), there, BP_F64, 0, nullptr), BP_OK);
  EXPECT_EQ(bp_tensor_device(weight.get()), there);
  EXPECT_EQ(bp_tensor_shape(weight.get()), nullptr);
  const Answer elsewhere = has_kind("sim") ? fails(net, counting<double>({4, 3})) : Answer{};
  if (has_kind("sim")) {
    EXPECT_EQ(elsewhere.message.substr(0, 37), "net (Linear): Expected all tensors to");
  }
  EXPECT_EQ(shape_of(run(net, to(counting<double>({4, 3}), there))), (Shape{4, 2}));
  EXPECT_EQ(named(net, "weight").get(), weight.get());
  EXPECT_EQ(shape_of(weight), (Shape{2, 3}));
  EXPECT_EQ(bp_tensor_device(weight.get()), there);
  EXPECT_EQ(bp_tensor_requires_grad(weight.get()), 1u);
  EXPECT_EQ(text(net), "Linear(in_features=3, out_features=2, bias=True)");
  EXPECT_EQ(std::string(bp_module_kind(net.get())), "linear");
}

// ---- first values ----

TEST(ModuleInit, IsTheSameOnEveryDeviceAfterTheSameSeed) {
  if (!has_kind("sim")) GTEST_SKIP() << "the sim backend is not built";
  const auto weights = [](bp_device d) {
    EXPECT_EQ(bp_manual_seed(7, nullptr), BP_OK);
    std::vector<std::vector<float>> all;
    const M net = sequential(
        linear(4, 3, d),
        module("embedding", {attr("num_embeddings", int64_t{9}), attr("embedding_dim", int64_t{5})},
               d),
        module("conv2d",
               {attr("in_channels", int64_t{2}), attr("out_channels", int64_t{3}),
                attr("kernel_size", int64_t{3})},
               d),
        module("lstm", {attr("input_size", int64_t{3}), attr("hidden_size", int64_t{2})}, d));
    for (const auto& [name, p] : listed(net.get(), bp_module_parameter_at))
      all.push_back(values<float>(to(p, kCpu)));
    return all;
  };
  const auto here = weights(kCpu);
  EXPECT_EQ(here, weights(device("sim:0")));
  EXPECT_EQ(here, weights(device("sim:3")));
  EXPECT_NE(here[0], std::vector<float>(12, here[0][0]));
}

TEST(ModuleInit, StaysWithinPyTorchsBounds) {
  const M net = linear(100, 50);
  float most = 0;
  for (float v : values<float>(named(net, "weight"))) most = std::max(most, std::abs(v));
  EXPECT_LE(most, 0.1f);
  EXPECT_GT(most, 0.099f);
  const T t = tensor<float>({200, 300}, std::vector<float>(60000));
  const auto spread = [&] {
    double sum = 0;
    for (float v : values<float>(t)) sum += static_cast<double>(v) * v;
    return std::sqrt(sum / 60000);
  };
  ASSERT_EQ(bp_init_xavier_normal(t.get(), 2, nullptr), BP_OK);
  EXPECT_NEAR(spread(), 2 * std::sqrt(2.0 / 500), 2e-3);
  ASSERT_EQ(bp_init_kaiming_normal(t.get(), 0, "fan_out", "relu", nullptr), BP_OK);
  EXPECT_NEAR(spread(), std::sqrt(2.0 / 200), 2e-3);
  ASSERT_EQ(bp_init_trunc_normal(t.get(), 0, 1, -0.5, 2, nullptr), BP_OK);
  const auto v = values<float>(t);
  EXPECT_GE(*std::min_element(v.begin(), v.end()), -0.5f);
  EXPECT_LE(*std::max_element(v.begin(), v.end()), 2.0f);
  EXPECT_EQ(attempt(bp_init_kaiming_normal, t.get(), 0.0, "fan_up", "relu").message,
            "Mode fan_up not supported, please use one of ['fan_in', 'fan_out']");
}

TEST(ModuleInit, OrthogonalRowsAreOrthonormalTimesGain) {
  const T t = tensor<float>({3, 2, 2}, std::vector<float>(12));
  bp_tensor *q = nullptr, *upper = nullptr;
  const T square = tensor<float>({2, 2}, {1, 2, 3, 4});
  const Answer qr =
      attempt([&](bp_error** err) { return bp_qr(square.get(), 0, &q, &upper, err); });
  bp_tensor_release(q);
  bp_tensor_release(upper);
  if (qr.status == BP_UNSUPPORTED) GTEST_SKIP() << "no LAPACK here: " << qr.message;
  const Answer r = attempt(bp_init_orthogonal, t.get(), 2.0);
  ASSERT_EQ(r.status, BP_OK) << r.message;
  const auto v = values<float>(t);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      float dot = 0;
      for (int i = 0; i < 4; ++i)
        dot += v[static_cast<size_t>(4 * a + i)] * v[static_cast<size_t>(4 * b + i)];
      EXPECT_NEAR(dot, a == b ? 4 : 0, 1e-5);
    }
}

// ---- kinds that module_cases_test.cc leaves out ----

TEST(ModuleKind, AnEncodersLayersAreEqualAtFirstAndApart) {
  const M net = module(
      "transformer_encoder",
      {attr("d_model", int64_t{4}), attr("nhead", int64_t{2}), attr("dim_feedforward", int64_t{6}),
       attr("num_layers", int64_t{2}), attr("final_norm", int64_t{1}, BP_ATTR_BOOL)});
  const std::string all = names(net, bp_module_parameter_at);
  EXPECT_EQ(all.substr(0, 59), "layers.0.self_attn.in_proj_weight layers.0.self_attn.in_pro");
  EXPECT_NE(all.find("layers.1.norm2.bias norm.weight norm.bias"), std::string::npos) << all;
  const T a = named(net, "layers.0.linear1.weight"), b = named(net, "layers.1.linear1.weight");
  EXPECT_EQ(values<float>(a), values<float>(b));
  EXPECT_EQ(bp_tensor_same_storage(a.get(), b.get()), 0u);
  EXPECT_EQ(shape_of(run(net, counting<float>({3, 2, 4}))), (Shape{3, 2, 4}));
}

TEST(ModuleKind, ChannelDropoutTakesWholeChannels) {
  const M net = module("dropout2d", {attr("p", 0.5)});
  const auto v = values<float>(run(net, tensor<float>({8, 8, 2, 2}, std::vector<float>(256, 1))));
  size_t zeros = 0;
  for (size_t c = 0; c < 64; ++c) {
    for (size_t i = 1; i < 4; ++i) EXPECT_EQ(v[4 * c], v[4 * c + i]);
    EXPECT_TRUE(v[4 * c] == 0 || v[4 * c] == 2) << v[4 * c];
    zeros += v[4 * c] == 0;
  }
  EXPECT_GT(zeros, 15u);
  EXPECT_LT(zeros, 49u);
}

TEST(ModuleKind, BinaryCrossEntropyIsThatOfTheSigmoid) {
  const M of_probabilities = module("bce_loss"), of_scores = module("bce_with_logits_loss");
  const T x = tensor<float>({3}, {-1, 0, 2}), target = tensor<float>({3}, {0, 1, 1}),
          p = made(bp_sigmoid, x.get());
  const auto loss = [&](const M& m, const T& input) {
    bp_tensor *in[] = {input.get(), target.get()}, *out = nullptr;
    EXPECT_EQ(bp_module_forward(m.get(), in, 2, &out, 1, nullptr), BP_OK);
    return values<float>(T(out))[0];
  };
  EXPECT_NEAR(loss(of_probabilities, p), loss(of_scores, x), 1e-6);
}

// ---- the rest ----

TEST(Module, TrainsAndEvaluates) {
  const M net = sequential(module("dropout", {attr("p", 0.5)}));
  const T x = tensor<float>({1000}, std::vector<float>(1000, 1));
  const auto dropped = values<float>(run(net, x));
  EXPECT_NEAR(static_cast<double>(std::count(dropped.begin(), dropped.end(), 0.0f)), 500, 100);
  ASSERT_EQ(bp_module_train(net.get(), 0, nullptr), BP_OK);
  EXPECT_EQ(values<float>(run(net, x)), std::vector<float>(1000, 1));
}

TEST(Module, ZeroGradTakesGradientsAwayOrMakesThemZeros) {
  const M net = linear(2, 1);
  const T y = run(net, counting<float>({1, 2}));
  bp_tensor* roots[] = {y.get()};
  ASSERT_EQ(bp_backward(roots, nullptr, 1, 0, nullptr), BP_OK);
  const T weight = named(net, "weight");
  EXPECT_EQ(values<float>(grad_of(weight)), (std::vector<float>{0, 1}));
  ASSERT_EQ(bp_module_zero_grad(net.get(), 1, nullptr), BP_OK);
  EXPECT_EQ(values<float>(grad_of(weight)), (std::vector<float>{0, 0}));
  ASSERT_EQ(bp_module_zero_grad(net.get(), 0, nullptr), BP_OK);
  EXPECT_FALSE(grad_of(weight));
}

TEST(Module, AClonesTensorsAreItsOwn) {
  const M a = linear(3, 3), net = sequential(a, a);
  bp_module* made = nullptr;
  ASSERT_EQ(bp_module_clone(net.get(), &made, nullptr), BP_OK);
  const M copy(made);
  EXPECT_EQ(names(copy, bp_module_parameter_at), "0.weight 0.bias");  // still one, twice
  EXPECT_EQ(values<float>(named(copy, "0.weight")), values<float>(named(net, "0.weight")));
  EXPECT_EQ(bp_tensor_same_storage(named(copy, "0.weight").get(), named(net, "0.weight").get()),
            0u);
  EXPECT_EQ(bp_tensor_requires_grad(named(copy, "0.weight").get()), 1u);
}

TEST(Module, SummaryIsATable) {
  const M net = sequential(linear(4, 3), module("relu"));
  const T x = counting<float>({2, 4});
  bp_tensor* in[] = {x.get()};
  EXPECT_EQ(text_of([&](char* b, uint64_t n) {
              return bp_module_summary(net.get(), in, 1, b, n, nullptr, nullptr);
            }),
            "layer       result  parameters  bytes  device\n"
            "Sequential  [2, 3]           0      0  -\n"
            "  0 Linear  [2, 3]          15     60  cpu\n"
            "  1 ReLU    [2, 3]           0      0  -\n"
            "total                       15     60  -\n");
  EXPECT_EQ(bp_module_is_training(net.get()), 1u);
}

TEST(Module, ChangedDataIsNoticedByBackward) {
  const T w = tensor<float>({1}, {1}), x = tensor<float>({1}, {2}), other = tensor<float>({1}, {5});
  ASSERT_EQ(bp_tensor_set_requires_grad(w.get(), 1, nullptr), BP_OK);
  ASSERT_EQ(bp_tensor_set_requires_grad(x.get(), 1, nullptr), BP_OK);
  const T y = made(bp_mul, w.get(), x.get());  // saves w
  ASSERT_EQ(bp_tensor_set_data(w.get(), other.get(), nullptr), BP_OK);
  bp_tensor* roots[] = {y.get()};
  const Answer r = attempt(bp_backward, static_cast<bp_tensor* const*>(roots),
                           static_cast<bp_tensor* const*>(nullptr), 1u, 0u);
  EXPECT_EQ(r.status, BP_BAD_STATE);
  EXPECT_NE(r.message.find("modified by an inplace operation"), std::string::npos) << r.message;
}

TEST(ModuleKind, SaysWhatItTakes) {
  ASSERT_GT(bp_module_kind_count(), 60u);
  for (uint32_t i = 0; i < bp_module_kind_count(); ++i) {
    bp_module_kind_info k{};
    k.struct_size = sizeof k;
    ASSERT_EQ(bp_module_kind_at(i, &k, nullptr), BP_OK);
    EXPECT_GT(std::string(k.doc).size(), 5u) << k.name;
    for (uint32_t a = 0; a < k.n_attrs; ++a) {
      bp_attr_info i{};
      i.struct_size = sizeof i;
      ASSERT_EQ(bp_module_kind_attr(k.name, a, &i, nullptr), BP_OK);
      EXPECT_GT(std::string(i.doc).size(), 2u) << k.name << "." << i.default_value.name;
    }
  }
  EXPECT_EQ(
      attempt(bp_module_kind_find, "conv2", static_cast<bp_module_kind_info*>(nullptr)).message,
      "no kind of modules is named 'conv2'; the nearest is 'conv2d'");
  bp_module* m = nullptr;
  const bp_attr wrong[] = {attr("in_features", 2.5), attr("out_features", int64_t{1})};
  EXPECT_EQ(attempt(bp_module_create, "linear", wrong, 2u, kCpu, BP_F32, &m).message,
            "Linear: in_features is a number, expected an integer");
  EXPECT_EQ(attempt(bp_module_create, "linear", wrong + 1, 1u, kCpu, BP_F32, &m).message,
            "Linear: attribute 'in_features' must be given");
}

}  // namespace
}  // namespace bp_test
