// SPDX-License-Identifier: Apache-2.0
// Laziness, start, shutdown, second start.
#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "loader/faults.h"

namespace {

bp_tensor* ones(const std::string& where, int64_t n = 4) {
  bp_tensor* t = nullptr;
  const Answer f = attempt(
      [&](bp_error** err) { return bp_tensor_ones(1, &n, BP_F32, device(where), &t, err); });
  EXPECT_EQ(f.status, BP_OK) << f.message;
  return t;
}

TEST(Runtime, TriesNoPluginBeforeFirstUseOfItsKind) {
  // A file of its own: what was loaded once stays loaded.
  const std::filesystem::path directory = std::filesystem::path(LOADER_SCRATCH) / "untouched";
  const std::string file = directory / "libbackplane_broken.so";
  std::filesystem::create_directories(directory);
  std::filesystem::copy_file(fault_file("none"), file,
                             std::filesystem::copy_options::overwrite_existing);
  Session session(Start{.plugin_dirs = directory});
  for (const Entry& e : report()) EXPECT_EQ(e.stage, BP_STAGE_FOUND) << e.path;
  uint32_t n = 0;
  EXPECT_EQ(bp_kind_count(&n, nullptr), BP_OK);
  EXPECT_EQ(n, 4u);  // cpu, null, sim, broken; mpi is no kind of device
  device("null:1");
  EXPECT_EQ(::dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr);
  for (const Entry& e : report()) EXPECT_EQ(e.stage, BP_STAGE_FOUND) << e.path;

  EXPECT_EQ(count("null"), 1);
  for (const Entry& e : report())
    EXPECT_EQ(e.stage, e.kind == "null" ? BP_STAGE_READY : BP_STAGE_FOUND) << e.path;
}

// A file that takes the place of a loaded one is what the next use loads, and so is the first one
// when it comes back.
TEST(Runtime, AKindIsUpgradedWithoutARestart) {
  namespace fs = std::filesystem;
  const fs::path directory = fs::path(LOADER_SCRATCH) / "upgraded",
                 file = directory / "libbackplane_broken.so", aside = directory / "aside";
  fs::remove_all(directory);
  fs::create_directories(directory);
  fs::copy_file(fault_file("none"), file);
  Session session(Start{.plugin_dirs = directory});
  const auto version = [&] {
    EXPECT_EQ(synchronize("broken:0").message, "");
    return entry_of("broken").version;
  };
  const auto unload = [] {
    const Answer a = attempt(bp_unload_kind, kind("broken"), int64_t{-1});
    EXPECT_EQ(a.status, BP_OK) << a.message;
  };
  EXPECT_EQ(version(), "1.2.3");
  fs::create_hard_link(file, aside);
  fs::copy_file(fault_file("newer"), directory / "next");
  fs::rename(directory / "next", file);
  EXPECT_EQ(version(), "1.2.3") << "nothing changes while it is in use";
  unload();
  EXPECT_EQ(version(), "2.0.0");
  fs::rename(aside, file);
  unload();
  EXPECT_EQ(version(), "1.2.3");
  fs::remove(file);
  unload();
  EXPECT_EQ(require("broken").status, BP_UNAVAILABLE);
  expect_others_work();
}

TEST(Runtime, StartsByItself) {
  EXPECT_EQ(count("cpu"), 1);
  const Answer f = attempt([](bp_error** err) { return bp_init(nullptr, err); });
  EXPECT_EQ(f.status, BP_BAD_STATE);
  EXPECT_TRUE(has(f.message, "already runs")) << f.message;
  EXPECT_EQ(bp_shutdown(0, nullptr), BP_OK);
  EXPECT_EQ(bp_init(nullptr, nullptr), BP_OK);
  EXPECT_EQ(bp_shutdown(0, nullptr), BP_OK);
  EXPECT_EQ(bp_shutdown(0, nullptr), BP_OK) << "not running is fine";
}

TEST(Runtime, RefusesWrongOptions) {
  bp_init_desc desc{};
  desc.struct_size = sizeof desc;
  const auto refused = [&] { return attempt([&](bp_error** err) { return bp_init(&desc, err); }); };
  desc.flags = 0x80;
  EXPECT_EQ(refused().status, BP_INVALID_ARGUMENT);
  desc.flags = 0;
  desc.options = "null.device_count=2;nonsense";
  EXPECT_EQ(refused().message, "options: 'nonsense' is not of the form kind.key=value");
  desc.options = nullptr;
  desc.visible_devices = "null";
  EXPECT_EQ(refused().status, BP_INVALID_ARGUMENT);
  desc.visible_devices = nullptr;
  desc.struct_size = 4;
  EXPECT_EQ(refused().status, BP_INVALID_ARGUMENT);
  desc.struct_size = 8;  // flags alone
  EXPECT_EQ(refused().status, BP_OK);
  EXPECT_EQ(bp_shutdown(0, nullptr), BP_OK);
}

TEST(Runtime, OptionsReachThePluginBeforeTheEnvironment) {
  ::setenv("NULL_DEVICE_COUNT", "5", 1);
  {
    Session session(Start{.options = "null.device_count=3", .flags = 0});
    EXPECT_EQ(count("null"), 3);
  }
  {
    Session session(Start{.flags = 0});
    EXPECT_EQ(count("null"), 5);
  }
  {
    Session session;
    EXPECT_EQ(count("null"), 1);
  }
  ::unsetenv("NULL_DEVICE_COUNT");
}

TEST(Runtime, AnOptionThatThePluginRefusesIsItsFault) {
  Session session(Start{.options = "null.device_count=many"});
  const Answer f = require("null");
  EXPECT_EQ(f.status, BP_UNAVAILABLE);
  EXPECT_TRUE(has(f.message, "device_count must be a number from 0 to 64")) << f.message;
}

TEST(Runtime, ManyThreadsMayUseAKindForTheFirstTime) {
  Session session(Start{.options = "null.device_count=4"});
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      right += synchronize("null:" + std::to_string(i % 4)).status == BP_OK &&
               synchronize("cpu").status == BP_OK && count("null") == 4;
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(right, 8);
}

TEST(Runtime, ThreadsAndVersion) {
  Session session;
  EXPECT_GE(bp_get_num_threads(), 1);
  EXPECT_EQ(bp_set_num_threads(3, nullptr), BP_OK);
  EXPECT_EQ(bp_get_num_threads(), 3);
  EXPECT_EQ(bp_set_num_threads(0, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_get_num_threads(), 3);
  EXPECT_EQ(std::strspn(bp_version(), "0123456789."), std::strlen(bp_version()));
  EXPECT_EQ(bp_abi_version(), 1u);
  EXPECT_STREQ(bp_status_name(BP_DEVICE_LOST), "BP_DEVICE_LOST");
  EXPECT_STREQ(bp_status_name(12345), "BP_UNKNOWN_STATUS");
}

TEST(Runtime, ThreadsAreThoseOfTheEnvironmentUnlessItIsForbidden) {
  const auto source = [] {
    char text[128];
    EXPECT_EQ(bp_get_num_threads_source(text, sizeof text, nullptr, nullptr), BP_OK);
    return std::string(text);
  };
  ::setenv("BACKPLANE_NUM_THREADS", "5", 1);
  EXPECT_EQ(bp_shutdown(0, nullptr), BP_OK);
  EXPECT_EQ(bp_get_num_threads(), 5);
  EXPECT_EQ(source(), "BACKPLANE_NUM_THREADS=5");
  {
    Session session(Start{.flags = BP_INIT_NO_ENV});
    EXPECT_NE(source(), "BACKPLANE_NUM_THREADS=5");
  }
  ::setenv("BACKPLANE_NUM_THREADS", "five", 1);
  {
    Session session(Start{.flags = 0});
    EXPECT_GE(bp_get_num_threads(), 1);
    EXPECT_GE(bp_get_num_threads(), 1) << "the second question";
    EXPECT_EQ(
        session.log_lines_with("BACKPLANE_NUM_THREADS='five' is ignored: expected a number of "
                               "threads from 1 to 4096"),
        1U);
  }
  ::unsetenv("BACKPLANE_NUM_THREADS");
}

TEST(Runtime, PrecisionOfProductsIsTheHighestUntilItIsSet) {
  {
    Session session;
    EXPECT_EQ(bp_get_matmul_precision(), BP_PRECISION_HIGHEST);
    EXPECT_EQ(bp_set_matmul_precision(BP_PRECISION_MEDIUM, nullptr), BP_OK);
    EXPECT_EQ(bp_get_matmul_precision(), BP_PRECISION_MEDIUM);
    for (bp_precision wrong : {-1, 3}) {
      bp_error* err = nullptr;
      EXPECT_EQ(bp_set_matmul_precision(wrong, &err), BP_INVALID_ARGUMENT);
      EXPECT_TRUE(has(bp_error_message(err, nullptr),
                      "precision " + std::to_string(wrong) + " is not known"));
      bp_error_release(err);
    }
    EXPECT_EQ(bp_get_matmul_precision(), BP_PRECISION_MEDIUM);
  }
  EXPECT_EQ(bp_get_matmul_precision(), BP_PRECISION_HIGHEST) << "an ended runtime forgets it";
}

TEST(Runtime, AReportIsASnapshotThatOutlivesShutdown) {
  bp_report* r = nullptr;
  {
    Session session;
    ASSERT_EQ(bp_report_create(&r, nullptr), BP_OK);
    count("null");
  }
  bp_report_entry e{};
  e.struct_size = sizeof e;
  for (uint32_t i = 0; i < bp_report_count(r); ++i) {
    EXPECT_EQ(bp_report_get(r, i, &e, nullptr), BP_OK);
    EXPECT_EQ(e.stage, BP_STAGE_FOUND);
    EXPECT_NE(std::string(e.path), "");
  }
  EXPECT_EQ(bp_report_get(r, bp_report_count(r), &e, nullptr), BP_INDEX_OUT_OF_RANGE);
  EXPECT_EQ(bp_report_get(nullptr, 0, &e, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_report_retain(r), r);
  bp_report_release(r);
  bp_report_release(r);
  bp_report_release(nullptr);
  EXPECT_EQ(bp_report_count(nullptr), 0u);
}

// ---- shutdown ----

class Shutdown : public testing::TestWithParam<const char*> {};

TEST_P(Shutdown, MakesLiveTensorsBadStateAndReleasable) {
  bp_tensor *t, *view = nullptr, *sum = nullptr;
  {
    Session session;
    t = ones(GetParam());
    ASSERT_EQ(bp_tensor_alias(t, &view, nullptr), BP_OK);
  }
  const Answer f = attempt([&](bp_error** err) { return bp_add(t, t, &sum, err); });
  EXPECT_EQ(f.status, BP_BAD_STATE);
  EXPECT_TRUE(has(f.message, "before the runtime was shut down")) << f.message;
  {
    Session session;
    EXPECT_EQ(bp_add(view, view, &sum, nullptr), BP_BAD_STATE) << "also in the next generation";
    bp_tensor* fresh = ones(GetParam());
    EXPECT_EQ(bp_add(fresh, view, &sum, nullptr), BP_BAD_STATE);
    EXPECT_EQ(bp_add(fresh, fresh, &sum, nullptr), BP_OK);
    bp_tensor_release(view);
    bp_tensor_release(sum);
    bp_tensor_release(fresh);
  }
  bp_tensor_release(t);
}
INSTANTIATE_TEST_SUITE_P(Runtime, Shutdown, testing::Values("cpu", "null:0"), [](const auto& info) {
  return std::string(info.param, 0, std::strcspn(info.param, ":"));
});

TEST(Runtime, ABorrowedTensorsDeleterRunsAfterShutdown) {
  static int deleted;
  float data[2] = {1, 2};
  const int64_t shape[1] = {2};
  bp_tensor* t = nullptr;
  {
    Session session;
    ASSERT_EQ(bp_tensor_borrow(
                  data, 1, shape, nullptr, BP_F32, [](void*) { ++deleted; }, nullptr, &t, nullptr),
              BP_OK);
  }
  EXPECT_EQ(deleted, 0);
  bp_tensor_release(t);
  EXPECT_EQ(deleted, 1);
}

TEST(Runtime, ShutdownAndUnloadingWaitAsLongAsTheyMayAndThenCloseNothing) {
  bp_init_desc desc{};
  desc.struct_size = sizeof desc;
  const std::string directory = fault_directory("never_done");
  desc.plugin_dirs = directory.c_str();
  ASSERT_EQ(bp_init(&desc, nullptr), BP_OK);
  ASSERT_EQ(synchronize("broken:0").status, BP_OK);
  EXPECT_EQ(bp_shutdown(0, nullptr), BP_TIMEOUT);
  EXPECT_EQ(bp_shutdown(1000000, nullptr), BP_TIMEOUT);
  EXPECT_EQ(bp_unload_kind(kind("broken"), 1000000, nullptr), BP_TIMEOUT);
  EXPECT_EQ(synchronize("broken:0").status, BP_OK);
  EXPECT_EQ(bp_shutdown(-1, nullptr), BP_OK);
}

TEST(Runtime, ASecondStartReadsTheEnvironmentAgainAndForgetsTheOptions) {
  {
    Session session(Start{.options = "null.device_count=2", .visible_devices = "null:1"});
    EXPECT_EQ(bp_set_num_threads(7, nullptr), BP_OK);
    EXPECT_EQ(count("null"), 1);
    ASSERT_EQ(synchronize("null:0").status, BP_OK);
  }
  ::setenv("NULL_DEVICE_COUNT", "6", 1);
  EXPECT_EQ(count("null"), 6);
  EXPECT_NE(bp_get_num_threads(), 7);
  EXPECT_EQ(bp_set_visible_devices("null:5", nullptr), BP_OK) << "the map is open again";
  EXPECT_EQ(count("null"), 1);
  EXPECT_EQ(bp_shutdown(0, nullptr), BP_OK);
  ::unsetenv("NULL_DEVICE_COUNT");
  EXPECT_EQ(count("null"), 1);
  EXPECT_EQ(bp_shutdown(0, nullptr), BP_OK);
}

TEST(Runtime, ManyGenerationsInARow) {
  for (int i = 0; i < 20; ++i) {
    Session session;
    bp_tensor *a = ones("null:0"), *b = nullptr;
    EXPECT_EQ(bp_tensor_to(a, device("cpu"), BP_DTYPE_NONE, 0, 0, &b, nullptr), BP_OK);
    bp_tensor_release(a);
    bp_tensor_release(b);
  }
}

}  // namespace
