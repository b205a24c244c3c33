/* SPDX-License-Identifier: Apache-2.0 */
/* scatter_with.h: the loop of the rows scatter and scatter_add, which differ in what they do with
 * an element. */
#ifndef BACKPLANE_REFERENCE_SCATTER_WITH_H
#define BACKPLANE_REFERENCE_SCATTER_WITH_H

#include <stddef.h>

#include "c_plugin.h"

/* Copies x to the output, unless it is the output, and calls put(to, from, bytes) for each element
 * of index, in row-major order. Indices are checked before anything is written. */
bp_status scatter_with(const bp_launch* launch, bp_error** err,
                       void (*put)(void* to, const void* from, size_t bytes));

#endif
