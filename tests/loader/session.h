// session.h: one runtime from bp_init to bp_shutdown with the options of a test, and what the tests
// ask of it. Reads no environment unless told to.
//
//   Session s({.plugin_dirs = fault_directory("probe_fails")});
//   Fault f = s.require("broken");   // f.status, f.text
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "c_api.h"

struct Fault {
  bp_status status = BP_OK;
  std::string text;
};

// Runs a call that takes `bp_error **err` last, and keeps what it says.
template <class F>
Fault call(F&& f) {
  bp_error* err = nullptr;
  Fault fault;
  fault.status = f(&err);
  fault.text = bp_error_message(err, nullptr);
  bp_error_release(err);
  return fault;
}

struct Entry {
  int32_t stage;
  bp_status status;
  uint32_t n_devices;
  std::string kind, path, version, cause, remedy;
};

inline std::vector<Entry> report() {
  bp_report* r = nullptr;
  EXPECT_EQ(bp_report_create(&r, nullptr), BP_OK);
  std::vector<Entry> entries;
  for (uint32_t i = 0; i < bp_report_count(r); ++i) {
    bp_report_entry e{};
    e.struct_size = sizeof e;
    EXPECT_EQ(bp_report_get(r, i, &e, nullptr), BP_OK);
    entries.push_back(
        {e.stage, e.status, e.n_devices, e.kind, e.path, e.version, e.cause, e.remedy});
  }
  bp_report_release(r);
  return entries;
}

// The first entry of a kind; of a path when `path` is given.
inline Entry entry_of(const std::string& kind, const std::string& path = "") {
  for (Entry& e : report())
    if (e.kind == kind && (path.empty() || e.path == path)) return e;
  ADD_FAILURE() << "the report has no entry of kind '" << kind << "'";
  return {};
}

inline bp_device device(const std::string& text) {
  bp_device d = 0;
  const Fault f = call([&](bp_error** err) { return bp_device_parse(text.c_str(), &d, err); });
  EXPECT_EQ(f.status, BP_OK) << f.text;
  return d;
}
inline bp_kind kind(const std::string& name) { return bp_device_kind(device(name)); }

inline Fault require(const std::string& name) {
  return call([&](bp_error** err) { return bp_kind_require(kind(name), nullptr, err); });
}
inline int32_t count(const std::string& name) {
  int32_t n = -1;
  const Fault f = call([&](bp_error** err) { return bp_device_count(kind(name), &n, err); });
  EXPECT_EQ(f.status, BP_OK) << f.text;
  return n;
}
// Opens the device, too.
inline Fault synchronize(const std::string& text) {
  return call([&](bp_error** err) { return bp_synchronize(device(text), err); });
}

inline std::string fault_directory(const std::string& fault) {
  return std::string(LOADER_FAULTS) + "/" + fault;
}
inline std::string fault_file(const std::string& fault) {
  return fault_directory(fault) + "/libbackplane_broken.so";
}

struct Setup {
  std::string plugin_dirs{}, allow{}, options{};
  const char* visible_devices = nullptr;
  const char* alias = nullptr;
  uint32_t flags = BP_INIT_NO_ENV;
};

class Session {
 public:
  explicit Session(Setup setup) : setup_(std::move(setup)) {
    bp_init_desc desc{};
    desc.struct_size = sizeof desc;
    desc.flags = setup_.flags;
    desc.plugin_dirs = setup_.plugin_dirs.c_str();
    desc.allow = setup_.allow.c_str();
    desc.options = setup_.options.c_str();
    desc.visible_devices = setup_.visible_devices;
    desc.alias = setup_.alias;
    desc.log = [](void* user, int32_t, const char* text, uint64_t length) {
      static_cast<Session*>(user)->log_.emplace_back(text, length);
    };
    desc.log_user = this;
    const Fault f = call([&](bp_error** err) { return bp_init(&desc, err); });
    EXPECT_EQ(f.status, BP_OK) << f.text;
  }
  ~Session() { EXPECT_EQ(bp_shutdown(0, nullptr), BP_OK); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  size_t log_lines_with(const std::string& words) const {
    size_t n = 0;
    for (const std::string& line : log_) n += line.find(words) != std::string::npos;
    return n;
  }

 private:
  Setup setup_;
  std::vector<std::string> log_;
};

// One fault leaves every other backend working.
inline void expect_others_work() {
  EXPECT_EQ(synchronize("cpu").status, BP_OK) << synchronize("cpu").text;
  EXPECT_EQ(synchronize("null:0").status, BP_OK) << synchronize("null:0").text;
}

inline bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}
