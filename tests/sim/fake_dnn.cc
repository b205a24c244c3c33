// SPDX-License-Identifier: Apache-2.0
// A library with cuDNN's names, numbers and checks (cudnn.h of version 9), whose convolutions are
// plain loops in the simulated accelerator's streams.
//
// Its heuristics name what a caller must pass by before what it may take. Besides, for tests: what
// was made and called, and the status that the next choice or convolution answers with.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

#include "fake_library.h"
#include "kit/number.h"

namespace {

enum { NOT_INITIALIZED = 1001, BAD_PARAM = 2000, NOT_SUPPORTED = 3000, EXECUTION_FAILED = 5000 };
enum { FLOAT = 0, DOUBLE = 1, HALF = 2, BFLOAT16 = 9 };
enum { DEFAULT_MATH = 0, TENSOR_OP_MATH = 1, ALLOW_CONVERSION = 2, FMA_MATH = 3 };
enum { FORWARD, BACKWARD_DATA, BACKWARD_FILTER };
constexpr int kAlgorithm = 1;  // the one that serves, of each of the three
constexpr int kMost = 5;

struct Handle {
  Port* stream;
};
struct Tensor {
  int type, rank, size[kMost], strides[kMost];
};
struct Filter {
  int type, rank, size[kMost];
};
struct Convolution {
  int dims, padding[3], step[3], dilation[3], sum_type, math, groups;
};
struct Performance {
  int algorithm, status;
  float time;
  size_t memory;
  int determinism, math, reserved[3];
};
size_t room(int what) { return what == FORWARD ? 4096 : what == BACKWARD_FILTER ? 256 : 0; }

// Sizes and attributes of three dims.
struct Geometry {
  int images, groups, channels, filters;  // of a group
  int in[3], out[3], kernel[3], step[3], padding[3], dilation[3];
};
struct Work {
  Geometry g;
  int what, type;
  bool rounds;
  const void *x, *w, *y;  // one of them is written
  void* workspace;
};

int geometry(const Tensor& x, const Filter& w, const Convolution& c, const Tensor& y, Geometry* g) {
  if (x.rank != w.rank || x.rank != y.rank || x.rank != c.dims + 2 || x.rank < 4) return BAD_PARAM;
  if (x.type != w.type || x.type != y.type) return BAD_PARAM;
  if (c.sum_type != (x.type == DOUBLE ? DOUBLE : FLOAT)) return NOT_SUPPORTED;
  for (const Tensor* t : {&x, &y}) {
    int dense = 1;
    for (int d = t->rank - 1; d >= 0; dense *= t->size[d], --d)
      if (t->strides[d] != dense) return NOT_SUPPORTED;
  }
  if (c.groups < 1 || x.size[0] != y.size[0] || x.size[1] != w.size[1] * c.groups ||
      y.size[1] != w.size[0] || w.size[0] % c.groups)
    return BAD_PARAM;
  *g = {x.size[0], c.groups,  w.size[1], w.size[0] / c.groups, {1, 1, 1}, {1, 1, 1}, {1, 1, 1},
        {1, 1, 1}, {0, 0, 0}, {1, 1, 1}};
  for (int i = 0, d = 3 - c.dims; i < c.dims; ++i, ++d) {
    g->in[d] = x.size[i + 2], g->out[d] = y.size[i + 2], g->kernel[d] = w.size[i + 2];
    g->step[d] = c.step[i], g->padding[d] = c.padding[i], g->dilation[d] = c.dilation[i];
    const int reach = c.dilation[i] * (g->kernel[d] - 1) + 1;
    if ((g->in[d] + 2 * c.padding[i] - reach) / c.step[i] + 1 != g->out[d]) return BAD_PARAM;
  }
  return 0;
}

float tf32(float x) {  // 11 significant bits, halves to even
  uint32_t u = 0;
  std::memcpy(&u, &x, 4);
  u += 0xfff + (u >> 13 & 1);
  u &= ~uint32_t{0x1fff};
  std::memcpy(&x, &u, 4);
  return x;
}

template <class T>
void convolve(const Work& v) {
  using Sum = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const Geometry& g = v.g;
  const auto read = [&](const void* p, size_t at) {
    const Sum x = bp_kit::convert<Sum>(static_cast<const T*>(p)[at]);
    if constexpr (std::is_same_v<T, float>)
      return v.rounds ? tf32(x) : x;
    else
      return x;
  };
  const auto count = [](const int* s) { return s[0] * s[1] * s[2]; };
  const int pixels = count(g.in), places = count(g.out), taps = count(g.kernel);
  const size_t items[] = {static_cast<size_t>(g.images * g.groups * g.filters * places),
                          static_cast<size_t>(g.images * g.groups * g.channels * pixels),
                          static_cast<size_t>(g.groups * g.filters * g.channels * taps)};
  std::vector<Sum> sums(items[v.what]);
  // Calls f(place, tap, pixel) for all that are inside.
  const auto each = [&](const auto& f) {
    for (int o = 0; o < places; ++o)
      for (int k = 0; k < taps; ++k) {
        const int at[3] = {o / (g.out[1] * g.out[2]), o / g.out[2] % g.out[1], o % g.out[2]};
        const int tap[3] = {k / (g.kernel[1] * g.kernel[2]), k / g.kernel[2] % g.kernel[1],
                            k % g.kernel[2]};
        int pixel = 0;
        bool inside = true;
        for (int d = 0; d < 3; ++d) {
          const int i = at[d] * g.step[d] - g.padding[d] + tap[d] * g.dilation[d];
          inside &= i >= 0 && i < g.in[d];
          pixel = pixel * g.in[d] + i;
        }
        if (inside) f(o, k, pixel);
      }
  };
  for (int n = 0; n < g.images * g.groups; ++n)
    for (int f = 0; f < g.filters; ++f)
      for (int c = 0; c < g.channels; ++c)
        each([&](int o, int k, int pixel) {
          const size_t y = static_cast<size_t>((n * g.filters + f) * places + o),
                       x = static_cast<size_t>((n * g.channels + c) * pixels + pixel),
                       w = static_cast<size_t>(
                           ((n % g.groups * g.filters + f) * g.channels + c) * taps + k);
          if (v.what == FORWARD) sums[y] += read(v.x, x) * read(v.w, w);
          if (v.what == BACKWARD_DATA) sums[x] += read(v.y, y) * read(v.w, w);
          if (v.what == BACKWARD_FILTER) sums[w] += read(v.x, x) * read(v.y, y);
        });
  const void* out = v.what == FORWARD ? v.y : v.what == BACKWARD_DATA ? v.x : v.w;
  for (size_t i = 0; i < sums.size(); ++i)
    static_cast<T*>(const_cast<void*>(out))[i] = bp_kit::convert<T>(sums[i]);
}

void run(const void* data) {
  Work v{};
  std::memcpy(&v, data, sizeof v);
  if (room(v.what)) std::memset(v.workspace, 0xff, room(v.what));
  if (v.type == HALF) convolve<bp_kit::F16>(v);
  if (v.type == BFLOAT16) convolve<bp_kit::BF16>(v);
  if (v.type == FLOAT) convolve<float>(v);
  if (v.type == DOUBLE) convolve<double>(v);
}

int choose(int what, const Tensor* x, const Filter* w, const Convolution* c, const Tensor* y,
           int wanted, int* found, Performance* out) {
  ++choices;
  if (const int status = answer()) return status;
  Geometry g{};
  if (const int status = geometry(*x, *w, *c, *y, &g)) return status;
  const int math = c->math;
  const Performance all[] = {
      {kAlgorithm, NOT_SUPPORTED, 0, 0, 1, math, {}},
      {kAlgorithm, 0, 0, 0, /*determinism=*/0, math, {}},
      {what == BACKWARD_DATA ? 5 : 6, 0, 0, 0, 1, math, {}},  // Winograd, FFT
      {kAlgorithm, 0, 0, size_t{1} << 40, 1, math, {}},
      {kAlgorithm, 0, 0, 0, 1, ALLOW_CONVERSION, {}},
      {kAlgorithm, 0, 0, room(what), 1, x->type == FLOAT ? DEFAULT_MATH : math, {}},
      {kAlgorithm, 0, 0, room(what), 1, math, {}},
  };
  for (*found = 0; *found < wanted && *found < 7; ++*found) out[*found] = all[*found];
  return 0;
}

int ask_room(int what, int algorithm, size_t* bytes) {
  *bytes = room(what);
  return algorithm == kAlgorithm ? 0 : BAD_PARAM;
}

template <class T>
bool is(const void* p, double wanted) {
  T x{};
  std::memcpy(&x, p, sizeof x);
  return x == static_cast<T>(wanted);
}

int enqueue(int what, Handle* h, const void* alpha, const Tensor* xd, const void* x,
            const Filter* wd, const void* w, const Convolution* c, int algorithm, void* workspace,
            size_t bytes, const void* beta, const Tensor* yd, const void* y) {
  ++calls;
  if (const int status = answer()) return status;
  Work v{{}, what, xd->type, xd->type == FLOAT && c->math != FMA_MATH, x, w, y, workspace};
  if (const int status = geometry(*xd, *wd, *c, *yd, &v.g)) return status;
  const bool scales = xd->type == DOUBLE ? is<double>(alpha, 1) && is<double>(beta, 0)
                                         : is<float>(alpha, 1) && is<float>(beta, 0);
  if (!scales || algorithm != kAlgorithm || c->math == ALLOW_CONVERSION || bytes < room(what) ||
      !x || !w || !y || (room(what) && !workspace))
    return BAD_PARAM;
  return h->stream->enqueue(h->stream, run, &v, sizeof v) == 0 ? 0 : EXECUTION_FAILED;
}

}  // namespace

