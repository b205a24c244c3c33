// SPDX-License-Identifier: Apache-2.0
// network.cc: the rows of embedding, dropout, attention and rotary positions.
#include <algorithm>
#include <cmath>

#include "core/ops/families.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

constexpr AttrSpecs kDropoutAttrs{float_attr("p", 0.5), int_attr("seed", -1),
                                  int_attr("offset", -1)},
    kAttentionAttrs{flag_attr("is_causal", false), float_attr("scale", NAN)},
    kRopeAttrs{flag_attr("interleaved", false)};

void embedding_dtype(Inference& f) { f.compute = f.out_dtype[0] = f.in[1].dtype; }
void embedding_shape(Inference& f) {
  if (f.in[1].shape.size() != 2)
    fail(BP_INVALID_ARGUMENT, "'weight' must be 2-D, got {}-D", f.in[1].shape.size());
  f.out_shape[0] = Dims(f.in[0].shape);
  f.out_shape[0].push_back(f.in[1].shape[1]);
}
void embedding(Composer& c) {
  Ref<Tensor> rows = picked(c.in[1], reshape(c.tensor(0), Dims{-1}), 0);
  c.out[0] = reshape(*rows, c.plan.out_shape[0]);
}

void dropout_shape(Inference& f) {
  const double p = f.f64(kDropoutAttrs["p"]);
  if (!(p >= 0 && p <= 1))
    fail(BP_INVALID_ARGUMENT, "dropout probability has to be between 0 and 1, but got {}", p);
  f.out_shape[0] = Dims(f.in[0].shape);
}
void dropout(Composer& c) {
  Tensor& x = c.tensor(0);
  const double kept = 1 - c.f64(kDropoutAttrs["p"]);
  Ref<Tensor> mask = new_tensor(x.shape, BP_BOOL, x.device());
  if (x.count)
    invoke(BP_OP_BERNOULLI, {},
           {ints_value(x.shape), dtype_value(BP_BOOL), float_value(kept),
            c.attrs[kDropoutAttrs["seed"]], c.attrs[kDropoutAttrs["offset"]]},
           {&mask, 1});
  c.out[0] = where(mask, mul(c.computed(0), kept > 0 ? 1 / kept : 0.0), 0.0);
}

