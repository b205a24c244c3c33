// SPDX-License-Identifier: Apache-2.0
// Every call about files of first uses, each in a process of its own: folders are searched, a
// plugin is looked at and opened, a backend asks the system what it runs on. What fails there is
// told, by the call or by the log, and the next use succeeds. Nothing here uses the library in the
// process of the tests, whose children all start cold.
#include <gtest/gtest.h>

#include "files/each_file_call.h"
#include "kit/child.h"
#include "kit/dicts.h"
#include "kit/has.h"
#include "kit/report.h"
#include "kit/tensors.h"
#include "memory/first_use.h"

namespace bp_test {
namespace {

// Functions whose failure need not be told: what frees, and what a backend does without: the names
// and sizes that /proc has, and libraries for what it has kernels of its own for.
const std::vector<std::string> kDoneWithout = {"close", "fopen", "dlopen"};

std::string& logged() {
  static std::string text;
  return text;
}

bp_status start(bp_error** err) {
  bp_init_desc d{};
  d.struct_size = sizeof d;
  d.log = [](void*, int32_t, const char* text, uint64_t n) { logged().append(text, n) += '\n'; };
  const bp_status status = bp_init(&d, err);
  if (status != BP_BAD_STATE) return status;  // it runs since the call before
  bp_error_release(*err);
  *err = nullptr;
  return BP_OK;
}

void each_file_call(const Run& call) {
  FileFailure failure(kDoneWithout, &logged());
  fail_each_point_of_first(
      [&](bp_error** err) -> bp_status {
        TRY(start(err));
        return call(err);
      },
      failure);
}

TEST(EachFileCallOfAFirst, UseOfTheCpu) {
  each_file_call([](bp_error** err) { return used("cpu", err); });
}
TEST(EachFileCallOfAFirst, UseOfSim) {
  each_file_call([](bp_error** err) { return used("sim:0", err); });
}
TEST(EachFileCallOfAFirst, CountOfKinds) {
  each_file_call([](bp_error** err) -> bp_status {
    uint32_t n = 0;
    TRY(bp_kind_count(&n, err));
    // Kinds are cpu, null and sim, unless a search was told to have failed.
    return n == 3 || !logged().empty() ? BP_OK
                                       : bp_error_set(err, BP_INTERNAL, "a kind is missing");
  });
}
TEST(EachFileCallOfAFirst, Report) {
  each_file_call([](bp_error** err) {
    Handle<bp_report, bp_report_release> r;
    return bp_report_create(into(r), err);
  });
}
// The kind is searched for again.
TEST(EachFileCallOfAFirst, UseAfterAnUnload) {
  each_file_call([](bp_error** err) -> bp_status {
    bp_device d = 0;
    TRY(used("sim:0", err));
    TRY(bp_device_parse("sim:0", &d, err));
    TRY(bp_unload_kind(bp_device_kind(d), -1, err));
    return used("sim:0", err);
  });
}
// zlib is opened.
TEST(EachFileCallOfAFirst, LoadOfNpz) {
  const Folder folder;
  const std::string file = folder.file("saved.npz");
  expect_true_in_child([&] {
    const T x = counting({2, 3});
    const D d = dict({{"x", x.get()}});
    return bp_npz_save(d.get(), file.c_str(), nullptr) == BP_OK;
  });
  each_file_call([&](bp_error** err) -> bp_status {
    D back;
    return bp_npz_load(file.c_str(), bp_device_make(BP_KIND_CPU, -1), into(back), err);
  });
}
// A search that did not see everything is an entry of the report, and another one is made.
TEST(SearchThatFailed, IsToldAndRepeated) {
  expect_true_in_child([] {
    const auto kinds = [] {
      uint32_t n = 0;
      EXPECT_EQ(bp_kind_count(&n, nullptr), BP_OK);
      return n;
    };
    {
      const FailingFiles after(EMFILE, 0, FailingFiles::kForEver);
      EXPECT_EQ(kinds(), 1u) << "the cpu is a kind of itself";
      const auto entries = report();
      EXPECT_GE(entries.size(), 1u);
      for (const Entry& e : entries) {
        EXPECT_EQ(e.stage, BP_STAGE_DIRECTORY);
        EXPECT_TRUE(has(e.cause, "cannot be read: Too many open files")) << e.cause;
      }
    }
    EXPECT_EQ(kinds(), 3u);
    for (const Entry& e : report()) EXPECT_EQ(e.status, BP_OK) << e.cause;
    return !testing::Test::HasFailure();
  });
}
// What was loaded before stays as it is; a kind that is not known may be one that was not seen.
TEST(SearchThatFailed, KeepsWhatIsLoaded) {
  expect_true_in_child([] {
    const T on_sim = counting({2}, device("sim:0"));
    EXPECT_EQ(require("null").message, "");
    {
      const FailingFiles after(EIO, 0, FailingFiles::kForEver);
      EXPECT_EQ(bp_unload_kind(kind("null"), -1, nullptr), BP_OK) << "which searches again";
      bp_device d = 0;
      EXPECT_EQ(attempt(bp_device_parse, "nobody", &d).status, BP_UNAVAILABLE);
      EXPECT_EQ(require("null").status, BP_UNAVAILABLE);
    }
    EXPECT_EQ(values<float>(to(on_sim, kCpu, BP_F32)), (std::vector<float>{0, 1}));
    EXPECT_EQ(require("null").message, "");
    return !testing::Test::HasFailure();
  });
}

}  // namespace
}  // namespace bp_test
