// SPDX-License-Identifier: Apache-2.0
// part.h: gpu_check is made of parts. Each runs as a process of its own under a time limit of its
// own, so that a driver that hangs or crashes takes only one part along; what that one found until
// then is on disk.
//   Settings settings;
//   Report report("part.json");
//   report.say("plain text for people");
//   measure_all({}, settings, report);   // a row of the table and of the JSON for each case
//   report.fault("what is wrong");       // the check as a whole fails
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "backplane.hpp"
#include "case.h"

namespace gpu_check {

struct Settings {
  std::string kind = "cuda";
  std::string program;  // the path of this one; the others lie beside it
  std::string python = "python3";
  int processes = 12;                      // of the conformance suite, at most
  double seconds = 240;                    // what the part has
  std::vector<std::string> shared_device;  // variables of processes that share the device
  bool brief = false;  // small data and few rounds, to show that everything runs

  backplane::Device device() const { return backplane::Device(kind + ":0"); }
  bool simulated() const {
    return (backplane::device_info(device()).flags & BP_DEVICE_SIMULATED) != 0;
  }
  std::string beside(const std::string& name) const {
    return program.substr(0, program.rfind('/') + 1) + name;
  }
};

// What a part found. Everything said is printed at once, and is in the file after each call.
class Report {
 public:
  explicit Report(std::string path);
  void measured(const bench::Result& result);
  void say(const std::string& line);
  void fault(const std::string& line);  // printed as "FAILED: ..."
  void skip(const std::string& why);    // skips the part as a whole
  void set(const std::string& key, nlohmann::json value);

 private:
  void save() const;
  std::string path_;
  nlohmann::json page_;
};

struct Part {
  const char* name;
  const char* about;
  int seconds;  // its limit
  void (*run)(const Settings&, Report&);
};
void run_devices(const Settings&, Report&);
void run_conformance(const Settings&, Report&);
void run_memcheck(const Settings&, Report&);
void run_launches(const Settings&, Report&);
void run_copies(const Settings&, Report&);
void run_bandwidth(const Settings&, Report&);
void run_matmul(const Settings&, Report&);
void run_sums(const Settings&, Report&);

// Measures all cases. One that throws is a fault, and the next one follows.
void measure_all(const bench::Cases& cases, const Settings& settings, Report& report);
// Returns how many runs keep the device busy for a few milliseconds, so that waiting for the last
// one does not count.
int runs_per_batch(const std::function<void()>& run, const std::function<void()>& drain,
                   const Settings& settings);
// c.run queues work of `device`: it is timed until that is done.
void time_until_done(bench::Case& c, const Settings& settings);

class Driver;
// Returns nullptr when the device is simulated or the driver cannot be asked; then the
// report says why.
std::shared_ptr<Driver> open_driver(const Settings& settings, Report& report);
// Returns where a tensor lies in the device's memory, when what was queued for it is done.
void* address(const backplane::Tensor& t);

// Calls f(bp_error**) -> bp_status, and throws the library's sentence when it fails.
template <class F>
void call(F&& f) {
  bp_error* e = nullptr;
  const bp_status status = f(&e);
  if (status >= 0) return;
  const std::string text = e ? bp_error_message(e, nullptr) : bp_status_name(status);
  bp_error_release(e);
  throw std::runtime_error(text);
}

}  // namespace gpu_check
