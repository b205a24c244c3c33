// SPDX-License-Identifier: Apache-2.0
// Products of matrices through a vendor's BLAS (fake_blas.cc), by the code that opens and calls a
// card's.
#include <cmath>

#include "sim/fake.h"
#include "sim/operands.h"

namespace {

T noise(const Shape& shape, bp_device where, bp_dtype dtype = BP_F32) {
  int64_t n = 1;
  for (int64_t s : shape) n *= s;
  std::vector<float> data;
  for (int64_t i = 0; i < n; ++i)
    data.push_back(std::round(std::sin(static_cast<float>(i) * 12.9898f) * 8));
  data.reserve(1);
  const T t = tensor<float>(shape, data, where);
  return made(bp_cast, t.get(), dtype);
}
// Operands as the device sees them.
Make of(const Shape& shape, bp_dtype dtype = BP_F32) {
  return [=](bp_device where) { return noise(shape, where, dtype); };
}
Make flipped(const Make& m) {
  static constexpr int64_t kFirst[] = {0};
  return view(m, bp_tensor_flip, &kFirst[0], 1u);
}
Make strided(const Shape& shape, const Shape& strides) {
  return [=](bp_device where) {
    return made(bp_tensor_as_strided, noise({20}, where).get(), int32_t{2}, shape.data(),
                strides.data(), int64_t{0});
  };
}

struct Row {
  const char* name;
  int calls;  // that the product takes; 0: the tree's own kernel
  Make a, b;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const Row kRows[] = {
    {"Matrices", 1, of({2, 3}), of({3, 4})},
    {"MatricesOfF16", 1, of({2, 3}, BP_F16), of({3, 4}, BP_F16)},
    {"MatricesOfBF16", 1, of({2, 3}, BP_BF16), of({3, 4}, BP_BF16)},
    {"MatricesOfF64", 1, of({2, 3}, BP_F64), of({3, 4}, BP_F64)},
    {"MatricesOfI32", 0, of({2, 3}, BP_I32), of({3, 4}, BP_I32)},
    {"Transposed", 1, turned(of({3, 5})), turned(of({4, 3}))},
    {"PaddedRows", 1, five_from_2(1, of({4, 9})), five_from_2(0, turned(of({4, 9})))},
    {"AVectorFirst", 1, of({3}), of({3, 4})},
    {"AVectorLast", 1, of({2, 3}), of({3})},
    {"Vectors", 1, of({7}), every(2, 0, of({14}))},
    {"ASpreadVectorLast", 1, of({2, 3}), every(3, 0, of({9}))},
    {"ASpreadVectorFirst", 1, every(3, 0, of({9})), of({3, 4})},
    {"OneRowEach", 1, of({1, 3}), of({3, 1})},
    {"KOne", 1, of({2, 1}), of({1, 3})},
    {"KNone", 0, of({2, 0}), of({0, 3})},
    {"NoRows", 0, of({0, 2}), of({2, 3})},
    {"Batches", 1, of({3, 2, 3}), of({3, 3, 4})},
    {"BatchesTimesOne", 1, of({5, 2, 3}), of({3, 4})},
    {"SpreadBatchesTimesOne", 1, every(2, 0, of({6, 2, 3})), of({3, 4})},
    {"OneTimesBatches", 1, of({2, 3}), of({5, 3, 4})},
    {"TransposedBatches", 1, turned(of({3, 3, 2})), turned(of({3, 4, 3}))},
    {"NestedBatches", 3, of({5, 1, 2, 3}), of({1, 3, 3, 4})},
    {"ManyNestedBatches", 0, of({20, 1, 2, 3}), of({1, 20, 3, 4})},
    {"StridesApart", 0, every(2, 1, of({4, 6})), of({3, 4})},
    {"FlippedRows", 0, flipped(of({4, 3})), of({3, 4})},
    {"FlippedBatches", 0, flipped(of({3, 2, 3})), of({3, 3, 4})},
    {"SlidingWindowsFirst", 0, strided({4, 3}, {1, 2}), of({3, 4})},
    {"SlidingWindowsLast", 0, of({2, 3}), strided({3, 4}, {2, 1})},
    {"ARowRepeated", 0, strided({4, 3}, {0, 1}), of({3, 4})},
    {"AColumnRepeated", 0, of({2, 4}), strided({4, 3}, {1, 0})},
};

class Blas : public testing::TestWithParam<Row> {};

TEST_P(Blas, IsCalledWhereItsInterfaceReachesAndComputesTheSame) {
  const Row& row = GetParam();
  std::vector<double> own;
  {
    Session session;
    own = numbers(made(bp_matmul, row.a(device("sim:0")).get(), row.b(device("sim:0")).get()));
  }
  const Fake fake("cublas");
  const int before = fake.calls();
  {
    Session session("sim.blas=" + Fake::file("cublas"));
    EXPECT_EQ(numbers(made(bp_matmul, row.a(device("sim:0")).get(), row.b(device("sim:0")).get())),
              own);
  }
  EXPECT_EQ(fake.calls() - before, row.calls);
  EXPECT_EQ(fake.handles(), 0) << "a handle was not given back";
}
INSTANTIATE_TEST_SUITE_P(Of, Blas, testing::ValuesIn(kRows),
                         [](const auto& info) { return info.param.name; });

TEST(BlasOutput, MayBeTransposedOrPaddedButNotSpread) {
  const Fake fake("cublas");
  Session session("sim.blas=" + Fake::file("cublas"));
  const bp_device where = device("sim:0");
  const T a = noise({2, 3}, where), b = noise({3, 5}, where);
  const std::vector<float> wanted = values<float>(made(bp_matmul, a.get(), b.get()));
  const Make outputs[] = {turned(of({5, 2})), five_from_2(1, of({2, 8})), every(2, 1, of({2, 10}))};
  const int calls[] = {1, 1, 0};
  for (int i = 0; i < 3; ++i) {
    const T out = outputs[i](where);
    const int before = fake.calls();
    EXPECT_EQ(attempt(bp_matmul_into, a.get(), b.get(), out.get()).status, BP_OK);
    EXPECT_EQ(values<float>(out), wanted);
    EXPECT_EQ(fake.calls() - before, calls[i]) << i;
  }
}

class Libraries : public testing::TestWithParam<const char*> {};
TEST_P(Libraries, OfEachVendorMultiplyEveryDtype) {
  const Fake fake(GetParam());
  const int before = fake.calls();
  Session session("sim.blas=" + Fake::file(GetParam()));
  for (bp_dtype t : {BP_F16, BP_BF16, BP_F32, BP_F64}) {
    const T c = made(bp_matmul, noise({2, 3}, device("sim:0"), t).get(),
                     noise({3, 4}, device("sim:0"), t).get());
    const T wanted = made(bp_matmul, noise({2, 3}, kCpu, t).get(), noise({3, 4}, kCpu, t).get());
    EXPECT_EQ(numbers(c), numbers(wanted));
  }
  EXPECT_EQ(fake.calls() - before, 4);
}
INSTANTIATE_TEST_SUITE_P(, Libraries,
                         testing::Values("cublas", "hipblas1", "hipblas2", "hipblas3"));

// A convolution is composed of products where a BLAS makes up for the windows that are written.
TEST(BlasConvolution, IsAProductWhereThatIsBetter) {
  const Fake fake("cublas");
  Session session("sim.blas=" + Fake::file("cublas"));
  const auto products = [&](bp_dtype t, const Shape& weight, int64_t groups) {
    const Shape input{1, 9, 5, 5};
    const auto convolved = [&](bp_device where) {
      return numbers(made(bp_convolution, noise(input, where, t).get(),
                          noise(weight, where, t).get(), nullptr, 0u, nullptr, 0u, nullptr, 0u,
                          groups));
    };
    const int before = fake.calls();
    EXPECT_EQ(convolved(device("sim:0")), convolved(kCpu));
    return fake.calls() - before;
  };
  EXPECT_EQ(products(BP_F32, {9, 9, 3, 3}, 1), 0);
  EXPECT_EQ(products(BP_F16, {9, 9, 3, 3}, 1), 1);
  EXPECT_EQ(products(BP_F16, {9, 1, 3, 3}, 9), 0) << "of one channel each";
  EXPECT_EQ(products(BP_F32, {9, 9, 1, 1}, 1), 1) << "a kernel of one place";
  EXPECT_EQ(bp_set_matmul_precision(BP_PRECISION_HIGH, nullptr), BP_OK);
  EXPECT_EQ(products(BP_F32, {9, 9, 3, 3}, 1), 1);
  EXPECT_EQ(bp_set_matmul_precision(BP_PRECISION_HIGHEST, nullptr), BP_OK);
}

// 1 + 2^-9 has 10 significant bits, 1 + 2^-12 has 13.
TEST(BlasPrecision, IsFullUntilTheProgramGivesItUp) {
  Session session("sim.blas=" + Fake::file("cublas"));
  const bp_device where = device("sim:0");
  const T one = tensor<float>({1, 1}, {1}, where),
          a = tensor<float>({2, 1}, {1 + 0x1p-9f, 1 + 0x1p-12f}, where);
  const auto product = [&] { return values<float>(made(bp_matmul, a.get(), one.get())); };
  const std::vector<float> all = {1 + 0x1p-9f, 1 + 0x1p-12f};
  EXPECT_EQ(product(), all);
  EXPECT_EQ(bp_set_matmul_precision(BP_PRECISION_HIGH, nullptr), BP_OK);
  EXPECT_EQ(product(), (std::vector<float>{1 + 0x1p-9f, 1}));
  EXPECT_EQ(values<double>(made(bp_matmul, made(bp_cast, a.get(), BP_F64).get(),
                                made(bp_cast, one.get(), BP_F64).get())),
            (std::vector<double>{1 + 0x1p-9, 1 + 0x1p-12}));
  EXPECT_EQ(bp_set_matmul_precision(BP_PRECISION_MEDIUM, nullptr), BP_OK);
  EXPECT_EQ(product(), (std::vector<float>{1, 1}));
  // The long path of a call.
  const T batch = made(bp_tensor_view, a.get(), int32_t{3}, Shape{1, 2, 1}.data());
  EXPECT_EQ(values<float>(made(bp_matmul, batch.get(), one.get())), (std::vector<float>{1, 1}));
  EXPECT_EQ(bp_set_matmul_precision(BP_PRECISION_HIGHEST, nullptr), BP_OK);
  EXPECT_EQ(product(), all);
}

TEST(BlasFailure, OfAProductIsAnErrorWithTheLibrarysWords) {
  const Fake fake("cublas");
  Session session("sim.blas=" + Fake::file("cublas"));
  const T a = noise({2, 2}, device("sim:0"));
  fake.answer(13);
  const Answer r = refusal(bp_matmul, a.get(), a.get());
  EXPECT_EQ(r.status, BP_INTERNAL);
  EXPECT_TRUE(has(r.message, "sim: cublasGemmStridedBatchedEx failed: execution failed (13)"))
      << r.message;
  fake.answer(3);
  EXPECT_EQ(refusal(bp_matmul, a.get(), a.get()).status, BP_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(values<float>(made(bp_matmul, a.get(), a.get())).size(), 4u);
}

TEST(BlasFailure, ToServeAProductLeavesItToTheOwnKernel) {
  const Fake fake("cublas");
  Session session("sim.blas=" + Fake::file("cublas"));
  const T a = noise({2, 2}, device("sim:0"));
  const std::vector<float> wanted = values<float>(made(bp_matmul, a.get(), a.get()));
  for (int status : {8, 15}) {
    fake.answer(status);
    EXPECT_EQ(values<float>(made(bp_matmul, a.get(), a.get())), wanted);
  }
  // Rounded inputs that it does not serve are asked for again in full.
  EXPECT_EQ(bp_set_matmul_precision(BP_PRECISION_HIGH, nullptr), BP_OK);
  fake.answer(15);
  const int before = fake.calls();
  EXPECT_EQ(values<float>(made(bp_matmul, a.get(), a.get())), wanted);
  EXPECT_EQ(fake.calls() - before, 2);
}

TEST(BlasFailure, ToStartLeavesAllProductsOfTheStreamToTheOwnKernel) {
  const Fake fake("cublas");
  const int before = fake.calls();
  fake.answer(1);
  {
    Session session("sim.blas=" + Fake::file("cublas"));
    const T a = noise({2, 2}, device("sim:0"));
    const std::vector<float> wanted =
        values<float>(made(bp_matmul, noise({2, 2}, kCpu).get(), noise({2, 2}, kCpu).get()));
    EXPECT_EQ(values<float>(made(bp_matmul, a.get(), a.get())), wanted);
    fake.answer(0);
    EXPECT_EQ(values<float>(made(bp_matmul, a.get(), a.get())), wanted);
  }
  EXPECT_EQ(fake.calls(), before);
}

TEST(BlasFailure, OfALaunchIsAnError) {
  Session session("sim.fail_launch=1;sim.blas=" + Fake::file("cublas"));
  const T a = tensor<float>({1, 1}, {2}, device("sim:0"));
  EXPECT_TRUE(has(refusal(bp_matmul, a.get(), a.get()).message, "execution failed"));
  EXPECT_EQ(values<float>(made(bp_matmul, a.get(), a.get())), std::vector<float>{4});
}

std::string cause_of_refusal(const std::string& blas) {
  Session session("sim.blas=" + blas);
  return attempt(bp_kind_require, bp_device_kind(device("sim")), static_cast<int32_t*>(nullptr))
      .message;
}

TEST(BlasOption, NamesAFileThatIsOne) {
  const auto expect = [](const std::string& blas, const std::string& words) {
    const std::string message = cause_of_refusal(blas);
    EXPECT_TRUE(has(message, "option blas is \"" + blas + "\": a BLAS " + words)) << message;
  };
  expect("/nowhere/libblas.so",
         "cannot be opened: /nowhere/libblas.so: cannot open shared object file");
  expect(FAKE_FOLDER, std::string("is not in ") + FAKE_FOLDER);
  expect(Fake::file("incomplete"),
         "lacks the function cublasSetStream_v2 in " + Fake::file("incomplete"));
  expect("libm.so.6", "is not what libm.so.6 is");
}

TEST(BlasOption, ShowsInTheDevicesDriver) {
  for (const auto& [blas, words] :
       {std::pair("cublas", "cuBLAS 1.2, host"), std::pair("hipblas3", "hipBLAS, host")}) {
    Session session("sim.blas=" + Fake::file(blas));
    const bp_device_info info = info_of(device("sim:0"));
    EXPECT_TRUE(has(info.driver, words)) << info.driver;
  }
}

}  // namespace
