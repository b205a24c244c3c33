// SPDX-License-Identifier: Apache-2.0
// Profiles of members: which rank the process is, each exchange while it is under way, and buckets
// of gradients that are exchanged while backward computes.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>

#include "backplane.hpp"
#include "group/members.h"
#include "kit/trace.h"

namespace bp_test {
namespace {

namespace bp = backplane;
using nlohmann::json;

class MemberProfile : public testing::Test {
 protected:
  bp::ProcessGroup all = bp::ProcessGroup::join("mpi", {std::chrono::seconds(20), false});
  const std::uint32_t rank = all.rank(), size = all.size();
  const std::string path = testing::TempDir() + "bp-member-" + std::to_string(::getpid()) + ".json";

  ~MemberProfile() override { std::remove(path.c_str()); }
  static constexpr std::uint32_t kLast = 100;  // a tag
  template <class F>
  Trace profiled(F&& f) const {
    bp::Profile profile(path);
    f();
    profile.save();
    return read_trace(path);
  }
  std::string own_name() const {
    return "rank " + std::to_string(rank) + " of " + std::to_string(size) +
           " (group_training_tests)";
  }
  // The spans of messages but for those of tag kLast.
  static std::vector<json> messages(const Trace& t, const char* kind) {
    std::vector<json> found = t.spans("exchange", kind);
    found.erase(std::remove_if(found.begin(), found.end(),
                               [](const json& e) { return e["args"]["tag"] == kLast; }),
                found.end());
    return found;
  }
  // The numbers of the lanes of groups.
  std::map<std::string, int> group_lanes(const Trace& t) const {
    std::map<std::string, int> found = t.lanes(own_name());
    for (auto i = found.begin(); i != found.end();)
      i = i->first.rfind("group mpi", 0) == 0 ? std::next(i) : found.erase(i);
    return found;
  }
  // Messages from the member before, which are under way on all members when this returns. They are
  // begun in the order of the calls, so that they are once a later one is over.
  struct Receiving {
    std::vector<bp::Tensor> rooms;
    std::vector<bp::Work> works;
  };
  Receiving receiving(std::uint32_t n) const {
    Receiving r;
    const std::uint32_t before = (rank + size - 1) % size;
    for (std::uint32_t tag = 0; tag < n; ++tag) {
      r.rooms.push_back(bp::zeros({3}));
      r.works.push_back(all.receive_async(r.rooms.back(), before, tag));
    }
    const bp::Tensor last = bp::zeros({});
    const bp::Work comes = all.receive_async(last, before, kLast);
    all.send(bp::ones({}), (rank + 1) % size, kLast);
    comes.wait();
    all.barrier();
    return r;
  }
  void send(std::uint32_t n) const {
    for (std::uint32_t tag = 0; tag < n; ++tag) all.send(bp::ones({3}), (rank + 1) % size, tag);
  }
};

TEST_F(MemberProfile, SaysWhichRankTheProcessIs) {
  const Trace t = profiled([&] { bp::ones({3}).exp(); });
  EXPECT_EQ(t.all["otherData"]["group"], (json{{"kind", "mpi"}, {"rank", rank}, {"size", size}}));
  EXPECT_EQ(t.all["otherData"]["host"].get<std::string>().empty(), false);
  const std::map<int, std::string> processes = t.processes();
  EXPECT_EQ(processes.at(1), own_name());
  EXPECT_EQ(t.lanes(own_name()).count("main thread"), 1u);
  const std::string cpu = "rank " + std::to_string(rank) + " of " + std::to_string(size) + ", cpu";
  bool has_cpu = false;
  for (const auto& [number, name] : processes) has_cpu |= name == cpu;
  EXPECT_TRUE(has_cpu) << t.all["traceEvents"][0];
}

// Each member is in a part of the group as well, and stays the rank that it was started as.
TEST_F(MemberProfile, SaysTheRankAmongAllWhateverPartsThereAre) {
  const auto part = all.split(0, -static_cast<std::int32_t>(rank));
  ASSERT_TRUE(part);
  const Trace t = profiled([&] { part->barrier(); });
  EXPECT_EQ(t.all["otherData"]["group"]["rank"], rank);
}

TEST_F(MemberProfile, SeesEachExchangeWithWhatItIs) {
  const std::uint32_t root = size - 1;
  const Trace t = profiled([&] {
    all.all_reduce(bp::ones({2, 3}), bp::Reduce::kMax);
    all.broadcast(bp::ones({5}), root);
    all.all_gather(bp::tensor(std::vector<std::int64_t>{7, 8}, "cpu"));
    char bytes[6] = {};
    all.broadcast_bytes(bytes, sizeof bytes);
    all.barrier();
  });
  expect_nested(t);
  const std::vector<json> seen = t.spans("exchange");
  ASSERT_EQ(seen.size(), 5u);
  const std::map<std::string, int> lanes = group_lanes(t);
  ASSERT_EQ(lanes.size(), 1u);
  for (const json& e : seen) {
    EXPECT_EQ(e["pid"], 1);
    EXPECT_EQ(e["tid"], lanes.begin()->second);
    EXPECT_EQ(e["args"]["members"], size);
  }
  const json sum = t.spans("exchange", "all_reduce").at(0)["args"];
  EXPECT_EQ(sum["operation"], "max");
  EXPECT_EQ(sum["in"], json({"float32[2, 3]"}));
  EXPECT_EQ(sum["bytes"], 24);
  EXPECT_EQ(sum["number"], 1);
  const json from_root = t.spans("exchange", "broadcast").at(0)["args"];
  EXPECT_EQ(from_root["root"], root);
  EXPECT_EQ(from_root["in"], json({"float32[5]"}));
  EXPECT_EQ(t.spans("exchange", "all_gather").at(0)["args"]["in"], json({"int64[2]"}));
  const json of_bytes = t.spans("exchange", "broadcast").at(1)["args"];
  EXPECT_FALSE(of_bytes.contains("in")) << of_bytes;
  EXPECT_EQ(of_bytes["bytes"], 6);
  EXPECT_FALSE(t.spans("exchange", "barrier").at(0)["args"].contains("bytes"));
}

TEST_F(MemberProfile, SeesOneThatFailsAsFailed) {
  if (size == 1) GTEST_SKIP() << "one member alone agrees with itself";
  const bp::ProcessGroup checking = bp::ProcessGroup::join("mpi", {std::chrono::seconds(20), true});
  const Trace t = profiled([&] {
    EXPECT_THROW(checking.all_reduce(bp::ones({rank + 1})), bp::Error);
    checking.all_reduce(bp::ones({2}));
  });
  const std::vector<json> sums = t.spans("exchange", "all_reduce");
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[0]["args"]["failed"], true);
  EXPECT_FALSE(sums[1]["args"].contains("failed"));
}

// What is under way at once lies side by side, in lanes of its own.
TEST_F(MemberProfile, GivesGroupsAndMessagesLanesOfTheirOwn) {
  const auto other = all.split(0);
  ASSERT_TRUE(other);
  const std::uint32_t n = size > 1 ? 3 : 0;
  const Trace t = profiled([&] {
    const Receiving r = n ? receiving(n) : Receiving{};
    other->barrier();
    send(n);
    for (const bp::Work& w : r.works) w.wait();
    for (const bp::Tensor& room : r.rooms) EXPECT_EQ(room.read<float>()[2], 1.0f);
  });
  expect_nested(t);
  std::set<int> receiving_lanes, barrier_lanes, all_lanes;
  for (const json& e : messages(t, "receive")) receiving_lanes.insert(int{e["tid"]});
  for (const json& e : t.spans("exchange", "barrier")) barrier_lanes.insert(int{e["tid"]});
  for (const auto& [name, number] : group_lanes(t)) all_lanes.insert(number);
  EXPECT_EQ(messages(t, "receive").size(), n);
  EXPECT_EQ(messages(t, "send").size(), n);
  EXPECT_EQ(receiving_lanes.size(), n) << "all of them were under way at once";
  EXPECT_EQ(barrier_lanes.size(), n ? 2u : 1u);
  for (const json& e : t.spans("exchange")) EXPECT_EQ(all_lanes.count(int{e["tid"]}), 1u) << e;
  if (n) {
    const json message = messages(t, "receive")[0]["args"];
    EXPECT_EQ(message["sender"], (rank + size - 1) % size);
    EXPECT_EQ(messages(t, "send")[0]["args"]["receiver"], (rank + 1) % size);
  }
}

// An exchange that was begun before a profile is none of its spans, whatever ran then.
TEST_F(MemberProfile, LeavesOutWhatBeganBefore) {
  if (size == 1) GTEST_SKIP() << "one member alone has no messages";
  for (const bool within_another : {false, true}) {
    Receiving r;
    if (within_another)
      EXPECT_EQ(messages(profiled([&] { r = receiving(1); }), "receive").size(), 0u);
    else
      r = receiving(1);
    all.barrier();  // nobody sends before the others' first profile has ended
    const Trace t = profiled([&] {
      send(1);
      r.works[0].wait();
    });
    expect_nested(t);
    EXPECT_EQ(messages(t, "receive").size(), 0u);
    EXPECT_EQ(messages(t, "send").size(), 1u);
    all.barrier();
  }
}

// ---- backward ----

double end_of_backward(const Trace& t) {
  double end = 0;
  for (const json& e : t.spans("backward")) end = std::max(end, time_of(e).second);
  return end;
}
// How many sums of gradients began before backward had ended, and overlap a span of it.
std::size_t sums_beside_backward(const Trace& t) {
  std::size_t n = 0;
  for (const json& sum : t.spans("exchange", "all_reduce")) {
    const auto [begin, end] = time_of(sum);
    if (begin >= end_of_backward(t)) continue;
    bool overlaps = false;
    for (const json& e : t.spans("backward"))
      overlaps |= begin < time_of(e).second && time_of(e).first < end;
    EXPECT_TRUE(overlaps) << sum;
    n += overlaps;
  }
  return n;
}

constexpr int kLayers = 6;

// A step of a net whose parameters have a bucket each. In the middle of backward a hook waits at a
// barrier, which comes after every sum that was called for until then.
void step(const bp::ProcessGroup& all, bool held) {
  std::vector<bp::Tensor> weights;
  for (int i = 0; i < kLayers; ++i) {
    weights.push_back(bp::ones({16, 16}) * 0.05);
    weights.back().set_requires_grad();
  }
  bp::Replicas replicas({weights}, /*bucket_bytes=*/64);
  replicas.join(all);
  weights[kLayers / 2].register_accumulated_hook([&](const bp::Tensor&) { all.barrier(); });
  bp::Tensor x = bp::ones({8, 16});
  for (const bp::Tensor& w : weights) x = bp::tanh(bp::matmul(x, w));
  replicas.hold(held);
  bp::sum(x).backward();
  replicas.hold(false);
  replicas.finish();
}

TEST_F(MemberProfile, ShowsBucketsUnderWayDuringBackward) {
  const Trace t = profiled([&] { step(all, /*held=*/false); });
  expect_nested(t);
  EXPECT_EQ(t.spans("exchange", "all_reduce").size(), std::size_t{kLayers});
  EXPECT_GE(sums_beside_backward(t), std::size_t{kLayers / 2});
}

TEST_F(MemberProfile, ShowsNoBucketUnderWayDuringBackwardThatIsHeld) {
  const Trace t = profiled([&] { step(all, /*held=*/true); });
  expect_nested(t);
  EXPECT_EQ(t.spans("exchange", "all_reduce").size(), std::size_t{kLayers});
  EXPECT_EQ(sums_beside_backward(t), 0u);
}

// ---- from device to device ----

struct DeviceProfile : MemberProfile {
  const bp::Device mine{"sim:" + std::to_string(rank)};

