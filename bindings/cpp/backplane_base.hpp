// SPDX-License-Identifier: Apache-2.0
// backplane_base.hpp: what the rest of the C++ binding stands on: Error, dtypes of C++ types,
// Device. Include backplane.hpp.
#ifndef BACKPLANE_BASE_HPP
#define BACKPLANE_BASE_HPP

#include <c_api.h>

#include <complex>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace backplane {

using Shape = std::vector<std::int64_t>;

// A list of integers as a parameter: one number, a list in braces, or a Shape, which it borrows
// until the call returns.
//
//   x.sum(1);  x.sum({0, 1});  x.sum();  x.reshape(y.shape());
class Ints {
 public:
  Ints() noexcept = default;  // none are given
  template <class T,
            class = std::enable_if_t<std::is_integral<T>::value && !std::is_same<T, bool>::value>>
  Ints(T one) noexcept : one_(static_cast<std::int64_t>(one)), size_(1) {}
  Ints(std::initializer_list<std::int64_t> list) noexcept {
    data_ = list.begin();
    size_ = static_cast<std::uint32_t>(list.size());
  }
  Ints(const Shape& list) noexcept
      : data_(list.data()), size_(static_cast<std::uint32_t>(list.size())) {}
  const std::int64_t* data() const noexcept { return data_ || size_ == 0 ? data_ : &one_; }
  std::uint32_t size() const noexcept { return size_; }
  std::int32_t rank() const noexcept { return static_cast<std::int32_t>(size_); }
  const std::int64_t* begin() const noexcept { return data(); }
  const std::int64_t* end() const noexcept { return data() + size_; }

 private:
  const std::int64_t* data_ = nullptr;
  std::int64_t one_ = 0;
  std::uint32_t size_ = 0;
};

// A dtype as a value: bp::f32, or what Tensor::dtype() returns. It is a bp_dtype wherever one is
// wanted, but no number and no size becomes one by mistake.
class Dtype {
 public:
  constexpr Dtype() noexcept = default;  // none is given
  explicit constexpr Dtype(bp_dtype value) noexcept : value_(value) {}
  constexpr operator bp_dtype() const noexcept { return value_; }
  const char* name() const noexcept { return bp_dtype_name(value_); }      // "float32"
  std::uint32_t bytes() const noexcept { return bp_dtype_bytes(value_); }  // of one element
  std::int32_t kind() const noexcept { return bp_dtype_kind(value_); }     // BP_DTYPE_KIND_*
  friend std::ostream& operator<<(std::ostream& out, Dtype d) { return out << d.name(); }

 private:
  bp_dtype value_ = BP_DTYPE_NONE;
};
inline constexpr Dtype bool_{BP_BOOL}, u8{BP_U8}, i8{BP_I8}, u16{BP_U16}, i16{BP_I16}, u32{BP_U32},
    i32{BP_I32}, u64{BP_U64}, i64{BP_I64}, f16{BP_F16}, bf16{BP_BF16}, f32{BP_F32}, f64{BP_F64},
    c64{BP_C64}, c128{BP_C128};

namespace detail {

// A counted reference to an object of the C API. Copies share the object; the last one gives it
// back.
template <class T, T* (*Retain)(T*), void (*Release)(T*)>
class Handle {
 public:
  Handle() noexcept = default;
  explicit Handle(T* owned) noexcept : object_(owned) {}
  Handle(const Handle& o) noexcept : object_(o.object_ ? Retain(o.object_) : nullptr) {}
  Handle(Handle&& o) noexcept : object_(std::exchange(o.object_, nullptr)) {}
  Handle& operator=(Handle o) noexcept {
    std::swap(object_, o.object_);
    return *this;
  }
  ~Handle() {
    if (object_) Release(object_);
  }
  // Returns a handle beside the caller's reference, which stays the caller's.
  static Handle share(T* borrowed) noexcept {
    return Handle(borrowed ? Retain(borrowed) : nullptr);
  }
  T* get() const noexcept { return object_; }  // borrowed
  void reset(T* owned) noexcept { *this = Handle(owned); }

 private:
  T* object_ = nullptr;
};

}  // namespace detail

// What a call threw: status is a BP_* code, what() one line with the values in it. Copies share the
// library's error object.
class Error : public std::exception {
 public:
  // An error of the program's own. A status that is not negative becomes BP_CALLBACK.
  Error(bp_status status, const std::string& text) {
    bp_error* made = nullptr;
    status_ = bp_error_set(&made, status, text.c_str());
    object_.reset(made);
  }
  // Takes over what a call left that returned `status`; NULL where not even that could be made.
  static Error adopt(bp_status status, bp_error* owned) noexcept {
    return Error(status, Object(owned));
  }
  const char* what() const noexcept override {
    return object_.get() ? bp_error_message(object_.get(), nullptr) : bp_status_name(status_);
  }
  bp_status status() const noexcept { return status_; }
  const char* status_name() const noexcept { return bp_status_name(status_); }
  // Returns BP_ERROR_* bits: BP_ERROR_FROM_PLUGIN, BP_ERROR_ASYNC, BP_ERROR_IN_MODULE.
  std::uint32_t flags() const noexcept { return bp_error_flags(object_.get()); }
  // Returns the error that led to this one, or nothing.
  std::optional<Error> cause() const {
    auto* cause = const_cast<bp_error*>(bp_error_cause(object_.get()));
    if (!cause) return std::nullopt;
    return Error(bp_error_code(cause), Object::share(cause));
  }

