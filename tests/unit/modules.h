// modules.h: short words for tests of modules through the C API.
//
//   M net = module("linear", {size("in_features", 3), size("out_features", 1)});
//   T y = run(net, x);
#pragma once
#include <initializer_list>

#include "tensors.h"

namespace bp_test {

struct ReleaseModule {
  void operator()(bp_module* m) const { bp_module_release(m); }
};
using M = std::unique_ptr<bp_module, ReleaseModule>;

inline bp_attr attr(const char* name, int64_t v, bp_attr_kind kind = BP_ATTR_I64) {
  return {name, kind, 1, {.i64 = v}, 0};
}
inline bp_attr attr(const char* name, double v) { return {name, BP_ATTR_F64, 1, {.f64 = v}, 0}; }

inline M module(const char* kind, std::initializer_list<bp_attr> attrs = {},
                bp_device device = kCpu, bp_dtype dtype = BP_DTYPE_NONE) {
  bp_module* m = nullptr;
  bp_error* e = nullptr;
  const bp_status status = bp_module_create(
      kind, attrs.begin(), static_cast<uint32_t>(attrs.size()), device, dtype, &m, &e);
  EXPECT_EQ(status, BP_OK) << bp_error_message(e, nullptr);
  bp_error_release(e);
  return M(m);
}
inline M linear(int64_t in, int64_t out, bp_device device = kCpu) {
  return module("linear", {attr("in_features", in), attr("out_features", out)}, device);
}
inline void append(const M& m, const M& child) {
  EXPECT_EQ(bp_module_append(m.get(), child.get(), nullptr), BP_OK);
}
template <class... Children>
M sequential(const Children&... children) {
  M m = module("sequential");
  (append(m, children), ...);
  return m;
}

inline Refusal fails(const M& m, const T& x) {
  bp_tensor *in[] = {x.get()}, *out = nullptr;
  return attempt(bp_module_forward, m.get(), static_cast<bp_tensor* const*>(in), 1u, &out, 1u);
}
inline T run(const M& m, const T& x) {
  bp_tensor *in[] = {x.get()}, *out = nullptr;
  bp_error* e = nullptr;
  EXPECT_EQ(bp_module_forward(m.get(), in, 1, &out, 1, &e), BP_OK) << bp_error_message(e, nullptr);
  bp_error_release(e);
  return T(out);
}
inline T named(const M& m, const char* path) { return made(bp_module_get, m.get(), path); }

using List = bp_status (*)(bp_module*, uint32_t, uint32_t, char*, uint64_t, uint64_t*, bp_tensor**,
                           bp_error**);
inline std::vector<std::pair<std::string, T>> listed(bp_module* m, List at,
                                                     uint32_t flags = BP_MODULE_RECURSE) {
  std::vector<std::pair<std::string, T>> all;
  char name[256];
  bp_tensor* t = nullptr;
  for (uint32_t i = 0; at(m, flags, i, name, sizeof name, nullptr, &t, nullptr) == BP_OK; ++i)
    all.emplace_back(name, T(t));
  return all;
}
inline std::string names(const M& m, List at, uint32_t flags = BP_MODULE_RECURSE) {
  std::string all;
  for (const auto& [name, t] : listed(m.get(), at, flags)) all += (all.empty() ? "" : " ") + name;
  return all;
}
template <class F>
std::string text_of(F&& f) {
  std::vector<char> buf(1 << 16);
  EXPECT_EQ(f(buf.data(), static_cast<uint64_t>(buf.size())), BP_OK);
  return buf.data();
}
inline std::string text(const M& m) {
  return text_of(
      [&](char* b, uint64_t n) { return bp_module_format(m.get(), b, n, nullptr, nullptr); });
}
inline bp_device sim_device(int32_t index) {
  bp_device d = 0;
  EXPECT_EQ(bp_device_parse(("sim:" + std::to_string(index)).c_str(), &d, nullptr), BP_OK);
  return d;
}
inline bool has_sim() {
  int32_t n = 0;
  return bp_kind_require(bp_device_kind(sim_device(0)), &n, nullptr) >= 0;
}
inline T grad_of(const T& t) {
  bp_tensor* g = nullptr;
  EXPECT_EQ(bp_tensor_grad(t.get(), &g, nullptr), BP_OK);
  return T(g);
}
inline T on_cpu(const T& t) { return made(bp_tensor_to, t.get(), kCpu, BP_DTYPE_NONE, 0u, 0u); }

}  // namespace bp_test