// query [.., L, E], key [.., S, E], value [.., S, V]
void attention_shape(Inference& f) {
  const Span q = f.in[0].shape, k = f.in[1].shape, v = f.in[2].shape;
  for (size_t i = 0; i < 3; ++i)
    if (f.in[i].shape.size() < 2)
      fail(BP_INVALID_ARGUMENT,
           "scaled_dot_product_attention: {} must have at least 2 dimensions, got {}",
           f.row.inputs[i].name, f.in[i].shape.size());
  if (q.back() != k.back() || k[k.size() - 2] != v[v.size() - 2])
    fail(BP_INVALID_ARGUMENT,
         "scaled_dot_product_attention: query {}, key {} and value {} do not fit together",
         format_shape(q), format_shape(k), format_shape(v));
  if (f.in[3].is_tensor && f.flag(kAttentionAttrs["is_causal"]))
    fail(BP_INVALID_ARGUMENT,
         "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True");
  Dims out = broadcast_shapes(broadcast_shapes(q.first(q.size() - 2), k.first(k.size() - 2)),
                              v.first(v.size() - 2));
  if (f.in[3].is_tensor) {  // must fit the scores
    Dims scores = out;
    scores.push_back(q[q.size() - 2]), scores.push_back(k[k.size() - 2]);
    if (broadcast_shapes(scores, f.in[3].shape) != scores)
      fail(BP_INVALID_ARGUMENT, "scaled_dot_product_attention: attn_mask {} does not fit scores {}",
           format_shape(f.in[3].shape), format_shape(scores));
  }
  out.push_back(q[q.size() - 2]), out.push_back(v.back());
  f.out_shape[0] = out;
}
void attention_dtype(Inference& f) {
  const bp_dtype t = f.in[0].dtype;
  if (f.in[1].dtype != t || f.in[2].dtype != t)
    fail(
        BP_DTYPE_MISMATCH,
        "Expected query, key, and value to have the same dtype, but got query.dtype: {} key.dtype: {} and "
        "value.dtype: {} instead.",
        dtype_name(t), dtype_name(f.in[1].dtype), dtype_name(f.in[2].dtype));
  if (!is_floating(t))
    fail(BP_DTYPE_MISMATCH, "\"{}\" not implemented for '{}'", f.row.name, dtype_title(t));
  if (f.in[3].is_tensor && f.in[3].dtype != BP_BOOL && f.in[3].dtype != t)
    fail(
        BP_DTYPE_MISMATCH,
        "Expected attn_mask dtype to be bool or to match query dtype, but got attn_mask.dtype: {} and "
        "query.dtype: {} instead.",
        dtype_name(f.in[3].dtype), dtype_name(t));
  f.compute = f.out_dtype[0] = t;
}
// Returns the attention of the rows of q, which are the call's queries from `first` on.
Ref<Tensor> attended(Composer& c, const Ref<Tensor>& q, Ref<Tensor> k, Ref<Tensor> v,
                     int64_t first) {
  const int64_t rows = q->shape[q->rank() - 2];
  const double nothing = -HUGE_VAL;
  const bool causal = c.flag(kAttentionAttrs["is_causal"]);
  if (causal) {  // no key after the last of these queries takes part
    const int64_t keys = std::min(k->shape[k->rank() - 2], first + rows);
    k = narrow(*k, -2, 0, keys), v = narrow(*v, -2, 0, keys);
  }
  Ref<Tensor> scores = product(q, transpose(*k, -1, -2));
  if (causal) {
    Ref<Tensor> row = add(unsqueeze(*counted(rows, q->device()), 1), first);
    Ref<Tensor> column = counted(scores->shape[scores->rank() - 1], q->device());
    scores = where(at_most(column, row), scores, nothing);
  } else if (c.has(3)) {
    Ref<Tensor> mask = Ref<Tensor>::share(&c.tensor(3));
    if (mask->rank() > 1 && mask->shape[mask->rank() - 2] != 1)
      mask = narrow(*mask, -2, first, rows);
    scores = mask->dtype == BP_BOOL ? where(mask, scores, nothing)
                                    : add(scores, as_dtype(*mask, scores->dtype));
  }
  const auto softmax = [](const Ref<Tensor>& t) {
    return invoke(BP_OP_SOFTMAX, {t}, {int_value(-1)});
  };
  if (!c.has(3) || scores->count == 0) return product(softmax(scores), v);
  // A query whose keys are all masked gets 0, as in PyTorch, and its gradients are 0.
  const int64_t last = -1;
  const Ref<Tensor> alone =
      equal(reduced(BP_OP_MAX, scores, {&last, 1}, /*keepdims=*/true), nothing);
  return product(where(alone, 0.0, softmax(where(alone, 0.0, scores))), v);
}
// Queries are taken in parts of about this many scores, so that long sequences fit in memory; of an
// accelerator, which has room, larger ones keep more of it busy.
constexpr int64_t kScores = int64_t{1} << 20, kScoresElsewhere = int64_t{1} << 24;
void attention(Composer& c) {
  Ref<Tensor> q = c.wide(0), k = c.wide(1), v = c.wide(2);
  double scale = c.f64(kAttentionAttrs["scale"]);
  if (std::isnan(scale)) scale = 1 / std::sqrt(static_cast<double>(q->shape[q->rank() - 1]));
  q = mul(q, scale);
  const Dims& shape = c.plan.out_shape[0];
  const int64_t n = shape[shape.size() - 2], batch = numel(Span(shape).first(shape.size() - 2));
  const int64_t scores = q->device().is_host() ? kScores : kScoresElsewhere;
  const int64_t step =
      std::max<int64_t>(16, scores / std::max<int64_t>(1, batch * k->shape[k->rank() - 2]));
  if (step >= n) {
    c.out[0] = attended(c, q, k, v, 0);
    return;
  }
  std::vector<Ref<Tensor>> parts;
  for (int64_t first = 0; first < n; first += step) {
    const int64_t rows = std::min(step, n - first);
    parts.push_back(attended(c, narrow(*q, -2, first, rows), k, v, first));
  }
  c.out[0] = joined(parts, -2);
}

