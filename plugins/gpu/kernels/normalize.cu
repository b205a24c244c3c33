// SPDX-License-Identifier: Apache-2.0
// normalize.cu: layer_norm, rms_norm, batch_norm, its running statistics, group_norm, and the
// gradients of the four. A group of elements (gpu/groups.h) shares its moments: a row, a channel,
// some channels of a sample.
//
// Elements are read once for all sums: of their distances d from the group's first element, of
// d * d, and for gradients of grad and grad * d, in f64, or f64 in pairs of them. The variance is
// mean(d * d) - mean(d)^2. What this difference loses is at most a factor of the group's size,
// because the first element is in the group. A mean is kept as a number of the elements' precision
// and what that one lacks.
//
// The gradients of weight and bias are sums over another set of groups: all elements that have a
// weight in common. In batch_norm it is the same one, and its two sums are among those that the
// gradient of x needs; for the others a second kernel reads grad and x again, with moments that
// the first one left in the workspace.
#include "gpu/groups.h"
#include "gpu/sum.h"

namespace bp_gpu {
namespace {

// The normal of x is (x - centre - rest) * scale.
template <class A>
struct Moments {
  A centre, rest, scale;
  GPU_FN A normal(A x) const { return ((x - centre) - rest) * scale; }
};

// The sums of numbers, and of each times its element's distance.
template <class T>
struct Weighted {
  SumAcc<T> sum, product;
  GPU_FN void add(double number, double distance) {
    sum = plus(sum, number);
    product = plus(product, number * distance);
  }
  GPU_FN Weighted joined(const Weighted& b) const {
    return {plus(sum, b.sum), plus(product, b.product)};
  }
};
template <class T>
struct BackSums {
  Weighted<T> distances, grads;
  GPU_FN BackSums joined(const BackSums& b) const {
    return {distances.joined(b.distances), grads.joined(b.grads)};
  }
};

// What a call is about. Absent operands are nullptr.
template <class T>
struct Call {
  const T *x, *grad, *weight, *bias;
  const T *mean, *var;  // statistics of each channel: the given ones, else x's own are computed
  T* out;               // of x's shape
  T *weight_out, *bias_out;
  Moments<Calc<T>>* moments;  // of each group
  bool centred;               // else the mean counts as 0
  double eps, momentum;
  // Which weight an element has: its group's, that of its place in a row, or its channel's. A
  // sample has `sets` groups, of `each` channels.
  bool by_group, by_place;
  int64_t sets, each;
  bool aligned;  // every operand that is read or written in packs
};

// What the ways have in common.
template <class T, int32_t kPack>
struct Base {
  using A = Calc<T>;
  using Items = Pack<T, kPack>;
  using Values = Pack<A, kPack>;
  static constexpr int32_t kTogether = 4;
  // Packs that a lane has under way, fewer where more goes with them.
  static constexpr int32_t kUnder = packs_under_way(kPack);
  static constexpr bool kFull64 = sizeof(T) == 8 && kPack == 2;
  struct Two {
    Items x, grad;
  };
  Call<T> o;
  Layout by;

  bool sums() const { return true; }

  GPU_FN Items load(const T* from, int64_t at) const {
    if (o.aligned) return reinterpret_cast<const Items*>(from)[at];
    Items items;
    for (int32_t k = 0; k < kPack; ++k) items.item[k] = from[at * kPack + k];
    return items;
  }
  GPU_FN void store(int64_t at, const Items& items) const {
    if (o.aligned) {
      reinterpret_cast<Items*>(o.out)[at] = items;
      return;
    }
    for (int32_t k = 0; k < kPack; ++k) o.out[at * kPack + k] = items.item[k];
  }
  GPU_FN Two two(const PackPlace& p) const { return {load(o.x, p.at), load(o.grad, p.at)}; }
  template <class Use>
  GPU_FN void each_x(const Lane& l, const Use& use) const {
    each_pack<kFull64 ? kUnder / 2 : kUnder>(
        by, l, [&](const PackPlace& p) { return load(o.x, p.at); }, use);
  }
  template <class Use>
  GPU_FN void each_two(const Lane& l, const Use& use) const {
    each_pack<kUnder / 2>(
        by, l, [&](const PackPlace& p) { return two(p); }, use);
  }

