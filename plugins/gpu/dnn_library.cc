// SPDX-License-Identifier: Apache-2.0
#include "gpu/dnn_library.h"

#include <new>

#include "kit/error.h"

namespace bp_gpu {
namespace {

using Shape = ConvolutionShape;

constexpr size_t kMostPlans = 64;                   // of a stream
constexpr size_t kMostWorkspace = size_t{1} << 30;  // of a convolution
constexpr int kMostResults = 16;                    // of the library's heuristics
constexpr int kNone = -1;  // a status of our own: there is no algorithm that may be used
constexpr const char* kRuns[] = {"cudnnConvolutionForward", "cudnnConvolutionBackwardData",
                                 "cudnnConvolutionBackwardFilter"};

constexpr size_t row_of(uint32_t op) { return op - BP_OP_CONVOLUTION; }
static_assert(row_of(BP_OP_CONVOLUTION_INPUT_GRAD) == 1 &&
              row_of(BP_OP_CONVOLUTION_WEIGHT_GRAD) == 2);

// The operands in the order of the library's functions, the result last.
struct Order {
  int first, second, out;
};
constexpr Order kOrders[] = {{Shape::kX, Shape::kW, Shape::kY},
                             {Shape::kW, Shape::kY, Shape::kX},
                             {Shape::kX, Shape::kY, Shape::kW}};

int type_of(bp_dtype t) {
  return t == BP_F16    ? Dnn::kHalf
         : t == BP_BF16 ? Dnn::kBfloat16
         : t == BP_F32  ? Dnn::kFloat
                        : Dnn::kDouble;
}

// Results are the same every time, and as exact as sums of products are.
bool may_use(const Dnn::Performance& p, uint32_t op, int math) {
  if (p.status != 0 || p.determinism != Dnn::kDeterministic || p.memory > kMostWorkspace)
    return false;
  if (math == Dnn::kFmaMath ? p.math != math : p.math == Dnn::kConvertingMath) return false;
  if (op == BP_OP_CONVOLUTION) return p.algorithm <= Dnn::kLastForward;
  return p.algorithm ==
         (op == BP_OP_CONVOLUTION_INPUT_GRAD ? Dnn::kBackwardData : Dnn::kBackwardFilter);
}

}  // namespace

// ---- the library ----

const char* DnnLibrary::resolve(void* file) {
  Functions f(file);
  f.need("cudnnCreate", &create_);
  f.need("cudnnDestroy", &destroy_);
  f.need("cudnnSetStream", &set_stream_);
  f.need("cudnnGetErrorString", &text_);
  f.need("cudnnCreateTensorDescriptor", &make_tensor_);
  f.need("cudnnDestroyTensorDescriptor", &drop_tensor_);
  f.need("cudnnSetTensorNdDescriptor", &set_tensor_);
  f.need("cudnnCreateFilterDescriptor", &make_filter_);
  f.need("cudnnDestroyFilterDescriptor", &drop_filter_);
  f.need("cudnnSetFilterNdDescriptor", &set_filter_);
  f.need("cudnnCreateConvolutionDescriptor", &make_convolution_);
  f.need("cudnnDestroyConvolutionDescriptor", &drop_convolution_);
  f.need("cudnnSetConvolutionNdDescriptor", &set_convolution_);
  f.need("cudnnSetConvolutionMathType", &set_math_);
  f.need("cudnnSetConvolutionGroupCount", &set_groups_);
  f.need("cudnnGetConvolutionForwardAlgorithm_v7", &rows_[0].choose);
  f.need("cudnnGetConvolutionForwardWorkspaceSize", &rows_[0].workspace);
  f.need("cudnnGetConvolutionBackwardDataAlgorithm_v7", &rows_[1].choose);
  f.need("cudnnGetConvolutionBackwardDataWorkspaceSize", &rows_[1].workspace);
  f.need("cudnnGetConvolutionBackwardFilterAlgorithm_v7", &rows_[2].choose);
  f.need("cudnnGetConvolutionBackwardFilterWorkspaceSize", &rows_[2].workspace);
  for (size_t i = 0; i < 3; ++i) f.need(kRuns[i], &rows_[i].run);
  return f.missing();
}

std::string DnnLibrary::open(const bp_host* host, const char* kind, const Opened& file) {
  *this = DnnLibrary{};
  host_ = host;
  kind_ = kind;
  if (!file.handle) return file.why;
  if (const char* missing = resolve(file.handle))
    return "lacks the function " + std::string(missing) + " in " + file.file;
  is_open_ = true;
  return "";
}

const DnnLibrary::Row& DnnLibrary::row(uint32_t op) const { return rows_[row_of(op)]; }

bp_status DnnLibrary::fail(int status, uint32_t op, bp_error** err) const {
  const int category = status / 1000 * 1000;
  const bp_status code =
      status == Dnn::kNoMemory8 || status == Dnn::kNoMemory9           ? BP_OUT_OF_DEVICE_MEMORY
      : status == Dnn::kNoHostMemory9                                  ? BP_OUT_OF_HOST_MEMORY
      : status == Dnn::kWrongValue8 || category == Dnn::kWrongValue9   ? BP_INVALID_ARGUMENT
      : status == Dnn::kUnsupported8 || category == Dnn::kUnsupported9 ? BP_UNSUPPORTED
                                                                       : BP_INTERNAL;
  return bp_kit::fail(host_, err, code, "%s: %s failed: %s (%d)", kind_, kRuns[row_of(op)],
                      text_(status), status);
}

// ---- plans ----

int DnnPlan::describe(const DnnLibrary& l) {
  const int type = type_of(shape.dtype), rank = shape.dims + 2;
  for (int k : {Shape::kX, Shape::kY}) {
    int strides[Shape::kRank];
    int64_t items = 1;
    for (int d = rank - 1; d >= 0; --d) {
      strides[d] = static_cast<int>(items);
      items *= shape.size[k][d];
      if (items > INT32_MAX) return kNone;  // a stride would not fit
    }
    if (const int s = l.make_tensor_(&operand[k])) return s;
    if (const int s = l.set_tensor_(operand[k], type, rank, shape.size[k], strides)) return s;
  }
  if (const int s = l.make_filter_(&operand[Shape::kW])) return s;
  if (const int s =
          l.set_filter_(operand[Shape::kW], type, Dnn::kNchw, rank, shape.size[Shape::kW]))
    return s;
  if (const int s = l.make_convolution_(&convolution)) return s;
  if (const int s = l.set_convolution_(convolution, shape.dims, shape.padding, shape.stride,
                                       shape.dilation, Dnn::kCrossCorrelation,
                                       shape.dtype == BP_F64 ? Dnn::kDouble : Dnn::kFloat))
    return s;
  return l.set_groups_(convolution, shape.groups);
}

// The descriptor says which math the heuristics may choose, and then which one they chose.
int DnnPlan::choose(const DnnLibrary& l, void* handle, int math) {
  const DnnLibrary::Row& row = l.row(shape.op);
  const Order o = kOrders[row_of(shape.op)];
  Dnn::Performance results[kMostResults];
  int n = 0;
  if (const int s = l.set_math_(convolution, math)) return s;
  if (const int s = row.choose(handle, operand[o.first], operand[o.second], convolution,
                               operand[o.out], kMostResults, &n, results))
    return s;
  for (int i = 0; i < n; ++i) {
    if (!may_use(results[i], shape.op, math)) continue;
    algorithm = results[i].algorithm;
    if (const int s = l.set_math_(convolution, results[i].math)) return s;
    const int s = row.workspace(handle, operand[o.first], operand[o.second], convolution,
                                operand[o.out], algorithm, &workspace_bytes);
    if (s == 0 && workspace_bytes <= kMostWorkspace) return 0;
  }
  return kNone;
}

int DnnPlan::make(const DnnLibrary& l, void* handle) {
  const int math = shape.dtype == BP_F32 && !shape.may_round ? Dnn::kFmaMath
                   : shape.dtype == BP_F16                   ? Dnn::kTensorOpMath
                                                             : Dnn::kDefaultMath;
  // On an H200 the gradient of a grouped input lost bits of f16: parts of its sums were in halves.
  const bool rough = shape.op == BP_OP_CONVOLUTION_INPUT_GRAD && shape.groups > 1 &&
                     (shape.dtype == BP_F16 || shape.dtype == BP_BF16);
  int status = rough ? kNone : describe(l);
  if (status == 0) status = choose(l, handle, math);
  serves = status == 0;
  if (!serves) drop(l);
  return status;
}

void DnnPlan::drop(const DnnLibrary& l) {
  for (int k : {Shape::kX, Shape::kY})
    if (operand[k]) l.drop_tensor_(operand[k]);
  if (operand[Shape::kW]) l.drop_filter_(operand[Shape::kW]);
  if (convolution) l.drop_convolution_(convolution);
  operand[0] = operand[1] = operand[2] = convolution = nullptr;
}

// ---- handles ----

bool DnnHandle::make(const DnnLibrary& library, void* stream) {
  const char* failed = "cudnnCreate";
  int status = library.create_(&handle_);
  if (status == 0) {
    library_ = &library;
    failed = "cudnnSetStream";
    status = library.set_stream_(handle_, stream);
  } else {
    handle_ = nullptr;
  }
  if (status == 0) return true;
  close();
  refused_ = true;
  bp_kit::log(library.host_, 2,
              "%s: %s failed: %s (%d): convolutions in this stream use built-in kernels",
              library.kind_, failed, library.text_(status), status);
  return false;
}

// Those that are not served are remembered too.
const DnnPlan& DnnHandle::plan(const ConvolutionShape& shape) {
  if (last_ < plans_.size() && plans_[last_].shape == shape) return plans_[last_];
  for (last_ = 0; last_ < plans_.size(); ++last_)
    if (plans_[last_].shape == shape) return plans_[last_];
  if (plans_.size() < kMostPlans) {
    plans_.emplace_back();
  } else {
    last_ = oldest_;
    oldest_ = (oldest_ + 1) % kMostPlans;
    plans_[last_].drop(*library_);
    plans_[last_] = DnnPlan{};
  }
  DnnPlan& made = plans_[last_];
  made.shape = shape;
  if (const int status = made.make(*library_, handle_))
    bp_kit::log(library_->host_, 0, "%s: %s does not serve a convolution: %s (%d)", library_->kind_,
                kRuns[row_of(shape.op)],
                status == kNone ? "no algorithm may be used" : library_->text_(status), status);
  return made;
}

bp_status DnnHandle::convolve(const DnnLibrary& library, void* stream, Convolution* c,
                              bp_error** err) {
  if (!library.is_open() || refused_ || (!handle_ && !make(library, stream))) return BP_UNSUPPORTED;
  const DnnPlan* p = nullptr;
  try {
    p = &plan(c->shape);
  } catch (const std::bad_alloc&) {
    return bp_kit::fail(library.host_, err, BP_OUT_OF_HOST_MEMORY, "%s: host memory exhausted",
                        library.kind_);
  }
  if (!p->serves) return BP_UNSUPPORTED;
  if (!c->out) {
    c->workspace_bytes = p->workspace_bytes;
    return BP_OK;
  }
  const float one = 1, zero = 0;
  const double one64 = 1, zero64 = 0;
  const bool wide = c->shape.dtype == BP_F64;
  const Order o = kOrders[row_of(c->shape.op)];
  const bool turned = c->shape.op != BP_OP_CONVOLUTION;  // the row has the result's gradient first
  const int status =
      library.row(c->shape.op)
          .run(handle_, wide ? static_cast<const void*>(&one64) : &one, p->operand[o.first],
               turned ? c->second : c->first, p->operand[o.second], turned ? c->first : c->second,
               p->convolution, p->algorithm, c->workspace, c->workspace_bytes,
               wide ? static_cast<const void*>(&zero64) : &zero, p->operand[o.out], c->out);
  return status == 0 ? BP_OK : library.fail(status, c->shape.op, err);
}

void DnnHandle::close() {
  for (DnnPlan& p : plans_) p.drop(*library_);
  plans_.clear();
  if (handle_) library_->destroy_(handle_);
  handle_ = nullptr;
}

}  // namespace bp_gpu
