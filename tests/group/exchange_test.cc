// SPDX-License-Identifier: Apache-2.0
// Each exchange over all dtypes, lengths, roots and operations, on the cpu and on an accelerator,
// at once and as work, against what it is by its definition. Every member runs the same.
#include <cstring>

#include "group/members.h"
#include "group/numbers.h"

namespace bp_test {
namespace {

constexpr int64_t kLong = 1000000;

struct Way {
  const char* device;
  bool as_work;
  bool between_devices = false;  // by a vendor's library, each member with the device of its rank
};
void PrintTo(const Way& w, std::ostream* out) {
  *out << w.device << (w.between_devices ? " by a library" : "")
       << (w.as_work ? " as work" : " at once");
}

// One point of the table; operation and root are 0 where the exchange has none.
struct Point {
  bp_dtype dtype = BP_F32;
  int64_t count = 0;  // elements of a part
  bp_reduce_op operation = BP_REDUCE_SUM;
  uint32_t root = 0;

  std::string text() const {
    return std::string(bp_dtype_name(dtype)) + " [" + std::to_string(count) + "], operation " +
           std::to_string(operation) + ", root " + std::to_string(root);
  }
};

class Exchange : public Members, public testing::WithParamInterface<Way> {
 protected:
  bp_device where = 0;

  void SetUp() override {
    if (std::string(GetParam().device) != "cpu" && !has_kind(GetParam().device))
      GTEST_SKIP() << GetParam().device << " is not there: its plugin is not built";
    where = device(GetParam().device);
    if (!GetParam().between_devices) return;
    where = device("sim:" + std::to_string(rank));
    ASSERT_EQ(attempt(bp_group_use_device, all.get(), where).message, "");
    ASSERT_EQ(std::string(info_of(all).device_library).substr(0, 5), "NCCL ");
  }
  // All dtypes and lengths; a million elements, of all `parts` together, in two dtypes and in half
  // of the ways.
  template <class F>
  void each_length(int64_t parts, F&& f) const {
    for (bp_dtype d = 0; d < BP_DTYPE_COUNT; ++d) {
      for (const int64_t count : {0, 1, 7, 1000}) f(Point{d, count});
      const bool goes_far = GetParam().as_work == (std::string(GetParam().device) != "cpu");
      if (goes_far && (d == BP_F32 || d == BP_U8)) f(Point{d, kLong / parts});
    }
  }
  template <class F>
  void each_root(Point p, F&& f) const {
    for (p.root = p.count > 1000 ? size - 1 : 0; p.root < size; ++p.root) f(p);
  }
  template <class F>
  void each_operation(Point p, F&& f) const {
    for (p.operation = 0; p.operation <= BP_REDUCE_MEAN; ++p.operation) {
      if (!is_defined(p.operation, p.dtype)) continue;
      if (p.count > 1000 && p.operation != (p.dtype == BP_U8 ? BP_REDUCE_MAX : BP_REDUCE_SUM))
        continue;
      f(p);
    }
  }
  // This member's part, the parts of all, and room.
  T part(const Point& p, uint32_t of) const {
    return tensor_of({p.count}, part_of(p.dtype, of, p.count), p.dtype, where);
  }
  T parts(const Point& p, uint32_t of) const {
    return tensor_of({n(), p.count}, part_of(p.dtype, of, n() * p.count), p.dtype, where);
  }
  T room(const Point& p) const { return tensor_of({p.count}, blank(p.count), p.dtype, where); }
  T rooms(const Point& p) const {
    return tensor_of({n(), p.count}, blank(n() * p.count), p.dtype, where);
  }
  static Numbers blank(int64_t count) { return Numbers(static_cast<size_t>(count), Number(1)); }
  Numbers joined_parts(const Point& p, const std::function<Numbers(uint32_t)>& of) const {
    Numbers all;
    for (uint32_t r = 0; r < size; ++r) {
      const Numbers one = of(r);
      all.insert(all.end(), one.begin(), one.end());
    }
    EXPECT_EQ(all.size(), static_cast<size_t>(n() * p.count));
    return all;
  }

