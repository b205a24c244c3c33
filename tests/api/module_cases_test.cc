// SPDX-License-Identifier: Apache-2.0
// Each kind of modules against PyTorch: names and shapes of parameters, text, results and
// gradients, on each device. The numbers are in data/module_cases.json; module_cases.py beside it
// made them, and says what is filled with what.
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "kit/dicts.h"
#include "kit/json_attrs.h"
#include "kit/modules.h"

namespace bp_test {
namespace {

using Json = nlohmann::json;

const Json& cases() {
  static const Json all = Json::parse(std::ifstream(API_DATA "/module_cases.json"));
  return all;
}

M module_of(const Json& c, bp_device device) {
  const JsonAttrs attrs(c["attrs"]);
  return made<M>(bp_module_create, c["kind"].get<std::string>().c_str(), attrs.data(), attrs.size(),
                 device, BP_F64);
}

template <class F>
T filled(const Shape& shape, int k, bp_device d, F&& f) {
  int64_t n = 1;
  for (int64_t s : shape) n *= s;
  Doubles v(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i)
    v[static_cast<size_t>(i)] = f(std::sin(1.3 * static_cast<double>(i) + 0.7 * k + 0.2));
  return tensor<double>(shape, v, d);
}
double same(double v) { return v; }

void expect_near(const Doubles& got, const Json& wanted, const std::string& what) {
  ASSERT_EQ(got.size(), wanted.size()) << what;
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], wanted[i].get<double>(), 1e-8 * (1 + std::abs(wanted[i].get<double>())))
        << what << "[" << i << "]";
}

void fill_parameters(bp_module* m, bp_device d) {
  int k = 0;
  for (const auto& [name, p] : listed(m, bp_module_parameter_at)) {
    if (!bp_tensor_shape(p.get())) continue;  // of a lazy module
    const T data = filled(shape_of(p), k++, d, same);
    EXPECT_EQ(bp_tensor_set_data(p.get(), data.get(), nullptr), BP_OK);
  }
}
void fill_buffers(const Json& c, bp_module* m, bp_device d) {
  for (const auto& [name, b] : listed(m, bp_module_buffer_at)) {
    if (name.ends_with("running_mean"))
      bp_tensor_set_data(b.get(), filled(shape_of(b), 50, d, same).get(), nullptr);
    if (name.ends_with("running_var"))
      bp_tensor_set_data(
          b.get(), filled(shape_of(b), 51, d, [](double v) { return std::abs(v) + 0.5; }).get(),
          nullptr);
  }
  for (const auto& [name, v] : c["set_buffers"].items()) {
    const Doubles list = v;
    const Shape shape{static_cast<int64_t>(list.size())};
    const T t = tensor<double>(shape, list, d);
    EXPECT_EQ(bp_module_set_buffer(m, name.c_str(), t.get(), 1, nullptr), BP_OK);
  }
}
std::vector<T> inputs_of(const Json& c, bp_device d) {
  std::vector<T> all;
  for (const Json& x : c["inputs"]) {
    if (x.is_null()) {
      all.emplace_back();
    } else if (x.is_object()) {
      const std::vector<int64_t> v = x["values"];
      const Shape shape = x["shape"];
      all.push_back(to(tensor<int64_t>(shape, v, d), d, x.contains("bool") ? BP_BOOL : BP_I64));
    } else {
      all.push_back(leaf(filled(x, 100 + static_cast<int>(all.size()), d, same)));
    }
  }
  return all;
}
std::vector<T> run(const Json& c, bp_module* m, const std::vector<T>& in) {
  bp_tensor *given[8] = {}, *made[BP_MAX_OUTPUTS] = {};
  for (size_t i = 0; i < in.size(); ++i) given[i] = in[i].get();
  const uint32_t n = c["n_out"];
  const Answer a = attempt(bp_module_forward, m, given, static_cast<uint32_t>(in.size()), made, n);
  EXPECT_EQ(a.status, BP_OK) << a.message;
  std::vector<T> out;
  for (uint32_t i = 0; i < n; ++i) out.emplace_back(made[i]);
  return out;
}
Doubles gradient(const T& t) {
  const T g = grad_of(t);
  return g ? doubles(g) : Doubles{};
}
void walk_back(const std::vector<T>& out, bp_device d) {
  std::vector<T> weights;
  std::vector<bp_tensor*> roots, grads;
  for (size_t o = 0; o < out.size(); ++o) {
    if (!bp_tensor_requires_grad(out[o].get())) continue;
    Doubles w(static_cast<size_t>(bp_tensor_numel(out[o].get())));
    for (size_t i = 0; i < w.size(); ++i)
      w[i] = std::sin(0.9 * static_cast<double>(i) + 0.3 * static_cast<double>(o) + 0.1);
    const Shape shape = shape_of(out[o]);
    weights.push_back(tensor<double>(shape, w, d));
    roots.push_back(out[o].get()), grads.push_back(weights.back().get());
  }
  const Answer a =
      attempt(bp_backward, roots.data(), grads.data(), static_cast<uint32_t>(roots.size()), 0u);
  EXPECT_EQ(a.status, BP_OK) << a.message;
}

