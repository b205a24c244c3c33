// SPDX-License-Identifier: Apache-2.0
// attention.cc: attention of several heads (Vaswani et al., 2017), and the encoder made of it.
#include <cmath>

#include "core/module/initialiser.h"
#include "core/module/kind.h"

namespace bp::nn {
namespace {

constexpr AttrSpecs kAttention{
    required_int_attr("embed_dim", "size of queries and results"),
    required_int_attr("num_heads", "heads, which share embed_dim"),
    float_attr("dropout", 0, "share of the weights left out in training"),
    flag_attr("bias", true, "whether projections have biases"),
    flag_attr("add_bias_kv", false, "whether a learned key and value join each sequence"),
    flag_attr("add_zero_attn", false, "whether a key and a value of zeros join"),
    ints_attr("kdim", "size of keys; none: embed_dim"),
    ints_attr("vdim", "size of values; none: embed_dim"),
    flag_attr("batch_first", false, "whether sequences are [N, L, ..], not [L, N, ..]")};
// The places of the parameters, in the order of registration.
enum { kInProj, kQProj, kKProj, kVProj, kInBias, kBiasK, kBiasV };

// Returns the size that a list of at most one holds, or embed_dim if it is empty.
int64_t size_or_own(const Module& m, Span size) {
  return size.empty() ? m.i64(kAttention["embed_dim"]) : size[0];
}

void make_attention(Maker& k) {
  Module& m = k.m;
  const int64_t e = m.i64(kAttention["embed_dim"]), h = m.i64(kAttention["num_heads"]),
                keys = size_or_own(m, m.ints(kAttention["kdim"])),
                values = size_or_own(m, m.ints(kAttention["vdim"]));
  const bool bias = m.flag(kAttention["bias"]);
  if (e <= 0 || h <= 0)
    fail(
        BP_INVALID_ARGUMENT,
        "embed_dim and num_heads must be greater than 0, got embed_dim={} and num_heads={} instead",
        e, h);
  if (e % h) fail(BP_INVALID_ARGUMENT, "embed_dim must be divisible by num_heads");
  const bool one = keys == e && values == e;
  const auto projection = [&](const char* name, Span shape, bool wanted) {
    if (Tensor* w = k.optional_parameter(name, shape, wanted)) init::xavier_uniform(*w, 1);
  };
  projection("in_proj_weight", Dims{3 * e, e}, one);
  projection("q_proj_weight", Dims{e, e}, !one);
  projection("k_proj_weight", Dims{e, keys}, !one);
  projection("v_proj_weight", Dims{e, values}, !one);
  if (Tensor* b = k.optional_parameter("in_proj_bias", Dims{3 * e}, bias)) init::constant(*b, 0);
  for (const char* name : {"bias_k", "bias_v"})
    if (Tensor* b = k.optional_parameter(name, Dims{1, 1, e}, m.flag(kAttention["add_bias_kv"])))
      init::xavier_normal(*b, 1);
  Module& out = k.child("out_proj", "linear",
                        {named("in_features", int_value(e)), named("out_features", int_value(e)),
                         named("bias", flag_value(bias))});
  out.title = "NonDynamicallyQuantizableLinear";
  if (out.parameter(1)) init::constant(*out.parameter(1), 0);
}

Ref<Tensor> part(const Ref<Tensor>& t, int64_t i, int64_t n) {
  return t ? narrow(*t, 0, i * n, n) : Ref<Tensor>{};
}
Ref<Tensor> joined(const Ref<Tensor>& a, const Ref<Tensor>& b, int64_t axis) {
  return invoke(BP_OP_CONCAT, {a, b}, {int_value(axis)});
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

// Returns the mask as what is added to scores: -inf where a mask of bools is true, for a key that
// takes no part.
Ref<Tensor> added(Tensor& mask, bp_dtype dtype) {
  if (mask.dtype != BP_BOOL) return to(mask, 0, dtype, false, false);
  return invoke(BP_OP_WHERE, {value(mask), number(-HUGE_VAL), zeros({}, dtype, mask.device())});
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
    all = all ? invoke(BP_OP_ADD, {all, more}) : more;
  }
  return all;
}

struct Projected {
  Ref<Tensor> q, k, v;  // [N, L, E], [N, S, E]
};
Projected project(const ForwardCall& f, const Ref<Tensor>& q, const Ref<Tensor>& k,
                  const Ref<Tensor>& v) {
  const Module& m = f.m;
  const int64_t e = m.i64(kAttention["embed_dim"]);
  const Ref<Tensor>&w = m.parameter(kInProj), &b = m.parameter(kInBias);
  if (w && f.in[0] == f.in[1] && f.in[1] == f.in[2]) {  // all three are of one input: one product
    Ref<Tensor> all = linear(*q, *w, b);
    const auto third = [&](int64_t i) { return narrow(*all, -1, i * e, e); };
    return {third(0), third(1), third(2)};
  }
  const auto projected = [&](const Ref<Tensor>& x, int64_t i) {
    const Ref<Tensor> bias = part(b, i, e);
    if (w) return linear(*x, *part(w, i, e), bias);
    return linear(*x, *m.needed_parameter(static_cast<size_t>(kQProj + i)), bias);
  };
  return {projected(q, 0), projected(k, 1), projected(v, 2)};
}

// Lets further keys and values join every sequence.
void join_more(const Module& m, Projected& p, Ref<Tensor>& mask) {
  const int64_t n = p.k->shape[0], e = m.i64(kAttention["embed_dim"]);
  const auto grow = [&](const Ref<Tensor>& key, const Ref<Tensor>& more) {
    p.k = joined(p.k, key, 1), p.v = joined(p.v, more, 1);
    if (!mask) return;
    Dims one = mask->shape;
    one.back() = 1;
    mask = joined(mask, zeros(one, mask->dtype, mask->device()), -1);
  };
  if (m.parameter(kBiasK))
    grow(expand(*m.parameter(kBiasK), Dims{n, 1, e}),
         expand(*m.needed_parameter(kBiasV), Dims{n, 1, e}));
  if (m.flag(kAttention["add_zero_attn"])) {
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
    return !batched                            ? unsqueeze(x, 0)
           : m.flag(kAttention["batch_first"]) ? Ref<Tensor>::share(&x)
                                               : transpose(x, 0, 1);
  };
  const Ref<Tensor> q = sequences(0), k = f.in[1] == f.in[0] ? q : sequences(1),
                    v = f.in[2] == f.in[0] ? q : sequences(2);
  if (q->shape.back() != m.i64(kAttention["embed_dim"]))
    fail(BP_INVALID_ARGUMENT, "was expecting embedding dimension of {}, but got {}",
         m.i64(kAttention["embed_dim"]), q->shape.back());
  Projected p = project(f, q, k, v);
  const int64_t h = m.i64(kAttention["num_heads"]), n = q->shape[0], l = q->shape[1],
                e = m.i64(kAttention["embed_dim"]);
  Ref<Tensor> mask = masks_of(f, Dims{n, h, l, k->shape[1]}, batched, p.q->dtype);
  join_more(m, p, mask);
  const Ref<Tensor> hq = heads(p.q, h), hk = heads(p.k, h), hv = heads(p.v, h);
  Ref<Tensor> y, weights;
  const bool drops = m.training && m.f64(kAttention["dropout"]) > 0;
  if (f.out.size() < 2 && !drops) {
    y = invoke(BP_OP_SCALED_DOT_PRODUCT_ATTENTION, {hq, hk, hv, maybe(mask)},
               {flag_value(false), float_value(NAN)});
  } else {
    const int64_t width = e / h;
    const double scale = 1 / std::sqrt(static_cast<double>(width));
    Ref<Tensor> scaled = invoke(BP_OP_MUL, {hq, number(scale)});
    Ref<Tensor> scores = invoke(BP_OP_MATMUL, {scaled, transpose(*hk, -1, -2)});
    if (mask) scores = invoke(BP_OP_ADD, {scores, mask});
    weights =
        dropped(m, invoke(BP_OP_SOFTMAX, {scores}, {int_value(-1)}), m.f64(kAttention["dropout"]));
    y = invoke(BP_OP_MATMUL, {weights, hv});
  }
  y = reshape(*transpose(*y, 1, 2), Dims{n, l, e});
  Module& out = m.child(0);
  y = linear(*y, *out.needed_parameter(0), out.parameter(1));
  f.give(0, !batched                            ? squeeze(*y, Dims{0})
            : m.flag(kAttention["batch_first"]) ? y
                                                : transpose(*y, 0, 1));
  if (f.out.size() < 2) return;
  const int64_t over_heads = 1;
  Ref<Tensor> mean =
      invoke(BP_OP_MEAN, {weights},
             {ints_value({&over_heads, 1}), flag_value(false), dtype_value(BP_DTYPE_NONE)});
  f.give(1, batched ? mean : squeeze(*mean, Dims{0}));
}

// ---- encoder ----

constexpr AttrSpecs kEncoderLayer{
    required_int_attr("d_model", "size of inputs and results"),
    required_int_attr("nhead", "heads of attention"),
    int_attr("dim_feedforward", 2048, "size between the two linear layers"),
    float_attr("dropout", 0.1, "share left out in training"),
    str_attr("activation", "relu", "relu or gelu"),
    float_attr("layer_norm_eps", 1e-5, "of the normalizations"),
    flag_attr("batch_first", false, "whether sequences are [N, L, E], not [L, N, E]"),
    flag_attr("norm_first", false,
              "whether normalization comes before attention and the linear layers"),
    flag_attr("bias", true, "whether there are biases")};
constexpr AttrSpecs kEncoder =
    kEncoderLayer.with({int_attr("num_layers", 1, "how many equal layers"),
                        flag_attr("final_norm", false, "whether a normalization comes last")});

void make_encoder_layer(Maker& k) {
  const Module& m = k.m;
  const int64_t e = m.i64(kEncoderLayer["d_model"]), wide = m.i64(kEncoderLayer["dim_feedforward"]);
  const double dropout = m.f64(kEncoderLayer["dropout"]);
  const std::string_view activation = m.str(kEncoderLayer["activation"]);
  if (activation != "relu" && activation != "gelu")
    fail(BP_INVALID_ARGUMENT, "activation should be relu/gelu, not {}", activation);
  const bp_attr bias = named("bias", flag_value(m.flag(kEncoderLayer["bias"]))),
                p = named("p", float_value(dropout));
  k.child("self_attn", "multihead_attention",
          {named("embed_dim", int_value(e)),
           named("num_heads", int_value(m.i64(kEncoderLayer["nhead"]))),
           named("dropout", float_value(dropout)), bias,
           named("batch_first", flag_value(m.flag(kEncoderLayer["batch_first"])))});
  k.child("linear1", "linear",
          {named("in_features", int_value(e)), named("out_features", int_value(wide)), bias});
  k.child("dropout", "dropout", {p});
  k.child("linear2", "linear",
          {named("in_features", int_value(wide)), named("out_features", int_value(e)), bias});
  const int64_t size[] = {e};
  for (const char* name : {"norm1", "norm2"})
    k.child(name, "layer_norm",
            {named("normalized_shape", ints_value(size)),
             named("eps", float_value(m.f64(kEncoderLayer["layer_norm_eps"]))), bias});
  for (const char* name : {"dropout1", "dropout2"}) k.child(name, "dropout", {p});
}
enum { kSelfAttn, kLinear1, kDrop, kLinear2, kNorm1, kNorm2, kDrop1, kDrop2 };

Ref<Tensor> attend(const ForwardCall& f, Tensor& x) {
  // PyTorch gives the mask of scores first; multihead_attention takes it last.
  Tensor* in[] = {&x, &x, &x, f.in[2], f.in[1]};
  Ref<Tensor> out[1];
  forward(f.m.child(kSelfAttn), in, out);
  return forward_one(f.m.child(kDrop1), *out[0]);
}
Ref<Tensor> feed(const Module& m, Tensor& x) {
  Ref<Tensor> y = forward_one(m.child(kLinear1), x);
  y = invoke(m.str(kEncoderLayer["activation"]) == "relu" ? BP_OP_RELU : BP_OP_GELU, {y});
  return forward_one(m.child(kDrop2),
                     *forward_one(m.child(kLinear2), *forward_one(m.child(kDrop), *y)));
}
void encoder_layer_forward(ForwardCall& f) {
  const Module& m = f.m;
  Ref<Tensor> x = Ref<Tensor>::share(&f.x());
  const auto sum = [](const Ref<Tensor>& a, const Ref<Tensor>& b) {
    return invoke(BP_OP_ADD, {a, b});
  };
  if (m.flag(kEncoderLayer["norm_first"])) {
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
  const int64_t depth = m.i64(kEncoder["num_layers"]);
  if (depth < 1 || depth > 10000)
    fail(BP_INVALID_ARGUMENT, "num_layers must be within 1 and 10000, got {}", depth);
  std::vector<bp_attr> attrs;
  for (size_t i = 0; i < kEncoderLayer.size(); ++i) attrs.push_back(attr_of(m, i));
  Module& layers = k.child("layers", "module_list", {});
  Ref<Module> first = create_module("transformer_encoder_layer", attrs, k.device.value, k.dtype);
  append(layers, first);
  // All layers start with equal values, as PyTorch's do.
  for (int64_t i = 1; i < depth; ++i) append(layers, clone(*first));
  const int64_t size[] = {m.i64(kEncoder["d_model"])};
  if (m.flag(kEncoder["final_norm"]))
    k.child("norm", "layer_norm",
            {named("normalized_shape", ints_value(size)),
             named("eps", float_value(m.f64(kEncoder["layer_norm_eps"])))});
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
constexpr ModuleKind kAttentionKinds[] = {
    {.name = "multihead_attention", .title = "MultiheadAttention", .attrs = kAttention, .min_inputs = 3, .max_inputs = 5,
     .n_outputs = 2, .make = make_attention, .forward = attention_forward,
     .doc = "Inputs query, key, value, key_padding_mask, attn_mask (bool: true is left out; else added). Results: attended, and "
            "the weights' mean over heads."},
    {.name = "transformer_encoder_layer", .title = "TransformerEncoderLayer", .attrs = kEncoderLayer, .min_inputs = 1, .max_inputs = 3,
     .make = make_encoder_layer, .forward = encoder_layer_forward,
     .doc = "Attention of a sequence to itself, then two linear layers, each added to what it got. Inputs src, src_mask, "
            "src_key_padding_mask."},
    {.name = "transformer_encoder", .title = "TransformerEncoder", .attrs = kEncoder, .min_inputs = 1, .max_inputs = 3,
     .make = make_encoder, .forward = encoder_forward, .doc = "num_layers layers, one after the other."},
};
// clang-format on
}  // namespace

std::span<const ModuleKind> attention_kinds() { return kAttentionKinds; }

}  // namespace bp::nn
