// SPDX-License-Identifier: Apache-2.0
// Groups whose members exchange from device to device, by a library that stands in for a vendor's
// (tests/sim/fake_nccl.cc): what they agree on, what they refuse alike, and how it ends. What the
// exchanges make of numbers is in exchange_test.cc.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

#include "group/members.h"
#include "kit/child.h"
#include "kit/has.h"

namespace bp_test {
namespace {

// The file that the plugin opens, too.
class Library {
 public:
  Library() : file_(::dlopen(std::getenv("SIM_NCCL"), RTLD_NOW)) {}
  ~Library() {
    if (file_) ::dlclose(file_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  bool is_there() const { return file_ != nullptr; }
  int ranks() const { return function<int (*)()>("fake_ranks")(); }
  int exchanges() const { return function<int (*)()>("fake_exchanges")(); }
  int aborted() const { return function<int (*)()>("fake_aborted")(); }
  void fail_next(const char* name) const {
    function<void (*)(const char*, int)>("fake_answer")(name, 1);
  }
  void report(int status) const { function<void (*)(int)>("fake_async")(status); }

 private:
  template <class F>
  F function(const char* name) const {
    return reinterpret_cast<F>(::dlsym(file_, name));
  }
  void* file_;
};

struct Variable {
  const char* name;
  std::string before;
  Variable(const char* n, const char* value)
      : name(n), before(std::getenv(n) ? std::getenv(n) : "") {
    ::setenv(n, value, 1);
  }
  ~Variable() {
    if (before.empty())
      ::unsetenv(name);
    else
      ::setenv(name, before.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
};

struct DeviceMembers : Members {
  const Library library;
  bp_device mine = 0;
  bool odd_one = rank == size - 1;
  std::string last = "rank " + std::to_string(size - 1);

  void SetUp() override {
    ASSERT_TRUE(library.is_there()) << "SIM_NCCL names the library";
    mine = sim(rank);
  }
  static bp_device sim(uint32_t i) { return device("sim:" + std::to_string(i)); }
  static Answer use(const G& g, bp_device d) { return attempt(bp_group_use_device, g.get(), d); }
  std::string of(const G& g) const { return info_of(g).device_library; }
  T ones(const Shape& shape = {3}) const {
    int64_t count = 1;
    for (const int64_t k : shape) count *= k;
    return tensor<float>(shape, std::vector<float>(static_cast<size_t>(count), 1), mine);
  }
  static Answer sum(const G& g, const T& t) {
    return attempt(bp_group_all_reduce, g.get(), t.get(), BP_REDUCE_SUM, no_work);
  }
  // Whether a sum of device tensors is right, and how many exchanges the library made for it.
  void expect_sum(const G& g, int by_library) const {
    const int before = library.exchanges();
    const T t = ones();
    ASSERT_EQ(sum(g, t).message, "");
    EXPECT_EQ(values<float>(t), std::vector<float>(3, static_cast<float>(info_of(g).size)));
    EXPECT_EQ(library.exchanges() - before, by_library);
  }
  uint64_t copied() const {
    uint64_t all = 0;
    for (const auto& [from, to] : {std::pair(mine, kCpu), std::pair(kCpu, mine)}) {
      bp_transfer_stats s{};
      s.struct_size = sizeof s;
      EXPECT_EQ(attempt(bp_transfer_get_stats, from, to, &s).message, "");
      all += s.bytes;
    }
    return all;
  }
};

// ---- refused on all alike ----

struct DeviceRefusal : DeviceMembers {
  void SetUp() override {
    DeviceMembers::SetUp();
    if (size < 2) GTEST_SKIP() << "one member differs from no other";
  }
  // All members hear this, and the group goes on through the hosts, and may try again.
  void expect_refused(bp_device d, const std::string& sentence) {
    const Answer a = use(all, d);
    EXPECT_EQ(a.status, BP_UNSUPPORTED) << a.message;
    EXPECT_EQ(a.message, "use_device: " + sentence);
    EXPECT_EQ(of(all), "");
    expect_that_it_works(all);
    expect_sum(all, 0);
  }
  void TearDown() override {
    if (size < 2 || HasFatalFailure()) return;
    ASSERT_EQ(use(all, mine).message, "") << "when nothing is in the way any more";
    expect_sum(all, 1);
  }
};

TEST_F(DeviceRefusal, OfOneDeviceForTwoMembers) {
  expect_refused(sim(odd_one ? 0 : rank),
                 "ranks 0 and " + std::to_string(size - 1) +
                     " have the same device (GPU-51a00000-0000-4000-8000-000000000000)");
}

TEST_F(DeviceRefusal, OfAKindThatDoesNotOfferIt) {
  expect_refused(odd_one ? kCpu : mine,
                 last +
                     ": the plugin of cpu exchanges nothing between processes: it has no "
                     "\"bp.wide/1\"");
}

TEST_F(DeviceRefusal, OfADeviceThatIsNotThere) {
  const Answer a = use(all, odd_one ? sim(40) : mine);
  EXPECT_EQ(a.status, BP_UNSUPPORTED);
  EXPECT_TRUE(has(a.message, "use_device: " + last + ": ")) << a.message;
  EXPECT_TRUE(has(a.message, "sim:40")) << a.message;
}

TEST_F(DeviceRefusal, WhereTheRingWasAskedFor) {
  const Variable chosen("BACKPLANE_COLLECTIVES", odd_one ? "ring" : "auto");
  expect_refused(mine, last + ": BACKPLANE_COLLECTIVES is \"ring\"");
}

TEST_F(DeviceRefusal, OfALibraryThatMakesNoId) {
  if (rank == 0) library.fail_next("ncclGetUniqueId");
  expect_refused(mine,
                 "rank 0: sim: ncclGetUniqueId failed: unhandled cuda error (1): the fake's last "
                 "words");
}

TEST_F(DeviceRefusal, OfALibraryThatDoesNotOpenOnOneMember) {
  if (odd_one) library.fail_next("ncclCommInitRankConfig");
  expect_refused(mine, last +
                           ": sim: ncclCommInitRankConfig failed: unhandled cuda error (1): the "
                           "fake's last words");
}

struct DeviceLibrary : DeviceMembers {
  // A runtime whose plugin opens this library.
  Answer use_with(const std::string& file) {
    const Variable chosen("SIM_NCCL", file.c_str());
    all.reset();
    EXPECT_EQ(bp_shutdown(-1, nullptr), BP_OK);
    all = joined();
    return use(all, device("sim:" + std::to_string(rank)));
  }
  void TearDown() override {
    all.reset();
    EXPECT_EQ(bp_shutdown(-1, nullptr), BP_OK);
  }
  std::string all_ranks() const {
    const char* const texts[] = {"rank 0", "ranks 0 and 1", "ranks 0, 1 and 2",
                                 "ranks 0, 1, 2 and 3"};
    return texts[size - 1];
  }
};

TEST_F(DeviceLibrary, ThatIsMissingIsNamed) {
  EXPECT_EQ(use_with("").message, "use_device: " + all_ranks() +
                                      ": the plugin of sim exchanges nothing between processes: it "
                                      "has no \"bp.wide/1\"");
  EXPECT_EQ(use_with("off").message, "use_device: " + all_ranks() + ": NCCL is switched off");
  expect_that_it_works(all);
}

TEST_F(DeviceLibrary, ThatIsTooOldIsNamed) {
  std::string file = std::getenv("SIM_NCCL");
  file.insert(file.rfind(".so"), "_narrow");
  EXPECT_EQ(use_with(file).message,
            "use_device: " + all_ranks() +
                ": NCCL 2.21.5 has no ncclGetUniqueId, which exchanges between processes need");
  expect_that_it_works(all);
}

// ---- used ----

struct DeviceGroup : DeviceMembers {
  void SetUp() override {
    DeviceMembers::SetUp();
    ASSERT_EQ(use(all, mine).message, "");
  }
};

TEST_F(DeviceGroup, SaysItsLibraryAndUsesOneDevice) {
  EXPECT_EQ(of(all), "NCCL 2.21.5");
  EXPECT_EQ(use(all, mine).message, "") << "once more";
  const Answer other = use(all, sim((rank + 1) % 4));
  EXPECT_EQ(other.status, BP_BAD_STATE);
  EXPECT_EQ(other.message, "use_device: the group uses sim:" + std::to_string(rank) + " already");
  EXPECT_EQ(of(joined()), "") << "another group does not";
}

TEST_F(DeviceGroup, ExchangesWithoutTheHost) {
  const T t = ones({1000}), out = ones({n(), 1000});
  const uint64_t before = copied();
  EXPECT_EQ(sum(all, t).message, "");
  EXPECT_EQ(attempt(bp_group_broadcast, all.get(), t.get(), 0u, no_work).message, "");
  EXPECT_EQ(attempt(bp_group_all_gather, all.get(), t.get(), out.get(), no_work).message, "");
  EXPECT_EQ(copied(), before);
}

TEST_F(DeviceGroup, OfOtherTensorsGoesThroughTheHosts) {
  const int before = library.exchanges();
  const T low = ones(), host = tensor<float>({3}, {1, 1, 1});
  const T elsewhere = to(host, sim(3 - rank), BP_F32);
  EXPECT_EQ(attempt(bp_group_all_reduce, all.get(), low.get(), BP_REDUCE_MIN, no_work).message, "")
      << "a minimum of floats";
  EXPECT_EQ(sum(all, host).message, "");
  EXPECT_EQ(values<float>(low)[0], 1);
  EXPECT_EQ(values<float>(host)[0], static_cast<float>(size));
  if (size < 4) {  // for some of four members it is their own device
    EXPECT_EQ(attempt(bp_group_barrier, all.get(), int64_t{0}, no_work).message, "");
  }
  EXPECT_EQ(library.exchanges(), before);
}

TEST_F(DeviceGroup, ResultsMayBeOnTheHost) {
  const int before = library.exchanges();
  const T t = ones(), out = tensor<float>({n(), 3}, std::vector<float>(3 * size, 7));
  EXPECT_EQ(attempt(bp_group_all_gather, all.get(), t.get(), out.get(), no_work).message, "");
  EXPECT_EQ(values<float>(out), std::vector<float>(3 * size, 1));
  EXPECT_EQ(library.exchanges(), before + 1);
}

// The first member comes when the others have asked and waited.
TEST_F(DeviceGroup, WorksMakeStreamsWaitAndNotTheCaller) {
  if (size < 2) GTEST_SKIP() << "one member waits for nobody";
  const T t = ones();
  W w;
  if (rank) {
    w = started(bp_group_all_reduce, all.get(), t.get(), BP_REDUCE_SUM);
    EXPECT_EQ(attempt(bp_work_query, w.get()).status, BP_NOT_READY);
    EXPECT_EQ(waited(w).message, "");
    EXPECT_EQ(attempt(bp_work_query, w.get()).status, BP_NOT_READY) << "it was not waited for here";
  }
  EXPECT_EQ(attempt(bp_group_barrier, all.get(), int64_t{0}, no_work).message, "");
  if (!rank) w = started(bp_group_all_reduce, all.get(), t.get(), BP_REDUCE_SUM);
  EXPECT_EQ(values<float>(t), std::vector<float>(3, static_cast<float>(size)));
  EXPECT_EQ(attempt(bp_work_query, w.get()).status, BP_OK);
  EXPECT_EQ(waited(w).message, "");
}

TEST_F(DeviceGroup, WorksGoOnWithoutTheirGroupAndHandle) {
  const T t = ones({1000});
  const int before = library.aborted();
  W w = started(bp_group_all_reduce, all.get(), t.get(), BP_REDUCE_SUM);
  started(bp_group_all_reduce, all.get(), t.get(), BP_REDUCE_SUM).reset();
  all.reset();
  EXPECT_EQ(waited(w).message, "");
  EXPECT_EQ(values<float>(t)[0], static_cast<float>(size * size));
  for (int tries = 0; tries < 2000 && library.ranks(); ++tries) ::usleep(5000);
  EXPECT_EQ(library.ranks(), 0) << "the communicator was given back";
  EXPECT_EQ(library.aborted(), before);
}

TEST_F(DeviceGroup, PartsOfItHaveWaysOfTheirOwn) {
  bp_group* out = nullptr;
  ASSERT_EQ(attempt([&](bp_error** err) {
              return bp_group_split(all.get(), static_cast<int32_t>(rank % 2), 0, &out, err);
            }).message,
            "");
  const G half(out);
  EXPECT_EQ(of(half), "");
  expect_sum(half, 0);
  ASSERT_EQ(use(half, mine).message, "");
  for (int i = 0; i < 10; ++i) {
    expect_sum(half, 1);
    expect_sum(all, 1);
  }
}

TEST_F(DeviceGroup, EndsWithTheRuntimeAndBeginsAnew) {
  for (int i = 0; i < 3; ++i) {
    const T t = ones();
    const W w = started(bp_group_all_reduce, all.get(), t.get(), BP_REDUCE_SUM);
    ASSERT_EQ(bp_shutdown(-1, nullptr), BP_OK);
    EXPECT_EQ(library.ranks(), 0);
    all = joined();
    mine = sim(rank);
    ASSERT_EQ(use(all, mine).message, "");
  }
  expect_sum(all, 1);
}

TEST_F(DeviceGroup, GoesOnWithoutItsDevice) {
  expect_sum(all, 1);
  ASSERT_EQ(attempt(bp_unload_kind, bp_device_kind(mine), int64_t{-1}).message, "");
  EXPECT_EQ(of(all), "");
  EXPECT_EQ(library.ranks(), 0);
  expect_that_it_works(all);
  mine = sim(rank);
  ASSERT_EQ(use(all, mine).message, "");
  expect_sum(all, 1);
}

TEST_F(DeviceGroup, HasNoMemberInAForkedChild) {
  const T t = ones();
  ASSERT_EQ(sum(all, t).message, "");
  expect_true_in_child([&] {
    const Answer a = sum(all, t), none = attempt(bp_group_use_device, all.get(), mine);
    all.reset();
    return has(a.message, "opened before a fork") && has(none.message, "joined before a fork()") &&
           bp_shutdown(-1, nullptr) == BP_OK;
  });
  expect_sum(all, 1);
}

TEST_F(DeviceGroup, OfALibraryThatFailsEndsOnAllMembers) {
  // It breaks the group when the others are done with all before.
  const T here = tensor<float>({1}, {1});
  W told;
  if (rank) told = started(bp_group_send, all.get(), here.get(), 0u, rank);
  for (uint32_t r = 1; r < size && rank == 0; ++r)
    ASSERT_EQ(attempt(bp_group_receive, all.get(), here.get(), r, r, no_work).message, "");
  if (rank == 0) library.report(6);
  Answer a;
  for (int tries = 0; tries < 100 && a.status == BP_OK; ++tries) {
    a = sum(all, ones());
    EXPECT_EQ(attempt(bp_synchronize, mine).message, "");
  }
  if (rank == 0) library.report(0);
  EXPECT_TRUE(has(a.message, "rank 0: sim: an exchange failed: ")) << a.message;
  EXPECT_EQ(sum(all, ones()).message, a.message);
}

// ---- members that check each other ----

struct DeviceAgreement : DeviceMembers {
  G checking = joined(joining(BP_GROUP_CHECK));
  void SetUp() override {
    DeviceMembers::SetUp();
    if (size != 2) GTEST_SKIP() << "the sentences are those of two members";
    ASSERT_EQ(use(checking, mine).message, "");
  }
  void expect_refused(const T& t, const std::string& of_0, const std::string& of_1) const {
    const Answer a = sum(checking, t);
    EXPECT_EQ(a.status, BP_INVALID_ARGUMENT);
    EXPECT_EQ(a.message, "the members' calls do not agree: rank 0 calls all_reduce(sum) of " +
                             of_0 + "; rank 1 calls all_reduce(sum) of " + of_1);
    expect_sum(checking, 1);
  }
};

TEST_F(DeviceAgreement, OnTheShape) {
  expect_refused(ones({odd_one ? 4 : 3}), "float32 [3] on a device", "float32 [4] on a device");
}

TEST_F(DeviceAgreement, OnWhereTheTensorsAre) {
  expect_refused(odd_one ? tensor<float>({3}, {1, 1, 1}) : ones(), "float32 [3] on a device",
                 "float32 [3]");
}

}  // namespace
}  // namespace bp_test
