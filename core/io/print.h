// SPDX-License-Identifier: Apache-2.0
// print.h: a tensor as text, equal to PyTorch's repr (torch/_tensor_str.py; checked against 1.13).
// It has two halves: format_tensor fetches what will be shown and no more, and format_host, which
// is pure, lays out elements that are in host memory. Beyond options.threshold elements only the
// first and the last options.edge_items of each long dimension are fetched. `device='...'` is shown
// unless the tensor is on the cpu, and `dtype=torch.x` unless it is the default float dtype, its
// complex twin, i64 or bool.
//
//   std::string text = format_tensor(t, default_print_options());   // "tensor([1., 2.])"
#pragma once
#include <string>

#include "core/tensor/tensor.h"

namespace bp {

bp_print_options default_print_options();
// Returns the caller's options, checked, or the defaults for NULL. Throws BP_INVALID_ARGUMENT with
// a value that is out of range.
bp_print_options checked_print_options(const bp_print_options* given);

// Elements in host memory, row-major over `shown`, which is `shape` with long dimensions
// cut by shown_shape.
struct HostElements {
  bp_dtype dtype = BP_F32;
  Span shape, shown;
  const void* data = nullptr;
  std::string device;     // "" when it is not to be shown
  std::string grad = {};  // "requires_grad=True", "grad_fn=<AddBackward0>" or ""
};

// Returns the shape itself, or with 2 * edge_items in place of each longer dimension when there are
// more than threshold elements.
Dims shown_shape(Span shape, const bp_print_options& options);

std::string format_host(const HostElements& elements, const bp_print_options& options);
std::string format_tensor(Tensor& t, const bp_print_options& options);

}  // namespace bp
