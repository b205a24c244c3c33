// SPDX-License-Identifier: Apache-2.0
// Modules through the C++ binding.
#include <gtest/gtest.h>

#include <sstream>

#include "backplane.hpp"

namespace bp = backplane;

namespace {

TEST(CppModule, IsBuiltRunAndPrinted) {
  bp::Module net = bp::sequential({bp::linear(3, 2), bp::Module("relu"),
                                   bp::Module("conv2d", {{"in_channels", 1},
                                                         {"out_channels", 1},
                                                         {"kernel_size", bp::Shape{1, 1}},
                                                         {"padding", "same"}})});
  std::ostringstream text;
  text << net;
  EXPECT_EQ(
      text.str(),
      "Sequential(\n  (0): Linear(in_features=3, out_features=2, bias=True)\n  (1): ReLU()\n  (2): Conv2d(1, 1, "
      "kernel_size=(1, 1), stride=(1, 1), padding=same)\n)");
  EXPECT_EQ(net(bp::ones({1, 4, 3})).shape(), (bp::Shape{1, 4, 2}));
  EXPECT_EQ(net.named_parameters()[2].first, "2.weight");
  EXPECT_EQ(net.eval().is_training(), false);
  EXPECT_NE(net.summary().find("total"), std::string::npos);
}

TEST(CppModule, MovesInPlaceAndLoadsByName) {
  bp::Module net = bp::linear(3, 2), other = bp::linear(3, 2);
  const bp::Tensor weight = net["weight"];
  net.to(BP_F64);
  EXPECT_TRUE(weight.is(net["weight"]));
  EXPECT_EQ(weight.dtype(), BP_F64);
  EXPECT_EQ(other.load_state_dict(net.state_dict()), "<All keys matched successfully>");
  EXPECT_EQ(other["weight"].dtype(), BP_F32);
  EXPECT_THROW(bp::linear(4, 2).load_state_dict(net.state_dict()), bp::Error);
  EXPECT_FALSE(net.clone()["weight"].shares_storage(weight));
}

TEST(CppModule, RunsAForwardInCpp) {
  bp::Module block =
      bp::Module::custom("Block", [](const bp::Module& self, const std::vector<bp::Tensor>& in) {
        return self.child("inner")(in[0]) + 1;
      });
  block.set_child("inner", bp::linear(3, 1));
  bp::Module net = bp::sequential({block});
  EXPECT_EQ(net(bp::ones({2, 3})).shape(), (bp::Shape{2, 1}));
  try {
    net(bp::ones({2, 7}));
    FAIL() << "7 columns were taken for 3";
  } catch (const bp::Error& e) {
    EXPECT_EQ(std::string(e.what()),
              "net.0.inner (Linear): mat1 and mat2 shapes cannot be multiplied (2x7 and 3x1)");
    EXPECT_EQ(e.status(), BP_INVALID_ARGUMENT);
  }
}

}  // namespace
