// SPDX-License-Identifier: Apache-2.0
// What somebody who comes from libtorch writes: each expression compiles and has its value. The
// table of docs/cpp.md lists them beside libtorch's.
#include <gtest/gtest.h>

#include <complex>
#include <cstdlib>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "backplane.hpp"

namespace bp = backplane;
namespace nn = backplane::nn;
namespace optim = backplane::optim;

namespace {

using Floats = std::vector<float>;
using Bools = std::vector<bool>;
using Longs = std::vector<std::int64_t>;

const bp::Tensor& x() {
  static const bp::Tensor t = bp::tensor({{1.0, 2.0}, {3.0, 4.0}});
  return t;
}

template <class F>
std::string refused(F&& f, bp_status status) {
  try {
    f();
  } catch (const bp::Error& e) {
    EXPECT_EQ(e.status(), status);
    return e.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST(CppLists, OfListsBecomeTensorsOfTheirShape) {
  EXPECT_EQ(x().shape(), (bp::Shape{2, 2}));
  EXPECT_EQ(x().dtype(), bp::f32);
  EXPECT_EQ(x().read<float>(), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(bp::tensor({1, 2, 3}).read<std::int64_t>(), (Longs{1, 2, 3}));
  EXPECT_EQ(bp::tensor({true, false}).read<bool>(), (Bools{true, false}));
  EXPECT_EQ(bp::tensor({1, 2}, bp::f64).dtype(), bp::f64);
  EXPECT_EQ(bp::tensor({{{1}}}).shape(), (bp::Shape{1, 1, 1}));
  EXPECT_EQ(bp::tensor(2.5).item<double>(), 2.5);
  EXPECT_EQ(bp::tensor({1, 2.5}).read<float>(), (Floats{1, 2.5}));
  EXPECT_EQ(bp::tensor({std::complex<double>(1, 2), 3}).dtype(), bp::c64);
  EXPECT_TRUE(bp::tensor({1.0}, {.requires_grad = true}).requires_grad());
  EXPECT_EQ(refused(
                [] {
                  bp::tensor({{1, 2}, {3}});
                },
                BP_INVALID_ARGUMENT),
            "tensor: lists of one list have the shapes [2] and [1]");
}

TEST(CppFactories, TakeDtypesDevicesAndOptions) {
  EXPECT_EQ(bp::zeros({2, 3}, bp::f64).dtype(), bp::f64);
  EXPECT_EQ(bp::ones({2}, {.dtype = bp::f32, .device = "null:1"}).device().str(), "null:1");
  EXPECT_EQ(bp::full({2}, 7).read<std::int64_t>(), (Longs{7, 7}));
  EXPECT_TRUE(bp::zeros({2}, {.requires_grad = true}).requires_grad());
  EXPECT_EQ(bp::arange(4).read<std::int64_t>(), (Longs{0, 1, 2, 3}));
  EXPECT_EQ(bp::arange(1, 4, {.dtype = bp::f32}).read<float>(), (Floats{1, 2, 3}));
  EXPECT_EQ(bp::arange(0, 1, 0.5).read<float>(), (Floats{0, 0.5}));
  EXPECT_EQ(bp::arange(2, bp::f64).dtype(), bp::f64);
  EXPECT_EQ(bp::linspace(0, 1, 3).read<float>(), (Floats{0, 0.5, 1}));
  EXPECT_EQ(bp::zeros(3).shape(), (bp::Shape{3}));
  EXPECT_EQ(x().new_zeros({2}, BP_DTYPE_NONE).dtype(), bp::f32);
  EXPECT_EQ(x().new_full({1}, 2).item<int>(), 2);
  EXPECT_EQ(x().new_ones({3}, bp::i8).dtype(), bp::i8);
  EXPECT_EQ(x().new_empty({4, 0}).numel(), 0);
}

TEST(CppFactories, DrawTheSameNumbersAfterTheSameSeed) {
  bp::manual_seed(3);
  const bp::Tensor a = bp::rand({2, 3}), n = bp::randn({5}, bp::f64);
  bp::manual_seed(3);
  EXPECT_EQ(a.read<float>(), bp::rand({2, 3}).read<float>());
  EXPECT_EQ(n.read<double>(), bp::randn({5}, bp::f64).read<double>());
  EXPECT_TRUE(bp::all(a < 1).item<bool>());
  EXPECT_EQ(bp::randint({2}, 4, bp::i64, /*low=*/3).read<std::int64_t>(), (Longs{3, 3}));
  EXPECT_EQ(bp::rand_like(n).dtype(), bp::f64);
  const bp::Tensor order = bp::randperm(6);
  EXPECT_EQ(std::get<0>(order.sort()).read<std::int64_t>(), (Longs{0, 1, 2, 3, 4, 5}));
}

TEST(CppGenerator, CountsItsDraws) {
  bp::Generator g(42);
  const auto [seed, offset] = g.reserve(6);
  EXPECT_EQ(seed, 42);
  EXPECT_EQ(offset, 0);
  EXPECT_EQ(g.state().second, 8U);
  const bp::Tensor t = bp::uniform({6}, bp::f32, 0, 1, seed, offset);
  bp::manual_seed(42);
  EXPECT_EQ(bp::rand({6}).read<float>(), t.read<float>());
  EXPECT_EQ(bp::Generator::of("cpu").state().second, 8U);
}

TEST(CppComparisons, AreElementwiseAndNoConditions) {
  EXPECT_EQ((x() == x().t()).read<bool>(), (Bools{true, false, false, true}));
  EXPECT_EQ((x() != 1).read<bool>(), (Bools{false, true, true, true}));
  EXPECT_EQ((x() < 2).read<bool>(), (Bools{true, false, false, false}));
  EXPECT_EQ((2 == x()).read<bool>(), (Bools{false, true, false, false}));
  EXPECT_TRUE(bp::all(x() == x()).item<bool>());
  static_assert(!std::is_constructible_v<bool, bp::Tensor>, "if (x == y) does not compile");
  EXPECT_EQ((~(x() > 1) & (x() >= 1)).read<bool>(), (Bools{true, false, false, false}));
}

TEST(CppMethods, AreTheOpsOfTheTable) {
  EXPECT_EQ(x().sum().item<float>(), 10);
  EXPECT_EQ(x().sum(1).read<float>(), (Floats{3, 7}));
  EXPECT_EQ(x().sum({0, 1}, /*keepdims=*/true).shape(), (bp::Shape{1, 1}));
  EXPECT_EQ(x().mean(0).read<float>(), (Floats{2, 3}));
  EXPECT_EQ(x().pow(2).read<float>(), (Floats{1, 4, 9, 16}));
  EXPECT_EQ(x().mm(x()).read<float>(), (Floats{7, 10, 15, 22}));
  EXPECT_EQ(x().t().read<float>(), x().transpose(0, 1).read<float>());
  EXPECT_EQ(x().argmax(1).read<std::int64_t>(), (Longs{1, 1}));
  EXPECT_EQ(x().clamp(2, 3).read<float>(), (Floats{2, 2, 3, 3}));
  EXPECT_EQ(x().softmax(1).sum(1).read<float>(), (Floats{1, 1}));
  EXPECT_EQ(std::get<0>(x().sort(1, /*descending=*/true)).read<float>(), (Floats{2, 1, 4, 3}));
  EXPECT_EQ((-x()).abs().max().item<float>(), 4);
  EXPECT_EQ(x().view({4}).read<float>(), x().flatten().read<float>());
  EXPECT_EQ(x().unsqueeze(0).squeeze(0).dim(), 2);
  EXPECT_EQ(refused([] { x().mm(bp::ones({3})); }, BP_INVALID_ARGUMENT),
            "mm: the operands have 2 and 1 dimensions, not 2 and 2");
  EXPECT_EQ(bp::ones({2, 1, 3}).bmm(bp::ones({2, 3, 1})).sum().item<int>(), 6);
  EXPECT_EQ(bp::tensor({3.0, 4.0}).norm().item<float>(), 5);
}

TEST(CppMethods, WithAnUnderscoreWriteInPlace) {
  const bp::Tensor t = bp::tensor({-1.0, 4.0});
  const bp::Tensor same = t;
  t.relu_().sqrt_().add_(1).mul_(t);
  EXPECT_EQ(same.read<float>(), (Floats{1, 9}));
  t.masked_fill_(t > 5, 0);
  EXPECT_EQ(same.read<float>(), (Floats{1, 0}));
  t.masked_fill_(t == 0, bp::tensor(7.0));
  EXPECT_EQ(same.read<float>(), (Floats{1, 7}));
  bp::Tensor z = t;
  z += 1;
  z.zero_();
  EXPECT_EQ(same.read<float>(), (Floats{0, 0}));
  bp::sum_out(t, x(), 0);
  bp::uniform_out(z.slice(0, 1), 3, 3.5);
  EXPECT_EQ(same[0].item<float>(), 4);
  EXPECT_GE(same[1].item<float>(), 3);
}

TEST(CppFunctions, HavePyTorchsNamesToo) {
  EXPECT_EQ(bp::cat({x(), x()}, 1).shape(), (bp::Shape{2, 4}));
  EXPECT_EQ(bp::stack({x(), x()}).shape(), (bp::Shape{2, 2, 2}));
  EXPECT_EQ(bp::where(x() > 2, x(), 0).read<float>(), (Floats{0, 0, 3, 4}));
  EXPECT_EQ(bp::where(x() > 2, x(), -x()).read<float>(), (Floats{-1, -2, 3, 4}));
  EXPECT_EQ(bp::einsum({x(), x()}, "ij,jk->ik").read<float>(), (Floats{7, 10, 15, 22}));
  EXPECT_EQ(bp::lerp(x(), x() * 3, 0.5).read<float>(), (Floats{2, 4, 6, 8}));
  EXPECT_EQ(bp::cross_entropy(x(), bp::tensor({1, 1})).rank(), 0);
}

TEST(CppIndex, TakesPartsLikePythonsBrackets) {
  using bp::Slice;
  const bp::Tensor t = bp::arange(12).reshape({3, 4});
  EXPECT_EQ(t.index({Slice(0, 2), Slice()}).read<std::int64_t>(), (Longs{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(t.index({-1, Slice(bp::None, bp::None, 2)}).read<std::int64_t>(), (Longs{8, 10}));
  EXPECT_EQ(t.index({bp::Ellipsis, 1}).read<std::int64_t>(), (Longs{1, 5, 9}));
  EXPECT_EQ(t.index({bp::None, bp::Ellipsis, bp::None}).shape(), (bp::Shape{1, 3, 4, 1}));
  EXPECT_EQ(t.index({Slice(), bp::tensor({3, 0})}).read<std::int64_t>(),
            (Longs{3, 0, 7, 4, 11, 8}));
  EXPECT_EQ(t.index({1, bp::tensor({3, 0})}).read<std::int64_t>(), (Longs{7, 4}));
  EXPECT_EQ(t.index({t > 9}).read<std::int64_t>(), (Longs{10, 11}));
  EXPECT_EQ(t[t % 4 == 0].read<std::int64_t>(), (Longs{0, 4, 8}));
  EXPECT_EQ(t[Slice(bp::None, 1)].shape(), (bp::Shape{1, 4}));
  EXPECT_EQ(t[bp::None].shape(), (bp::Shape{1, 3, 4}));
  EXPECT_EQ(t.index({bp::Tensor(), bp::tensor({1})}).read<std::int64_t>(), (Longs{1, 5, 9}));
  EXPECT_TRUE(t.index({Slice()}).shares_storage(t));
  EXPECT_EQ(refused(
                [&] {
                  t.index({0, 0, 0});
                },
                BP_INDEX_OUT_OF_RANGE),
            "too many indices for tensor of dimension 2: 3");
  EXPECT_EQ(refused(
                [&] {
                  t.index({bp::Ellipsis, bp::Ellipsis});
                },
                BP_INVALID_ARGUMENT),
            "an index has one Ellipsis, not 2");
}

TEST(CppIndex, WritesWhatIsAssigned) {
  using bp::Slice;
  bp::Tensor t = bp::zeros({2, 3});
  t[0][1] = 3;
  t[1] = bp::tensor({4.0, 5.0, 6.0});
  EXPECT_EQ(t.read<float>(), (Floats{0, 3, 0, 4, 5, 6}));
  t.index({Slice(), 2}) = -1;
  t.index_put_({0, Slice(0, 1)}, 9);
  t.index_put_({t == 5}, 0);
  t.index_put_({bp::tensor({0, 0})}, bp::ones({3}), /*accumulate=*/true);
  EXPECT_EQ(t.read<float>(), (Floats{11, 5, 1, 4, 0, -1}));
  t.index_put_({1}, 1, /*accumulate=*/true);
  EXPECT_EQ(t[1].read<float>(), (Floats{5, 1, 0}));
  bp::Tensor row = t[0];
  row = t[1];  // a name that is assigned to stands for another tensor
  EXPECT_EQ(t[0].read<float>(), (Floats{11, 5, 1}));
}

TEST(CppData, IsSeenAsPointersSpansAndRows) {
  bp::Tensor t = x().clone();
  EXPECT_EQ(t.data<float>()[3], 4);
  t.data<float>()[0] = 9;
  float sum = 0;
  for (const float v : t.span<const float>()) sum += v;
  EXPECT_EQ(sum, 18);
  std::vector<float> sums;
  for (const bp::Tensor row : t) sums.push_back(row.sum().item<float>());
  EXPECT_EQ(sums, (Floats{11, 7}));
  Floats mine{1, 2};
  const bp::Tensor view = bp::borrow(std::span<float>(mine));
  mine[1] = 5;
  EXPECT_EQ(view.read<float>(), (Floats{1, 5}));
  EXPECT_EQ(bp::tensor(std::span<const float>(mine)).numel(), 2);
  EXPECT_EQ(refused([&] { t.data<double>(); }, BP_DTYPE_MISMATCH),
            "data: the tensor is float32, the C++ type float64; convert it with to(dtype) first");
  EXPECT_NE(refused([&] { t.t().span<float>(); }, BP_INVALID_ARGUMENT), "");
  EXPECT_NE(refused([&] { bp::zeros({2}, bp::f32, "null:0").span<float>(); }, BP_DEVICE_MISMATCH),
            "");
  EXPECT_EQ(refused(
                [] {
                  for (const bp::Tensor row : bp::tensor(1)) (void)row;
                },
                BP_INVALID_ARGUMENT),
            "iteration over a 0-d tensor");
}

TEST(CppDtype, IsAValueWithAName) {
  static_assert(BP_DTYPE_COUNT == 15, "backplane_base.hpp has a short name for each dtype");
  std::ostringstream text;
  text << x().dtype() << ' ' << bp::bf16;
  EXPECT_EQ(text.str(), "float32 bfloat16");
  EXPECT_EQ(bp::f64.bytes(), 8U);
  EXPECT_EQ(bp::i8.kind(), BP_DTYPE_KIND_SIGNED);
  EXPECT_EQ(bp::limits(bp::f32).largest, 3.4028234663852886e38);
  EXPECT_EQ(x().to(bp::i64).dtype(), BP_I64);
  EXPECT_EQ(x().to("null:0").device().str(), "null:0");
  EXPECT_EQ(x().to({.dtype = bp::f64}).dtype(), bp::f64);
  const bp::DefaultDtypeGuard guard(bp::f64);
  EXPECT_EQ(bp::tensor({1.0}).dtype(), bp::f64);
  EXPECT_EQ(bp::default_dtype(), bp::f64);
}

TEST(CppGradients, GoBackThroughMethodsGuardsAndHooks) {
  bp::Tensor w = bp::ones({2}, {.requires_grad = true});
  w.register_hook([](const bp::Tensor& grad) { return grad * 10; });
  int seen = 0;
  const std::uint64_t id = w.register_hook([&](const bp::Tensor&) { ++seen; });
  w.register_accumulated_hook([&](const bp::Tensor& leaf) { seen += leaf.is_leaf() ? 100 : 0; });
  bp::Tensor y = (w * 3).sum();
  EXPECT_EQ(y.grad_fn(), "SumBackward0");
  y.backward();
  EXPECT_EQ(w.grad().read<float>(), (Floats{30, 30}));
  EXPECT_EQ(seen, 101);
  w.remove_hook(id);
  {
    const bp::NoGradGuard guard;
    EXPECT_FALSE((w * 2).requires_grad());
    const bp::EnableGradGuard again;
    EXPECT_TRUE((w * 2).requires_grad());
    EXPECT_TRUE(bp::grad_enabled());
  }
  bp::Tensor middle = w * 2;
  middle.retain_grad();
  middle.sum().backward();
  EXPECT_EQ(middle.grad().read<float>(), (Floats{1, 1}));
  EXPECT_EQ(seen, 201);
  w.register_hook([](const bp::Tensor&) { throw std::runtime_error("no further"); });
  EXPECT_EQ(refused([&] { (w * 1).sum().backward(); }, BP_CALLBACK), "no further");
}

TEST(CppGradients, AreWhatAFunctionOfTheProgramsOwnSays) {
  bp::Tensor w = bp::tensor({2.0, 3.0}, {.requires_grad = true});
  const auto cube = bp::apply_function(
      "Cube", {w},
      [](const std::vector<bp::Tensor>& in, std::vector<bp::Tensor>& saved) {
        saved = in;
        return std::vector<bp::Tensor>{in[0].pow(3)};
      },
      [](const std::vector<bp::Tensor>& saved, const std::vector<bp::Tensor>& grads) {
        return std::vector<bp::Tensor>{grads[0] * 3 * saved[0].square()};
      });
  EXPECT_EQ(cube[0].grad_fn(), "Cube");
  cube[0].sum().backward();
  EXPECT_EQ(w.grad().read<float>(), (Floats{12, 27}));
}

TEST(CppLayers, HaveNamedOptions) {
  nn::Linear layer(3, 4, {.bias = false});
  EXPECT_EQ(layer.str(), "Linear(in_features=3, out_features=4, bias=False)");
  EXPECT_EQ(layer(bp::ones({2, 3})).shape(), (bp::Shape{2, 4}));
  EXPECT_EQ(nn::Conv2d(1, 2, 3, {.padding = "same", .bias = false}).str(),
            "Conv2d(1, 2, kernel_size=(3, 3), stride=(1, 1), padding=same, bias=False)");
  EXPECT_EQ(nn::Conv2d(1, 2, {3, 1}, {.padding = {1, 0}})(bp::ones({1, 1, 4, 4})).shape(),
            (bp::Shape{1, 2, 4, 4}));
  EXPECT_EQ(nn::Dropout(0.25).str(), "Dropout(p=0.25, inplace=False)");
  EXPECT_EQ(nn::Softmax(1)(x()).sum(1).read<float>(), (Floats{1, 1}));
  EXPECT_EQ(nn::MaxPool2d(2)(bp::ones({1, 1, 4, 4})).shape(), (bp::Shape{1, 1, 2, 2}));
  EXPECT_EQ(nn::Linear(2, 2, {.dtype = bp::f64})["weight"].dtype(), bp::f64);
  bp::Module net = nn::Sequential(nn::Linear(3, 8), nn::ReLU(), nn::Linear(8, 1));
  EXPECT_EQ(net.named_children().size(), 3U);
  EXPECT_EQ(nn::ModuleDict({{"head", nn::ReLU()}}).child("head").kind(), "relu");
  EXPECT_EQ(nn::ModuleList({nn::ReLU(), net}).named_children()[1].first, "1");
  EXPECT_EQ(net.named_modules()[1].second.title(), "Linear");
  EXPECT_EQ(nn::CrossEntropyLoss()(bp::ones({2, 3}), bp::tensor({0, 1})).rank(), 0);
  EXPECT_EQ(nn::LSTM(3, 5).forward({bp::ones({2, 3})}, 3)[0].shape(), (bp::Shape{2, 5}));
  EXPECT_NE(refused([] { nn::Linear(-1, 4); }, BP_INVALID_ARGUMENT), "");
}

TEST(CppLayers, AreOfKindsThatReflectionLists) {
  for (const bp::KindInfo& kind : bp::module_kinds())
    EXPECT_EQ(bp::module_kind(kind.name).title, kind.title);
  EXPECT_EQ(bp::module_kind("linear").attributes.at(2).default_value.name, std::string("bias"));
  EXPECT_NE(refused([] { bp::module_kind("linea"); }, BP_NOT_FOUND).find("linear"),
            std::string::npos);
}

TEST(CppLayers, RunHooksAndForwardsOfTheProgramsOwn) {
  nn::Linear layer(2, 1, {.bias = false});
  nn::init::constant(layer["weight"], 1);
  std::string order;
  layer.register_forward_pre_hook([&](const bp::Module&, const std::vector<bp::Tensor>& in) {
    order += "before ";
    return std::vector<bp::Tensor>{in[0] * 2};
  });
  const std::uint64_t id = layer.register_forward_hook(
      [&](const bp::Module& m, const std::vector<bp::Tensor>&, const std::vector<bp::Tensor>& out) {
        order += m.kind();
        return std::vector<bp::Tensor>{out[0] + 1};
      });
  EXPECT_EQ(layer(bp::ones({1, 2})).item<float>(), 5);
  EXPECT_EQ(order, "before linear");
  layer.remove_hook(id);
  EXPECT_EQ(layer(bp::ones({1, 2})).item<float>(), 4);
  EXPECT_EQ(layer.kind_forward({bp::ones({1, 2})}, 1)[0].item<float>(), 2);
  layer.set_forward([](const bp::Module& m, const std::vector<bp::Tensor>& in) {
    EXPECT_EQ(bp::InModule::where(), "net (Linear)");
    return m.kind_forward(in, 1)[0] - 1;
  });
  EXPECT_EQ(layer(bp::ones({1, 2})).item<float>(), 3);
  layer.set_forward(nullptr);
  bp::Module net = nn::Sequential(layer);
  int n = 0;
  net.apply([&](bp::Module&) { ++n; });
  EXPECT_EQ(n, 2);
  EXPECT_THROW(net.apply([](bp::Module&) { throw 7; }), int);
  net.requires_grad_(false);
  EXPECT_FALSE(layer["weight"].requires_grad());
  net.move("cpu", bp::f32, "cpu", bp::f64);
  EXPECT_EQ(layer["weight"].dtype(), bp::f64);
}

TEST(CppOptimizers, HaveNamedOptions) {
  bp::Tensor w = bp::ones({1}, {.requires_grad = true});
  optim::SGD sgd({w}, {.lr = 0.5, .momentum = 0.9});
  (w * 2).sum().backward();
  sgd.step();
  EXPECT_EQ(w.item<float>(), 0);
  EXPECT_EQ(sgd.steps(0), 1);
  EXPECT_EQ(sgd.state("momentum_buffer", 0).item<float>(), 2);
  EXPECT_TRUE(sgd.parameters()[0].is(w));
  optim::StepLR schedule(sgd, 1, {.gamma = 0.1});
  schedule.step();
  EXPECT_FLOAT_EQ(static_cast<float>(sgd.attribute("lr")), 0.05F);
  EXPECT_EQ(optim::Adam({w}, 0.1).attribute("lr"), 0.1);
  EXPECT_EQ(bp::optimizer_kinds()[1].states[0], "exp_avg");
  EXPECT_EQ(bp::schedule_kinds()[0].name, "step");
}

TEST(CppOps, AreListedAndMayBeTheProgramsOwn) {
  const bp::Op sum = bp::op(BP_OP_SUM);
  EXPECT_EQ(sum.name, "sum");
  EXPECT_EQ(sum.inputs, std::vector<std::string>{"x"});
  EXPECT_EQ(sum.attributes[1].default_value.name, std::string("keepdims"));
  EXPECT_TRUE(bp::op_supported(BP_OP_SUM, bp::f32, BP_KIND_CPU));
  const std::uint32_t twice = bp::register_op(
      {.name = "cpp_test.twice",
       .infer = [](const std::vector<bp_tensor_spec>& in) { return in; },
       .compose = [](const std::vector<bp::Tensor>& in) { return std::vector{in[0] * 2}; }});
  EXPECT_EQ(bp::invoke(twice, {x()})[0].sum().item<float>(), 20);
  EXPECT_EQ(bp::ops().back().name, "cpp_test.twice");

  const auto fill = [](void*, const bp_launch* launch, bp_error**) -> bp_status {
    *static_cast<float*>(launch->args[launch->n_in].data) = 42;
    return BP_OK;
  };
  const std::uint32_t kernel =
      bp::register_op({.name = "cpp_test.answer",
                       .infer = [](const std::vector<bp_tensor_spec>& in) { return in; }});
  EXPECT_NE(refused([&] { bp::invoke(kernel, {bp::ones({1})}); }, BP_UNSUPPORTED), "");
  bp::register_kernel(kernel, BP_KIND_CPU, fill);
  EXPECT_EQ(bp::invoke(kernel, {bp::ones({1})})[0].item<float>(), 42);
  const std::uint32_t wrong =
      bp::register_op({.name = "cpp_test.wrong", .infer = [](const std::vector<bp_tensor_spec>&) {
                         return std::vector<bp_tensor_spec>();
                       }});
  bp::register_kernel(wrong, BP_KIND_CPU, fill);
  EXPECT_EQ(refused([&] { bp::invoke(wrong, {bp::ones({1})}); }, BP_INVALID_ARGUMENT),
            "infer gave 0 outputs of 1");
}

TEST(CppRuntime, TellsAndSetsWhatTheProcessHas) {
  EXPECT_EQ(std::string(bp::version()), bp_version());
  EXPECT_EQ(bp::abi_version(), 1U);
  EXPECT_GE(bp::num_threads(), 1);
  EXPECT_EQ(std::string(bp::kind_name(BP_KIND_CPU)), "cpu");
  EXPECT_EQ(bp::require(BP_KIND_CPU), 1);
  EXPECT_EQ(bp::physical_devices(bp::Device("null").kind()).size(), 2U);
  const bp::Context here = bp::Context::capture();
  {
    const bp::DeviceGuard guard("null:1");
    EXPECT_EQ(bp::current_device(bp::Device("null").kind()).str(), "null:1");
    const bp::ContextGuard back(here);
    EXPECT_EQ(bp::default_device().str(), "cpu");
  }
  bp::set_default_device("null:0");
  EXPECT_EQ(bp::zeros({1}).device().str(), "null:0");
  EXPECT_EQ(bp::tensor({1.0}).device().str(), "null:0");
  bp::set_default_device({});
  bp::reset_peak_memory("cpu");
  bp::trim_memory("cpu");
  EXPECT_EQ(bp::memory_stats("cpu").peak_allocated_bytes, bp::memory_stats("cpu").allocated_bytes);
  EXPECT_EQ(refused([] { bp::init(); }, BP_BAD_STATE).empty(), false);
}

TEST(CppRuntime, EndsKindsAndItself) {
  const bp_kind null = bp::Device("null").kind();
  bp::set_current_device("null:1");
  EXPECT_EQ(bp::zeros({1}, bp::f32, "null").device().str(), "null:1");
  bp::set_memory_limit("cpu", 1 << 20);
  EXPECT_EQ(bp::memory_stats("cpu").limit_bytes, 1U << 20);
  EXPECT_NE(refused([] { bp::set_visible_devices("null:0"); }, BP_BAD_STATE), "");
  EXPECT_TRUE(bp::unload_kind(null));
  bp::set_visible_devices("null:0");
  EXPECT_EQ(bp::device_count(null), 1);
  bp::set_visible_devices(nullptr);
  bp::set_wait_callback(nullptr);
  const bp::Tensor t = bp::ones({1});
  EXPECT_TRUE(bp::shutdown());
  EXPECT_NE(refused([&] { t.sum(); }, BP_BAD_STATE), "");
  bp::init({.flags = BP_INIT_NO_ENV,
            .plugin_dirs = std::getenv("BACKPLANE_PLUGIN_PATH"),
            .allow = "cpu"});
  EXPECT_EQ(bp::ones({2}).sum().item<int>(), 2);
  EXPECT_EQ(bp::device_count(null), 0);
}

TEST(CppStream, IsMadeCurrentUntilItIsChanged) {
  const bp::Stream before = bp::Stream::current("null:0"), mine("null:0");
  bp::set_current_stream(mine);
  EXPECT_EQ(bp::Stream::current("null:0").get(), mine.get());
  bp::set_current_stream(before);
}

TEST(CppError, HasTheErrorThatLedToIt) {
  const bp::Error plain(BP_NOT_FOUND, "a text");
  const bp::Error copy = plain;
  EXPECT_STREQ(copy.what(), "a text");
  EXPECT_EQ(copy.status(), BP_NOT_FOUND);
  EXPECT_FALSE(copy.cause());
}

TEST(CppTensor, IsViewedInEveryWay) {
  const bp::Tensor z = bp::tensor({std::complex<double>(1, 2)});
  EXPECT_EQ(z.view_as_real().read<float>(), (Floats{1, 2}));
  EXPECT_EQ(z.view_as_real().view_as_complex().dtype(), bp::c64);
  EXPECT_EQ(x().as_strided({3}, {1}, 1).read<float>(), (Floats{2, 3, 4}));
  EXPECT_NE(refused([] { x().as_strided({3}, {}, 1); }, BP_INVALID_ARGUMENT), "");
  EXPECT_EQ(x()[1].offset(), 2);
  EXPECT_FALSE(x().alias().is(x()));
  bp::Tensor t = bp::zeros({1});
  t.set_data(x());
  EXPECT_TRUE(t.shares_storage(x()));
  EXPECT_EQ(x().dlpack_device().first, 1);
  const bp::Tensor same = bp::from_dlpack(x().to_dlpack_unversioned());
  EXPECT_TRUE(same.shares_storage(x()));
  bp::release_dlpack(x().to_dlpack());
}

}  // namespace
