// SPDX-License-Identifier: Apache-2.0
// Printed tensors: PyTorch's texts over dtypes, shapes, modes and abridging, and what is copied for
// them.
#include <string>
#include <utility>

#include "kit/print_cases.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

using print_cases::Case;

std::string formatted(const T& t, const bp_print_options* options) {
  uint64_t length = 0;
  EXPECT_EQ(bp_tensor_format(t.get(), options, nullptr, 0, &length, nullptr), BP_OK);
  std::string text(length + 1, '?');
  EXPECT_EQ(bp_tensor_format(t.get(), options, text.data(), text.size(), nullptr, nullptr), BP_OK);
  EXPECT_EQ(text.back(), '\0');
  text.pop_back();
  return text;
}

// One call, so that the elements are fetched once.
std::string formatted_once(const T& t) {
  char text[2048];
  EXPECT_EQ(bp_tensor_format(t.get(), nullptr, text, sizeof text, nullptr, nullptr), BP_OK);
  return text;
}

T of(const Case& c, bp_device device = kCpu) {
  return made(bp_tensor_from_data, static_cast<const void*>(c.bytes().data()), rank(c.shape),
              c.shape.data(), c.dtype, device);
}

class PrintedAsPyTorch : public testing::TestWithParam<Case> {};

TEST_P(PrintedAsPyTorch, FromATensor) {
  const bp_print_options options = GetParam().options.c_struct();
  EXPECT_EQ(formatted(of(GetParam()), &options), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(Case, PrintedAsPyTorch, testing::ValuesIn(print_cases::kCases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Print, ReadsAViewAsItsElementsStand) {
  const Case c{"", BP_I64, {2, 3}, print_cases::ramp(6, 1), {}, ""};
  const T turned = made(bp_tensor_transpose, of(c).get(), 0, 1);
  EXPECT_EQ(formatted(turned, nullptr), "tensor([[0, 3],\n        [1, 4],\n        [2, 5]])");
}

// The text of a tensor on null:0, and the bytes that left that device for it.
std::pair<std::string, uint64_t> printed_on_null(const Case& c, bool turned) {
  T t = of(c, device("null:0"));
  if (turned) t = made(bp_tensor_transpose, t.get(), 0, 1);
  const uint64_t before = crossed(device("null:0"), kCpu).bytes;
  std::string text = formatted_once(t);
  return {text, crossed(device("null:0"), kCpu).bytes - before};
}

TEST(Print, CopiesOnlyWhatItShowsOfADeviceTensor) {
  const Case c{"", BP_F32, {100000}, print_cases::ramp(100000, 1), {}, ""};
  const auto [text, bytes] = printed_on_null(c, /*turned=*/false);
  EXPECT_EQ(text,
            "tensor([0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 9.9997e+04, 9.9998e+04,\n"
            "        9.9999e+04], device='null:0')");
  EXPECT_EQ(bytes, 6 * sizeof(float));
}

TEST(Print, CopiesOnlyTheCornersOfADeviceMatrix) {
  const Case c{"", BP_I64, {40, 50}, print_cases::ramp(2000, 1), {}, ""};
  const auto [text, bytes] = printed_on_null(c, /*turned=*/true);
  EXPECT_EQ(text,
            "tensor([[   0,   50,  100,  ..., 1850, 1900, 1950],\n"
            "        [   1,   51,  101,  ..., 1851, 1901, 1951],\n"
            "        [   2,   52,  102,  ..., 1852, 1902, 1952],\n"
            "        ...,\n"
            "        [  47,   97,  147,  ..., 1897, 1947, 1997],\n"
            "        [  48,   98,  148,  ..., 1898, 1948, 1998],\n"
            "        [  49,   99,  149,  ..., 1899, 1949, 1999]], device='null:0')");
  EXPECT_EQ(bytes, 36 * sizeof(int64_t));
}

}  // namespace
}  // namespace bp_test
