#include "loops.h"

#include <cmath>

namespace bench {

// A parallel region costs a microsecond: short loops go without.
constexpr int64_t kShort = 32768;

void loop_add(const float* a, const float* b, float* out, int64_t n) {
#pragma omp parallel for simd schedule(static) if (n > kShort)
  for (int64_t i = 0; i < n; ++i) out[i] = a[i] + b[i];
}

void loop_exp(const float* x, float* out, int64_t n) {
#pragma omp parallel for simd schedule(static) if (n > kShort / 8)
  for (int64_t i = 0; i < n; ++i) out[i] = std::exp(x[i]);
}

float loop_sum(const float* x, int64_t n) {
  float sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum) if (n > kShort)
  for (int64_t i = 0; i < n; ++i) sum += x[i];
  return sum;
}

void loop_softmax(const float* x, float* out, int64_t rows, int64_t columns) {
#pragma omp parallel for schedule(static) if (rows * columns > kShort / 8)
  for (int64_t r = 0; r < rows; ++r) {
    const float* from = x + r * columns;
    float* to = out + r * columns;
    float most = from[0], sum = 0;
    for (int64_t i = 1; i < columns; ++i) most = from[i] > most ? from[i] : most;
    for (int64_t i = 0; i < columns; ++i) sum += to[i] = std::exp(from[i] - most);
    for (int64_t i = 0; i < columns; ++i) to[i] /= sum;
  }
}

}  // namespace bench
