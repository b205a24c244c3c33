#include "core/ops/gradients.h"

#include <array>

namespace bp {
namespace {

std::array<const GradientRow*, kMaxBuiltinOp> by_op() {
  std::array<const GradientRow*, kMaxBuiltinOp> all{};
  for (auto family : {ops::unary_gradients(), ops::binary_gradients(), ops::reduce_gradients(),
                      ops::moving_gradients(), ops::linear_gradients(), ops::window_gradients(),
                      ops::linalg_gradients(), ops::fft_gradients()})
    for (const GradientRow& g : family) all[g.op] = &g;
  return all;
}

}  // namespace

const GradientRow* gradient_of(uint32_t op) {
  static const auto table = by_op();
  return op < kMaxBuiltinOp ? table[op] : nullptr;
}

}  // namespace bp
