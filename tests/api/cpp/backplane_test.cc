// SPDX-License-Identifier: Apache-2.0
// The C++ binding: handles are given back exactly once, errors carry status and text, guards
// restore.
#include "backplane.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace bp = backplane;

namespace {

using Floats = std::vector<float>;

std::uint64_t live_blocks() { return bp::memory_stats("cpu").n_live; }

bp_status status_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const bp::Error& e) {
    return e.status();
  }
  return BP_OK;
}

TEST(CppTensor, GivesItsMemoryBackOnceAfterCopiesAndMoves) {
  const std::uint64_t before = live_blocks();
  {
    bp::Tensor a = bp::ones({100});
    bp::Tensor b = a;             // shares
    bp::Tensor c = std::move(a);  // hands over
    EXPECT_FALSE(
        a.defined());  // NOLINT(bugprone-use-after-move): what a moved-from tensor is, is the point
    EXPECT_TRUE(b.is(c));
    const bp::Tensor& alias = b;
    b = alias;
    c = std::move(b);
    b = c;
    bp::Tensor d;
    d = b.slice(0, 2, 5);
    EXPECT_TRUE(d.shares_storage(c));
    EXPECT_EQ(live_blocks(), before + 1);
    std::swap(b, d);
  }
  EXPECT_EQ(live_blocks(), before);
}

TEST(CppTensor, ReleasesWhatAVectorOfThemHolds) {
  const std::uint64_t before = live_blocks();
  std::vector<bp::Tensor> list;
  for (int i = 0; i < 20; ++i) list.push_back(bp::full({8}, i));
  list.erase(list.begin() + 3, list.begin() + 9);
  EXPECT_EQ(live_blocks(), before + 14);
  list.clear();
  EXPECT_EQ(live_blocks(), before);
}

TEST(CppTensor, HandsItsHandleOverOnRelease) {
  bp::Tensor a = bp::ones({2});
  bp_tensor* raw = a.release();
  EXPECT_FALSE(a.defined());
  EXPECT_EQ(bp_tensor_numel(raw), 2);
  const bp::Tensor b = bp::Tensor::adopt(raw);
  EXPECT_EQ(b.numel(), 2);
}

TEST(CppTensor, OfNothingIsAnErrorToUseAndFineToDrop) {
  const bp::Tensor none;
  EXPECT_EQ(none.rank(), -1);
  EXPECT_TRUE(none.shape().empty());
  EXPECT_EQ(status_of([&] { none.clone(); }), BP_INVALID_ARGUMENT);
  EXPECT_EQ(status_of([&] { none + 1; }), BP_INVALID_ARGUMENT);
}

TEST(CppTensor, ReadsAndWritesVectors) {
  bp::Tensor x = bp::tensor<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(x.shape(), (bp::Shape{2, 3}));
  EXPECT_EQ(x.size(-1), 3);
  EXPECT_EQ(x.t().read<float>(), (Floats{1, 4, 2, 5, 3, 6}));
  x.write<float>({6, 5, 4, 3, 2, 1});
  EXPECT_EQ(x[1].read<float>(), (Floats{3, 2, 1}));
  EXPECT_EQ(status_of([&] { x.read<double>(); }), BP_DTYPE_MISMATCH);
  EXPECT_EQ(status_of([&] { x.size(2); }), BP_INDEX_OUT_OF_RANGE);
  EXPECT_EQ(status_of([&] { bp::tensor<float>({1, 2, 3}, {2, 2}); }), BP_INVALID_ARGUMENT);
}

TEST(CppTensor, GivesOneElementAsANumber) {
  EXPECT_EQ(bp::full({}, 7).item<int>(), 7);
  EXPECT_EQ(bp::full({1, 1}, 2.5).item<double>(), 2.5);
  EXPECT_TRUE(bp::full({}, true).item<bool>());
  const std::vector<std::complex<float>> z{{1, -2}};
  EXPECT_EQ(bp::tensor(z).item<std::complex<float>>(), z[0]);
  EXPECT_EQ(status_of([] { bp::ones({2}).item<float>(); }), BP_INVALID_ARGUMENT);
}

