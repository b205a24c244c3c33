// SPDX-License-Identifier: Apache-2.0
// traced.h: for what makes a tensor of another one without being an op: views and copies. Where the
// operand wants a gradient, the result gets a node whose function says how the gradient goes back.
// The functions are defined in grad/autograd.cc.
//
//   Ref<Tensor> same = make_view(t, t.shape, t.strides, t.offset);
//   same = traced(t, same, "AliasBackward0", [](const Ref<Tensor>& grad) { return grad; });
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

using View = std::function<Ref<Tensor>(const Tensor&)>;
// The same of a result that is view(operand), and has some of its elements: the others' gradients
// are 0.
void trace_part(Tensor& result, const Tensor& operand, const char* name, View view);

// Returns `base`, whose elements nobody else has seen, with `from` written where view(base) is.
Ref<Tensor> embedded(Ref<Tensor> base, const Ref<Tensor>& from, View view);
// Returns zeros of the shape with grad where view(zeros) is: the way back through a view that
// leaves elements out.
Ref<Tensor> placed(const Ref<Tensor>& grad, const Dims& shape, View view);

// A strided look at a storage.
struct Window {
  Dims shape, strides;
  int64_t offset;
};
// Adds grad's elements up at the places that `from` shows of a storage of `capacity` elements, and
// returns what `to` shows of it.
Ref<Tensor> rewound(const Ref<Tensor>& grad, const Window& from, const Window& to,
                    int64_t capacity);

}  // namespace bp
