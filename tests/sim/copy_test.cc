// SPDX-License-Identifier: Apache-2.0
// Copies between the host and two devices: any layout on either side, any dtype. A library that
// touched the device's memory would not survive them.
#include <functional>

#include "sim/works.h"

namespace {

const char* const kPlaces[] = {"cpu", "sim:0", "sim:1"};

// A view of a fresh 6 x 8 tensor.
struct Layout {
  const char* name;
  std::function<T(const T&)> view;
};
const Layout kLayouts[] = {
    {"as it is", [](const T& t) { return made(bp_tensor_alias, t.get()); }},
    {"transposed", [](const T& t) { return made(bp_tensor_transpose, t.get(), 0, 1); }},
    {"every second column",
     [](const T& t) { return made(bp_tensor_slice, t.get(), 1, 1, BP_SLICE_NONE, 2); }},
    {"flipped",
     [](const T& t) {
       const int64_t dims[2] = {0, 1};
       return made(bp_tensor_flip, t.get(), static_cast<const int64_t*>(dims), 2u);
     }},
};

// What the host says is in t.
std::vector<double> numbers(const T& t) {
  const T f64 = to(t, kCpu, BP_F64);
  return values<double>(f64);
}

TEST(Copies, KeepTheValuesInEveryLayoutAndDtype) {
  Session session("sim.device_count=2");
  for (const char* from : kPlaces)
    for (const char* to : kPlaces)
      for (const Layout& layout : kLayouts)
        for (bp_dtype dtype : {BP_I32, BP_F16, BP_U8}) {
          const T host = layout.view(counting<int32_t>({6, 8}));
          const T source = layout.view(counting<int32_t>({6, 8}, device(from)));
          const T copy = made(bp_tensor_to, source.get(), device(to), dtype, 1u, 0u);
          EXPECT_EQ(bp_tensor_device(copy.get()), bp_tensor_device(ones(to).get()));
          EXPECT_EQ(numbers(copy), numbers(host)) << from << " to " << to << ", " << layout.name;
        }
}

TEST(Copies, WriteEveryLayoutAndNothingElse) {
  Session session("sim.device_count=2");
  for (const char* from : kPlaces)
    for (const char* to : kPlaces)
      for (const Layout& layout : kLayouts) {
        const auto fill = [&](const std::string& source_place, const std::string& place) {
          const T target = ones(place, {6, 8});
          const T into = layout.view(target);
          const T source = counting<int32_t>(shape_of(into), device(source_place));
          const Answer r = attempt(bp_tensor_copy_, into.get(), source.get(), 0u);
          EXPECT_EQ(r.status, BP_OK) << r.message;
          return numbers(target);
        };
        EXPECT_EQ(fill(from, to), fill("cpu", "cpu"))
            << from << " to " << to << ", " << layout.name;
      }
}

TEST(Copies, GoRoundAndComeBackEqual) {
  Session session("sim.device_count=2");
  std::vector<double> data;
  for (int i = 0; i < 5000; ++i) data.push_back(1.0 / (i + 1));
  T t = tensor<double>({50, 100}, data);
  for (const char* place : {"sim:0", "sim:1", "cpu", "sim:1", "sim:0", "cpu"})
    t = to(t, device(place));
  EXPECT_EQ(values<double>(t), data);
  t.reset();
  for (const char* place : {"sim:0", "sim:1"}) expect_nothing_lives(place);
}

TEST(Copies, AreCountedByTheBytesThatCrossed) {
  Session session("sim.device_count=2");
  const T t = ones("sim:0", {1000});
  const T copy = to(t, kCpu);
  const bp_transfer_stats s = crossed(device("sim:0"), bp_device_make(BP_KIND_CPU, 0));
  EXPECT_EQ(s.bytes, 4000u);
  EXPECT_EQ(s.n_copies, 1u);
  EXPECT_EQ(s.n_waits, 1u);
}

TEST(Devices, AreNotMixedInOneCall) {
  Session session("sim.device_count=2");
  const T a = ones("sim:0"), b = ones("sim:1"), c = ones("cpu");
  const Answer r = refusal(bp_add, a.get(), b.get());
  EXPECT_EQ(r.status, BP_DEVICE_MISMATCH);
  EXPECT_TRUE(has(r.message, "sim:0") && has(r.message, "sim:1")) << r.message;
  EXPECT_EQ(refusal(bp_add, c.get(), b.get()).status, BP_DEVICE_MISMATCH);
  expect_works("sim:0");
  expect_works("sim:1");
}

}  // namespace
