// SPDX-License-Identifier: Apache-2.0
// members.h: this process as a member of the group that mpirun started, for tests that all members
// run alike. A test that fails on one of them fails the run; the others end by the short timeout.
//
//   TEST_F(Members, AgreeOnASum) {
//     T t = tensor<float>({1}, {1});
//     EXPECT_EQ(attempt(bp_group_all_reduce, all.get(), t.get(), BP_REDUCE_SUM, no_work).message, "");
//     EXPECT_EQ(values<float>(t)[0], static_cast<float>(size));
//   }
#pragma once
#include <string>

#include "kit/tensors.h"

namespace bp_test {

using G = Handle<bp_group, bp_group_release>;
using W = Handle<bp_work, bp_work_release>;

constexpr int64_t kSecond = 1000000000;
inline bp_work** const no_work = nullptr;

inline bp_group_desc joining(uint32_t flags = BP_GROUP_NO_CHECK) {
  bp_group_desc d{};
  d.struct_size = sizeof d;
  d.flags = flags;
  d.kind = "mpi";
  d.timeout_ns = 20 * kSecond;
  return d;
}
inline G joined(bp_group_desc d = joining()) {
  return made<G>(bp_group_join, static_cast<const bp_group_desc*>(&d));
}
inline bp_group_info info_of(const G& g) {
  bp_group_info i{};
  i.struct_size = sizeof i;
  const Answer a = attempt(bp_group_get_info, g.get(), &i);
  EXPECT_EQ(a.message, "");
  return i;
}

// Makes an exchange: f(work, err), which returns when it is over, or gives a work to wait for.
template <class F>
Answer exchanged(bool as_work, F&& f) {
  bp_work* begun = nullptr;
  const Answer a = attempt([&](bp_error** err) { return f(as_work ? &begun : nullptr, err); });
  const W work(begun);
  EXPECT_EQ(work != nullptr, as_work && a.status == BP_OK);
  return work ? attempt(bp_work_wait, begun) : a;
}
// f(args..., &work, &err).
template <class F, class... A>
W started(F&& f, A... args) {
  return made<W>(f, args...);
}
inline Answer waited(const W& w) { return attempt(bp_work_wait, w.get()); }

struct Members : testing::Test {
  G all = joined();
  uint32_t rank = info_of(all).rank, size = info_of(all).size;

  int64_t n() const { return size; }
  // Whether an exchange of all comes to its end, with the right numbers.
  void expect_that_it_works(const G& g) const {
    const bp_group_info i = info_of(g);
    const T t = tensor<int64_t>({2}, {i.rank, 1});
    EXPECT_EQ(attempt(bp_group_all_reduce, g.get(), t.get(), BP_REDUCE_SUM, no_work).message, "");
    EXPECT_EQ(values<int64_t>(t), (std::vector<int64_t>{i.size * (i.size - 1) / 2, i.size}));
  }
};

}  // namespace bp_test
