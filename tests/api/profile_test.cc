// SPDX-License-Identifier: Apache-2.0
// Profiles: what they see of ops, copies, waits, gradients, modules, queues and threads; that spans
// of a lane lie side by side or within each other; and what is refused, in which words.
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <thread>

#include "api/own_file.h"
#include "kit/devices.h"
#include "kit/invoke.h"
#include "kit/modules.h"
#include "kit/session.h"
#include "kit/tensors.h"
#include "kit/trace.h"

namespace bp_test {
namespace {

using nlohmann::json;

Trace stopped() {
  const OwnFile file;
  EXPECT_EQ(attempt(bp_profile_stop).message, "");
  EXPECT_EQ(attempt(bp_profile_save, file.path.c_str()).message, "");
  return read_trace(file.path);
}

Answer started(uint64_t most = 0) {
  bp_profile_options options{sizeof options, 0, most};
  return attempt(bp_profile_start, static_cast<const bp_profile_options*>(&options));
}

template <class F>
Trace profiled(F&& f) {
  EXPECT_EQ(started().message, "");
  f();
  return stopped();
}

TEST(Profile, SeesWhatAnOpWasCalledWith) {
  const Session session;
  for (bp_device d : devices_with_kernels()) {
    SCOPED_TRACE(info_of(d).name);
    const T x = wave({2, 3}, d), y = wave({3}, d, 7);
    const Trace t = profiled([&] {
      op(BP_OP_ADD, {value(x), value(y)});
      op(BP_OP_MUL, {value(x), number(2.5)});
    });
    const std::vector<json> add = t.spans("op", "add"), mul = t.spans("op", "mul");
    ASSERT_EQ(add.size(), 1u);
    ASSERT_EQ(mul.size(), 1u);
    EXPECT_EQ(add[0]["args"]["in"], json({"float32[2, 3]", "float32[3]"}));
    EXPECT_EQ(add[0]["args"]["out"], json({"float32[2, 3]"}));
    EXPECT_EQ(add[0]["args"]["bytes"], 24 + 12 + 24);
    EXPECT_EQ(mul[0]["args"]["in"], json({"float32[2, 3]", "2.5"}));
    EXPECT_NE(std::string(add[0]["args"]["kernel"]).find(" float32"), std::string::npos);
    expect_nested(t);
  }
}

TEST(Profile, SeesWhatAnOpIsComposedOf) {
  const Session session;
  const T x = wave({4, 5}, kCpu);
  const Trace t = profiled([&] { op(BP_OP_VECTOR_NORM, {value(x)}); });
  const std::vector<json> norm = t.spans("op", "vector_norm");
  ASSERT_EQ(norm.size(), 1u);
  const double begin = norm[0]["ts"], end = begin + double(norm[0]["dur"]);
  size_t within = 0;
  for (const json& e : t.spans("op"))
    within += e != norm[0] && double(e["ts"]) >= begin && double(e["ts"]) + double(e["dur"]) <= end;
  EXPECT_GE(within, 1u);
  expect_nested(t);
}

TEST(Profile, SeesWhatAQueueDid) {
  const Session session("sim.slow_us=200");
  if (!has_kind("sim")) GTEST_SKIP() << "there is no sim backend";
  const bp_device d = device("sim:0");
  const T x = wave({64}, d);
  const Trace t = profiled([&] {
    for (int i = 0; i < 200; ++i) op(BP_OP_EXP, {value(x)});  // more than are kept without asking
    EXPECT_EQ(attempt(bp_synchronize, d).message, "");
  });
  const std::map<std::string, int> lanes = t.lanes("sim:0");
  ASSERT_EQ(lanes.count("default stream"), 1u);
  const std::vector<json> kernels = t.spans("kernel", "exp");
  ASSERT_EQ(kernels.size(), 200u);
  for (const json& k : kernels) {
    EXPECT_EQ(k["tid"], lanes.at("default stream"));
    EXPECT_GE(double(k["dur"]), 200.0);
  }
  const std::vector<json> waits = t.spans("wait", "sim:0");
  EXPECT_GE(waits.size(), 1u);
  expect_nested(t);
}

TEST(Profile, SeesCopiesAndWhatAWaitIsFor) {
  const Session session;
  if (!has_kind("sim")) GTEST_SKIP() << "there is no sim backend";
  const bp_device d = device("sim:0");
  const T x = wave({1000}, kCpu);
  const Trace t = profiled([&] { doubles(to(x, d)); });
  size_t up = 0, down = 0;
  for (const json& c : t.spans("copy", "copy")) {
    const json& said = c["args"];
    up += said["from"] == "cpu" && said["to"] == "sim:0" && said["bytes"] == 4000;
    down += said["from"] == "sim:0" && said["to"] == "cpu";
  }
  EXPECT_EQ(up, 1u);
  EXPECT_GE(down, 1u);
  EXPECT_EQ(t.spans("copy", "copy from the host").size(), 1u);
  bool waited = false;
  for (const json& w : t.spans("wait", "sim:0"))
    waited |= w.contains("args") && w["args"]["for"] == "copy";
  EXPECT_TRUE(waited);
  expect_nested(t);
}

TEST(Profile, TiesGradientsToTheirOps) {
  const Session session;
  for (bp_device d : devices_with_kernels()) {
    SCOPED_TRACE(info_of(d).name);
    const T x = wave({3, 4}, d);
    EXPECT_EQ(attempt(bp_tensor_set_requires_grad, x.get(), 1).message, "");
    const Trace t = profiled([&] {
      const T y = op(BP_OP_SUM, {value(op(BP_OP_EXP, {value(x)}))});
      bp_tensor* const root = y.get();
      EXPECT_EQ(
          attempt(bp_backward, &root, static_cast<bp_tensor* const*>(nullptr), 1u, 0u).message, "");
    });
    const std::vector<json> back = t.spans("backward", "ExpBackward0");
    ASSERT_EQ(back.size(), 1u);
    // An arrow leads from the op to its gradient.
    std::map<int, json> begins, ends;
    for (const json& e : t.all["traceEvents"]) {
      if (e["ph"] == "s") begins[e["id"]] = e;
      if (e["ph"] == "f") ends[e["id"]] = e;
    }
    ASSERT_EQ(begins.size(), 2u);
    bool tied = false;
    for (const auto& [id, e] : ends)
      if (e["ts"] == back[0]["ts"])
        for (const json& exp : t.spans("op", "exp")) tied |= exp["ts"] == begins[id]["ts"];
    EXPECT_TRUE(tied);
    expect_nested(t);
  }
}

TEST(Profile, SeesModulesByTheirPaths) {
  const Session session;
  const M net = sequential(linear(3, 4), module("relu"));
  const T x = wave({2, 3}, kCpu);
  const Trace t = profiled([&] { run(net, x); });
  std::set<std::string> paths;
  for (const json& m : t.spans("module")) paths.insert(m["args"]["path"]);
  EXPECT_EQ(paths, (std::set<std::string>{"net (Sequential)", "net.0 (Linear)", "net.1 (ReLU)"}));
  expect_nested(t);
}

TEST(Profile, SeesWhatALoaderIsWaitedFor) {
  const Session session;
  for (uint32_t prefetch : {0u, 2u}) {
    SCOPED_TRACE(prefetch);
    const T x = wave({8, 3}, kCpu);
    bp_tensor* const columns[] = {x.get()};
    bp_dataset* data = nullptr;
    ASSERT_EQ(attempt(bp_dataset_from_tensors, columns, 1u, &data).message, "");
    bp_loader_desc desc{};
    desc.struct_size = sizeof desc;
    desc.batch_size = 4;
    desc.prefetch = prefetch;
    bp_loader* loader = nullptr;
    ASSERT_EQ(
        attempt(bp_loader_create, data, static_cast<const bp_loader_desc*>(&desc), &loader).message,
        "");
    const Trace t = profiled([&] {
      for (int i = 0; i < 2; ++i) {
        bp_tensor* batch[1] = {};
        EXPECT_EQ(attempt(bp_loader_next, loader, batch, 1u).message, "");
        bp_tensor_release(batch[0]);
      }
    });
    EXPECT_GE(t.spans("step", "a batch").size(), 2u);
    EXPECT_EQ(t.spans("wait", "the loader").size(), prefetch ? 2u : 0u);
    expect_nested(t);
    bp_loader_release(loader);
    bp_dataset_release(data);
  }
}

TEST(Profile, SeesThreadsSideBySide) {
  const Session session;
  const T x = wave({16}, kCpu);
  const Trace t = profiled([&] {
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&] {
        for (int k = 0; k < 50; ++k) op(BP_OP_EXP, {value(x)});
      });
    for (std::thread& thread : threads) thread.join();
  });
  EXPECT_EQ(t.spans("op", "exp").size(), 150u);
  EXPECT_EQ(t.lanes("host").size(), 3u);
  expect_nested(t);
}

