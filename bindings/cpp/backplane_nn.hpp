// SPDX-License-Identifier: Apache-2.0
// backplane_nn.hpp: modules. Include backplane.hpp.
//
// A Module is a counted handle: copies share it. nn::Linear and its like (backplane_layers.hpp) are
// modules whose kind and attributes the compiler checks; by name goes what the library lists.
//
//   namespace nn = bp::nn;
//   bp::Module net = nn::Sequential(nn::Linear(784, 256), nn::ReLU(), nn::Linear(256, 10));
//   bp::Module same = bp::sequential({bp::linear(784, 256), bp::Module("relu"), bp::linear(256, 10)});
//   net.to("cuda:0");                         // in place: parameters stay the same tensors
//   bp::Tensor scores = net(images);
//   std::cout << net << '\n';
#ifndef BACKPLANE_NN_HPP
#define BACKPLANE_NN_HPP

#include <functional>

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
    handle_.reset(m);
  }
  static Module adopt(bp_module* owned) { return Module(owned); }
  static Module share(bp_module* borrowed) { return Module(bp_module_retain(borrowed)); }
  // Makes a module whose forward is the caller's. It gets the module, for what is inside it.
  using Forward = std::function<Tensor(const Module&, const std::vector<Tensor>&)>;
  static Module custom(const std::string& title, Forward forward);
  // Puts the caller's forward in the place of the module's; nullptr puts the kind's own back.
  void set_forward(Forward forward);
  // Calls hook(module, inputs) before each forward; the tensors that it returns take the inputs'
  // places, unless it returns nothing. Returns the hook's id.
  using PreHook = std::function<std::vector<Tensor>(const Module&, const std::vector<Tensor>&)>;
  std::uint64_t register_forward_pre_hook(PreHook hook);
  // Calls hook(module, inputs, outputs) after each forward, in the same way.
  using Hook = std::function<std::vector<Tensor>(const Module&, const std::vector<Tensor>& inputs,
                                                 const std::vector<Tensor>& outputs)>;
  std::uint64_t register_forward_hook(Hook hook);
  void remove_hook(std::uint64_t id) {
    detail::call([&](bp_error** e) { return bp_module_remove_hook(get(), id, e); });
  }
  bp_module* get() const noexcept { return handle_.get(); }

  Tensor operator()(const Tensor& x) const { return forward({x}, 1)[0]; }
  Tensor operator()(const Tensor& x, const Tensor& y) const { return forward({x, y}, 1)[0]; }
  // An empty Tensor{} stands for an input that is not given.
  std::vector<Tensor> forward(const std::vector<Tensor>& inputs, std::uint32_t n_out) const {
    return run(bp_module_forward, inputs, n_out);
  }
  // The kind's own forward, without hooks and without what set_forward put in its place.
  std::vector<Tensor> kind_forward(const std::vector<Tensor>& inputs, std::uint32_t n_out) const {
    return run(bp_module_kind_forward, inputs, n_out);
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
  // The children by name; with `recurse` the module itself, named "", and every module inside.
  std::vector<std::pair<std::string, Module>> named_children(bool recurse = false) const {
    const std::uint32_t flags = recurse ? std::uint32_t{BP_MODULE_RECURSE} : 0;
    std::uint32_t n = 0;
    detail::call([&](bp_error** e) { return bp_module_child_count(get(), flags, &n, e); });
    std::vector<std::pair<std::string, Module>> all;
    for (std::uint32_t i = 0; i < n; ++i) {
      char name[512];
      bp_module* m = nullptr;
      detail::call([&](bp_error** e) {
        return bp_module_child_at(get(), flags, i, name, sizeof name, nullptr, &m, e);
      });
      all.emplace_back(name, Module(m));
    }
    return all;
  }
  std::vector<std::pair<std::string, Module>> named_modules() const { return named_children(true); }
  // Calls fn for every module inside, children first and the module itself last. What it throws
  // comes out as it was.
  const Module& apply(const std::function<void(Module&)>& fn) const;
  // Removes a parameter, buffer or child; one that the kind made stays, empty.
  void remove(const std::string& name) {
    detail::call([&](bp_error** e) { return bp_module_remove(get(), detail::c_text(name), e); });
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
  // Moves only what is on device `from` and of dtype `of`; {} and BP_DTYPE_NONE are any.
  Module& move(Device from, bp_dtype of, Device device, bp_dtype dtype = BP_DTYPE_NONE) {
    detail::call([&](bp_error** e) {
      return bp_module_move(get(), from.value(), of, device.value(), dtype, 0, e);
    });
    return *this;
  }
  Module& requires_grad_(bool on = true) {
    detail::call([&](bp_error** e) { return bp_module_requires_grad(get(), on, e); });
    return *this;
  }
  Module& train(bool on = true) {
    detail::call([&](bp_error** e) { return bp_module_train(get(), on, e); });
    return *this;
  }
  Module& eval() { return train(false); }
  // Sets the mode of the module alone.
  void set_training(bool on) {
    detail::call([&](bp_error** e) { return bp_module_set_training(get(), on, e); });
  }
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
  std::string title() const { return bp_module_title(get()); }  // as it is printed
  // Attribute i of the kind, as this module has it. Texts and lists are the module's.
  bp_attr attribute(std::uint32_t i) const {
    bp_attr a{};
    detail::call([&](bp_error** e) { return bp_module_attr(get(), i, &a, e); });
    return a;
  }
  // What str() has between the module's own brackets.
  std::string extra() const {
    return detail::text([&](char* buf, std::uint64_t n, std::uint64_t* needed, bp_error** e) {
      return bp_module_extra(get(), buf, n, needed, e);
    });
  }
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
  explicit Module(bp_module* owned) : handle_(owned) {}
  std::vector<Tensor> run(decltype(bp_module_forward)* f, const std::vector<Tensor>& inputs,
                          std::uint32_t n_out) const {
    const auto in = detail::borrowed(inputs);
    return detail::adopted(n_out, [&](bp_tensor** out, bp_error** e) {
      return f(get(), in.data(), detail::length(in), out, n_out, e);
    });
  }
  std::uint64_t add_hook(bool before, Hook hook);
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
  detail::Handle<bp_module, bp_module_retain, bp_module_release> handle_;
};
inline std::ostream& operator<<(std::ostream& out, const Module& m) { return out << m.str(); }

namespace detail {

inline bp_status call_forward(void* user, bp_module* m, bp_tensor* const* inputs,
                              std::uint32_t n_in, bp_tensor** outputs, std::uint32_t n_out,
                              bp_error** err) {
  return guarded(err, nullptr, [&] {
    if (n_out != 1) throw Error(BP_INVALID_ARGUMENT, "a forward in C++ has one output");
    outputs[0] =
        (*static_cast<Module::Forward*>(user))(Module::share(m), shared(inputs, n_in)).release();
    return bp_status{BP_OK};
  });
}
inline bp_status call_hook(void* user, bp_module* m, bp_tensor* const* inputs, std::uint32_t n_in,
                           bp_tensor** outputs, std::uint32_t n_out, bp_error** err) {
  return guarded(err, nullptr, [&] {
    std::vector<Tensor> made = (*static_cast<Module::Hook*>(user))(
        Module::share(m), shared(inputs, n_in), shared(outputs, n_out));
    if (!made.empty() && made.size() != n_out)
      throw Error(BP_INVALID_ARGUMENT, "a hook gave " + std::to_string(made.size()) +
                                           " tensors for " + std::to_string(n_out));
    for (std::size_t i = 0; i < made.size(); ++i) {
      bp_tensor_release(outputs[i]);
      outputs[i] = made[i].release();
    }
    return bp_status{BP_OK};
  });
}

}  // namespace detail

inline std::uint64_t Module::add_hook(bool before, Hook hook) {
  auto kept = std::make_unique<Hook>(std::move(hook));
  std::uint64_t id = 0;
  detail::call([&](bp_error** e) {
    return bp_module_add_hook(
        get(), before, detail::call_hook, kept.get(),
        [](void* user) { delete static_cast<Hook*>(user); }, &id, e);
  });
  static_cast<void>(kept.release());
  return id;
}
inline std::uint64_t Module::register_forward_hook(Hook hook) {
  return add_hook(/*before=*/false, std::move(hook));
}
inline std::uint64_t Module::register_forward_pre_hook(PreHook hook) {
  return add_hook(
      /*before=*/true,
      [hook = std::move(hook)](const Module& m, const std::vector<Tensor>&,
                               const std::vector<Tensor>& inputs) { return hook(m, inputs); });
}
inline void Module::set_forward(Forward forward) {
  if (!forward) {
    detail::call(
        [&](bp_error** e) { return bp_module_set_forward(get(), nullptr, nullptr, nullptr, e); });
    return;
  }
  auto kept = std::make_unique<Forward>(std::move(forward));
  detail::call([&](bp_error** e) {
    return bp_module_set_forward(
        get(), detail::call_forward, kept.get(),
        [](void* user) { delete static_cast<Forward*>(user); }, e);
  });
  static_cast<void>(kept.release());
}
inline const Module& Module::apply(const std::function<void(Module&)>& fn) const {
  struct Visit {
    const std::function<void(Module&)>& fn;
    std::exception_ptr thrown;
  } visit{fn, nullptr};
  const auto visited = [](void* user, bp_module* m, bp_error** err) -> bp_status {
    auto& v = *static_cast<Visit*>(user);
    return detail::guarded(err, &v.thrown, [&] {
      Module module = Module::share(m);
      v.fn(module);
      return bp_status{BP_OK};
    });
  };
  try {
    detail::call([&](bp_error** e) { return bp_module_apply(get(), visited, &visit, e); });
  } catch (const Error&) {
    if (visit.thrown) std::rethrow_exception(visit.thrown);
    throw;
  }
  return *this;
}

// Between its two ends this thread is inside m, so that errors of modules in it have the whole
// path; for modules that run without forward.
class InModule {
 public:
  explicit InModule(const Module& m) {
    detail::call([&](bp_error** e) { return bp_module_enter(m.get(), &token_, e); });
  }
  ~InModule() { bp_module_leave(token_, nullptr); }
  InModule(const InModule&) = delete;
  InModule& operator=(const InModule&) = delete;
  // The module inside which this thread is, "net.0 (Linear)"; "" when it is in none.
  static std::string where() {
    return detail::text([](char* buf, std::uint64_t n, std::uint64_t* needed, bp_error** e) {
      return bp_module_where(buf, n, needed, e);
    });
  }

 private:
  std::uint64_t token_ = 0;
};

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
