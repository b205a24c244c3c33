// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>

#include "oracle/index.h"
#include "oracle/oracle.h"
#include "promote.h"

namespace conformance {
namespace loss_specs {
namespace {

// A loss for each element (or target), its size for the bound, and for class losses its weight.
struct Losses {
  bp_dtype t;
  Shape shape;
  std::vector<Real> value{}, size{}, weight{};

  void add(Real v, Real s, Real w = 1) {
    value.push_back(v);
    size.push_back(s);
    weight.push_back(w);
  }
  Answer reduced(const std::string& how) const {
    if (how == "none") return {{Array{t, shape, value, {}}, size, true}};
    Real total = 0, magnitude = 0, by = 0;
    for (size_t i = 0; i < value.size(); ++i) {
      total += value[i];
      magnitude += size[i];
      by += weight[i];
    }
    if (how == "sum") by = 1;
    const Real scale = std::isfinite(magnitude / by) ? magnitude / by : 0;
    return {{Array{t, {}, {total / by}, {}}, {scale}, true}};
  }
};

using Formula = Real (*)(Real x, Real target, const Call& call);

// The size of a loss is that of what it is made of: here of the operands, squared where they are.
template <Formula kFormula, bool kSquares>
Answer pointwise(const Call& call) {
  const bp_dtype t = default_float_of(result_type({call.in[0], call.in[1]}));
  const Shape shape = broadcast_shape({call.in[0], call.in[1]});
  const Array x = seen(call.in[0], t, shape), y = seen(call.in[1], t, shape);
  Losses l{t, shape};
  for (size_t i = 0; i < x.size(); ++i) {
    const Real size = std::fabs(x.re[i]) + std::fabs(y.re[i]);
    l.add(kFormula(x.re[i], y.re[i], call), kSquares ? size * size : size);
  }
  return l.reduced(call.str("reduction", "mean"));
}
Real mse(Real x, Real y, const Call&) { return (x - y) * (x - y); }
Real l1(Real x, Real y, const Call&) { return std::fabs(x - y); }
Real huber(Real x, Real y, const Call& call) {
  const Real d = std::fabs(x - y), delta = static_cast<Real>(call.f64("delta", 1));
  return d < delta ? d * d / 2 : delta * (d - delta / 2);
}
Real smooth(Real x, Real y, const Call& call) {
  const Real d = std::fabs(x - y), beta = static_cast<Real>(call.f64("beta", 1));
  return d < beta ? d * d / (2 * beta) : d - beta / 2;
}

Answer cross_of_bits(const Call& call, bool logits) {
  const bp_dtype t = default_float_of(result_type({call.in[0], call.in[1]}));
  const Shape shape = broadcast_shape({call.in[0], call.in[1]});
  const Array x = seen(call.in[0], t, shape), y = seen(call.in[1], t, shape);
  auto weight = [&](size_t i) {
    return i < call.in.size() && !call.in[i].is_none() ? seen(call.in[i], t, shape).re
                                                       : std::vector<Real>(x.size(), 1);
  };
  const std::vector<Real> w = weight(2), positive = weight(3);
  Losses l{t, shape};
  for (size_t i = 0; i < x.size(); ++i) {
    const Real p = x.re[i],
               log_yes = logits ? -std::log1p(std::exp(-p)) : std::fmax(std::log(p), Real{-100}),
               log_no = logits ? -p + log_yes : std::fmax(std::log1p(-p), Real{-100});
    const Real yes = positive[i] * y.re[i] * log_yes, no = (1 - y.re[i]) * log_no;
    l.add(-w[i] * (yes + no),
          std::fabs(w[i]) * (1 + std::fabs(yes) + std::fabs(no) + (logits ? std::fabs(p) : 0)));
  }
  return l.reduced(call.str("reduction", "mean"));
}
Answer bce(const Call& call) { return cross_of_bits(call, false); }
Answer bce_with_logits(const Call& call) { return cross_of_bits(call, true); }

// ---- classes ----

struct Classes {
  Array x;
  size_t axis, n;
  std::vector<Real> weight;
  explicit Classes(const Call& call)
      : x(call.in[0].array),
        axis(x.shape.size() == 1 ? 0 : 1),
        n(static_cast<size_t>(x.shape[axis])),
        weight(call.in[2].is_none() ? std::vector<Real>(n, 1) : call.in[2].array.re) {}
  // The scores of one target.
  std::vector<Real> scores(const Shape& at) const {
    std::vector<Real> s;
    Shape full = at;
    full.insert(full.begin() + static_cast<std::ptrdiff_t>(axis), 0);
    for (size_t c = 0; c < n; ++c) {
      full[axis] = static_cast<int64_t>(c);
      s.push_back(value_at(x, full));
    }
    return s;
  }
  Shape targets() const {
    Shape shape = x.shape;
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
    return shape;
  }
};
std::vector<Real> log_softmax(std::vector<Real> s) {
  Real top = s[0], total = 0;
  for (Real v : s) top = std::fmax(top, v);
  for (Real v : s) total += std::exp(v - top);
  for (Real& v : s) v -= top + std::log(total);
  return s;
}
Real largest(const std::vector<Real>& s) {
  Real m = 1;
  for (Real v : s) m = std::fmax(m, std::fabs(v));
  return m;
}

Answer nll(const Call& call) {
  const Classes k(call);
  const auto ignored = static_cast<Real>(call.i64("ignore_index", -100));
  Losses l{k.x.dtype, k.targets()};
  each_index(l.shape, [&](const Shape& at) {
    const Real target = value_at(call.in[1].array, at);
    if (target == ignored) return l.add(0, 0, 0);
    const auto c = static_cast<size_t>(target);
    const Real v = -k.weight[c] * k.scores(at)[c];
    l.add(v, std::fabs(v), k.weight[c]);
  });
  return l.reduced(call.str("reduction", "mean"));
}

Answer cross_entropy(const Call& call) {
  const Classes k(call);
  const auto ignored = static_cast<Real>(call.i64("ignore_index", -100));
  const auto smoothing = static_cast<Real>(call.f64("label_smoothing", 0)),
             n = static_cast<Real>(k.n);
  const Array& target = call.in[1].array;
  const bool probabilities = is_float(target.dtype);
  const Classes of_target(Call{{call.in[probabilities ? 1 : 0], none(), none()}, {}});
  Losses l{k.x.dtype, k.targets()};
  each_index(l.shape, [&](const Shape& at) {
    const std::vector<Real> log_p = log_softmax(k.scores(at));
    Real all = 0;
    for (size_t c = 0; c < k.n; ++c) all -= k.weight[c] * log_p[c];
    const Real size = largest(log_p) * n * largest(k.weight);
    if (probabilities) {
      const std::vector<Real> t = of_target.scores(at);
      Real v = 0;
      for (size_t c = 0; c < k.n; ++c) v -= k.weight[c] * log_p[c] * t[c];
      return l.add((1 - smoothing) * v + smoothing / n * all, size);
    }
    const Real chosen = value_at(target, at);
    if (chosen == ignored) return l.add(0, 0, 0);
    const auto c = static_cast<size_t>(chosen);
    l.add((1 - smoothing) * -k.weight[c] * log_p[c] + smoothing / n * all, size, k.weight[c]);
  });
  return l.reduced(call.str("reduction", "mean"));
}

constexpr Spec kSpecs[] = {
    {"mse_loss", Family::kComposed, kReals, pointwise<mse, true>},
    {"l1_loss", Family::kComposed, kReals, pointwise<l1, false>},
    {"huber_loss", Family::kComposed, kReals, pointwise<huber, true>},
    {"smooth_l1_loss", Family::kComposed, kReals, pointwise<smooth, true>},
    {"binary_cross_entropy", Family::kComposed, kReals, bce},
    {"binary_cross_entropy_with_logits", Family::kComposed, kReals, bce_with_logits},
    {"nll_loss", Family::kComposed, kFloats, nll},
    {"cross_entropy", Family::kComposed, kFloats, cross_entropy},
};

}  // namespace
}  // namespace loss_specs

std::span<const Spec> loss_oracles() { return loss_specs::kSpecs; }

}  // namespace conformance
