// SPDX-License-Identifier: Apache-2.0
// matmul.cc: square products next to PyTorch and to cuBLAS called directly. What cuBLAS computed
// is compared too.
#include <fmt/format.h>

#include <cfloat>
#include <cmath>

#include "libraries.h"
#include "part.h"
#include "torch.h"

namespace gpu_check {
namespace bp = backplane;
namespace {

struct Dtype {
  bp_dtype dtype;
  const char* name;
  double epsilon;
};
constexpr Dtype kDtypes[] = {{BP_F32, "f32", FLT_EPSILON},
                             {BP_F16, "f16", 1.0 / 1024},
                             {BP_BF16, "bf16", 1.0 / 128},
                             {BP_F64, "f64", DBL_EPSILON}};

struct Product {
  bp::Tensor a, b, ours, theirs;
  int64_t n;
};

Product make(const Dtype& t, int64_t n, bp::Device device) {
  const auto random = [&](std::int64_t seed) {
    return bp::uniform({n, n}, BP_F32, -1, 1, seed, /*offset=*/0, device).to(t.dtype);
  };
  Product p{random(1), random(2), bp::empty({n, n}, t.dtype, device),
            bp::zeros({n, n}, t.dtype, device), n};
  bp::synchronize(device);  // cuBLAS uses a stream of its own
  return p;
}

// Sums of n products of uniform numbers are about sqrt(n) / 3 large, and so are their errors.
std::string difference(const Product& p, const Dtype& t) {
  const bp::Tensor gap = bp::abs(p.ours.to(BP_F64) - p.theirs.to(BP_F64));
  const double most = bp::max(gap).cpu().item<double>();
  const double allowed = 8 * t.epsilon * std::sqrt(static_cast<double>(p.n));
  if (most <= allowed) return "";
  return fmt::format("differs from cuBLAS by {}, {} is allowed", most, allowed);
}

void add_cublas(bench::Case& c, const Product& p, const Dtype& t,
                const std::shared_ptr<Cublas>& blas) {
  const void *a = address(p.a), *b = address(p.b);
  void* to = address(p.theirs);
  c.drain = [blas] { blas->wait(); };
  c.add("cuBLAS", [=, n = static_cast<int>(p.n)] { blas->matmul(t.dtype, n, a, b, to); });
}

// Returns nullptr when there is no cuBLAS; the report then says why.
std::shared_ptr<Cublas> open(const Settings& settings, Report& report) {
  if (settings.simulated()) {
    report.say("cuBLAS: a simulated device has none");
    return nullptr;
  }
  const std::shared_ptr<Driver> driver = open_driver(settings, report);
  for (const char* name : kCublas) try {
      if (!driver) break;
      auto blas = std::make_shared<Cublas>(name, driver);
      report.say(blas->version());
      return blas;
    } catch (const std::exception& e) {
      report.say(fmt::format("{}: not used: {}", name, e.what()));
    }
  return nullptr;
}

std::vector<int64_t> sides(const Settings& settings, bp_dtype dtype) {
  if (settings.simulated() || settings.brief) return {16, 64};
  if (dtype == BP_F64) return {256, 1024, 2048};
  return {256, 1024, 2048, 4096, 8192};
}

}  // namespace

void run_matmul(const Settings& settings, Report& report) {
  const Torch torch(settings, report);
  const std::shared_ptr<Cublas> blas = open(settings, report);
  bench::Cases cases;
  for (const Dtype& t : kDtypes)
    for (const int64_t n : sides(settings, t.dtype))
      cases.push_back({"matmul", fmt::format("{0} x {0} {1}", n, t.name), [&, n](bench::Case& c) {
                         const Product p = make(t, n, settings.device());
                         c.flops = 2.0 * std::pow(static_cast<double>(n), 3);
                         c.add("ours", [p] {
                           call([&](bp_error** e) {
                             return bp_matmul_into(p.a.get(), p.b.get(), p.ours.get(), e);
                           });
                         });
                         if (blas) add_cublas(c, p, t, blas);
                         time_until_done(c, settings);
                         if (blas) {
                           c.rivals[1].run();
                           c.drain();
                           if (const std::string wrong = difference(p, t); !wrong.empty())
                             report.fault(
                                 fmt::format("matmul of {0} x {0} {1} {2}", n, t.name, wrong));
                         }
                         torch.add(c, "matmul_into", t.name, n, report);
                       }});
  measure_all(cases, settings, report);
}

}  // namespace gpu_check
