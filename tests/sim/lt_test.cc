// SPDX-License-Identifier: Apache-2.0
// Products with a bias and an activation behind them, and products of bytes, through cuBLASLt
// (fake_lt.cc), by the code that opens and calls a card's.
#include <cmath>
#include <limits>

#include "kit/programs.h"
#include "sim/fake.h"
#include "sim/operands.h"

namespace {

std::string option() { return "sim.lt=" + Fake::file("lt"); }

T counting(const Shape& shape, bp_device where, bp_dtype dtype = BP_F32) {
  int64_t n = 1;
  for (int64_t s : shape) n *= s;
  std::vector<float> data;
  for (int64_t i = 0; i < n; ++i) data.push_back(static_cast<float>(i * 5 % 7) - 3);
  return made(bp_cast, tensor<float>(shape, data, where).get(), dtype);
}

T linear(const T& x, const T& w, const T& bias, const char* activation = "none") {
  return made(bp_linear, x.get(), w.get(), bias.get(), activation);
}

Make of(const Shape& shape, bp_dtype dtype = BP_F32) {
  return [=](bp_device where) { return counting(shape, where, dtype); };
}
Make none() {
  return [](bp_device) { return T(); };
}

struct Row {
  const char* name;
  int calls;  // that the library takes
  Make x, weight, bias;
  const char* activation = "none";
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const Row kRows[] = {
    {"OfF32", 1, of({5, 7}), of({4, 7}), of({4})},
    {"OfF16", 1, of({5, 7}, BP_F16), of({4, 7}, BP_F16), of({4}, BP_F16)},
    {"OfBf16", 1, of({5, 7}, BP_BF16), of({4, 7}, BP_BF16), of({4}, BP_BF16)},
    {"OfF64", 0, of({5, 7}, BP_F64), of({4, 7}, BP_F64), of({4}, BP_F64)},
    {"OfI32", 0, of({5, 7}, BP_I32), of({4, 7}, BP_I32), of({4}, BP_I32)},
    {"OfARow", 1, of({7}), of({4, 7}), of({4})},
    {"OfRowsOfRows", 1, of({2, 3, 7}), of({4, 7}), of({4})},
    {"OfABatchApart", 1, every(2, 0, of({4, 3, 7})), of({4, 7}), of({4})},
    {"OfNestedBatchesApart", 0, every(2, 0, of({4, 3, 2, 7})), every(2, 0, of({8, 7})),
     every(2, 0, of({8}))},
    {"OfPaddedRows", 1, five_from_2(1, of({5, 9})), five_from_2(1, of({4, 9})), of({4})},
    {"OfATurnedInput", 1, turned(of({7, 5})), of({4, 7}), of({4})},
    {"OfATurnedWeight", 1, of({5, 7}), turned(of({7, 4})), of({4})},
    {"OfABiasApart", 0, of({5, 7}), of({4, 7}), every(2, 0, of({8}))},
    {"OfOneColumn", 1, of({5, 7}), of({1, 7}), of({1})},
    {"OfNoSums", 0, of({5, 0}), of({4, 0}), of({4})},
    {"WithNothingBehind", 0, of({5, 7}), of({4, 7}), none()},
    {"WithARelu", 1, of({5, 7}), of({4, 7}), of({4}), "relu"},
    {"WithAReluAlone", 1, of({5, 7}), of({4, 7}), none(), "relu"},
};

class Lt : public testing::TestWithParam<Row> {};

TEST_P(Lt, IsCalledWhereItsInterfaceReachesAndComputesTheSame) {
  const Row& row = GetParam();
  const auto result = [&](bp_device where) {
    return numbers(linear(row.x(where), row.weight(where), row.bias(where), row.activation));
  };
  std::vector<double> own;
  {
    Session session;
    own = result(device("sim:0"));
    EXPECT_EQ(own, result(kCpu));
  }
  const Fake fake("lt");
  const int before = fake.calls();
  {
    Session session(option() + ";sim.lt_relu=1");
    EXPECT_EQ(result(device("sim:0")), own);
  }
  EXPECT_EQ(fake.calls() - before, row.calls);
  EXPECT_EQ(fake.handles(), 0) << "a handle was not given back";
  EXPECT_EQ(fake.descriptors(), 0) << "descriptors were not given back";
}
INSTANTIATE_TEST_SUITE_P(Serves, Lt, testing::ValuesIn(kRows),
                         [](const auto& info) { return info.param.name; });

struct Bytes {
  const char* name;
  int calls;
  Make a, b;
};
void PrintTo(const Bytes& row, std::ostream* out) { *out << row.name; }

const Bytes kBytes[] = {
    {"TimesAWeight", 1, of({33, 36}, BP_I8), turned(of({40, 36}, BP_I8))},
    {"OfATallProduct", 1, of({2, 40, 32}, BP_I8), turned(of({32, 32}, BP_I8))},
    {"InBatches", 1, of({3, 40, 32}, BP_I8), turned(of({3, 36, 32}, BP_I8))},
    {"AsTheyLie", 0, of({33, 36}, BP_I8), of({36, 40}, BP_I8)},
    {"OfSumsOfOddLength", 0, of({33, 35}, BP_I8), turned(of({40, 35}, BP_I8))},
    {"TooFew", 0, of({8, 36}, BP_I8), turned(of({40, 36}, BP_I8))},
};
class LtBytes : public testing::TestWithParam<Bytes> {};
TEST_P(LtBytes, AreSummedInWordsAndWrap) {
  const Bytes& row = GetParam();
  const auto result = [&](bp_device where) {
    return values<int8_t>(made(bp_matmul, row.a(where).get(), row.b(where).get()));
  };
  const Fake fake("lt");
  Session session(option());
  const int before = fake.calls();
  EXPECT_EQ(result(device("sim:0")), result(kCpu));
  EXPECT_EQ(fake.calls() - before, row.calls);
}
INSTANTIATE_TEST_SUITE_P(Of, LtBytes, testing::ValuesIn(kBytes),
                         [](const auto& info) { return info.param.name; });

TEST(LtBytesOutput, MayLieInAnyWay) {
  const Fake fake("lt");
  Session session(option());
  const bp_device where = device("sim:0");
  const T a = counting({33, 36}, where, BP_I8), b = turned(of({40, 36}, BP_I8))(where);
  const std::vector<int8_t> wanted = values<int8_t>(made(bp_matmul, a.get(), b.get()));
  const int before = fake.calls();
  for (const Make& m : {turned(of({40, 33}, BP_I8)), every(2, 1, of({33, 80}, BP_I8))}) {
    const T out = m(where);
    EXPECT_EQ(attempt(bp_matmul_into, a.get(), b.get(), out.get()).message, "");
    EXPECT_EQ(values<int8_t>(out), wanted);
  }
  EXPECT_EQ(fake.calls() - before, 2);
}

TEST(LtOutput, MayBePaddedButNotTurnedOrSpread) {
  const Fake fake("lt");
  Session session(option());
  const bp_device where = device("sim:0");
  const T x = counting({2, 7}, where), w = counting({5, 7}, where), bias = counting({5}, where);
  const std::vector<float> wanted = values<float>(linear(x, w, bias));
  const Make outputs[] = {five_from_2(1, of({2, 8})), turned(of({5, 2})), every(2, 1, of({2, 10}))};
  const int calls[] = {1, 0, 0};
  for (int i = 0; i < 3; ++i) {
    const T out = outputs[i](where);
    const int before = fake.calls();
    EXPECT_EQ(attempt(bp_linear_into, x.get(), w.get(), bias.get(), "none", out.get()).status,
              BP_OK);
    EXPECT_EQ(values<float>(out), wanted);
    EXPECT_EQ(fake.calls() - before, calls[i]) << i;
  }
}

// A plan is of sizes, strides and what pointers are aligned to.
TEST(LtPlans, AreKeptForTheNextCallOfTheSameKind) {
  const Fake fake("lt");
  Session session(option());
  const bp_device where = device("sim:0");
  const int calls = fake.calls(), choices = fake.choices();
  const T w = counting({4, 7}, where), bias = counting({4}, where), rows = counting({6, 7}, where),
          x = made(bp_tensor_narrow, rows.get(), int64_t{0}, int64_t{0}, int64_t{5}),
          later = made(bp_tensor_narrow, rows.get(), int64_t{0}, int64_t{1}, int64_t{5});
  const T others[] = {counting({5, 7}, where), counting({4}, where)};
  const auto expect_right = [&](const T& of_x, const T& of_bias) {
    const T turned_w = made(bp_tensor_transpose, w.get(), int64_t{0}, int64_t{1}),
            sums = made(bp_matmul, of_x.get(), turned_w.get());
    EXPECT_EQ(numbers(linear(of_x, w, of_bias)), numbers(add(sums, of_bias)));
  };
  for (int i = 0; i < 3; ++i) expect_right(x, bias);
  expect_right(others[0], others[1]);
  EXPECT_EQ(fake.choices() - choices, 1);
  EXPECT_EQ(fake.calls() - calls, 4);
  EXPECT_EQ(fake.handles(), 1);
  EXPECT_EQ(fake.descriptors(), 4);
  expect_right(later, bias);  // 28 bytes further on
  EXPECT_EQ(fake.choices() - choices, 2);
}

TEST(LtPlans, AreOf64Products) {
  const Fake fake("lt");
  Session session(option());
  const bp_device where = device("sim:0");
  const int choices = fake.choices();
  const T w = counting({4, 4}, where), bias = counting({4}, where);
  const auto multiply = [&](int64_t rows) {
    EXPECT_TRUE(linear(counting({rows, 4}, where), w, bias));
  };
  for (int64_t rows = 1; rows <= 70; ++rows) multiply(rows);
  EXPECT_EQ(fake.choices() - choices, 70);
  EXPECT_EQ(fake.descriptors(), 64 * 4);
  multiply(70);
  multiply(7);
  EXPECT_EQ(fake.choices() - choices, 70);
  multiply(6);  // was the last that gave way
  EXPECT_EQ(fake.choices() - choices, 71);
  EXPECT_EQ(fake.descriptors(), 64 * 4);
}

// 1 + 2^-9 has 10 significant bits, 1 + 2^-12 has 13.
TEST(LtPrecision, IsFullUntilTheProgramGivesItUp) {
  Session session(option());
  const bp_device where = device("sim:0");
  const T one = tensor<float>({1, 1}, {1}, where), bias = tensor<float>({1}, {0}, where),
          x = tensor<float>({2, 1}, {1 + 0x1p-9f, 1 + 0x1p-12f}, where);
  const auto product = [&] { return values<float>(linear(x, one, bias)); };
  const std::vector<float> all = {1 + 0x1p-9f, 1 + 0x1p-12f};
  EXPECT_EQ(product(), all);
  EXPECT_EQ(bp_set_matmul_precision(BP_PRECISION_HIGH, nullptr), BP_OK);
  EXPECT_EQ(product(), (std::vector<float>{1 + 0x1p-9f, 1}));
  EXPECT_EQ(bp_set_matmul_precision(BP_PRECISION_MEDIUM, nullptr), BP_OK);
  EXPECT_EQ(product(), (std::vector<float>{1, 1}));
  EXPECT_EQ(bp_set_matmul_precision(BP_PRECISION_HIGHEST, nullptr), BP_OK);
  EXPECT_EQ(product(), all);
}

// Its maker says nothing of NaN there.
TEST(LtRelu, IsTheLibrarysOnlyWhereThatIsAskedFor) {
  const Fake fake("lt");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Session session(option());
  const bp_device where = device("sim:0");
  const int before = fake.calls();
  const T x = tensor<float>({3, 1}, {nan, -1, 2}, where), w = tensor<float>({1, 1}, {1}, where);
  const std::vector<float> y = values<float>(linear(x, w, tensor<float>({1}, {0}, where), "relu"));
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], 0);
  EXPECT_EQ(y[2], 2);
  EXPECT_EQ(fake.calls(), before);
}

