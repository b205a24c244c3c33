// SPDX-License-Identifier: Apache-2.0
// backplane_nn.hpp: modules. Include backplane.hpp.
//
// A Module is a counted handle: copies share it. Kinds and their attributes go by name, as the
// library lists them.
//
//   bp::Module net = bp::sequential({bp::linear(784, 256), bp::Module("relu"), bp::linear(256, 10)});
//   net.to("cuda:0");                         // in place: parameters stay the same tensors
//   bp::Tensor scores = net(images);
//   std::cout << net << '\n';
#ifndef BACKPLANE_NN_HPP
#define BACKPLANE_NN_HPP

#include <functional>
#include <initializer_list>

#include "backplane_attr.hpp"
#include "backplane_io.hpp"

namespace backplane {

class Module {
 public:
  // Makes a module of a built-in kind.
  explicit Module(const std::string& kind, const Attrs& attrs = {}, Device device = {},
                  bp_dtype dtype = BP_DTYPE_NONE) {
    const auto given = detail::borrowed(attrs);
    bp_module* m = nullptr;
    detail::call([&](bp_error** e) {
      return bp_module_create(detail::c_text(kind), given.data(), detail::length(given),
                              device.value(), dtype, &m, e);
    });
    handle_.reset(m, bp_module_release);
  }
  static Module adopt(bp_module* owned) { return Module(owned); }
  // Makes a module whose forward is the caller's. It gets the module, for what is inside it.
  using Forward = std::function<Tensor(const Module&, const std::vector<Tensor>&)>;
  static Module custom(const std::string& title, Forward forward);
  bp_module* get() const noexcept { return handle_.get(); }

  Tensor operator()(const Tensor& x) const { return forward({x}, 1)[0]; }
  Tensor operator()(const Tensor& x, const Tensor& y) const { return forward({x, y}, 1)[0]; }
  // An empty Tensor{} stands for an input that is not given.
  std::vector<Tensor> forward(const std::vector<Tensor>& inputs, std::uint32_t n_out) const {
    std::vector<bp_tensor*> in, out(n_out);
    for (const Tensor& t : inputs) in.push_back(t.get());
    detail::call([&](bp_error** e) {
      return bp_module_forward(get(), in.data(), static_cast<std::uint32_t>(in.size()), out.data(),
                               n_out, e);
    });
    std::vector<Tensor> made;
    for (bp_tensor* t : out) made.push_back(Tensor::adopt(t));
    return made;
  }

  Tensor operator[](const std::string& path) const {
    bp_tensor* t = nullptr;
    detail::call([&](bp_error** e) { return bp_module_get(get(), detail::c_text(path), &t, e); });
    return Tensor::adopt(t);
  }
  Module child(const std::string& path) const {
    bp_module* m = nullptr;
    detail::call(
        [&](bp_error** e) { return bp_module_get_child(get(), detail::c_text(path), &m, e); });
    return Module(m);
  }
  void append(const Module& child) {
    detail::call([&](bp_error** e) { return bp_module_append(get(), child.get(), e); });
  }
  void set_child(const std::string& name, const Module& child) {
    detail::call([&](bp_error** e) {
      return bp_module_set_child(get(), detail::c_text(name), child.get(), e);
    });
  }
  void set_parameter(const std::string& name, const Tensor& t) {
    detail::call([&](bp_error** e) {
      return bp_module_set_parameter(get(), detail::c_text(name), t.get(), e);
    });
  }
  void set_buffer(const std::string& name, const Tensor& t, bool persistent = true) {
    detail::call([&](bp_error** e) {
      return bp_module_set_buffer(get(), detail::c_text(name), t.get(), persistent, e);
    });
  }
  // Parameters by path; one that is in several places is listed once.
  std::vector<std::pair<std::string, Tensor>> named_parameters() const {
    return listed(bp_module_parameter_count, bp_module_parameter_at);
  }
  std::vector<std::pair<std::string, Tensor>> named_buffers() const {
    return listed(bp_module_buffer_count, bp_module_buffer_at);
  }
  std::vector<Tensor> parameters() const {
    std::vector<Tensor> all;
    for (auto& [name, t] : named_parameters()) all.push_back(t);
    return all;
  }

  Module& to(Device device, bp_dtype dtype = BP_DTYPE_NONE) {
    detail::call([&](bp_error** e) { return bp_module_to(get(), device.value(), dtype, 0, e); });
    return *this;
  }
  Module& to(bp_dtype dtype) { return to(Device(), dtype); }
  Module& train(bool on = true) {
    detail::call([&](bp_error** e) { return bp_module_train(get(), on, e); });
    return *this;
  }
  Module& eval() { return train(false); }
  bool is_training() const noexcept { return bp_module_is_training(get()) != 0; }
  void zero_grad() {
    detail::call([&](bp_error** e) { return bp_module_zero_grad(get(), 0, e); });
  }
  Module clone() const {
    bp_module* m = nullptr;
    detail::call([&](bp_error** e) { return bp_module_clone(get(), &m, e); });
    return Module(m);
  }