  void SetUp() override {
    all.use_device(mine);
    all.all_reduce(bp::ones({1}, bp::f32, mine));  // all members' streams are there
    bp::synchronize(mine);
  }
  int lane(const Trace& t) const {
    const std::map<std::string, int> lanes = group_lanes(t);
    const auto found = lanes.find("group mpi, sim:" + std::to_string(rank) + ", default stream");
    return found == lanes.end() ? -1 : found->second;
  }
};

TEST_F(DeviceProfile, SeesEachExchangeWithWhatItIs) {
  const std::uint32_t root = size - 1;
  const Trace t = profiled([&] {
    all.all_reduce(bp::ones({2, 3}, bp::f32, mine));
    all.broadcast(bp::ones({5}, bp::f32, mine), root);
    all.barrier();
  });
  expect_nested(t);
  EXPECT_EQ(t.spans("exchange").size(), 3u);
  const std::vector<json> sums = t.spans("exchange", "all_reduce");
  const std::vector<json> given = t.spans("exchange", "broadcast");
  ASSERT_EQ(sums.size(), 1u);
  ASSERT_EQ(given.size(), 1u);
  for (const json& e : {sums[0], given[0]}) {
    EXPECT_EQ(e["pid"], 1);
    EXPECT_EQ(e["tid"], lane(t));
    EXPECT_EQ(e["args"]["members"], size);
    EXPECT_FALSE(e["args"].contains("failed"));
  }
  const json args = sums[0]["args"];
  EXPECT_EQ(args["operation"], "sum");
  EXPECT_EQ(args["in"], json({"float32[2, 3]"}));
  EXPECT_EQ(args["bytes"], 24);
  EXPECT_EQ(int{given[0]["args"]["number"]}, int{args["number"]} + 1);
  EXPECT_EQ(given[0]["args"]["root"], root);
  EXPECT_GE(time_of(given[0]).first, time_of(sums[0]).second);
}

// The first member comes last, when all others have begun to wait for it in their streams.
TEST_F(DeviceProfile, ShowsHowLongAStreamWaitsForTheOthers) {
  const Trace t = profiled([&] {
    const bp::Tensor x = bp::ones({3}, bp::f32, mine);
    if (rank) all.all_reduce(x);
    all.barrier();
    if (!rank) all.all_reduce(x);
    bp::synchronize(mine);
  });
  expect_nested(t);
  ASSERT_EQ(t.spans("exchange", "all_reduce").size(), 1u);
  EXPECT_GE(time_of(t.spans("exchange", "all_reduce")[0]).second,
            time_of(t.spans("exchange", "barrier")[0]).first);
}

TEST_F(DeviceProfile, SeesOneThatIsGivenUpAsFailed) {
  if (size == 1) GTEST_SKIP() << "one member alone waits for nobody";
  const bp::Tensor here = bp::ones({});
  std::optional<bp::Work> told;
  const Trace t = profiled([&] {
    if (rank) {
      all.all_reduce(bp::ones({3}, bp::f32, mine));
      told = all.send_async(here, 0);
    } else {
      for (std::uint32_t r = 1; r < size; ++r) all.receive(here, r);
      all.abort("enough");
    }
    bp::synchronize(mine);
  });
  const std::vector<json> sums = t.spans("exchange", "all_reduce");
  ASSERT_EQ(sums.size(), rank ? 1u : 0u);
  for (const json& e : sums) EXPECT_EQ(e["args"]["failed"], true);
}

TEST_F(DeviceProfile, TellsTheMembersCheckFromTheExchangeBehindIt) {
  const bp::ProcessGroup checking = bp::ProcessGroup::join("mpi", {std::chrono::seconds(20), true});
  checking.use_device(mine);
  const Trace t = profiled([&] { checking.all_reduce(bp::ones({3}, bp::f32, mine)); });
  expect_nested(t);
  EXPECT_EQ(t.spans("exchange", "all_reduce").size(), 1u);
  EXPECT_EQ(t.spans("exchange", "all_reduce (check)").size(), 1u);
}

}  // namespace
}  // namespace bp_test
