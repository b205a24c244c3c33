// SPDX-License-Identifier: Apache-2.0
// sums.cc: sums over several devices: whether they are right, have the same bits everywhere and
// go on beside other work, and how fast they are next to a copy of as many bytes from one device
// to the next.
#include <fmt/format.h>

#include <cfloat>
#include <cstring>

#include "part.h"

namespace gpu_check {
namespace bp = backplane;
namespace {

using Parts = std::vector<bp::Tensor>;

bp::Device nth(const Settings& settings, std::int32_t i) {
  return bp::Device::make(settings.device().kind(), i);
}

// Uniform numbers, different on each device.
Parts noise(const Settings& settings, std::int32_t n, std::int64_t count, bp_dtype dtype) {
  Parts parts;
  for (std::int32_t i = 0; i < n; ++i)
    parts.push_back(
        bp::uniform({count}, BP_F32, -1, 1, /*seed=*/i + 1, /*offset=*/0, nth(settings, i))
            .to(dtype));
  return parts;
}

std::vector<double> doubles(const bp::Tensor& t) { return t.cpu().to(BP_F64).read<double>(); }

struct Dtype {
  bp_dtype dtype;
  const char* name;
  double epsilon;
};
constexpr Dtype kDtypes[] = {{BP_F32, "f32", FLT_EPSILON},
                             {BP_F16, "f16", 1.0 / 1024},
                             {BP_BF16, "bf16", 1.0 / 128},
                             {BP_F64, "f64", DBL_EPSILON}};

void check(const Settings& settings, std::int32_t n, std::int64_t count, const Dtype& t, bool mean,
           Report& report) {
  const std::string name =
      fmt::format("{} of {} {} over {} devices", mean ? "mean" : "sum", count, t.name, n);
  Parts parts = noise(settings, n, count, t.dtype);
  std::vector<double> wanted(static_cast<std::size_t>(count), 0);
  for (const bp::Tensor& part : parts) {
    const std::vector<double> v = doubles(part);
    for (std::size_t k = 0; k < v.size(); ++k) wanted[k] += v[k] / (mean ? n : 1);
  }
  all_reduce(parts, mean);
  const std::vector<double> first = doubles(parts[0]);
  for (std::int32_t i = 1; i < n; ++i)
    if (const std::vector<double> v = doubles(parts[static_cast<std::size_t>(i)]);
        std::memcmp(v.data(), first.data(), v.size() * sizeof(double)) != 0)
      report.fault(fmt::format("{}: device {} has other bits than device 0", name, i));
  double most = 0;
  for (std::size_t k = 0; k < first.size(); ++k)
    most = std::max(most, std::abs(first[k] - wanted[k]));
  const double allowed = n * n * t.epsilon;  // n roundings of sums up to n
  if (!(most <= allowed))
    report.fault(fmt::format("{}: off by {}, {} is allowed", name, most, allowed));
}

// Sums in streams of their own while products run in the devices' default streams. Nothing may
// wait for ever.
void check_beside_work(const Settings& settings, std::int32_t n, Report& report) {
  const std::int64_t side = settings.simulated() || settings.brief ? 32 : 2048;
  Parts parts, factors, products;
  for (std::int32_t i = 0; i < n; ++i) {
    parts.push_back(bp::ones({side * side}, BP_F32, nth(settings, i)));
    factors.push_back(bp::ones({side, side}, BP_F32, nth(settings, i)));
    products.push_back(factors.back());
    bp::synchronize(nth(settings, i));
  }
  std::vector<bp::Stream> streams;
  for (std::int32_t i = 0; i < n; ++i) streams.emplace_back(nth(settings, i));
  constexpr int kRounds = 20;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < parts.size(); ++i) products[i] = bp::matmul(factors[i], factors[i]);
    std::vector<std::unique_ptr<bp::StreamGuard>> guards;
    for (const bp::Stream& s : streams) guards.push_back(std::make_unique<bp::StreamGuard>(s));
    all_reduce(parts, /*mean=*/true);
    while (!guards.empty()) guards.pop_back();
  }
  for (std::int32_t i = 0; i < n; ++i) {
    bp::synchronize(nth(settings, i));
    const auto at = static_cast<std::size_t>(i);
    if (parts[at][0].item<float>() != 1 ||
        products[at][0][0].item<float>() != static_cast<float>(side))
      report.fault(fmt::format("sums beside products: device {} has wrong numbers", i));
  }
}

bench::CaseDef speed(const Settings& settings, std::int32_t n, std::int64_t count) {
  return {"sum", fmt::format("{} KiB f32 over {} devices", count * 4 >> 10, n),
          [=, &settings](bench::Case& c) {
            const Parts parts = noise(settings, n, count, BP_F32);
            const auto moved =
                static_cast<std::int64_t>(2.0 * (n - 1) / n * static_cast<double>(count));
            const bp::Tensor from = bp::zeros({moved}, BP_F32, nth(settings, 1)),
                             to = bp::zeros({moved}, BP_F32, nth(settings, 0));
            c.bytes = 4.0 * static_cast<double>(moved);  // each device sends so many
            c.add("ours", [parts] { all_reduce(parts, /*mean=*/true); });
            time_until_done(c, settings);
            c.add("copy", [from, to] { bp::Tensor(to).copy_(from, /*non_blocking=*/true); });
          }};
}

}  // namespace

void run_sums(const Settings& settings, Report& report) {
  const std::int32_t n = bp::device_count(settings.device().kind());
  if (n < 2) return report.skip("one device alone has nothing to sum with");
  for (const Dtype& t : kDtypes)
    for (const std::int64_t count : {1, 1000, settings.brief ? 4099 : 1000003})
      for (const bool mean : {false, true}) check(settings, n, count, t, mean, report);
  check_beside_work(settings, n, report);
  for (const auto& entry : bp::report())
    if (entry.kind == settings.kind && entry.stage == BP_STAGE_READY)
      report.say(entry.cause.empty() ? "sums: as the backend offers them" : entry.cause);
  bench::Cases cases;
  for (const std::int64_t kib :
       {std::int64_t{16}, std::int64_t{settings.brief || settings.simulated() ? 256 : 65536}})
    cases.push_back(speed(settings, n, kib << 8));
  measure_all(cases, settings, report);
}

}  // namespace gpu_check
