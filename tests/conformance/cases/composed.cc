// SPDX-License-Identifier: Apache-2.0
// How each op that is made of others, or stands alone, is called. The first call is the plain one.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "cases/cases.h"
#include "cases/inputs.h"

namespace conformance {
namespace {

using Calls = std::vector<Call>;
using Maker = Calls (*)(bp_dtype t);

Operand small(bp_dtype t, const Shape& shape, uint64_t seed, Layout layout = Layout::kContiguous) {
  return tensor(make(t, shape, Flavor::kSmall, seed), layout);
}
Operand wide(bp_dtype t, const Shape& shape, uint64_t seed, Layout layout = Layout::kContiguous) {
  return tensor(make(t, shape, Flavor::kWide, seed), layout);
}
Operand indices(const Shape& shape, int64_t size, uint64_t seed, bp_dtype t = BP_I64) {
  return tensor(make_indices(t, shape, size, false, seed));
}
// In 0 .. 1.
Operand shares(bp_dtype t, const Shape& shape, uint64_t seed) {
  Array a = make(t, shape, Flavor::kPositive, seed);
  if (is_float(t))
    for (Real& v : a.re) v = round_to((v - 0.5L) * 0.875L + 0.0625L, t);
  else
    for (Real& v : a.re) v = std::fmod(v, 2);
  return tensor(a);
}
constexpr Layout kLayouts[] = {Layout::kTransposed, Layout::kSliced, Layout::kFlipped};

// ---- places ----

Calls roll(bp_dtype t) {
  Calls calls{{{wide(t, {4, 6}, 1)}, {ints_attr("shift", {1}), ints_attr("axis", {1})}},
              {{wide(t, {4, 6}, 2)}, {ints_attr("shift", {-7})}},
              {{wide(t, {0, 3}, 2)}, {ints_attr("shift", {2}), ints_attr("axis", {1})}},
              {{wide(t, {}, 2)}, {ints_attr("shift", {2})}}};
  for (Layout l : kLayouts)
    calls.push_back({{wide(t, {3, 4, 5}, 3, l)},
                     {ints_attr("shift", {2, -1, 9}), ints_attr("axis", {0, -1, 1})}});
  return calls;
}
Calls repeat(bp_dtype t) {
  Calls calls{{{wide(t, {4, 6}, 1)}, {int_attr("repeats", 2), ints_attr("axis", {1})}},
              {{wide(t, {4, 6}, 1)}, {int_attr("repeats", 3)}},
              {{wide(t, {}, 1)}, {int_attr("repeats", 3)}},
              {{wide(t, {4}, 1)}, {int_attr("repeats", 0), ints_attr("axis", {0})}}};
  for (Layout l : kLayouts)
    calls.push_back(
        {{wide(t, {3, 4, 5}, 2, l)}, {int_attr("repeats", 2), ints_attr("axis", {-2})}});
  return calls;
}
Calls tile(bp_dtype t) {
  Calls calls{{{wide(t, {4, 6}, 1)}, {ints_attr("repetitions", {2, 1})}},
              {{wide(t, {4}, 1)}, {ints_attr("repetitions", {2, 3})}},
              {{wide(t, {4, 3}, 1)}, {ints_attr("repetitions", {2})}},
              {{wide(t, {}, 1)}, {ints_attr("repetitions", {2})}},
              {{wide(t, {4, 3}, 1)}, {ints_attr("repetitions", {0, 2})}}};
  for (Layout l : kLayouts)
    calls.push_back({{wide(t, {3, 4, 5}, 2, l)}, {ints_attr("repetitions", {2, 1, 3})}});
  return calls;
}
Calls triangle(bp_dtype t) {
  Calls calls{{{wide(t, {4, 6}, 1)}}};
  for (int64_t k : {-2, 1, 7, -9})
    calls.push_back({{wide(t, {2, 5, 4}, 2, Layout::kTransposed)}, {int_attr("diagonal", k)}});
  calls.push_back({{wide(t, {0, 4}, 2)}});
  return calls;
}
Calls pad(bp_dtype t) {
  Calls calls{
      {{wide(t, {4, 6}, 1)}, {ints_attr("pad", {1, 2})}},
      {{wide(t, {4, 6}, 1)}, {ints_attr("pad", {-1, 2, 1, -2}), float_attr("value", 1)}},
      {{wide(t, {4, 6}, 1)}, {ints_attr("pad", {-3, -3})}},
      {{wide(t, {0, 6}, 1)}, {ints_attr("pad", {0, 0, 1, 1}), float_attr("value", 1)}},
      {{wide(t, {}, 1)}},
      {{wide(t, {4, 6}, 1)}, {ints_attr("pad", {-9, 7}), float_attr("value", 1)}},
      {{wide(t, {70, 90}, 1)}, {ints_attr("pad", {3, 5, 2, 1}), str_attr("mode", "reflect")}},
      {{wide(t, {4, 6}, 1)}}};
  for (const char* mode : {"constant", "reflect", "replicate", "circular"})
    for (Layout l : kLayouts)
      for (const Shape& pad : {Shape{2, 1, 3, 0}, Shape{-1, 1, 1, -2}, Shape{2, -2}})
        calls.push_back(
            {{wide(t, {3, 4, 5}, 2, l)}, {ints_attr("pad", pad), str_attr("mode", mode)}});
  return calls;
}
Calls diff(bp_dtype t) {
  Calls calls{{{small(t, {4, 6}, 1)}},
              {{small(t, {4, 2}, 1)}, {int_attr("n", 2)}},
              {{small(t, {4, 2}, 1)}, {int_attr("n", 0)}}};
  for (Layout l : kLayouts)
    calls.push_back({{small(t, {3, 4, 5}, 2, l)}, {int_attr("n", 2), int_attr("axis", 1)}});
  return calls;
}

Calls scatter(bp_dtype t) {
  Calls calls;
  auto add = [&](const Shape& x, const Shape& index, const Shape& src, int64_t axis,
                 Layout l = Layout::kContiguous) {
    const int64_t size = x.empty() ? 1 : x[wrap_axis(axis, x.size())];
    calls.push_back({{small(t, x, 1, l), indices(index, size, 2), small(t, src, 3, l)},
                     {int_attr("axis", axis)}});
  };
  add({4, 6}, {4, 6}, {4, 6}, 1);
  add({4, 6}, {3, 5}, {4, 7}, 0);
  add({9}, {20}, {20}, 0);
  add({5, 2, 3}, {4, 2, 2}, {4, 2, 3}, -3);
  add({4, 6}, {0, 6}, {0, 6}, 0);
  add({}, {}, {}, 0);
  add({3, 7, 40}, {2, 30, 33}, {3, 31, 40}, 1);
  for (Layout l : kLayouts) add({3, 4, 5}, {3, 9, 5}, {3, 9, 5}, 1, l);
  calls.push_back({{small(t, {70, 90}, 4), indices({70, 90}, 90, 5, BP_I32), small(t, {70, 90}, 6)},
                   {int_attr("axis", 1)}});
  // Long lines, few of them: accelerators take sources in parallel. Each ends in several tiles of
  // sorted items; of the second few places are written.
  add({1500}, {3000}, {3000}, 0);
  add({20000}, {2100}, {2101}, 0);
  add({3, 200, 9}, {3, 300, 7}, {4, 301, 8}, 1);
  return calls;
}
Calls index_add(bp_dtype t) {
  Calls calls{
      {{small(t, {4, 6}, 1), indices({5}, 6, 2), small(t, {4, 5}, 3)}, {int_attr("axis", 1)}},
      {{small(t, {4, 6}, 1), indices({3}, 4, 2, BP_I32), small(t, {3, 6}, 3)},
       {int_attr("axis", 0)}},
      {{small(t, {9}, 1), indices({20}, 9, 2), small(t, {20}, 3)}, {int_attr("axis", 0)}},
      {{small(t, {3, 5, 70}, 1), indices({4}, 5, 2), small(t, {3, 4, 70}, 3)},
       {int_attr("axis", 1)}},
      {{small(t, {4, 6}, 1), indices({0}, 4, 2), small(t, {0, 6}, 3)}, {int_attr("axis", 0)}},
      {{small(t, {}, 1), indices({1}, 1, 2), small(t, {}, 3)}, {int_attr("axis", 0)}}};
  // Accelerators sort the index: it ends in several tiles, or is short against the axis; slices are
  // whole packs or not.
  calls.push_back({{small(t, {300, 16}, 1), indices({2100}, 300, 2), small(t, {2100, 16}, 3)},
                   {int_attr("axis", 0)}});
  calls.push_back({{small(t, {2, 900, 32}, 1), indices({50}, 9, 2), small(t, {2, 50, 32}, 3)},
                   {int_attr("axis", 1)}});
  calls.push_back({{small(t, {3, 900, 5}, 1), indices({50}, 900, 2), small(t, {3, 50, 5}, 3)},
                   {int_attr("axis", 1)}});
  if (!is_bool(t))
    calls.push_back(
        {{small(t, {4, 6}, 1, Layout::kTransposed), indices({3}, 4, 2), small(t, {3, 6}, 3)},
         {int_attr("axis", -2), float_attr("alpha", 2)}});
  return calls;
}
Calls index_copy(bp_dtype t) {
  Calls calls{
      {{wide(t, {4, 6}, 1), indices({5}, 6, 2), wide(t, {4, 5}, 3)}, {int_attr("axis", 1)}},
      {{wide(t, {4, 6}, 1), indices({3}, 4, 2, BP_I32), wide(t, {3, 6}, 3)}, {int_attr("axis", 0)}},
      {{wide(t, {4, 6}, 1), indices({0}, 4, 2), wide(t, {0, 6}, 3)}, {int_attr("axis", 0)}},
      {{wide(t, {0, 6}, 1), indices({3}, 6, 2), wide(t, {0, 3}, 3)}, {int_attr("axis", 1)}},
      {{wide(t, {700}, 4), indices({5000}, 700, 5), wide(t, {5000}, 6)}, {int_attr("axis", 0)}},
      {{wide(t, {30, 500, 3}, 4), indices({900}, 500, 5), wide(t, {30, 900, 3}, 6)},
       {int_attr("axis", -2)}}};
  for (Layout l : kLayouts)
    calls.push_back({{wide(t, {3, 4, 5}, 1, l), indices({9}, 4, 2), wide(t, {3, 9, 5}, 3, l)},
                     {int_attr("axis", 1)}});
  return calls;
}
// Mostly zeros, mostly ones, all of one kind; more than one chunk of a backend's.
Calls nonzero(bp_dtype t) {
  Calls calls;
  const auto add = [&](const Shape& shape, uint64_t seed, Layout layout = Layout::kContiguous) {
    Array a = make(t, shape, Flavor::kSmall, seed);
    for (size_t i = 0; i < a.size(); ++i)
      if (seed % 3 == 0 || (seed % 3 == 1 && i * 2654435761u % 7 != 0)) {
        a.re[i] = 0;
        if (is_complex(t)) a.im[i] = 0;
      }
    calls.push_back({{tensor(a, layout)}});
  };
  for (uint64_t seed : {2u, 1u, 3u})
    for (const Shape& shape : std::vector<Shape>{{4, 6}, {37}, {}, {0, 3}, {2, 3, 5, 2}})
      add(shape, seed);
  for (Layout layout : kLayouts) add({3, 4, 5}, 1, layout);
  if (t == BP_BOOL || t == BP_F32) add({300, 700}, 1), add({200003}, 2);
  return calls;
}
Calls flat_nonzero(bp_dtype t) {
  Calls calls;
  for (const Call& call : nonzero(t)) {
    int64_t n = 0;
    for (Real v : call.in[0].array.re) n += v != 0;
    for (int64_t size : {n, n / 2, n + 3, int64_t{0}})
      calls.push_back({call.in, {int_attr("size", size)}});
  }
  return calls;
}
Calls masked_select(bp_dtype t) {
  const auto mask = [](const Shape& shape, Layout l = Layout::kContiguous) {
    return tensor(make(BP_BOOL, shape, Flavor::kSmall, 9), l);
  };
  Calls calls{{{wide(t, {4, 6}, 1), mask({4, 6})}},
              {{wide(t, {6}, 1), mask({4, 1})}},
              {{wide(t, {4, 6}, 1), mask({})}},
              {{wide(t, {0, 6}, 1), mask({6})}},
              {{wide(t, {70, 90}, 1), mask({70, 90})}}};
  for (Layout l : kLayouts) calls.push_back({{wide(t, {3, 4, 5}, 1, l), mask({3, 4, 5}, l)}});
  return calls;
}
Calls unique(bp_dtype t) {
  Calls calls{{{small(t, {4, 6}, 1)}},
              {{small(t, {40, 9}, 2)}},
              {{wide(t, {37}, 3)}},
              {{small(t, {}, 4)}},
              {{small(t, {0, 3}, 5)}}};
  for (Layout l : kLayouts) calls.push_back({{small(t, {3, 4, 5}, 6, l)}});
  if (is_float(t)) {
    const Real nan = std::nanl(""), inf = HUGE_VALL;
    calls.push_back({{tensor({t, {9}, {nan, 1, -inf, nan, inf, 0, 1, inf, nan}})}});
  }
  if (t == BP_F32 || t == BP_I64) calls.push_back({{small(t, {1500}, 7)}});
  return calls;
}
Calls masked_fill(bp_dtype t) {
  const auto mask = [](const Shape& shape) {
    return tensor(make(BP_BOOL, shape, Flavor::kSmall, 9));
  };
  return {{{wide(t, {4, 6}, 1), mask({4, 6}), number(int64_t{1})}},
          {{wide(t, {4, 6}, 1, Layout::kTransposed), mask({6}), number(int64_t{0})}},
          {{wide(t, {6}, 1), mask({4, 1}), small(t, {}, 2)}},
          {{wide(t, {4, 6}, 1), mask({4, 6}), number(1.5)}}};
}
Calls searchsorted(bp_dtype t) {
  Array sorted = make(t, {50}, Flavor::kTied, 1), more = make(t, {1000}, Flavor::kSmall, 2);
  auto before = [](Real a, Real b) { return std::isnan(b) ? !std::isnan(a) : a < b; };
  std::sort(sorted.re.begin(), sorted.re.end(), before);
  std::sort(more.re.begin(), more.re.end(), before);
  Calls calls;
  for (bool right : {false, true}) {
    calls.push_back(
        {{tensor(sorted), tensor(make(t, {4, 6}, Flavor::kTied, 3))}, {flag_attr("right", right)}});
    calls.push_back({{tensor(more, Layout::kSliced), small(t, {70, 90}, 4, Layout::kTransposed)},
                     {flag_attr("right", right)}});
    calls.push_back({{small(t, {0}, 4), small(t, {3}, 4)}, {flag_attr("right", right)}});
  }
  return calls;
}

// ---- products ----

Calls outer(bp_dtype t) {
  return {{{small(t, {4}, 1), small(t, {6}, 2)}},
          {{small(t, {5}, 1, Layout::kFlipped), small(t, {3}, 2, Layout::kSliced)}},
          {{small(t, {0}, 1), small(t, {3}, 2)}}};
}
Calls vecdot(bp_dtype t) {
  return {
      {{small(t, {4, 6}, 1), small(t, {4, 6}, 2)}},
      {{small(t, {6}, 1), small(t, {6}, 2)}},
      {{small(t, {3, 4, 5}, 1, Layout::kTransposed), small(t, {4, 1}, 2)}, {int_attr("axis", -2)}},
      {{small(t, {2, 1, 5}, 1), small(t, {3, 5}, 2, Layout::kFlipped)}},
      {{small(t, {4, 0}, 1), small(t, {4, 0}, 2)}}};
}
Calls tensordot(bp_dtype t) {
  return {
      {{small(t, {4, 6}, 1), small(t, {6, 3}, 2)},
       {ints_attr("axes_a", {1}), ints_attr("axes_b", {0})}},
      {{small(t, {3, 4, 5}, 1, Layout::kTransposed), small(t, {5, 2, 3}, 2)},
       {ints_attr("axes_a", {0, 2}), ints_attr("axes_b", {-1, 0})}},
      {{small(t, {4}, 1), small(t, {3}, 2)}},
      {{small(t, {4}, 1), small(t, {4}, 2)}, {ints_attr("axes_a", {0}), ints_attr("axes_b", {0})}}};
}
Calls einsum(bp_dtype t) {
  const auto with = [](const char* equation) {
    return std::vector<Attribute>{str_attr("equation", equation)};
  };
  const Operand a = small(t, {4, 6}, 1), b = small(t, {6, 3}, 2, Layout::kTransposed),
                cube = small(t, {2, 6, 6}, 3, Layout::kFlipped),
                v = small(t, {6}, 4, Layout::kSliced), one = small(t, {1, 4}, 5);
  return {
      {{a, b}, with("ij,jk->ik")},
      {{a}, with("ij->ji")},
      {{a}, with("ij")},
      {{b, a}, with("ba, cb")},
      {{cube}, with("bii->bi")},
      {{cube}, with("bii->b")},
      {{cube}, with("...i->...")},
      {{cube}, with("a...->...")},
      {{a}, with("ij->")},
      {{v, v}, with("i,i->i")},
      {{v, v}, with("i,i")},
      {{v, a}, with("i,ji->j")},
      {{v, small(t, {3}, 6)}, with("i,j")},
      {{cube, small(t, {6, 5}, 7)}, with("...ij,jk->...ik")},
      {{cube, cube}, with("bij,bkj->bik")},
      {{cube, cube}, with("bij,bij->")},
      {{cube, v}, with("b...i,...->bi")},
      {{one, a}, with("ij,jk->ik")},
      {{a, one}, with("ik,ji->kj")},
      {{small(t, {2, 1}, 8), a}, with("ij,kj->ik")},
      {{v}, with("i->")},
      {{small(t, {}, 9), v}, with(",i->i")},
      {{small(t, {2, 3}, 10), small(t, {3, 4}, 11), small(t, {4, 2}, 12)}, with("ij,jk,kl->il")},
      {{small(t, {2, 3}, 13), small(t, {3}, 14), small(t, {2, 3}, 15)}, with("ij,j,ij->i")},
      {{small(t, {0, 3}, 16), small(t, {3, 2}, 17)}, with("ij,jk->ik")},
      {{small(t, {2, 0}, 18), small(t, {0, 2}, 19)}, with("ij,jk->ik")}};
}
Calls trace(bp_dtype t) {
  Calls calls{{{small(t, {4, 6}, 1)}}};
  for (int64_t offset : {1, -2, 9})
    calls.push_back({{small(t, {2, 5, 4}, 2, Layout::kTransposed)}, {int_attr("offset", offset)}});
  return calls;
}
Calls cross(bp_dtype t) {
  return {{{small(t, {4, 3}, 1), small(t, {4, 3}, 2)}},
          {{small(t, {3, 5}, 1, Layout::kFlipped), small(t, {3, 1}, 2)}, {int_attr("axis", 0)}},
          {{small(t, {2, 4, 3}, 1), small(t, {3}, 2)}}};
}
Calls kron(bp_dtype t) {
  return {{{small(t, {2, 3}, 1), small(t, {4, 2}, 2)}},
          {{small(t, {3}, 1), small(t, {2, 2}, 2, Layout::kTransposed)}},
          {{small(t, {2, 1, 2}, 1), small(t, {3, 2}, 2)}}};
}

// ---- losses ----

void with_reductions(Calls& calls, const Call& call) {
  for (const char* how : {"mean", "sum", "none"}) {
    calls.push_back(call);
    calls.back().attrs.push_back(str_attr("reduction", how));
  }
}
Calls pointwise(bp_dtype t) {
  Calls calls{{{small(t, {4, 6}, 1), small(t, {4, 6}, 2)}, {str_attr("reduction", "none")}}};
  with_reductions(calls, {{small(t, {4, 6}, 3, Layout::kTransposed), small(t, {6}, 4)}});
  with_reductions(calls, {{small(t, {70, 90}, 5), small(t, {70, 90}, 6)}});
  return calls;
}
Calls huber(bp_dtype t) {
  Calls calls = pointwise(t);
  calls.push_back({{small(t, {4, 6}, 1), small(t, {4, 6}, 2)}, {float_attr("delta", 2.5)}});
  return calls;
}
Calls smooth(bp_dtype t) {
  Calls calls = pointwise(t);
  for (double beta : {0.0, 2.5})
    calls.push_back({{small(t, {4, 6}, 1), small(t, {4, 6}, 2)}, {float_attr("beta", beta)}});
  return calls;
}
Calls bce(bp_dtype t) {
  Calls calls{
      {{shares(t, {4, 6}, 1), shares(t, {4, 6}, 2), none()}, {str_attr("reduction", "none")}}};
  with_reductions(calls, {{shares(t, {4, 6}, 3), shares(t, {4, 6}, 4), shares(t, {6}, 5)}});
  if (is_float(t)) {
    Array ends = make(t, {4}, Flavor::kSmall, 6), target = ends;
    ends.re = {0, 1, 0, 1}, target.re = {0, 1, 1, 0};
    calls.push_back({{tensor(ends), tensor(target), none()}, {str_attr("reduction", "none")}});
  }
  return calls;
}
Calls bce_with_logits(bp_dtype t) {
  Calls calls{{{small(t, {4, 6}, 1), shares(t, {4, 6}, 2), none(), none()},
               {str_attr("reduction", "none")}}};
  with_reductions(
      calls, {{small(t, {4, 6}, 3), shares(t, {4, 6}, 4), shares(t, {6}, 5), shares(t, {6}, 6)}});
  return calls;
}
Calls classes(bp_dtype t, bool logits) {
  Calls calls{{{small(t, {4, 6}, 1), indices({4}, 6, 2), none()}, {str_attr("reduction", "none")}}};
  for (const Operand& weight : {none(), shares(t, {6}, 3)}) {
    with_reductions(calls,
                    {{small(t, {4, 6}, 4, Layout::kTransposed), indices({4}, 6, 5, BP_I32), weight},
                     {int_attr("ignore_index", 2)}});
    with_reductions(calls, {{small(t, {2, 6, 3, 2}, 6), indices({2, 3, 2}, 6, 7), weight}});
    calls.push_back({{small(t, {6}, 8), indices({}, 6, 9), weight}});
    if (!logits) continue;
    with_reductions(calls, {{small(t, {4, 6}, 10), indices({4}, 6, 11), weight},
                            {float_attr("label_smoothing", 0.25)}});
    if (is_float(t))
      with_reductions(calls, {{small(t, {4, 6}, 12), shares(t, {4, 6}, 13), weight},
                              {float_attr("label_smoothing", 0.125)}});
  }
  return calls;
}
Calls nll(bp_dtype t) { return classes(t, false); }
Calls cross_entropy(bp_dtype t) { return classes(t, true); }

// ---- networks ----

Calls linear(bp_dtype t) {
  const Attribute relu = str_attr("activation", "relu");
  Calls calls{{{small(t, {5, 7}, 29), small(t, {4, 7}, 30), none()}},
              {{small(t, {5, 7}, 1), small(t, {4, 7}, 2), small(t, {4}, 3)}},
              {{small(t, {7}, 4), small(t, {4, 7}, 5), small(t, {4}, 6)}},
              {{small(t, {2, 3, 7}, 7), small(t, {4, 7}, 8), none()}},
              {{small(t, {2, 5, 7}, 9, Layout::kTransposed),
                small(t, {4, 7}, 10, Layout::kTransposed), small(t, {4}, 11, Layout::kFlipped)}},
              {{small(t, {70, 40}, 12), small(t, {70, 40}, 13), small(t, {70}, 14)}},
              {{small(t, {3, 0}, 15), small(t, {4, 0}, 16), small(t, {4}, 17)}},
              {{small(t, {0, 7}, 18), small(t, {4, 7}, 19), small(t, {4}, 20)}}};
  if (t == BP_BOOL || is_complex(t)) return calls;  // of which there is no relu
  calls.push_back({{small(t, {5, 7}, 21), small(t, {4, 7}, 22), small(t, {4}, 23)}, {relu}});
  calls.push_back({{small(t, {66, 33}, 24), small(t, {80, 33}, 25), small(t, {80}, 26)}, {relu}});
  calls.push_back({{small(t, {66, 33}, 27), small(t, {80, 33}, 28), none()}, {relu}});
  return calls;
}
Calls layer_norm(bp_dtype t) {
  const Attribute over = ints_attr("normalized_shape", {6});
  return {
      {{small(t, {4, 6}, 1), none(), none()}, {over}},
      {{small(t, {3, 4, 6}, 2, Layout::kTransposed), small(t, {6}, 3), small(t, {6}, 4)}, {over}},
      {{small(t, {2, 5, 6}, 5), small(t, {5, 6}, 6), none()},
       {ints_attr("normalized_shape", {5, 6}), float_attr("eps", 0.5)}},
      {{small(t, {9, 700}, 7), none(), small(t, {700}, 8)}, {ints_attr("normalized_shape", {700})}},
      {{small(t, {2, 20011}, 9), small(t, {20011}, 10), none()},
       {ints_attr("normalized_shape", {20011})}},
      {{small(t, {1100, 37}, 11), small(t, {37}, 12), small(t, {37}, 13)},
       {ints_attr("normalized_shape", {37})}},
      {{small(t, {0, 6}, 14), none(), small(t, {6}, 15)}, {over}}};
}
Calls rms_norm(bp_dtype t) {
  const Attribute over = ints_attr("normalized_shape", {6});
  return {{{small(t, {4, 6}, 1), none()}, {over}},
          {{small(t, {3, 4, 6}, 2, Layout::kFlipped), small(t, {6}, 3)},
           {over, float_attr("eps", 0.25)}},
          {{small(t, {9, 700}, 7), small(t, {700}, 8)}, {ints_attr("normalized_shape", {700})}}};
}
Calls batch_norm(bp_dtype t) {
  const Operand mean = small(t, {6}, 1), var = shares(t, {6}, 2), weight = small(t, {6}, 3),
                bias = small(t, {6}, 4);
  const Attribute training = flag_attr("training", true);
  return {{{small(t, {4, 6}, 5), mean, var, none(), none()}},
          {{small(t, {4, 6, 5}, 6, Layout::kTransposed), mean, var, weight, bias},
           {float_attr("eps", 0.25)}},
          {{small(t, {4, 6}, 7), none(), none(), none(), bias}, {training}},
          {{small(t, {3, 6, 4, 2}, 8), mean, var, weight, bias}, {training}},
          {{small(t, {90, 37}, 9), none(), none(), small(t, {37}, 10), none()}, {training}},
          {{small(t, {90, 37}, 11), small(t, {37}, 12), shares(t, {37}, 13), none(), none()}},
          {{small(t, {3, 6, 70, 90}, 14), none(), none(), weight, bias}, {training}},
          {{small(t, {1100, 37}, 16), none(), none(), none(), small(t, {37}, 17)}, {training}},
          {{small(t, {0, 6, 3}, 15), mean, var, weight, bias}, {training}}};
}
Calls batch_norm_running(bp_dtype t) {
  const Operand mean = small(t, {6}, 1), var = shares(t, {6}, 2);
  return {{{small(t, {4, 6}, 5), mean, var}},
          {{small(t, {4, 6, 5}, 6, Layout::kTransposed), mean, var}, {float_attr("momentum", 0.5)}},
          {{small(t, {1, 6, 40, 3}, 7), mean, var}, {float_attr("momentum", 1)}},
          {{small(t, {3, 6, 70, 90}, 8), mean, var}}};
}
Calls group_norm(bp_dtype t) {
  return {{{small(t, {4, 6}, 1), none(), none()}, {int_attr("num_groups", 2)}},
          {{small(t, {2, 6, 5}, 2, Layout::kTransposed), small(t, {6}, 3), small(t, {6}, 4)},
           {int_attr("num_groups", 3)}},
          {{small(t, {2, 6, 3, 2}, 5), small(t, {6}, 6), none()}, {int_attr("num_groups", 1)}},
          {{small(t, {1, 6, 70, 90}, 7), small(t, {6}, 8), small(t, {6}, 9)},
           {int_attr("num_groups", 2)}},
          {{small(t, {0, 6, 3}, 10), small(t, {6}, 11), none()}, {int_attr("num_groups", 2)}}};
}
// The calls of a normalisation's gradient: the normalisation's own, with a gradient in front and
// without a bias.
Calls gradients_of(bp_dtype t, Calls calls, bool has_bias = true) {
  uint64_t seed = 40;
  for (Call& call : calls) {
    if (has_bias) call.in.pop_back();
    call.in.insert(call.in.begin(), small(t, call.in[0].array.shape, ++seed));
  }
  return calls;
}
Calls layer_norm_grad(bp_dtype t) { return gradients_of(t, layer_norm(t)); }
Calls rms_norm_grad(bp_dtype t) { return gradients_of(t, rms_norm(t), /*has_bias=*/false); }
Calls batch_norm_grad(bp_dtype t) { return gradients_of(t, batch_norm(t)); }
Calls group_norm_grad(bp_dtype t) { return gradients_of(t, group_norm(t)); }
// The numbers of gates, which are those of a state times what each operand has of them.
Calls steps(bp_dtype t, const std::vector<int64_t>& gates,
            const std::vector<Attribute>& attrs = {}) {
  Calls calls;
  uint64_t seed = 60;
  for (const Shape& state : {Shape{6}, Shape{4, 6}, Shape{3, 2, 37}, Shape{0, 3}})
    for (const Layout l : {Layout::kContiguous, Layout::kTransposed}) {
      Call call{{}, attrs};
      for (const int64_t k : gates) {
        Shape shape = state;
        shape.back() *= k;
        call.in.push_back(small(t, shape, ++seed, l));
      }
      calls.push_back(std::move(call));
    }
  return calls;
}
// The same calls, and each without those operands from `first` on that a bit of its number lacks.
Calls with_few(Calls calls, size_t first) {
  for (size_t i = 1; i < calls.size(); ++i)
    for (size_t k = first; k < calls[i].in.size(); ++k)
      if (i >> (k - first) & 1) calls[i].in[k] = none();
  return calls;
}
Calls lstm_gates(bp_dtype t) { return steps(t, {4, 4, 1}); }
Calls lstm_gates_grad(bp_dtype t) { return with_few(steps(t, {4, 1, 1, 1, 1}), 2); }
Calls gru_gates(bp_dtype t) {
  Calls calls = steps(t, {3, 3, 1, 3});
  for (Call& call : calls) call.in[3] = small(t, {call.in[3].array.shape.back()}, 91);
  return with_few(calls, 3);
}
Calls gru_gates_grad(bp_dtype t) { return with_few(steps(t, {4, 1, 1, 1, 1}), 2); }
Calls both_rnns(bp_dtype t, const std::vector<int64_t>& operands) {
  Calls calls = steps(t, operands);
  for (Call& call : steps(t, operands, {flag_attr("relu", true)})) calls.push_back(std::move(call));
  return calls;
}
Calls rnn_gates(bp_dtype t) { return both_rnns(t, {1, 1}); }
Calls rnn_gates_grad(bp_dtype t) { return with_few(both_rnns(t, {1, 1, 1}), 1); }
Calls embedding(bp_dtype t) {
  return {{{indices({4, 6}, 5, 1), wide(t, {5, 3}, 2)}},
          {{indices({}, 5, 1, BP_I32), wide(t, {5, 3}, 2, Layout::kTransposed)}},
          {{indices({0}, 5, 1), wide(t, {5, 3}, 2)}}};
}
Calls dropout(bp_dtype t) {
  const Attribute seed = int_attr("seed", 7), offset = int_attr("offset", 0);
  return {{{small(t, {4, 6}, 1)}, {seed, offset}},
          {{small(t, {70, 90}, 2, Layout::kTransposed)},
           {float_attr("p", 0.25), seed, int_attr("offset", 100)}},
          {{small(t, {4, 6}, 1)}, {float_attr("p", 0), seed, offset}}};
}
Calls attention(bp_dtype t) {
  const Operand q = small(t, {2, 4, 6}, 1), k = small(t, {2, 5, 6}, 2, Layout::kTransposed),
                v = small(t, {2, 5, 3}, 3);
  Array mask = make(BP_BOOL, {4, 5}, Flavor::kSmall, 4);
  for (size_t i = 0; i < mask.size(); i += 5) mask.re[i] = 1;
  const Attribute scale = float_attr("scale", 0.0625);
  return {{{small(t, {4, 6}, 5), small(t, {4, 6}, 6), small(t, {4, 6}, 7), none()}, {scale}},
          {{q, k, v, none()}, {scale}},
          {{q, k, v, tensor(mask)}, {scale}},
          {{q, k, v, small(t, {2, 4, 5}, 8)}, {scale}},
          {{q, k, v, none()}, {scale, flag_attr("is_causal", true)}},
          {{shares(t, {2, 4, 6}, 9), shares(t, {1, 5, 6}, 10), v, none()}}};
}
// Broadcast batches, a query without a key, and operands of several tiles.
Calls attention_of_batches(bp_dtype t) {
  Array mask = make(BP_BOOL, {2, 1, 5}, Flavor::kSmall, 24);
  for (size_t i = 0; i < mask.size(); ++i) mask.re[i] = i >= 5 && i % 2;
  const Operand q = tensor(shares(t, {9, 70}, 25).array, Layout::kFlipped),
                k = shares(t, {75, 70}, 26), v = small(t, {75, 67}, 27, Layout::kTransposed);
  return {
      {{small(t, {3, 1, 4, 6}, 21), small(t, {2, 5, 6}, 22), small(t, {5, 3}, 23), tensor(mask)},
       {float_attr("scale", 0.0625)}},
      {{q, k, v, none()}},
      {{q, k, v, small(t, {1, 75}, 28)}},
      {{q, k, v, none()}, {flag_attr("is_causal", true)}}};
}
Calls long_attention(bp_dtype t) {  // in several steps
  Calls calls = attention(t);
  for (Call& call : attention_of_batches(t)) calls.push_back(std::move(call));
  if (t == BP_F16 || t == BP_BF16)  // in the shapes of tensor cores
    for (const int64_t width : {int64_t{64}, int64_t{96}})
      for (const bool causal : {false, true})
        calls.push_back({{shares(t, {2, 140, width}, 31), shares(t, {2, 75, width}, 32),
                          shares(t, {2, 75, width}, 33), none()},
                         {flag_attr("is_causal", causal)}});
  if (t != BP_F32) return calls;
  const Operand q = small(t, {1100, 1}, 11), k = shares(t, {1000, 1}, 12),
                v = small(t, {1000, 2}, 13);
  Array mask = make(BP_BOOL, {1100, 1000}, Flavor::kSmall, 14);
  for (size_t i = 0; i < mask.size(); i += 1000) mask.re[i] = 1;
  calls.push_back({{q, k, v, none()}, {flag_attr("is_causal", true)}});
  calls.push_back({{q, k, v, tensor(mask)}});
  return calls;
}
Calls rope(bp_dtype t) {
  return {{{small(t, {4, 6}, 1), shares(t, {4, 3}, 2), shares(t, {4, 3}, 3)}},
          {{small(t, {2, 4, 6}, 1, Layout::kTransposed), shares(t, {4, 3}, 2), shares(t, {3}, 3)},
           {flag_attr("interleaved", true)}}};
}

// ---- windows ----

template <size_t n>
Shape sizes(int64_t batch, int64_t channels, const Shape& spatial) {
  Shape s{batch, channels};
  for (size_t i = 0; i < n; ++i) s.push_back(spatial[i]);
  return s;
}
template <size_t n, bool kTransposed>
Calls conv(bp_dtype t) {
  const auto weight = [&](int64_t in, int64_t out, const Shape& kernel) {
    return small(t, kTransposed ? sizes<n>(in, out, kernel) : sizes<n>(out, in, kernel), 2);
  };
  Shape first = sizes<n>(2, 3, {7, 6, 5});
  Calls calls{
      {{small(t, first, 1), weight(3, 4, {3, 2, 2}), none()}},
      {{small(t, first, 3, Layout::kTransposed), weight(3, 4, {2, 3, 1}), small(t, {4}, 4)},
       {ints_attr("stride", {2}), ints_attr("padding", {1})}},
      {{small(t, Shape(first.begin() + 1, first.end()), 5), weight(3, 2, {2, 2, 2}), none()},
       {ints_attr("dilation", {2}), ints_attr("padding", Shape(n, 2))}},
      {{small(t, sizes<n>(2, 4, {6, 5, 3}), 6, Layout::kFlipped),
        small(t, kTransposed ? sizes<n>(4, 3, {3, 2, 1}) : sizes<n>(6, 2, {3, 2, 1}), 7),
        small(t, {6}, 8)},
       {int_attr("groups", 2), ints_attr("stride", {2})}},
      {{small(t, sizes<n>(1, 3, {5, 5, 2}), 9), weight(3, 5, {1, 1, 1}), none()}}};
  if (kTransposed)
    calls.push_back(
        {{small(t, first, 10), weight(3, 2, {3, 3, 3}), none()},
         {ints_attr("stride", {2}), ints_attr("padding", {1}), ints_attr("output_padding", {1})}});
  return calls;
}
// One convolution, seen from its result (which 0), its input (1) and its weight (2).
struct Convolution {
  Shape x, w, out;
  std::vector<Attribute> attrs;
};
template <int which>
Calls convolution(bp_dtype t) {
  const auto both = [](int64_t v, size_t n) { return Shape(n, v); };
  const Convolution all[] = {
      {{2, 3, 7}, {4, 3, 3}, {2, 4, 5}, {}},
      {{2, 3, 7, 6},
       {4, 3, 3, 2},
       {2, 4, 4, 4},
       {ints_attr("stride", {2}), ints_attr("padding", {1})}},
      {{1, 4, 6, 5},
       {6, 2, 3, 2},
       {1, 6, 3, 5},
       {ints_attr("stride", {2, 1}), ints_attr("padding", {1, 1}), ints_attr("dilation", {1, 2}),
        int_attr("groups", 2)}},
      {{2, 2, 4, 3, 5}, {3, 2, 2, 1, 3}, {2, 3, 3, 3, 3}, {}},
      {{3, 1, 5, 5}, {2, 1, 1, 1}, {3, 2, 9, 9}, {ints_attr("padding", both(2, 2))}},
      {{1, 2, 3, 9}, {2, 1, 2, 2}, {1, 2, 1, 3}, {ints_attr("stride", {3}), int_attr("groups", 2)}},
      {{1, 20, 10, 17}, {50, 20, 3, 3}, {1, 50, 10, 17}, {ints_attr("padding", {1})}},
      {{0, 2, 4, 4}, {3, 2, 3, 3}, {0, 3, 2, 2}, {}},
      // Rows longer than a register: depthwise, with and without steps, few filters in a group, one
      // filter, one pixel for each place, and more taps than a product takes at a time.
      {{2, 3, 9, 37},
       {3, 1, 3, 3},
       {2, 3, 9, 37},
       {ints_attr("padding", {1}), int_attr("groups", 3)}},
      {{1, 2, 11, 41},
       {2, 1, 3, 5},
       {1, 2, 6, 21},
       {ints_attr("stride", {2}), ints_attr("padding", {1, 2}), int_attr("groups", 2)}},
      {{2, 4, 50}, {4, 1, 4}, {2, 4, 53}, {ints_attr("padding", {3}), int_attr("groups", 4)}},
      {{1, 6, 5, 30},
       {8, 3, 3, 3},
       {1, 8, 5, 30},
       {ints_attr("padding", {1}), int_attr("groups", 2)}},
      {{1, 3, 4, 20}, {1, 3, 3, 3}, {1, 1, 4, 20}, {ints_attr("padding", {1})}},
      {{1, 2, 13, 40},
       {3, 2, 2, 3},
       {1, 3, 5, 13},
       {ints_attr("stride", {3}), ints_attr("padding", {1}), ints_attr("dilation", {2})}},
      {{2, 7, 3, 20}, {9, 7, 1, 1}, {2, 9, 3, 20}, {}},
      {{1, 70, 4, 20}, {10, 70, 3, 3}, {1, 10, 4, 20}, {ints_attr("padding", {1})}},
      // Steps, of which some taps reach no position, and sums so long that they are made in parts.
      {{2, 24, 9, 8},
       {36, 12, 3, 2},
       {2, 36, 4, 4},
       {ints_attr("stride", {2, 3}), ints_attr("padding", {1, 2}), ints_attr("dilation", {2, 1}),
        int_attr("groups", 2)}},
      {{2, 9, 4, 5, 6},
       {10, 9, 3, 2, 3},
       {2, 10, 1, 3, 2},
       {ints_attr("stride", {2}), ints_attr("padding", {0, 1, 0})}},
      {{1, 1, 20, 21}, {9, 1, 3, 3}, {1, 9, 20, 21}, {ints_attr("padding", {1})}},
  };
  Calls calls;
  uint64_t seed = 1;
  for (const Convolution& c : all) {
    std::vector<Attribute> attrs = c.attrs;
    const Shape& size = which == 1 ? c.x : c.w;
    if (which) attrs.insert(attrs.begin(), ints_attr("size", Shape(size.begin() + 2, size.end())));
    const Layout layout = seed == 3   ? Layout::kTransposed
                          : seed == 5 ? Layout::kFlipped
                                      : Layout::kContiguous;
    calls.push_back(
        {{small(t, which ? c.out : c.x, seed, layout), small(t, which == 2 ? c.x : c.w, seed + 1)},
         attrs});
    seed += 2;
  }
  return calls;
}
Calls max_pool_grad(bp_dtype t) {
  const Attribute two = ints_attr("kernel_size", {2}), three = ints_attr("kernel_size", {3});
  return {
      {{small(t, {2, 3, 3, 3}, 1), small(t, {2, 3, 7, 6}, 2)}, {two}},
      {{small(t, {2, 3, 4, 3}, 3), small(t, {2, 3, 7, 5}, 4, Layout::kTransposed)},
       {three, ints_attr("stride", {2}), ints_attr("padding", {1})}},
      {{small(t, {1, 2, 5}, 5), wide(t, {1, 2, 9}, 6)},
       {three, ints_attr("stride", {2}), flag_attr("ceil_mode", true), ints_attr("padding", {1})}},
      {{small(t, {1, 2, 3, 2, 3}, 7), small(t, {1, 2, 4, 3, 4}, 8)},
       {two, ints_attr("stride", {1})}},
      {{small(t, {2, 1, 4, 4}, 9), small(t, {2, 1, 6, 6}, 10)},
       {two, ints_attr("stride", {1}), ints_attr("dilation", {2})}},
      {{small(t, {3, 2, 1, 1}, 11), small(t, {3, 2, 4, 3}, 12)},
       {two, ints_attr("stride", {1 << 29})}},
      // Rows of windows side by side that end within a register and beyond one, with a rest.
      {{small(t, {1, 2, 2, 9}, 13), wide(t, {1, 2, 5, 19}, 14)}, {two}},
      {{small(t, {1, 1, 2, 35}, 15), wide(t, {1, 1, 4, 70}, 16)}, {two}}};
}
template <size_t n>
Calls pool(bp_dtype t, bool average) {
  const Attribute two = ints_attr("kernel_size", {2}),
                  three = ints_attr("kernel_size", Shape(n, 3));
  Calls calls{
      {{small(t, sizes<n>(2, 3, {7, 6, 5}), 1)}, {two}},
      {{small(t, sizes<n>(2, 3, {7, 6, 5}), 2, Layout::kTransposed)},
       {three, ints_attr("stride", {2}), ints_attr("padding", {1})}},
      {{small(t, sizes<n>(2, 3, {8, 6, 7}), 3, Layout::kFlipped)},
       {three, ints_attr("stride", {2}), ints_attr("padding", {1}), flag_attr("ceil_mode", true)}},
      {{small(t, sizes<n>(1, 2, {9, 8, 5}), 4)},
       {two, ints_attr("stride", {3}), flag_attr("ceil_mode", true)}}};
  Shape single = sizes<n>(2, 3, {7, 6, 5});
  single.erase(single.begin());
  calls.push_back({{small(t, single, 5)}, {three, ints_attr("stride", {1})}});
  if (average)
    calls.push_back({{small(t, sizes<n>(2, 3, {7, 6, 5}), 6)},
                     {three, ints_attr("stride", {2}), ints_attr("padding", {1}),
                      flag_attr("ceil_mode", true), flag_attr("count_include_pad", false)}});
  else {
    calls.push_back(
        {{wide(t, sizes<n>(2, 3, {7, 6, 5}), 6)},
         {two, ints_attr("dilation", {2}), ints_attr("stride", {1}), ints_attr("padding", {1})}});
    // The one window has all of its taps in the padding.
    const Shape beyond{8, 7, 6};
    calls.push_back({{small(t, sizes<n>(2, 3, {7, 6, 5}), 8)},
                     {two, ints_attr("dilation", Shape(beyond.begin(), beyond.begin() + n)),
                      ints_attr("padding", {1})}});
  }
  // So wide a step that 32 bits may not hold what is around a plane.
  calls.push_back(
      {{small(t, sizes<n>(2, 3, {7, 6, 5}), 11)}, {two, ints_attr("stride", {1 << 29})}});
  // Long rows, and steps that compilers know and do not know.
  for (int64_t step : {1, 2, 3, 4, 5})
    calls.push_back({{average ? small(t, sizes<n>(1, 2, {70, 6, 5}), 9)
                              : wide(t, sizes<n>(1, 2, {70, 6, 5}), 9)},
                     {three, ints_attr("stride", {step}), ints_attr("padding", {1})}});
  if (n == 2) {
    calls.push_back({{small(t, {1, 2, 4, 600}, 10)}, {three, ints_attr("stride", {2})}});
    for (int64_t width : {19, 70})
      calls.push_back(
          {{average ? small(t, {1, 2, 5, width}, 12) : wide(t, {1, 2, 5, width}, 12)}, {two}});
  }
  return calls;
}
template <size_t n>
Calls max_pool(bp_dtype t) {
  return pool<n>(t, false);
}
template <size_t n>
Calls avg_pool(bp_dtype t) {
  return pool<n>(t, true);
}
template <size_t n>
Calls adaptive(bp_dtype t) {
  const Shape shape = sizes<n>(2, 3, {7, 6, 5});
  return {{{small(t, shape, 1)}, {ints_attr("output_size", {3})}},
          {{small(t, shape, 2, Layout::kTransposed)}, {ints_attr("output_size", {1})}},
          {{small(t, Shape(shape.begin() + 1, shape.end()), 3)}, {ints_attr("output_size", {9})}},
          {{small(t, shape, 4)},
           {ints_attr("output_size", n == 1   ? Shape{7}
                                     : n == 2 ? Shape{7, 2}
                                              : Shape{7, 2, 5})}}};
}
Calls interpolate(bp_dtype t) {
  Calls calls{{{small(t, {2, 3, 4}, 1)}, {ints_attr("size", {6})}}};
  for (int64_t size : {2, 4, 7, 12}) {
    calls.push_back(
        {{small(t, {2, 3, 4, 5}, 2, Layout::kTransposed)}, {ints_attr("size", {size})}});
    for (bool aligned : {false, true}) {
      const Attribute corners = flag_attr("align_corners", aligned);
      calls.push_back({{small(t, {2, 3, 5}, 3)},
                       {ints_attr("size", {size}), str_attr("mode", "linear"), corners}});
      calls.push_back({{small(t, {1, 2, 3, 5}, 4)},
                       {ints_attr("size", {size, 3}), str_attr("mode", "bilinear"), corners}});
    }
  }
  calls.push_back({{small(t, {1, 1, 3, 2, 3}, 5)},
                   {ints_attr("size", {2, 3, 4}), str_attr("mode", "trilinear")}});
  for (const char* mode : {"nearest-exact", "area", "bicubic"}) {
    const Attribute named = str_attr("mode", mode);
    for (const Shape& size : {Shape{2, 7}, Shape{9}, Shape{3, 5}})
      calls.push_back(
          {{small(t, {1, 2, 3, 5}, 6, Layout::kSliced)}, {ints_attr("size", size), named}});
    if (mode == std::string("bicubic"))
      calls.push_back({{small(t, {1, 1, 3, 5}, 6)},
                       {ints_attr("size", {4, 1}), named, flag_attr("align_corners", true)}});
    else
      calls.push_back({{small(t, {2, 1, 6}, 6)}, {ints_attr("size", {4}), named}});
  }
  return calls;
}
// Scales that are no ratios of sizes; exact in f32, in which the nearest element is looked for.
Calls interpolate_v2(bp_dtype t) {
  Calls calls{{{small(t, {2, 3, 4}, 1)}, {ints_attr("size", {6}), float_attr("scale_w", 1.75)}}};
  for (const char* mode : {"nearest", "nearest-exact", "bilinear", "bicubic"})
    calls.push_back({{small(t, {1, 2, 3, 5}, 2)},
                     {ints_attr("size", {4, 6}), str_attr("mode", mode), float_attr("scale_h", 1.5),
                      float_attr("scale_w", 1.25)}});
  calls.push_back(
      {{small(t, {1, 1, 3, 2, 3}, 5)},
       {ints_attr("size", {4, 2, 3}), str_attr("mode", "trilinear"), float_attr("scale_d", 1.5)}});
  calls.push_back({{small(t, {1, 2, 3, 5}, 3)},
                   {ints_attr("size", {2, 6}), str_attr("mode", "bilinear"),
                    float_attr("scale_h", 0.75), float_attr("scale_w", 1.25)}});
  return calls;
}
Calls im2col(bp_dtype t) {
  Calls calls{{{small(t, {2, 3, 4, 5}, 1)}, {ints_attr("kernel_size", {2})}},
              {{small(t, {3, 4, 5}, 2)}, {ints_attr("kernel_size", {4, 5})}},
              {{small(t, {0, 3, 4, 5}, 2)}, {ints_attr("kernel_size", {2})}}};
  for (Layout l : kLayouts)
    calls.push_back({{small(t, {2, 2, 6, 5}, 3, l)},
                     {ints_attr("kernel_size", {3, 2}), ints_attr("dilation", {1, 2}),
                      ints_attr("padding", {2, 1}), ints_attr("stride", {2, 3})}});
  return calls;
}
Calls col2im(bp_dtype t) {
  const Attribute size = ints_attr("output_size", {4, 5}), kernel = ints_attr("kernel_size", {2});
  Calls calls{{{small(t, {2, 12, 12}, 1)}, {size, kernel}},
              {{small(t, {8, 12}, 2)}, {size, kernel}},
              {{small(t, {0, 8, 12}, 2)}, {size, kernel}}};
  for (Layout l : kLayouts)
    calls.push_back({{small(t, {2, 12, 8}, 3, l)},
                     {ints_attr("output_size", {6, 5}), ints_attr("kernel_size", {3, 2}),
                      ints_attr("dilation", {1, 2}), ints_attr("padding", {2, 1}),
                      ints_attr("stride", {2, 3})}});
  return calls;
}
Calls cdist(bp_dtype t) {
  Calls calls{{{small(t, {4, 3}, 1), small(t, {5, 3}, 2)}},
              {{small(t, {2, 4, 3}, 1, Layout::kTransposed), small(t, {5, 3}, 2, Layout::kSliced)}},
              {{small(t, {0, 3}, 1), small(t, {5, 3}, 2)}},
              {{small(t, {4, 0}, 1), small(t, {5, 0}, 2)}}};
  for (double p : {0.0, 1.0, 1.5, 3.0, HUGE_VAL})
    calls.push_back({{small(t, {4, 3}, 3), small(t, {2, 5, 3}, 4)}, {float_attr("p", p)}});
  for (const char* mode : {"use_mm_for_euclid_dist_if_necessary", "donot_use_mm_for_euclid_dist"})
    calls.push_back(
        {{small(t, {30, 4}, 5), small(t, {2, 4}, 6)}, {str_attr("compute_mode", mode)}});
  return calls;
}
Calls bincount(bp_dtype t) {
  const auto indices_of = [&](const Shape& shape, int64_t size) {
    return is_integer(t) ? indices(shape, size, 3, t) : small(t, shape, 3);
  };
  const Attribute more = int_attr("minlength", 9);
  Calls calls{{{indices_of({24}, 7), none()}},
              {{indices_of({24}, 7), none()}, {more}},
              {{indices_of({0}, 7), none()}, {more}},
              {{indices_of({5000}, 100), none()}}};
  // What a backend with few dtypes has of i64 is all that it needs for weights of f32.
  for (bp_dtype w : {BP_F32, BP_F64, BP_I32})
    if (w == BP_F32 || t != BP_I64)
      calls.push_back({{indices_of({24}, 7), small(w, {24}, 4)}, {more}});
  return calls;
}

const std::map<std::string, Maker>& makers() {
  static const std::map<std::string, Maker> all{
      {"roll", roll},
      {"repeat", repeat},
      {"tile", tile},
      {"tril", triangle},
      {"triu", triangle},
      {"pad", pad},
      {"diff", diff},
      {"scatter", scatter},
      {"scatter_add", scatter},
      {"index_add", index_add},
      {"masked_fill", masked_fill},
      {"index_copy", index_copy},
      {"nonzero", nonzero},
      {"flat_nonzero", flat_nonzero},
      {"masked_select", masked_select},
      {"unique", unique},
      {"unique_all", unique},
      {"searchsorted", searchsorted},
      {"outer", outer},
      {"vecdot", vecdot},
      {"tensordot", tensordot},
      {"trace", trace},
      {"cross", cross},
      {"kron", kron},
      {"mse_loss", pointwise},
      {"l1_loss", pointwise},
      {"huber_loss", huber},
      {"smooth_l1_loss", smooth},
      {"binary_cross_entropy", bce},
      {"binary_cross_entropy_with_logits", bce_with_logits},
      {"nll_loss", nll},
      {"cross_entropy", cross_entropy},
      {"linear", linear},
      {"layer_norm", layer_norm},
      {"rms_norm", rms_norm},
      {"batch_norm", batch_norm},
      {"batch_norm_running", batch_norm_running},
      {"einsum", einsum},
      {"group_norm", group_norm},
      {"layer_norm_grad", layer_norm_grad},
      {"rms_norm_grad", rms_norm_grad},
      {"batch_norm_grad", batch_norm_grad},
      {"group_norm_grad", group_norm_grad},
      {"lstm_gates", lstm_gates},
      {"lstm_gates_grad", lstm_gates_grad},
      {"gru_gates", gru_gates},
      {"gru_gates_grad", gru_gates_grad},
      {"rnn_gates", rnn_gates},
      {"rnn_gates_grad", rnn_gates_grad},
      {"embedding", embedding},
      {"dropout", dropout},
      {"scaled_dot_product_attention", long_attention},
      {"rope", rope},
      {"conv1d", conv<1, false>},
      {"conv2d", conv<2, false>},
      {"conv3d", conv<3, false>},
      {"conv_transpose1d", conv<1, true>},
      {"conv_transpose2d", conv<2, true>},
      {"conv_transpose3d", conv<3, true>},
      {"max_pool1d", max_pool<1>},
      {"max_pool2d", max_pool<2>},
      {"avg_pool1d", avg_pool<1>},
      {"avg_pool2d", avg_pool<2>},
      {"adaptive_avg_pool1d", adaptive<1>},
      {"adaptive_avg_pool2d", adaptive<2>},
      {"max_pool3d", max_pool<3>},
      {"avg_pool3d", avg_pool<3>},
      {"max_pool1d_with_indices", max_pool<1>},
      {"max_pool2d_with_indices", max_pool<2>},
      {"max_pool3d_with_indices", max_pool<3>},
      {"adaptive_avg_pool3d", adaptive<3>},
      {"adaptive_max_pool1d", adaptive<1>},
      {"adaptive_max_pool2d", adaptive<2>},
      {"adaptive_max_pool3d", adaptive<3>},
      {"interpolate", interpolate},
      {"interpolate_v2", interpolate_v2},
      {"im2col", im2col},
      {"col2im", col2im},
      {"cdist", cdist},
      {"bincount", bincount},
      {"convolution", convolution<0>},
      {"convolution_input_grad", convolution<1>},
      {"convolution_weight_grad", convolution<2>},
      {"max_pool_grad", max_pool_grad}};
  return all;
}

}  // namespace

std::vector<Call> composed_cases(const Spec& spec, bp_dtype t) { return makers().at(spec.op)(t); }

}  // namespace conformance
