// SPDX-License-Identifier: Apache-2.0
// Every call about files of what saves and loads. First uses of backends: cold_test.cc.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "files/each_file_call.h"
#include "kit/child.h"
#include "kit/dicts.h"
#include "kit/learner.h"

namespace bp_test {
namespace {

using Program = Handle<bp_program, bp_program_release>;
constexpr float kSix[] = {0, 1, 2, 3, 4, 5};

// What is saved, partly on an accelerator.
const D& full() {
  static const T x = counting({2, 3}), y = counting<int64_t>({4}),
                 z = counting({2, 3}, device("sim:0"));
  static const D d = dict({{"x", x.get()}, {"y", y.get()}, {"z", z.get()}});
  return d;
}
bp_status same(const D& d, bp_error** err) {
  for (const char* name : {"x", "z"}) {
    T t;
    float out[6];
    TRY(bp_dict_get(d.get(), name, into(t), err));
    TRY(bp_tensor_read(t.get(), out, sizeof out, err));
    if (std::memcmp(out, kSix, sizeof out) != 0)
      return bp_error_set(err, BP_INTERNAL, "other numbers are loaded than were saved");
  }
  return BP_OK;
}

using Save = bp_status (*)(bp_dict*, const char*, bp_error**);
using Load = bp_status (*)(const char*, bp_device, bp_dict**, bp_error**);

struct EachFileCall : testing::Test {
  const Folder folder;
  const std::string file = folder.file("saved");

