// SPDX-License-Identifier: Apache-2.0
// copies.cc: copies between host and device, in each direction and both at once, and within the
// device. Beside each stands a copy of as many bytes within the host's memory.
#include <algorithm>
#include <cstring>
#include <future>

#include "libraries.h"
#include "part.h"

namespace gpu_check {
namespace bp = backplane;
namespace {

struct Ends {
  bp::Tensor host, device;
};
Ends make(int64_t bytes, bp::Device device, bool pinned = false) {
  bp::Tensor host = pinned ? bp::empty_pinned({bytes}, BP_U8, device)
                           : bp::empty({bytes}, BP_U8, bp::Device("cpu"));
  return {host.fill_(0), bp::zeros({bytes}, BP_U8, device)};
}

void add_memcpy(bench::Case& c, int64_t bytes) {
  const auto n = static_cast<size_t>(bytes);
  c.add("memcpy", [n, from = std::vector<char>(n, 1), to = std::make_shared<std::vector<char>>(n)] {
    std::memcpy(to->data(), from.data(), n);
  });
}

// ends() returns what is written and what is read.
template <class F>
bench::CaseDef one_way(const std::string& name, int64_t bytes, const Settings& settings, F ends) {
  return {"copy", name, [=, &settings](bench::Case& c) {
            const auto [to, from] = ends();
            c.bytes = static_cast<double>(bytes);
            c.add("ours",
                  [to = to, from = from] { bp::Tensor(to).copy_(from, /*non_blocking=*/true); });
            time_until_done(c, settings);
            add_memcpy(c, bytes);
          }};
}

// Copies in two streams; copies that block need two threads as well. The rival does one
// after the other.
void both_ways(bench::Case& c, int64_t bytes, bool pinned, const Settings& settings) {
  const bp::Device device = settings.device();
  const Ends up = make(bytes, device, pinned), down = make(bytes, device, pinned);
  const auto copy_up = [up, s = bp::Stream(device)] {
    const bp::StreamGuard guard(s);
    bp::Tensor(up.device).copy_(up.host, /*non_blocking=*/true);
  };
  const auto copy_down = [down, s = bp::Stream(device)] {
    const bp::StreamGuard guard(s);
    bp::Tensor(down.host).copy_(down.device, /*non_blocking=*/true);
  };
  c.bytes = 2.0 * static_cast<double>(bytes);
  if (pinned)
    c.add("ours", [=] { copy_up(), copy_down(); });
  else
    c.add("ours", [=] {
      std::future<void> other = std::async(std::launch::async, copy_down);
      copy_up();
      other.get();
    });
  c.add("one by one",
        [=] { copy_up(), bp::synchronize(device), copy_down(), bp::synchronize(device); });
  time_until_done(c, settings);
}

void add_host_cases(bench::Cases& cases, int64_t bytes, bool pinned, const std::string& size,
                    const Settings& settings) {
  const bp::Device device = settings.device();
  const std::string tail = (pinned ? ", pinned" : ", pageable") + size;
  cases.push_back(one_way("host to device" + tail, bytes, settings, [=] {
    const Ends e = make(bytes, device, pinned);
    return std::pair(e.device, e.host);
  }));
  cases.push_back(one_way("device to host" + tail, bytes, settings, [=] {
    const Ends e = make(bytes, device, pinned);
    return std::pair(e.host, e.device);
  }));
  cases.push_back({"copy", "both at once" + tail,
                   [=, &settings](bench::Case& c) { both_ways(c, bytes, pinned, settings); }});
}

bool has_pinned(bp::Device device, Report& report) try {
  bp::empty_pinned({1}, BP_U8, device);
  return true;
} catch (const bp::Error& e) {
  if (e.status() != BP_UNSUPPORTED) throw;
  report.say(std::string("pinned memory: ") + e.what());
  return false;
}

}  // namespace

void run_copies(const Settings& settings, Report& report) {
  const bp::Device device = settings.device();
  const int64_t bytes = int64_t{1} << (settings.brief ? 18 : settings.simulated() ? 24 : 28);
  const std::string size = ", " + std::to_string(bytes >> 10) + " KiB";
  bench::Cases cases;
  add_host_cases(cases, bytes, /*pinned=*/false, size, settings);
  if (has_pinned(device, report)) add_host_cases(cases, bytes, /*pinned=*/true, size, settings);
  const std::shared_ptr<Driver> driver = open_driver(settings, report);
  cases.push_back({"copy", "within the device" + size, [&](bench::Case& c) {
                     const bp::Tensor to = make(bytes, device).device,
                                      from = make(bytes, device).device;
                     c.bytes = 2.0 * static_cast<double>(bytes);  // they are read and written
                     c.add("ours", [=] { bp::Tensor(to).copy_(from, /*non_blocking=*/true); });
                     if (driver) c.drain = [driver] { driver->wait(); };
                     time_until_done(c, settings);
                     if (driver)
                       c.add("driver", [=, a = address(to), b = address(from)] {
                         driver->copy(a, b, static_cast<uint64_t>(bytes));
                       });
                   }});
  if (bp::device_count(device.kind()) > 1)
    cases.push_back(one_way("to the next device" + size, bytes, settings, [=] {
      return std::pair(make(bytes, bp::Device::make(device.kind(), 1)).device,
                       make(bytes, device).device);
    }));
  measure_all(cases, settings, report);
}

}  // namespace gpu_check
