// SPDX-License-Identifier: Apache-2.0
#include "loops.h"

#include <omp.h>

#include <cmath>

namespace bench {

// Calls fn(begin, end) on each thread. A parallel region costs a microsecond, so short loops
// go without one.
template <class F>
void split(int64_t n, int64_t shortest, const F& fn) {
  if (n <= shortest) return fn(int64_t{0}, n);
#pragma omp parallel
  {
    const int64_t parts = omp_get_num_threads(), i = omp_get_thread_num();
    fn(n * i / parts, n * (i + 1) / parts);
  }
}

void loop_add(const float* a, const float* b, float* out, int64_t n) {
  split(n, 32768, [=](int64_t begin, int64_t end) {
#pragma omp simd
    for (int64_t i = begin; i < end; ++i) out[i] = a[i] + b[i];
  });
}

void loop_exp(const float* x, float* out, int64_t n) {
  split(n, 4096, [=](int64_t begin, int64_t end) {
#pragma omp simd
    for (int64_t i = begin; i < end; ++i) out[i] = std::exp(x[i]);
  });
}

static float sum_part(const float* x, int64_t n) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < n; ++i) sum += x[i];
  return sum;
}

float loop_sum(const float* x, int64_t n) {
  float total = 0;
  split(n, 32768, [&](int64_t begin, int64_t end) {
    const float sum = sum_part(x + begin, end - begin);
#pragma omp atomic
    total += sum;
  });
  return total;
}

void loop_softmax(const float* x, float* out, int64_t rows, int64_t columns) {
  split(rows, 4096 / columns, [=](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const float* from = x + r * columns;
      float* to = out + r * columns;
      float most = from[0], sum = 0;
      for (int64_t i = 1; i < columns; ++i) most = from[i] > most ? from[i] : most;
      for (int64_t i = 0; i < columns; ++i) sum += to[i] = std::exp(from[i] - most);
      for (int64_t i = 0; i < columns; ++i) to[i] /= sum;
    }
  });
}

}  // namespace bench
