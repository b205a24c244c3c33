// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>

#include "oracle/index.h"
#include "oracle/oracle.h"

namespace conformance {
namespace normalize_specs {
namespace {

// Normalizes x over the elements that share a key; weight and bias are picked by another.
template <class GroupOf, class ChannelOf>
Answer normalized(const Array& x, double eps, const GroupOf& group, const ChannelOf& channel,
                  const Operand& weight, const Operand& bias, bool centred = true) {
  struct Sums {
    Real n = 0, sum = 0, squares = 0, most = 0;
  };
  std::map<int64_t, Sums> of;
  each_index(x.shape, [&](const Shape& at) {
    Sums& s = of[group(at)];
    s.n += 1;
    s.sum += value_at(x, at);
    s.most = std::fmax(s.most, std::fabs(value_at(x, at)));
  });
  each_index(x.shape, [&](const Shape& at) {
    Sums& s = of[group(at)];
    const Real d = value_at(x, at) - (centred ? s.sum / s.n : 0);
    s.squares += d * d;
  });
  Expected e{Array{x.dtype, x.shape, {}, {}}, {}, true};
  each_index(x.shape, [&](const Shape& at) {
    const Sums& s = of[group(at)];
    const auto c = static_cast<size_t>(channel(at));
    const Real by = 1 / std::sqrt(s.squares / s.n + static_cast<Real>(eps));
    const Real w = weight.is_none() ? 1 : weight.array.re[c],
               b = bias.is_none() ? 0 : bias.array.re[c];
    e.array.re.push_back((value_at(x, at) - (centred ? s.sum / s.n : 0)) * by * w + b);
    e.scale.push_back(s.most * by * std::fabs(w) + std::fabs(b));
  });
  return {e};
}

// Indices of the last n dims, and of those before them, as numbers.
struct Split {
  Shape last;
  int64_t in_last(const Shape& at) const {
    return static_cast<int64_t>(
        place_of(last, Shape(at.end() - static_cast<std::ptrdiff_t>(last.size()), at.end())));
  }
  int64_t before(const Shape& shape, const Shape& at) const {
    const auto n = static_cast<std::ptrdiff_t>(shape.size() - last.size());
    return static_cast<int64_t>(
        place_of(Shape(shape.begin(), shape.begin() + n), Shape(at.begin(), at.begin() + n)));
  }
};

Answer layer_norm(const Call& call) {
  const Array& x = call.in[0].array;
  const Split split{call.ints("normalized_shape")};
  return normalized(
      x, call.f64("eps", 1e-5), [&](const Shape& at) { return split.before(x.shape, at); },
      [&](const Shape& at) { return split.in_last(at); }, call.in[1], call.in[2]);
}
Answer rms_norm(const Call& call) {
  const Array& x = call.in[0].array;
  const Split split{call.ints("normalized_shape")};
  const double eps = x.dtype == BP_F64 ? 0x1p-52 : 0x1p-23;
  return normalized(
      x, call.f64("eps", eps), [&](const Shape& at) { return split.before(x.shape, at); },
      [&](const Shape& at) { return split.in_last(at); }, call.in[1], none(), /*centred=*/false);
}
Answer group_norm(const Call& call) {
  const Array& x = call.in[0].array;
  const int64_t groups = call.i64("num_groups", 1), in_group = x.shape[1] / groups;
  return normalized(
      x, call.f64("eps", 1e-5), [&](const Shape& at) { return at[0] * groups + at[1] / in_group; },
      [](const Shape& at) { return at[1]; }, call.in[1], call.in[2]);
}
Answer batch_norm(const Call& call) {
  const Array& x = call.in[0].array;
  const double eps = call.f64("eps", 1e-5);
  auto channel = [](const Shape& at) { return at[1]; };
  if (call.i64("training", 0)) return normalized(x, eps, channel, channel, call.in[3], call.in[4]);
  Expected e{Array{x.dtype, x.shape, {}, {}}, {}, true};
  each_index(x.shape, [&](const Shape& at) {
    const auto c = static_cast<size_t>(at[1]);
    const Real mean = call.in[1].array.re[c],
               by = 1 / std::sqrt(call.in[2].array.re[c] + static_cast<Real>(eps));
    const Real w = call.in[3].is_none() ? 1 : call.in[3].array.re[c],
               b = call.in[4].is_none() ? 0 : call.in[4].array.re[c];
    e.array.re.push_back((value_at(x, at) - mean) * by * w + b);
    e.scale.push_back((std::fabs(value_at(x, at)) + std::fabs(mean)) * by * std::fabs(w) +
                      std::fabs(b));
  });
  return {e};
}

Answer batch_norm_running(const Call& call) {
  const Array &x = call.in[0].array, &mean = call.in[1].array, &var = call.in[2].array;
  const auto momentum = static_cast<Real>(call.f64("momentum", 0.1));
  const size_t channels = mean.size();
  std::vector<Real> sum(channels), squares(channels), most(channels);
  const size_t each = x.size() / channels;
  const auto n = static_cast<Real>(each);
  each_index(x.shape, [&](const Shape& at) {
    const auto c = static_cast<size_t>(at[1]);
    sum[c] += value_at(x, at);
    most[c] = std::fmax(most[c], std::fabs(value_at(x, at)));
  });
  each_index(x.shape, [&](const Shape& at) {
    const auto c = static_cast<size_t>(at[1]);
    squares[c] += (value_at(x, at) - sum[c] / n) * (value_at(x, at) - sum[c] / n);
  });
  Answer both{{Array{mean.dtype, mean.shape, {}, {}}, {}, true},
              {Array{mean.dtype, mean.shape, {}, {}}, {}, true}};
  for (size_t c = 0; c < channels; ++c) {
    both[0].array.re.push_back((1 - momentum) * mean.re[c] + momentum * sum[c] / n);
    both[0].scale.push_back(std::fabs(mean.re[c]) + most[c]);
    both[1].array.re.push_back((1 - momentum) * var.re[c] + momentum * squares[c] / (n - 1));
    both[1].scale.push_back(std::fabs(var.re[c]) + most[c] * most[c]);
  }
  return both;
}

// ---- gradients ----

// The gradients of sum(grad * y), y = (x - mean) * by * weight + bias, towards x, weight and bias.
// `given` says that mean and by do not depend on x.
struct Backward {
  const Array &grad, &x;
  const Operand& weight;
  double eps;
  Shape parameters;  // weight's shape
  bool centred = true;
  const Array *given_mean = nullptr, *given_var = nullptr;  // by channel

