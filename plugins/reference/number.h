/* SPDX-License-Identifier: Apache-2.0 */
/* number.h: a number of any dtype, read and written by the rules of the row `cast`: a float becomes
 * an integer by truncation, NaN becomes 0, what is out of range saturates; integers wrap; anything
 * but zero is true; a complex number loses its imaginary part.
 *
 *   write_number(read_number(in->dtype, from), out->dtype, to);
 */
#ifndef BACKPLANE_REFERENCE_NUMBER_H
#define BACKPLANE_REFERENCE_NUMBER_H

#include "c_plugin.h"

struct number {
  enum { WHOLE, WHOLE_UNSIGNED, REAL } kind; /* which of the next two it is */
  int64_t whole;                             /* of WHOLE_UNSIGNED the bits */
  double real, imaginary;
};

struct number read_number(bp_dtype dtype, const void* from);
void write_number(struct number x, bp_dtype dtype, void* to);
/* The number that an operand is which is no tensor. */
struct number number_of(const bp_arg* a);

#endif
