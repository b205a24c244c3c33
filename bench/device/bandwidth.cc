// SPDX-License-Identifier: Apache-2.0
// bandwidth.cc: ops that memory bounds, next to a copy of as many bytes within the device: 1.00x is
// the speed of the copy.
#include <algorithm>

#include "libraries.h"
#include "part.h"
#include "torch.h"

namespace gpu_check {
namespace bp = backplane;
namespace {

constexpr int64_t kColumns = 1024;

// What an op is called with: n elements each. x and y are seen as rows of kColumns where the op
// has an axis.
struct Data {
  bp::Tensor x, y, row, out, half, one, rows, columns, places;
};
struct Op {
  const char* name;
  const char* torch;  // what torch_peer.py calls it
  double bytes;       // moved for each element
  bp_status (*run)(const Data& d, bp_error** e);
};

constexpr int64_t kAxis0[] = {0}, kAxis1[] = {1};
const Op kOps[] = {
    {"add", "add_into", 12,
     [](const Data& d, bp_error** e) { return bp_add_into(d.x.get(), d.y.get(), d.out.get(), e); }},
    {"add a row to each", "add_row_into", 8,
     [](const Data& d, bp_error** e) {
       return bp_add_into(d.x.get(), d.row.get(), d.out.get(), e);
     }},
    {"exp", "exp_into", 8,
     [](const Data& d, bp_error** e) { return bp_exp_into(d.x.get(), d.out.get(), e); }},
    {"to f16", nullptr, 6,
     [](const Data& d, bp_error** e) {
       return bp_tensor_copy_(d.half.get(), d.x.get(), /*non_blocking=*/1, e);
     }},
    {"transposed copy", "transpose", 8,
     [](const Data& d, bp_error** e) {
       const bp::Tensor turned = d.x.t(), flat = d.out.view({kColumns, -1});
       return bp_tensor_copy_(flat.get(), turned.get(), /*non_blocking=*/1, e);
     }},
    {"sum of all", "sum_into", 4,
     [](const Data& d, bp_error** e) {
       return bp_sum_into(d.x.get(), nullptr, 0, /*keepdims=*/0, BP_DTYPE_NONE, d.one.get(), e);
     }},
    {"sum of rows", "sum_rows", 4,
     [](const Data& d, bp_error** e) {
       return bp_sum_into(d.x.get(), kAxis1, 1, /*keepdims=*/0, BP_DTYPE_NONE, d.rows.get(), e);
     }},
    {"sum of columns", "sum_columns", 4,
     [](const Data& d, bp_error** e) {
       return bp_sum_into(d.x.get(), kAxis0, 1, /*keepdims=*/0, BP_DTYPE_NONE, d.columns.get(), e);
     }},
    {"argmax of rows", "argmax_rows", 4,
     [](const Data& d, bp_error** e) {
       return bp_argmax_into(d.x.get(), kAxis1, 1, /*keepdims=*/0, d.places.get(), e);
     }},
    {"cumsum of rows", "cumsum_rows", 8,
     [](const Data& d, bp_error** e) {
       return bp_cumsum_into(d.x.get(), /*axis=*/1, BP_DTYPE_NONE, d.out.get(), e);
     }},
    {"softmax of rows", "softmax_into", 8,
     [](const Data& d, bp_error** e) {
       return bp_softmax_into(d.x.get(), /*axis=*/1, d.out.get(), e);
     }},
};

Data make(int64_t n, bp::Device device) {
  const bp::Shape shape{n / kColumns, kColumns};
  Data d;
  d.x = bp::uniform(shape, BP_F32, 0, 1, /*seed=*/1, /*offset=*/0, device);
  d.y = bp::uniform(shape, BP_F32, 0, 1, /*seed=*/2, /*offset=*/0, device);
  d.row = bp::ones({kColumns}, BP_F32, device);
  d.out = bp::empty_like(d.x);
  d.half = bp::empty(shape, BP_F16, device);
  d.one = bp::empty({}, BP_F32, device);
  d.rows = bp::empty({n / kColumns}, BP_F32, device);
  d.columns = bp::empty({kColumns}, BP_F32, device);
  d.places = bp::empty({n / kColumns}, BP_I64, device);
  return d;
}

// Copies between two blocks that together are so many bytes. The driver copies, or we do where it
// cannot be asked.
void add_copy(bench::Case& c, double bytes, bp::Device device,
              const std::shared_ptr<Driver>& driver) {
  const auto half = static_cast<int64_t>(bytes / 2);
  const bp::Tensor from = bp::zeros({half}, BP_U8, device), to = bp::empty_like(from);
  if (driver)
    c.add("driver's copy", [from, to, driver, half, a = address(to), b = address(from)] {
      driver->copy(a, b, static_cast<uint64_t>(half));
    });
  else
    c.add("copy", [=] {
      call([&](bp_error** e) {
        return bp_tensor_copy_(to.get(), from.get(), /*non_blocking=*/1, e);
      });
    });
}

}  // namespace

void run_bandwidth(const Settings& settings, Report& report) {
  const Torch torch(settings, report);
  const bp::Device device = settings.device();
  // More than every cache of a card holds, but not more than a crowded one has left.
  const auto memory = static_cast<int64_t>(bp::device_info(device).memory_total);
  int64_t n =
      settings.simulated() ? int64_t{1} << 21 : std::min<int64_t>(int64_t{1} << 26, memory / 64);
  if (settings.brief) n = int64_t{1} << 16;
  n = n / kColumns * kColumns;
  const Data data = make(n, device);
  const std::shared_ptr<Driver> driver = open_driver(settings, report);
  bench::Cases cases;
  for (const Op& op : kOps)
    cases.push_back({"bandwidth", std::string(op.name) + ", " + std::to_string(n) + " f32",
                     [&](bench::Case& c) {
                       c.bytes = op.bytes * static_cast<double>(n);
                       c.add("ours", [&] { call([&](bp_error** e) { return op.run(data, e); }); });
                       if (driver) c.drain = [driver] { driver->wait(); };
                       time_until_done(c, settings);
                       add_copy(c, c.bytes, device, driver);
                       if (op.torch) torch.add(c, op.torch, "f32", n, report);
                     }});
  measure_all(cases, settings, report);
}

}  // namespace gpu_check
