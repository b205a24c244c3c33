/* SPDX-License-Identifier: Apache-2.0 */
/* hello.c: Backplane from C. Two tensors, a product, a text; every call gives a status and may
 * leave an error object. cc hello.c $(pkg-config --cflags --libs backplane) && ./a.out */
#include <c_api.h>
#include <stdio.h>

static int failed(const char* what, bp_error* err) {
  fprintf(stderr, "%s: %s (%s)\n", what, bp_error_message(err, NULL),
          bp_status_name(bp_error_code(err)));
  bp_error_release(err);
  return 1;
}

int main(void) {
  const float numbers[6] = {1, 2, 3, 4, 5, 6};
  const int64_t shape[2] = {2, 3};
  const bp_device cpu = bp_device_make(BP_KIND_CPU, -1);
  bp_tensor *a = NULL, *b = NULL, *c = NULL;
  bp_error* err = NULL;
  char text[256];

  if (bp_tensor_from_data(numbers, 2, shape, BP_F32, cpu, &a, &err) < 0)
    return failed("from_data", err);
  if (bp_tensor_transpose(a, 0, 1, &b, &err) < 0) return failed("transpose", err);
  if (bp_matmul(a, b, &c, &err) < 0) return failed("matmul", err);
  if (bp_tensor_format(c, NULL, text, sizeof text, NULL, &err) < 0) return failed("format", err);
  printf("Backplane %s\n%s\n", bp_version(), text);

  /* A wrong call gives a status and a sentence, and the program goes on. */
  bp_tensor_release(c);
  c = NULL;
  if (bp_matmul(a, a, &c, &err) < 0) {
    printf("%s: %s\n", bp_status_name(bp_error_code(err)), bp_error_message(err, NULL));
    bp_error_release(err);
  }

  bp_tensor_release(a);
  bp_tensor_release(b);
  bp_tensor_release(c);
  return 0;
}
