// SPDX-License-Identifier: Apache-2.0
// embedding.cc: vectors by number; elements left out at random.
#include "core/grad/autograd.h"
#include "core/module/initialiser.h"
#include "core/module/kind.h"

namespace bp::nn {
namespace embedding_rows {
namespace {

constexpr ModuleAttr kEmbedding[] = {
    attr::size("num_embeddings", "how many vectors"), attr::size("embedding_dim", "their size"),
    attr::no_integers("padding_idx", "a vector that starts as zeros and does not learn")};
constexpr ModuleAttr kDropout[] = {
    attr::real("p", 0.5, "share of elements that become 0"),
    attr::flag("inplace", false, "accepted; the result is a new tensor all the same")};

void make_embedding(Maker& k) {
  Module& m = k.m;
  Tensor& weight = k.parameter("weight", Dims{m.i64(0), m.i64(1)});
  init::normal(weight, 0, 1);
  if (m.ints(2).empty()) return;
  int64_t at = m.ints(2)[0];
  if (at >= m.i64(0) || at < -m.i64(0))
    fail(BP_INVALID_ARGUMENT, "Padding_idx must be within num_embeddings");
  if (at < 0) at += m.i64(0);
  m.attrs[2].ints = {at};
  init::constant(*select(weight, 0, at), 0);
}
// Where the index is padding_idx, the vector is taken of what has no way back.
void embedding(ForwardCall& f) {
  const Ref<Tensor>& weight = f.m.parameter(0);
  Ref<Tensor> y = op(BP_OP_EMBEDDING, {value(f.x()), weight});
  if (!f.m.ints(2).empty() && records() && wants_grad(*weight)) {
    Ref<Tensor> at = op(BP_OP_EQ, {value(f.x()), number(f.m.ints(2)[0])});
    Ref<Tensor> fixed = op(BP_OP_EMBEDDING, {value(f.x()), detach(*weight)});
    y = op(BP_OP_WHERE, {unsqueeze(*at, -1), fixed, y});
  }
  f.give(0, called(y, "EmbeddingBackward0"));
}
std::string embedding_extra(const Module& m) {
  return fmt::format("{}, {}", m.i64(0), m.i64(1)) +
         (m.ints(2).empty() ? "" : fmt::format(", padding_idx={}", m.ints(2)[0]));
}

void check_dropout(Maker& k) {
  const double p = k.m.f64(0);
  if (!(p >= 0 && p <= 1))
    fail(BP_INVALID_ARGUMENT, "dropout probability has to be between 0 and 1, but got {}",
         python_text(p));
}
void dropout(ForwardCall& f) { f.give(0, dropped(f.m, Ref<Tensor>::share(&f.x()), f.m.f64(0))); }
// Whole channels: one draw for each, spread over the sizes after the second.
void channel_dropout(ForwardCall& f) {
  Tensor& x = f.x();
  if (!f.m.training || f.m.f64(0) == 0) return f.give(0, Ref<Tensor>::share(&x));
  if (x.rank() < 2)
    fail(BP_INVALID_ARGUMENT, "{}: expected at least a 2D input, got {}D", f.m.title, x.rank());
  Dims shape(x.rank(), 1);
  shape[0] = x.shape[0], shape[1] = x.shape[1];
  Ref<Tensor> ones = new_tensor(shape, x.dtype, x.device());
  init::constant(*ones, 1);
  f.give(0, op(BP_OP_MUL, {value(x), dropped(f.m, ones, f.m.f64(0))}));
}
std::string dropout_extra(const Module& m) {
  return fmt::format("p={}, inplace={}", python_text(m.f64(0)), python_text(m.flag(1)));
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
constexpr ModuleKind kRows[] = {
    {.name = "embedding", .title = "Embedding", .attrs = kEmbedding, .make = make_embedding, .forward = embedding,
     .extra = embedding_extra, .doc = "The vector of each index."},
    drop("dropout", "Dropout", dropout, "In training elements become 0 with probability p, the others 1 / (1 - p) times as large."),
    drop("dropout1d", "Dropout1d", channel_dropout, kChannels),
    drop("dropout2d", "Dropout2d", channel_dropout, kChannels),
};
// clang-format on
}  // namespace
}  // namespace embedding_rows

std::span<const ModuleKind> embedding_kinds() { return embedding_rows::kRows; }

}  // namespace bp::nn