TEST(Profile, CountsWhatItDoesNotKeep) {
  const Session session;
  const T x = wave({16}, kCpu);
  ASSERT_EQ(started(10).message, "");
  for (int k = 0; k < 25; ++k) op(BP_OP_EXP, {value(x)});
  const Trace t = stopped();
  EXPECT_EQ(t.spans("").size(), 10u);
  EXPECT_EQ(t.all["otherData"]["dropped"], 15);
}

TEST(Profile, SaysWhatADeviceHasInUse) {
  const Session session;
  for (bp_device d : devices_with_kernels()) {
    SCOPED_TRACE(info_of(d).name);
    const T x = wave({1 << 18}, d);
    T kept;
    const Trace t = profiled([&] { kept = op(BP_OP_EXP, {value(x)}); });
    uint64_t most = 0;
    for (const json& e : t.all["traceEvents"])
      if (e["ph"] == "C") most = std::max(most, uint64_t(e["args"]["bytes"]));
    EXPECT_GE(most, uint64_t{2} << 20);
  }
}

// The blocks of a trace by what made them, and which of them live.
struct Held {
  std::string device, op, module;
  uint64_t bytes;
  bool lives;
};
std::vector<Held> blocks_of(const Trace& t) {
  std::map<int, std::string> groups;
  std::map<int, Held> blocks;
  for (const json& e : t.all["traceEvents"]) {
    if (e["name"] == "process_name") groups[e["pid"]] = e["args"]["name"];
    if (e["ph"] == "N") {
      const json& says = e["args"];
      blocks[e["id"]] = {groups[e["pid"]], says["op"], says["module"], says["bytes"], true};
    }
    if (e["ph"] == "D") {
      EXPECT_TRUE(blocks.count(e["id"])) << e;
      blocks[e["id"]].lives = false;
    }
  }
  std::vector<Held> out;
  for (const auto& [id, held] : blocks) out.push_back(held);
  return out;
}