  void of_saving(const char* family, Save save, const std::string& leftover = "") {
    full();
    fail_each_file_call(
        {{family, "save", [&](bp_error** err) { return save(full().get(), file.c_str(), err); }},
         folder,
         file,
         "what was there",
         true,
         leftover});
  }
  void of_loading(const char* family, Save save, Load load, bp_device onto) {
    ASSERT_EQ(save(full().get(), file.c_str(), nullptr), BP_OK);
    fail_each_file_call({{family, "load",
                          [&](bp_error** err) -> bp_status {
                            D d;
                            TRY(load(file.c_str(), onto, into(d), err));
                            return same(d, err);
                          }},
                         folder,
                         file,
                         content(file),
                         false});
  }
};

TEST_F(EachFileCall, OfSavingSafetensors) { of_saving("safetensors", bp_safetensors_save); }
TEST_F(EachFileCall, OfSavingNpz) { of_saving("npz", bp_npz_save); }
TEST_F(EachFileCall, OfLoadingSafetensors) {
  of_loading("safetensors", bp_safetensors_save, bp_safetensors_load, kCpu);
}
TEST_F(EachFileCall, OfLoadingSafetensorsOntoAnAccelerator) {
  of_loading("safetensors", bp_safetensors_save, bp_safetensors_load, device("sim:0"));
}
TEST_F(EachFileCall, OfLoadingNpz) { of_loading("npz", bp_npz_save, bp_npz_load, kCpu); }
TEST_F(EachFileCall, OfLoadingNpzOntoAnAccelerator) {
  of_loading("npz", bp_npz_save, bp_npz_load, device("sim:0"));
}

TEST_F(EachFileCall, OfSavingOverWhatAKilledWriterLeft) {
  put(file, "before");
  int status = 0;
  for (long point = 0; folder.names() == "saved " && point < 100; ++point)
    status = status_of_child([&] {
      const T x = counting({2});
      const D d = dict({{"x", x.get()}});
      const FailingFiles after(FailingFiles::kKilled, point, FailingFiles::kOnce);
      return bp_safetensors_save(d.get(), file.c_str(), nullptr) == BP_OK;
    });
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "no writer left anything";
  const std::string name = folder.names().substr(0, folder.names().find(' '));
  ASSERT_EQ(name.find(".backplane-"), 0u) << folder.names();
  of_saving("leftover", bp_safetensors_save, folder.file(name));
}

// A file that nobody but its owner may read stays so, or is not replaced.
TEST_F(EachFileCall, OfSavingAPrivateFileKeepsItPrivate) {
  namespace fs = std::filesystem;
  put(file, "");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  full();
  fail_each_file_call({.call = {"private", "save",
                                [&](bp_error** err) {
                                  return bp_safetensors_save(full().get(), file.c_str(), err);
                                }},
                       .folder = folder,
                       .file = file,
                       .before = "what was there",
                       .saves = true,
                       .fault_in = [&]() -> std::string {
                         const auto mode = static_cast<unsigned>(fs::status(file).permissions());
                         return mode == 0600 ? "" : "it has another mode";
                       }});
}

// A link is followed, or what it leads to stays; it does not become a file.
TEST_F(EachFileCall, OfSavingThroughALinkKeepsTheLink) {
  const Folder elsewhere;
  const std::string link = elsewhere.file("saved");
  std::filesystem::create_symlink(file, link);
  full();
  fail_each_file_call({.call = {"link", "save",
                                [&](bp_error** err) {
                                  return bp_safetensors_save(full().get(), link.c_str(), err);
                                }},
                       .folder = folder,
                       .file = file,
                       .before = "what was there",
                       .saves = true,
                       .shown = link,
                       .fault_in = [&]() -> std::string {
                         return std::filesystem::is_symlink(link) ? "" : "the link is a file";
                       }});
}

// x + weight, where the weight is held.
bp_status added(bp_tensor* x, bp_tensor* weight, Program& program, bp_error** err) {
  struct Abandoned {
    ~Abandoned() { bp_program_abandon(); }
  } at_end;
  TRY(bp_program_begin(&x, 1, 0, err));
  T sum;
  TRY(bp_add(x, weight, into(sum), err));
  bp_tensor* outputs[] = {sum.get()};
  return bp_program_end(outputs, 1, nullptr, into(program), err);
}
TEST_F(EachFileCall, OfSavingAProgram) {
  const T x = counting({6}), weight = counting({6});
  Program program;
  ASSERT_EQ(added(x.get(), weight.get(), program, nullptr), BP_OK);
  fail_each_file_call(
      {{"program", "save",
        [&](bp_error** err) { return bp_program_save(program.get(), file.c_str(), err); }},
       folder,
       file,
       "what was there",
       true});
}
TEST_F(EachFileCall, OfLoadingAProgram) {
  for (const char* name : {"cpu", "sim:0"}) {
    const T x = counting({6}), weight = counting({6}), here = counting({6}, device(name));
    Program program;
    ASSERT_EQ(added(x.get(), weight.get(), program, nullptr), BP_OK);
    ASSERT_EQ(bp_program_save(program.get(), file.c_str(), nullptr), BP_OK);
    const bp_device onto = device(name);
    fail_each_file_call({{"program", "load",
                          [&](bp_error** err) -> bp_status {
                            Program same;
                            TRY(bp_program_load(file.c_str(), &onto, 1, nullptr, into(same), err));
                            bp_tensor *in[] = {here.get()}, *out = nullptr;
                            TRY(bp_program_run(same.get(), in, 1, &out, 1, err));
                            const T sum(out);
                            float got[6];
                            TRY(bp_tensor_read(out, got, sizeof got, err));
                            return got[5] == 10 ? BP_OK : BP_INTERNAL;
                          }},
                         folder,
                         file,
                         content(file),
                         false});
  }
}

// Each point is two trainings, so the sample is of one device.
TEST_F(EachFileCall, OfTrainingWithACheckpoint) {
  std::vector<const char*> names{"sim:0"};
  if (std::getenv("BP_FILES_EVERY")) names.push_back("cpu");
  for (const char* name : names) {
    const std::vector<bp_device> devices{device(name)};
    fail_each_file_call({{"trainer", "fit",
                          [&](bp_error** err) -> bp_status {
                            Learner l(devices);
                            const bp_fit_desc how{sizeof how, 0, 1, 0, file.c_str()};
                            return bp_trainer_fit(l.trainer.get(), &how, err);
                          }},
                         folder,
                         file,
                         "what was there",
                         true});
  }
}
TEST_F(EachFileCall, OfResumingATraining) {
  for (const char* name : {"cpu", "sim:0"}) {
    Learner l({device(name)});
    ASSERT_EQ(l.fit(1, file.c_str()).message, "");
    fail_each_file_call({{"trainer", "resume",
                          [&](bp_error** err) -> bp_status {
                            D d;
                            TRY(bp_safetensors_load(file.c_str(), kCpu, into(d), err));
                            return bp_trainer_load_state_dict(l.trainer.get(), d.get(), err);
                          }},
                         folder,
                         file,
                         content(file),
                         false});
  }
}

}  // namespace
}  // namespace bp_test
