// SPDX-License-Identifier: Apache-2.0
// elementwise.cc: elementwise ops, a reduction and softmax into new tensors, over sizes from the
// caches to main memory.
#include <vector>

#include "case.h"
#include "loops.h"
#include "peer.h"
#include "tensor.h"

namespace bench {
namespace {

void add(Case& c, int64_t n) {
  TensorPtr a = ones({n}), b = ones({n}), out = ones({n});
  c.bytes = 12.0 * static_cast<double>(n);
  c.add("ours", [a, b] {
    bp_tensor* o = nullptr;
    check(bp_add(a.get(), b.get(), &o, nullptr));
    bp_tensor_release(o);
  });
  c.add("loop", [a, b, out, x = data(a), y = data(b), z = data(out), n] { loop_add(x, y, z, n); });
  add_peer(c, "add", n);
}

void exp(Case& c, int64_t n) {
  TensorPtr a = ones({n}), out = ones({n});
  c.bytes = 8.0 * static_cast<double>(n);
  c.add("ours", [a] {
    bp_tensor* o = nullptr;
    check(bp_exp(a.get(), &o, nullptr));
    bp_tensor_release(o);
  });
  c.add("loop", [a, out, x = data(a), z = data(out), n] { loop_exp(x, z, n); });
  add_peer(c, "exp", n);
}

void sum(Case& c, int64_t n) {
  TensorPtr a = ones({n});
  c.bytes = 4.0 * static_cast<double>(n);
  c.add("ours", [a] {
    bp_tensor* o = nullptr;
    check(bp_sum(a.get(), nullptr, 0, /*keepdims=*/0, BP_DTYPE_NONE, &o, nullptr));
    bp_tensor_release(o);
  });
  c.add("loop", [a, x = data(a), n] {
    volatile float keep = loop_sum(x, n);
    static_cast<void>(keep);
  });
  add_peer(c, "sum", n);
}

void softmax(Case& c, int64_t n) {
  constexpr int64_t kColumns = 1000;
  TensorPtr a = ones({n / kColumns, kColumns}), out = ones({n / kColumns, kColumns});
  c.bytes = 8.0 * static_cast<double>(n);
  c.add("ours", [a] {
    bp_tensor* o = nullptr;
    check(bp_softmax(a.get(), /*axis=*/1, &o, nullptr));
    bp_tensor_release(o);
  });
  c.add("loop",
        [a, out, x = data(a), z = data(out), n] { loop_softmax(x, z, n / kColumns, kColumns); });
  add_peer(c, "softmax", n);
}

struct Subject {
  const char* name;
  void (*prepare)(Case&, int64_t n);
};

}  // namespace

void add_elementwise_cases(Cases& out) {
  for (Subject s : {Subject{"add", add}, {"exp", exp}, {"sum", sum}, {"softmax", softmax}})
    for (int64_t n : {1000, 100000, 10000000, 50000000})
      out.push_back({"elementwise", std::string(s.name) + ", " + std::to_string(n) + " f32",
                     [s, n](Case& c) { s.prepare(c, n); }});
}

}  // namespace bench
