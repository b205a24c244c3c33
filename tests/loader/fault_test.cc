// SPDX-License-Identifier: Apache-2.0
// What a plugin can do wrong once its file is loaded: each fault is a plugin of its own (faulty.c).
#include "loader/faults.h"

namespace {

struct Wrong {
  const char* fault;
  int32_t stage;
  bp_status status;
  const char *cause, *remedy;  // words of them
};

void PrintTo(const Wrong& w, std::ostream* out) { *out << w.fault; }

class Faults : public testing::TestWithParam<Wrong> {};

TEST_P(Faults, EndInASentenceAndLeaveTheOthersWorking) {
  const Wrong& wrong = GetParam();
  Session session(Start{.plugin_dirs = fault_directory(wrong.fault)});
  const std::string file = fault_file(wrong.fault);
  EXPECT_EQ(entry_of("broken").stage, BP_STAGE_FOUND) << "tried before first use";

  EXPECT_EQ(count("broken"), 0);
  const Entry e = entry_of("broken");
  EXPECT_EQ(e.stage, wrong.stage);
  EXPECT_EQ(e.status, wrong.status);
  EXPECT_EQ(e.path, file);
  EXPECT_EQ(e.n_devices, 0u);
  EXPECT_TRUE(has(e.cause, file)) << e.cause;
  EXPECT_TRUE(has(e.cause, wrong.cause)) << e.cause;
  EXPECT_TRUE(has(e.remedy, wrong.remedy)) << e.remedy;
  EXPECT_FALSE(e.remedy.empty());

  const Answer f = require("broken");
  EXPECT_EQ(f.status, BP_UNAVAILABLE);
  EXPECT_TRUE(has(f.message, e.cause) && has(f.message, e.remedy)) << f.message;
  EXPECT_FALSE(has(f.message, "\n"));
  EXPECT_EQ(synchronize("broken:0").status, BP_UNAVAILABLE);
  EXPECT_EQ(session.log_lines_with(e.cause), 1u);
  expect_others_work();
}

INSTANTIATE_TEST_SUITE_P(
    Loader, Faults,
    testing::Values(
        Wrong{"no_symbol", BP_STAGE_SYMBOL, BP_INCOMPATIBLE, "has no symbol bp_plugin_query",
              "export bp_plugin_query"},
        Wrong{"undefined_symbol", BP_STAGE_DLOPEN, BP_UNAVAILABLE,
              "undefined symbol: loader_nobody_has_this", "-z,defs"},
        Wrong{"missing_library", BP_STAGE_DLOPEN, BP_UNAVAILABLE,
              "because libloader_gone.so is missing: libloader_gone.so: cannot open shared object "
              "file",
              "install the package that has libloader_gone.so"},
        Wrong{"too_new", BP_STAGE_QUERY, BP_INCOMPATIBLE,
              "speaks plugin ABI 7 to 9 and this library 1 to 1", "update this library"},
        Wrong{"says_no", BP_STAGE_QUERY, BP_INCOMPATIBLE, "it wants the library of last year",
              "what the plugin asks for"},
        Wrong{"older_headers", BP_STAGE_QUERY, BP_INCOMPATIBLE,
              "built with headers of before ABI 1: its bp_plugin_api has",
              "this library's headers"},
        Wrong{"absurd_headers", BP_STAGE_QUERY, BP_INTERNAL, "its bp_host claims 3735928559 bytes",
              "author"},
        Wrong{"chooses_other", BP_STAGE_QUERY, BP_INTERNAL,
              "chose ABI 0, and the highest that both speak is 1", "author"},
        Wrong{"impossible_range", BP_STAGE_QUERY, BP_INTERNAL, "impossible ABI range 5 to 1",
              "author"},
        Wrong{"wrong_status", BP_STAGE_QUERY, BP_INTERNAL, "bp_plugin_query returned 42", "author"},
        Wrong{"writes_past_info", BP_STAGE_QUERY, BP_INTERNAL,
              "wrote past the end of bp_plugin_info", "author"},
        Wrong{"no_kind", BP_STAGE_QUERY, BP_INTERNAL, "answered no kind", "author"},
        Wrong{"other_kind", BP_STAGE_QUERY, BP_INCOMPATIBLE,
              "serves kind 'whole', its name says 'broken'", "libbackplane_whole.so"},
        Wrong{"no_open", BP_STAGE_QUERY, BP_INTERNAL, "answered no open function", "author"},
        Wrong{"open_fails", BP_STAGE_OPEN, BP_UNAVAILABLE,
              "open failed with BP_UNAVAILABLE: the licence ran out", "message"},
        Wrong{"open_without_table", BP_STAGE_OPEN, BP_INTERNAL, "open succeeded without a table",
              "author"},
        Wrong{"short_table", BP_STAGE_OPEN, BP_INCOMPATIBLE, "its table is too short",
              "with this library's headers"},
        Wrong{"other_abi", BP_STAGE_OPEN, BP_INTERNAL, "its table is of ABI 2, and it chose 1",
              "author"},
        Wrong{"absurd_table", BP_STAGE_OPEN, BP_INTERNAL, "its table claims 3735928559 bytes",
              "author"},
        Wrong{"missing_slot", BP_STAGE_OPEN, BP_INTERNAL, "has no 'stream_wait', which is required",
              "author"},
        Wrong{"probe_fails", BP_STAGE_PROBE, BP_UNAVAILABLE, "libdriver.so.1 is not installed",
              "driver"},
        Wrong{"absurd_count", BP_STAGE_PROBE, BP_INTERNAL, "answered 4294967280 devices", "author"},
        Wrong{"props_fail", BP_STAGE_PROBE, BP_UNAVAILABLE, "the device fell off the bus",
              "vendor"},
        Wrong{"endless_name", BP_STAGE_PROBE, BP_INTERNAL, "a text without an end", "author"},
        Wrong{"writes_past_props", BP_STAGE_PROBE, BP_INTERNAL,
              "wrote past the end of bp_device_props", "author"},
        Wrong{"no_peer_function", BP_STAGE_PROBE, BP_INTERNAL,
              "its table 'bp.peer/1' has no function 1 of 1, and all are required", "author"},
        Wrong{"absurd_kernels", BP_STAGE_PROBE, BP_INTERNAL, "answered 2147483647 kernel records",
              "author"},
        Wrong{"kernel_size", BP_STAGE_PROBE, BP_INTERNAL, "kernel record 0 has struct_size 12",
              "author"},
        Wrong{"kernel_op", BP_STAGE_PROBE, BP_INTERNAL, "kernel record 0 is for op 100000",
              "author"},
        Wrong{"kernel_run", BP_STAGE_PROBE, BP_INTERNAL, "kernel record 0 has no run function",
              "author"},
        Wrong{"no_devices", BP_STAGE_DEVICES, BP_UNAVAILABLE, "found no device", "plugged in"}),
    [](const auto& info) { return std::string(info.param.fault); });

TEST(Loader, NoDeviceMayBeWhatTheDriversMaskLeft) {
  ::setenv("BROKEN_VISIBLE_DEVICES", "7", 1);
  {
    Session session(Start{.plugin_dirs = fault_directory("no_devices"), .flags = 0});
    EXPECT_EQ(count("broken"), 0);
    const Entry e = entry_of("broken");
    EXPECT_EQ(e.stage, BP_STAGE_DEVICES);
    EXPECT_TRUE(has(e.cause, "no device that BROKEN_VISIBLE_DEVICES='7' shows")) << e.cause;
    EXPECT_TRUE(has(e.remedy, "unset BROKEN_VISIBLE_DEVICES")) << e.remedy;
  }
  ::unsetenv("BROKEN_VISIBLE_DEVICES");
}

TEST(Loader, AConformingPluginIsReadyAndSaysItsVersion) {
  Session session(Start{.plugin_dirs = fault_directory("none")});
  EXPECT_EQ(require("broken").status, BP_OK) << require("broken").message;
  const Entry e = entry_of("broken");
  EXPECT_EQ(e.stage, BP_STAGE_READY);
  EXPECT_EQ(e.status, BP_OK);
  EXPECT_EQ(e.n_devices, 1u);
  EXPECT_EQ(e.version, "1.2.3");
  EXPECT_EQ(e.cause, "");
  EXPECT_EQ(synchronize("broken:0").status, BP_OK);
}

// Its structs are longer than this library's, and some of its kernels are for what does not exist
// yet.
TEST(Loader, APluginOfALaterReleaseDoesWhatThisLibraryKnows) {
  Session session(Start{.plugin_dirs = fault_directory("newer")});
  ASSERT_EQ(require("broken").status, BP_OK) << require("broken").message;
  const bp_device broken = device("broken:0");
  const auto added = [&](bp_dtype dtype, Answer* answer) {
    bp_tensor *x = nullptr, *out = nullptr;
    bp_error* err = nullptr;
    EXPECT_EQ(bp_tensor_empty(0, nullptr, dtype, broken, &x, nullptr), BP_OK);
    answer->status = bp_add(x, x, &out, &err);
    answer->message = bp_error_message(err, nullptr);
    bp_error_release(err);
    float value = 0;
    if (out) bp_tensor_read(out, &value, sizeof value, nullptr);
    bp_tensor_release(out);
    bp_tensor_release(x);
    return value;
  };
  Answer f32, f64;
  EXPECT_EQ(added(BP_F32, &f32), 7) << f32.message;
  added(BP_F64, &f64);
  EXPECT_EQ(f64.status, BP_UNSUPPORTED) << "a flag that is not known may forbid something";
}

TEST(Loader, OptionalSlotsMayBeLeftOut) {
  Session session(Start{.plugin_dirs = fault_directory("minimal")});
  ASSERT_EQ(synchronize("broken:0").status, BP_OK);
  const bp_device_info info = info_of(device("broken:0"));
  EXPECT_EQ(info.memory_used, 0u);
}

TEST(Loader, ATextThatIsNoUtf8IsMadeOne) {
  Session session(Start{.plugin_dirs = fault_directory("latin1_name")});
  EXPECT_STREQ(info_of(device("broken:0")).name, "caf\\xe9");
}

TEST(Loader, ADeviceThatDoesNotOpenIsAnErrorOfThatDevice) {
  Session session(Start{.plugin_dirs = fault_directory("device_fails")});
  EXPECT_EQ(require("broken").status, BP_OK);
  bp_error* err = nullptr;
  EXPECT_EQ(bp_synchronize(device("broken:0"), &err), BP_UNAVAILABLE);
  EXPECT_STREQ(bp_error_message(err, nullptr),
               "broken:0: opening the device: the device is in use by another process");
  EXPECT_TRUE(bp_error_flags(err) & BP_ERROR_FROM_PLUGIN);
  bp_error_release(err);
  expect_others_work();
}

TEST(Loader, AKernelsErrorArrivesWithDeviceAndOp) {
  Session session(Start{.plugin_dirs = fault_directory("none")});
  const int64_t shape[1] = {2};
  bp_tensor *a = nullptr, *b = nullptr;
  ASSERT_EQ(bp_tensor_empty(1, shape, BP_F32, device("broken:0"), &a, nullptr), BP_OK);
  const Answer f = attempt([&](bp_error** err) { return bp_add(a, a, &b, err); });
  EXPECT_EQ(f.status, BP_UNAVAILABLE);
  EXPECT_EQ(f.message, "broken:0: add: nothing runs here");
  EXPECT_EQ(b, nullptr);
  bp_tensor_release(a);
}

// Calls each function of the plugin's table that a program can reach, and returns what was said.
std::string said_by_all_calls() {
  std::string said;
  const auto call = [&](auto&& f) {
    const Answer a = attempt(f);
    said += a.message + '\n';
  };
  const bp_device d = device("broken:0");
  call([&](bp_error** err) { return bp_synchronize(d, err); });
  const Entry e = entry_of("broken");
  said += e.cause + '\n';
  if (e.stage != BP_STAGE_READY) return said;
  static_cast<void>(info_of(d));
  bp_stream* s = nullptr;
  call([&](bp_error** err) { return bp_stream_create(d, 0, &s, err); });
  bp_event *from = nullptr, *to = nullptr;
  for (bp_event** event : {&from, &to}) {
    call([&](bp_error** err) { return bp_event_create(d, event, err); });
    call([&](bp_error** err) { return bp_event_record(*event, s, err); });
  }
  double ms = 0;
  call([&](bp_error** err) { return bp_event_elapsed(from, to, &ms, err); });
  call([&](bp_error** err) { return bp_event_query(from, err); });
  call([&](bp_error** err) { return bp_event_synchronize(from, err); });
  call([&](bp_error** err) { return bp_stream_wait_event(s, from, err); });
  call([&](bp_error** err) { return bp_stream_query(s, err); });
  call([&](bp_error** err) { return bp_stream_synchronize(s, err); });
  call([&](bp_error** err) {
    return bp_stream_host_func(
        s, [](void*) {}, nullptr, err);
  });
  const int64_t shape[1] = {2};
  const float two[2] = {1, 2};
  bp_tensor *x = nullptr, *y = nullptr;
  call([&](bp_error** err) { return bp_tensor_empty(1, shape, BP_F32, d, &x, err); });
  call([&](bp_error** err) { return bp_tensor_write(x, two, sizeof two, err); });
  call([&](bp_error** err) { return bp_add(x, x, &y, err); });
  bp_tensor_release(x);
  call([&](bp_error** err) { return bp_memory_trim(d, err); });
  bp_event_release(from);
  bp_event_release(to);
  bp_stream_release(s);
  call([&](bp_error** err) { return bp_shutdown(-1, err); });
  return said;
}

class Throwing : public testing::TestWithParam<const char*> {};

// Most of these calls come from frames that an exception may not leave either.
TEST_P(Throwing, FromAFunctionIsAnErrorThatNamesItAndThePlugin) {
  const std::string function = GetParam();
  Session session(
      Start{.plugin_dirs = fault_directory("throws"), .options = "broken.throws=" + function});
  const std::string said = said_by_all_calls();
  const std::string wanted =
      "'" + function + "' of libbackplane_broken.so threw an exception: unknown exception";
  EXPECT_TRUE(has(said, wanted) || session.log_lines_with(wanted) > 0) << said;
  expect_others_work();
}

INSTANTIATE_TEST_SUITE_P(Loader, Throwing,
                         testing::Values("open", "close", "probe", "device_props", "device_open",
                                         "device_close", "mem_alloc", "mem_free", "stream_open",
                                         "stream_close", "stream_query", "stream_sync",
                                         "stream_wait", "event_open", "event_close", "event_record",
                                         "event_query", "event_sync", "event_elapsed", "copy",
                                         "host_func", "kernels", "extension", "run"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Loader, APluginThatThrowsWhenAskedForItsMemoryHasAnUnknownAmount) {
  Session session(
      Start{.plugin_dirs = fault_directory("throws"), .options = "broken.throws=memory_info"});
  ASSERT_EQ(synchronize("broken:0").status, BP_OK);
  EXPECT_EQ(info_of(device("broken:0")).memory_used, 0u);
}

}  // namespace