  template <class F>
  void expect_done(const Point& p, F&& f) const {
    const Answer a = exchanged(GetParam().as_work, f);
    EXPECT_EQ(a.message, "") << p.text();
    EXPECT_EQ(a.status, BP_OK) << p.text();
  }
  // Says the first difference of a test alone: a member goes on with the others also after it.
  void expect(const T& t, const Numbers& wanted, const Point& p, const char* what) const {
    if (HasFailure()) return;
    expect_numbers(t, wanted, p.dtype, [&] { return std::string(what) + " of " + p.text(); });
  }
  void expect_unharmed(const T& t, const Point& p, int64_t count) const {
    expect(t, part_of(p.dtype, rank, count), p, "the operand");
  }
};

TEST_P(Exchange, BroadcastGivesTheRootsTensorToAll) {
  each_length(1, [&](Point at) {
    each_root(at, [&](const Point& p) {
      const T t = part(p, rank);
      expect_done(p, [&](bp_work** w, bp_error** err) {
        return bp_group_broadcast(all.get(), t.get(), p.root, w, err);
      });
      expect(t, part_of(p.dtype, p.root, p.count), p, "broadcast");
    });
  });
}

TEST_P(Exchange, AllReduceGivesTheReductionToAll) {
  each_length(1, [&](Point at) {
    each_operation(at, [&](const Point& p) {
      const T t = part(p, rank);
      expect_done(p, [&](bp_work** w, bp_error** err) {
        return bp_group_all_reduce(all.get(), t.get(), p.operation, w, err);
      });
      expect(t, reduced(p.operation, p.dtype, size, p.count), p, "all_reduce");
    });
  });
}

TEST_P(Exchange, ReduceGivesTheReductionToTheRootAlone) {
  each_length(1, [&](Point at) {
    each_operation(at, [&](const Point& with) {
      each_root(with, [&](const Point& p) {
        const T t = part(p, rank);
        expect_done(p, [&](bp_work** w, bp_error** err) {
          return bp_group_reduce(all.get(), t.get(), p.operation, p.root, w, err);
        });
        if (rank == p.root)
          expect(t, reduced(p.operation, p.dtype, size, p.count), p, "reduce");
        else
          expect_unharmed(t, p, p.count);
      });
    });
  });
}

TEST_P(Exchange, AllGatherGivesTheTensorsOfAllToAll) {
  each_length(n(), [&](const Point& p) {
    const T t = part(p, rank), out = rooms(p);
    expect_done(p, [&](bp_work** w, bp_error** err) {
      return bp_group_all_gather(all.get(), t.get(), out.get(), w, err);
    });
    expect(out, joined_parts(p, [&](uint32_t r) { return part_of(p.dtype, r, p.count); }), p,
           "all_gather");
    expect_unharmed(t, p, p.count);
  });
}

TEST_P(Exchange, ReduceScatterGivesEachItsPartOfTheReduction) {
  each_length(n(), [&](Point at) {
    each_operation(at, [&](const Point& p) {
      const T t = parts(p, rank), out = room(p);
      expect_done(p, [&](bp_work** w, bp_error** err) {
        return bp_group_reduce_scatter(all.get(), t.get(), p.operation, out.get(), w, err);
      });
      expect(out, reduced(p.operation, p.dtype, size, p.count, int64_t{rank} * p.count), p,
             "reduce_scatter");
      expect_unharmed(t, p, n() * p.count);
    });
  });
}

TEST_P(Exchange, AllToAllGivesEachOneAPartOfEach) {
  each_length(n(), [&](const Point& p) {
    const T t = parts(p, rank), out = rooms(p);
    expect_done(p, [&](bp_work** w, bp_error** err) {
      return bp_group_all_to_all(all.get(), t.get(), out.get(), w, err);
    });
    const int64_t mine = int64_t{rank} * p.count;
    expect(out, joined_parts(p, [&](uint32_t r) { return part_of(p.dtype, r, p.count, mine); }), p,
           "all_to_all");
    expect_unharmed(t, p, n() * p.count);
  });
}

TEST_P(Exchange, GatherGivesTheTensorsOfAllToTheRoot) {
  each_length(n(), [&](Point at) {
    each_root(at, [&](const Point& p) {
      const T t = part(p, rank), out = rank == p.root ? rooms(p) : T();
      expect_done(p, [&](bp_work** w, bp_error** err) {
        return bp_group_gather(all.get(), t.get(), p.root, out.get(), w, err);
      });
      if (out)
        expect(out, joined_parts(p, [&](uint32_t r) { return part_of(p.dtype, r, p.count); }), p,
               "gather");
      expect_unharmed(t, p, p.count);
    });
  });
}

TEST_P(Exchange, ScatterGivesEachItsPartOfTheRootsTensor) {
  each_length(n(), [&](Point at) {
    each_root(at, [&](const Point& p) {
      const T t = rank == p.root ? parts(p, rank) : T(), out = room(p);
      expect_done(p, [&](bp_work** w, bp_error** err) {
        return bp_group_scatter(all.get(), t.get(), p.root, out.get(), w, err);
      });
      expect(out, part_of(p.dtype, p.root, p.count, int64_t{rank} * p.count), p, "scatter");
      if (t) expect_unharmed(t, p, n() * p.count);
    });
  });
}

TEST_P(Exchange, MessagesGoRoundARing) {
  each_length(1, [&](const Point& p) {
    const T t = part(p, rank), in = room(p);
    const uint32_t next = (rank + 1) % size, last = (rank + size - 1) % size;
    const W arrives = started(bp_group_receive, all.get(), in.get(), last, 5u);
    expect_done(p, [&](bp_work** w, bp_error** err) {
      return bp_group_send(all.get(), t.get(), next, 5, w, err);
    });
    EXPECT_EQ(waited(arrives).message, "") << p.text();
    expect(in, part_of(p.dtype, last, p.count), p, "a message");
    expect_unharmed(t, p, p.count);
  });
}

TEST_P(Exchange, MessagesGoBothWaysAtOnce) {
  each_length(1, [&](const Point& p) {
    const T t = part(p, rank), from_next = room(p), from_last = room(p);
    const uint32_t next = (rank + 1) % size, last = (rank + size - 1) % size;
    const W first = started(bp_group_send, all.get(), t.get(), next, 1u),
            second = started(bp_group_send, all.get(), t.get(), last, 2u);
    for (const bool of_next : {true, false})
      expect_done(p, [&](bp_work** w, bp_error** err) {
        return of_next ? bp_group_receive(all.get(), from_next.get(), next, 2, w, err)
                       : bp_group_receive(all.get(), from_last.get(), last, 1, w, err);
      });
    EXPECT_EQ(waited(first).message + waited(second).message, "") << p.text();
    expect(from_next, part_of(p.dtype, next, p.count), p, "the next one's message");
    expect(from_last, part_of(p.dtype, last, p.count), p, "the last one's message");
  });
}

TEST_P(Exchange, ABarrierIsPassedByAllWhenAllHaveCome) {
  for (int i = 0; i < 20; ++i)
    expect_done({}, [&](bp_work** w, bp_error** err) {
      return bp_group_barrier(all.get(), 10 * kSecond, w, err);
    });
}

TEST_P(Exchange, TransposedAndSteppedTensorsAreSentAndWritten) {
  for (const bp_dtype d : {BP_F32, BP_F16, BP_I64, BP_C64, BP_U8}) {
    const Point p{d, 6};
    const T whole = tensor_of({3, 2}, part_of(d, rank, 6), d, where);
    const T turned = made(bp_tensor_transpose, whole.get(), 0, 1);
    ASSERT_FALSE(bp_tensor_is_contiguous(turned.get()));
    expect_done(p, [&](bp_work** w, bp_error** err) {
      return bp_group_all_reduce(all.get(), turned.get(), BP_REDUCE_SUM, w, err);
    });
    expect(whole, reduced(BP_REDUCE_SUM, d, size, 6), p, "all_reduce of a transposed tensor");

    const T line = tensor_of({12}, part_of(d, rank, 12), d, where);
    const T odd = made(bp_tensor_slice, line.get(), 0, 1, BP_SLICE_NONE, 2);
    expect_done(p, [&](bp_work** w, bp_error** err) {
      return bp_group_broadcast(all.get(), odd.get(), size - 1, w, err);
    });
    Numbers wanted = part_of(d, rank, 12);
    const Numbers theirs = part_of(d, size - 1, 12);
    for (size_t i = 1; i < 12; i += 2) wanted[i] = theirs[i];
    expect(line, wanted, p, "broadcast of a stepped tensor");

    // out is transposed: the members' parts are its columns
    const T columns = tensor_of({2, n()}, blank(2 * n()), d, where);
    const T out = made(bp_tensor_transpose, columns.get(), 0, 1);
    const T two = made(bp_tensor_slice, odd.get(), 0, 0, 4, 2);
    expect_done(p, [&](bp_work** w, bp_error** err) {
      return bp_group_all_gather(all.get(), two.get(), out.get(), w, err);
    });
    Numbers gathered;
    for (const size_t place : {1u, 5u})
      for (uint32_t r = 0; r < size; ++r) gathered.push_back(theirs[place]);
    expect(columns, gathered, p, "all_gather into columns");
  }
}

TEST_P(Exchange, OperandsMayLieInTheResult) {
  for (const bp_dtype d : {BP_F32, BP_BF16, BP_I32}) {
    const Point p{d, 5};
    for (uint32_t place = 0; place < size; ++place) {
      const T out = rooms(p);
      const T mine = made(bp_tensor_select, out.get(), 0, place);
      ASSERT_EQ(attempt(bp_tensor_copy_, mine.get(), part(p, rank).get(), 0u).message, "");
      expect_done(p, [&](bp_work** w, bp_error** err) {
        return bp_group_all_gather(all.get(), mine.get(), out.get(), w, err);
      });
      expect(out, joined_parts(p, [&](uint32_t r) { return part_of(d, r, p.count); }), p,
             "all_gather in place");

      const T given = parts(p, rank);
      const T taken = made(bp_tensor_select, given.get(), 0, place);
      expect_done(p, [&](bp_work** w, bp_error** err) {
        return bp_group_reduce_scatter(all.get(), given.get(), BP_REDUCE_MAX, taken.get(), w, err);
      });
      expect(taken, reduced(BP_REDUCE_MAX, d, size, p.count, int64_t{rank} * p.count), p,
             "reduce_scatter in place");
    }
    const T both = parts(p, rank);
    expect_done(p, [&](bp_work** w, bp_error** err) {
      return bp_group_all_to_all(all.get(), both.get(), both.get(), w, err);
    });
    const int64_t mine = int64_t{rank} * p.count;
    expect(both, joined_parts(p, [&](uint32_t r) { return part_of(d, r, p.count, mine); }), p,
           "all_to_all in place");
  }
}

TEST_P(Exchange, MinimumAndMaximumAreNaNWhereAMemberHasOne) {
  const double nan = std::nan("");
  for (const bp_dtype d : {BP_F16, BP_BF16, BP_F32, BP_F64})
    for (const bp_reduce_op operation : {BP_REDUCE_MIN, BP_REDUCE_MAX})
      for (uint32_t who = 0; who < size; ++who) {
        const Point p{d, 3, operation, who};
        const double own = rank;
        const T t = tensor_of({3}, {own, rank == who ? nan : own, -own}, d, where);
        expect_done(p, [&](bp_work** w, bp_error** err) {
          return bp_group_all_reduce(all.get(), t.get(), operation, w, err);
        });
        const Numbers got = numbers_of(t);
        const double most = size - 1;
        EXPECT_TRUE(std::isnan(got[1].real())) << p.text();
        EXPECT_EQ(got[0].real(), operation == BP_REDUCE_MIN ? 0 : most) << p.text();
        EXPECT_EQ(got[2].real(), operation == BP_REDUCE_MIN ? -most : 0) << p.text();
      }
}

TEST_P(Exchange, HalvesAreReducedInF32AndRoundedOnce) {
  if (size < 3) GTEST_SKIP() << "a sum of two is rounded once in any case";
  for (const auto& [dtype, first] : {std::pair{BP_F16, 2048.0}, std::pair{BP_BF16, 256.0}}) {
    const T t = tensor_of({1}, {rank == 0 ? first : rank <= 2 ? 1.0 : 0.0}, dtype, where);
    expect_done({dtype, 1}, [&](bp_work** w, bp_error** err) {
      return bp_group_all_reduce(all.get(), t.get(), BP_REDUCE_SUM, w, err);
    });
    EXPECT_EQ(numbers_of(t)[0].real(), first + 2) << "rounded after each step it stays " << first;
  }
}

TEST_P(Exchange, IntegersOf64BitsAreExactAndWrap) {
  const int64_t large = (int64_t{1} << 62) + 1;
  const T t = tensor<int64_t>({2}, {large + rank, -1}, where);
  expect_done({BP_I64, 2}, [&](bp_work** w, bp_error** err) {
    return bp_group_all_reduce(all.get(), t.get(), BP_REDUCE_SUM, w, err);
  });
  uint64_t sum = 0;
  for (uint32_t r = 0; r < size; ++r) sum += static_cast<uint64_t>(large) + r;
  EXPECT_EQ(values<int64_t>(t), (std::vector<int64_t>{static_cast<int64_t>(sum), -n()}));
  const T most = tensor<uint64_t>({1}, {~uint64_t{0} - rank}, where, BP_U64);
  expect_done({BP_U64, 1}, [&](bp_work** w, bp_error** err) {
    return bp_group_all_reduce(all.get(), most.get(), BP_REDUCE_MAX, w, err);
  });
  EXPECT_EQ(values<uint64_t>(most)[0], ~uint64_t{0});
}

TEST_P(Exchange, AllMembersGetTheSameBits) {
  for (const int64_t count : {1, 3, 1000, 70001}) {
    std::vector<float> own(static_cast<size_t>(count));
    for (size_t i = 0; i < own.size(); ++i)
      own[i] = std::sin(static_cast<float>(i) * 0.7f + static_cast<float>(rank) * 1.3f) *
               std::pow(10.0f, static_cast<float>((i + rank) % 9) - 4);
    for (const bp_reduce_op operation : {BP_REDUCE_SUM, BP_REDUCE_MEAN, BP_REDUCE_PRODUCT}) {
      const T t = tensor<float>({count}, own, where);
      expect_done({BP_F32, count, operation}, [&](bp_work** w, bp_error** err) {
        return bp_group_all_reduce(all.get(), t.get(), operation, w, err);
      });
      const std::vector<float> got = values<float>(t);
      std::vector<char> theirs(got.size() * sizeof(float) * size);
      ASSERT_EQ(attempt(bp_group_all_gather_bytes, all.get(), static_cast<const void*>(got.data()),
                        static_cast<uint64_t>(got.size() * sizeof(float)),
                        static_cast<void*>(theirs.data()))
                    .message,
                "");
      for (uint32_t r = 0; r < size; ++r)
        EXPECT_EQ(std::memcmp(theirs.data() + r * got.size() * sizeof(float), got.data(),
                              got.size() * sizeof(float)),
                  0)
            << "rank " << r << ", operation " << operation;
    }
  }
}

std::string name_of_way(const testing::TestParamInfo<Way>& info) {
  return std::string(info.param.device).substr(0, 3) + (info.param.as_work ? "AsWork" : "AtOnce");
}
INSTANTIATE_TEST_SUITE_P(ByALibrary, Exchange,
                         testing::Values(Way{"sim:0", false, true}, Way{"sim:0", true, true}),
                         name_of_way);
INSTANTIATE_TEST_SUITE_P(All, Exchange,
                         testing::Values(Way{"cpu", false}, Way{"cpu", true}, Way{"sim:0", false},
                                         Way{"sim:0", true}),
                         name_of_way);

// ---- on the cpu alone ----

struct Bytes : Members {};

TEST_F(Bytes, OfTheRootGoToAll) {
  for (uint32_t root = 0; root < size; ++root)
    for (const size_t count : {size_t{0}, size_t{1}, size_t{1000}, size_t{300000}}) {
      std::string text(count, static_cast<char>('a' + rank));
      ASSERT_EQ(attempt(bp_group_broadcast_bytes, all.get(), static_cast<void*>(text.data()),
                        uint64_t{count}, root)
                    .message,
                "");
      EXPECT_TRUE(text == std::string(count, static_cast<char>('a' + root)))
          << root << " " << count;
    }
}

TEST_F(Bytes, OfAllGoToAllInTheirOrder) {
  for (const size_t count : {size_t{0}, size_t{1}, size_t{1000}, size_t{300000}}) {
    const std::string text(count, static_cast<char>('a' + rank));
    std::string out(count * size, '-'), wanted;
    ASSERT_EQ(attempt(bp_group_all_gather_bytes, all.get(), static_cast<const void*>(text.data()),
                      uint64_t{count}, static_cast<void*>(out.data()))
                  .message,
              "");
    for (uint32_t r = 0; r < size; ++r) wanted += std::string(count, static_cast<char>('a' + r));
    EXPECT_TRUE(out == wanted) << count;
  }
}

TEST_F(Bytes, OfNoNumberMayBeNull) {
  EXPECT_EQ(
      attempt(bp_group_broadcast_bytes, all.get(), static_cast<void*>(nullptr), uint64_t{0}, 0u)
          .message,
      "");
  EXPECT_EQ(attempt(bp_group_all_gather_bytes, all.get(), static_cast<const void*>(nullptr),
                    uint64_t{0}, static_cast<void*>(nullptr))
                .message,
            "");
}

struct Works : Members {};

TEST_F(Works, AreUnderWayTogetherAndWaitedForInAnyOrder) {
  std::vector<T> tensors;
  std::vector<W> works;
  for (int64_t i = 0; i < 40; ++i) {
    tensors.push_back(tensor<int64_t>(
        {i * 50 + 1}, std::vector<int64_t>(static_cast<size_t>(i * 50 + 1), rank + i)));
    works.push_back(started(bp_group_all_reduce, all.get(), tensors.back().get(), BP_REDUCE_SUM));
  }
  for (size_t i = works.size(); i-- > 0;) {
    EXPECT_EQ(waited(works[i]).message, "");
    EXPECT_EQ(attempt(bp_work_query, works[i].get()).status, BP_OK);
    EXPECT_EQ(values<int64_t>(tensors[i])[0], n() * (n() - 1) / 2 + n() * static_cast<int64_t>(i));
  }
}

TEST_F(Works, AreQueriedUntilTheyAreOver) {
  const T t = tensor<float>({1}, {1});
  const W w = started(bp_group_all_reduce, all.get(), t.get(), BP_REDUCE_SUM);
  Answer a;
  do a = attempt(bp_work_query, w.get());
  while (a.status == BP_NOT_READY);
  EXPECT_EQ(a.status, BP_OK) << a.message;
  EXPECT_EQ(waited(w).message, "");
  EXPECT_EQ(waited(w).message, "") << "waiting again is no fault";
  EXPECT_EQ(values<float>(t)[0], static_cast<float>(size));
}

TEST_F(Works, GoOnWithoutTheirHandle) {
  const T t = tensor<float>({1}, {1});
  started(bp_group_all_reduce, all.get(), t.get(), BP_REDUCE_SUM).reset();
  EXPECT_EQ(attempt(bp_group_barrier, all.get(), int64_t{0}, no_work).message, "");
  EXPECT_EQ(values<float>(t)[0], static_cast<float>(size)) << "a host tensor's result is there";
}

TEST_F(Works, GoOnWithoutTheirGroup) {
  const T t = tensor<float>({1}, {1}), u = tensor<float>({1}, {2});
  const W first = started(bp_group_all_reduce, all.get(), t.get(), BP_REDUCE_SUM),
          second = started(bp_group_all_reduce, all.get(), u.get(), BP_REDUCE_MEAN);
  all.reset();
  EXPECT_EQ(waited(second).message + waited(first).message, "");
  EXPECT_EQ(values<float>(t)[0], static_cast<float>(size));
  EXPECT_EQ(values<float>(u)[0], 2);
}

TEST_F(Works, KeepTheirTensors) {
  T t = counting<float>({1000}), out = counting<float>({n(), 1000});
  bp_tensor* const there = bp_tensor_retain(out.get());
  const W w = started(bp_group_all_gather, all.get(), t.get(), out.get());
  t.reset();
  out.reset();
  EXPECT_EQ(waited(w).message, "");
  EXPECT_EQ(values<float>(T(there))[999], 999);
}

struct Messages : Members {};

TEST_F(Messages, AreToldApartByTheirTags) {
  const uint32_t next = (rank + 1) % size, last = (rank + size - 1) % size;
  std::vector<T> sent, got;
  std::vector<W> works;
  constexpr uint32_t kTags[] = {3, 0, 32767, 1};
  for (const uint32_t tag : kTags) {
    sent.push_back(tensor<int64_t>({1}, {rank * 100000 + tag}));
    works.push_back(started(bp_group_send, all.get(), sent.back().get(), next, tag));
  }
  for (size_t i = 4; i-- > 0;) {  // the other way round
    const T t = tensor<int64_t>({1}, {-1});
    EXPECT_EQ(attempt(bp_group_receive, all.get(), t.get(), last, kTags[i], no_work).message, "");
    EXPECT_EQ(values<int64_t>(t)[0], last * 100000 + kTags[i]);
  }
  for (const W& w : works) EXPECT_EQ(waited(w).message, "");
}

TEST_F(Messages, OfOneTagArriveInTheirOrder) {
  const uint32_t next = (rank + 1) % size, last = (rank + size - 1) % size;
  std::vector<T> sent, got;
  std::vector<W> works;
  for (int64_t i = 0; i < 20; ++i) {
    got.push_back(tensor<int64_t>({1}, {-1}));
    works.push_back(started(bp_group_receive, all.get(), got.back().get(), last, 9u));
    sent.push_back(tensor<int64_t>({1}, {i}));
    works.push_back(started(bp_group_send, all.get(), sent.back().get(), next, 9u));
  }
  for (const W& w : works) EXPECT_EQ(waited(w).message, "");
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_EQ(values<int64_t>(got[i])[0], static_cast<int64_t>(i));
}

TEST_F(Messages, DoNotWaitForExchangesOfAll) {
  if (size < 2) GTEST_SKIP() << "one member has nobody to wait for";
  const T t = tensor<int64_t>({1}, {rank}), sum = tensor<int64_t>({1}, {1});
  W under_way;
  if (rank != 0) under_way = started(bp_group_all_reduce, all.get(), sum.get(), BP_REDUCE_SUM);
  if (rank == 0) {
    EXPECT_EQ(attempt(bp_group_receive, all.get(), t.get(), size - 1, 0u, no_work).message, "");
  } else if (rank == size - 1) {
    EXPECT_EQ(attempt(bp_group_send, all.get(), t.get(), 0u, 0u, no_work).message, "");
  }
  if (rank == 0) under_way = started(bp_group_all_reduce, all.get(), sum.get(), BP_REDUCE_SUM);
  EXPECT_EQ(waited(under_way).message, "");
  EXPECT_EQ(values<int64_t>(sum)[0], n());
  EXPECT_EQ(values<int64_t>(t)[0], rank == 0 ? n() - 1 : int64_t{rank});
}

struct Split : Members {
  G split(int32_t color, int32_t key) {
    bp_group* out = nullptr;
    const Answer a =
        attempt([&](bp_error** err) { return bp_group_split(all.get(), color, key, &out, err); });
    EXPECT_EQ(a.message, "");
    return G(out);
  }
};

TEST_F(Split, MakesGroupsOfOneColorInTheOrderOfTheirKeys) {
  const int32_t color = static_cast<int32_t>(rank % 2);
  const G half = split(color, -static_cast<int32_t>(rank));
  ASSERT_TRUE(half);
  const bp_group_info i = info_of(half);
  const uint32_t in_half = (size + 1 - rank % 2) / 2;
  EXPECT_EQ(i.size, in_half);
  EXPECT_EQ(i.rank, in_half - 1 - rank / 2) << "the key reverses the order";
  EXPECT_EQ(i.local_size, in_half);
  EXPECT_EQ(i.local_rank, i.rank);
  EXPECT_EQ(i.timeout_ns, 20 * kSecond) << "as the group that was split";
  const T mine = tensor<int64_t>({1}, {rank}),
          out = tensor<int64_t>({in_half, 1}, std::vector<int64_t>(in_half));
  EXPECT_EQ(attempt(bp_group_all_gather, half.get(), mine.get(), out.get(), no_work).message, "");
  std::vector<int64_t> wanted;
  for (uint32_t r = 0; r < in_half; ++r) wanted.insert(wanted.begin(), int64_t{r} * 2 + color);
  EXPECT_EQ(values<int64_t>(out), wanted);
}

TEST_F(Split, GroupsWorkAtOnceAndAlsoAfterTheWholeOneIsReleased) {
  const G half = split(static_cast<int32_t>(rank % 2), 0), same = split(7, 0);
  for (int i = 0; i < 10; ++i) {
    const T a = tensor<int64_t>({1}, {1}), b = tensor<int64_t>({1}, {1}),
            c = tensor<int64_t>({1}, {1});
    // Groups do not wait for each other, so the members need not agree on an order of groups.
    const G* order[] = {&half, &all, &same};
    const T* of[] = {&a, &b, &c};
    std::vector<W> works;
    for (uint32_t k = 0; k < 3; ++k) {
      const uint32_t which = (k + rank) % 3;
      works.push_back(
          started(bp_group_all_reduce, order[which]->get(), of[which]->get(), BP_REDUCE_SUM));
    }
    for (const W& w : works) EXPECT_EQ(waited(w).message, "");
    EXPECT_EQ(values<int64_t>(a)[0], static_cast<int64_t>(info_of(half).size));
    EXPECT_EQ(values<int64_t>(b)[0], n());
    EXPECT_EQ(values<int64_t>(c)[0], n());
  }
  all.reset();
  expect_that_it_works(half);
  expect_that_it_works(same);
}

TEST_F(Split, GivesNoGroupForColorMinusOne) {
  const G alone = split(rank == 0 ? -1 : 0, 0);
  EXPECT_EQ(alone == nullptr, rank == 0);
  if (alone) {
    EXPECT_EQ(info_of(alone).size, size - 1);
    expect_that_it_works(alone);
  }
  expect_that_it_works(all);
  EXPECT_FALSE(split(-1, 0)) << "when nobody wants one";
  expect_that_it_works(all);
}

TEST_F(Split, OfASplitGroupIsAGroup) {
  const G half = split(static_cast<int32_t>(rank % 2), 0);
  bp_group* out = nullptr;
  EXPECT_EQ(
      attempt([&](bp_error** err) { return bp_group_split(half.get(), 0, 0, &out, err); }).message,
      "");
  const G again(out);
  EXPECT_EQ(info_of(again).rank, info_of(half).rank);
  expect_that_it_works(again);
}

struct Info : Members {};

TEST_F(Info, SaysWhoThisMemberIs) {
  const bp_group_info i = info_of(all);
  const char* wanted = std::getenv("OMPI_COMM_WORLD_SIZE");
  ASSERT_TRUE(wanted) << "mpirun says how many there are";
  EXPECT_EQ(std::to_string(i.size), wanted);
  EXPECT_EQ(std::to_string(i.rank), std::getenv("OMPI_COMM_WORLD_RANK"));
  EXPECT_EQ(std::to_string(i.local_size), std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE"));
  EXPECT_EQ(std::to_string(i.local_rank), std::getenv("OMPI_COMM_WORLD_LOCAL_RANK"));
  EXPECT_STREQ(i.kind, "mpi");
  EXPECT_EQ(i.checks, 0u);
  EXPECT_EQ(i.timeout_ns, 20 * kSecond);
  EXPECT_TRUE(i.native);
  ASSERT_EQ(attempt(bp_group_set_timeout, all.get(), 15 * kSecond).message, "");
  EXPECT_EQ(info_of(all).timeout_ns, 15 * kSecond);
}

TEST_F(Info, CountsExchangesAndTheirBytes) {
  EXPECT_EQ(info_of(all).n_exchanges, 0u);
  EXPECT_EQ(info_of(all).exchanged_bytes, 0u);
  const T t = counting<float>({10});
  EXPECT_EQ(attempt(bp_group_all_reduce, all.get(), t.get(), BP_REDUCE_SUM, no_work).message, "");
  EXPECT_EQ(info_of(all).n_exchanges, 1u);
  EXPECT_EQ(info_of(all).exchanged_bytes, 40u);
  EXPECT_EQ(attempt(bp_group_barrier, all.get(), int64_t{0}, no_work).message, "");
  EXPECT_EQ(info_of(all).n_exchanges, 2u);
  EXPECT_EQ(info_of(all).exchanged_bytes, 40u);
}

struct Gradients : Members {};

TEST_F(Gradients, DoNotGoThroughAnExchange) {
  const T x = leaf(tensor<float>({2}, {1, 2}));
  const T y = made(bp_mul, x.get(), x.get());
  const T out = tensor<float>({n(), 2}, std::vector<float>(2 * size));
  EXPECT_EQ(attempt(bp_group_all_gather, all.get(), y.get(), out.get(), no_work).message, "");
  EXPECT_EQ(attempt(bp_group_all_gather, all.get(), x.get(), out.get(), no_work).message, "");
  EXPECT_FALSE(bp_tensor_requires_grad(out.get()));
  EXPECT_EQ(values<float>(out)[1], 2);
  // and what was computed has its gradient still
  bp_tensor* s = sum(y).release();
  EXPECT_EQ(attempt(bp_backward, &s, static_cast<bp_tensor**>(nullptr), 1u, 0u).message, "");
  bp_tensor_release(s);
  EXPECT_EQ(values<float>(grad_of(x)), (std::vector<float>{2, 4}));
}

TEST_F(Gradients, AreReducedInTheirPlace) {
  const T x = leaf(tensor<float>({2}, {1.0f + static_cast<float>(rank), 2}));
  bp_tensor* s = sum(made(bp_mul, x.get(), x.get())).release();
  EXPECT_EQ(attempt(bp_backward, &s, static_cast<bp_tensor**>(nullptr), 1u, 0u).message, "");
  bp_tensor_release(s);
  const T g = grad_of(x);
  EXPECT_EQ(attempt(bp_group_all_reduce, all.get(), g.get(), BP_REDUCE_MEAN, no_work).message, "");
  EXPECT_NEAR(values<float>(grad_of(x))[0], 1.0f + static_cast<float>(size), 1e-5);
  EXPECT_EQ(values<float>(grad_of(x))[1], 4);
}

TEST_F(Gradients, LeavesGetTheRootsNumbersAndStayLeaves) {
  const T x = leaf(tensor<float>({2}, {static_cast<float>(rank), 1}));
  EXPECT_EQ(attempt(bp_group_broadcast, all.get(), x.get(), size - 1, no_work).message, "");
  EXPECT_EQ(doubles(x), (Doubles{static_cast<double>(size) - 1, 1}));
  EXPECT_TRUE(bp_tensor_requires_grad(x.get()));
  bp_tensor* s = sum(made(bp_mul, x.get(), x.get())).release();
  EXPECT_EQ(attempt(bp_backward, &s, static_cast<bp_tensor**>(nullptr), 1u, 0u).message, "");
  bp_tensor_release(s);
  EXPECT_EQ(values<float>(grad_of(x))[1], 2);
}

TEST_F(Gradients, AnExchangeCountsAsAWrite) {
  const T t = counting<float>({2}), sent = counting<float>({2});
  const uint64_t before = bp_tensor_version(t.get()), of_sent = bp_tensor_version(sent.get());
  EXPECT_EQ(attempt(bp_group_broadcast, all.get(), t.get(), 0u, no_work).message, "");
  EXPECT_GT(bp_tensor_version(t.get()), before);
  const T out = counting<float>({n(), 2});
  EXPECT_EQ(attempt(bp_group_all_gather, all.get(), sent.get(), out.get(), no_work).message, "");
  EXPECT_EQ(bp_tensor_version(sent.get()), of_sent);
}

}  // namespace
}  // namespace bp_test
