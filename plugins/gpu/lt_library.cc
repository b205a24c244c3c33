// SPDX-License-Identifier: Apache-2.0
#include "gpu/lt_library.h"

#include <algorithm>
#include <new>
#include <utility>

#include "kit/error.h"

namespace bp_gpu {
namespace {

constexpr size_t kMostPlans = 64;                    // of a stream
constexpr size_t kMostWorkspace = size_t{32} << 20;  // of a product: what NVIDIA advises for sm_90
constexpr uint32_t kMostAlignment = 16;              // more is of no use
constexpr int kNone = -1;                            // a status of our own: there is no algorithm

int type_of(bp_dtype t) {
  return t == BP_F16    ? Lt::kF16
         : t == BP_BF16 ? Lt::kBf16
         : t == BP_F32  ? Lt::kF32
         : t == BP_I8   ? Lt::kI8
                        : Lt::kI32;
}
int compute_of(const Gemm& g) {
  if (g.dtype == BP_I8) return Lt::kSumI32;
  if (g.dtype == BP_F32 && (g.flags & BP_LAUNCH_BF16)) return Lt::kAsBf16;
  return g.dtype == BP_F32 && (g.flags & BP_LAUNCH_TF32) ? Lt::kTf32 : Lt::kSumF32;
}
uint32_t alignment_of(const void* p) {
  uint32_t a = kMostAlignment;
  while (reinterpret_cast<uintptr_t>(p) % a) a /= 2;
  return a;
}
// Without what differs from call to call.
FusedGemm plain(const FusedGemm& g) {
  FusedGemm p{g.gemm, g.adds_bias, g.relu};
  p.gemm.a = p.gemm.b = p.gemm.c = nullptr;
  return p;
}
bool is_same(const FusedGemm& x, const FusedGemm& y) {
  const Gemm &a = x.gemm, &b = y.gemm;
  return a.dtype == b.dtype && compute_of(a) == compute_of(b) && a.trans_a == b.trans_a &&
         a.trans_b == b.trans_b && a.m == b.m && a.n == b.n && a.k == b.k && a.lda == b.lda &&
         a.ldb == b.ldb && a.ldc == b.ldc && a.count == b.count && a.stride_a == b.stride_a &&
         a.stride_b == b.stride_b && a.stride_c == b.stride_c && x.adds_bias == y.adds_bias &&
         x.relu == y.relu;
}

}  // namespace

const char* LtLibrary::resolve(void* file) {
  Functions f(file);
  f.need("cublasLtCreate", &create_);
  f.need("cublasLtDestroy", &destroy_);
  f.need("cublasLtMatmulDescCreate", &make_product_);
  f.need("cublasLtMatmulDescDestroy", &drop_product_);
  f.need("cublasLtMatmulDescSetAttribute", &set_product_);
  f.need("cublasLtMatrixLayoutCreate", &make_layout_);
  f.need("cublasLtMatrixLayoutDestroy", &drop_layout_);
  f.need("cublasLtMatrixLayoutSetAttribute", &set_layout_);
  f.need("cublasLtMatmulPreferenceCreate", &make_preference_);
  f.need("cublasLtMatmulPreferenceDestroy", &drop_preference_);
  f.need("cublasLtMatmulPreferenceSetAttribute", &set_preference_);
  f.need("cublasLtMatmulAlgoGetHeuristic", &choose_);
  f.need("cublasLtMatmul", &run_);
  f.need("cublasLtGetStatusString", &text_);
  return f.missing();
}

std::string LtLibrary::open(const bp_host* host, const char* kind, const Opened& file) {
  *this = LtLibrary{};
  host_ = host;
  kind_ = kind;
  if (!file.handle) return file.why;
  if (const char* missing = resolve(file.handle))
    return "lacks the function " + std::string(missing) + " in " + file.file;
  is_open_ = true;
  return "";
}

// ---- plans ----

int LtPlan::describe(const LtLibrary& l) {
  const Gemm& g = of.gemm;
  const bool whole = g.dtype == BP_I8;
  const int type = type_of(g.dtype), made = whole ? Lt::kI32 : type;
  const auto set = [&](int attribute, int value) {
    return l.set_product_(product, attribute, &value, sizeof value);
  };
  if (const int s = l.make_product_(&product, compute_of(g), whole ? Lt::kI32 : Lt::kF32)) return s;
  if (const int s = set(Lt::kFirstOp, g.trans_a ? Lt::kTransposed : Lt::kPlain)) return s;
  if (const int s = set(Lt::kSecondOp, g.trans_b ? Lt::kTransposed : Lt::kPlain)) return s;
  const int behind = (of.adds_bias ? Lt::kAddBias : 0) | (of.relu ? Lt::kRelu : 0);
  if (const int s = set(Lt::kEpilogue, behind ? behind : Lt::kNoEpilogue)) return s;
  const struct {
    int type, rows, columns, leading;
    int64_t stride;
  } sides[] = {{type, g.trans_a ? g.k : g.m, g.trans_a ? g.m : g.k, g.lda, g.stride_a},
               {type, g.trans_b ? g.n : g.k, g.trans_b ? g.k : g.n, g.ldb, g.stride_b},
               {made, g.m, g.n, g.ldc, g.stride_c}};
  for (int i = 0; i < 3; ++i) {
    const auto& x = sides[i];
    if (const int s = l.make_layout_(&layout[i], x.type, static_cast<uint64_t>(x.rows),
                                     static_cast<uint64_t>(x.columns), x.leading))
      return s;
    if (g.count == 1) continue;
    if (const int s = l.set_layout_(layout[i], Lt::kBatchCount, &g.count, sizeof g.count)) return s;
    if (const int s = l.set_layout_(layout[i], Lt::kBatchStride, &x.stride, sizeof x.stride))
      return s;
  }
  return 0;
}

// Parts of sums are never added in the narrow type of the result.
int LtPlan::choose(const LtLibrary& l, void* handle) {
  void* preference = nullptr;
  if (const int s = l.make_preference_(&preference)) return s;
  const uint32_t reductions = Lt::kReduceInSumType;
  int s = l.set_preference_(preference, Lt::kMostWorkspace, &kMostWorkspace, sizeof kMostWorkspace);
  if (!s) s = l.set_preference_(preference, Lt::kReductions, &reductions, sizeof reductions);
  for (int i = 0; i < 4 && !s; ++i)  // of a, b, c and d, which is c
    s = l.set_preference_(preference, Lt::kAlignments + i, &alignment[i < 3 ? i : 2],
                          sizeof alignment[0]);
  Lt::Result result{};
  int n = 0;
  if (!s)
    s = l.choose_(handle, product, layout[0], layout[1], layout[2], layout[2], preference, 1,
                  &result, &n);
  l.drop_preference_(preference);
  if (s) return s;
  if (n == 0) return kNone;
  algorithm = result.algorithm;
  workspace_bytes = result.workspace_bytes;
  return result.status;
}

int LtPlan::make(const LtLibrary& l, void* handle) {
  int status = describe(l);
  if (status == 0) status = choose(l, handle);
  serves = status == 0;
  if (!serves) drop(l);
  return status;
}

void LtPlan::drop(const LtLibrary& l) {
  for (void*& x : layout)
    if (x) l.drop_layout_(std::exchange(x, nullptr));
  if (product) l.drop_product_(std::exchange(product, nullptr));
}

// ---- handles ----

bool LtHandle::make(const LtLibrary& library) {
  const int status = library.create_(&handle_);
  if (status == 0) {
    library_ = &library;
    return true;
  }
  handle_ = nullptr;
  refused_ = true;
  bp_kit::log(
      library.host_, 2,
      "%s: cublasLtCreate failed: %s (%d): products in this stream get their bias afterwards",
      library.kind_, library.text_(status), status);
  return false;
}

// Those that are not served are remembered too.
const LtPlan& LtHandle::plan(const FusedGemm& g) {
  const uint32_t alignment[] = {alignment_of(g.gemm.a), alignment_of(g.gemm.b),
                                alignment_of(g.gemm.c)};
  const auto fits = [&](const LtPlan& p) {
    return is_same(p.of, g) && std::equal(alignment, alignment + 3, p.alignment);
  };
  if (last_ < plans_.size() && fits(plans_[last_])) return plans_[last_];
  for (last_ = 0; last_ < plans_.size(); ++last_)
    if (fits(plans_[last_])) return plans_[last_];
  if (plans_.size() < kMostPlans) {
    plans_.emplace_back();
  } else {
    last_ = oldest_;
    oldest_ = (oldest_ + 1) % kMostPlans;
    plans_[last_].drop(*library_);
    plans_[last_] = LtPlan{};
  }
  LtPlan& made = plans_[last_];
  made.of = plain(g);
  std::copy(alignment, alignment + 3, made.alignment);
  if (const int status = made.make(*library_, handle_))
    bp_kit::log(library_->host_, 0, "%s: cublasLtMatmul does not serve a product: %s (%d)",
                library_->kind_,
                status == kNone ? "there is no algorithm" : library_->text_(status), status);
  return made;
}

bp_status LtHandle::multiply(const LtLibrary& library, void* stream, FusedGemm* g, bp_error** err) {
  if (!library.is_open() || refused_ || (!handle_ && !make(library))) return BP_UNSUPPORTED;
  const LtPlan* p = nullptr;
  try {
    p = &plan(*g);
  } catch (const std::bad_alloc&) {
    return bp_kit::fail(library.host_, err, BP_OUT_OF_HOST_MEMORY, "%s: host memory exhausted",
                        library.kind_);
  }
  if (!p->serves) return BP_UNSUPPORTED;
  if (g->asks) {
    g->workspace_bytes = p->workspace_bytes;
    return BP_OK;
  }
  if (g->workspace_bytes < p->workspace_bytes) return BP_UNSUPPORTED;  // was not served when asked
  int status = 0;
  if (g->adds_bias) status = library.set_product_(p->product, Lt::kBias, &g->bias, sizeof g->bias);
  const float one = 1, zero = 0;
  const int32_t whole_one = 1, whole_zero = 0;
  const bool whole = g->gemm.dtype == BP_I8;
  if (status == 0)
    status = library.run_(handle_, p->product, whole ? static_cast<const void*>(&whole_one) : &one,
                          g->gemm.a, p->layout[0], g->gemm.b, p->layout[1],
                          whole ? static_cast<const void*>(&whole_zero) : &zero, g->gemm.c,
                          p->layout[2], g->gemm.c, p->layout[2], &p->algorithm, g->workspace,
                          g->workspace_bytes, stream);
  if (status == 0) return BP_OK;
  if (status == Lt::kUnsupported || status == Lt::kWrongDevice) return BP_UNSUPPORTED;
  const bp_status code = status == Lt::kNoMemory     ? BP_OUT_OF_DEVICE_MEMORY
                         : status == Lt::kWrongValue ? BP_INVALID_ARGUMENT
                                                     : BP_INTERNAL;
  return bp_kit::fail(library.host_, err, code, "%s: cublasLtMatmul failed: %s (%d)", library.kind_,
                      library.text_(status), status);
}

void LtHandle::close() {
  for (LtPlan& p : plans_) p.drop(*library_);
  plans_.clear();
  if (handle_) library_->destroy_(handle_);
  handle_ = nullptr;
}

}  // namespace bp_gpu
