// SPDX-License-Identifier: Apache-2.0
// Convolutions through a vendor's library (fake_dnn.cc), by the code that opens and calls a card's.
#include "sim/fake.h"

namespace {

std::string option() { return "sim.dnn=" + Fake::file("dnn"); }

T counting(const Shape& shape, const char* where = "sim:0") {
  int64_t n = 1;
  for (int64_t s : shape) n *= s;
  std::vector<float> data;
  for (int64_t i = 0; i < n; ++i) data.push_back(static_cast<float>(i % 7) - 3);
  return tensor<float>(shape, data, device(where));
}

// Of steps of 2 with a padding of 1.
constexpr int64_t kTwo = 2, kOne = 1;
T convolved(const T& x, const T& w) {
  return made(bp_convolution, x.get(), w.get(), &kTwo, 1u, &kOne, 1u, nullptr, 0u, int64_t{1});
}
Answer refused(const T& x, const T& w) {
  return refusal(bp_convolution, x.get(), w.get(), &kTwo, 1u, &kOne, 1u, nullptr, 0u, int64_t{1});
}
const Shape kInput{2, 3, 6, 5}, kWeight{4, 3, 3, 2};
std::vector<float> wanted() {
  return values<float>(convolved(counting(kInput, "cpu"), counting(kWeight, "cpu")));
}

TEST(Dnn, ConvolvesAndKeepsWhatItChoseForTheNextCall) {
  const Fake fake("dnn");
  const int calls = fake.calls(), choices = fake.choices();
  {
    Session session(option());
    const T x = counting(kInput), w = counting(kWeight);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(values<float>(convolved(x, w)), wanted());
    EXPECT_EQ(fake.choices() - choices, 1);
    EXPECT_EQ(fake.calls() - calls, 3);
    EXPECT_EQ(fake.handles(), 1);
    EXPECT_EQ(fake.descriptors(), 4);
  }
  EXPECT_EQ(fake.handles(), 0) << "a handle was not given back";
  EXPECT_EQ(fake.descriptors(), 0) << "descriptors were not given back";
}

TEST(Dnn, ServesGradientsAndEveryDtype) {
  const Fake fake("dnn");
  const int before = fake.calls();
  Session session(option());
  constexpr int64_t kSizes[] = {6, 5}, kKernel[] = {3, 2};
  const auto results = [&](const char* where, bp_dtype t) {
    const T x = made(bp_cast, counting(kInput, where).get(), t),
            w = made(bp_cast, counting(kWeight, where).get(), t), y = convolved(x, w);
    const T dx = made(bp_convolution_input_grad, y.get(), w.get(), &kSizes[0], 2u, &kTwo, 1u, &kOne,
                      1u, nullptr, 0u, int64_t{1}),
            dw = made(bp_convolution_weight_grad, y.get(), x.get(), &kKernel[0], 2u, &kTwo, 1u,
                      &kOne, 1u, nullptr, 0u, int64_t{1});
    std::vector<double> numbers;
    for (const T* r : {&y, &dx, &dw})
      for (double v : values<double>(made(bp_cast, r->get(), BP_F64))) numbers.push_back(v);
    return numbers;
  };
  for (bp_dtype t : {BP_F16, BP_BF16, BP_F32, BP_F64})
    EXPECT_EQ(results("sim:0", t), results("cpu", t));
  EXPECT_EQ(fake.calls() - before, 4 * 3);
}

TEST(Dnn, KeepsThePlansOf64Convolutions) {
  const Fake fake("dnn");
  const int choices = fake.choices();
  Session session(option());
  const T w = counting({1, 1, 1, 1});
  const auto convolve = [&](int64_t size) {
    EXPECT_EQ(convolved(counting({1, 1, size, size}), w).get() != nullptr, true);
  };
  for (int64_t size = 1; size <= 70; ++size) convolve(size);
  EXPECT_EQ(fake.choices() - choices, 70);
  EXPECT_EQ(fake.descriptors(), 64 * 4);
  convolve(70);
  convolve(7);
  EXPECT_EQ(fake.choices() - choices, 70);
  convolve(6);  // was the last that gave way
  EXPECT_EQ(fake.choices() - choices, 71);
  EXPECT_EQ(fake.descriptors(), 64 * 4);
}

// 1 + 2^-12 has 13 significant bits.
TEST(Dnn, IsAsExactAsTheProgramWants) {
  Session session(option());
  const T x = tensor<float>({1, 1, 1, 1}, {1 + 0x1p-12f}, device("sim:0")),
          w = tensor<float>({1, 1, 1, 1}, {1}, device("sim:0"));
  const auto product = [&] {
    return values<float>(
        made(bp_convolution, x.get(), w.get(), nullptr, 0u, nullptr, 0u, nullptr, 0u, int64_t{1}));
  };
  EXPECT_EQ(product(), std::vector<float>{1 + 0x1p-12f});
  EXPECT_EQ(bp_set_matmul_precision(BP_PRECISION_HIGH, nullptr), BP_OK);
  EXPECT_EQ(product(), std::vector<float>{1});
  EXPECT_EQ(bp_set_matmul_precision(BP_PRECISION_HIGHEST, nullptr), BP_OK);
  EXPECT_EQ(product(), std::vector<float>{1 + 0x1p-12f});
}

TEST(DnnFailure, ToServeAConvolutionLeavesItToBuiltInKernels) {
  const Fake fake("dnn");
  Session session(option());
  const T x = counting(kInput), w = counting(kWeight);
  const int calls = fake.calls(), choices = fake.choices();
  fake.answer(3000);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(values<float>(convolved(x, w)), wanted());
  EXPECT_EQ(fake.choices() - choices, 1) << "it was asked again";
  EXPECT_EQ(fake.calls(), calls);
  EXPECT_EQ(fake.descriptors(), 0);
}

TEST(DnnFailure, ToStartLeavesAllConvolutionsOfTheStreamToBuiltInKernels) {
  const Fake fake("dnn");
  const int calls = fake.calls();
  Session session(option());
  fake.answer(1001);
  const T x = counting(kInput), w = counting(kWeight);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(values<float>(convolved(x, w)), wanted());
  EXPECT_EQ(fake.calls(), calls);
  EXPECT_EQ(fake.handles(), 0);
}

TEST(DnnFailure, OfAConvolutionIsAnErrorWithTheLibrarysWords) {
  const Fake fake("dnn");
  Session session(option());
  const T x = counting(kInput), w = counting(kWeight);
  EXPECT_EQ(values<float>(convolved(x, w)), wanted());
  fake.answer(5000);
  const Answer r = refused(x, w);
  EXPECT_EQ(r.status, BP_INTERNAL);
  EXPECT_TRUE(
      has(r.message, "sim: cudnnConvolutionForward failed: CUDNN_STATUS_EXECUTION_FAILED (5000)"))
      << r.message;
  fake.answer(4004);
  EXPECT_EQ(refused(x, w).status, BP_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(values<float>(convolved(x, w)), wanted());
}

TEST(DnnOption, NamesAFileThatIsOne) {
  const std::string file = std::string(FAKE_FOLDER) + "/libfake_cublas.so";
  Session session("sim.dnn=" + file);
  const std::string message =
      attempt(bp_kind_require, bp_device_kind(device("sim")), static_cast<int32_t*>(nullptr))
          .message;
  EXPECT_TRUE(has(message, "option dnn is \"" + file +
                               "\": a library for convolutions lacks the function cudnnCreate in " +
                               file))
      << message;
}

}  // namespace
