// SPDX-License-Identifier: Apache-2.0
// Calls that are refused before anything is exchanged: each member is refused by itself, and the
// group goes on.
#include "group/members.h"
#include "kit/programs.h"

namespace bp_test {
namespace {

struct Refusal : Members {
  T t = tensor<float>({3}, {1, 2, 3});
  T whole = counting<float>({n(), 3});
  std::string members = std::to_string(size);

  // Nothing was exchanged, and the group works.
  void TearDown() override {
    if (!all) return;
    EXPECT_EQ(info_of(all).n_exchanges, 0u);
    EXPECT_EQ(info_of(all).exchanged_bytes, 0u);
    expect_that_it_works(all);
  }
  bp_group* g() const { return all.get(); }
  // f(args..., &work, &err) is refused, and gives no work.
  template <class F, class... A>
  Answer refused(F&& f, A... args) const {
    return refusal<W>(f, g(), args...);
  }
  static void expect(const Answer& a, bp_status status, const std::string& sentence) {
    EXPECT_EQ(a.status, status) << a.message;
    EXPECT_EQ(a.message, sentence);
  }
};

TEST_F(Refusal, OfARankThatIsNotThere) {
  const auto out_of_range = [&](const Answer& a, const std::string& what) {
    expect(a, BP_INDEX_OUT_OF_RANGE,
           what + " " + members + " is out of range for a group of " + members + " members");
  };
  out_of_range(refused(bp_group_broadcast, t.get(), size), "broadcast: root");
  out_of_range(refused(bp_group_reduce, t.get(), BP_REDUCE_SUM, size), "reduce: root");
  out_of_range(refused(bp_group_gather, t.get(), size, whole.get()), "gather: root");
  out_of_range(refused(bp_group_scatter, whole.get(), size, t.get()), "scatter: root");
  out_of_range(refused(bp_group_send, t.get(), size, 0u), "send: receiver");
  out_of_range(refused(bp_group_receive, t.get(), size, 0u), "receive: sender");
  char byte = 0;
  out_of_range(attempt(bp_group_broadcast_bytes, g(), static_cast<void*>(&byte), uint64_t{1}, size),
               "broadcast: root");
  EXPECT_EQ(refused(bp_group_broadcast, t.get(), ~0u).status, BP_INDEX_OUT_OF_RANGE);
}

TEST_F(Refusal, OfAResultThatHasNotOnePartForEachMember) {
  const T more = counting<float>({n() + 1, 3}), scalar = tensor<float>({}, {1});
  const std::string shape = "[" + std::to_string(size + 1) + ", 3], expected [" + members +
                            ", ...], one part for each member";
  expect(refused(bp_group_all_gather, t.get(), more.get()), BP_INVALID_ARGUMENT,
         "all_gather: out has the shape " + shape);
  expect(refused(bp_group_reduce_scatter, more.get(), BP_REDUCE_SUM, t.get()), BP_INVALID_ARGUMENT,
         "reduce_scatter: the tensor has the shape " + shape);
  expect(refused(bp_group_all_to_all, more.get(), more.get()), BP_INVALID_ARGUMENT,
         "all_to_all: the tensor has the shape " + shape);
  expect(refused(bp_group_gather, t.get(), rank, more.get()), BP_INVALID_ARGUMENT,
         "gather: out has the shape " + shape);
  expect(refused(bp_group_scatter, more.get(), rank, t.get()), BP_INVALID_ARGUMENT,
         "scatter: the tensor has the shape " + shape);
  expect(refused(bp_group_all_gather, t.get(), scalar.get()), BP_INVALID_ARGUMENT,
         "all_gather: out has the shape [], expected [" + members +
             ", ...], one part for each member");
}

TEST_F(Refusal, OfPartsOfAnotherShapeOrDtype) {
  const T four = counting<float>({4}), turned = counting<float>({3, 1}),
          d = tensor<double>({3}, {1, 2, 3});
  expect(refused(bp_group_all_gather, four.get(), whole.get()), BP_INVALID_ARGUMENT,
         "all_gather: the tensor is float32 [4], expected float32 [3]");
  expect(refused(bp_group_all_gather, turned.get(), whole.get()), BP_INVALID_ARGUMENT,
         "all_gather: the tensor is float32 [3, 1], expected float32 [3]");
  expect(refused(bp_group_all_gather, d.get(), whole.get()), BP_DTYPE_MISMATCH,
         "all_gather: the tensor is float64 [3], expected float32 [3]");
  expect(refused(bp_group_reduce_scatter, whole.get(), BP_REDUCE_SUM, d.get()), BP_DTYPE_MISMATCH,
         "reduce_scatter: out is float64 [3], expected float32 [3]");
  expect(refused(bp_group_all_to_all, whole.get(), t.get()), BP_INVALID_ARGUMENT,
         "all_to_all: out is float32 [3], expected float32 [" + members + ", 3]");
  expect(refused(bp_group_scatter, whole.get(), rank, four.get()), BP_INVALID_ARGUMENT,
         "scatter: out is float32 [4], expected float32 [3]");
  expect(refused(bp_group_gather, d.get(), rank, whole.get()), BP_DTYPE_MISMATCH,
         "gather: the tensor is float64 [3], expected float32 [3]");
}

TEST_F(Refusal, OfOperationsThatADtypeDoesNotHave) {
  const T ints = tensor<int64_t>({1}, {1}), bools = tensor<uint8_t>({1}, {1}, kCpu, BP_BOOL);
  const T complex = tensor<std::complex<float>>({1}, {{1, 2}});
  expect(refused(bp_group_all_reduce, ints.get(), BP_REDUCE_MEAN), BP_DTYPE_MISMATCH,
         "all_reduce: expected floating or complex elements for a mean, got int64");
  expect(refused(bp_group_all_reduce, bools.get(), BP_REDUCE_SUM), BP_DTYPE_MISMATCH,
         "all_reduce: a sum is not defined for bool");
  expect(refused(bp_group_all_reduce, bools.get(), BP_REDUCE_PRODUCT), BP_DTYPE_MISMATCH,
         "all_reduce: a product is not defined for bool");
  expect(refused(bp_group_reduce, bools.get(), BP_REDUCE_MEAN, 0u), BP_DTYPE_MISMATCH,
         "reduce: a mean is not defined for bool");
  expect(refused(bp_group_all_reduce, complex.get(), BP_REDUCE_MIN), BP_DTYPE_MISMATCH,
         "all_reduce: an order is not defined for complex64");
  expect(refused(bp_group_reduce, complex.get(), BP_REDUCE_MAX, 0u), BP_DTYPE_MISMATCH,
         "reduce: an order is not defined for complex64");
}

TEST_F(Refusal, OfAnUnknownOperation) {
  for (const bp_reduce_op operation : {-1, 5, 1 << 30})
    expect(refused(bp_group_all_reduce, t.get(), operation), BP_INVALID_ARGUMENT,
           "all_reduce: operation " + std::to_string(operation) + " is none of BP_REDUCE_*");
}

TEST_F(Refusal, OfATagThatIsTooLarge) {
  expect(refused(bp_group_send, t.get(), 0u, 32768u), BP_INVALID_ARGUMENT,
         "send: tag 32768 is above 32767");
  expect(refused(bp_group_receive, t.get(), 0u, ~0u), BP_INVALID_ARGUMENT,
         "receive: tag 4294967295 is above 32767");
}

TEST_F(Refusal, OfTimesThatAreNone) {
  expect(refused(bp_group_barrier, int64_t{-1}), BP_INVALID_ARGUMENT,
         "timeout_ns is -1, expected 0 or more");
  expect(attempt(bp_group_set_timeout, g(), int64_t{0}), BP_INVALID_ARGUMENT,
         "timeout_ns is 0, expected more than 0");
  EXPECT_EQ(info_of(all).timeout_ns, 20 * kSecond);
}

TEST_F(Refusal, OfHandlesThatAreNotThere) {
  expect(refusal<W>(bp_group_all_reduce, static_cast<bp_group*>(nullptr), t.get(), BP_REDUCE_SUM),
         BP_INVALID_ARGUMENT, "group must not be NULL");
  expect(refused(bp_group_all_reduce, static_cast<bp_tensor*>(nullptr), BP_REDUCE_SUM),
         BP_INVALID_ARGUMENT, "t must not be NULL");
  expect(refused(bp_group_all_gather, t.get(), static_cast<bp_tensor*>(nullptr)),
         BP_INVALID_ARGUMENT, "out must not be NULL");
  expect(refused(bp_group_gather, t.get(), rank, static_cast<bp_tensor*>(nullptr)),
         BP_INVALID_ARGUMENT, "out must not be NULL");
  expect(refused(bp_group_scatter, static_cast<bp_tensor*>(nullptr), rank, t.get()),
         BP_INVALID_ARGUMENT, "the tensor of root must not be NULL");
  expect(attempt(bp_work_wait, static_cast<bp_work*>(nullptr)), BP_INVALID_ARGUMENT,
         "work must not be NULL");
  expect(attempt(bp_group_broadcast_bytes, g(), static_cast<void*>(nullptr), uint64_t{1}, 0u),
         BP_INVALID_ARGUMENT, "bytes must not be NULL");
  char byte = 0;
  expect(attempt(bp_group_all_gather_bytes, g(), static_cast<const void*>(&byte), uint64_t{1},
                 static_cast<void*>(nullptr)),
         BP_INVALID_ARGUMENT, "out must not be NULL");
  expect(attempt(bp_group_get_info, g(), static_cast<bp_group_info*>(nullptr)), BP_INVALID_ARGUMENT,
         "out must not be NULL");
  expect(attempt(bp_group_split, g(), 0, 0, static_cast<bp_group**>(nullptr)), BP_INVALID_ARGUMENT,
         "out must not be NULL");
  bp_group_release(nullptr);
  bp_work_release(nullptr);
  EXPECT_FALSE(bp_group_retain(nullptr));
  EXPECT_FALSE(bp_work_retain(nullptr));
}

TEST_F(Refusal, OfHandlesOfAnotherType) {
  const auto as_group = reinterpret_cast<bp_group*>(t.get());
  const auto as_work = reinterpret_cast<bp_work*>(g());
  const auto as_tensor = reinterpret_cast<bp_tensor*>(g());
  expect(refusal<W>(bp_group_all_reduce, as_group, t.get(), BP_REDUCE_SUM), BP_INVALID_ARGUMENT,
         "group is no group");
  expect(attempt(bp_work_query, as_work), BP_INVALID_ARGUMENT, "work is no work of a group");
  EXPECT_EQ(refused(bp_group_all_reduce, as_tensor, BP_REDUCE_SUM).status, BP_INVALID_ARGUMENT);
  bp_group_release(as_group);
  bp_work_release(as_work);
  EXPECT_EQ(values<float>(t)[0], 1) << "what another release is for stays";
}

TEST_F(Refusal, OfResultsThatCannotBeWritten) {
  const T expanded = made(bp_tensor_expand, tensor<float>({1}, {1}).get(), 1, Shape{3}.data());
  EXPECT_EQ(refused(bp_group_all_reduce, expanded.get(), BP_REDUCE_SUM).status,
            BP_INVALID_ARGUMENT);
}

TEST_F(Refusal, WhileAProgramIsRecorded) {
  Tensors inputs;
  inputs.push_back(same(t));
  ASSERT_EQ(begun(inputs).message, "");
  const Answer of_sum = refused(bp_group_all_reduce, t.get(), BP_REDUCE_SUM),
               of_split = refusal<G>(bp_group_split, g(), 0, 0),
               of_bytes = attempt(bp_group_broadcast_bytes, g(), static_cast<void*>(nullptr),
                                  uint64_t{0}, 0u);
  bp_program_abandon();
  EXPECT_EQ(bp_program_recording(), 0u);
  EXPECT_EQ(of_sum.status, BP_BAD_STATE);
  EXPECT_TRUE(of_sum.message.find("other processes take part in it") != std::string::npos)
      << of_sum.message;
  EXPECT_EQ(of_split.status, BP_BAD_STATE) << of_split.message;
  EXPECT_EQ(of_bytes.status, BP_BAD_STATE) << of_bytes.message;
}

// ---- joining ----

struct JoinRefusal : testing::Test {
  static Answer refused(const bp_group_desc& d) { return refusal<G>(bp_group_join, &d); }
  static void expect(const Answer& a, bp_status status, const std::string& sentence) {
    EXPECT_EQ(a.status, status) << a.message;
    EXPECT_EQ(a.message, sentence);
  }
};

TEST_F(JoinRefusal, OfFlagsAndTimes) {
  bp_group_desc d = joining(4);
  expect(refused(d), BP_INVALID_ARGUMENT, "desc.flags has bits that are not known: 0x4");
  d.flags = BP_GROUP_CHECK | BP_GROUP_NO_CHECK;
  expect(refused(d), BP_INVALID_ARGUMENT,
         "desc.flags has both BP_GROUP_CHECK and BP_GROUP_NO_CHECK");
  d = joining();
  d.timeout_ns = -1;
  expect(refused(d), BP_INVALID_ARGUMENT, "desc.timeout_ns is -1, expected 0 or more");
  d = joining();
  d.struct_size = 0;
  EXPECT_EQ(refused(d).status, BP_INVALID_ARGUMENT);
  expect(attempt(bp_group_join, static_cast<const bp_group_desc*>(nullptr),
                 static_cast<bp_group**>(nullptr)),
         BP_INVALID_ARGUMENT, "desc must not be NULL");
  d = joining();
  expect(attempt(bp_group_join, static_cast<const bp_group_desc*>(&d),
                 static_cast<bp_group**>(nullptr)),
         BP_INVALID_ARGUMENT, "out must not be NULL");
}

TEST_F(JoinRefusal, OfAKindThatIsNotThereOrConnectsNoProcesses) {
  bp_group_desc d = joining();
  d.kind = nullptr;
  expect(refused(d), BP_INVALID_ARGUMENT, "desc.kind must not be NULL");
  d.kind = "nowhere";
  EXPECT_EQ(refused(d).status, BP_UNAVAILABLE);
  d.kind = "";
  EXPECT_LT(refused(d).status, 0);
  d.kind = "two words";
  EXPECT_LT(refused(d).status, 0);
  d.kind = "cpu";
  expect(refused(d), BP_UNSUPPORTED,
         "the plugin of cpu connects no processes: it has no \"bp.group/1\"");
}

TEST_F(JoinRefusal, OfAKindThatTheProgramDoesNotAllow) {
  ASSERT_EQ(bp_shutdown(-1, nullptr), BP_OK);
  bp_init_desc init{};
  init.struct_size = sizeof init;
  init.allow = "cpu";
  ASSERT_EQ(bp_init(&init, nullptr), BP_OK);
  EXPECT_EQ(refused(joining()).status, BP_UNAVAILABLE);
  ASSERT_EQ(bp_shutdown(-1, nullptr), BP_OK);
}

TEST_F(JoinRefusal, TheKindHasNoDevices) {
  int32_t n = -1;
  const Answer a = attempt(bp_device_count, bp_device_kind(device("mpi")), &n);
  EXPECT_EQ(a.message, "");
  EXPECT_EQ(n, 0);
  const int64_t one = 1;
  EXPECT_LT(refusal(bp_tensor_ones, 1, &one, BP_F32, device("mpi:0")).status, 0);
}

}  // namespace
}  // namespace bp_test