EXPORT int cudnnCreate(Handle** out) {
  if (next_answer == NOT_INITIALIZED) return answer();
  return make(out, &handles);
}
EXPORT int cudnnDestroy(Handle* h) { return drop(h, &handles); }
EXPORT int cudnnSetStream(Handle* h, Port* stream) {
  h->stream = stream;
  return 0;
}
EXPORT const char* cudnnGetErrorString(int status) {
  return status == NOT_SUPPORTED      ? "CUDNN_STATUS_NOT_SUPPORTED"
         : status == EXECUTION_FAILED ? "CUDNN_STATUS_EXECUTION_FAILED"
                                      : "CUDNN_STATUS_OTHER";
}

EXPORT int cudnnCreateTensorDescriptor(Tensor** out) { return make(out, &descriptors); }
EXPORT int cudnnDestroyTensorDescriptor(Tensor* t) { return drop(t, &descriptors); }
EXPORT int cudnnSetTensorNdDescriptor(Tensor* t, int type, int rank, const int* sizes,
                                      const int* strides) {
  if (rank < 4 || rank > kMost) return NOT_SUPPORTED;
  t->type = type, t->rank = rank;
  for (int d = 0; d < rank; ++d) {
    if (sizes[d] < 1) return BAD_PARAM;
    t->size[d] = sizes[d], t->strides[d] = strides[d];
  }
  return 0;
}
EXPORT int cudnnCreateFilterDescriptor(Filter** out) { return make(out, &descriptors); }
EXPORT int cudnnDestroyFilterDescriptor(Filter* f) { return drop(f, &descriptors); }
EXPORT int cudnnSetFilterNdDescriptor(Filter* f, int type, int format, int rank, const int* sizes) {
  if (format != 0 || rank < 4 || rank > kMost) return NOT_SUPPORTED;
  f->type = type, f->rank = rank;
  for (int d = 0; d < rank; ++d) f->size[d] = sizes[d];
  return 0;
}
EXPORT int cudnnCreateConvolutionDescriptor(Convolution** out) { return make(out, &descriptors); }
EXPORT int cudnnDestroyConvolutionDescriptor(Convolution* c) { return drop(c, &descriptors); }
EXPORT int cudnnSetConvolutionNdDescriptor(Convolution* c, int dims, const int* padding,
                                           const int* steps, const int* dilation, int mode,
                                           int sum_type) {
  if (mode != 1 || dims < 2 || dims > 3) return NOT_SUPPORTED;
  c->dims = dims, c->sum_type = sum_type, c->groups = 1;
  for (int d = 0; d < dims; ++d) {
    if (padding[d] < 0 || steps[d] < 1 || dilation[d] < 1) return BAD_PARAM;
    c->padding[d] = padding[d], c->step[d] = steps[d], c->dilation[d] = dilation[d];
  }
  return 0;
}
EXPORT int cudnnSetConvolutionMathType(Convolution* c, int math) {
  c->math = math;
  return 0;
}
EXPORT int cudnnSetConvolutionGroupCount(Convolution* c, int groups) {
  c->groups = groups;
  return 0;
}

