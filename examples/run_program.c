/* SPDX-License-Identifier: Apache-2.0 */
/* run_program.c: runs a program that was recorded elsewhere, say in Python, on whatever device is
 * there; where it is a training step, it goes on learning.
 *   ./run_program_c PROGRAM INPUTS [DEVICE] [TIMES]
 * PROGRAM is a file that bp_program_save wrote, INPUTS a safetensors file with its inputs in their
 * order. It runs on DEVICE (cpu) so many TIMES (1). A line for each run has its results. */
#include <c_api.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 }; /* inputs, and results */
static bp_error *err = NULL;
static void check(bp_status status, const char *what) {
  if (status >= 0) return;
  fprintf(stderr, "run_program: %s: %s (%s)\n", what, bp_error_message(err, NULL),
          bp_status_name(status)),
      exit(1);
}
#define TRY(call) check(call, #call)

/* A number with all its digits; of other tensors what they look like. */
static void print(bp_tensor *t) {
  char text[256];
  if (bp_tensor_numel(t) == 1) {
    bp_tensor *number = NULL;
    double value = 0;
    TRY(bp_tensor_to(t, bp_device_make(BP_KIND_CPU, -1), BP_F64, 0, 0, &number, &err));
    TRY(bp_tensor_read(number, &value, sizeof value, &err));
    printf("%.17g ", value), bp_tensor_release(number);
  } else {
    TRY(bp_tensor_format(t, NULL, text, sizeof text, NULL, &err));
    printf("%s ", text);
  }
}

int main(int argc, char **argv) {
  const char *where = argc > 3 ? argv[3] : "cpu";
  const int times = argc > 4 ? atoi(argv[4]) : 1;
  bp_device device = 0;
  bp_dict *file = NULL;
  bp_program *program = NULL;
  bp_program_facts facts = {.struct_size = sizeof facts};
  bp_tensor *in[MOST] = {NULL}, *out[MOST] = {NULL};
  if (argc < 3) return fprintf(stderr, "usage: %s PROGRAM INPUTS [DEVICE] [TIMES]\n", argv[0]), 2;

  TRY(bp_device_parse(where, &device, &err));
  TRY(bp_safetensors_load(argv[2], device, &file, &err));
  TRY(bp_program_load(argv[1], &device, 1, NULL, &program, &err));
  TRY(bp_program_info(program, &facts, &err));
  const uint32_t n_in = (uint32_t)bp_dict_size(file), n_out = facts.n_outputs;
  if (n_in > MOST || n_out > MOST)
    return fprintf(stderr, "run_program: at most %d inputs and results\n", MOST), 2;
  const char *name;
  for (uint32_t i = 0; i < n_in; ++i) TRY(bp_dict_at(file, i, &name, &in[i], &err));
  for (int i = 0; i < times; ++i) {
    TRY(bp_program_run(program, in, n_in, out, n_out, &err)); /* says so when inputs do not fit */
    for (uint32_t k = 0; k < n_out; ++k) print(out[k]), bp_tensor_release(out[k]), out[k] = NULL;
    printf("\n");
  }
  for (uint32_t i = 0; i < n_in; ++i) bp_tensor_release(in[i]);
  bp_program_release(program), bp_dict_release(file);
  TRY(bp_shutdown(-1, &err));
  return 0;
}