  GPU_FN int64_t first_weight(int64_t g) const {
    return o.by_group ? g : o.sets == 1 ? 0 : g % o.sets * o.each;
  }
  // The weights, or biases, of a pack of a group whose first one is `first`.
  GPU_FN Values weights(const T* of, int64_t first, const PackPlace& p, A without) const {
    Values v;
    if (of && o.by_place) {
      const Items items = load(of, p.place);
      for (int32_t k = 0; k < kPack; ++k) v.item[k] = convert<A>(items.item[k]);
    } else {
      const A one = of ? convert<A>(of[o.by_group ? first : first + p.run]) : without;
      for (int32_t k = 0; k < kPack; ++k) v.item[k] = one;
    }
    return v;
  }

  GPU_FN double count() const { return by.elements ? static_cast<double>(by.elements) : 1; }
  // What distances are from, and the mean's.
  GPU_FN double origin(int64_t g) const {
    if (o.mean) return convert<double>(o.mean[g]);
    return o.centred && by.n ? convert<double>(o.x[g * by.first * kPack]) : 0;
  }
  GPU_FN double mean_distance(const Weighted<T>& s) const {
    return o.mean || !o.centred ? 0 : value(s.sum) / count();
  }
  // The sum of squared distances from the mean.
  GPU_FN double squares(const Weighted<T>& s) const {
    const double q = value(s.product) - mean_distance(s) * value(s.sum);
    return q < 0 ? 0 : q;
  }
  GPU_FN Moments<A> moments(int64_t g, const Weighted<T>& s) const {
    const double from = origin(g), distance = mean_distance(s),
                 variance = o.mean ? convert<double>(o.var[g]) : squares(s) / count();
    const A centre = static_cast<A>(from + distance);
    return {centre, static_cast<A>((from - static_cast<double>(centre)) + distance),
            static_cast<A>(1 / sqrt(variance + o.eps))};
  }
  GPU_FN Weighted<T> distances(const Lane& l) const {
    Weighted<T> s{};
    const double from = origin(l.g);
    each_x(l, [&](const Items& x, const PackPlace&) {
      for (int32_t k = 0; k < kPack; ++k) {
        const double d = convert<double>(x.item[k]) - from;
        s.add(d, d);
      }
    });
    return s;
  }
  GPU_FN void write_parameters(int64_t c, double product, double grad) const {
    o.weight_out[c] = convert<T>(static_cast<A>(product));
    if (o.bias_out) o.bias_out[c] = convert<T>(static_cast<A>(grad));
  }
};

template <class T, int32_t kPack>
struct Forward : Base<T, kPack> {
  using B = Base<T, kPack>;
  using A = Calc<T>;
  using Acc = Weighted<T>;
  using Result = Moments<A>;
  using B::o;
  static constexpr bool kWrites = true;

  bool sums() const { return !o.mean; }
  GPU_FN Acc accumulate(const Lane& l) const { return B::distances(l); }
  GPU_FN Result conclude(int64_t g, const Acc& s, bool) const { return B::moments(g, s); }
  GPU_FN void write(const Lane& l, const Result& m) const {
    const int64_t first = B::first_weight(l.g);
    B::each_x(l, [&](const typename B::Items& x, const PackPlace& p) {
      const auto weight = B::weights(o.weight, first, p, A(1)),
                 bias = B::weights(o.bias, first, p, -A(0));
      typename B::Items y;
      for (int32_t k = 0; k < kPack; ++k)
        y.item[k] = convert<T>(m.normal(convert<A>(x.item[k])) * weight.item[k] + bias.item[k]);
      B::store(p.at, y);
    });
  }
};

// The running statistics after a batch.
template <class T, int32_t kPack>
struct Running : Base<T, kPack> {
  using B = Base<T, kPack>;
  using Acc = Weighted<T>;
  struct Result {};
  using B::o;
  static constexpr bool kWrites = false;
  const T *mean_before, *var_before;

