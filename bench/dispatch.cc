// SPDX-License-Identifier: Apache-2.0
// dispatch.cc: what a call costs when there is next to nothing to compute.
#include "case.h"
#include "peer.h"
#include "tensor.h"

namespace bench {
namespace {

void add_new(Case& c) {
  TensorPtr a = ones({4}), b = ones({4});
  c.add("ours", [a, b] {
    bp_tensor* out = nullptr;
    check(bp_add(a.get(), b.get(), &out, nullptr));
    bp_tensor_release(out);
  });
  add_peer(c, "add", 4);
}

void add_given(Case& c) {
  TensorPtr a = ones({4}), b = ones({4}), out = ones({4});
  c.add("ours", [a, b, out] { check(bp_add_into(a.get(), b.get(), out.get(), nullptr)); });
  add_peer(c, "add_out", 4);
}

void view(Case& c) {
  TensorPtr a = ones({4});
  c.add("ours", [a] {
    const int64_t shape[] = {2, 2};
    bp_tensor* out = nullptr;
    check(bp_tensor_view(a.get(), 2, shape, &out, nullptr));
    bp_tensor_release(out);
  });
  add_peer(c, "view", 4);
}

std::function<void(Case&)> empty(int64_t n) {
  return [n](Case& c) {
    c.add("ours", [n] {
      bp_tensor* out = nullptr;
      check(bp_tensor_empty(1, &n, BP_F32, cpu(), &out, nullptr));
      bp_tensor_release(out);
    });
    add_peer(c, "empty", n);
  };
}

}  // namespace

void add_dispatch_cases(Cases& out) {
  out.push_back({"dispatch", "add, 4 elements, new tensor", add_new});
  out.push_back({"dispatch", "add, 4 elements, given output", add_given});
  out.push_back({"dispatch", "view and release", view});
  bp_device sim = 0;
  int32_t n_sim = 0;
  if (bp_device_parse("sim:0", &sim, nullptr) == BP_OK &&
      bp_device_count(bp_device_kind(sim), &n_sim, nullptr) == BP_OK && n_sim > 0)
    add_queued_cases(out, "dispatch, sim", sim);
  for (int64_t n : {4, 1000, 1000000})
    out.push_back({"memory", "empty and release, " + std::to_string(4 * n) + " B", empty(n)});
}

}  // namespace bench