TEST(Profile, NotesWhoHoldsMemory) {
  const Session session;
  for (bp_device d : devices_with_kernels()) {
    char label[64];
    ASSERT_EQ(
        attempt(bp_device_format, d, label, uint64_t{sizeof label}, static_cast<uint64_t*>(nullptr))
            .message,
        "");
    SCOPED_TRACE(label);
    const T x = wave({100, 3}, d);
    T kept;
    const Trace t = profiled([&] {
      kept = op(BP_OP_EXP, {value(x)});
      op(BP_OP_VECTOR_NORM, {value(x)});
      bp_tensor* made = nullptr;
      const int64_t shape[] = {7};
      EXPECT_EQ(attempt(bp_tensor_empty, 1, shape, BP_F32, d, &made).message, "");
      bp_tensor_release(made);
    });
    std::map<std::string, std::vector<Held>> by_op;
    for (const Held& h : blocks_of(t)) {
      EXPECT_EQ(h.device, label);
      by_op[h.op].push_back(h);
    }
    ASSERT_EQ(by_op["exp"].size(), 1u);
    EXPECT_EQ(by_op["exp"][0].bytes, 1200u);
    EXPECT_TRUE(by_op["exp"][0].lives);
    ASSERT_GE(by_op["vector_norm"].size(), 2u);  // its own and what it is composed of
    for (const Held& h : by_op["vector_norm"]) EXPECT_FALSE(h.lives);
    ASSERT_EQ(by_op[""].size(), 1u);
    EXPECT_EQ(by_op[""][0].bytes, 28u);
  }
}

TEST(Profile, NotesTheModuleThatMadeABlock) {
  const Session session;
  const M net = sequential(linear(3, 4), module("relu"));
  const T x = wave({200, 3}, kCpu);
  T y;
  const Trace t = profiled([&] { y = run(net, x); });
  std::vector<std::string> live, dead;
  for (const Held& h : blocks_of(t)) (h.lives ? live : dead).push_back(h.module);
  EXPECT_EQ(live, std::vector<std::string>{"net.1 (ReLU)"});
  ASSERT_GE(dead.size(), 1u);
  EXPECT_EQ(dead[0], "net.0 (Linear)");
}

