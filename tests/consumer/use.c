/* SPDX-License-Identifier: Apache-2.0 */
/* use.c: a C program of somebody else's: it sees the installed headers and links the installed
 * library. It runs an op, makes a mistake, and ends the runtime. */
#include <backplane/c_api.h>
#include <stdio.h>

int main(void) {
  const int64_t shape[2] = {2, 3}, other[2] = {4, 5};
  bp_tensor *ones = NULL, *sum = NULL, *wide = NULL, *none = NULL;
  bp_error *err = NULL;
  float data[6] = {0, 0, 0, 0, 0, 0};
  int ok = bp_tensor_ones(2, shape, BP_F32, 0, &ones, &err) == BP_OK &&
           bp_add(ones, ones, &sum, &err) == BP_OK &&
           bp_tensor_read(sum, data, sizeof data, &err) == BP_OK && data[5] == 2.0f;
  if (!ok)
    fprintf(stderr, "%s: %s\n", bp_status_name(bp_error_code(err)), bp_error_message(err, NULL));
  if (ok) {
    ok = bp_tensor_ones(2, other, BP_F32, 0, &wide, &err) == BP_OK &&
         bp_add(ones, wide, &none, &err) != BP_OK && none == NULL;
    printf("%s\n", bp_error_message(err, NULL));
  }
  bp_tensor_release(ones);
  bp_tensor_release(sum);
  bp_tensor_release(wide);
  bp_error_release(err);
  ok = ok && bp_shutdown(-1, NULL) == BP_OK;
  if (ok) printf("backplane %s: 1 + 1 = %g\n", bp_version(), (double)data[5]);
  return !ok;
}