  GPU_FN Acc accumulate(const Lane& l) const { return B::distances(l); }
  GPU_FN T mixed(T before, double batch) const {
    return convert<T>(
        static_cast<Calc<T>>((1 - o.momentum) * convert<double>(before) + o.momentum * batch));
  }
  GPU_FN Result conclude(int64_t c, const Acc& s, bool) const {
    o.weight_out[c] = mixed(mean_before[c], B::origin(c) + B::mean_distance(s));
    o.bias_out[c] = mixed(var_before[c], B::squares(s) / (B::count() - 1));
    return {};
  }
};

// The gradient of x: (grad * weight - less - normal * slope) * by. A weight that is its group's is
// in `by`, and the sums are without it.
template <class A>
struct Descent {
  Moments<A> moments;
  A less, slope, by;
};
template <class T, int32_t kPack>
struct Backward : Base<T, kPack> {
  using B = Base<T, kPack>;
  using A = Calc<T>;
  using Acc = BackSums<T>;
  using Result = Descent<A>;
  using B::o;
  // Four sums and two operands take 80 registers. The packs of 768 threads, 32 to 64 bytes of each,
  // are 24 to 48 KiB under way; 4.8 TB/s, if memory takes 600 ns, are 22 KiB on each of 132
  // multiprocessors.
  static constexpr int32_t kTogether = 3;
  static constexpr bool kWrites = true;

  // Calls use(x, grad * weight, i) for the elements of a pack.
  template <class Use>
  GPU_FN void each_item(const typename B::Two& v, int64_t first, const PackPlace& p,
                        const Use& use) const {
    const auto weight = B::weights(o.by_group ? nullptr : o.weight, first, p, A(1));
    for (int32_t k = 0; k < kPack; ++k)
      use(v.x.item[k], convert<A>(v.grad.item[k]) * weight.item[k], k);
  }
  GPU_FN Acc accumulate(const Lane& l) const {
    Acc s{};
    const double from = B::origin(l.g);
    const int64_t first = B::first_weight(l.g);
    B::each_two(l, [&](const typename B::Two& v, const PackPlace& p) {
      each_item(v, first, p, [&](const T& x, A grad, int32_t) {
        const double d = convert<double>(x) - from;
        s.distances.add(d, d);
        s.grads.add(static_cast<double>(grad), d);
      });
    });
    return s;
  }
  GPU_FN Result conclude(int64_t g, const Acc& s, bool first) const {
    const Moments<A> m = B::moments(g, s.distances);
    const double scale = static_cast<double>(m.scale), grad = value(s.grads.sum),
                 product = (value(s.grads.product) - B::mean_distance(s.distances) * grad) * scale,
                 share = o.mean ? 0 : 1 / B::count(),
                 weight = o.by_group && o.weight ? convert<double>(o.weight[g]) : 1;
    if (first && o.by_group) B::write_parameters(g, product, grad);
    if (first && o.moments) o.moments[g] = m;
    return {m, static_cast<A>(o.centred ? grad * share : 0), static_cast<A>(product * share),
            static_cast<A>(scale * weight)};
  }
  GPU_FN void write(const Lane& l, const Result& r) const {
    const int64_t first = B::first_weight(l.g);
    B::each_two(l, [&](const typename B::Two& v, const PackPlace& p) {
      typename B::Items dx;
      each_item(v, first, p, [&](const T& x, A grad, int32_t k) {
        const A turned = r.moments.normal(convert<A>(x)) * r.slope;
        dx.item[k] = convert<T>(((grad - r.less) - turned) * r.by);
      });
      B::store(p.at, dx);
    });
  }
};

// The gradients of weights and biases. A group is what has one of them in common, and each run of
// it is in another group of Backward's.
template <class T, int32_t kPack>
struct Parameters : Base<T, kPack> {
  using B = Base<T, kPack>;
  using A = Calc<T>;
  using Acc = Weighted<T>;
  struct Result {};
  using B::o;
  static constexpr bool kWrites = false;

