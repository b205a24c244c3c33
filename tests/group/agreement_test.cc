// SPDX-License-Identifier: Apache-2.0
// Members whose calls do not agree, in a group that checks: all of them hear who called what,
// nothing is exchanged, and the group goes on.
#include "group/members.h"
#include "kit/has.h"

namespace bp_test {
namespace {

struct Agreement : Members {
  G checking = joined(joining(BP_GROUP_CHECK));
  bool odd_one = rank == size - 1;  // the last member calls something else
  T t = tensor<float>({3}, {1, 2, 3});

  void SetUp() override {
    if (size < 2) GTEST_SKIP() << "one member agrees with itself";
    ASSERT_EQ(info_of(checking).checks, 1u);
  }
  void TearDown() override {
    if (size > 1) expect_that_it_works(checking);
  }
  bp_group* g() const { return checking.get(); }
  // "ranks 0, 1 and 2 call <many>; rank 3 calls <one>".
  std::string sentence(const std::string& many, const std::string& one) const {
    std::string ranks = size == 2 ? "rank 0 calls " : "ranks ";
    for (uint32_t r = 0; size > 2 && r + 1 < size; ++r)
      ranks += (r == 0 ? "" : r + 2 == size ? " and " : ", ") + std::to_string(r);
    if (size > 2) ranks += " call ";
    return "the members' calls do not agree: " + ranks + many + "; rank " +
           std::to_string(size - 1) + " calls " + one;
  }
  void expect_refused(const Answer& a, const std::string& many, const std::string& one) const {
    EXPECT_EQ(a.status, BP_INVALID_ARGUMENT);
    EXPECT_EQ(a.message, sentence(many, one));
    EXPECT_EQ(values<float>(t), (std::vector<float>{1, 2, 3})) << "nothing is exchanged";
  }
};

TEST_F(Agreement, OnTheShape) {
  const T other = tensor<float>({2, 2}, {1, 2, 3, 4});
  expect_refused(
      attempt(bp_group_all_reduce, g(), (odd_one ? other : t).get(), BP_REDUCE_SUM, no_work),
      "all_reduce(sum) of float32 [3]", "all_reduce(sum) of float32 [2, 2]");
}

TEST_F(Agreement, OnEachSizeOfAShapeOfManyDimensions) {
  Shape shape(12, 1);
  const T ones = tensor<float>(shape, {7});
  shape[11] = 2;
  const T longer = tensor<float>(shape, {7, 8});
  expect_refused(attempt(bp_group_broadcast, g(), (odd_one ? longer : ones).get(), 0u, no_work),
                 "broadcast(root 0) of float32 [1, 1, 1, 1, 1, 1, 1, 1, ...]",
                 "broadcast(root 0) of float32 [1, 1, 1, 1, 1, 1, 1, 1, ...]");
}

TEST_F(Agreement, OnTheDtype) {
  const T other = tensor<double>({3}, {1, 2, 3});
  expect_refused(attempt(bp_group_broadcast, g(), (odd_one ? other : t).get(), 0u, no_work),
                 "broadcast(root 0) of float32 [3]", "broadcast(root 0) of float64 [3]");
}

TEST_F(Agreement, OnTheRoot) {
  expect_refused(attempt(bp_group_broadcast, g(), t.get(), odd_one ? 1u : 0u, no_work),
                 "broadcast(root 0) of float32 [3]", "broadcast(root 1) of float32 [3]");
  expect_refused(attempt(bp_group_reduce, g(), t.get(), BP_REDUCE_MAX, odd_one ? 1u : 0u, no_work),
                 "reduce(max, root 0) of float32 [3]", "reduce(max, root 1) of float32 [3]");
}

TEST_F(Agreement, OnTheOperation) {
  expect_refused(
      attempt(bp_group_all_reduce, g(), t.get(), odd_one ? BP_REDUCE_MEAN : BP_REDUCE_SUM, no_work),
      "all_reduce(sum) of float32 [3]", "all_reduce(mean) of float32 [3]");
}

TEST_F(Agreement, OnTheCall) {
  const Answer a = odd_one ? attempt(bp_group_barrier, g(), int64_t{0}, no_work)
                           : attempt(bp_group_all_reduce, g(), t.get(), BP_REDUCE_PRODUCT, no_work);
  expect_refused(a, "all_reduce(product) of float32 [3]", "barrier");
}

// The others may be through before it fails. It would also fail the join of a member that has not
// come back from it yet.
TEST_F(Members, ThatDoNotCheckHearHowToFindACallOfAnotherSize) {
  if (size < 2) GTEST_SKIP() << "one member agrees with itself";
  const bool odd_one = rank == size - 1;
  const G unchecked = joined();
  expect_that_it_works(all);  // each member has come back
  const T t = tensor<float>({odd_one ? 3 : 300}, std::vector<float>(odd_one ? 3u : 300u));
  const Answer a = attempt(bp_group_broadcast, unchecked.get(), t.get(), 0u, no_work);
  EXPECT_TRUE(a.status == BP_UNAVAILABLE || (a.status == BP_OK && !odd_one)) << a.message;
  EXPECT_TRUE(!odd_one ||
              has(a.message, "not of one size, and BACKPLANE_CHECK_GROUPS=1 says whose"))
      << a.message;
}

TEST_F(Agreement, OnASplit) {
  bp_group* out = nullptr;
  const Answer a = attempt([&](bp_error** err) {
    return odd_one ? bp_group_broadcast(g(), t.get(), 0, nullptr, err)
                   : bp_group_split(g(), 0, 0, &out, err);
  });
  expect_refused(a, "split", "broadcast(root 0) of float32 [3]");
  EXPECT_FALSE(out);
}

TEST_F(Agreement, OnTheNumberOfBytes) {
  char bytes[8] = "abcdefg";
  expect_refused(attempt(bp_group_broadcast_bytes, g(), static_cast<void*>(bytes),
                         odd_one ? uint64_t{6} : uint64_t{8}, 0u),
                 "broadcast(root 0) of 8 bytes", "broadcast(root 0) of 6 bytes");
  EXPECT_STREQ(bytes, "abcdefg");
}

TEST_F(Agreement, OnBytesOrATensorOfThem) {
  char bytes[4] = "abc";
  const T four = tensor<uint8_t>({4}, {1, 2, 3, 4});
  const Answer a =
      odd_one ? attempt(bp_group_broadcast, g(), four.get(), 0u, no_work)
              : attempt(bp_group_broadcast_bytes, g(), static_cast<void*>(bytes), uint64_t{4}, 0u);
  expect_refused(a, "broadcast(root 0) of 4 bytes", "broadcast(root 0) of uint8 [4]");
}

TEST_F(Agreement, OfEachExchangeThatIsUnderWay) {
  const T other = tensor<float>({1}, {1}), before = tensor<float>({1}, {1}),
          after = tensor<float>({1}, {1});
  const W first = started(bp_group_all_reduce, g(), before.get(), BP_REDUCE_SUM),
          wrong = started(bp_group_all_reduce, g(), (odd_one ? other : t).get(), BP_REDUCE_SUM),
          last = started(bp_group_all_reduce, g(), after.get(), BP_REDUCE_SUM);
  EXPECT_EQ(waited(last).message, "");
  for (int i = 0; i < 2; ++i)  // each time
    expect_refused(waited(wrong), "all_reduce(sum) of float32 [3]",
                   "all_reduce(sum) of float32 [1]");
  EXPECT_EQ(attempt(bp_work_query, wrong.get()).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(waited(first).message, "");
  EXPECT_EQ(values<float>(before)[0], static_cast<float>(size));
  EXPECT_EQ(values<float>(after)[0], static_cast<float>(size));
}

TEST_F(Agreement, IsAskedForByOneMemberForAll) {
  const G g = joined(joining(rank == 0 ? BP_GROUP_CHECK : BP_GROUP_NO_CHECK));
  EXPECT_EQ(info_of(g).checks, 1u);
  bp_group* out = nullptr;
  EXPECT_EQ(
      attempt([&](bp_error** err) { return bp_group_split(g.get(), 0, 0, &out, err); }).message,
      "");
  const G part(out);
  EXPECT_EQ(info_of(part).checks, 1u) << "its parts check too";
}

TEST_F(Agreement, EveryCallOfMembersThatAgreeWorks) {
  const T all_of = tensor<float>({n(), 3}, std::vector<float>(3 * size, 1)),
          out = counting<float>({n(), 3});
  const T part = counting<float>({3});
  const bool root = rank == 1;
  std::string said;
  said += attempt(bp_group_barrier, g(), int64_t{rank + 1} * kSecond * 5, no_work).message;
  said += attempt(bp_group_broadcast, g(), t.get(), 1u, no_work).message;
  said += attempt(bp_group_reduce, g(), part.get(), BP_REDUCE_MIN, 1u, no_work).message;
  said += attempt(bp_group_all_gather, g(), t.get(), out.get(), no_work).message;
  said += attempt(bp_group_reduce_scatter, g(), all_of.get(), BP_REDUCE_MEAN, part.get(), no_work)
              .message;
  said += attempt(bp_group_all_to_all, g(), all_of.get(), out.get(), no_work).message;
  said += attempt(bp_group_gather, g(), t.get(), 1u, root ? out.get() : nullptr, no_work).message;
  said += attempt(bp_group_scatter, g(), root ? all_of.get() : nullptr, 1u, part.get(), no_work)
              .message;
  EXPECT_EQ(said, "");
  EXPECT_EQ(values<float>(part), (std::vector<float>{1, 1, 1}));
}

// ---- the variable ----

struct CheckVariable : Members {
  ~CheckVariable() override { unsetenv("BACKPLANE_CHECK_GROUPS"); }
  static void set(const char* value) { setenv("BACKPLANE_CHECK_GROUPS", value, /*overwrite=*/1); }
};

TEST_F(CheckVariable, TurnsTheCheckOnWhereTheProgramDoesNotSay) {
  set("1");
  EXPECT_EQ(info_of(joined(joining(0))).checks, 1u);
  EXPECT_EQ(info_of(joined(joining(BP_GROUP_NO_CHECK))).checks, 0u) << "the program says it";
  set("0");
  EXPECT_EQ(info_of(joined(joining(0))).checks, 0u);
  EXPECT_EQ(info_of(joined(joining(BP_GROUP_CHECK))).checks, 1u);
}

TEST_F(CheckVariable, OfAnotherValueIsRefusedBeforeAnybodyIsWaitedFor) {
  for (const char* value : {"2", "yes", " 1", "-1"}) {
    set(value);
    const bp_group_desc d = joining(0);
    const Answer a = refusal<G>(bp_group_join, &d);
    EXPECT_EQ(a.status, BP_INVALID_ARGUMENT);
    EXPECT_EQ(a.message,
              std::string("BACKPLANE_CHECK_GROUPS is \"") + value + "\", expected 0 or 1");
  }
  set("nonsense");
  EXPECT_EQ(info_of(joined(joining(BP_GROUP_CHECK))).checks, 1u) << "nobody asks it";
  set("");
  const bool debug =
#ifdef NDEBUG
      false;
#else
      true;
#endif
  EXPECT_EQ(info_of(joined(joining(0))).checks, debug ? 1u : 0u);
}

}  // namespace
}  // namespace bp_test
