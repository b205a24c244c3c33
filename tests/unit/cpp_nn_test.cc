// Modules through the C++ binding.
#include <gtest/gtest.h>

#include <sstream>

#include "backplane.hpp"

namespace bpx = backplane;

namespace {

TEST(CppModule, IsBuiltRunAndPrinted) {
  bpx::Module net = bpx::sequential({bpx::linear(3, 2), bpx::Module("relu"),
                                     bpx::Module("conv2d", {{"in_channels", 1},
                                                            {"out_channels", 1},
                                                            {"kernel_size", bpx::Shape{1, 1}},
                                                            {"padding", "same"}})});
  std::ostringstream text;
  text << net;
  EXPECT_EQ(
      text.str(),
      "Sequential(\n  (0): Linear(in_features=3, out_features=2, bias=True)\n  (1): ReLU()\n  (2): Conv2d(1, 1, "
      "kernel_size=(1, 1), stride=(1, 1), padding=same)\n)");
  EXPECT_EQ(net(bpx::ones({1, 4, 3})).shape(), (bpx::Shape{1, 4, 2}));
  EXPECT_EQ(net.named_parameters()[2].first, "2.weight");
  EXPECT_EQ(net.eval().is_training(), false);
  EXPECT_NE(net.summary().find("total"), std::string::npos);
}

TEST(CppModule, MovesInPlaceAndLoadsByName) {
  bpx::Module net = bpx::linear(3, 2), other = bpx::linear(3, 2);
  const bpx::Tensor weight = net["weight"];
  net.to(BP_F64);
  EXPECT_TRUE(weight.is(net["weight"]));
  EXPECT_EQ(weight.dtype(), BP_F64);
  EXPECT_EQ(other.load_state_dict(net.state_dict()), "<All keys matched successfully>");
  EXPECT_EQ(other["weight"].dtype(), BP_F32);
  EXPECT_THROW(bpx::linear(4, 2).load_state_dict(net.state_dict()), bpx::Error);
  EXPECT_FALSE(net.clone()["weight"].shares_storage(weight));
}

TEST(CppModule, RunsAForwardInCpp) {
  bpx::Module block =
      bpx::Module::custom("Block", [](const bpx::Module& self, const std::vector<bpx::Tensor>& in) {
        return self.child("inner")(in[0]) + 1;
      });
  block.set_child("inner", bpx::linear(3, 1));
  bpx::Module net = bpx::sequential({block});
  EXPECT_EQ(net(bpx::ones({2, 3})).shape(), (bpx::Shape{2, 1}));
  try {
    net(bpx::ones({2, 7}));
    FAIL() << "7 columns were taken for 3";
  } catch (const bpx::Error& e) {
    EXPECT_EQ(std::string(e.what()),
              "net.0.inner (Linear): mat1 and mat2 shapes cannot be multiplied (2x7 and 3x1)");
    EXPECT_EQ(e.status(), BP_INVALID_ARGUMENT);
  }
}

}  // namespace
