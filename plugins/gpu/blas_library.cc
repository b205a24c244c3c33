// SPDX-License-Identifier: Apache-2.0
#include "gpu/blas_library.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstring>

#include "kit/error.h"

namespace bp_gpu {
namespace {

const BlasDialect* dialect_of(void* file, const char* wanted) {
  for (const BlasDialect* d : kBlasDialects)
    if ((!wanted || !std::strcmp(wanted, d->name)) && dlsym(file, d->mark)) return d;
  return nullptr;
}

}  // namespace

const char* BlasLibrary::resolve(void* file, const BlasDialect& d) {
  Functions f(file);
  f.need(d.create, &create_);
  f.need(d.destroy, &destroy_);
  f.need(d.set_stream, &set_stream_);
  f.need(d.gemm, &gemm_);
  if (d.set_math_mode) f.need(d.set_math_mode, &set_math_mode_);
  if (f.missing()) return f.missing();
  find_function(file, d.status_text, &text_);
  GetPropertyFn property = nullptr;
  int major = 0, minor = 0;
  if (find_function(file, d.get_property, &property) && property(0, &major) == 0 &&
      property(1, &minor) == 0)
    std::snprintf(name_, sizeof name_, "%s %d.%d", d.name, major, minor);
  else
    std::snprintf(name_, sizeof name_, "%s", d.name);
  return nullptr;
}

std::string BlasLibrary::open(const bp_host* host, const char* kind, const char* wanted,
                              const Opened& file) {
  *this = BlasLibrary{};
  host_ = host;
  kind_ = kind;
  if (!file.handle) return file.why;
  const BlasDialect* d = dialect_of(file.handle, wanted);
  if (!d) return "is not what " + file.file + " is";
  if (const char* missing = resolve(file.handle, *d)) {
    name_[0] = 0;
    return "lacks the function " + std::string(missing) + " in " + file.file;
  }
  dialect_ = d;
  return "";
}

int BlasLibrary::type(bp_dtype t) const {
  return t == BP_F16    ? dialect_->f16
         : t == BP_BF16 ? dialect_->bf16
         : t == BP_F32  ? dialect_->f32
                        : dialect_->f64;
}

int BlasLibrary::compute(const Gemm& g) const {
  if (g.dtype == BP_F64) return dialect_->sum_f64;
  if (g.dtype == BP_F32 && (g.flags & BP_LAUNCH_BF16)) return dialect_->as_bf16;
  return g.dtype == BP_F32 && (g.flags & BP_LAUNCH_TF32) ? dialect_->tf32 : dialect_->sum_f32;
}

int BlasLibrary::multiply(void* handle, const Gemm& g, int compute) const {
  const float one = 1, zero = 0;
  const double one64 = 1, zero64 = 0;
  const bool wide = g.dtype == BP_F64;
  const int t = type(g.dtype);
  return gemm_(handle, g.trans_a ? dialect_->op_t : dialect_->op_n,
               g.trans_b ? dialect_->op_t : dialect_->op_n, g.m, g.n, g.k,
               wide ? static_cast<const void*>(&one64) : &one, g.a, t, g.lda, g.stride_a, g.b, t,
               g.ldb, g.stride_b, wide ? static_cast<const void*>(&zero64) : &zero, g.c, t, g.ldc,
               g.stride_c, g.count, compute, dialect_->algorithm);
}

bp_status BlasLibrary::fail(int status, const char* function, bp_error** err) const {
  const BlasDialect& d = *dialect_;
  const bp_status code = status == d.no_memory     ? BP_OUT_OF_DEVICE_MEMORY
                         : status == d.wrong_value ? BP_INVALID_ARGUMENT
                                                   : BP_INTERNAL;
  return bp_kit::fail(host_, err, code, "%s: %s failed: %s (%d)", kind_, function,
                      text_ ? text_(status) : "status", status);
}

bool BlasHandle::make(const BlasLibrary& library, void* stream) {
  const char* failed = library.dialect_->create;
  int status = library.create_(&handle_);
  if (status == 0) {
    library_ = &library;
    failed = library.dialect_->set_stream;
    status = library.set_stream_(handle_, stream);
  }
  if (status == 0 && library.set_math_mode_) {
    failed = library.dialect_->set_math_mode;
    status = library.set_math_mode_(handle_, library.dialect_->math_mode);
  }
  if (status == 0) return true;
  close();
  refused_ = true;
  bp_kit::log(library.host_, 2,
              "%s: %s failed: %s (%d): matmul in this stream uses built-in kernels", library.kind_,
              failed, library.text_ ? library.text_(status) : "status", status);
  return false;
}

bp_status BlasHandle::gemm(const BlasLibrary& library, void* stream, const Gemm& g,
                           bp_error** err) {
  if (!library.is_open() || refused_ || (!handle_ && !make(library, stream))) return BP_UNSUPPORTED;
  const BlasDialect& d = *library.dialect_;
  const auto refused = [&](int status) {
    return status == d.unsupported || status == d.wrong_device;
  };
  const int compute = library.compute(g), plain = g.dtype == BP_F64 ? d.sum_f64 : d.sum_f32;
  int status = library.multiply(handle_, g, compute);
  if (refused(status) && compute != plain) status = library.multiply(handle_, g, plain);
  if (status == 0) return BP_OK;
  return refused(status) ? BP_UNSUPPORTED : library.fail(status, d.gemm, err);
}

void BlasHandle::close() {
  if (handle_) library_->destroy_(handle_);
  handle_ = nullptr;
}

}  // namespace bp_gpu
