// SPDX-License-Identifier: Apache-2.0
// embedding.cc: tables of vectors, and dropout.
#include "core/grad/autograd.h"
#include "core/module/initialiser.h"
#include "core/module/kind.h"

namespace bp::nn {
namespace {

constexpr AttrSpecs kEmbedding{
    required_int_attr("num_embeddings", "how many vectors"),
    required_int_attr("embedding_dim", "their size"),
    ints_attr("padding_idx", "a vector that starts as zeros and does not learn")};
constexpr AttrSpecs kDropout{
    float_attr("p", 0.5, "share of elements that become 0"),
    flag_attr("inplace", false, "accepted; the result is a new tensor all the same")};

void make_embedding(Maker& k) {
  Module& m = k.m;
  const int64_t n = m.i64(kEmbedding["num_embeddings"]);
  Tensor& weight = k.parameter("weight", Dims{n, m.i64(kEmbedding["embedding_dim"])});
  init::normal(weight, 0, 1);
  std::vector<int64_t>& padding = m.attrs[kEmbedding["padding_idx"]].ints;
  if (padding.empty()) return;
  int64_t at = padding[0];
  if (at >= n || at < -n) fail(BP_INVALID_ARGUMENT, "Padding_idx must be within num_embeddings");
  if (at < 0) at += n;
  padding = {at};
  init::constant(*select(weight, 0, at), 0);
}
// Where the index is padding_idx, the vector comes from a detached weight, so that it does not
// learn.
void embedding(ForwardCall& f) {
  const Ref<Tensor>& weight = f.m.needed_parameter(0);
  const Span padding = f.m.ints(kEmbedding["padding_idx"]);
  Ref<Tensor> y = invoke(BP_OP_EMBEDDING, {value(f.x()), weight});
  if (!padding.empty() && records() && wants_grad(*weight)) {
    Ref<Tensor> at = invoke(BP_OP_EQ, {value(f.x()), number(padding[0])});
    Ref<Tensor> fixed = invoke(BP_OP_EMBEDDING, {value(f.x()), detach(*weight)});
    y = invoke(BP_OP_WHERE, {unsqueeze(*at, -1), fixed, y});
  }
  f.give(0, called(y, "EmbeddingBackward0"));
}
std::string embedding_extra(const Module& m) {
  const Span padding = m.ints(kEmbedding["padding_idx"]);
  return fmt::format("{}, {}", m.i64(kEmbedding["num_embeddings"]),
                     m.i64(kEmbedding["embedding_dim"])) +
         (padding.empty() ? "" : fmt::format(", padding_idx={}", padding[0]));
}

void check_dropout(Maker& k) {
  const double p = k.m.f64(kDropout["p"]);
  if (!(p >= 0 && p <= 1))
    fail(BP_INVALID_ARGUMENT, "dropout probability has to be between 0 and 1, but got {}",
         python_text(p));
}
void dropout(ForwardCall& f) {
  f.give(0, dropped(f.m, Ref<Tensor>::share(&f.x()), f.m.f64(kDropout["p"])));
}
// Leaves out whole channels: one number is drawn for each and spread over the further dimensions.
void channel_dropout(ForwardCall& f) {
  Tensor& x = f.x();
  const double p = f.m.f64(kDropout["p"]);
  if (!f.m.training || p == 0) return f.give(0, Ref<Tensor>::share(&x));
  if (x.rank() < 2)
    fail(BP_INVALID_ARGUMENT, "{}: expected at least a 2D input, got {}D", f.m.title, x.rank());
  Dims shape(x.rank(), 1);
  shape[0] = x.shape[0], shape[1] = x.shape[1];
  Ref<Tensor> ones = new_tensor(shape, x.dtype, x.device());
  init::constant(*ones, 1);
  f.give(0, invoke(BP_OP_MUL, {value(x), dropped(f.m, ones, p)}));
}
std::string dropout_extra(const Module& m) {
  return fmt::format("p={}, inplace={}", python_text(m.f64(kDropout["p"])),
                     python_text(m.flag(kDropout["inplace"])));
}

constexpr ModuleKind drop(const char* name, const char* title, void (*forward)(ForwardCall&),
                          const char* doc) {
  return {.name = name,
          .title = title,
          .attrs = kDropout,
          .make = check_dropout,
          .forward = forward,
          .extra = dropout_extra,
          .doc = doc};
}
constexpr const char* kChannels =
    "In training whole channels become 0 with probability p, the others 1 / (1 - p) times as large.";
// clang-format off
constexpr ModuleKind kEmbeddingKinds[] = {
    {.name = "embedding", .title = "Embedding", .attrs = kEmbedding, .make = make_embedding, .forward = embedding,
     .extra = embedding_extra, .doc = "The vector of each index."},
    drop("dropout", "Dropout", dropout, "In training elements become 0 with probability p, the others 1 / (1 - p) times as large."),
    drop("dropout1d", "Dropout1d", channel_dropout, kChannels),
    drop("dropout2d", "Dropout2d", channel_dropout, kChannels),
};
// clang-format on
}  // namespace

std::span<const ModuleKind> embedding_kinds() { return kEmbeddingKinds; }

}  // namespace bp::nn
