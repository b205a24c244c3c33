// SPDX-License-Identifier: Apache-2.0
// `backplane profile`: tables and pictures of a profile that is written here by hand, several made
// one, and files that are none.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "cli/command.h"
#include "kit/has.h"

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// A module with an op that is composed of another; a copy with a wait in it; a queue.
constexpr const char* kTrace = R"json({"displayTimeUnit":"ns",
"otherData":{"program":"backplane 0.1.0","pid":77,"began_ns":1000000,"length_us":1000.0,"dropped":3},
"traceEvents":[
{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"host"}},
{"ph":"M","name":"process_name","pid":2,"tid":0,"args":{"name":"sim:0"}},
{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"main thread"}},
{"ph":"M","name":"thread_name","pid":2,"tid":2,"args":{"name":"default stream"}},
{"ph":"X","cat":"op","name":"exp","pid":1,"tid":1,"ts":30.0,"dur":40.0,"args":{"in":["float32[4]"],"bytes":32,"device":"sim:0"}},
{"ph":"X","cat":"op","name":"softmax","pid":1,"tid":1,"ts":20.0,"dur":100.0,"args":{"bytes":64,"device":"sim:0"}},
{"ph":"X","cat":"module","name":"Softmax","pid":1,"tid":1,"ts":10.0,"dur":200.0,"args":{"path":"net.1 (Softmax)"}},
{"ph":"X","cat":"copy","name":"copy","pid":1,"tid":1,"ts":300.0,"dur":500.0,"args":{"from":"sim:0","to":"cpu","bytes":4096}},
{"ph":"X","cat":"wait","name":"sim:0","pid":1,"tid":1,"ts":310.0,"dur":400.0,"args":{"for":"copy"}},
{"ph":"X","cat":"range","name":"<round & \"1\">","pid":1,"tid":1,"ts":5.0,"dur":900.0},
{"ph":"X","cat":"kernel","name":"exp","pid":2,"tid":2,"ts":60.0,"dur":300.0},
{"ph":"s","cat":"backward","name":"backward","id":9,"pid":1,"tid":1,"ts":30.0},
{"ph":"C","name":"bytes in use","pid":2,"tid":0,"ts":40.0,"args":{"bytes":2048}},
{"ph":"N","cat":"memory","name":"block","id":1,"pid":2,"tid":0,"ts":40.0,"args":{"bytes":1024,"op":"exp","module":"net.1 (Softmax)"}},
{"ph":"N","cat":"memory","name":"block","id":2,"pid":2,"tid":0,"ts":50.0,"args":{"bytes":256,"op":"","module":""}},
{"ph":"D","cat":"memory","name":"block","id":2,"pid":2,"tid":0,"ts":60.0},
{"ph":"N","cat":"memory","name":"block","id":3,"pid":2,"tid":0,"ts":60.0,"args":{"bytes":512,"op":"exp","module":"net.1 (Softmax)"}},
{"ph":"N","cat":"memory","name":"block","id":4,"pid":2,"tid":0,"ts":70.0,"args":{"bytes":128,"op":"sum","module":""}},
{"ph":"D","cat":"memory","name":"block","id":1,"pid":2,"tid":0,"ts":500.0}
]})json";