TEST(Profile, ASnapshotHasWhatLives) {
  const Session session;
  const OwnFile file;
  EXPECT_EQ(attempt(bp_memory_snapshot, file.path.c_str()).message,
            "no profile is being taken, which would know of blocks");
  for (bp_device d : devices_with_kernels()) {
    SCOPED_TRACE(info_of(d).name);
    const T x = wave({100, 3}, d);
    ASSERT_EQ(started().message, "");
    T kept = op(BP_OP_EXP, {value(x)});
    op(BP_OP_EXP, {value(x)});
    EXPECT_EQ(attempt(bp_memory_snapshot, file.path.c_str()).message, "");
    EXPECT_EQ(attempt(bp_memory_snapshot, "/nowhere/memory.json").status, BP_NOT_FOUND);
    const Trace t = read_trace(file.path);
    const std::vector<Held> blocks = blocks_of(t);
    ASSERT_EQ(blocks.size(), 1u);
    EXPECT_EQ(blocks[0].op, "exp");
    uint64_t in_use = 0;
    for (const json& e : t.all["traceEvents"])
      if (e["ph"] == "C") in_use += uint64_t(e["args"]["bytes"]);
    EXPECT_GE(in_use, 2400u);
    EXPECT_EQ(t.spans("").size(), 0u);
    kept = {};
    EXPECT_EQ(stopped().spans("op", "exp").size(), 2u);  // it goes on
  }
}

TEST(Profile, MemoryThatRanOutNamesItsHolders) {
  const Session session("sim.memory=16M");
  if (!has_kind("sim")) GTEST_SKIP() << "there is no sim backend";
  const bp_device d = device("sim:0");
  const T x = wave({1 << 20}, d);
  ASSERT_EQ(started().message, "");
  std::vector<T> kept;
  Answer last;
  for (int i = 0; i < 8 && last.status == BP_OK; ++i) {
    T one;
    last = invoke(BP_OP_EXP, {value(x)}, one);
    kept.push_back(std::move(one));
  }
  EXPECT_EQ(last.status, BP_OUT_OF_DEVICE_MEMORY);
  // How many fit depends on the allocator.
  EXPECT_TRUE(std::regex_search(last.message,
                                std::regex("blocks \\(the largest: (8|12)\\.00 MiB of exp\\), ")))
      << last.message;
  stopped();
}

TEST(Profile, RefusesWhatIsOutOfOrder) {
  const Session session;
  const OwnFile file;
  EXPECT_EQ(bp_profile_running(), 0u);
  EXPECT_EQ(attempt(bp_profile_stop).message, "no profile is being taken");
  ASSERT_EQ(started().message, "");
  EXPECT_EQ(bp_profile_running(), 1u);
  const Answer again = started();
  EXPECT_EQ(again.status, BP_BAD_STATE);
  EXPECT_EQ(again.message, "a profile is being taken already: stop that one first");
  uint64_t outer = 0, inner = 0;
  EXPECT_EQ(attempt(bp_profile_push, "outer", &outer).message, "");
  EXPECT_EQ(attempt(bp_profile_push, "inner \"quoted\"\n", &inner).message, "");
  EXPECT_EQ(attempt(bp_profile_pop, outer).message,
            "token " + std::to_string(outer) + " is not of this thread's newest range, which has " +
                std::to_string(inner));
  EXPECT_EQ(attempt(bp_profile_pop, inner).message, "");
  EXPECT_EQ(attempt(bp_profile_pop, outer).message, "");
  EXPECT_EQ(
      attempt(bp_profile_pop, outer).message,
      "token " + std::to_string(outer) + " is not of this thread's newest range: it has none");
  const Trace t = stopped();
  EXPECT_EQ(t.spans("range", "outer").size(), 1u);
  EXPECT_EQ(t.spans("range", "inner \"quoted\"\n").size(), 1u);
  uint64_t none = 7;
  EXPECT_EQ(attempt(bp_profile_push, "unseen", &none).message, "");
  EXPECT_EQ(none, 0u);
  EXPECT_EQ(attempt(bp_profile_pop, none).message, "");
  EXPECT_EQ(attempt(bp_profile_save, "/nowhere/trace.json").status, BP_NOT_FOUND);
  bp_profile_options wrong{sizeof wrong, 1, 0};
  EXPECT_EQ(attempt(bp_profile_start, static_cast<const bp_profile_options*>(&wrong)).message,
            "bp_profile_options.flags has flags that are not known: 0x1");
}

