/* SPDX-License-Identifier: Apache-2.0 */
#include "number.h"

#include <math.h>
#include <string.h>

/* The two floats of 16 bits, which differ in how many bits are the fraction's. Below the least
 * normal number, 2^least, the steps no longer become smaller. */
struct narrow {
  int fraction_bits, least;
  uint16_t infinity;
};
static const struct narrow kF16 = {10, -14, 0x7c00}, kBF16 = {7, -126, 0x7f80};

static float widened(struct narrow f, uint16_t bits) {
  const int exponent = (bits & 0x7fff) >> f.fraction_bits, one = 1 << f.fraction_bits;
  const int fraction = bits & (one - 1);
  float x = ldexpf((float)fraction, f.least - f.fraction_bits);
  if (exponent) x = ldexpf((float)(one + fraction), f.least + exponent - 1 - f.fraction_bits);
  if (exponent == f.infinity >> f.fraction_bits) x = fraction ? NAN : INFINITY;
  return bits & 0x8000 ? -x : x;
}

/* Rounds to nearest, halves to even. A fraction that is rounded up to 2 carries into the exponent,
 * and the largest number so to infinity. */
static uint16_t narrowed(struct narrow f, float x) {
  const unsigned sign = signbit(x) ? 0x8000u : 0;
  unsigned bits = f.infinity;
  if (isnan(x)) return (uint16_t)(sign | f.infinity | 1u << (f.fraction_bits - 1));
  if (fabsf(x) < ldexpf(1, 1 - f.least) * 2) {
    const int exponent = x != 0 && ilogbf(x) > f.least ? ilogbf(x) : f.least;
    bits = (unsigned)(exponent - f.least) << f.fraction_bits;
    bits += (unsigned)nearbyintf(ldexpf(fabsf(x), f.fraction_bits - exponent));
  }
  return (uint16_t)(sign | bits);
}

struct number read_number(bp_dtype dtype, const void* from) {
  struct number x = {WHOLE, 0, 0, 0};
  switch (dtype) {
    case BP_BOOL: x.whole = *(const uint8_t*)from != 0; break;
    case BP_U8: x.whole = *(const uint8_t*)from; break;
    case BP_I8: x.whole = *(const int8_t*)from; break;
    case BP_U16: x.whole = *(const uint16_t*)from; break;
    case BP_I16: x.whole = *(const int16_t*)from; break;
    case BP_U32: x.whole = *(const uint32_t*)from; break;
    case BP_I32: x.whole = *(const int32_t*)from; break;
    case BP_U64:
      x.kind = WHOLE_UNSIGNED; /* and the bits, as of an i64 */
    /* fall through */
    case BP_I64: memcpy(&x.whole, from, sizeof x.whole); break;
    default: x.kind = REAL;
  }
  switch (dtype) {
    case BP_F16: x.real = widened(kF16, *(const uint16_t*)from); break;
    case BP_BF16: x.real = widened(kBF16, *(const uint16_t*)from); break;
    case BP_C64: x.imaginary = ((const float*)from)[1]; /* fall through */
    case BP_F32: x.real = *(const float*)from; break;
    case BP_C128: x.imaginary = ((const double*)from)[1]; /* fall through */
    case BP_F64: x.real = *(const double*)from; break;
    default: break;
  }
  return x;
}

static double as_f64(struct number x) {
  if (x.kind == REAL) return x.real;
  return x.kind == WHOLE ? (double)x.whole : (double)(uint64_t)x.whole;
}
static float as_f32(struct number x) { /* rounded once */
  if (x.kind == REAL) return (float)x.real;
  return x.kind == WHOLE ? (float)x.whole : (float)(uint64_t)x.whole;
}

/* The bits of x within [low, high]; of an integer all bits, so that it wraps. */
static int64_t as_whole(struct number x, int64_t low, int64_t high) {
  if (x.kind != REAL) return x.whole;
  if (isnan(x.real)) return 0;
  if (x.real <= (double)low) return low;
  return x.real >= (double)high ? high : (int64_t)x.real;
}
static uint64_t as_u64(struct number x) {
  if (x.kind != REAL) return (uint64_t)x.whole;
  if (!(x.real > 0)) return 0;
  return x.real >= 0x1p64 ? UINT64_MAX : (uint64_t)x.real;
}

void write_number(struct number x, bp_dtype dtype, void* to) {
  switch (dtype) {
    case BP_BOOL:
      *(uint8_t*)to = x.kind == REAL ? x.real != 0 || x.imaginary != 0 : x.whole != 0;
      break;
    case BP_U8: *(uint8_t*)to = (uint8_t)as_whole(x, 0, UINT8_MAX); break;
    case BP_I8: *(int8_t*)to = (int8_t)as_whole(x, INT8_MIN, INT8_MAX); break;
    case BP_U16: *(uint16_t*)to = (uint16_t)as_whole(x, 0, UINT16_MAX); break;
    case BP_I16: *(int16_t*)to = (int16_t)as_whole(x, INT16_MIN, INT16_MAX); break;
    case BP_U32: *(uint32_t*)to = (uint32_t)as_whole(x, 0, UINT32_MAX); break;
    case BP_I32: *(int32_t*)to = (int32_t)as_whole(x, INT32_MIN, INT32_MAX); break;
    case BP_U64: *(uint64_t*)to = as_u64(x); break;
    case BP_I64: *(int64_t*)to = as_whole(x, INT64_MIN, INT64_MAX); break;
    case BP_F16: *(uint16_t*)to = narrowed(kF16, as_f32(x)); break;
    case BP_BF16: *(uint16_t*)to = narrowed(kBF16, as_f32(x)); break;
    case BP_C64: ((float*)to)[1] = (float)x.imaginary; /* fall through */
    case BP_F32: *(float*)to = as_f32(x); break;
    case BP_C128: ((double*)to)[1] = x.imaginary; /* fall through */
    default: *(double*)to = as_f64(x);
  }
}

struct number number_of(const bp_arg* a) {
  struct number x = {WHOLE, a->i64, 0, 0};
  if (a->kind == BP_ARG_SCALAR_I64) return x;
  x.kind = REAL;
  x.real = a->f64;
  if (a->kind == BP_ARG_SCALAR_C128) memcpy(&x.imaginary, &a->i64, sizeof x.imaginary);
  return x;
}