  template <class GroupOf, class ChannelOf>
  Answer run(const GroupOf& group, const ChannelOf& channel) const {
    struct Sums {
      Real n = 0, sum = 0, squares = 0, most = 0, mean = 0, by = 0, g = 0, gn = 0, g_most = 0;
    };
    std::map<int64_t, Sums> of;
    const auto w = [&](size_t c) { return weight.is_none() ? 1 : weight.array.re[c]; };
    each_index(x.shape, [&](const Shape& at) {
      Sums& s = of[group(at)];
      s.n += 1;
      s.sum += value_at(x, at);
      s.most = std::fmax(s.most, std::fabs(value_at(x, at)));
    });
    for (auto& [key, s] : of) {
      s.mean = given_mean ? given_mean->re[static_cast<size_t>(key)] : centred ? s.sum / s.n : 0;
      s.most = std::fmax(s.most, std::fabs(s.mean));
    }
    each_index(x.shape, [&](const Shape& at) {
      Sums& s = of[group(at)];
      s.squares += (value_at(x, at) - s.mean) * (value_at(x, at) - s.mean);
    });
    for (auto& [key, s] : of)
      s.by = 1 / std::sqrt((given_var ? given_var->re[static_cast<size_t>(key)] : s.squares / s.n) +
                           static_cast<Real>(eps));
    Expected dx{Array{x.dtype, x.shape, {}, {}}, {}, true};
    Expected dw{Array{x.dtype, parameters, {}, {}}, {}, true}, db = dw;
    for (Expected* e : {&dw, &db}) {
      e->array.re.resize(static_cast<size_t>(count_of(parameters)));
      e->scale.resize(e->array.re.size());
    }
    each_index(x.shape, [&](const Shape& at) {
      Sums& s = of[group(at)];
      const auto c = static_cast<size_t>(channel(at));
      const Real g = value_at(grad, at), normal = (value_at(x, at) - s.mean) * s.by;
      dw.array.re[c] += g * normal;
      dw.scale[c] += std::fabs(g) * s.most * s.by;
      db.array.re[c] += g;
      db.scale[c] += std::fabs(g);
      s.g += g * w(c);
      s.gn += g * w(c) * normal;
      s.g_most = std::fmax(s.g_most, std::fabs(g * w(c)));
    });
    each_index(x.shape, [&](const Shape& at) {
      const Sums& s = of[group(at)];
      const Real g = value_at(grad, at) * w(static_cast<size_t>(channel(at))),
                 normal = (value_at(x, at) - s.mean) * s.by;
      const Real own = given_mean ? 0 : (centred ? s.g / s.n : 0) + normal * s.gn / s.n;
      dx.array.re.push_back((g - own) * s.by);
      const Real spread = s.most * s.by;
      dx.scale.push_back(s.g_most * (1 + spread * spread) * s.by);
    });
    return centred ? Answer{dx, dw, db} : Answer{dx, dw};
  }
};

template <bool kCentred>
Answer last_dims_grad(const Call& call) {
  const Array& x = call.in[1].array;
  const Split split{call.ints("normalized_shape")};
  const double eps = kCentred ? 1e-5 : x.dtype == BP_F64 ? 0x1p-52 : 0x1p-23;
  return Backward{call.in[0].array, x, call.in[2], call.f64("eps", eps), split.last, kCentred}.run(
      [&](const Shape& at) { return split.before(x.shape, at); },
      [&](const Shape& at) { return split.in_last(at); });
}
Answer batch_norm_grad(const Call& call) {
  const Array& x = call.in[1].array;
  Backward b{call.in[0].array, x, call.in[4], call.f64("eps", 1e-5), Shape{x.shape[1]}};
  if (!call.i64("training", 0)) b.given_mean = &call.in[2].array, b.given_var = &call.in[3].array;
  const auto channel = [](const Shape& at) { return at[1]; };
  return b.run(channel, channel);
}
Answer group_norm_grad(const Call& call) {
  const Array& x = call.in[1].array;
  const int64_t groups = call.i64("num_groups", 1), in_group = x.shape[1] / groups;
  return Backward{call.in[0].array, x, call.in[2], call.f64("eps", 1e-5), Shape{x.shape[1]}}.run(
      [&](const Shape& at) { return at[0] * groups + at[1] / in_group; },
      [](const Shape& at) { return at[1]; });
}

constexpr Spec kSpecs[] = {
    {"layer_norm", Family::kComposed, kFloats, layer_norm},
    {"rms_norm", Family::kComposed, kFloats, rms_norm},
    {"batch_norm", Family::kComposed, kFloats, batch_norm},
    {"batch_norm_running", Family::kComposed, kFloats, batch_norm_running},
    {"group_norm", Family::kComposed, kFloats, group_norm},
    {"layer_norm_grad", Family::kComposed, kFloats, last_dims_grad<true>},
    {"rms_norm_grad", Family::kComposed, kFloats, last_dims_grad<false>},
    {"batch_norm_grad", Family::kComposed, kFloats, batch_norm_grad},
    {"group_norm_grad", Family::kComposed, kFloats, group_norm_grad},
};

}  // namespace
}  // namespace normalize_specs

std::span<const Spec> normalize_oracles() { return normalize_specs::kSpecs; }

}  // namespace conformance