// What a callback leaves within an op ends with the op, and ranges that nobody ended with what is
// around them.
TEST(Profile, EndsWhatNobodyEnds) {
  const Session session;
  const M net = sequential(linear(3, 4), module("relu"));
  const Trace t = profiled([&] {
    uint64_t module = 0, first = 0, second = 0;
    EXPECT_EQ(attempt(bp_module_enter, net.get(), &module).message, "");
    EXPECT_EQ(attempt(bp_profile_push, "first", &first).message, "");
    EXPECT_EQ(attempt(bp_profile_push, "second", &second).message, "");
    EXPECT_EQ(attempt(bp_module_leave, module).message, "");
    EXPECT_EQ(attempt(bp_profile_pop, second).status, BP_BAD_STATE);
  });
  EXPECT_EQ(t.spans("range", "first").size(), 1u);
  EXPECT_EQ(t.spans("range", "second").size(), 1u);
  EXPECT_EQ(t.spans("module").size(), 1u);
  expect_nested(t);
}

// A block's room serves again, so that many that come and go leave room for one that stays.
TEST(Profile, NotesBlocksThoughManyCameBefore) {
  const Session session;
  const OwnFile file;
  const T x = wave({100, 3}, kCpu);
  ASSERT_EQ(started(10).message, "");
  for (int i = 0; i < 50; ++i) op(BP_OP_EXP, {value(x)});
  const T kept = op(BP_OP_TANH, {value(x)});
  EXPECT_EQ(attempt(bp_memory_snapshot, file.path.c_str()).message, "");
  const std::vector<Held> now = blocks_of(read_trace(file.path));
  ASSERT_EQ(now.size(), 1u);
  EXPECT_EQ(now[0].op, "tanh");
  EXPECT_EQ(stopped().all["otherData"]["dropped_blocks"], 40);
}

// What a program asks about ops runs nothing.
TEST(Profile, DoesNotSeeWhatStandsForNothing) {
  const Session session;
  const Trace t = profiled([&] {
    uint32_t runs = 0;
    bp_op_supported(BP_OP_LAYER_NORM, BP_F32, BP_KIND_CPU, &runs, nullptr);
  });
  EXPECT_EQ(t.spans("").size(), 0u);
  EXPECT_EQ(blocks_of(t).size(), 0u);
}

TEST(Profile, OfACallThatFailsSaysSo) {
  const Session session;
  const T x = wave({2, 3}, kCpu), y = wave({4}, kCpu);
  T out;
  const Trace t = profiled([&] {
    EXPECT_NE(invoke(BP_OP_ADD, {value(x), value(y)}, out).status, BP_OK);
  });
  const std::vector<json> add = t.spans("op", "add");
  ASSERT_EQ(add.size(), 1u);
  EXPECT_EQ(add[0]["args"]["failed"], true);
}

// One that the environment asks for begins with the runtime, and a child has none.
TEST(Profile, OfTheEnvironmentIsSavedAtTheEnd) {
  const OwnFile file;
  ::setenv("BACKPLANE_PROFILE", file.path.c_str(), 1);
  {
    const Session session("", /*flags=*/0);
    EXPECT_EQ(bp_profile_running(), 1u);
    op(BP_OP_EXP, {value(wave({5}, kCpu))});
    if (const pid_t child = ::fork(); child == 0) {
      std::exit(bp_profile_running() ? 1 : 0);
    } else {
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      EXPECT_EQ(status, 0);
      std::ifstream none(file.path);
      EXPECT_FALSE(none.good()) << "the child saved its parent's profile";
    }
  }
  ::unsetenv("BACKPLANE_PROFILE");
  EXPECT_EQ(bp_profile_running(), 0u);
  const Trace t = read_trace(file.path);
  EXPECT_EQ(t.spans("op", "exp").size(), 1u);
  expect_nested(t);
}

// A process in no group has no rank, and several of them do not write one file.
TEST(Profile, OfTheEnvironmentIsNamedAfterItsProcess) {
  const OwnFile file;
  const std::string number = std::to_string(::getpid());
  const std::string path = file.path + "." + number + "." + number;
  ::setenv("BACKPLANE_PROFILE", (file.path + ".%r.%p").c_str(), 1);
  { const Session session("", /*flags=*/0); }
  ::unsetenv("BACKPLANE_PROFILE");
  bool found = false;  // a later runtime of a process adds its number
  for (const auto& entry : std::filesystem::directory_iterator(testing::TempDir())) {
    if (entry.path().string().rfind(path, 0) != 0) continue;
    found = true;
    EXPECT_FALSE(read_trace(entry.path().string()).all["otherData"].contains("group"));
    std::filesystem::remove(entry.path());
  }
  EXPECT_TRUE(found) << path;
}

}  // namespace
}  // namespace bp_test