void check(const Json& c, bp_device d) {
  M m = module_of(c, d);
  ASSERT_TRUE(m);
  ASSERT_EQ(bp_module_train(m.get(), c["train"].get<bool>(), nullptr), BP_OK);
  fill_parameters(m.get(), d);
  fill_buffers(c, m.get(), d);
  const std::vector<T> in = inputs_of(c, d);
  std::vector<T> out = run(c, m.get(), in);
  if (c["kind"].get<std::string>().starts_with("lazy")) {
    fill_parameters(m.get(), d);
    out = run(c, m.get(), in);
  }
  for (size_t o = 0; o < out.size(); ++o) {
    ASSERT_TRUE(out[o]);
    EXPECT_EQ(shape_of(out[o]), c["shapes"][o].get<Shape>());
    expect_near(doubles(out[o]), c["outputs"][o], "output " + std::to_string(o));
  }
  walk_back(out, d);
  for (const auto& [name, p] : listed(m.get(), bp_module_parameter_at))
    if (c["grads"].contains(name))
      expect_near(gradient(p), c["grads"][name], "gradient of " + name);
    else
      EXPECT_TRUE(gradient(p).empty()) << name;
  for (size_t i = 0; i < in.size(); ++i)
    if (in[i])
      expect_near(gradient(in[i]), c["input_grads"][i], "gradient of input " + std::to_string(i));
  size_t n = 0;
  for (const auto& [name, b] : listed(m.get(), bp_module_buffer_at))
    if (c["buffers"].contains(name)) expect_near(doubles(b), c["buffers"][name], name), ++n;
  EXPECT_EQ(n, c["buffers"].size());
}

TEST(ModuleCases, ParametersHaveTheirNamesAndShapes) {
  for (const Json& c : cases()) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const M m = module_of(c, kCpu);
    if (c["kind"].get<std::string>().starts_with("lazy")) continue;
    Json found = Json::object(), state = Json::object();
    for (const auto& [name, p] : listed(m.get(), bp_module_parameter_at)) {
      found[name] = shape_of(p);
      EXPECT_EQ(bp_tensor_requires_grad(p.get()), 1u);
    }
    state = found;
    for (const auto& [name, b] :
         listed(m.get(), bp_module_buffer_at, BP_MODULE_RECURSE | BP_MODULE_PERSISTENT))
      state[name] = shape_of(b);
    EXPECT_EQ(found, c["parameters"]);
    for (const auto& [name, v] : c["set_buffers"].items())
      state[name] = Shape{static_cast<int64_t>(v.size())};
    EXPECT_EQ(state, c["state"]);
  }
}

