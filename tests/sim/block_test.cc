// SPDX-License-Identifier: Apache-2.0
// Results are the same to the last bit however many threads a block has.
#include <cmath>
#include <functional>

#include "sim/works.h"

namespace {

T noise(const Shape& shape, bp_device where) {
  int64_t n = 1;
  for (int64_t s : shape) n *= s;
  std::vector<float> data;
  for (int64_t i = 0; i < n; ++i)
    data.push_back(std::sin(static_cast<float>(i) * 12.9898f) * 43.7f);
  return tensor<float>(shape, data, where);
}

std::vector<float> product(int32_t threads, const Shape& a, const Shape& b) {
  Session session("sim.block_threads=" + std::to_string(threads));
  const bp_device where = device("sim:0");
  return values<float>(made(bp_matmul, noise(a, where).get(), noise(b, where).get()));
}

TEST(Blocks, OfAnySizeMultiplyAlike) {
  const std::pair<Shape, Shape> shapes[] = {
      {{70, 45}, {45, 81}}, {{3, 500}, {500, 40}}, {{1000}, {1000}}, {{2, 33, 17}, {17, 40}}};
  for (const auto& [a, b] : shapes) {
    const std::vector<float> one = product(1, a, b);
    for (int32_t threads : {2, 7, 32, 100, 256, 300})
      EXPECT_EQ(product(threads, a, b), one) << threads << " threads";
  }
}

// A kernel whose threads do not wait for each other where they must: one thread does not notice, 32
// always do. (A sort takes addresses from shared memory, so it would end this process.)
struct Kernel {
  const char* name;
  std::function<T(const T&)> run;  // of 40 x 1000 numbers
};
const Kernel kKernels[] = {
    {"sum",
     [](const T& t) {
       return made(bp_sum, t.get(), static_cast<const int64_t*>(nullptr), 0u, 0u, BP_DTYPE_NONE);
     }},
    {"cumsum", [](const T& t) { return made(bp_cumsum, t.get(), int64_t{1}, BP_DTYPE_NONE); }},
    {"softmax", [](const T& t) { return made(bp_softmax, t.get(), int64_t{1}); }},
    {"matmul",
     [](const T& t) {
       const T turned = made(bp_tensor_transpose, t.get(), 0, 1);
       return made(bp_matmul, t.get(), turned.get());
     }},
};

std::vector<float> without_barrier(const Kernel& kernel, int32_t threads, int skipped) {
  Session session("sim.block_threads=" + std::to_string(threads) +
                  ";sim.skip_barrier=" + std::to_string(skipped));
  return values<float>(kernel.run(noise({40, 1000}, device("sim:0"))));
}

TEST(Blocks, WithAMissingBarrierAreCaughtAt32Threads) {
  for (const Kernel& kernel : kKernels) {
    const std::vector<float> right = without_barrier(kernel, 1, /*skipped=*/0);
    EXPECT_EQ(without_barrier(kernel, 32, 0), right) << kernel.name;
    int caught = 0;
    for (int k = 1; k <= 8; ++k) {
      EXPECT_EQ(without_barrier(kernel, 1, k), right) << kernel.name;
      caught += without_barrier(kernel, 32, k) != right;
    }
    EXPECT_GT(caught, 0) << kernel.name;
  }
}

}  // namespace
