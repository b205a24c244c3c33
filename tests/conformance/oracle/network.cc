// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "oracle/index.h"
#include "oracle/oracle.h"

namespace conformance {
namespace network_specs {
namespace {

Answer embedding(const Call& call) {
  const Array &index = call.in[0].array, &weight = call.in[1].array;
  const auto width = static_cast<size_t>(weight.shape[1]);
  Array out{weight.dtype, index.shape, {}, {}};
  out.shape.push_back(weight.shape[1]);
  for (Real i : index.re)
    for (size_t j = 0; j < width; ++j)
      append_element(out, weight, static_cast<size_t>(i) * width + j);
  return {{out}};
}

// Kept where bernoulli's stream of the same seed and offset says 1.
Answer dropout(const Call& call) {
  Array x = call.in[0].array;
  const double p = call.f64("p", 0.5);
  const Call draw{
      {},
      {ints_attr("shape", x.shape), dtype_attr("dtype", BP_BOOL), float_attr("p", 1 - p),
       int_attr("seed", call.i64("seed", 0)), int_attr("offset", call.i64("offset", 0))}};
  const Array kept = oracle_of("bernoulli")->oracle(draw)[0].array;
  for (size_t i = 0; i < x.size(); ++i)
    x.re[i] = kept.re[i] != 0 ? x.re[i] / static_cast<Real>(1 - p) : 0;
  return {{x, {}, true}};
}

Answer attention(const Call& call) {
  const Array &q = call.in[0].array, &k = call.in[1].array, &v = call.in[2].array;
  const bool causal = call.i64("is_causal", 0) != 0;
  auto batch = [](const Array& a) { return Shape(a.shape.begin(), a.shape.end() - 2); };
  const Shape all = broadcast(broadcast(batch(q), batch(k)), batch(v));
  auto wide = [&](const Array& a) {
    Shape shape = all;
    shape.insert(shape.end(), a.shape.end() - 2, a.shape.end());
    return expand(a, shape);
  };
  const Array wq = wide(q), wk = wide(k), wv = wide(v);
  const int64_t length = q.shape[q.shape.size() - 2], keys = k.shape[k.shape.size() - 2],
                width = q.shape.back();
  Shape score_shape = all;
  score_shape.push_back(length), score_shape.push_back(keys);
  const bool masked = !call.in[3].is_none();
  const Array mask = masked ? expand(call.in[3].array, score_shape) : Array{};
  const double scale = call.f64("scale", 1 / std::sqrt(static_cast<double>(width)));
  const int64_t columns = v.shape.back();
  Expected e{Array{q.dtype, all, {}, {}}, {}, true};
  e.array.shape.push_back(length), e.array.shape.push_back(columns);
  Shape rows = all;
  rows.push_back(length);
  const Real inf = INFINITY;
  each_index(rows, [&](const Shape& at) {
    Shape row = at, other = at;
    row.push_back(0), other.push_back(0);
    std::vector<Real> score;
    Real top = -inf;
    for (int64_t j = 0; j < keys; ++j) {
      Real s = 0;
      other[other.size() - 2] = j;
      for (int64_t d = 0; d < width; ++d) {
        row.back() = other.back() = d;
        s += value_at(wq, row) * value_at(wk, other);
      }
      s *= static_cast<Real>(scale);
      row.back() = j;
      if (masked && is_bool(mask.dtype))
        s = value_at(mask, row) != 0 ? s : -inf;
      else if (masked)
        s += value_at(mask, row);
      if (causal && j > at.back()) s = -inf;
      score.push_back(s);
      top = std::fmax(top, s);
    }
    Real total = 0;
    if (masked && top == -inf) top = 0, total = 1;
    for (Real& s : score) total += s = std::exp(s - top);
    for (int64_t c = 0; c < columns; ++c) {
      Real value = 0, most = 0;
      other.back() = c;
      for (int64_t j = 0; j < keys; ++j) {
        other[other.size() - 2] = j;
        const Real term = value_at(wv, other);
        value += score[static_cast<size_t>(j)] * term;
        most = std::fmax(most, std::fabs(term));
      }
      e.array.re.push_back(value / total);
      e.scale.push_back(most);
    }
  });
  return {e};
}

Answer rope(const Call& call) {
  const Array& x = call.in[0].array;
  const bool interleaved = call.i64("interleaved", 0) != 0;
  const int64_t half = x.shape.back() / 2;
  Shape narrow = x.shape;
  narrow.back() = half;
  const Array cosine = expand(call.in[1].array, narrow), sine = expand(call.in[2].array, narrow);
  Expected e{Array{x.dtype, x.shape, {}, {}}, {}, true};
  each_index(x.shape, [&](const Shape& at) {
    const bool second = interleaved ? at.back() % 2 != 0 : at.back() >= half;
    Shape pair = at, other = at;
    pair.back() = interleaved ? at.back() / 2 : at.back() % half;
    other.back() += (second ? -1 : 1) * (interleaved ? 1 : half);
    const Real a = value_at(x, at) * value_at(cosine, pair),
               b = value_at(x, other) * value_at(sine, pair);
    e.array.re.push_back(second ? a + b : a - b);
    e.scale.push_back(std::fabs(a) + std::fabs(b));
  });
  return {e};
}

constexpr Spec kSpecs[] = {
    {"embedding", Family::kComposed, kAll, embedding},
    {"dropout", Family::kComposed, kFloats, dropout},
    {"scaled_dot_product_attention", Family::kComposed, kFloats, attention},
    {"rope", Family::kComposed, kFloats, rope},
};

}  // namespace
}  // namespace network_specs

std::span<const Spec> network_oracles() { return network_specs::kSpecs; }

}  // namespace conformance
