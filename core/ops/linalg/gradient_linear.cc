// SPDX-License-Identifier: Apache-2.0
// gradient_linear.cc: the gradients of the matrix product and of one with a weight.
#include "core/grad/autograd.h"
#include "core/ops/gradients.h"
#include "core/ops/linalg/attributes.h"
#include "core/ops/made_of.h"

namespace bp::ops {
namespace {

// Whether the columns of the matrices are dense. Their gradient is then made in the same order, so
// that nobody has to transpose it.
bool lies_transposed(const Tensor& t) {
  const uint32_t r = t.rank();
  return t.strides[r - 2] == 1 && t.strides[r - 1] != 1;
}
Ref<Tensor> as_rows(const Ref<Tensor>& t) {
  if (t->rank() == 2) return t;
  const Span shape = t->shape;  // sizes of 0 leave nothing to count the rows by
  return reshape(*t, Dims{numel(shape.first(shape.size() - 1)), shape.back()});
}

}  // namespace

// d(a b) = da b + a db, for [.., m, k] x [.., k, n]; a 1-D a is a row, a 1-D b a column.
// GradCall::give sums what was broadcast. For a batch times one matrix b the product sums: it takes
// the batch as one taller matrix.
void matmul_back(GradCall& c) {
  const bool row = c.operand(0).shape.size() == 1, column = c.operand(1).shape.size() == 1;
  Ref<Tensor> g = c.grad();
  if (row) g = unsqueeze(*g, column ? 0 : -2);
  if (column) g = unsqueeze(*g, -1);
  if (c.wants(0)) {
    Ref<Tensor> b = conjugate(c.in(1));
    if (column) b = unsqueeze(*b, -1);
    Ref<Tensor> da = product(g, transpose(*b, -2, -1));
    c.give(0, row ? squeeze(*da, Dims{-2}) : da);
  }
  if (!c.wants(1)) return;
  Ref<Tensor> a = conjugate(c.in(0)), b = c.in(1);
  if (row) a = unsqueeze(*a, 0);
  if (b->rank() <= 2 && a->rank() > 2) a = as_rows(a), g = as_rows(g);
  Ref<Tensor> db = !column && lies_transposed(*b)
                       ? transpose(*product(transpose(*g, -2, -1), a), -2, -1)
                       : product(transpose(*a, -2, -1), g);
  c.give(1, column ? squeeze(*db, Dims{-1}) : db);
}

// y = x weight^T + bias. Of an activation's result nothing is kept: it is computed again, for
// programs alone put one behind a product, and they have no gradients left to make.
void linear_back(GradCall& c) {
  Ref<Tensor> g = c.grad();
  if (c.str(kLinearAttrs["activation"]) == "relu") {
    const Ref<Tensor> y = invoke(BP_OP_LINEAR, {c.in(0), c.in(1), c.value(2)}, c.attrs);
    g = where(less(0.0, y), g, zero_of(g->dtype));
  }
  if (c.wants(0)) c.give(0, product(g, conjugate(c.in(1))));
  const bool is_row = g->rank() == 1;
  g = is_row ? unsqueeze(*g, 0) : as_rows(g);
  if (c.wants(1)) {
    const Ref<Tensor> x = conjugate(c.in(0));
    c.give(1, product(transpose(*g, 0, 1), is_row ? unsqueeze(*x, 0) : as_rows(x)));
  }
  if (c.wants(2)) c.give(2, sum(g, Dims{0}, /*keepdims=*/false));
}

}  // namespace bp::ops
