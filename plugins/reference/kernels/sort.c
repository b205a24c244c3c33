/* SPDX-License-Identifier: Apache-2.0 */
/* sort: values and their places (i64) along each row, in rising order or falling: a merge sort,
 * which is stable, of places. NaN is the largest; -0 and +0 are equal. */
#include <math.h>
#include <string.h>

#include "kernels.h"

static int is_less(bp_dtype dtype, const char* a, const char* b) {
  if (dtype == BP_F32) {
    const float x = *(const float*)a, y = *(const float*)b;
    return isnan(y) ? !isnan(x) : x < y;
  }
  if (dtype == BP_I64) return *(const int64_t*)a < *(const int64_t*)b;
  return !*a && *b;
}

/* Whether the element at `later` comes before the one at `earlier`, which stood before it. */
static int overtakes(const bp_launch* launch, const char* row, int64_t later, int64_t earlier) {
  const bp_arg* x = &launch->args[0];
  const char *a = row + later * row_step(x), *b = row + earlier * row_step(x);
  const int falling = launch->attrs[BP_ATTR_SORT_DESCENDING].value.i64 != 0;
  return falling ? is_less(x->dtype, b, a) : is_less(x->dtype, a, b);
}

/* Sorts n places; `room` is for n more. Runs of 1, 2, 4, .. places are merged two by two. */
static void sort_places(const bp_launch* launch, const char* row, int64_t n, int64_t* places,
                        int64_t* room) {
  for (int64_t run = 1; run < n; run *= 2) {
    for (int64_t first = 0; first < n; first += 2 * run) {
      const int64_t middle = first + run < n ? first + run : n;
      const int64_t end = middle + run < n ? middle + run : n;
      int64_t i = first, j = middle;
      for (int64_t to = first; to < end; ++to)
        if (i == middle || (j < end && overtakes(launch, row, places[j], places[i])))
          room[to] = places[j++];
        else
          room[to] = places[i++];
    }
    memcpy(places, room, (size_t)n * sizeof *places);
  }
}

bp_status sort_any(const bp_launch* launch, bp_error** err) {
  const bp_arg *x = &launch->args[0], *values = &launch->args[1], *indices = &launch->args[2];
  const bp_host* host = launch->stream->device->host;
  const int64_t n = row_size(x);
  int64_t* places = host->alloc(host->self, 2 * (uint64_t)n * sizeof *places, 64);
  struct walk w;
  if (!places)
    return fail_launch(launch, err, BP_OUT_OF_HOST_MEMORY, "sort has no memory for its places");
  for (walk_rows(&w, launch); w.left; walk_next(&w)) {
    for (int64_t j = 0; j < n; ++j) places[j] = j;
    sort_places(launch, w.at[0], n, places, places + n);
    for (int64_t j = 0; j < n; ++j) {
      memcpy(w.at[1] + j * row_step(values), w.at[0] + places[j] * row_step(x),
             element_bytes(x->dtype));
      *(int64_t*)(w.at[2] + j * row_step(indices)) = places[j];
    }
  }
  host->free(host->self, places);
  return BP_OK;
}
