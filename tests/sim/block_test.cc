// Results are the same to the last bit however many threads a block has.
#include <cmath>

#include "sim/session.h"

namespace {

T noise(const Shape& shape, bp_device where) {
  int64_t n = 1;
  for (int64_t s : shape) n *= s;
  std::vector<float> data;
  for (int64_t i = 0; i < n; ++i) data.push_back(std::sin(static_cast<float>(i) * 12.9898f) * 43.7f);
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
    for (int32_t threads : {2, 7, 32, 100, 256, 300}) EXPECT_EQ(product(threads, a, b), one) << threads << " threads";
  }
}

}  // namespace
