// part.h: gpu_check is made of parts. Each runs as a process of its own under its own time limit,
// so that a driver that hangs or crashes takes one part along and not the others; what it found
// until then is on disk.
//
//   void run_copies(const Settings& s, Report& r) {
//     r.say("plain text for people");
//     measure_all(cases, s, r);          // a row of the table and of the JSON for each
//     if (wrong) r.fault("what is wrong");   // the check as a whole fails
//   }
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "backplane.hpp"
#include "case.h"

namespace gpu_check {

struct Settings {
  std::string kind = "cuda";
  std::string program;  // this one's path; the others lie beside it
  std::string python = "python3";
  bool brief = false;  // small data, few rounds: shows that everything runs

  backplane::Device device() const { return backplane::Device(kind + ":0"); }
  bool simulated() const {
    return (backplane::device_info(device()).flags & BP_DEVICE_SIMULATED) != 0;
  }
  std::string beside(const std::string& name) const {
    return program.substr(0, program.rfind('/') + 1) + name;
  }
};

// What a part found. Everything said is printed at once and is in the file after each call.
class Report {
 public:
  explicit Report(std::string path);
  void measured(const bench::Result& result);
  void say(const std::string& line);
  void fault(const std::string& line);  // "FAILED: ..."
  void skip(const std::string& why);    // the part as a whole
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

// A case that throws is a fault, and the next one follows.
void measure_all(const bench::Cases& cases, const Settings& settings, Report& report);
// How many runs keep the device busy for a few milliseconds, so that waiting for the last one does
// not count.
int runs_per_batch(const std::function<void()>& run, const std::function<void()>& drain,
                   const Settings& settings);
// c.run is queued work of `device`: timed until it is done.
void time_until_done(bench::Case& c, const Settings& settings);

class Driver;
// Null: the device is simulated, or the report says why.
std::shared_ptr<Driver> open_driver(const Settings& settings, Report& report);
// Where a tensor lies in the device's memory; what was queued for it is done.
void* address(const backplane::Tensor& t);

// f(bp_error**) -> bp_status; throws the library's sentence.
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