TEST(CppTensor, BorrowsMemoryAndLetsItsOwnerGoWithTheLastView) {
  auto owner = std::make_shared<Floats>(Floats{1, 2, 3});
  const std::weak_ptr<Floats> watch = owner;
  bp::Tensor x = bp::borrow(owner->data(), {3}, owner);
  owner.reset();
  const bp::Tensor view = x.slice(0, 1);
  x = {};
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(view.read<float>(), (Floats{2, 3}));
  const_cast<bp::Tensor&>(view) = {};
  EXPECT_TRUE(watch.expired());
}

TEST(CppTensor, KeepsTheOwnerWhenBorrowingFails) {
  auto owner = std::make_shared<Floats>(3);
  EXPECT_NE(status_of([&] { bp::borrow(owner->data(), {-1}, owner); }), BP_OK);
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(CppTensor, IsItselfWhenToAsksForNothingNew) {
  const bp::Tensor x = bp::ones({2});
  EXPECT_TRUE(x.to("cpu").is(x));
  EXPECT_TRUE(x.to(BP_F32).is(x));
  EXPECT_FALSE(x.to("cpu", BP_F32, /*copy=*/true).is(x));
  EXPECT_EQ(x.to(BP_I64).dtype(), BP_I64);
}

TEST(CppOperators, TakeTensorsAndNumbersOnEitherSide) {
  const bp::Tensor x = bp::tensor<float>({1, 2, 4});
  EXPECT_EQ((x + x).read<float>(), (Floats{2, 4, 8}));
  EXPECT_EQ((8 / x - 1).read<float>(), (Floats{7, 3, 1}));
  EXPECT_EQ((-x * 2).read<float>(), (Floats{-2, -4, -8}));
  EXPECT_EQ((x % 3).read<float>(), (Floats{1, 2, 1}));
  EXPECT_EQ((x < 2).read<bool>(), (std::vector<bool>{true, false, false}));
  EXPECT_EQ((2 <= x).read<bool>(), (std::vector<bool>{false, true, true}));
  EXPECT_EQ(bp::eq(x, 4).read<bool>(), (std::vector<bool>{false, false, true}));
}

TEST(CppOperators, PromoteNumbersAsNumbers) {
  const bp::Tensor i = bp::tensor<std::int32_t>({1, 2});
  EXPECT_EQ((i + 1).dtype(), BP_I32);
  EXPECT_EQ((i + 1.5).dtype(), BP_F32);
  EXPECT_EQ((i / 2).dtype(), BP_F32);
  EXPECT_EQ(status_of([&] { i + UINT64_MAX; }), BP_INVALID_ARGUMENT);
}

TEST(CppOperators, WriteInPlace) {
  bp::Tensor x = bp::tensor<float>({1, 2});
  const bp::Tensor same = x;
  const std::uint64_t before = x.version();
  x += 1;
  x *= x;
  x -= 4.0;
  x /= 5;
  EXPECT_EQ(same.read<float>(), (Floats{0, 1}));
  EXPECT_EQ(same.version(), before + 4);
}

TEST(CppError, CarriesStatusNameAndText) {
  try {
    bp::matmul(bp::ones({2, 3}), bp::ones({4, 5}));
    FAIL() << "no error";
  } catch (const bp::Error& e) {
    EXPECT_EQ(e.status(), BP_INVALID_ARGUMENT);
    EXPECT_STREQ(e.status_name(), "BP_INVALID_ARGUMENT");
    EXPECT_NE(std::string(e.what()).find("mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"),
              std::string::npos)
        << e.what();
    EXPECT_EQ(e.flags(), 0U);
  }
}

TEST(CppError, LeavesNothingBehindWhenAnOpFails) {
  const std::uint64_t before = live_blocks();
  for (int i = 0; i < 10; ++i) EXPECT_NE(status_of([] { bp::ones({2}) + bp::ones({3}); }), BP_OK);
  EXPECT_EQ(live_blocks(), before);
}

TEST(CppDevice, ParsesPrintsAndCompares) {
  EXPECT_EQ(bp::Device("cuda:1").str(), "cuda:1");
  EXPECT_EQ(bp::Device("cuda:1").index(), 1);
  EXPECT_EQ(bp::Device("cpu").kind(), BP_KIND_CPU);
  EXPECT_EQ(bp::Device::parse("cuda:1"), bp::Device::make(BP_KIND_CUDA, 1));
  EXPECT_NE(bp::Device("cuda:1"), bp::Device("cuda:2"));
  EXPECT_EQ(status_of([] { bp::Device("cuda:-1"); }), BP_INVALID_ARGUMENT);
}

TEST(CppGuards, PutTheDefaultDeviceBack) {
  ASSERT_EQ(bp::default_device().str(), "cpu");
  {
    const bp::DefaultDeviceGuard outer("null:1");
    EXPECT_EQ(bp::default_device().str(), "null:1");
    {
      const bp::DeviceGuard inner("null:0");
      EXPECT_EQ(bp::empty({2}).device().str(), "null:0");
      EXPECT_EQ(bp::empty({2}, BP_F32, "cpu").device().str(), "cpu");
    }
    EXPECT_EQ(bp::empty({2}).device().str(), "null:1");
  }
  EXPECT_EQ(bp::empty({2}).device().str(), "cpu");
}

TEST(CppGuards, PutTheDeviceBackWhenAnExceptionPasses) {
  try {
    const bp::DeviceGuard guard("null:1");
    throw 1;
  } catch (int) {
  }
  EXPECT_EQ(bp::default_device().str(), "cpu");
}

TEST(CppGuards, SayWhatABareKindMeans) {
  const bp::CurrentDeviceGuard guard("null:1");
  EXPECT_EQ(bp::empty({1}, BP_F32, "null").device().str(), "null:1");
  EXPECT_EQ(bp::default_device().str(), "cpu");
}

TEST(CppRuntime, ListsDevicesCpuFirst) {
  const std::vector<bp::Device> all = bp::devices();
  ASSERT_GE(all.size(), 3U);  // the tests give null two devices
  EXPECT_EQ(all[0].kind(), BP_KIND_CPU);
  EXPECT_NE(std::string(bp::device_info(all[0]).name), "");
}

TEST(CppRuntime, ReportsTheCpuPluginAsReady) {
  bp::ones({1});
  bool ready = false;
  for (const bp::ReportEntry& e : bp::report())
    ready = ready || (e.kind == "cpu" && e.stage == BP_STAGE_READY);
  EXPECT_TRUE(ready);
}

TEST(CppRuntime, CountsWhatCrossesBetweenDevices) {
  const auto before = bp::transfers("cpu", "null:0");
  const bp::Tensor x = bp::ones({256}).to("null:0");
  const auto after = bp::transfers("cpu", "null:0");
  EXPECT_EQ(after.bytes - before.bytes, 1024U);
  EXPECT_EQ(after.n_copies - before.n_copies, 1U);
  EXPECT_EQ(x.cpu().read<float>(), Floats(256, 1.0F));
}

TEST(CppPrint, StreamsTensors) {
  std::ostringstream out;
  out << bp::tensor<float>({1, 2.5}) << ' ' << bp::Device("cpu");
  EXPECT_EQ(out.str(), "tensor([1.0000, 2.5000]) cpu");
}

TEST(CppOps, RunByNameWithAttributes) {
  const bp::Tensor x = bp::tensor<float>({3, 1, 2});
  const std::vector<bp::Tensor> top = bp::invoke(bp::find_op("topk"), {x}, {{"k", 2}}, 2);
  EXPECT_EQ(top[0].read<float>(), (Floats{3, 2}));
  EXPECT_EQ(top[1].read<std::int64_t>(), (std::vector<std::int64_t>{0, 2}));
  const std::vector<bp::Tensor> wide =
      bp::invoke(bp::find_op("sum"), {x}, {bp::Attr::dtype("dtype", BP_F64), {"keepdims", true}});
  EXPECT_EQ(wide[0].dtype(), BP_F64);
  EXPECT_EQ(wide[0].rank(), 1);
  EXPECT_EQ(status_of([] { bp::find_op("no_such_op"); }), BP_NOT_FOUND);
}

TEST(CppDlpack, GoesOutAndComesBack) {
  const bp::Tensor x = bp::full({4}, 3.0f);
  const bp::Tensor same = bp::from_dlpack(x.to_dlpack());
  EXPECT_TRUE(same.shares_storage(x));
  EXPECT_EQ(same.read<float>(), std::vector<float>(4, 3));
}

}  // namespace
