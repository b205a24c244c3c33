// SPDX-License-Identifier: Apache-2.0
// launches.cc: what a small op costs the host, next to the driver's own launch of an empty kernel,
// and how long it takes until its result is there.
#include "libraries.h"
#include "part.h"
#include "torch.h"

namespace gpu_check {
namespace bp = backplane;

void run_launches(const Settings& settings, Report& report) {
  const Torch torch(settings, report);
  const std::shared_ptr<Driver> driver = open_driver(settings, report);
  bench::Cases cases;
  bench::add_queued_cases(cases, "launch", settings.device().value(),
                          [&](bench::Case& c, const std::string& op, int64_t n, bool given) {
                            if (driver) {
                              driver->enter();
                              c.add("driver", [driver] { driver->launch(); });
                              c.drain = [driver, drain = c.drain] { drain(), driver->wait(); };
                            }
                            torch.add(c, given ? op + "_into" : op, "f32", n, report);
                          });
  cases.push_back(
      {"round trip", "add, 4 elements, and wait", [&](bench::Case& c) {
         const bp::Tensor a = bp::ones({4}, BP_F32, settings.device()), out = bp::empty_like(a);
         c.batch = 1;
         c.drain_counts = true;
         c.drain = [device = settings.device()] { bp::synchronize(device); };
         c.add("ours", [=] {
           call([&](bp_error** e) { return bp_add_into(a.get(), a.get(), out.get(), e); });
         });
         torch.add(c, "add_into", "f32", 4, report);
       }});
  measure_all(cases, settings, report);
}

}  // namespace gpu_check
