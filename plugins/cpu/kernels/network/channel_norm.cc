// SPDX-License-Identifier: Apache-2.0
// channel_norm.cc: batch_norm, its running statistics, group_norm, and the gradients of both:
// x [N, C, places] with a weight and a bias for each channel. A channel of a sample is a run of
// `places` neighbours. Where that is one, a batch's channels are the columns of a matrix, of which
// a register takes as many as it has lanes.
#include "device/registry.h"
#include "kernels/network/moments.h"
#include "kernels/network/operands.h"

namespace bp_cpu::BP_ISA {
namespace {

struct Sizes {
  int64_t samples, channels, places = 1;

  explicit Sizes(const bp_arg& x) : samples(x.shape[0]), channels(x.shape[1]) {
    for (int32_t d = 2; d < x.rank; ++d) places *= x.shape[d];
  }
  int64_t runs() const { return samples * channels; }
  int64_t in_channel() const { return samples * places; }
  int64_t grain(int64_t elements) const { return kGrain / (elements + 1) + 1; }
};

// What a channel's elements become: (x - mean) * scale + shift.
template <class A>
struct Affine {
  A mean, scale, shift;

  template <class T>
  Affine(const Moments& m, const T* weight, const T* bias, int64_t c)
      : mean(static_cast<A>(m.mean)), scale(static_cast<A>(m.scale)), shift(-A(0)) {
    if (weight) scale *= convert<A>(weight[c]);
    if (bias) shift = convert<A>(bias[c]);
  }
  template <class T>
  HWY_INLINE void write(const T* x, T* y, int64_t n) const {
    const Tag<A> d;
    const auto m = hn::Set(d, mean), s = hn::Set(d, scale), b = hn::Set(d, shift);
    each_register<A>(n, [&](const auto& r, int64_t at) {
      r.store(hn::MulAdd(hn::Sub(r.load(x + at), m), s, b), y + at);
    });
  }
};

// ---- the columns of a matrix ----

// Calls fn(reader, first column) for a register of columns at a time.
template <class A, class F>
void each_columns(const Sizes& s, const F& fn) {
  const int64_t lanes = register_lanes<A>(), tiles = (s.channels + lanes - 1) / lanes;
  parallel_for(tiles, s.grain(s.samples * lanes), [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t)
      each_register<A>(smaller(lanes, s.channels - t * lanes),
                       [&](const auto& r, int64_t) { fn(r, t * lanes); });
  });
}
template <class T>
void column_moments(const T* x, const Sizes& s, const How& how, Moments* out) {
  using A = Calc<T>;
  const auto n = static_cast<double>(s.samples);
  each_columns<A>(s, [&](const auto& r, int64_t first) {
    const int64_t width = smaller(register_lanes<A>(), s.channels - first);
    LaneSums<1, A> sum, squares;
    add_terms(sum, r, first, s.samples, s.channels,
              [&](const auto& of, int64_t at, Register<A>* t) { t[0] = of.load(x + at); });
    double total[kMaxLanes<A>], distances[kMaxLanes<A>];
    sum.store(0, total);
    HWY_ALIGN A mean[kMaxLanes<A>] = {};
    for (int64_t i = 0; i < width; ++i) mean[i] = static_cast<A>(total[i] / n);
    const auto centre = hn::Load(Tag<A>(), mean);
    add_terms(squares, r, first, s.samples, s.channels,
              [&](const auto& of, int64_t at, Register<A>* t) {
                const Register<A> distance = hn::Sub(of.load(x + at), centre);
                t[0] = hn::Mul(distance, distance);
              });
    squares.store(0, distances);
    for (int64_t i = 0; i < width; ++i)
      out[first + i] = moments_of<A>(
          s.samples, 1, how, [&](int64_t) { return total[i]; },
          [&](int64_t, double) { return distances[i]; });
  });
}

// ---- batches ----

template <class T>
Group<T> channel_of(const T* x, const Sizes& s, int64_t c) {
  return {x + c * s.places, s.places, s.channels * s.places, s.in_channel()};
}
template <class T>
bp_status channel_moments(const bp_launch& launch, const T* x, const Sizes& s, double eps,
                          Moments* out, bp_error** err) {
  if (s.places == 1) {
    column_moments(x, s, {true, eps}, out);
    return BP_OK;
  }
  return each_group<T>(
      launch, s.channels, {true, eps}, [&](int64_t c) { return channel_of(x, s, c); },
      [&](int64_t c, int64_t begin, int64_t, const Moments& m) {
        if (begin == 0) out[c] = m;
      },
      err);
}
// The moments by which batch_norm normalizes: x's own, or the running ones.
template <class T>
bp_status batch_moments(const bp_launch& launch, const bp_arg* statistics, const T* x,
                        const Sizes& s, Moments* out, bp_error** err) {
  const bool training = launch.attrs[BP_ATTR_BATCH_NORM_TRAINING].value.i64 != 0;
  const double eps = launch.attrs[BP_ATTR_BATCH_NORM_EPS].value.f64;
  if (training) return channel_moments(launch, x, s, eps, out, err);
  const T *mean = data_of<T>(statistics[0]), *var = data_of<T>(statistics[1]);
  for (int64_t c = 0; c < s.channels; ++c) {
    const double v = convert<Calc<T>>(var[c]);
    out[c] = {convert<Calc<T>>(mean[c]), v, 1 / ::sqrt(v + eps)};
  }
  return BP_OK;
}

template <class T>
bp_status batch_norm(const bp_launch* launch, bp_error** err) {
  using A = Calc<T>;
  const bp_arg* a = launch->args;
  const Sizes s(a[0]);
  const T *x = static_cast<const T*>(a[0].data), *weight = data_of<T>(a[3]),
          *bias = data_of<T>(a[4]);
  T* y = static_cast<T*>(a[5].data);
  Scratch scratch(*launch, static_cast<uint64_t>(s.channels) * (sizeof(Moments) + 3 * sizeof(A)));
  auto* moments = scratch.as<Moments>();
  if (!moments) return scratch.fail(err);
  if (const bp_status status = batch_moments(*launch, a + 1, x, s, moments, err)) return status;
  if (s.places > 1) {
    parallel_for(s.runs(), s.grain(s.places), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t c = i % s.channels;
        Affine<A>(moments[c], weight, bias, c).write(x + i * s.places, y + i * s.places, s.places);
      }
    });
    return BP_OK;
  }
  A *mean = reinterpret_cast<A*>(moments + s.channels), *scale = mean + s.channels,
    *shift = scale + s.channels;
  for (int64_t c = 0; c < s.channels; ++c) {
    const Affine<A> of(moments[c], weight, bias, c);
    mean[c] = of.mean, scale[c] = of.scale, shift[c] = of.shift;
  }
  parallel_for(s.samples, s.grain(s.channels), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T* from = x + i * s.channels;
      T* to = y + i * s.channels;
      each_register<A>(s.channels, [&](const auto& r, int64_t c) {
        r.store(hn::MulAdd(hn::Sub(r.load(from + c), r.load(mean + c)), r.load(scale + c),
                           r.load(shift + c)),
                to + c);
      });
    }
  });
  return BP_OK;
}