EXPORT int cudnnGetConvolutionForwardAlgorithm_v7(Handle*, Tensor* x, Filter* w, Convolution* c,
                                                  Tensor* y, int wanted, int* found,
                                                  Performance* out) {
  return choose(FORWARD, x, w, c, y, wanted, found, out);
}
EXPORT int cudnnGetConvolutionBackwardDataAlgorithm_v7(Handle*, Filter* w, Tensor* y,
                                                       Convolution* c, Tensor* x, int wanted,
                                                       int* found, Performance* out) {
  return choose(BACKWARD_DATA, x, w, c, y, wanted, found, out);
}
EXPORT int cudnnGetConvolutionBackwardFilterAlgorithm_v7(Handle*, Tensor* x, Tensor* y,
                                                         Convolution* c, Filter* w, int wanted,
                                                         int* found, Performance* out) {
  return choose(BACKWARD_FILTER, x, w, c, y, wanted, found, out);
}
EXPORT int cudnnGetConvolutionForwardWorkspaceSize(Handle*, Tensor*, Filter*, Convolution*, Tensor*,
                                                   int algorithm, size_t* bytes) {
  return ask_room(FORWARD, algorithm, bytes);
}
EXPORT int cudnnGetConvolutionBackwardDataWorkspaceSize(Handle*, Filter*, Tensor*, Convolution*,
                                                        Tensor*, int algorithm, size_t* bytes) {
  return ask_room(BACKWARD_DATA, algorithm, bytes);
}
EXPORT int cudnnGetConvolutionBackwardFilterWorkspaceSize(Handle*, Tensor*, Tensor*, Convolution*,
                                                          Filter*, int algorithm, size_t* bytes) {
  return ask_room(BACKWARD_FILTER, algorithm, bytes);
}
EXPORT int cudnnConvolutionForward(Handle* h, const void* alpha, Tensor* xd, const void* x,
                                   Filter* wd, const void* w, Convolution* c, int algorithm,
                                   void* workspace, size_t bytes, const void* beta, Tensor* yd,
                                   void* y) {
  return enqueue(FORWARD, h, alpha, xd, x, wd, w, c, algorithm, workspace, bytes, beta, yd, y);
}
EXPORT int cudnnConvolutionBackwardData(Handle* h, const void* alpha, Filter* wd, const void* w,
                                        Tensor* yd, const void* y, Convolution* c, int algorithm,
                                        void* workspace, size_t bytes, const void* beta, Tensor* xd,
                                        void* x) {
  return enqueue(BACKWARD_DATA, h, alpha, xd, x, wd, w, c, algorithm, workspace, bytes, beta, yd,
                 y);
}
EXPORT int cudnnConvolutionBackwardFilter(Handle* h, const void* alpha, Tensor* xd, const void* x,
                                          Tensor* yd, const void* y, Convolution* c, int algorithm,
                                          void* workspace, size_t bytes, const void* beta,
                                          Filter* wd, void* w) {
  return enqueue(BACKWARD_FILTER, h, alpha, xd, x, wd, w, c, algorithm, workspace, bytes, beta, yd,
                 y);
}
