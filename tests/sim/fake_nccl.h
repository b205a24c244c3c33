// SPDX-License-Identifier: Apache-2.0
// fake_nccl.h: the stand-in library of fake_nccl.cc, as tests see it, and tensors that are on
// several devices.
//
//   const Fake fake;
//   Session session(fake.options());
//   std::vector<T> parts = on_devices(2, BP_F32, {4});
//   ASSERT_EQ(sum(parts).message, "");
#pragma once
#include <dlfcn.h>

#include <complex>
#include <string>
#include <vector>

#include "sim/works.h"

inline std::string nccl(const std::string& name = "nccl") {
  return std::string(FAKE_FOLDER) + "/libfake_" + name + ".so";
}

// The same file as the plugin's. All is forgotten at its end.
class Fake {
 public:
  Fake()
      : file_(dlopen(nccl().c_str(), RTLD_NOW)),
        made_(call("fake_made")),
        exchanges_(call("fake_exchanges")),
        aborted_(call("fake_aborted")),
        overlaps_(call("fake_overlaps")) {}
  ~Fake() {
    EXPECT_EQ(ranks(), 0) << "a communicator was not given back";
    EXPECT_EQ(call("fake_depth"), 0) << "a group was not ended";
    set("fake_version", 22105);
    set("fake_async", 0);
    set("fake_unsettled", 0);
    dlclose(file_);
  }
  Fake(const Fake&) = delete;
  Fake& operator=(const Fake&) = delete;
  static std::string options(const std::string& more = "") {
    return "sim.nccl=" + nccl() + (more.empty() ? "" : ";" + more);
  }

  int ranks() const { return call("fake_ranks"); }
  // Since the beginning of this:
  int made() const { return call("fake_made") - made_; }
  int exchanges() const { return call("fake_exchanges") - exchanges_; }
  int aborted() const { return call("fake_aborted") - aborted_; }
  int overlaps() const { return call("fake_overlaps") - overlaps_; }

  void set(const char* what, int value) const { function<void (*)(int)>(what)(value); }
  void fail_next(const char* name, int status = 1) const {
    function<void (*)(const char*, int)>("fake_answer")(name, status);
  }

 private:
  template <class F>
  F function(const char* name) const {
    return reinterpret_cast<F>(dlsym(file_, name));
  }
  int call(const char* name) const { return function<int (*)()>(name)(); }
  void* file_;
  int made_, exchanges_, aborted_, overlaps_;
};

using Complex = std::complex<double>;

inline bp_device sim(size_t i) { return device("sim:" + std::to_string(i)); }
inline T on(bp_device d, const T& t, bp_dtype dtype = BP_DTYPE_NONE) {
  return made(bp_tensor_to, t.get(), d, dtype, 1u, 0u);
}
inline std::vector<Complex> numbers(const T& t) { return values<Complex>(on(kCpu, t, BP_C128)); }

inline int64_t count_of(const Shape& shape) {
  int64_t n = 1;
  for (const int64_t s : shape) n *= s;
  return n;
}
// Element k on device i is (k % 5 + 1) * 2^i: all sums and their halves are exact in every dtype.
inline double element(int64_t k, size_t i) { return static_cast<double>((k % 5 + 1) << i); }
inline T on_device(size_t i, bp_dtype dtype, const Shape& shape) {
  std::vector<double> v;
  for (int64_t k = 0; k < count_of(shape); ++k) v.push_back(element(k, i));
  v.reserve(1);
  return on(sim(i), tensor<double>(shape, v), dtype);
}
inline std::vector<T> on_devices(size_t n, bp_dtype dtype, const Shape& shape) {
  std::vector<T> all;
  for (size_t i = 0; i < n; ++i) all.push_back(on_device(i, dtype, shape));
  return all;
}
inline Answer reduce(const std::vector<T>& parts, uint32_t mean) {
  const std::vector<bp_tensor*> list = raw(parts);
  return attempt(bp_all_reduce, list.data(), static_cast<uint32_t>(list.size()), mean);
}
inline Answer sum(const std::vector<T>& parts) { return reduce(parts, 0); }
inline Answer mean(const std::vector<T>& parts) { return reduce(parts, 1); }
// What on_devices' become.
inline std::vector<Complex> reduced(size_t n, int64_t count, bool mean = false) {
  std::vector<Complex> all;
  for (int64_t k = 0; k < count; ++k) {
    double s = 0;
    for (size_t i = 0; i < n; ++i) s += element(k, i);
    all.emplace_back(mean ? s / static_cast<double>(n) : s);
  }
  return all;
}
inline void expect_reduced(const std::vector<T>& parts, bool mean = false) {
  for (const T& t : parts)
    EXPECT_EQ(numbers(t), reduced(parts.size(), bp_tensor_numel(t.get()), mean));
}
