// SPDX-License-Identifier: Apache-2.0
// overlap.cc: while a device works on one batch, the next is on its way to it and the last result
// is on its way back.
//   ./overlap cuda:0         any device; without one, sim:0
// Copies go beside the program's work where the host's side is pinned memory. Only who needs a
// value waits: filling a batch waits until the last copy of it has been read, and reading a result
// waits until it is there.
#include <backplane.hpp>
#include <iostream>
#include <vector>

namespace bp = backplane;

int main(int argc, char** argv) try {
  const bp::Device device(argc > 1 ? argv[1] : "sim:0");
  const bool is_cpu = device.kind() == BP_KIND_CPU;
  constexpr int kBatches = 6;
  constexpr std::int64_t kSize = 1 << 16;

  const bp::Stream copies(device), work(device);
  bp::Tensor host[2];
  for (bp::Tensor& t : host)
    t = is_cpu ? bp::empty({kSize}) : bp::empty_pinned({kSize}, BP_F32, device);
  std::vector<bp::Tensor> results;
  for (int i = 0; i < kBatches; ++i) {
    bp::Tensor& batch = host[i % 2];
    batch.fill_(i);
    bp::Tensor there;
    {
      const bp::StreamGuard in(copies);
      there = batch.to(device, BP_DTYPE_NONE, /*copy=*/true, /*non_blocking=*/true);
    }
    work.wait(copies.record());
    work.uses(there);  // it was allocated in the other stream
    const bp::StreamGuard in(work);
    results.push_back(
        bp::mean(there * there).to("cpu", BP_DTYPE_NONE, /*copy=*/false, /*non_blocking=*/true));
  }
  for (const bp::Tensor& r : results)
    std::cout << r.item<float>() << (&r == &results.back() ? "\n" : " ");
} catch (const bp::Error& e) {
  std::cerr << "overlap: " << e.what() << '\n';
  return 1;
}
