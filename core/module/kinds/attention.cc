// SPDX-License-Identifier: Apache-2.0
// attention.cc: attention of several heads (Vaswani et al., 2017), and the encoder made of it.
#include <cmath>

#include "core/module/initialiser.h"
#include "core/module/kind.h"

namespace bp::nn {
namespace attention_rows {
namespace {

enum { kDim, kHeads, kDropout, kBias, kBiasKv, kZero, kKeyDim, kValueDim, kBatchFirst };
constexpr ModuleAttr kAttention[] = {
    attr::size("embed_dim", "size of queries and results"),
    attr::size("num_heads", "heads, which share embed_dim"),
    attr::real("dropout", 0, "share of the weights left out in training"),
    attr::flag("bias", true, "whether projections have biases"),
    attr::flag("add_bias_kv", false, "whether a learned key and value join each sequence"),
    attr::flag("add_zero_attn", false, "whether a key and a value of zeros join"),
    attr::no_integers("kdim", "size of keys; none: embed_dim"),
    attr::no_integers("vdim", "size of values; none: embed_dim"),
    attr::flag("batch_first", false, "whether sequences are [N, L, ..], not [L, N, ..]")};
// Places in the order of registration.
enum { kInProj, kQProj, kKProj, kVProj, kInBias, kBiasK, kBiasV };

int64_t size_or(const Module& m, size_t attr) {
  return m.ints(attr).empty() ? m.i64(kDim) : m.ints(attr)[0];
}

void make_attention(Maker& k) {
  Module& m = k.m;
  const int64_t e = m.i64(kDim);
  if (e <= 0 || m.i64(kHeads) <= 0)
    fail(
        BP_INVALID_ARGUMENT,
        "embed_dim and num_heads must be greater than 0, got embed_dim={} and num_heads={} instead",
        e, m.i64(kHeads));
  if (e % m.i64(kHeads)) fail(BP_INVALID_ARGUMENT, "embed_dim must be divisible by num_heads");
  const bool one = size_or(m, kKeyDim) == e && size_or(m, kValueDim) == e;
  if (one) {
    init::xavier_uniform(k.parameter("in_proj_weight", Dims{3 * e, e}), 1);
    for (const char* name : {"q_proj_weight", "k_proj_weight", "v_proj_weight"})
      k.no_parameter(name);
  } else {
    k.no_parameter("in_proj_weight");
    init::xavier_uniform(k.parameter("q_proj_weight", Dims{e, e}), 1);
    init::xavier_uniform(k.parameter("k_proj_weight", Dims{e, size_or(m, kKeyDim)}), 1);
    init::xavier_uniform(k.parameter("v_proj_weight", Dims{e, size_or(m, kValueDim)}), 1);
  }
  if (m.flag(kBias))
    init::constant(k.parameter("in_proj_bias", Dims{3 * e}), 0);
  else
    k.no_parameter("in_proj_bias");
  for (const char* name : {"bias_k", "bias_v"})
    if (m.flag(kBiasKv))
      init::xavier_normal(k.parameter(name, Dims{1, 1, e}), 1);
    else
      k.no_parameter(name);
  Module& out = k.child("out_proj", "linear",
                        {named("in_features", int_value(e)), named("out_features", int_value(e)),
                         named("bias", flag_value(m.flag(kBias)))});
  out.title = "NonDynamicallyQuantizableLinear";
  if (out.parameter(1)) init::constant(*out.parameter(1), 0);
}

Ref<Tensor> part(const Ref<Tensor>& t, int64_t i, int64_t n) {
  return t ? narrow(*t, 0, i * n, n) : Ref<Tensor>{};
}
Ref<Tensor> joined(const Ref<Tensor>& a, const Ref<Tensor>& b, int64_t axis) {
  return op(BP_OP_CONCAT, {a, b}, {int_value(axis)});
}
Ref<Tensor> zeros(Span shape, bp_dtype dtype, Device& device) {
  Ref<Tensor> t = new_tensor(shape, dtype, device);
  init::constant(*t, 0);
  return t;
}

// x [N, L, E] as heads [N, H, L, E / H].
Ref<Tensor> heads(const Ref<Tensor>& x, int64_t h) {
  return transpose(*reshape(*x, Dims{x->shape[0], x->shape[1], h, x->shape[2] / h}), 1, 2);
}

// A mask as what is added to scores: -inf where a bool one is true (the key takes no part).
Ref<Tensor> added(Tensor& mask, bp_dtype dtype) {
  if (mask.dtype != BP_BOOL) return to(mask, 0, dtype, false, false);
  return op(BP_OP_WHERE, {value(mask), number(-HUGE_VAL), zeros({}, dtype, mask.device())});
}

// keys: [N, S] or [S]; scores: [L, S] or [N * H, L, S].
Ref<Tensor> masks_of(const ForwardCall& f, const Dims& scores, bool batched, bp_dtype dtype) {
  const int64_t n = scores[0], h = scores[1], l = scores[2], s = scores[3];
  Ref<Tensor> all;
  if (f.has(3)) {
    const Dims wanted = batched ? Dims{n, s} : Dims{s};
    if (f.x(3).shape != wanted)
      fail(BP_INVALID_ARGUMENT, "key_padding_mask: expected shape {}, got {}", format_shape(wanted),
           format_shape(f.x(3).shape));
    all = added(*reshape(f.x(3), Dims{n, 1, 1, s}), dtype);
  }
  if (f.has(4)) {
    Tensor& m = f.x(4);
    if (m.shape != Dims{l, s} && m.shape != Dims{n * h, l, s})
      fail(BP_INVALID_ARGUMENT, "The shape of the attn_mask is {}, but should be {} or {}.",
           format_shape(m.shape), format_shape(Dims{l, s}), format_shape(Dims{n * h, l, s}));
    Ref<Tensor> more = added(m, dtype);
    if (m.rank() == 3) more = reshape(*more, Dims{n, h, l, s});
    all = all ? op(BP_OP_ADD, {all, more}) : more;
  }
  return all;
}

struct Projected {
  Ref<Tensor> q, k, v;  // [N, L, E], [N, S, E]
};
Projected project(const ForwardCall& f, const Ref<Tensor>& q, const Ref<Tensor>& k,
                  const Ref<Tensor>& v) {
  const Module& m = f.m;
  const int64_t e = m.i64(kDim);
  const Ref<Tensor>&w = m.parameter(kInProj), &b = m.parameter(kInBias);
  if (w && f.in[0] == f.in[1] && f.in[1] == f.in[2]) {  // of one input all three at once
    Ref<Tensor> all = linear(*q, *w, b);
    const auto third = [&](int64_t i) { return narrow(*all, -1, i * e, e); };
    return {third(0), third(1), third(2)};
  }
  const auto weight = [&](int64_t i) {
    return w ? part(w, i, e) : m.parameter(static_cast<size_t>(kQProj + i));
  };
  return {linear(*q, *weight(0), part(b, 0, e)), linear(*k, *weight(1), part(b, 1, e)),
          linear(*v, *weight(2), part(b, 2, e))};
}

// Keys and values that join every sequence.
void join_more(const Module& m, Projected& p, Ref<Tensor>& mask) {
  const int64_t n = p.k->shape[0], e = m.i64(kDim);
  const auto grow = [&](const Ref<Tensor>& key, const Ref<Tensor>& more) {
    p.k = joined(p.k, key, 1), p.v = joined(p.v, more, 1);
    if (!mask) return;
    Dims one = mask->shape;
    one.back() = 1;
    mask = joined(mask, zeros(one, mask->dtype, mask->device()), -1);
  };
  if (m.parameter(kBiasK))
    grow(expand(*m.parameter(kBiasK), Dims{n, 1, e}), expand(*m.parameter(kBiasV), Dims{n, 1, e}));
  if (m.flag(kZero)) {
    const Ref<Tensor> zero = zeros(Dims{n, 1, e}, p.k->dtype, p.k->device());
    grow(zero, zero);
  }
}

void attention_forward(ForwardCall& f) {
  const Module& m = f.m;
  const bool batched = f.x(0).rank() == 3;
  if (f.x(0).rank() != 2 && f.x(0).rank() != 3)
    fail(BP_INVALID_ARGUMENT,
         "query should be unbatched 2D or batched 3D tensor but received {}-D query tensor",
         f.x(0).rank());
  if (f.x(1).rank() != f.x(0).rank() || f.x(2).rank() != f.x(0).rank())
    fail(
        BP_INVALID_ARGUMENT,
        "For {} `query`, expected `key` and `value` to be {}-D but found {}-D and {}-D tensors respectively",
        batched ? "batched (3-D)" : "unbatched (2-D)", f.x(0).rank(), f.x(1).rank(), f.x(2).rank());
  const auto sequences = [&](size_t i) {
    Tensor& x = f.x(i);
    return !batched              ? unsqueeze(x, 0)
           : m.flag(kBatchFirst) ? Ref<Tensor>::share(&x)
                                 : transpose(x, 0, 1);
  };
  const Ref<Tensor> q = sequences(0), k = f.in[1] == f.in[0] ? q : sequences(1),
                    v = f.in[2] == f.in[0] ? q : sequences(2);
  if (q->shape.back() != m.i64(kDim))
    fail(BP_INVALID_ARGUMENT, "was expecting embedding dimension of {}, but got {}", m.i64(kDim),
         q->shape.back());
  Projected p = project(f, q, k, v);
  const int64_t h = m.i64(kHeads), n = q->shape[0], l = q->shape[1], e = m.i64(kDim);
  Ref<Tensor> mask = masks_of(f, Dims{n, h, l, k->shape[1]}, batched, p.q->dtype);
  join_more(m, p, mask);
  const Ref<Tensor> hq = heads(p.q, h), hk = heads(p.k, h), hv = heads(p.v, h);
  Ref<Tensor> y, weights;
  const bool drops = m.training && m.f64(kDropout) > 0;
  if (f.out.size() < 2 && !drops) {
    y = op(BP_OP_SCALED_DOT_PRODUCT_ATTENTION, {hq, hk, hv, maybe(mask)},
           {flag_value(false), float_value(NAN)});
  } else {
    const int64_t width = e / h;
    const double scale = 1 / std::sqrt(static_cast<double>(width));
    Ref<Tensor> scaled = op(BP_OP_MUL, {hq, number(scale)});
    Ref<Tensor> scores = op(BP_OP_MATMUL, {scaled, transpose(*hk, -1, -2)});
    if (mask) scores = op(BP_OP_ADD, {scores, mask});
    weights = dropped(m, op(BP_OP_SOFTMAX, {scores}, {int_value(-1)}), m.f64(kDropout));
    y = op(BP_OP_MATMUL, {weights, hv});
  }
  y = reshape(*transpose(*y, 1, 2), Dims{n, l, e});
  Module& out = m.child(0);
  y = linear(*y, *out.parameter(0), out.parameter(1));
  f.give(0, !batched ? squeeze(*y, Dims{0}) : m.flag(kBatchFirst) ? y : transpose(*y, 0, 1));
  if (f.out.size() < 2) return;
  const int64_t over_heads = 1;
  Ref<Tensor> mean =
      op(BP_OP_MEAN, {weights},
         {ints_value({&over_heads, 1}), flag_value(false), dtype_value(BP_DTYPE_NONE)});
  f.give(1, batched ? mean : squeeze(*mean, Dims{0}));
}

// ---- encoder ----

enum {
  kModel,
  kLayerHeads,
  kWidth,
  kRate,
  kActivation,
  kEps,
  kLayerBatchFirst,
  kNormFirst,
  kLayerBias,
  kDepth,
  kFinal
};
constexpr ModuleAttr kEncoder[] = {
    attr::size("d_model", "size of inputs and results"),
    attr::size("nhead", "heads of attention"),
    attr::integer("dim_feedforward", 2048, "size between the two linear layers"),
    attr::real("dropout", 0.1, "share left out in training"),
    attr::text("activation", "relu", "relu or gelu"),
    attr::real("layer_norm_eps", 1e-5, "of the normalizations"),
    attr::flag("batch_first", false, "whether sequences are [N, L, E], not [L, N, E]"),
    attr::flag("norm_first", false,
               "whether normalization comes before attention and the linear layers"),
    attr::flag("bias", true, "whether there are biases"),
    attr::integer("num_layers", 1, "how many equal layers"),
    attr::flag("final_norm", false, "whether a normalization comes last")};
constexpr std::span<const ModuleAttr> kLayer = std::span(kEncoder).first<9>();

void make_layer(Maker& k) {
  const Module& m = k.m;
  const int64_t e = m.i64(kModel);
  if (m.str(kActivation) != "relu" && m.str(kActivation) != "gelu")
    fail(BP_INVALID_ARGUMENT, "activation should be relu/gelu, not {}", m.str(kActivation));
  const bp_attr bias = named("bias", flag_value(m.flag(kLayerBias))),
                p = named("p", float_value(m.f64(kRate)));
  k.child("self_attn", "multihead_attention",
          {named("embed_dim", int_value(e)), named("num_heads", int_value(m.i64(kLayerHeads))),
           named("dropout", float_value(m.f64(kRate))), bias,
           named("batch_first", flag_value(m.flag(kLayerBatchFirst)))});
  k.child(
      "linear1", "linear",
      {named("in_features", int_value(e)), named("out_features", int_value(m.i64(kWidth))), bias});
  k.child("dropout", "dropout", {p});
  k.child(
      "linear2", "linear",
      {named("in_features", int_value(m.i64(kWidth))), named("out_features", int_value(e)), bias});
  const int64_t size[] = {e};
  for (const char* name : {"norm1", "norm2"})
    k.child(name, "layer_norm",
            {named("normalized_shape", ints_value(size)), named("eps", float_value(m.f64(kEps))),
             bias});
  for (const char* name : {"dropout1", "dropout2"}) k.child(name, "dropout", {p});
}
enum { kSelfAttn, kLinear1, kDrop, kLinear2, kNorm1, kNorm2, kDrop1, kDrop2 };

Ref<Tensor> attend(const ForwardCall& f, Tensor& x) {
  // PyTorch's order of masks: that of scores first.
  Tensor* in[] = {&x, &x, &x, f.in[2], f.in[1]};
  Ref<Tensor> out[1];
  forward(f.m.child(kSelfAttn), in, out);
  return forward_one(f.m.child(kDrop1), *out[0]);
}
Ref<Tensor> feed(const Module& m, Tensor& x) {
  Ref<Tensor> y = forward_one(m.child(kLinear1), x);
  y = op(m.str(kActivation) == "relu" ? BP_OP_RELU : BP_OP_GELU, {y});
  return forward_one(m.child(kDrop2),
                     *forward_one(m.child(kLinear2), *forward_one(m.child(kDrop), *y)));
}
void layer_forward(ForwardCall& f) {
  const Module& m = f.m;
  Ref<Tensor> x = Ref<Tensor>::share(&f.x());
  const auto sum = [](const Ref<Tensor>& a, const Ref<Tensor>& b) { return op(BP_OP_ADD, {a, b}); };
  if (m.flag(kNormFirst)) {
    x = sum(x, attend(f, *forward_one(m.child(kNorm1), *x)));
    x = sum(x, feed(m, *forward_one(m.child(kNorm2), *x)));
  } else {
    x = forward_one(m.child(kNorm1), *sum(x, attend(f, *x)));
    x = forward_one(m.child(kNorm2), *sum(x, feed(m, *x)));
  }
  f.give(0, x);
}

void make_encoder(Maker& k) {
  Module& m = k.m;
  if (m.i64(kDepth) < 1 || m.i64(kDepth) > 10000)
    fail(BP_INVALID_ARGUMENT, "num_layers must be within 1 and 10000, got {}", m.i64(kDepth));
  std::vector<bp_attr> attrs;
  for (size_t i = 0; i < kLayer.size(); ++i) attrs.push_back(attr_of(kLayer[i], m.attrs[i]));
  Module& layers = k.child("layers", "module_list", {});
  Ref<Module> first = create_module("transformer_encoder_layer", attrs, k.device.value, k.dtype);
  append(layers, first);
  // equal at first, as PyTorch's
  for (int64_t i = 1; i < m.i64(kDepth); ++i) append(layers, clone(*first));
  const int64_t size[] = {m.i64(kModel)};
  if (m.flag(kFinal))
    k.child("norm", "layer_norm",
            {named("normalized_shape", ints_value(size)), named("eps", float_value(m.f64(kEps)))});
}
void encoder_forward(ForwardCall& f) {
  const Module& m = f.m;
  Ref<Tensor> x = Ref<Tensor>::share(&f.x());
  Module& layers = m.child(0);
  for (size_t i = 0; i < layers.children.size(); ++i) {
    Tensor* in[] = {x.get(), f.in[1], f.in[2]};
    Ref<Tensor> out[1];
    forward(layers.child(i), in, out);
    x = std::move(out[0]);
  }
  f.give(0, m.children.size() > 1 ? forward_one(m.child(1), *x) : x);
}

// clang-format off
constexpr ModuleKind kRows[] = {
    {.name = "multihead_attention", .title = "MultiheadAttention", .attrs = kAttention, .min_inputs = 3, .max_inputs = 5,
     .n_outputs = 2, .make = make_attention, .forward = attention_forward,
     .doc = "Inputs query, key, value, key_padding_mask, attn_mask (bool: true is left out; else added). Results: attended, and "
            "the weights' mean over heads."},
    {.name = "transformer_encoder_layer", .title = "TransformerEncoderLayer", .attrs = kLayer, .min_inputs = 1, .max_inputs = 3,
     .make = make_layer, .forward = layer_forward,
     .doc = "Attention of a sequence to itself, then two linear layers, each added to what it got. Inputs src, src_mask, "
            "src_key_padding_mask."},
    {.name = "transformer_encoder", .title = "TransformerEncoder", .attrs = kEncoder, .min_inputs = 1, .max_inputs = 3,
     .make = make_encoder, .forward = encoder_forward, .doc = "num_layers layers, one after the other."},
};
// clang-format on
}  // namespace
}  // namespace attention_rows

std::span<const ModuleKind> attention_kinds() { return attention_rows::kRows; }

}  // namespace bp::nn
