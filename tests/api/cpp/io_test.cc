// SPDX-License-Identifier: Apache-2.0
// Named tensors and their files through the C++ binding.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backplane.hpp"

namespace bp = backplane;

namespace {

using Floats = std::vector<float>;

TEST(CppDict, KeepsItsOrderAndSharesItsTensors) {
  const bp::Tensor w = bp::tensor<float>({1, 2});
  bp::Dict d = {{"z", w}, {"a", bp::ones({3})}};
  bp::Dict same = d;
  same.set("z", w * 2);
  ASSERT_EQ(d.size(), 2u);
  EXPECT_EQ(d.items()[0].first, "z");
  EXPECT_EQ(d.items()[0].second.read<float>(), (Floats{2, 4}));
  EXPECT_TRUE(d.contains("a"));
  d.remove("a");
  EXPECT_FALSE(same.contains("a"));
  EXPECT_TRUE(bp::Dict().empty());
}

TEST(CppDict, ThrowsWithTheNearestName) {
  const bp::Dict d = {{"weight", bp::ones({1})}};
  try {
    d.get("wieght");
    FAIL();
  } catch (const bp::Error& e) {
    EXPECT_EQ(e.status(), BP_NOT_FOUND);
    EXPECT_STREQ(e.what(), "the dict has no tensor 'wieght'; the nearest is 'weight'");
  }
}

TEST(CppIo, GivesBackWhatWasSaved) {
  bp::Dict d = {{"w", bp::tensor<float>({1, 2, 3, 4}, {2, 2}).t()}};
  const std::string npz = testing::TempDir() + "cpp_io.npz",
                    path = testing::TempDir() + "cpp_io.safetensors";
  bp::save_npz(d, npz);
  EXPECT_EQ(bp::load_npz(npz).get("w").read<float>(), (Floats{1, 3, 2, 4}));
  d.set_meta("epoch", "7");
  bp::save_safetensors(d, path);
  const bp::Dict back = bp::load_safetensors(path, "null:0");
  EXPECT_EQ(back.get("w").device(), bp::Device("null:0"));
  EXPECT_EQ(back.get("w").read<float>(), (Floats{1, 3, 2, 4}));
  EXPECT_EQ(back.meta("epoch"), "7");
  EXPECT_EQ(back.meta().size(), 1u);
  const std::string bytes = bp::format_safetensors(back);
  EXPECT_EQ(bp::parse_safetensors(bytes.data(), bytes.size()).get("w").read<float>(),
            (Floats{1, 3, 2, 4}));
  EXPECT_THROW(bp::parse_safetensors(bytes.data(), bytes.size() - 1), bp::Error);
}

// In C a text ends at a zero byte.
TEST(CppIo, RefusesAZeroByteInATextThatGoesToC) {
  const std::string cut("a\0b", 3);
  const auto refused = [](auto&& call) {
    try {
      call();
    } catch (const bp::Error& e) {
      EXPECT_EQ(e.status(), BP_INVALID_ARGUMENT);
      return std::string(e.what());
    }
    return std::string("nothing");
  };
  const std::string wanted = "embedded null byte: 'a\\x00b'";
  bp::Dict d;
  EXPECT_EQ(refused([&] { d.set(cut, bp::ones({1})); }), wanted);
  EXPECT_EQ(refused([&] { bp::save_safetensors(d, cut); }), wanted);
  EXPECT_EQ(refused([&] { bp::load_npz(cut); }), wanted);
  EXPECT_EQ(refused([&] { bp::Device{cut}; }), wanted);
  EXPECT_EQ(refused([&] { bp::find_op(cut); }), wanted);
}

}  // namespace
