// SPDX-License-Identifier: Apache-2.0
// How groups begin and end: joined again, split and released, ended by bp_shutdown, by
// bp_unload_kind and by a fork.
#include "group/members.h"
#include "kit/child.h"
#include "kit/has.h"

namespace bp_test {
namespace {

struct Life : Members {};

TEST_F(Life, AGroupMayBeJoinedAgainAndAgain) {
  std::vector<G> more;
  for (int i = 0; i < 8; ++i) more.push_back(joined());
  for (const G& g : more) expect_that_it_works(g);
  all.reset();
  for (size_t i = more.size(); i-- > 0; more.pop_back()) expect_that_it_works(more[i]);
  for (int i = 0; i < 50; ++i) expect_that_it_works(joined());
}

TEST_F(Life, MembersOfOneOtherCommunicatorAreNotMixedUp) {
  const G other = joined();
  for (int i = 0; i < 20; ++i) {
    const T a = tensor<int64_t>({1}, {1}), b = tensor<int64_t>({1}, {100});
    const W first = rank % 2 ? started(bp_group_all_reduce, all.get(), a.get(), BP_REDUCE_SUM)
                             : started(bp_group_all_reduce, other.get(), b.get(), BP_REDUCE_SUM);
    const W second = rank % 2 ? started(bp_group_all_reduce, other.get(), b.get(), BP_REDUCE_SUM)
                              : started(bp_group_all_reduce, all.get(), a.get(), BP_REDUCE_SUM);
    EXPECT_EQ(waited(first).message + waited(second).message, "");
    EXPECT_EQ(values<int64_t>(a)[0], n());
    EXPECT_EQ(values<int64_t>(b)[0], 100 * n());
  }
}

TEST_F(Life, AReferenceKeepsTheGroup) {
  const G second(bp_group_retain(all.get()));
  all.reset();
  expect_that_it_works(second);
}

TEST_F(Life, AReferenceKeepsAWork) {
  const T t = tensor<float>({1}, {1});
  W w = started(bp_group_all_reduce, all.get(), t.get(), BP_REDUCE_SUM);
  const W second(bp_work_retain(w.get()));
  w.reset();
  EXPECT_EQ(waited(second).message, "");
  EXPECT_EQ(values<float>(t)[0], static_cast<float>(size));
}

TEST_F(Life, AShutdownEndsGroupsAndTheNextStartJoinsAnew) {
  for (int i = 0; i < 4; ++i) {
    const T t = tensor<float>({1}, {1});
    expect_that_it_works(all);
    const W w = started(bp_group_all_reduce, all.get(), t.get(), BP_REDUCE_SUM);
    ASSERT_EQ(bp_shutdown(-1, nullptr), BP_OK);
    for (const Answer& a : {attempt(bp_group_barrier, all.get(), int64_t{0}, no_work),
                            refusal<G>(bp_group_split, all.get(), 0, 0),
                            attempt(bp_group_set_timeout, all.get(), kSecond)}) {
      EXPECT_EQ(a.status, BP_BAD_STATE);
      EXPECT_EQ(a.message, "group was made before bp_shutdown");
    }
    EXPECT_EQ(waited(w).message, "work was made before bp_shutdown");
    EXPECT_EQ(attempt(bp_work_query, w.get()).status, BP_BAD_STATE);
    all = joined();
  }
  expect_that_it_works(all);
}

TEST_F(Life, TheKindIsNotUnloadedWhileAGroupIsInUse) {
  const bp_kind mpi = bp_device_kind(device("mpi"));
  const std::string sentence = "mpi cannot be unloaded: a group of it is in use; release it first";
  Answer a;  // groups of other tests are left a moment after their release
  for (int tries = 0; tries < 1000 && a.message != sentence; ++tries) {
    a = attempt(bp_unload_kind, mpi, int64_t{-1});
    EXPECT_EQ(a.status, BP_BAD_STATE);
    ::usleep(2000);
  }
  EXPECT_EQ(a.message, sentence);
  const G second = joined();
  EXPECT_EQ(attempt(bp_unload_kind, mpi, int64_t{-1}).message,
            "mpi cannot be unloaded: 2 groups of it are in use; release them first");
  expect_that_it_works(all);
  expect_that_it_works(second);
}

TEST_F(Life, TheKindIsUnloadedAndJoinedAgain) {
  const bp_kind mpi = bp_device_kind(device("mpi"));
  for (int i = 0; i < 3; ++i) {
    expect_that_it_works(all);
    all.reset();
    Answer a;  // the group is left a moment after its release
    for (int tries = 0; tries < 1000; ++tries) {
      a = attempt(bp_unload_kind, mpi, int64_t{-1});
      if (a.status == BP_OK) break;
      EXPECT_EQ(a.status, BP_BAD_STATE) << a.message;
      ::usleep(2000);
    }
    EXPECT_EQ(a.message, "");
    all = joined();
  }
  expect_that_it_works(all);
}

// ---- forks ----

struct Fork : Members {};

#define CHECK_CHILD(condition)                                                           \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      std::fprintf(stderr, "%s:%d: in the child: %s\n", __FILE__, __LINE__, #condition); \
      return false;                                                                      \
    }                                                                                    \
  } while (0)