template <class T>
bp_status batch_norm_running(const bp_launch* launch, bp_error** err) {
  using A = Calc<T>;
  const bp_arg* a = launch->args;
  const Sizes s(a[0]);
  const T *mean = data_of<T>(a[1]), *var = data_of<T>(a[2]);
  const double momentum = launch->attrs[BP_ATTR_BATCH_NORM_RUNNING_MOMENTUM].value.f64;
  Scratch scratch(*launch, static_cast<uint64_t>(s.channels) * sizeof(Moments));
  auto* moments = scratch.as<Moments>();
  if (!moments) return scratch.fail(err);
  if (const bp_status status =
          channel_moments(*launch, static_cast<const T*>(a[0].data), s, 0, moments, err))
    return status;
  const auto mixed = [&](T running, double batch) {
    return convert<T>(static_cast<A>((1 - momentum) * convert<A>(running) + momentum * batch));
  };
  const auto n = static_cast<double>(s.in_channel());
  for (int64_t c = 0; c < s.channels; ++c) {
    static_cast<T*>(a[3].data)[c] = mixed(mean[c], moments[c].mean);
    static_cast<T*>(a[4].data)[c] = mixed(var[c], moments[c].squares * n / (n - 1));
  }
  return BP_OK;
}

// ---- gradients ----

