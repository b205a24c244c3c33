// SPDX-License-Identifier: Apache-2.0
// activation.h: neural networks' functions of one tensor, with parameters or without; clip and lerp
// of three tensors.
#pragma once
#include "gpu/kernel.h"

namespace bp_gpu::functors {
namespace {  // each family compiles its own, and nothing of it by itself

struct LeakyRelu {
  template <class T>
  GPU_FN static T of(T x, T slope) {
    return x > 0 ? x : slope * x;
  }
};
template <class T>
GPU_FN T ramp(T x) {
  const T y = x + 3;
  return y < 0 ? T(0) : y > 6 ? T(6) : y;
}
struct HardSigmoid {
  template <class T>
  GPU_FN static T of(T x) {
    return ramp(x) / 6;
  }
};
struct HardSwish {
  template <class T>
  GPU_FN static T of(T x) {
    return x * (ramp(x) / 6);
  }
};
struct Softplus {
  template <class T>
  GPU_FN static T of(T x, T beta, T threshold) {
    const T z = x * beta;
    return z > threshold ? x : ((z > 0 ? z : T(0)) + log1p(exp(-fabs(z)))) / beta;
  }
};
struct Elu {
  template <class T>
  GPU_FN static T of(T x, T alpha) {
    return x > 0 ? x : alpha * expm1(x);
  }
};

// tanh(log(1 + e)) = e (e + 2) / (e (e + 2) + 2), e = e^x. Left of zero e^x goes in as two factors,
// so that a subnormal result is rounded only once.
struct Mish {
  template <class T>
  GPU_FN static T of(T x) {
    if (!(x < 0)) {
      const T e = exp(x < 40 ? x : T(40)), product = e * (e + 2);
      return x != x ? x : x * (product / (product + 2));
    }
    const T root = exp(x / 2), e = root * root;
    return x * root * ((e + 2) / (e * (e + 2) + 2)) * root;
  }
};
// (1 + tanh u) / 2 is sigmoid(2 u).
struct GeluTanh {
  template <class T>
  GPU_FN static T of(T x) {
    const T u = (x + x * x * T(0.044715) * x) * T(1.5957691216057308), e = exp(-fabs(u));
    return x * ((u < 0 ? e : T(1)) / (1 + e));
  }
};

struct Clip {
  template <class T>
  GPU_FN static T of(T x, T low, T high) {
    const T y = (x > low || x != x) ? x : low;
    return (y < high || y != y) ? y : high;
  }
};
// Starts from the nearer end, so that weights 0 and 1 give the ends themselves.
struct Lerp {
  template <class T>
  GPU_FN static T of(T start, T end, T weight) {
    const T way = end - start;
    return weight < T(0.5) ? start + weight * way : end - (1 - weight) * way;
  }
};

}  // namespace
}  // namespace bp_gpu::functors