  Dict state_dict() const {
    bp_dict* d = nullptr;
    detail::call([&](bp_error** e) { return bp_module_state_dict(get(), "", &d, e); });
    return Dict::adopt(d);
  }
  // Returns which names were missing or not known; if `strict`, throws for them.
  std::string load_state_dict(const Dict& from, bool strict = true) {
    std::string text(4096, '\0');
    std::uint64_t n = 0;
    const std::uint32_t flags = strict ? std::uint32_t{BP_LOAD_STRICT} : 0;
    detail::call([&](bp_error** e) {
      return bp_module_load_state_dict(get(), from.get(), flags, &text[0], text.size(), &n, e);
    });
    text.resize(n < text.size() ? n : text.size() - 1);
    return text;
  }

  void set_name(const std::string& name) {
    detail::call([&](bp_error** e) { return bp_module_set_name(get(), detail::c_text(name), e); });
  }
  std::string kind() const { return bp_module_kind(get()); }
  std::string str() const {
    return detail::text([&](char* buf, std::uint64_t n, std::uint64_t* needed, bp_error** e) {
      return bp_module_format(get(), buf, n, needed, e);
    });
  }
  std::string summary(const std::vector<Tensor>& inputs = {}) const {
    std::vector<bp_tensor*> in;
    for (const Tensor& t : inputs) in.push_back(t.get());
    return detail::text([&](char* buf, std::uint64_t n, std::uint64_t* needed, bp_error** e) {
      return bp_module_summary(get(), in.data(), static_cast<std::uint32_t>(in.size()), buf, n,
                               needed, e);
    });
  }

 private:
  explicit Module(bp_module* owned) : handle_(owned, bp_module_release) {}
  template <class Count, class At>
  std::vector<std::pair<std::string, Tensor>> listed(Count count, At at) const {
    std::uint32_t n = 0;
    detail::call([&](bp_error** e) { return count(get(), BP_MODULE_RECURSE, &n, e); });
    std::vector<std::pair<std::string, Tensor>> all;
    for (std::uint32_t i = 0; i < n; ++i) {
      char name[512];
      bp_tensor* t = nullptr;
      detail::call([&](bp_error** e) {
        return at(get(), BP_MODULE_RECURSE, i, name, sizeof name, nullptr, &t, e);
      });
      Tensor owned = Tensor::adopt(t);
      all.emplace_back(name, std::move(owned));
    }
    return all;
  }
  std::shared_ptr<bp_module> handle_;
};
inline std::ostream& operator<<(std::ostream& out, const Module& m) { return out << m.str(); }

namespace detail {

inline bp_status call_forward(void* user, bp_module* m, bp_tensor* const* inputs,
                              std::uint32_t n_in, bp_tensor** outputs, std::uint32_t n_out,
                              bp_error** err) {
  try {
    std::vector<Tensor> in;
    for (std::uint32_t i = 0; i < n_in; ++i)
      in.push_back(Tensor::adopt(bp_tensor_retain(inputs[i])));
    if (n_out != 1)
      return bp_error_set(err, BP_INVALID_ARGUMENT, "a forward in C++ has one output");
    outputs[0] =
        (*static_cast<Module::Forward*>(user))(Module::adopt(bp_module_retain(m)), in).release();
    return BP_OK;
  } catch (const Error& e) {
    return bp_error_set(err, e.status(), e.what());
  } catch (const std::exception& e) {
    return bp_error_set(err, BP_CALLBACK, e.what());
  }
}

}  // namespace detail

inline Module Module::custom(const std::string& title, Forward forward) {
  auto kept = std::make_unique<Forward>(std::move(forward));
  bp_module_desc desc{};
  desc.struct_size = sizeof desc;
  desc.title = detail::c_text(title);
  desc.forward = detail::call_forward;
  desc.user = kept.get();
  desc.destroy = [](void* user) { delete static_cast<Forward*>(user); };
  bp_module* m = nullptr;
  detail::call([&](bp_error** e) { return bp_module_custom(&desc, &m, e); });
  static_cast<void>(kept.release());  // destroy deletes it
  return Module(m);
}

inline Module linear(std::int64_t in_features, std::int64_t out_features, bool bias = true,
                     Device device = {}) {
  return Module("linear",
                {{"in_features", in_features}, {"out_features", out_features}, {"bias", bias}},
                device);
}
inline Module sequential(std::initializer_list<Module> modules) {
  Module all("sequential");
  for (const Module& m : modules) all.append(m);
  return all;
}

}  // namespace backplane
#endif
