// SPDX-License-Identifier: Apache-2.0
// Every row of PyTorch's device-string grammar, its tests' literal cases included (test_torch.py,
// test_device).
#include "core/process/device_string.h"

#include "unit/thrown.h"

namespace bp {
namespace {

const std::string kInvalid = "Invalid device string: ";

std::string string_fault(const std::string& text) {
  return bp_test::thrown([&] { parse_device_string(text); });
}

TEST(DeviceString, ParsesKindAndIndex) {
  const struct {
    const char *text, *kind;
    int32_t index;
  } rows[] = {{"cpu", "cpu", -1},
              {"cpu:0", "cpu", 0},
              {"cuda", "cuda", -1},
              {"cuda:0", "cuda", 0},
              {"cuda:1", "cuda", 1},
              {"cuda:10", "cuda", 10},
              {"cuda:90", "cuda", 90},
              {"cuda:100", "cuda", 100},
              {"cuda:127", "cuda", 127},
              {"cuda:128", "cuda", 128},  // wrapped to -128 in an int8
              {"cuda:255", "cuda", 255},  // wrapped to "cuda"
              {"cuda:256", "cuda", 256},  // wrapped to "cuda:0"
              {"cuda:2147483647", "cuda", INT32_MAX},
              {"my_device:7", "my_device", 7},
              {"_:0", "_", 0},
              {"CPU", "CPU", -1},  // a shape, though no known kind
              {"other:0", "other", 0}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.text);
    const std::string text = row.text;
    const DeviceString d = parse_device_string(text);
    EXPECT_EQ(d.kind, row.kind);
    EXPECT_EQ(d.index, row.index);
    EXPECT_EQ(format_device_string(d.kind, d.index), text);
  }
}

TEST(DeviceString, RefusesEveryOtherShape) {
  for (const char* text : {"cpu:-1",
                           "cuda:-1",
                           "cuda:2 ",
                           "cuda: 2",
                           "cuda:2 2",
                           "cuda:2.",
                           "cuda:2?",
                           "cuda:?2",
                           "cuda:",
                           "cuda:2.232",
                           "-1",
                           "cuda:2+cuda:3",
                           "cuda:2 cuda:3",
                           "cuda:2cuda:3",
                           "cuda:01",
                           "cpu:00",
                           "cuda:1:2",
                           "cuda:+1",
                           " cuda",
                           "cuda ",
                           "cuda0",
                           "cuda-0",
                           ":",
                           ":0",
                           "0",
                           "cuda::0",
                           "cuda:0x1",
                           "cuda:1e3",
                           "cüda:0",
                           "cuda:-",
                           "cuda:00000000000000000000",
                           "cuda:0 ",
                           "cuda\n",
                           "cuda:0\n"})
    EXPECT_EQ(string_fault(text), kInvalid + "'" + text + "'");
}

TEST(DeviceString, RefusesEmptyFirst) {
  EXPECT_EQ(string_fault(""), "Device string must not be empty");
}

TEST(DeviceString, StopsAtAZeroByte) {
  const std::string text("cuda\0:1", 7);
  EXPECT_EQ(string_fault(text), kInvalid + "'" + text + "'");
}

TEST(DeviceString, RefusesAnIndexThatIsNoInt32) {
  EXPECT_EQ(string_fault("cuda:2147483648"),
            "Could not parse device index '2147483648' in device string 'cuda:2147483648'");
  EXPECT_EQ(string_fault("cuda:99999999999999999999"),
            "Could not parse device index '99999999999999999999' in device string "
            "'cuda:99999999999999999999'");
  // The shape is checked before the value.
  EXPECT_EQ(string_fault("cuda:2147483648 "), kInvalid + "'cuda:2147483648 '");
}

TEST(DeviceString, ShortensAbsurdInputInItsMessage) {
  EXPECT_LT(string_fault("cuda:" + std::string(1 << 20, '7')).size(), 600u);
  EXPECT_LT(string_fault(std::string(1 << 20, '?')).size(), 600u);
  EXPECT_EQ(parse_device_string(std::string(1 << 20, 'a')).index, -1);
}

TEST(DeviceString, ListsTheKnownKinds) {
  for (const char* kind : {"foo", "other", "CPU"})
    EXPECT_EQ(
        bp_test::thrown([&] { fail_unknown_kind(kind, "cpu, cuda, acme"); }),
        std::string("Expected one of cpu, cuda, acme device type at start of device string: ") +
            kind);
}

TEST(DeviceString, FormatsABareKindWithoutIndex) {
  EXPECT_EQ(format_device_string("cpu", -1), "cpu");
  EXPECT_EQ(format_device_string("cuda", 0), "cuda:0");
  EXPECT_EQ(format_device_string("cuda", INT32_MAX), "cuda:2147483647");
}

}  // namespace
}  // namespace bp