// Sums over a channel, or over a channel of a sample: of grad * normal, and of grad.
struct Sums {
  double product = 0, grad = 0;
};
template <class A, class T>
struct Normal {
  const T *x, *g;
  Register<A> mean, scale;
  Normal(const T* elements, const T* grads, const Moments& m)
      : x(elements),
        g(grads),
        mean(hn::Set(Tag<A>(), static_cast<A>(m.mean))),
        scale(hn::Set(Tag<A>(), static_cast<A>(m.scale))) {}
  template <class R>
  HWY_INLINE Register<A> at(const R& r, int64_t i) const {
    return hn::Mul(hn::Sub(r.load(x + i), mean), scale);
  }
  HWY_INLINE void add(LaneSums<2, A>& sums, int64_t from, int64_t n) const {
    add_run(sums, from, n, [&](const auto& r, int64_t i, Register<A>* t) {
      t[1] = r.load(g + i);
      t[0] = hn::Mul(t[1], at(r, i));
    });
  }
  // dx = by * grad - shift - normal * slope
  HWY_INLINE void write(T* dx, int64_t from, int64_t n, double by, double shift,
                        double slope) const {
    const Tag<A> d;
    const auto all = hn::Set(d, static_cast<A>(by)), less = hn::Set(d, static_cast<A>(shift)),
               turn = hn::Set(d, static_cast<A>(slope));
    each_register<A>(n, [&](const auto& r, int64_t i) {
      const Register<A> v = at(r, from + i);
      r.store(hn::Sub(hn::Sub(hn::Mul(r.load(g + from + i), all), less), hn::Mul(v, turn)),
              dx + from + i);
    });
  }
};

template <class T>
void put_parameters(const bp_launch& launch, int64_t c, const Sums& s) {
  using A = Calc<T>;
  static_cast<T*>(launch.args[launch.n_in + 1].data)[c] = convert<T>(static_cast<A>(s.product));
  static_cast<T*>(launch.args[launch.n_in + 2].data)[c] = convert<T>(static_cast<A>(s.grad));
}

template <class T>
struct BatchBack {
  using A = Calc<T>;
  const bp_launch& launch;
  Sizes s;
  const T *g, *x, *weight;
  T* dx;
  bool training;

  explicit BatchBack(const bp_launch& l)
      : launch(l),
        s(l.args[1]),
        g(static_cast<const T*>(l.args[0].data)),
        x(static_cast<const T*>(l.args[1].data)),
        weight(data_of<T>(l.args[4])),
        dx(static_cast<T*>(l.args[5].data)),
        training(l.attrs[BP_ATTR_BATCH_NORM_GRAD_TRAINING].value.i64 != 0) {}

  // What grad is multiplied by.
  double by(const Moments& m, int64_t c) const {
    return m.scale * (weight ? static_cast<double>(convert<A>(weight[c])) : 1);
  }
  double each(double sum) const { return training ? sum / static_cast<double>(s.in_channel()) : 0; }