  GPU_FN Acc accumulate(const Lane& l) const {
    Acc s{};
    const int64_t set = l.g / o.each;
    struct Item {
      typename B::Two two;
      Moments<A> moments;
    };
    each_pack<sizeof(T) == 8 ? 1 : B::kUnder / 2>(
        B::by, l,
        [&](const PackPlace& p) {
          return Item{B::two(p), o.moments[p.run * o.sets + set]};
        },
        [&](const Item& v, const PackPlace&) {
          for (int32_t k = 0; k < kPack; ++k)
            s.add(convert<double>(v.two.grad.item[k]),
                  static_cast<double>(v.moments.normal(convert<A>(v.two.x.item[k]))));
        });
    return s;
  }
  GPU_FN Result conclude(int64_t c, const Acc& s, bool) const {
    B::write_parameters(c, value(s.product), value(s.sum));
    return {};
  }
};

// ---- calls ----

enum class Kind { kLayer, kRms, kBatch, kRunning, kGroup };

template <class T>
struct Job {
  Call<T> call;
  Layout groups;
  Layout parameters;  // of the gradients that Backward does not write

  bool has_parameters;  // there are such
  uint64_t moments_bytes() const {
    return has_parameters
               ? static_cast<uint64_t>(groups.groups) * sizeof(Moments<Calc<T>>) / 16 * 16 + 16
               : 0;
  }
};

template <class T>
const T* data_of(const bp_arg& a) {
  return a.kind == BP_ARG_TENSOR ? static_cast<const T*>(a.data) : nullptr;
}
inline bool fits_packs(const void* p) { return reinterpret_cast<uintptr_t>(p) % 16 == 0; }

template <class T>
void lay_out(const bp_arg& x, const bp_attr* attrs, Kind kind, Job<T>* job) {
  constexpr int32_t kPack = kFullPack<T>;
  Call<T>& c = job->call;
  int64_t channels, places = 1, samples;
  if (kind == Kind::kLayer || kind == Kind::kRms) {
    channels = 1;
    for (uint32_t d = 0; d < attrs[0].count; ++d)
      channels *= x.shape[x.rank - 1 - static_cast<int32_t>(d)];
    samples = channels ? numel(x) / channels : 0;
    c.sets = 1;
    c.by_place = true;
    job->groups = lay_out_groups(samples, 1, channels, channels, channels, kPack);
  } else {
    samples = x.shape[0];
    channels = x.shape[1];
    for (int32_t d = 2; d < x.rank; ++d) places *= x.shape[d];
    c.by_group = kind != Kind::kGroup;
    c.sets = c.by_group ? channels : attrs[0].value.i64;
  }
  c.each = c.sets && channels ? channels / c.sets : 1;
  job->parameters = lay_out_groups(channels, samples, places, places, channels * places, kPack);
  if (c.by_group) job->groups = job->parameters;
  if (kind == Kind::kGroup)
    job->groups = lay_out_groups(samples * c.sets, c.each, places, c.each * places, places, kPack);
}

template <class T>
Job<T> job_of(const bp_launch& l, Kind kind, bool back) {
  const bp_arg *x = l.args + (back ? 1 : 0), *outs = l.args + l.n_in;
  const bool batch = kind == Kind::kBatch;
  const bp_arg* weight = x + (batch ? 3 : 1);
  Job<T> job{};
  Call<T>& c = job.call;
  lay_out(*x, l.attrs, kind, &job);
  c.x = static_cast<const T*>(x->data);
  c.centred = kind != Kind::kRms;
  job.has_parameters = back && !c.by_group;
  if (kind == Kind::kRunning) {
    c.momentum = l.attrs[BP_ATTR_BATCH_NORM_RUNNING_MOMENTUM].value.f64;
    c.weight_out = static_cast<T*>(outs[0].data);
    c.bias_out = static_cast<T*>(outs[1].data);
    c.aligned = fits_packs(c.x);
    return job;
  }
  // The attribute that comes first differs; the second one is eps.
  c.eps = l.attrs[1].value.f64;
  if (c.eps != c.eps) c.eps = std::is_same_v<T, double> ? 0x1p-52 : 0x1p-23;
  c.out = static_cast<T*>(outs[0].data);
  c.weight = data_of<T>(*weight);
  if (batch && !l.attrs[BP_ATTR_BATCH_NORM_TRAINING].value.i64) {
    c.mean = data_of<T>(x[1]);
    c.var = data_of<T>(x[2]);
  }
  if (back) {
    c.grad = static_cast<const T*>(l.args[0].data);
    c.weight_out = static_cast<T*>(outs[1].data);
    if (c.centred) c.bias_out = static_cast<T*>(outs[2].data);
  } else if (c.centred) {
    c.bias = data_of<T>(weight[1]);
  }
  c.aligned = fits_packs(c.x) && fits_packs(c.grad) && fits_packs(c.out) &&
              (!c.by_place || (fits_packs(c.weight) && fits_packs(c.bias)));
  return job;
}

// Runs a way for the packs of a layout.
template <template <class, int32_t> class Way, class T, class... Rest>
bp_status run_way(const bp_launch& l, const Call<T>& call, const Layout& by, void* parts,
                  bp_error** err, Rest... rest) {
  if (by.pack == 1) return run_groups(l, Way<T, 1>{{call, by}, rest...}, parts, err);
  return run_groups(l, Way<T, kFullPack<T>>{{call, by}, rest...}, parts, err);
}

template <class T, Kind kKind>
bp_status forward(const bp_launch& l, bp_error** err) {
  const Job<T> job = job_of<T>(l, kKind, false);
  if constexpr (kKind == Kind::kRunning)
    return run_way<Running>(l, job.call, job.groups, l.workspace, err, data_of<T>(l.args[1]),
                            data_of<T>(l.args[2]));
  else
    return run_way<Forward>(l, job.call, job.groups, l.workspace, err);
}
template <class T, Kind kKind>
bp_status forward_workspace(const bp_launch* l, uint64_t* bytes, bp_error**) {
  *bytes = group_bytes<Forward<T, 1>>(job_of<T>(*l, kKind, false).groups);
  return BP_OK;
}

template <class T, Kind kKind>
bp_status backward(const bp_launch& l, bp_error** err) {
  Job<T> job = job_of<T>(l, kKind, true);
  if (!job.has_parameters) return run_way<Backward>(l, job.call, job.groups, l.workspace, err);
  job.call.moments = static_cast<Moments<Calc<T>>*>(l.workspace);
  void* parts = static_cast<char*>(l.workspace) + job.moments_bytes();
  if (const bp_status s = run_way<Backward>(l, job.call, job.groups, parts, err)) return s;
  return run_way<Parameters>(l, job.call, job.parameters, parts, err);
}
template <class T, Kind kKind>
bp_status backward_workspace(const bp_launch* l, uint64_t* bytes, bp_error**) {
  const Job<T> job = job_of<T>(*l, kKind, true);
  const uint64_t groups = group_bytes<Backward<T, 1>>(job.groups),
                 parameters =
                     job.has_parameters ? group_bytes<Parameters<T, 1>>(job.parameters) : 0;
  *bytes = job.moments_bytes() + (groups > parameters ? groups : parameters);
  return BP_OK;
}

template <class T, Kind kKind>
void add_rows(Registry& r, uint64_t dtype, uint32_t op, uint32_t gradient = 0) {
  constexpr uint32_t kFlags = BP_KERNEL_CONTIGUOUS | BP_KERNEL_TAKES_NONE;
  r.add(op, dtype, entry<forward<T, kKind>>, kFlags, forward_workspace<T, kKind>);
  if constexpr (kKind != Kind::kRunning)
    r.add(gradient, dtype, entry<backward<T, kKind>>, kFlags, backward_workspace<T, kKind>);
}

}  // namespace

void add_normalize(Registry& r) {
  each_type<kFloats>([&](auto t, bp_dtype d) {
    using T = decltype(t);
    add_rows<T, Kind::kLayer>(r, bit(d), BP_OP_LAYER_NORM, BP_OP_LAYER_NORM_GRAD);
    add_rows<T, Kind::kRms>(r, bit(d), BP_OP_RMS_NORM, BP_OP_RMS_NORM_GRAD);
    add_rows<T, Kind::kBatch>(r, bit(d), BP_OP_BATCH_NORM, BP_OP_BATCH_NORM_GRAD);
    add_rows<T, Kind::kRunning>(r, bit(d), BP_OP_BATCH_NORM_RUNNING);
    add_rows<T, Kind::kGroup>(r, bit(d), BP_OP_GROUP_NORM, BP_OP_GROUP_NORM_GRAD);
  });
}

}  // namespace bp_gpu
