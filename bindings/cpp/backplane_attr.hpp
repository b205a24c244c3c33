// SPDX-License-Identifier: Apache-2.0
// backplane_attr.hpp: named attributes of ops, modules, optimisers and schedules. Include
// backplane.hpp.
//
//   bp::Module("conv2d", {{"kernel_size", bp::Shape{3, 3}}, {"padding", "same"}, {"bias", false}});
//   bp::Optimizer("Adam", params, {{"lr", 1e-3}});
#ifndef BACKPLANE_ATTR_HPP
#define BACKPLANE_ATTR_HPP

#include <variant>

#include "backplane_base.hpp"

namespace backplane {

// A list of integers among options: one number, a list in braces, a Shape, or where the attribute
// has one a text in its place, as "same" for a convolution's padding. Empty: none are given.
class Sizes {
 public:
  Sizes() = default;
  template <class T,
            class = std::enable_if_t<std::is_integral<T>::value && !std::is_same<T, bool>::value>>
  Sizes(T one) : list_{static_cast<std::int64_t>(one)} {}
  Sizes(std::initializer_list<std::int64_t> list) : list_(list) {}
  Sizes(Shape list) : list_(std::move(list)) {}
  Sizes(const char* text) : text_(text) {}
  const Shape& list() const noexcept { return list_; }
  const std::string& text() const noexcept { return text_; }  // "": there is a list

 private:
  Shape list_;
  std::string text_;
};

// A name and its value: an integer, a flag, a number, a list of integers, a text or a dtype.
class Attr {
 public:
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
  Attr(std::string name, T v) : name_(std::move(name)) {
    if (std::is_floating_point<T>::value) {
      kind_ = BP_ATTR_F64;
      value_ = static_cast<double>(v);
    } else {
      kind_ = std::is_same<T, bool>::value ? BP_ATTR_BOOL : BP_ATTR_I64;
      value_ = static_cast<std::int64_t>(v);
    }
  }
  Attr(std::string name, Shape list)
      : name_(std::move(name)), kind_(BP_ATTR_INTS), value_(std::move(list)) {}
  Attr(std::string name, const char* text)
      : name_(std::move(name)), kind_(BP_ATTR_STR), value_(std::string(text)) {}
  Attr(std::string name, std::string text)
      : name_(std::move(name)), kind_(BP_ATTR_STR), value_(std::move(text)) {}
  Attr(std::string name, const Sizes& sizes) : Attr(std::move(name), sizes.list()) {
    if (sizes.text().empty()) return;
    kind_ = BP_ATTR_STR;
    value_ = sizes.text();
  }
  static Attr dtype(std::string name, bp_dtype v) {
    Attr a(std::move(name), std::int64_t{v});
    a.kind_ = BP_ATTR_DTYPE;
    return a;
  }
  // Points into this object.
  bp_attr get() const {
    bp_attr a{detail::c_text(name_), kind_, 1, {0}, 0};
    if (const auto* n = std::get_if<std::int64_t>(&value_)) a.value.i64 = *n;
    if (const auto* n = std::get_if<double>(&value_)) a.value.f64 = *n;
    if (const auto* v = std::get_if<Shape>(&value_))
      a.value.ints = v->data(), a.count = detail::length(*v);
    if (const auto* s = std::get_if<std::string>(&value_))
      a.value.str = s->data(), a.count = static_cast<std::uint32_t>(s->size());
    return a;
  }

 private:
  std::string name_;
  bp_attr_kind kind_;
  std::variant<std::int64_t, double, Shape, std::string> value_;
};
using Attrs = std::vector<Attr>;

}  // namespace backplane
#endif
