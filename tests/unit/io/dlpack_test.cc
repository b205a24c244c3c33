// SPDX-License-Identifier: Apache-2.0
// DLPack by the C API: what goes out is the tensor's memory with its layout, what comes in is kept
// until its last view is gone.
#include "core/io/dlpack.h"

#include <algorithm>
#include <complex>

#include "kit/invoke.h"
#include "kit/tensors.h"

using namespace bp_test;

namespace {

using Managed = DLManagedTensorVersioned;

Managed* exported(const T& t, uint32_t flags = 0) {
  Managed* m = nullptr;
  const Answer r = attempt(bp_tensor_to_dlpack, t.get(), flags, &m);
  EXPECT_EQ(r.status, BP_OK) << r.message;
  return m;
}
Answer refused(Managed& m) { return refusal(bp_tensor_from_dlpack, &m); }
// An array of another library: 2x3 floats, row-major, that counts how often it is deleted.
struct Theirs {
  alignas(8) float data[6] = {0, 1, 2, 3, 4, 5};
  int64_t shape[2] = {2, 3}, strides[2] = {3, 1};
  int n_deleted = 0;
  Managed managed{
      1,    3,
      this, [](Managed* m) { ++static_cast<Theirs*>(m->owner)->n_deleted; },
      0,    {data, {bp::dlpack::kCpu, 0}, 2, {bp::dlpack::kFloat, 32, 1}, shape, strides, 0}};
};

TEST(Dlpack, HandsOutMemoryAndLayoutWithoutACopy) {
  const T x = counting({2, 3}), view = made(bp_tensor_transpose, x.get(), 0, 1),
          row = made(bp_tensor_select, view.get(), 0, 1);
  Managed* m = exported(row, BP_DLPACK_COPIED);
  EXPECT_EQ(m->major, 1u);
  EXPECT_EQ(m->flags, +bp::dlpack::kCopied);
  EXPECT_EQ(m->array.rank, 1);
  EXPECT_EQ(m->array.shape[0], 2);
  EXPECT_EQ(m->array.strides[0], 3);
  EXPECT_EQ(static_cast<float*>(m->array.data)[3], 4);
  static_cast<float*>(m->array.data)[0] = 9;
  EXPECT_EQ(values<float>(row), (std::vector<float>{9, 4}));
  bp_dlpack_release(m);
  DLManagedTensor* old = nullptr;
  ASSERT_EQ(bp_tensor_to_dlpack_unversioned(x.get(), 0, &old, nullptr), BP_OK);
  EXPECT_EQ(old->array.rank, 2);
  bp_dlpack_release_unversioned(old);
  bp_dlpack_release(nullptr);
}

TEST(Dlpack, KeepsTheMemoryUntilItsDeleterIsCalled) {
  const uint64_t before = memory_of(kCpu).n_live;
  T x = counting({100});
  Managed* m = exported(x);
  x.reset();
  EXPECT_EQ(memory_of(kCpu).n_live, before + 1);
  EXPECT_EQ(static_cast<float*>(m->array.data)[99], 99);
  bp_dlpack_release(m);
  EXPECT_EQ(memory_of(kCpu).n_live, before);
}

TEST(Dlpack, KeepsWhatItWasThoughTheTensorGetsOtherData) {
  const T x = counting({3});
  Managed* m = exported(x);
  const T other = counting({5});
  ASSERT_EQ(attempt(bp_tensor_set_data, x.get(), other.get()).status, BP_OK);
  EXPECT_EQ(m->array.shape[0], 3);
  EXPECT_EQ(static_cast<float*>(m->array.data)[2], 2);
  bp_dlpack_release(m);
}

TEST(Dlpack, NamesEveryDtype) {
  const auto type = [](bp_dtype t) {
    const int64_t one = 1;
    Managed* m = exported(made(bp_tensor_zeros, 1, &one, t, kCpu));
    const bp::dlpack::Type said = m->array.type;
    EXPECT_EQ(bp_tensor_dtype(made(bp_tensor_from_dlpack, m).get()), t);
    return std::vector<int>{said.code, said.bits, said.lanes};
  };
  EXPECT_EQ(type(BP_BOOL), (std::vector<int>{6, 8, 1}));
  EXPECT_EQ(type(BP_U16), (std::vector<int>{1, 16, 1}));
  EXPECT_EQ(type(BP_I64), (std::vector<int>{0, 64, 1}));
  EXPECT_EQ(type(BP_F16), (std::vector<int>{2, 16, 1}));
  EXPECT_EQ(type(BP_BF16), (std::vector<int>{4, 16, 1}));
  EXPECT_EQ(type(BP_C128), (std::vector<int>{5, 128, 1}));
}

TEST(Dlpack, TakesOverMemoryAndDeletesItOnceWhenTheLastViewIsGone) {
  Theirs theirs;
  std::swap(theirs.shape[0], theirs.shape[1]);
  std::swap(theirs.strides[0], theirs.strides[1]);
  T x = made(bp_tensor_from_dlpack, &theirs.managed);
  EXPECT_EQ(shape_of(x), (Shape{3, 2}));
  EXPECT_EQ(values<float>(x), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  T view = made(bp_tensor_select, x.get(), 0, 2);
  theirs.data[5] = 7;
  x.reset();
  EXPECT_EQ(values<float>(view), (std::vector<float>{2, 7}));
  EXPECT_EQ(theirs.n_deleted, 0);
  view.reset();
  EXPECT_EQ(theirs.n_deleted, 1);
}

TEST(Dlpack, WithoutStridesIsRowMajorAndBeginsAtItsOffset) {
  Theirs theirs;
  theirs.managed.array.strides = nullptr;
  theirs.managed.array.offset_bytes = 4;
  theirs.shape[1] = 2;
  EXPECT_EQ(values<float>(made(bp_tensor_from_dlpack, &theirs.managed)),
            (std::vector<float>{1, 2, 3, 4}));
}

TEST(Dlpack, RefusesWhatItCannotTakeAndLeavesIt) {
  Theirs theirs;
  Managed& m = theirs.managed;
  const Managed good = m;
  const auto says = [&](bp_status status, const std::string& words) {
    const Answer r = refused(m);
    EXPECT_EQ(r.status, status) << r.message;
    EXPECT_NE(r.message.find(words), std::string::npos) << r.message;
    m = good;
  };
  m.major = 2;
  says(BP_UNSUPPORTED, "DLPack version 2.3 is not known");
  m.flags = bp::dlpack::kReadOnly;
  says(BP_UNSUPPORTED, "read-only");
  m.array.type = {bp::dlpack::kFloat, 32, 4};
  says(BP_UNSUPPORTED, "code 2, 32 bits and 4 lanes");
  m.array.device.type = 99;
  says(BP_UNSUPPORTED, "device type 99");
  m.array.device = {bp::dlpack::kExtension, 0};
  says(BP_INVALID_ARGUMENT, "no memory of an extension device");
  m.array.offset_bytes = 2;
  says(BP_UNSUPPORTED, "not aligned to its elements, float32");
  m.array.rank = 65;
  says(BP_UNSUPPORTED, "65 dimensions");
  m.array.data = nullptr;
  says(BP_INVALID_ARGUMENT, "NULL");
  EXPECT_EQ(theirs.n_deleted, 0);
}

TEST(Dlpack, HandsOutNoTensorThatRequiresAGradient) {
  const T x = counting({3});
  ASSERT_EQ(bp_tensor_set_requires_grad(x.get(), 1, nullptr), BP_OK);
  Managed* m = nullptr;
  const Answer r = attempt(bp_tensor_to_dlpack, x.get(), 0u, &m);
  EXPECT_EQ(r.status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(r.message, "Can't export tensors that require gradient, use tensor.detach()");
  EXPECT_EQ(attempt(bp_tensor_to_dlpack, made(bp_tensor_detach, x.get()).get(), 8u, &m).status,
            BP_INVALID_ARGUMENT);
  EXPECT_EQ(m, nullptr);
}

TEST(Dlpack, ComesBackAsTheTensorItWas) {
  const T x = counting({2, 3});
  T same = made(bp_tensor_from_dlpack, exported(x));
  EXPECT_TRUE(bp_tensor_same_storage(x.get(), same.get()));
  const uint64_t version = bp_tensor_version(x.get());
  const bp_value two = number(2.0);
  ASSERT_EQ(bp_tensor_fill_(same.get(), &two, nullptr), BP_OK);
  EXPECT_EQ(bp_tensor_version(x.get()), version + 1);
}

TEST(Dlpack, OfASimulatedDeviceIsAnExtensionAndIsTakenOverThere) {
  const T x = counting({2, 3}, device("sim:1")), elsewhere = counting({2, 3}, device("sim:2"));
  int32_t type = 0, id = 0;
  ASSERT_EQ(bp_tensor_dlpack_device(x.get(), &type, &id, nullptr), BP_OK);
  EXPECT_EQ(type, +bp::dlpack::kExtension);
  EXPECT_EQ(id, 1);
  const T row = made(bp_tensor_select, x.get(), 0, 1);
  Managed* m = exported(row);
  Theirs theirs;  // another library's array over the same memory
  theirs.managed.array = m->array;
  {
    const T taken = made(bp_tensor_from_dlpack, &theirs.managed);
    EXPECT_FALSE(bp_tensor_same_storage(x.get(), taken.get()));
    EXPECT_EQ(bp_tensor_device(taken.get()), device("sim:1"));
    const T sum = made(bp_add, taken.get(), row.get());
    EXPECT_EQ(values<float>(sum), (std::vector<float>{6, 8, 10}));
    const bp_value nine = number(9.0);
    ASSERT_EQ(bp_tensor_fill_(taken.get(), &nine, nullptr), BP_OK);
  }
  EXPECT_EQ(theirs.n_deleted, 1);  // and what was queued came before
  EXPECT_EQ(values<float>(x), (std::vector<float>{0, 1, 2, 9, 9, 9}));
  theirs.managed.array.device.id = 2;
  EXPECT_EQ(refused(theirs.managed).status, BP_INVALID_ARGUMENT);  // another device's address
  bp_dlpack_release(m);
}

}  // namespace
