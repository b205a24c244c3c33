// SPDX-License-Identifier: Apache-2.0
// print.cc: the half of print.h that fetches.
#include "core/io/print.h"

#include "core/grad/autograd.h"

namespace bp {
namespace {

// Copies to the host in pieces that are each one run of memory, so that nothing between
// the elements crosses.
void copy_runs(Tensor& page, Tensor& t) {
  if (t.contiguous || t.device().is_host()) return copy_into(page, t, /*non_blocking=*/false);
  for (int64_t i = 0; i < t.shape[0]; ++i) copy_runs(*select(page, 0, i), *select(t, 0, i));
}

// Copies what the page shows of t: in each dimension the first and the last half of what is kept.
void copy_corners(Tensor& page, Tensor& t, int64_t dim) {
  if (dim == static_cast<int64_t>(t.rank())) return copy_runs(page, t);
  const auto d = static_cast<size_t>(dim);
  const int64_t kept = page.shape[d], size = t.shape[d], half = kept / 2;
  if (kept == size) return copy_corners(page, t, dim + 1);
  copy_corners(*narrow(page, dim, 0, half), *narrow(t, dim, 0, half), dim + 1);
  copy_corners(*narrow(page, dim, half, half), *narrow(t, dim, size - half, half), dim + 1);
}

}  // namespace

std::string format_tensor(Tensor& t, const bp_print_options& options) {
  HostElements elements{t.dtype, t.shape, {}, nullptr, {}, {}};
  if (wants_grad(t)) {
    const std::string made_by = grad_fn_name(t);
    elements.grad = made_by.empty() ? "requires_grad=True" : "grad_fn=<" + made_by + ">";
  }
  if (bp_device_kind(t.device().value) != BP_KIND_CPU)
    elements.device = format_device(t.device().value);
  const Dims shown = shown_shape(t.shape, options);
  elements.shown = shown;
  if (numel(shown) == 0) return format_host(elements, options);

  if (shown == t.shape) elements.data = values_in_place(t);
  if (elements.data) return format_host(elements, options);
  const RecordGuard off(false);
  const Ref<Tensor> page = new_tensor(shown, t.dtype, cpu_device());
  copy_corners(*page, t, 0);
  elements.data = page->data();
  return format_host(elements, options);
}

}  // namespace bp
