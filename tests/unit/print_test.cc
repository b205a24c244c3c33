// Printing: PyTorch's texts over dtypes, shapes, modes and abridging; as pure layout and through
// the C API.
#include "core/io/print.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "c_api.h"
#include "tests/unit/print_cases.h"
#include "tests/unit/tensors.h"

using print_cases::Case;
using print_cases::kCases;

namespace {

template <class T>
void put(std::vector<char>& bytes, double real, int64_t whole) {
  const T value = std::is_floating_point_v<T> ? static_cast<T>(real) : static_cast<T>(whole);
  const auto* p = reinterpret_cast<const char*>(&value);
  bytes.insert(bytes.end(), p, p + sizeof value);
}

void put_as(bp_dtype dtype, std::vector<char>& bytes, double real, int64_t whole) {
  switch (dtype) {
    case BP_BOOL:
    case BP_U8: return put<uint8_t>(bytes, real, whole);
    case BP_I8: return put<int8_t>(bytes, real, whole);
    case BP_U16:
    case BP_F16:
    case BP_BF16: return put<uint16_t>(bytes, real, whole);
    case BP_I16: return put<int16_t>(bytes, real, whole);
    case BP_U32: return put<uint32_t>(bytes, real, whole);
    case BP_I32: return put<int32_t>(bytes, real, whole);
    case BP_U64: return put<uint64_t>(bytes, real, whole);
    case BP_I64: return put<int64_t>(bytes, real, whole);
    case BP_F32:
    case BP_C64: return put<float>(bytes, real, whole);
    default: return put<double>(bytes, real, whole);
  }
}

std::vector<char> bytes_of(const Case& c) {
  std::vector<char> bytes;
  for (int64_t v : c.values.whole) put_as(c.dtype, bytes, 0, v);
  for (double v : c.values.real) put_as(c.dtype, bytes, v, 0);
  for (int64_t i = 0; i < c.values.ramp; ++i) {
    const double v = static_cast<double>(i) * c.values.step;
    put_as(c.dtype, bytes, v, static_cast<int64_t>(v));
  }
  return bytes;
}

bp_print_options options_of(const Case& c) {
  return {sizeof(bp_print_options),
          c.options.precision,
          c.options.threshold,
          c.options.edge_items,
          c.options.line_width,
          c.options.sci_mode,
          0};
}

std::string formatted(bp_tensor* t, const bp_print_options* options) {
  uint64_t length = 0;
  EXPECT_EQ(bp_tensor_format(t, options, nullptr, 0, &length, nullptr), BP_OK);
  std::string text(length + 1, '?');
  EXPECT_EQ(bp_tensor_format(t, options, text.data(), text.size(), nullptr, nullptr), BP_OK);
  EXPECT_EQ(text.back(), '\0');
  text.pop_back();
  return text;
}

// One call, so that the elements are fetched once.
std::string formatted_once(bp_tensor* t) {
  char text[2048];
  EXPECT_EQ(bp_tensor_format(t, nullptr, text, sizeof text, nullptr, nullptr), BP_OK);
  return text;
}

bp_tensor* made(const Case& c, bp_device device) {
  bp_tensor* t = nullptr;
  bp_error* err = nullptr;
  const std::vector<char> bytes = bytes_of(c);
  const auto rank = static_cast<int32_t>(c.shape.size());
  EXPECT_EQ(bp_tensor_from_data(bytes.data(), rank, c.shape.data(), c.dtype, device, &t, &err),
            BP_OK)
      << bp_error_message(err, nullptr);
  bp_error_release(err);
  return t;
}

class PrintedAsPyTorch : public testing::TestWithParam<Case> {};

// Layout alone; a case that is abridged needs the fetching half.
TEST_P(PrintedAsPyTorch, FromHostElements) {
  const Case& c = GetParam();
  const bp_print_options options = options_of(c);
  const bp::Dims shown = bp::shown_shape(c.shape, options);
  if (!(shown == bp::Dims(bp::Span(c.shape)))) return;
  const std::vector<char> bytes = bytes_of(c);
  EXPECT_EQ(bp::format_host({c.dtype, c.shape, shown, bytes.data(), ""}, options), c.text);
}

TEST_P(PrintedAsPyTorch, FromATensor) {
  const Case& c = GetParam();
  const bp_print_options options = options_of(c);
  bp_tensor* t = made(c, bp_device_make(BP_KIND_CPU, -1));
  ASSERT_NE(t, nullptr);
  EXPECT_EQ(formatted(t, &options), c.text);
  bp_tensor_release(t);
}

INSTANTIATE_TEST_SUITE_P(Case, PrintedAsPyTorch, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

std::string on_device(const std::vector<int64_t>& shape, bp_dtype dtype, const char* device) {
  const std::vector<char> zeros(4096);
  const bp_print_options options = bp::default_print_options();
  const bp::Dims shown = bp::shown_shape(shape, options);
  return bp::format_host({dtype, shape, shown, zeros.data(), device}, options);
}

// Texts as PyTorch prints them with another device's name in place.
TEST(Print, ShowsADeviceOtherThanTheCpuBeforeTheDtype) {
  EXPECT_EQ(on_device({2}, BP_F32, "cuda:0"), "tensor([0., 0.], device='cuda:0')");
  EXPECT_EQ(on_device({2}, BP_I32, "null:1"), "tensor([0, 0], device='null:1', dtype=torch.int32)");
  EXPECT_EQ(on_device({0, 2}, BP_I64, "cuda:0"),
            "tensor([], device='cuda:0', size=(0, 2), dtype=torch.int64)");
  EXPECT_EQ(on_device({18}, BP_I32, "cuda:0"),
            "tensor([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], device='cuda:0',\n"
            "       dtype=torch.int32)");
}

TEST(Print, NamesTheUnsignedDtypes) {
  EXPECT_EQ(on_device({1}, BP_U16, ""), "tensor([0], dtype=torch.uint16)");
  EXPECT_EQ(on_device({1}, BP_U32, ""), "tensor([0], dtype=torch.uint32)");
  EXPECT_EQ(on_device({1}, BP_U64, ""), "tensor([0], dtype=torch.uint64)");
}

TEST(Print, WritesTheLargestUnsignedNumber) {
  const uint64_t value = UINT64_MAX;
  const bp_print_options options = bp::default_print_options();
  EXPECT_EQ(bp::format_host({BP_U64, {}, {}, &value, ""}, options),
            "tensor(18446744073709551615, dtype=torch.uint64)");
}

TEST(Print, HidesTheDefaultDtypeAndItsComplexTwin) {
  bp::set_default_dtype(BP_F64);
  EXPECT_EQ(on_device({1}, BP_F64, ""), "tensor([0.])");
  EXPECT_EQ(on_device({1}, BP_C128, ""), "tensor([0.+0.j])");
  EXPECT_EQ(on_device({1}, BP_F32, ""), "tensor([0.], dtype=torch.float32)");
  bp::set_default_dtype(BP_F32);
}

TEST(Print, DropsTheSignOfNan) {
  const double value = -NAN;
  const bp_print_options options = bp::default_print_options();
  EXPECT_EQ(bp::format_host({BP_F64, {}, {}, &value, ""}, options),
            "tensor(nan, dtype=torch.float64)");
}

TEST(Print, OfNoEdgeItemsShowsOnlyTheDots) {
  bp_print_options options = bp::default_print_options();
  options.edge_items = 0;
  options.threshold = 1;
  const int64_t shape[] = {3, 3}, shown[] = {0, 0};
  EXPECT_EQ(bp::format_host({BP_F32, shape, shown, nullptr, ""}, options), "tensor([...])");
}

TEST(Print, RefusesOptionsOutOfRange) {
  const auto refused = [](auto change, const char* text) {
    bp_print_options options = bp::default_print_options();
    change(options);
    try {
      bp::checked_print_options(&options);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const bp::Error& e) {
      EXPECT_EQ(e.status(), BP_INVALID_ARGUMENT);
      EXPECT_EQ(e.message(), text);
    }
  };
  refused([](auto& o) { o.precision = -1; }, "options.precision is -1, expected 0 to 64");
  refused([](auto& o) { o.line_width = 0; }, "options.line_width is 0, expected 1 to 1048576");
  refused([](auto& o) { o.sci_mode = 2; }, "options.sci_mode is 2, expected -1 to 1");
  refused([](auto& o) { o.edge_items = -3; }, "options.edge_items is -3, expected 0 to 1048576");
}

TEST(Print, ReadsAViewAsItsElementsStand) {
  const Case c{"", BP_I64, {2, 3}, print_cases::ramp(6, 1), {}, ""};
  bp_tensor *t = made(c, bp_device_make(BP_KIND_CPU, -1)), *turned = nullptr;
  ASSERT_EQ(bp_tensor_transpose(t, 0, 1, &turned, nullptr), BP_OK);
  EXPECT_EQ(formatted(turned, nullptr), "tensor([[0, 3],\n        [1, 4],\n        [2, 5]])");
  bp_tensor_release(t);
  bp_tensor_release(turned);
}

// The text of a tensor on null:0, and the bytes that left that device for it.
std::pair<std::string, uint64_t> printed_on_null(const Case& c, bool turned) {
  bp_device null = 0;
  EXPECT_EQ(bp_device_parse("null:0", &null, nullptr), BP_OK);
  bp_tensor* t = made(c, null);
  if (turned) {
    bp_tensor* view = nullptr;
    EXPECT_EQ(bp_tensor_transpose(t, 0, 1, &view, nullptr), BP_OK);
    bp_tensor_release(t);
    t = view;
  }
  const bp_device cpu = bp_device_make(BP_KIND_CPU, -1);
  const uint64_t before = bp_test::crossed(null, cpu).bytes;
  std::string text = formatted_once(t);
  const uint64_t after = bp_test::crossed(null, cpu).bytes;
  bp_tensor_release(t);
  return {text, after - before};
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