struct Operands {
  T x = counting({5, 7}, device("sim:0")), w = counting({4, 7}, device("sim:0")),
    bias = counting({4}, device("sim:0"));
  std::vector<double> product() const { return numbers(linear(x, w, bias)); }
  static std::vector<double> wanted() {
    return numbers(linear(counting({5, 7}, kCpu), counting({4, 7}, kCpu), counting({4}, kCpu)));
  }
};

TEST(LtFailure, ToServeAProductLeavesItToBuiltInKernels) {
  const Fake fake("lt");
  Session session(option());
  const Operands of;
  const int calls = fake.calls(), choices = fake.choices();
  fake.answer(15);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(of.product(), Operands::wanted());
  EXPECT_EQ(fake.choices() - choices, 1) << "it was asked again";
  EXPECT_EQ(fake.calls(), calls);
  EXPECT_EQ(fake.descriptors(), 0);
}

TEST(LtFailure, ToStartLeavesAllProductsOfTheStreamToBuiltInKernels) {
  const Fake fake("lt");
  const int calls = fake.calls();
  Session session(option());
  fake.answer(1);
  const Operands of;
  for (int i = 0; i < 2; ++i) EXPECT_EQ(of.product(), Operands::wanted());
  EXPECT_EQ(fake.calls(), calls);
  EXPECT_EQ(fake.handles(), 0);
}