  void channel(int64_t c, const Moments& m) const {
    const Normal<A, T> normal(x, g, m);
    const int64_t step = s.channels * s.places;
    LaneSums<2, A> sums;
    for (int64_t i = 0; i < s.samples; ++i) normal.add(sums, c * s.places + i * step, s.places);
    const Sums both{sums.total(0), sums.total(1)};
    put_parameters<T>(launch, c, both);
    const double k = by(m, c);
    for (int64_t i = 0; i < s.samples; ++i)
      normal.write(dx, c * s.places + i * step, s.places, k, k * each(both.grad),
                   k * each(both.product));
  }

  // A register of columns.
  template <class R>
  void columns(const R& r, int64_t first, const Moments* m) const {
    const Tag<A> d;
    const int64_t width = smaller(register_lanes<A>(), s.channels - first);
    HWY_ALIGN A lane[5][kMaxLanes<A>] = {};
    for (int64_t i = 0; i < width; ++i) {
      lane[0][i] = static_cast<A>(m[first + i].mean);
      lane[1][i] = static_cast<A>(m[first + i].scale);
    }
    const auto mean = hn::Load(d, lane[0]), scale = hn::Load(d, lane[1]);
    LaneSums<2, A> sums;
    add_terms(sums, r, first, s.samples, s.channels,
              [&](const auto& of, int64_t at, Register<A>* t) {
                t[1] = of.load(g + at);
                t[0] = hn::Mul(t[1], hn::Mul(hn::Sub(of.load(x + at), mean), scale));
              });
    double products[kMaxLanes<A>], grads[kMaxLanes<A>];
    sums.store(0, products);
    sums.store(1, grads);
    for (int64_t i = 0; i < width; ++i) {
      const Sums both{products[i], grads[i]};
      put_parameters<T>(launch, first + i, both);
      const double k = by(m[first + i], first + i);
      lane[2][i] = static_cast<A>(k);
      lane[3][i] = static_cast<A>(k * each(both.grad));
      lane[4][i] = static_cast<A>(k * each(both.product));
    }
    const auto all = hn::Load(d, lane[2]), less = hn::Load(d, lane[3]), turn = hn::Load(d, lane[4]);
    for (int64_t i = 0, at = first; i < s.samples; ++i, at += s.channels) {
      const auto v = hn::Mul(hn::Sub(r.load(x + at), mean), scale);
      r.store(hn::Sub(hn::Sub(hn::Mul(r.load(g + at), all), less), hn::Mul(v, turn)), dx + at);
    }
  }

  bp_status run(bp_error** err) const {
    Scratch scratch(launch, static_cast<uint64_t>(s.channels) * sizeof(Moments));
    auto* moments = scratch.as<Moments>();
    if (!moments) return scratch.fail(err);
    for (int64_t c = 0; c < s.channels; ++c) moments[c] = {};
    if (const bp_status status = batch_moments(launch, launch.args + 2, x, s, moments, err))
      return status;
    if (s.places == 1)
      each_columns<A>(s, [&](const auto& r, int64_t first) { columns(r, first, moments); });
    else
      parallel_for(s.channels, s.grain(s.in_channel()), [&](int64_t begin, int64_t end) {
        for (int64_t c = begin; c < end; ++c) channel(c, moments[c]);
      });
    return BP_OK;
  }
};
template <class T>
bp_status batch_norm_grad(const bp_launch* launch, bp_error** err) {
  return BatchBack<T>(*launch).run(err);
}

// ---- groups ----

template <class T>
struct Groups {
  Sizes s;
  const T* x;
  int64_t groups, each, n;  // `each` channels and n elements in a group
  How how;

  Groups(const bp_launch& l, const bp_arg& in)
      : s(in),
        x(static_cast<const T*>(in.data)),
        groups(l.attrs[BP_ATTR_GROUP_NORM_NUM_GROUPS].value.i64),
        each(s.channels / groups),
        n(each * s.places),
        how{true, l.attrs[BP_ATTR_GROUP_NORM_EPS].value.f64} {}
  int64_t count() const { return s.samples * groups; }
  Group<T> group(int64_t g) const { return {x + g * n, n, n, n}; }
};