// x [.., D]; cos and sin broadcast against [.., D / 2].
void rope_shape(Inference& f) {
  const Span x = f.in[0].shape;
  if (x.empty() || x.back() % 2 != 0)
    fail(BP_INVALID_ARGUMENT, "rope: the last dimension must be even, got {}", format_shape(x));
  Dims half(x);
  half.back() /= 2;
  for (size_t i = 1; i < 3; ++i)
    if (broadcast_shapes(half, f.in[i].shape) != half)
      fail(BP_INVALID_ARGUMENT, "rope: {} {} does not fit {}", f.row.inputs[i].name,
           format_shape(f.in[i].shape), format_shape(half));
  f.out_shape[0] = Dims(x);
}
void rope(Composer& c) {
  Ref<Tensor> x = c.wide(0), cosine = c.wide(1), sine = c.wide(2);
  const bool interleaved = c.flag(kRopeAttrs["interleaved"]);
  const int64_t n = x->shape[x->rank() - 1];
  const auto half = [&](Tensor& t, int64_t i) {
    return interleaved ? slice(t, -1, i, n, 2) : narrow(t, -1, i * n / 2, n / 2);
  };
  Ref<Tensor> a = half(*x, 0), b = half(*x, 1);
  Ref<Tensor> first = sub(mul(a, cosine), mul(b, sine)), second = add(mul(b, cosine), mul(a, sine));
  c.out[0] = interleaved ? reshape(*invoke(BP_OP_STACK, {first, second}, {int_value(-1)}), x->shape)
                         : invoke(BP_OP_CONCAT, {first, second}, {int_value(-1)});
}

// clang-format off
constexpr OpRow kNetworkRows[] = {
    {.id = 214, .name = "embedding", .inputs = {{{"input", Role::kIndex}, {"weight", Role::kAny}}},
     .layout = Layout::kGeneral, .dtype = embedding_dtype, .shape = embedding_shape, .compose = embedding,
     .doc = "Row input[..] of weight for each index; indices as index_select."},
    {.id = 215, .name = "dropout", .inputs = kX,
     .attrs = kDropoutAttrs, .layout = Layout::kGeneral,
     .dtype = rule::averaged, .shape = dropout_shape, .compose = dropout, .flags = kRandom, .max_ulp = 2,
     .doc = "x / (1 - p) where bernoulli(1 - p) of the same seed and offset is 1, else 0."},
    {.id = 216, .name = "scaled_dot_product_attention",
     .inputs = {{{"query", Role::kAny}, {"key", Role::kAny}, {"value", Role::kAny}, {"attn_mask", Role::kAny, true}}},
     .attrs = kAttentionAttrs, .layout = Layout::kGeneral,
     .dtype = attention_dtype, .shape = attention_shape, .compose = attention, .max_ulp = 64,
     .doc = "softmax(query x key^T * scale + attn_mask) x value. scale none: 1 / sqrt(E). A bool mask is true where a key takes "
            "part (none: 0); is_causal: keys up to the query's own position. The bound is relative to the largest value."},
    {.id = 217, .name = "rope", .inputs = {{{"x"}, {"cos"}, {"sin"}}}, .attrs = kRopeAttrs,
     .layout = Layout::kGeneral, .dtype = rule::averaged, .shape = rope_shape, .compose = rope, .max_ulp = 4,
     .doc = "Rotary positions (Su et al., 2021): pairs (a, b) of the last dim's halves, or of neighbours when interleaved, become "
            "(a cos - b sin, b cos + a sin); cos and sin are of half its size. The bound is relative to the products."},
};
// clang-format on
}  // namespace

std::span<const OpRow> network_rows() { return kNetworkRows; }

}  // namespace bp::ops