class Profile : public testing::Test {
 protected:
  Profile() : folder_(fs::path(testing::TempDir()) / ("cli-profile-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    write("trace.json", kTrace);
  }
  ~Profile() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }
  std::string text_of(const std::string& name) const {
    std::ifstream in(path(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  json rows(const std::string& by) const {
    const Said said = backplane({"profile", "summary", path("trace.json"), "--by", by, "--json"});
    EXPECT_EQ(said.code, 0) << said.err;
    return json::parse(said.out);
  }
  fs::path folder_;
};

TEST_F(Profile, SaysWhatTheTimeWentTo) {
  const json ops = rows("op");
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_EQ(ops[0], (json{{"op", "exp"},
                          {"device", "sim:0"},
                          {"calls", 1},
                          {"own_us", 40.0},
                          {"us", 40.0},
                          {"bytes", 32},
                          {"device_us", 300.0}}));
  EXPECT_EQ(ops[1]["op"], "softmax");
  EXPECT_EQ(ops[1]["own_us"], 60.0);
  EXPECT_EQ(ops[1]["us"], 100.0);
  EXPECT_EQ(
      rows("module"),
      json::parse(
          R"json([{"module":"net.1 (Softmax)","calls":1,"own_us":200.0,"us":200.0,"bytes":0}])json"));
  EXPECT_EQ(
      rows("wait"),
      json::parse(
          R"([{"wait for":"sim:0","within":"copy","calls":1,"own_us":400.0,"us":400.0,"bytes":0}])"));
  EXPECT_EQ(
      rows("copy"),
      json::parse(R"([{"copy":"sim:0 to cpu","calls":1,"own_us":100.0,"us":500.0,"bytes":4096}])"));
  EXPECT_EQ(rows("range")[0]["own_us"], 200.0);
}

TEST_F(Profile, PrintsATable) {
  const Said said = backplane({"profile", "summary", path("trace.json"), "--top", "1"});
  EXPECT_EQ(said.code, 0) << said.err;
  for (const char* words : {"1 ms of backplane 0.1.0, 7 spans; 3 more were not kept",
                            "host, main thread: 900 us seen, 90 %; 400 us of it waited",
                            "sim:0, default stream: 300 us seen", "sim:0: 2.0 KiB in use at most",
                            "exp", "1 more: --top 2"})
    EXPECT_TRUE(has(said.out, words)) << words << "\n" << said.out;
  EXPECT_FALSE(has(said.out, "softmax"));
}

TEST_F(Profile, DrawsATimeline) {
  const Said said =
      backplane({"profile", "picture", path("trace.json"), "--out", path("trace.svg")});
  EXPECT_EQ(said.code, 0) << said.err;
  const std::string picture = text_of("trace.svg");
  for (const char* words : {"<svg ", "softmax", "main thread", "default stream",
                            "&lt;round &amp; &quot;1&quot;&gt;", "2.0 KiB in use", "</svg>"})
    EXPECT_TRUE(has(picture, words)) << words;
}

TEST_F(Profile, SaysWhoHeldMemory) {
  const Said as_json = backplane({"profile", "memory", path("trace.json"), "--json"});
  EXPECT_EQ(as_json.code, 0) << as_json.err;
  EXPECT_EQ(json::parse(as_json.out), json::parse(R"json([{"device":"sim:0","at_us":70.0,
      "bytes":1664,"in_use":2048,"holders":[
      {"op":"exp","module":"net.1 (Softmax)","blocks":2,"bytes":1536},
      {"op":"sum","module":"","blocks":1,"bytes":128}]}])json"));
  const Said table = backplane({"profile", "memory", path("trace.json"), "--top", "1"});
  for (const char* words : {"sim:0: 1.6 KiB held at 70 us; 2.0 KiB in use at most", "92.3 %",
                            "net.1 (Softmax)", "1 more: --top 2"})
    EXPECT_TRUE(has(table.out, words)) << words << "\n" << table.out;
  const Said drawn =
      backplane({"profile", "memory", path("trace.json"), "--out", path("memory.svg")});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  const std::string picture = text_of("memory.svg");
  for (const char* words :
       {"<svg ", "exp in net.1 (Softmax)", "the rest", "1.6 KiB held", "</svg>"})
    EXPECT_TRUE(has(picture, words)) << words;
  write("none.json", R"({"traceEvents":[]})");
  const Said none = backplane({"profile", "memory", path("none.json")});
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(has(none.err, "has no blocks of memory")) << none.err;
}

TEST_F(Profile, MakesOneOfSeveral) {
  std::string later = kTrace;
  later.replace(later.find("\"began_ns\":1000000"), 18, "\"began_ns\":3000000");
  write("later.json", later);
  const Said said = backplane(
      {"profile", "merge", path("trace.json"), path("later.json"), "--out", path("both.json")});
  EXPECT_EQ(said.code, 0) << said.err;
  const json both = json::parse(text_of("both.json"));
  EXPECT_EQ(both["otherData"]["length_us"], 3000.0);
  EXPECT_EQ(both["otherData"]["dropped"], 6);
  std::set<std::string> names;
  std::vector<double> begins;
  for (const json& e : both["traceEvents"]) {
    if (e["name"] == "process_name")
      names.insert(std::to_string(int(e["pid"])) + ": " + std::string(e["args"]["name"]));
    if (e["name"] == "softmax") begins.push_back(e["ts"]);
  }
  EXPECT_EQ(names, (std::set<std::string>{"1: process 77, host", "2: process 77, sim:0",
                                          "3: process 77, host", "4: process 77, sim:0"}));
  EXPECT_EQ(begins, (std::vector<double>{20.0, 2020.0}));
  const Said summary = backplane({"profile", "summary", path("both.json")});
  EXPECT_EQ(summary.code, 0) << summary.err;
}

// What member `rank` of two wrote.
std::string of_member(int rank, int began_ns) {
  json page = json::parse(kTrace);
  json& facts = page["otherData"];
  facts["pid"] = 70 + rank;
  facts["began_ns"] = began_ns;
  facts["group"] = {{"kind", "mpi"}, {"rank", rank}, {"size", 2}};
  const std::string process = "rank " + std::to_string(rank) + " of 2";
  for (json& e : page["traceEvents"]) {
    if (e["name"] != "process_name") continue;
    const std::string part = e["args"]["name"];
    e["args"] = {{"name", process + (part == "host" ? " (train)" : ", " + part)},
                 {"process", process},
                 {"part", part}};
  }
  json& events = page["traceEvents"];
  events.push_back(json::parse(
      R"({"ph":"M","name":"thread_name","pid":1,"tid":3,"args":{"name":"group mpi"}})"));
  events.push_back(json::parse(
      R"({"ph":"X","cat":"exchange","name":"all_reduce","pid":1,"tid":3,"ts":100.0,"dur":50.0,
          "args":{"members":2,"operation":"mean","in":["float32[8]"],"bytes":32}})"));
  return page.dump();
}

TEST_F(Profile, KeepsRanksApartAndInOrder) {
  write("one.json", of_member(1, 1000000));
  write("zero.json", of_member(0, 2000000));
  const Said said = backplane(
      {"profile", "merge", path("one.json"), path("zero.json"), "--out", path("both.json")});
  ASSERT_EQ(said.code, 0) << said.err;
  std::vector<std::string> names;
  const json both = json::parse(text_of("both.json"));
  for (const json& e : both["traceEvents"])
    if (e["name"] == "process_name")
      names.push_back(std::to_string(int(e["pid"])) + ": " + std::string(e["args"]["name"]));
  EXPECT_EQ(names, (std::vector<std::string>{"1: rank 0 of 2 (train)", "2: rank 0 of 2, sim:0",
                                             "3: rank 1 of 2 (train)", "4: rank 1 of 2, sim:0"}));
  const std::string table = backplane({"profile", "summary", path("both.json")}).out;
  for (const char* words :
       {"rank 0 of 2 (train), main thread: 900 us seen",
        "rank 1 of 2, sim:0, default stream: ", "rank 0 of 2 (train), group mpi: 50 us seen",
        "\n\nrank 0 of 2\nop", "\n\nrank 1 of 2\nop", "rank 1 of 2, sim:0: 2.0 KiB in use at most"})
    EXPECT_TRUE(has(table, words)) << words << "\n" << table;
  const json rows = json::parse(backplane({"profile", "summary", path("both.json"), "--json"}).out);
  ASSERT_EQ(rows.size(), 4u) << rows;
  EXPECT_EQ(rows[0]["process"], "rank 0 of 2");
  EXPECT_EQ(rows[0]["op"], "exp");
  EXPECT_EQ(rows[0]["device_us"], 300.0) << "of its own device";
  EXPECT_EQ(rows[3]["process"], "rank 1 of 2");
  const Said drawn = backplane({"profile", "picture", path("both.json"), "--out", path("b.svg")});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  for (const char* words : {"rank 0 of 2 (train)", "rank 1 of 2, sim:0", "group mpi"})
    EXPECT_TRUE(has(text_of("b.svg"), words)) << words;
}

TEST_F(Profile, SaysWhatWasExchanged) {
  write("trace.json", of_member(1, 1000000));
  EXPECT_EQ(rows("exchange"), json::parse(R"json([{"exchange":"all_reduce(mean)",
      "lane":"group mpi","calls":1,"own_us":50.0,"us":50.0,"bytes":32}])json"));
}

// Two jobs have the same ranks.
TEST_F(Profile, TellsEqualRanksApartByTheirProcesses) {
  write("one.json", of_member(1, 1000000));
  std::string other = of_member(1, 1000000);
  other.replace(other.find("\"pid\":71"), 8, "\"pid\":99");
  write("other.json", other);
  const Said said = backplane(
      {"profile", "merge", path("one.json"), path("other.json"), "--out", path("both.json")});
  ASSERT_EQ(said.code, 0) << said.err;
  const std::string table = backplane({"profile", "summary", path("both.json")}).out;
  for (const char* words :
       {"process 71, rank 1 of 2 (train), main thread", "process 99, rank 1 of 2, sim:0, ",
        "\n\nprocess 71, rank 1 of 2\nop", "\n\nprocess 99, rank 1 of 2\nop"})
    EXPECT_TRUE(has(table, words)) << words << "\n" << table;
  // What was merged has its names, and keeps them.
  write("zero.json", of_member(0, 1000000));
  const Said again = backplane(
      {"profile", "merge", path("both.json"), path("zero.json"), "--out", path("all.json")});
  ASSERT_EQ(again.code, 0) << again.err;
  const std::string all = backplane({"profile", "summary", path("all.json")}).out;
  EXPECT_TRUE(has(all, "\nprocess 99, rank 1 of 2, sim:0, ")) << all;
  EXPECT_FALSE(has(all, "process 0")) << all;
}

TEST_F(Profile, RefusesWhatIsNone) {
  write("none.json", "{\"traceEvents\": 7}");
  write("text.json", "words");
  write("odd.json", R"({"traceEvents":[{"ph":"X","name":7,"ts":"soon"}]})");
  for (const char* name : {"none.json", "text.json", "odd.json"}) {
    const Said said = backplane({"profile", "summary", path(name)});
    EXPECT_EQ(said.code, 1) << name;
    EXPECT_TRUE(has(said.err, "is no profile")) << said.err;
  }
  // Numbers and depths that no profile has end in a sentence, and not in a picture without end.
  write("endless.json", R"({"traceEvents":[{"ph":"X","ts":1e308,"dur":1e308}]})");
  write("before.json", R"({"traceEvents":[{"ph":"X","ts":-5,"dur":1}]})");
  write("deep.json", R"({"traceEvents":[{"ph":"X","args":)" + std::string(100'000, '[') +
                         std::string(100'000, ']') + "}]}");
  for (const char* name : {"endless.json", "before.json", "deep.json"}) {
    const Said said = backplane({"profile", "picture", path(name), "--out", path("none.svg")});
    EXPECT_EQ(said.code, 1) << name;
    EXPECT_TRUE(has(said.err, name)) << said.err;
  }
  write("escape.json",
        R"({"traceEvents":[{"ph":"X","cat":"op","name":"\u001b[2J","ts":1,"dur":1}]})");
  EXPECT_FALSE(has(backplane({"profile", "summary", path("escape.json")}).out, "\x1b[2J"));
  EXPECT_EQ(backplane({"profile", "summary", path("gone.json")}).code, 2);
  EXPECT_EQ(backplane({"profile", "draw", path("trace.json")}).code, 2);
  EXPECT_EQ(backplane({"profile", "picture", path("trace.json")}).code, 2);
  EXPECT_EQ(backplane({"profile", "summary", path("trace.json"), path("trace.json")}).code, 2);
  const Said full =
      backplane({"profile", "picture", path("trace.json"), "--out", "/nowhere/trace.svg"});
  EXPECT_EQ(full.code, 1);
  EXPECT_TRUE(has(full.err, "/nowhere/trace.svg")) << full.err;
}

}  // namespace
