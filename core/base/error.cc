// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"

#include <atomic>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string_view>

#include "c_api.h"
#include "core/base/guard.h"
#include "core/base/object.h"
#include "core/base/shown.h"

struct bp_error final : bp::Object {
  bp_status code;
  uint32_t flags;
  bool immortal = false;
  std::string own;        // what text points to, except in the immortal error
  std::string_view text;  // NUL-terminated
  bp_error* cause = nullptr;

  bp_error(bp_status c, std::string m, uint32_t f)
      : Object(bp::Tag::kError), code(c), flags(f), own(std::move(m)), text(own) {}
  // The error that there is before memory is exhausted. Nothing is allocated for it.
  bp_error(bp_status c, std::string_view constant)
      : Object(bp::Tag::kError), code(c), flags(0), immortal(true), text(constant) {}
  static void destroy(bp_error* e) noexcept {
    if (e->immortal) return;
    bp::Ref<bp_error>::drop(e->cause);
    delete e;
  }
};

namespace bp {
namespace {
const bp_error* valid(const bp_error* e) { return e && e->tag == Tag::kError ? e : nullptr; }
}  // namespace

void fail_text(bp_status status, std::string message) { throw Error(status, std::move(message)); }

bp_error* out_of_memory_error() noexcept {
  static bp_error* e = [] {
    alignas(bp_error) static char room[sizeof(bp_error)];
    return new (room) bp_error(BP_OUT_OF_HOST_MEMORY, std::string_view("host memory exhausted"));
  }();
  e->refs.store(1u << 30, std::memory_order_relaxed);
  return e;
}

bp_error* make_error(bp_status status, const char* text, size_t length, uint32_t flags) noexcept {
  try {
    std::string line = as_utf8({text ? text : "", text ? length : 0});
    for (char& c : line)
      if (is_control(c) && c != '\t') c = ' ';  // PyTorch's own lists are indented by tabs
    return new bp_error(status, std::move(line), flags);
  } catch (...) {
    return out_of_memory_error();
  }
}

bp_error* make_error(const Error& e) noexcept {
  return make_error(e.status(), e.message().data(), e.message().size(), e.flags());
}

void throw_taken(bp_status status, bp_error* err, uint32_t flags, const char* fallback) {
  std::string text = fallback;
  if (valid(err)) {
    text = err->text;
    flags |= err->flags;
    Ref<bp_error>::drop(err);
  }
  throw Error(status < 0 ? status : BP_INTERNAL, std::move(text), flags);
}

bp_status report_exception(bp_error** err) noexcept {
  bp_error* made = nullptr;
  bp_status status = BP_INTERNAL;
  try {
    throw;
  } catch (const Error& e) {
    status = e.status();
    if (err) made = make_error(e);
  } catch (const std::bad_alloc&) {
    status = BP_OUT_OF_HOST_MEMORY;
    if (err) made = out_of_memory_error();
  } catch (const std::length_error& e) {  // a container of more elements than memory can have
    status = BP_OUT_OF_HOST_MEMORY;
    if (err) made = make_error(status, e.what(), std::strlen(e.what()), 0);
  } catch (const std::exception& e) {
    if (err) made = make_error(status, e.what(), std::strlen(e.what()), 0);
  } catch (...) {
    if (err) made = make_error(status, "unknown exception", 17, 0);
  }
  if (err) *err = made;
  return status;
}

void put_text(const std::string& text, char* buf, uint64_t capacity, uint64_t* needed) {
  if (!buf && capacity)
    fail(BP_INVALID_ARGUMENT, "buf must not be NULL when capacity is {}", capacity);
  if (needed) *needed = text.size();
  if (!capacity) return;
  const size_t n = text.size() < capacity - 1 ? text.size() : capacity - 1;
  std::memcpy(buf, text.data(), n);
  buf[n] = 0;
}

}  // namespace bp

using bp::valid;

extern "C" {

bp_status bp_error_code(const bp_error* e) { return valid(e) ? e->code : BP_OK; }

const char* bp_error_message(const bp_error* e, uint64_t* length) {
  if (length) *length = valid(e) ? e->text.size() : 0;
  return valid(e) ? e->text.data() : "";
}

uint32_t bp_error_flags(const bp_error* e) { return valid(e) ? e->flags : 0; }

const bp_error* bp_error_cause(const bp_error* e) { return valid(e) ? e->cause : nullptr; }

bp_error* bp_error_retain(bp_error* e) {
  if (valid(e)) e->refs.fetch_add(1, std::memory_order_relaxed);
  return e;
}

void bp_error_release(bp_error* e) {
  if (valid(e)) bp::Ref<bp_error>::drop(e);
}

bp_status bp_error_set(bp_error** err, bp_status code, const char* text) {
  if (code >= 0) code = BP_CALLBACK;
  if (err) *err = bp::make_error(code, text, text ? std::strlen(text) : 0, 0);
  return code;
}

}  // extern "C"
