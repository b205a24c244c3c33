/* SPDX-License-Identifier: Apache-2.0 */
/* arange: start + i * step for the i-th element. In i64, which wraps, where start and step are
 * whole and the output is; else in f64, so that no error adds up, rounded once. */
#include "kernels.h"
#include "number.h"

bp_status arange_any(const bp_launch* launch, bp_error** err) {
  const struct number start = number_of(&launch->args[0]), step = number_of(&launch->args[2]);
  const bp_arg* out = &launch->args[3];
  const double a = start.kind == REAL ? start.real : (double)start.whole,
               d = step.kind == REAL ? step.real : (double)step.whole;
  const int whole = start.kind == WHOLE && step.kind == WHOLE && out->dtype < BP_F16;
  struct number x = {whole ? WHOLE : REAL, 0, 0, 0};
  struct walk w;
  int64_t i = 0;
  (void)err;
  for (walk_dims(&w, out, 0, out->rank, out->data); w.left; walk_next(&w), ++i) {
    x.whole = (int64_t)((uint64_t)start.whole + (uint64_t)step.whole * (uint64_t)i);
    x.real = a + (double)i * d;
    write_number(x, out->dtype, w.at[0]);
  }
  return BP_OK;
}
