// SPDX-License-Identifier: Apache-2.0
// Gradients and several devices, through the C++ binding.
#include <gtest/gtest.h>

#include "backplane.hpp"

namespace bp = backplane;

namespace {

// None without the sim backend.
std::vector<bp::Device> two_sims() {
  std::vector<bp::Device> out;
  for (const bp::Device d : bp::devices())
    if (out.size() < 2 && d.str().compare(0, 4, "sim:") == 0) out.push_back(d);
  return out;
}

bp::Tensor float_leaf(const std::vector<float>& v) { return bp::tensor(v).set_requires_grad(); }

TEST(CppGradients, GoBackToLeaves) {
  const bp::Tensor w = float_leaf({1, 2, 3}), x = float_leaf({4, 5, 6});
  EXPECT_TRUE(w.requires_grad());
  EXPECT_FALSE(w.grad().defined());
  bp::sum(w * x).backward(/*retain_graph=*/false);
  EXPECT_EQ(w.grad().read<float>(), (std::vector<float>{4, 5, 6}));
  bp::backward({w * 2, bp::sum(x)}, {bp::ones({3}), bp::Tensor{}});
  EXPECT_EQ(w.grad().read<float>(), (std::vector<float>{6, 7, 8}));
  bp::Tensor(w).set_grad({});
  EXPECT_FALSE(w.grad().defined());
  const bp::Tensor slope = bp::grad({bp::sum(w * w * w)}, {w}, /*create_graph=*/true)[0];
  EXPECT_EQ(bp::grad({bp::sum(slope)}, {w})[0].read<float>(), (std::vector<float>{6, 12, 18}));
  EXPECT_FALSE(w.detach().requires_grad());
  {
    const bp::NoGradGuard guard;
    EXPECT_FALSE((w * 2).requires_grad());
  }
  EXPECT_TRUE((w * 2).requires_grad());
  EXPECT_THROW(bp::backward({w, w}, {w}), bp::Error);
  EXPECT_THROW((w * 2).backward(), bp::Error) << "not one element";
}

TEST(CppReplicas, AverageGradientsAsTheyArrive) {
  const std::vector<bp::Device> two = two_sims();
  if (two.size() < 2) GTEST_SKIP() << "no sim backend";
  const bp::Tensor w = float_leaf({1, 2});
  const auto there = bp::replicate(std::vector<bp::Tensor>{w}, two);
  ASSERT_EQ(there.size(), 2u);
  bp::Replicas replicas(there);
  const auto add = [&](float first, float second) {
    const auto parts = bp::scatter(bp::tensor<float>({first, first, second, second}, {2, 2}), two);
    std::vector<bp::Tensor> losses;
    for (std::size_t d = 0; d < 2; ++d) losses.push_back(bp::sum(there[d][0] * parts[d]));
    bp::backward(losses);
  };
  const auto grads = [&] {
    std::vector<float> all;
    for (const auto& params : there)
      for (const float g : params[0].grad().read<float>()) all.push_back(g);
    return all;
  };
  add(2, 4);
  replicas.finish();
  EXPECT_EQ(grads(), (std::vector<float>{3, 3, 3, 3}));
  add(0, 2);
  replicas.finish();
  EXPECT_EQ(grads(), (std::vector<float>{4, 4, 4, 4})) << "averages add up";
  std::vector<bp::Tensor> sums = {bp::ones({2}, BP_F32, two[0]), bp::ones({2}, BP_F32, two[1]) * 3};
  bp::all_reduce(sums);
  EXPECT_EQ(sums[1].read<float>(), (std::vector<float>{4, 4}));
  EXPECT_THROW(bp::Replicas({there[0], {}}), bp::Error);
}

TEST(CppReplicas, AreClonesOfAModel) {
  const std::vector<bp::Device> two = two_sims();
  if (two.size() < 2) GTEST_SKIP() << "no sim backend";
  const bp::Module net = bp::linear(2, 1);
  const auto weight = net["weight"].detach().clone();
  const std::vector<bp::Module> nets = bp::replicate(net, two);
  EXPECT_EQ(nets[0].get(), net.get());
  for (std::size_t d = 0; d < 2; ++d) {
    EXPECT_EQ(nets[d]["weight"].device(), two[d]);
    EXPECT_EQ(nets[d]["weight"].detach().read<float>(), weight.read<float>());
  }
  bp::Replicas replicas(nets);
  replicas.finish();
}

}  // namespace
