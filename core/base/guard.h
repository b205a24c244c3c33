// SPDX-License-Identifier: Apache-2.0
// guard.h: the border. Each extern "C" body is one guard(err, lambda), which turns exceptions into
// a status and an error object.
//
//   bp_error* why = nullptr;
//   bp_status status = guard(&why, [] { fail(BP_UNSUPPORTED, "not on this machine"); });
#pragma once
#include <new>

#include "core/base/error.h"

namespace bp {

// Turns the exception in flight into a status and, unless err is NULL, an error object in *err.
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

// Returns p, or throws BP_INVALID_ARGUMENT that names `what` when p is NULL.
template <class T>
T* need(T* p, const char* what) {
  if (!p) fail(BP_INVALID_ARGUMENT, "{} must not be NULL", what);
  return p;
}

// Copies as much of the text as fits into buf, NUL-terminated, and the length of all of it into
// *needed. buf may be NULL when capacity is 0, and needed may always be.
void put_text(const std::string& text, char* buf, uint64_t capacity, uint64_t* needed);

// The struct_size protocol for what goes out: copies as much of `value` as the caller's struct
// has room for.
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

// The struct_size protocol for what comes in: a short struct is extended with zeros; the part of a
// long one that this library does not know must be zero.
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
