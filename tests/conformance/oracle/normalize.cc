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

constexpr Spec kSpecs[] = {
    {"layer_norm", Family::kComposed, kFloats, layer_norm},
    {"rms_norm", Family::kComposed, kFloats, rms_norm},
    {"batch_norm", Family::kComposed, kFloats, batch_norm},
    {"batch_norm_running", Family::kComposed, kFloats, batch_norm_running},
    {"group_norm", Family::kComposed, kFloats, group_norm},
};

}  // namespace
}  // namespace normalize_specs

std::span<const Spec> normalize_oracles() { return normalize_specs::kSpecs; }

}  // namespace conformance
