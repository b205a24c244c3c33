// SPDX-License-Identifier: Apache-2.0
// backplane_program.hpp: programs recorded, saved, loaded on another device, and run into tensors
// that are there.
#include <gtest/gtest.h>
#include <unistd.h>

#include <backplane.hpp>
#include <cstdio>
#include <string>
#include <vector>

namespace {

namespace bp = backplane;

TEST(CppProgram, GoesThroughAFile) {
  const bp::Tensor x = bp::tensor({{1.0, 2.0}, {3.0, 4.0}}), weight = bp::full({2, 2}, 0.5);
  const bp::Program p = bp::record({x}, [&](const std::vector<bp::Tensor>& in) {
    return std::vector<bp::Tensor>{in[0].matmul(weight), -in[0]};
  });
  const std::string path =
      testing::TempDir() + "cpp-program-" + std::to_string(::getpid()) + ".safetensors";
  p.save(path);
  for (const char* device : {"", "sim:0"}) {
    const bp::Program same = *device ? bp::Program::load(path, {device}) : bp::Program::load(path);
    const std::vector<bp::Tensor> got = same({*device ? x.to(device) : x});
    ASSERT_EQ(got.size(), 2u);
    EXPECT_EQ(got[0].to("cpu").sum().item<double>(), 10.0);
    EXPECT_EQ(got[1].to("cpu").sum().item<double>(), -10.0);
    EXPECT_EQ(same.facts().n_steps, p.facts().n_steps);
    EXPECT_EQ(same.facts().held_bytes, 16u);
  }
  EXPECT_THROW(bp::Program::load(path, {"cpu", "sim:0"}), bp::Error);
  std::remove(path.c_str());
  EXPECT_THROW(bp::Program::load(path), bp::Error);
}

TEST(CppProgram, HasGradientsWhereTheyAreAskedFor) {
  bp::Tensor w = bp::full({2}, 3.0);
  w.set_requires_grad(true);
  const auto f = [&](const std::vector<bp::Tensor>& in) {
    return std::vector<bp::Tensor>{in[0] * w};
  };
  const bp::Tensor x = bp::full({2}, 5.0);
  EXPECT_FALSE(bp::record({x}, f)({x})[0].requires_grad());
  const bp::Program p = bp::record({x}, f, /*without=*/0, BP_PROGRAM_GRADIENTS);
  p({x})[0].sum().backward();
  EXPECT_EQ(w.grad().sum().item<double>(), 10.0);
}

}  // namespace