 private:
  using Object = detail::Handle<bp_error, bp_error_retain, bp_error_release>;
  Error(bp_status status, Object object) noexcept : status_(status), object_(std::move(object)) {}
  bp_status status_;
  Object object_;
};

namespace detail {

// Returns the status of a call that left no error, and throws what one left that failed. `err` is
// taken by reference because it is evaluated before the call that sets it.
inline bp_status checked(bp_status status, bp_error*& err) {
  if (status < 0) throw Error::adopt(status, err);
  return status;
}
// Calls f(bp_error**) -> bp_status and throws the error that it left. Returns the status, which is
// then >= 0.
template <class F>
bp_status call(F&& f) {
  bp_error* err = nullptr;
  return checked(f(&err), err);
}

// Returns the text for C, where a zero byte would end it: a text with one is refused.
inline const char* c_text(const std::string& text) {
  if (text.find('\0') == std::string::npos) return text.c_str();
  std::string shown;
  for (const char c : text) shown += c ? std::string(1, c) : "\\x00";
  throw Error(BP_INVALID_ARGUMENT, "embedded null byte: '" + shown + "'");
}

// Calls f(buf, capacity, needed, err) once for the length and once for the text, which it returns.
template <class F>
std::string text(F&& f) {
  std::uint64_t length = 0;
  call([&](bp_error** e) { return f(nullptr, std::uint64_t{0}, &length, e); });
  std::string out(length + 1, '\0');
  call([&](bp_error** e) { return f(&out[0], std::uint64_t{out.size()}, &length, e); });
  out.resize(length < out.size() ? length : out.size() - 1);
  return out;
}

// Calls f() -> bp_status where exceptions must not get out. One becomes *err, and *thrown if
// `thrown` is not NULL.
template <class F>
bp_status guarded(bp_error** err, std::exception_ptr* thrown, F&& f) noexcept {
  try {
    return f();
  } catch (const Error& e) {
    if (thrown) *thrown = std::current_exception();
    return bp_error_set(err, e.status(), e.what());
  } catch (const std::exception& e) {
    if (thrown) *thrown = std::current_exception();
    return bp_error_set(err, BP_CALLBACK, e.what());
  } catch (...) {
    if (thrown) *thrown = std::current_exception();
    return bp_error_set(err, BP_CALLBACK, "a callback threw something that is no std::exception");
  }
}

template <class T>
auto borrowed(const std::vector<T>& list) {
  std::vector<std::decay_t<decltype(std::declval<const T&>().get())>> out;
  for (const T& one : list) out.push_back(one.get());
  return out;
}
template <class T>
std::uint32_t length(const std::vector<T>& v) {
  return static_cast<std::uint32_t>(v.size());
}

template <class T>
struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<std::complex<T>> : std::true_type {};

}  // namespace detail

// The dtype of a C++ element type.
template <class T>
constexpr bp_dtype dtype_of() {
  static_assert(std::is_arithmetic<T>::value || detail::IsComplex<T>::value,
                "no dtype for this type");
  if (std::is_same<T, bool>::value) return BP_BOOL;
  if (detail::IsComplex<T>::value) return sizeof(T) == 8 ? BP_C64 : BP_C128;
  if (std::is_floating_point<T>::value) return sizeof(T) == 4 ? BP_F32 : BP_F64;
  constexpr bool kSigned = std::is_signed<T>::value;
  switch (sizeof(T)) {
    case 1: return kSigned ? BP_I8 : BP_U8;
    case 2: return kSigned ? BP_I16 : BP_U16;
    case 4: return kSigned ? BP_I32 : BP_U32;
    default: return kSigned ? BP_I64 : BP_U64;
  }
}

// A device as a value: "cuda:1", "cpu", or {} for the thread's default device. A value may name a
// device that does not exist.
class Device {
 public:
  Device() noexcept = default;
  Device(const char* text) {
    detail::call([&](bp_error** e) { return bp_device_parse(text, &value_, e); });
  }
  Device(const std::string& text) : Device(detail::c_text(text)) {}
  static Device make(bp_kind kind, std::int32_t index) noexcept {
    return from_value(bp_device_make(kind, index));
  }
  static Device from_value(bp_device value) noexcept {
    Device d;
    d.value_ = value;
    return d;
  }
  static Device parse(const std::string& text) { return Device(text); }

  bp_device value() const noexcept { return value_; }
  bp_kind kind() const noexcept { return bp_device_kind(value_); }
  std::int32_t index() const noexcept { return bp_device_index(value_); }
  std::string str() const {
    return detail::text([&](char* buf, std::uint64_t n, std::uint64_t* needed, bp_error** e) {
      return bp_device_format(value_, buf, n, needed, e);
    });
  }
  friend bool operator==(Device a, Device b) noexcept { return a.value_ == b.value_; }
  friend bool operator!=(Device a, Device b) noexcept { return a.value_ != b.value_; }

 private:
  bp_device value_ = 0;
};
inline std::ostream& operator<<(std::ostream& out, Device d) { return out << d.str(); }

// What a new tensor shall be: bp::zeros({2, 3}, {.dtype = bp::f64, .device = "cuda:0"}) in C++20.
struct TensorOptions {
  Dtype dtype = {};            // none: the factory's own choice
  Device device = {};          // none: the default device
  bool requires_grad = false;  // only floating and complex dtypes may
};

}  // namespace backplane
#endif
