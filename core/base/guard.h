// guard.h: the border. Each extern "C" body is one guard(err, lambda): exceptions become a status
// and an error object.
//
//   bp_status bp_x(bp_tensor* t, bp_tensor** out, bp_error** err) {
//     return guard(err, [&] { give(out, f(checked(t, "t"))); });
//   }
#pragma once
#include <new>

#include "core/base/error.h"

namespace bp {

// Turns the exception in flight into (status, *err). err may be NULL.
bp_status report_exception(bp_error** err) noexcept;

template <class F>
bp_status guard(bp_error** err, F&& body) noexcept {
  try {
    body();
    return BP_OK;
  } catch (...) {
    return report_exception(err);
  }
}

// A pointer that must not be NULL.
template <class T>
T* need(T* p, const char* what) {
  if (!p) fail(BP_INVALID_ARGUMENT, "{} must not be NULL", what);
  return p;
}

// Copies text into (buf, capacity), NUL-terminated; *needed gets its length.
void put_text(const std::string& text, char* buf, uint64_t capacity, uint64_t* needed);

// struct_size protocol, out structs: copies as much of `value` as the caller's struct has room for.
template <class T>
void put_struct(const T& value, T* out, const char* what) {
  need(out, what);
  const uint32_t size = out->struct_size;
  if (size < 2 * sizeof(uint32_t))
    fail(BP_INVALID_ARGUMENT, "{}.struct_size is {}, expected {}", what, size, sizeof(T));
  const auto n = size < sizeof(T) ? size : sizeof(T);
  __builtin_memcpy(out, &value, n);
  out->struct_size = size;
}

// struct_size protocol, in structs: a short one is zero-extended, a long one's tail must be zero.
template <class T>
T get_struct(const T* in, const char* what) {
  need(in, what);
  const uint32_t size = in->struct_size;
  if (size < 2 * sizeof(uint32_t) || size > 65536)
    fail(BP_INVALID_ARGUMENT, "{}.struct_size is {}, expected {}", what, size, sizeof(T));
  for (uint32_t i = sizeof(T); i < size; ++i)
    if (reinterpret_cast<const char*>(in)[i])
      fail(BP_UNSUPPORTED, "{} has fields this library does not know (byte {} of {} is set)", what,
           i, size);
  T value{};
  __builtin_memcpy(&value, in, size < sizeof(T) ? size : sizeof(T));
  return value;
}

}  // namespace bp
