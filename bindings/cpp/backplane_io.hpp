// SPDX-License-Identifier: Apache-2.0
// backplane_io.hpp: named tensors, and files of them: safetensors and NumPy's .npz. Include
// backplane.hpp.
//
//   bp::Dict weights = {{"w", w}, {"b", b}};
//   bp::save_safetensors(weights, "model.safetensors");
//   bp::Tensor w = bp::load_safetensors("model.safetensors", "cuda:0").get("w");
#ifndef BACKPLANE_IO_HPP
#define BACKPLANE_IO_HPP

#include <initializer_list>

#include "backplane_base.hpp"
#include "backplane_tensor.hpp"

namespace backplane {

// Named tensors in order, and named text beside them. A counted handle: copies share it.
class Dict {
 public:
  Dict() {
    bp_dict* d = nullptr;
    detail::call([&](bp_error** e) { return bp_dict_create(&d, e); });
    handle_.reset(d);
  }
  Dict(std::initializer_list<std::pair<std::string, Tensor>> tensors) : Dict() {
    for (const auto& [name, tensor] : tensors) set(name, tensor);
  }
  static Dict adopt(bp_dict* owned) { return Dict(owned); }
  bp_dict* get() const noexcept { return handle_.get(); }

  std::uint64_t size() const noexcept { return bp_dict_size(get()); }
  bool empty() const noexcept { return size() == 0; }
  void set(const std::string& name, const Tensor& t) {
    detail::call(
        [&](bp_error** e) { return bp_dict_set(get(), detail::c_text(name), t.get(), e); });
  }
  // Throws BP_NOT_FOUND with the nearest name.
  Tensor get(const std::string& name) const {
    bp_tensor* t = nullptr;
    detail::call([&](bp_error** e) { return bp_dict_get(get(), detail::c_text(name), &t, e); });
    return Tensor::adopt(t);
  }
  bool contains(const std::string& name) const {
    bp_tensor* t = nullptr;
    const bool there = bp_dict_get(get(), detail::c_text(name), &t, nullptr) == BP_OK;
    bp_tensor_release(t);
    return there;
  }
  void remove(const std::string& name) {
    detail::call([&](bp_error** e) { return bp_dict_remove(get(), detail::c_text(name), e); });
  }
  // All entries, in order.
  std::vector<std::pair<std::string, Tensor>> items() const {
    std::vector<std::pair<std::string, Tensor>> all;
    for (std::uint64_t i = 0, n = size(); i < n; ++i) {
      const char* name = nullptr;
      bp_tensor* t = nullptr;
      detail::call([&](bp_error** e) { return bp_dict_at(get(), i, &name, &t, e); });
      Tensor owned = Tensor::adopt(t);
      all.emplace_back(name, std::move(owned));
    }
    return all;
  }

  void set_meta(const std::string& key, const std::string& text) {
    detail::call([&](bp_error** e) {
      return bp_dict_set_meta(get(), detail::c_text(key), detail::c_text(text), e);
    });
  }
  std::string meta(const std::string& key) const {
    const char* text = nullptr;
    detail::call(
        [&](bp_error** e) { return bp_dict_get_meta(get(), detail::c_text(key), &text, e); });
    return text;
  }
  std::vector<std::pair<std::string, std::string>> meta() const {
    std::vector<std::pair<std::string, std::string>> all;
    for (std::uint64_t i = 0, n = bp_dict_meta_size(get()); i < n; ++i) {
      const char *key = nullptr, *text = nullptr;
      detail::call([&](bp_error** e) { return bp_dict_meta_at(get(), i, &key, &text, e); });
      all.emplace_back(key, text);
    }
    return all;
  }

 private:
  explicit Dict(bp_dict* owned) : handle_(owned) {}
  detail::Handle<bp_dict, bp_dict_retain, bp_dict_release> handle_;
};

namespace detail {
template <class F>
Dict dict(F&& f) {
  bp_dict* d = nullptr;
  call([&](bp_error** e) { return f(&d, e); });
  return Dict::adopt(d);
}
}  // namespace detail

// A file is replaced as a whole or not at all. c_io.h says what files can hold and what is refused.
inline void save_safetensors(const Dict& d, const std::string& path) {
  detail::call([&](bp_error** e) { return bp_safetensors_save(d.get(), detail::c_text(path), e); });
}
inline Dict load_safetensors(const std::string& path, Device device = {}) {
  return detail::dict([&](bp_dict** out, bp_error** e) {
    return bp_safetensors_load(detail::c_text(path), device.value(), out, e);
  });
}
inline std::string format_safetensors(const Dict& d) {
  std::uint64_t n = 0;
  detail::call([&](bp_error** e) { return bp_safetensors_format(d.get(), nullptr, 0, &n, e); });
  std::string bytes(n, '\0');
  detail::call([&](bp_error** e) { return bp_safetensors_format(d.get(), &bytes[0], n, &n, e); });
  return bytes;
}
inline Dict parse_safetensors(const void* bytes, std::uint64_t n, Device device = {}) {
  return detail::dict([&](bp_dict** out, bp_error** e) {
    return bp_safetensors_parse(bytes, n, device.value(), out, e);
  });
}
inline void save_npz(const Dict& d, const std::string& path) {
  detail::call([&](bp_error** e) { return bp_npz_save(d.get(), detail::c_text(path), e); });
}
inline Dict load_npz(const std::string& path, Device device = {}) {
  return detail::dict([&](bp_dict** out, bp_error** e) {
    return bp_npz_load(detail::c_text(path), device.value(), out, e);
  });
}
inline Dict parse_npz(const void* bytes, std::uint64_t n, Device device = {}) {
  return detail::dict(
      [&](bp_dict** out, bp_error** e) { return bp_npz_parse(bytes, n, device.value(), out, e); });
}

}  // namespace backplane
#endif
