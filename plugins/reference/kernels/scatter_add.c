/* SPDX-License-Identifier: Apache-2.0 */
/* scatter_add: x with out[.., index[.., j, ..], ..] += src[.., j, ..], in row-major order and in
 * the dtype, so that every run rounds the same. Integers wrap; of bools it is logical or. */
#include "kernels.h"
#include "scatter_with.h"

static void add_f32_to(void* to, const void* from, size_t bytes) {
  (void)bytes;
  *(float*)to += *(const float*)from;
}
static void add_i64_to(void* to, const void* from, size_t bytes) {
  (void)bytes;
  *(uint64_t*)to += *(const uint64_t*)from;
}
static void add_bool_to(void* to, const void* from, size_t bytes) {
  (void)bytes;
  *(uint8_t*)to = *(uint8_t*)to || *(const uint8_t*)from;
}

bp_status scatter_add_f32(const bp_launch* launch, bp_error** err) {
  return scatter_with(launch, err, add_f32_to);
}
bp_status scatter_add_i64(const bp_launch* launch, bp_error** err) {
  return scatter_with(launch, err, add_i64_to);
}
bp_status scatter_add_bool(const bp_launch* launch, bp_error** err) {
  return scatter_with(launch, err, add_bool_to);
}