TEST(LtFailure, OfAProductIsAnErrorWithTheLibrarysWords) {
  const Fake fake("lt");
  Session session(option());
  const Operands of;
  EXPECT_EQ(of.product(), Operands::wanted());
  const auto refused = [&](int status) {
    fake.answer(status);
    return refusal(bp_linear, of.x.get(), of.w.get(), of.bias.get(), "none");
  };
  const Answer r = refused(13);
  EXPECT_EQ(r.status, BP_INTERNAL);
  EXPECT_TRUE(has(r.message, "sim: cublasLtMatmul failed: CUBLAS_STATUS_EXECUTION_FAILED (13)"))
      << r.message;
  EXPECT_EQ(refused(3).status, BP_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(of.product(), Operands::wanted());
}

// ---- a program's ReLU that becomes part of the product before it ----

struct Joined {
  const char* name;
  uint32_t joined;
  // x [5, 4] is an input, w [4, 4] and bias [4] are held.
  std::function<Tensors(const T& x, const T& w, const T& bias)> work;
};
void PrintTo(const Joined& row, std::ostream* out) { *out << row.name; }

T relu(const T& x) { return op(BP_OP_RELU, {value(x)}); }
void relu_into(const T& x, const T& out) {
  EXPECT_EQ(attempt(bp_relu_into, x.get(), out.get()).message, "");
}
Tensors two(T a, T b) {
  Tensors all = one(std::move(a));
  all.push_back(std::move(b));
  return all;
}

const Joined kJoined[] = {
    {"OfAllThatItMakes", 1,
     [](const T& x, const T& w, const T& b) { return one(relu(linear(x, w, b))); }},
    {"WithoutABias", 1,
     [](const T& x, const T& w, const T&) { return one(relu(linear(x, w, T()))); }},
    {"InPlace", 1,
     [](const T& x, const T& w, const T& b) {
       const T y = linear(x, w, b);
       relu_into(y, y);
       return two(same(y), add(y, y));
     }},
    {"SeenAsAnotherShape", 1,
     [](const T& x, const T& w, const T& b) {
       const Shape shape{2, 10};
       return one(relu(made(bp_tensor_view, linear(x, w, b).get(), 2, shape.data())));
     }},
    {"OnlyOnce", 1,
     [](const T& x, const T& w, const T& b) { return one(relu(relu(linear(x, w, b)))); }},
    {"OfEach", 2,
     [](const T& x, const T& w, const T& b) {
       return one(relu(linear(relu(linear(x, w, b)), w, b)));
     }},
    {"WhoseSumsAreRead", 0,
     [](const T& x, const T& w, const T& b) {
       const T y = linear(x, w, b), z = relu(y);
       return one(add(y, z));
     }},
    {"WhoseSumsWereReadBefore", 0,
     [](const T& x, const T& w, const T& b) {
       const T y = linear(x, w, b), z = add(y, y);
       relu_into(y, y);
       return one(add(y, z));
     }},
    {"WhoseSumsAreAResult", 0,
     [](const T& x, const T& w, const T& b) {
       T y = linear(x, w, b), z = relu(y);
       return two(std::move(y), std::move(z));
     }},
    {"OfAPart", 0,
     [](const T& x, const T& w, const T& b) {
       const T y = linear(x, w, b);
       return one(relu(made(bp_tensor_narrow, y.get(), 0, 0, 3)));
     }},
    {"IntoWhatIsReadBefore", 0,
     [](const T& x, const T& w, const T& b) {
       const T out = add(x, x), y = linear(x, w, b), z = add(out, x);
       relu_into(y, out);
       return one(add(out, z));
     }},
    {"IntoItsOwnInput", 0,
     [](const T& x, const T& w, const T& b) {
       const T in = add(x, x), y = linear(in, w, b);
       relu_into(y, in);
       return one(add(in, in));
     }},
    {"IntoAPart", 0,
     [](const T& x, const T& w, const T& b) {
       const T wide = made(bp_concat, std::vector<bp_tensor*>{x.get(), x.get()}.data(), 2u, 1),
               out = made(bp_tensor_narrow, wide.get(), 1, 2, 4);
       relu_into(linear(x, w, b), out);
       return one(add(wide, wide));
     }},
};
class LtJoined : public testing::TestWithParam<Joined> {};
TEST_P(LtJoined, IsPartOfTheProductWhereNobodyWantsTheSums) {
  const Joined& row = GetParam();
  Session session;
  const bp_device where = device("sim:0");
  const T w = counting({4, 4}, where), bias = counting({4}, where);
  const Tensors in = one(counting({5, 4}, where)), others = one(add(in[0], in[0]));
  const Work work = [&](const Tensors& x) { return row.work(x[0], w, bias); };
  const P program = recorded(in, work), apart = recorded(in, work, BP_PASS_JOIN);
  EXPECT_EQ(facts(program).n_joined, row.joined);
  EXPECT_EQ(facts(apart).n_joined, 0u);
  EXPECT_EQ(facts(program).n_steps + row.joined, facts(apart).n_steps);
  for (const Tensors* of : {&in, &others}) {
    const Tensors wanted = work(*of), got = results(program, *of), same = results(apart, *of);
    for (size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_EQ(numbers(got[i]), numbers(wanted[i]));
      EXPECT_EQ(numbers(same[i]), numbers(wanted[i]));
    }
  }
}
INSTANTIATE_TEST_SUITE_P(ARelu, LtJoined, testing::ValuesIn(kJoined),
                         [](const auto& info) { return info.param.name; });

TEST(LtOption, NamesAFileThatIsOne) {
  const std::string file = Fake::file("cublas");
  Session session("sim.lt=" + file);
  const std::string message =
      attempt(bp_kind_require, bp_device_kind(device("sim")), static_cast<int32_t*>(nullptr))
          .message;
  EXPECT_TRUE(has(message, "option lt is \"" + file +
                               "\": a library for products with a bias lacks the function "
                               "cublasLtCreate in " +
                               file))
      << message;
}

}  // namespace
