// traced.h: for what gives a tensor made of another one without being an op: views, copies. The
// result of a tensor that wants a gradient gets a node whose function says how the gradient goes
// back.
//
//   Dims inverse{1, 0};
//   return traced(t, make_view(t, shape, strides, t.offset), "PermuteBackward0", [inverse](const Ref<Tensor>& g) { return permute(*g, inverse); });
#pragma once
#include <functional>

#include "core/tensor/tensor.h"

namespace bp {

using Back = std::function<Ref<Tensor>(const Ref<Tensor>& grad)>;

void trace_result(Tensor& result, const Tensor& operand, const char* name, Back back);

Ref<Tensor> detach(const Tensor& t);

template <class F>
Ref<Tensor> traced(const Tensor& operand, Ref<Tensor> result, const char* name, F&& back) {
  if (operand.trace) [[unlikely]]
    trace_result(*result, operand, name, std::forward<F>(back));
  return result;
}

// `base`, whose elements nobody else has seen, with `from` written where view(base) is.
using View = std::function<Ref<Tensor>(const Tensor&)>;
Ref<Tensor> embedded(Ref<Tensor> base, const Ref<Tensor>& from, View view);
// Zeros of the shape, but grad where view(zeros) is: the way back through a view that leaves
// elements out.
Ref<Tensor> placed(const Ref<Tensor>& grad, const Dims& shape, View view);

// A strided look at a storage.
struct Window {
  Dims shape, strides;
  int64_t offset;
};
// grad's elements added up at the places of a storage of `capacity` elements that `from` shows,
// seen through `to`.
Ref<Tensor> rewound(const Ref<Tensor>& grad, const Window& from, const Window& to,
                    int64_t capacity);

}  // namespace bp
