// SPDX-License-Identifier: Apache-2.0
// backplane_base.hpp: what the rest of the C++ binding stands on: Error, dtypes of C++ types,
// Device. Include backplane.hpp.
#ifndef BACKPLANE_BASE_HPP
#define BACKPLANE_BASE_HPP

#include <c_api.h>

#include <complex>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace backplane {

using Shape = std::vector<std::int64_t>;

// What a call threw: status is a BP_* code, what() one line with the values in it.
class Error : public std::exception {
 public:
  Error(bp_status status, std::string text, std::uint32_t flags = 0)
      : status_(status),
        flags_(flags),
        text_(std::make_shared<const std::string>(std::move(text))) {}
  const char* what() const noexcept override { return text_->c_str(); }
  bp_status status() const noexcept { return status_; }
  const char* status_name() const noexcept { return bp_status_name(status_); }
  std::uint32_t flags() const noexcept { return flags_; }  // BP_ERROR_FROM_PLUGIN, BP_ERROR_ASYNC

 private:
  bp_status status_;
  std::uint32_t flags_;
  std::shared_ptr<const std::string> text_;  // shared: copying an exception must not throw
};

namespace detail {

// Calls f(bp_error**) -> bp_status and throws the error that it left. Returns the status, which is
// then >= 0.
template <class F>
bp_status call(F&& f) {
  bp_error* err = nullptr;
  const bp_status status = f(&err);
  if (status >= 0) return status;
  const std::unique_ptr<bp_error, void (*)(bp_error*)> owned(err, bp_error_release);
  throw Error(status, err ? bp_error_message(err, nullptr) : bp_status_name(status),
              bp_error_flags(err));
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
inline std::int32_t rank(const Shape& shape) { return static_cast<std::int32_t>(shape.size()); }

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

}  // namespace backplane
#endif
