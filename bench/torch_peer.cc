// SPDX-License-Identifier: Apache-2.0
// torch_peer.cc: the cases in libtorch, in inference mode, which is its fastest.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <functional>
#include <string>

namespace {

using Work = std::function<void()>;

// Makes an op's work. n is as each case means it: elements, or the side of a square matrix.
Work make_work(const std::string& op, int64_t n) {
  if (op == "empty") return [n] { at::empty({n}); };
  if (op == "matmul") {
    at::Tensor a = at::ones({n, n}), b = at::ones({n, n});
    return [a, b] { at::matmul(a, b); };
  }
  if (op == "softmax") {
    at::Tensor x = at::ones({n / 1000, 1000});
    return [x] { at::softmax(x, 1); };
  }
  at::Tensor x = at::ones({n}), y = at::ones({n}), out = at::empty({n});
  if (op == "add") return [x, y] { at::add(x, y); };
  if (op == "add_out") return [x, y, out]() mutable { at::add_out(out, x, y); };
  if (op == "view") return [x, n] { x.view({n / 2, 2}); };
  if (op == "exp") return [x] { at::exp(x); };
  if (op == "sum") return [x] { at::sum(x); };
  return nullptr;
}

}  // namespace

struct BenchPeerCall {
  void (*run)(void* self);
  void (*destroy)(void* self);
  void* self;
};

extern "C" {
__attribute__((visibility("default"))) const char* bench_peer_name() { return "torch"; }

__attribute__((visibility("default"))) void bench_peer_set_threads(int n) {
  at::set_num_threads(n);
}

__attribute__((visibility("default"))) int bench_peer_make(const char* op, int64_t n,
                                                           BenchPeerCall* out) {
  static thread_local c10::InferenceMode fastest;
  Work work = make_work(op, n);
  if (!work) return 0;
  out->self = new Work(std::move(work));
  out->run = [](void* self) { (*static_cast<Work*>(self))(); };
  out->destroy = [](void* self) { delete static_cast<Work*>(self); };
  return 1;
}
}
