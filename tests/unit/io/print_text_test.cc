// SPDX-License-Identifier: Apache-2.0
// The layout of printed elements alone: PyTorch's texts over dtypes, shapes, modes and abridging.
#include "core/io/print.h"
#include "kit/print_cases.h"
#include "unit/thrown.h"

namespace bp {
namespace {

using print_cases::Case;

class PrintedElements : public testing::TestWithParam<Case> {};

// A case that is abridged needs the fetching half (tests/api/print_test.cc).
TEST_P(PrintedElements, ReadAsPyTorchs) {
  const Case& c = GetParam();
  const bp_print_options options = c.options.c_struct();
  const Dims shown = shown_shape(c.shape, options);
  if (!(shown == Dims(Span(c.shape)))) return;
  const std::vector<char> bytes = c.bytes();
  EXPECT_EQ(format_host({c.dtype, c.shape, shown, bytes.data(), ""}, options), c.text);
}

INSTANTIATE_TEST_SUITE_P(Case, PrintedElements, testing::ValuesIn(print_cases::kCases),
                         [](const auto& info) { return std::string(info.param.name); });

std::string on_device(const std::vector<int64_t>& shape, bp_dtype dtype, const char* device) {
  const std::vector<char> zeros(4096);
  const bp_print_options options = default_print_options();
  const Dims shown = shown_shape(shape, options);
  return format_host({dtype, shape, shown, zeros.data(), device}, options);
}

// Texts as PyTorch prints them with another device's name in place.
TEST(PrintText, ShowsADeviceOtherThanTheCpuBeforeTheDtype) {
  EXPECT_EQ(on_device({2}, BP_F32, "cuda:0"), "tensor([0., 0.], device='cuda:0')");
  EXPECT_EQ(on_device({2}, BP_I32, "null:1"), "tensor([0, 0], device='null:1', dtype=torch.int32)");
  EXPECT_EQ(on_device({0, 2}, BP_I64, "cuda:0"),
            "tensor([], device='cuda:0', size=(0, 2), dtype=torch.int64)");
  EXPECT_EQ(on_device({18}, BP_I32, "cuda:0"),
            "tensor([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], device='cuda:0',\n"
            "       dtype=torch.int32)");
}

TEST(PrintText, NamesTheUnsignedDtypes) {
  EXPECT_EQ(on_device({1}, BP_U16, ""), "tensor([0], dtype=torch.uint16)");
  EXPECT_EQ(on_device({1}, BP_U32, ""), "tensor([0], dtype=torch.uint32)");
  EXPECT_EQ(on_device({1}, BP_U64, ""), "tensor([0], dtype=torch.uint64)");
}

TEST(PrintText, WritesTheLargestUnsignedNumber) {
  const uint64_t value = UINT64_MAX;
  const bp_print_options options = default_print_options();
  EXPECT_EQ(format_host({BP_U64, {}, {}, &value, ""}, options),
            "tensor(18446744073709551615, dtype=torch.uint64)");
}

TEST(PrintText, HidesTheDefaultDtypeAndItsComplexTwin) {
  set_default_dtype(BP_F64);
  EXPECT_EQ(on_device({1}, BP_F64, ""), "tensor([0.])");
  EXPECT_EQ(on_device({1}, BP_C128, ""), "tensor([0.+0.j])");
  EXPECT_EQ(on_device({1}, BP_F32, ""), "tensor([0.], dtype=torch.float32)");
  set_default_dtype(BP_F32);
}

TEST(PrintText, DropsTheSignOfNan) {
  const double value = -NAN;
  const bp_print_options options = default_print_options();
  EXPECT_EQ(format_host({BP_F64, {}, {}, &value, ""}, options), "tensor(nan, dtype=torch.float64)");
}

TEST(PrintText, OfNoEdgeItemsShowsOnlyTheDots) {
  bp_print_options options = default_print_options();
  options.edge_items = 0;
  options.threshold = 1;
  const int64_t shape[] = {3, 3}, shown[] = {0, 0};
  EXPECT_EQ(format_host({BP_F32, shape, shown, nullptr, ""}, options), "tensor([...])");
}

TEST(PrintText, RefusesOptionsOutOfRange) {
  const auto refused = [](auto change, const char* text) {
    bp_print_options options = default_print_options();
    change(options);
    EXPECT_EQ(bp_test::thrown([&] { checked_print_options(&options); }), text);
  };
  refused([](auto& o) { o.precision = -1; }, "options.precision is -1, expected 0 to 64");
  refused([](auto& o) { o.line_width = 0; }, "options.line_width is 0, expected 1 to 1048576");
  refused([](auto& o) { o.sci_mode = 2; }, "options.sci_mode is 2, expected -1 to 1");
  refused([](auto& o) { o.edge_items = -3; }, "options.edge_items is -3, expected 0 to 1048576");
}

}  // namespace
}  // namespace bp
