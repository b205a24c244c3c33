// SPDX-License-Identifier: Apache-2.0
// generator.cc: random numbers: the seed of all devices, and generators of one's own.
#include <nanobind/stl/pair.h>

#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "bind.h"
#include "device.h"

namespace bp_py {
namespace {

struct Generator {
  bp_generator* handle = nullptr;
  Generator() = default;
  Generator(const Generator&) = delete;
  ~Generator() { bp_generator_release(handle); }
};

// PyTorch's own generator of the cpu and its way of shuffling, so that samplers agree with it.
nb::list mt19937_permutation(uint64_t seed, uint32_t n) {
  std::mt19937 draw(static_cast<uint32_t>(seed));
  std::vector<uint32_t> order(n);
  for (uint32_t i = 0; i < n; ++i) order[i] = i;
  for (uint32_t i = 0; i + 1 < n; ++i) std::swap(order[i], order[i + draw() % (n - i)]);
  nb::list out;
  for (const uint32_t i : order) out.append(i);
  return out;
}

}  // namespace

void bind_generators(nb::module_& m) {
  nb::class_<Generator>(m, "Generator",
                        "A seed and a position in its stream of random numbers.\n\n"
                        ">>> bp.rand(2, generator=bp.Generator(7)).shape\n(2,)\n")
      .def(
          "__init__",
          [](Generator* self, uint64_t seed) {
            new (self) Generator;
            call([&](bp_error** err) { return bp_generator_create(seed, &self->handle, err); });
          },
          nb::arg("seed") = 0)
      .def("manual_seed",
           [](nb::object self, uint64_t seed) {
             call([&](bp_error** err) {
               return bp_generator_seed(nb::cast<Generator&>(self).handle, seed, err);
             });
             return self;
           })
      .def(
          "get_state",
          [](const Generator& g) {
            uint64_t seed = 0, offset = 0;
            call([&](bp_error** err) {
              return bp_generator_get_state(g.handle, &seed, &offset, err);
            });
            return nb::make_tuple(seed, offset);
          },
          "(seed, offset)")
      .def("set_state",
           [](const Generator& g, std::pair<uint64_t, uint64_t> state) {
             call([&](bp_error** err) {
               return bp_generator_set_state(g.handle, state.first, state.second, err);
             });
           })
      .def(
          "reserve",
          [](const Generator& g, int64_t numel) {
            uint64_t seed = 0, offset = 0;
            call([&](bp_error** err) {
              return bp_generator_reserve(g.handle, numel, &seed, &offset, err);
            });
            return nb::make_tuple(seed, offset);
          },
          "Takes numel draws: the seed and offset to hand to a random op.");
  m.def(
      "default_generator",
      [](nb::handle device) {
        const bp_device d = device_of(device);
        auto g = std::make_unique<Generator>();
        call_unlocked([&](bp_error** err) { return bp_generator_default(d, &g->handle, err); });
        return g.release();
      },
      nb::rv_policy::take_ownership);
  m.def("mt19937_permutation", mt19937_permutation,
        "The order that PyTorch's randperm(n) has on the CPU after manual_seed(seed).");
  m.def("manual_seed",
        [](uint64_t seed) { call([&](bp_error** err) { return bp_manual_seed(seed, err); }); });
}

}  // namespace bp_py