template <class T>
bp_status group_norm(const bp_launch* launch, bp_error** err) {
  const Groups<T> s(*launch, launch->args[0]);
  const T *weight = data_of<T>(launch->args[1]), *bias = data_of<T>(launch->args[2]);
  T* y = static_cast<T*>(launch->args[3].data);
  const int64_t places = s.s.places;
  const auto write = [&](int64_t g, int64_t begin, int64_t end, const Moments& m) {
    for (int64_t p = begin; p < end;) {
      const int64_t c = p / places, count = smaller(end, (c + 1) * places) - p;
      Affine<Calc<T>>(m, weight, bias, g % s.groups * s.each + c)
          .write(s.x + g * s.n + p, y + g * s.n + p, count);
      p += count;
    }
  };
  return each_group<T>(
      *launch, s.count(), s.how, [&](int64_t g) { return s.group(g); }, write, err);
}

template <class T>
bp_status group_norm_grad(const bp_launch* launch, bp_error** err) {
  using A = Calc<T>;
  const Groups<T> s(*launch, launch->args[1]);
  const T *g = static_cast<const T*>(launch->args[0].data), *weight = data_of<T>(launch->args[2]);
  T* dx = static_cast<T*>(launch->args[3].data);
  const int64_t places = s.s.places, channels = s.s.channels;
  Scratch scratch(*launch, static_cast<uint64_t>(s.s.runs()) * sizeof(Sums));
  Sums* sums = scratch.as<Sums>();
  if (!sums) return scratch.fail(err);
  const auto run = [&](int64_t group) {
    const Moments m = moments_of(s.group(group), s.how);
    const Normal<A, T> normal(s.x, g, m);
    const auto weight_of = [&](int64_t run) {
      return weight ? static_cast<double>(convert<A>(weight[run % channels])) : 1;
    };
    Sums whole;
    for (int64_t c = group * s.each; c < (group + 1) * s.each; ++c) {
      LaneSums<2, A> lanes;
      normal.add(lanes, c * places, places);
      sums[c] = {lanes.total(0), lanes.total(1)};
      whole.product += weight_of(c) * sums[c].product;
      whole.grad += weight_of(c) * sums[c].grad;
    }
    const double by = m.scale / static_cast<double>(s.n);
    for (int64_t c = group * s.each; c < (group + 1) * s.each; ++c)
      normal.write(dx, c * places, places, m.scale * weight_of(c), by * whole.grad,
                   by * whole.product);
  };
  parallel_for(s.count(), s.s.grain(s.n), [&](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group) run(group);
  });
  for (int64_t c = 0; c < channels; ++c) {
    Sums all;
    for (int64_t i = c; i < s.s.runs(); i += channels)
      all.product += sums[i].product, all.grad += sums[i].grad;
    put_parameters<T>(*launch, c, all);
  }
  return BP_OK;
}

}  // namespace

void add_channel_norm(Registry& r) {
  constexpr uint32_t kFlags = BP_KERNEL_CONTIGUOUS | BP_KERNEL_TAKES_NONE;
  each_type<kFloats>([&](auto t, bp_dtype d) {
    r.add(BP_OP_BATCH_NORM, bit(d), batch_norm<decltype(t)>, kFlags);
    r.add(BP_OP_BATCH_NORM_RUNNING, bit(d), batch_norm_running<decltype(t)>, kFlags);
    r.add(BP_OP_BATCH_NORM_GRAD, bit(d), batch_norm_grad<decltype(t)>, kFlags);
    r.add(BP_OP_GROUP_NORM, bit(d), group_norm<decltype(t)>, kFlags);
    r.add(BP_OP_GROUP_NORM_GRAD, bit(d), group_norm_grad<decltype(t)>, kFlags);
  });
}

}  // namespace bp_cpu::BP_ISA