// The owner of what a dotted path names, and its name there.
std::pair<M, std::string> owner_of(const M& m, const std::string& path) {
  const size_t dot = path.rfind('.');
  if (dot == path.npos) return {M(bp_module_retain(m.get())), path};
  return {made<M>(bp_module_get_child, m.get(), path.substr(0, dot).c_str()), path.substr(dot + 1)};
}
// After `take` has taken from a module what a path names, forward is refused, or does without, and
// what else looks at the module does.
template <class Take>
void take_each(const Json& c, const std::vector<std::string>& paths, const char* how, Take&& take) {
  for (const std::string& path : paths) {
    SCOPED_TRACE(std::string(how) + " " + path);
    const M m = module_of(c, kCpu);
    if (!c["kind"].get<std::string>().starts_with("lazy")) fill_parameters(m.get(), kCpu);
    const auto [owner, name] = owner_of(m, path);
    EXPECT_EQ(take(owner.get(), name.c_str()), BP_OK);
    const std::vector<T> in = inputs_of(c, kCpu);
    bp_tensor *given[8] = {}, *out[BP_MAX_OUTPUTS] = {};
    for (size_t i = 0; i < in.size(); ++i) given[i] = in[i].get();
    const uint32_t n = c["n_out"];
    const Answer a =
        attempt(bp_module_forward, m.get(), given, static_cast<uint32_t>(in.size()), out, n);
    EXPECT_TRUE(a.status == BP_OK || a.status == BP_INVALID_ARGUMENT) << a.message;
    for (bp_tensor* t : out) bp_tensor_release(t);
    char text[4096];
    EXPECT_EQ(bp_module_format(m.get(), text, sizeof text, nullptr, nullptr), BP_OK);
    EXPECT_TRUE(made<M>(bp_module_clone, m.get()));
    EXPECT_TRUE(made<D>(bp_module_state_dict, m.get(), ""));
    EXPECT_EQ(bp_module_to(m.get(), kCpu, BP_F32, 0, nullptr), BP_OK);
  }
}
TEST(ModuleCases, DoWithoutWhatIsTakenAwayOrRefuseIt) {
  for (const Json& c : cases()) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const M m = module_of(c, kCpu);
    std::vector<std::string> parameters, buffers, children;
    for (const auto& [name, p] : listed(m.get(), bp_module_parameter_at))
      parameters.push_back(name);
    for (const auto& [name, b] : listed(m.get(), bp_module_buffer_at)) buffers.push_back(name);
    char name[256];
    bp_module* child = nullptr;
    for (uint32_t i = 0; bp_module_child_at(m.get(), BP_MODULE_RECURSE, i, name, sizeof name,
                                            nullptr, &child, nullptr) == BP_OK;
         ++i) {
      bp_module_release(child);
      if (*name) children.emplace_back(name);
    }
    const auto remove = [](bp_module* o, const char* n) { return bp_module_remove(o, n, nullptr); };
    take_each(c, parameters, "remove", remove);
    take_each(c, buffers, "remove", remove);
    take_each(c, children, "remove", remove);
    take_each(c, parameters, "empty", [](bp_module* o, const char* n) {
      return bp_module_set_parameter(o, n, nullptr, nullptr);
    });
    take_each(c, buffers, "empty", [](bp_module* o, const char* n) {
      return bp_module_set_buffer(o, n, nullptr, 1, nullptr);
    });
    take_each(c, children, "empty", [](bp_module* o, const char* n) {
      return bp_module_set_child(o, n, nullptr, nullptr);
    });
    take_each(c, children, "replace", [](bp_module* o, const char* n) {
      return bp_module_set_child(o, n, module("identity").get(), nullptr);
    });
  }
}

TEST(ModuleCases, PrintAsPyTorchPrints) {
  for (const Json& c : cases()) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const M m = module_of(c, kCpu);
    char text[4096];
    ASSERT_EQ(bp_module_format(m.get(), text, sizeof text, nullptr, nullptr), BP_OK);
    EXPECT_EQ(std::string(text), c["text"].get<std::string>());
  }
}

TEST(ModuleCases, ComputePyTorchsNumbersOnTheCpu) {
  ASSERT_GT(cases().size(), 50u);
  for (const Json& c : cases()) {
    SCOPED_TRACE(c["name"].get<std::string>());
    check(c, kCpu);
  }
}

TEST(ModuleCases, ComputePyTorchsNumbersOnAnAccelerator) {
  if (!has_kind("sim")) GTEST_SKIP() << "the sim backend is not built";
  for (const Json& c : cases()) {
    SCOPED_TRACE(c["name"].get<std::string>());
    check(c, device("sim:1"));
  }
}

TEST(ModuleCases, EveryKindIsAmongThem) {
  std::map<std::string, bool> seen;
  for (const Json& c : cases()) seen[c["kind"]] = true;
  std::string missing;
  for (uint32_t i = 0; i < bp_module_kind_count(); ++i) {
    bp_module_kind_info k{};
    k.struct_size = sizeof k;
    ASSERT_EQ(bp_module_kind_at(i, &k, nullptr), BP_OK);
    if (!seen[k.name]) missing += std::string(missing.empty() ? "" : " ") + k.name;
  }
  // Made of others, equal to a case but for the number of dimensions, or tested in module_test.cc.
  EXPECT_EQ(
      missing,
      "sequential module_list module_dict lazy_conv1d lazy_conv3d conv_transpose3d max_pool3d avg_pool3d "
      "adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool3d dropout1d dropout2d transformer_encoder bce_loss");
}

}  // namespace
}  // namespace bp_test
