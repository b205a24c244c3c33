// SPDX-License-Identifier: Apache-2.0
// A program that initialises and finalises MPI itself, hands its communicators in and takes a
// group's out. With --mpi=single it did so without threads.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdio>
#include <cstring>

#include "group/members.h"

namespace bp_test {
namespace {

struct OwnMpi : testing::Test {
  int rank = -1, size = 0;
  void SetUp() override {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
  static bp_group_desc of(const MPI_Comm& comm) {
    bp_group_desc d = joining();
    d.native = &comm;
    return d;
  }
  static void expect_sum(const G& g, float wanted) {
    const T t = tensor<float>({1}, {1});
    EXPECT_EQ(attempt(bp_group_all_reduce, g.get(), t.get(), BP_REDUCE_SUM, no_work).message, "");
    EXPECT_EQ(values<float>(t)[0], wanted);
  }
};

TEST_F(OwnMpi, GivesAGroupOfAllProcesses) {
  const G g = joined();
  EXPECT_EQ(info_of(g).rank, static_cast<uint32_t>(rank));
  EXPECT_EQ(info_of(g).size, static_cast<uint32_t>(size));
  expect_sum(g, static_cast<float>(size));
}

TEST_F(OwnMpi, GivesAGroupOfItsCommunicator) {
  MPI_Comm half = MPI_COMM_NULL;
  ASSERT_EQ(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half), MPI_SUCCESS);
  int wanted_rank = 0, wanted_size = 0;
  MPI_Comm_rank(half, &wanted_rank);
  MPI_Comm_size(half, &wanted_size);
  const G g = joined(of(half));
  EXPECT_EQ(info_of(g).rank, static_cast<uint32_t>(wanted_rank));
  EXPECT_EQ(info_of(g).size, static_cast<uint32_t>(wanted_size));
  ASSERT_EQ(MPI_Comm_free(&half), MPI_SUCCESS);  // the group has a copy
  expect_sum(g, static_cast<float>(wanted_size));
}

TEST_F(OwnMpi, ExchangesByAGroupsCommunicatorBesideTheGroup) {
  const G g = joined();
  const MPI_Comm comm = *static_cast<const MPI_Comm*>(info_of(g).native);
  for (int i = 0; i < 20; ++i) {
    const T t = tensor<float>({1}, {1});
    double mine = rank, sum = -1;
    ASSERT_EQ(MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm), MPI_SUCCESS);
    EXPECT_EQ(sum, size * (size - 1) / 2);
    expect_sum(g, static_cast<float>(size));
    const W w = started(bp_group_all_reduce, g.get(), t.get(), BP_REDUCE_SUM);
    ASSERT_EQ(MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(sum, size - 1);
    EXPECT_EQ(waited(w).message, "");
    EXPECT_EQ(values<float>(t)[0], static_cast<float>(size));
  }
}

TEST_F(OwnMpi, ACommunicatorThatIsNoneIsRefused) {
  const MPI_Comm none = MPI_COMM_NULL;
  const bp_group_desc d = of(none);
  const Answer a = refusal<G>(bp_group_join, &d);
  EXPECT_EQ(a.status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(a.message, "the communicator is MPI_COMM_NULL");
}

TEST_F(OwnMpi, ACommunicatorBetweenTwoGroupsIsRefused) {
  if (size < 2) GTEST_SKIP() << "one process has nobody on the other side";
  MPI_Comm half = MPI_COMM_NULL, between = MPI_COMM_NULL;
  ASSERT_EQ(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half), MPI_SUCCESS);
  ASSERT_EQ(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &between), MPI_SUCCESS);
  const bp_group_desc d = of(between);
  const Answer a = refusal<G>(bp_group_join, &d);
  EXPECT_EQ(a.status, BP_UNSUPPORTED);
  EXPECT_EQ(a.message, "the communicator connects two groups of processes, expected one");
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

TEST_F(OwnMpi, GoesOnAfterAShutdown) {
  const G before = joined();
  expect_sum(before, static_cast<float>(size));
  ASSERT_EQ(bp_shutdown(-1, nullptr), BP_OK);
  double mine = 1, sum = 0;
  ASSERT_EQ(MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
  EXPECT_EQ(sum, size) << "the program finalises MPI, and not a shutdown";
  expect_sum(joined(), static_cast<float>(size));
}

TEST(OwnMpiWithoutThreads, IsRefused) {
  const bp_group_desc d = joining();
  const Answer a = refusal<G>(bp_group_join, &d);
  EXPECT_EQ(a.status, BP_BAD_STATE);
  EXPECT_EQ(a.message,
            "MPI was initialised with MPI_THREAD_SINGLE, and exchanges are made by a thread of "
            "their own: initialise it by MPI_Init_thread with MPI_THREAD_MULTIPLE");
}

// After MPI_Finalize nobody joins.
int after_the_end() {
  const bp_group_desc d = joining();
  bp_group* g = nullptr;
  bp_error* err = nullptr;
  const bp_status s = bp_group_join(&d, &g, &err);
  const bool right = s == BP_BAD_STATE && std::strstr(bp_error_message(err, nullptr), "finalised");
  if (!right) std::printf("after MPI_Finalize: %d %s\n", s, bp_error_message(err, nullptr));
  bp_error_release(err);
  return right ? 0 : 1;
}

}  // namespace
}  // namespace bp_test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const bool single = argc > 1 && std::strcmp(argv[1], "--mpi=single") == 0;
  int level = 0;
  if (single)
    MPI_Init(&argc, &argv);
  else
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (!single && level != MPI_THREAD_MULTIPLE) {
    std::printf("this MPI has no MPI_THREAD_MULTIPLE\n");
    return 1;
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) delete listeners.Release(listeners.default_result_printer());
  int worst = 0, mine = RUN_ALL_TESTS();
  MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  bp_shutdown(-1, nullptr);
  MPI_Finalize();
  return worst ? worst : bp_test::after_the_end();
}