TEST_F(Fork, AChildIsNoMember) {
  const T t = tensor<float>({1}, {1}), out = counting<float>({n(), 1}),
          under_way = tensor<float>({1}, {1});
  W w = started(bp_group_all_reduce, all.get(), under_way.get(), BP_REDUCE_SUM);
  expect_true_in_child([&] {
    const char* const sentence =
        "the group was joined before a fork(), and its connections are not in the child";
    char byte = 0, bytes[64] = {};
    bp_group* part = nullptr;
    for (const Answer& a :
         {attempt(bp_group_barrier, all.get(), int64_t{0}, no_work),
          attempt(bp_group_broadcast, all.get(), t.get(), 0u, no_work),
          attempt(bp_group_all_reduce, all.get(), t.get(), BP_REDUCE_SUM, no_work),
          attempt(bp_group_reduce, all.get(), t.get(), BP_REDUCE_SUM, 0u, no_work),
          attempt(bp_group_all_gather, all.get(), t.get(), out.get(), no_work),
          attempt(bp_group_reduce_scatter, all.get(), out.get(), BP_REDUCE_SUM, t.get(), no_work),
          attempt(bp_group_all_to_all, all.get(), out.get(), out.get(), no_work),
          attempt(bp_group_gather, all.get(), t.get(), 0u, out.get(), no_work),
          attempt(bp_group_scatter, all.get(), out.get(), 0u, t.get(), no_work),
          attempt(bp_group_send, all.get(), t.get(), 0u, 0u, no_work),
          attempt(bp_group_receive, all.get(), t.get(), 0u, 0u, no_work),
          attempt(bp_group_broadcast_bytes, all.get(), static_cast<void*>(&byte), uint64_t{1}, 0u),
          attempt(bp_group_all_gather_bytes, all.get(), static_cast<const void*>(&byte),
                  uint64_t{1}, static_cast<void*>(bytes)),
          attempt(bp_group_split, all.get(), 0, 0, &part), waited(w),
          attempt(bp_work_query, w.get())}) {
      CHECK_CHILD(a.status == BP_BAD_STATE);
      CHECK_CHILD(a.message == sentence);
    }
    const bp_group_desc d = joining();
    const Answer join = attempt(bp_group_join, &d, &part);
    CHECK_CHILD(join.status == BP_BAD_STATE);
    CHECK_CHILD(has(join.message, "fork"));
    const T more = made(bp_add, t.get(), t.get());  // the rest goes on
    CHECK_CHILD(values<float>(more)[0] == 2);
    w.reset();
    all.reset();
    CHECK_CHILD(bp_shutdown(0, nullptr) == BP_OK);
    return true;
  });
  EXPECT_EQ(waited(w).message, "") << "the parent goes on";
  EXPECT_EQ(values<float>(under_way)[0], static_cast<float>(size));
  expect_that_it_works(all);
  expect_that_it_works(joined());
}

TEST_F(Fork, ChildrenThatEndWithoutAWordHarmNobody) {
  for (int i = 0; i < 10; ++i) {
    const T t = tensor<float>({1}, {1});
    const W w = started(bp_group_all_reduce, all.get(), t.get(), BP_REDUCE_SUM);
    expect_true_in_child([] { return true; });
    EXPECT_EQ(waited(w).message, "");
    EXPECT_EQ(values<float>(t)[0], static_cast<float>(size));
  }
}

}  // namespace
}  // namespace bp_test
