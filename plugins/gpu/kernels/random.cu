// SPDX-License-Identifier: Apache-2.0
// random.cu: uniform, normal, randint, bernoulli. Philox4x32-10 (Salmon et al., SC'11): key = seed,
// counter = offset + i for element i, words w0 and w1 used, so that the stream is the cpu's,
// element for element. The sums of products are written as the row rounds them: compile without
// contraction.
#include <cmath>

#include "gpu/offsets.h"
#include "gpu/turn.h"

namespace bp_gpu {
namespace {

struct Words {
  uint32_t w0, w1;
};

GPU_FN Words draw(uint64_t seed, uint64_t counter) {
  uint32_t c0 = static_cast<uint32_t>(counter), c1 = static_cast<uint32_t>(counter >> 32), c2 = 0,
           c3 = 0;
  uint32_t k0 = static_cast<uint32_t>(seed), k1 = static_cast<uint32_t>(seed >> 32);
  for (int32_t round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t{0xD2511F53} * c0, p1 = uint64_t{0xCD9E8D57} * c2;
    c0 = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<uint32_t>(p1);
    c2 = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<uint32_t>(p0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {c0, c1};
}

GPU_FN double unit24(uint32_t w) { return static_cast<double>(w >> 8) * 0x1p-24; }

// The nearest narrow value not above v.
template <class H>
GPU_FN H round_down(float v) {
  H y;
  from_float(v, &y);
  if (to_float(y) > v)
    y.bits = static_cast<uint16_t>(y.bits & 0x8000 ? y.bits + 1 : y.bits ? y.bits - 1 : 0x8001);
  return y;
}

// A maker is a struct whose of(words) makes an element.
template <class T>
struct Uniform {
  using Out = T;
  double low, range;
  explicit Uniform(const bp_attr* a)
      : low(a[BP_ATTR_UNIFORM_LOW].value.f64), range(a[BP_ATTR_UNIFORM_HIGH].value.f64 - low) {}
  GPU_FN T of(Words w) const {
    if constexpr (std::is_same_v<T, double>) {
      const uint64_t bits = uint64_t{w.w0 >> 5} << 26 | w.w1 >> 6;
      return fma(range, static_cast<double>(bits) * 0x1p-53, low);
    } else {
      // Numbers of [0, 1) need no f64, whose conversions take a card longest.
      const float y = low == 0 && range == 1 ? static_cast<float>(w.w0 >> 8) * 0x1p-24f
                                             : static_cast<float>(low + range * unit24(w.w0));
      if constexpr (std::is_same_v<T, float>)
        return y;
      else
        return round_down<T>(y);
    }
  }
};

// Box and Muller. Near u = 1 the logarithm needs all bits of 1 - u.
template <class T>
struct Normal {
  using Out = T;
  double mean, deviation;
  explicit Normal(const bp_attr* a)
      : mean(a[BP_ATTR_NORMAL_MEAN].value.f64), deviation(a[BP_ATTR_NORMAL_STD].value.f64) {}
  GPU_FN T of(Words w) const {
    if constexpr (std::is_same_v<T, double>) {
      const double u = (static_cast<double>(w.w0) + 1) * 0x1p-32;
      const double angle = static_cast<double>(w.w1) * (6.283185307179586 * 0x1p-32);
      return mean + deviation * (sqrt(-2 * log(u)) * cos(angle));
    } else {
      const float log_u = w.w0 >> 31 ? log1p(static_cast<float>(~w.w0) * -0x1p-32f)
                                     : log(static_cast<float>(w.w0 + 1) * 0x1p-32f);
      const float x = sqrt(-2 * log_u) * on_circle(w.w1).re;
      return convert<T>(static_cast<float>(mean) + static_cast<float>(deviation) * x);
    }
  }
};

template <class T>
struct Randint {
  using Out = T;
  uint64_t low, range;
  explicit Randint(const bp_attr* a)
      : low(static_cast<uint64_t>(a[BP_ATTR_RANDINT_LOW].value.i64)),
        range(static_cast<uint64_t>(a[BP_ATTR_RANDINT_HIGH].value.i64) - low) {}
  // low + the high 64 bits of (w1 w0) * range, from four products of halves.
  GPU_FN T of(Words w) const {
    const uint64_t a = w.w0, b = w.w1, c = range & 0xffffffffu, d = range >> 32;
    const uint64_t middle = (a * c >> 32) + (b * c & 0xffffffffu) + (a * d & 0xffffffffu);
    const uint64_t high = b * d + (b * c >> 32) + (a * d >> 32) + (middle >> 32);
    return convert<T>(static_cast<int64_t>(low + high));
  }
};

// unit24(w) < p as integers.
template <class T>
struct Bernoulli {
  using Out = T;
  uint32_t bound;
  explicit Bernoulli(const bp_attr* a)
      : bound(static_cast<uint32_t>(std::ceil(a[BP_ATTR_BERNOULLI_P].value.f64 * 0x1p24))) {}
  GPU_FN T of(Words w) const { return convert<T>(static_cast<uint8_t>((w.w0 >> 8) < bound)); }
};

// A place says where element i lies: Dense, or as Offsets<1> does.
struct Dense {
  GPU_FN void of(int64_t i, int64_t* at) const { *at = i; }
};

template <class Make, class Places>
struct Draw {
  typename Make::Out* out;
  int64_t n;
  uint64_t seed, offset;
  Make make;
  Places places;
  GPU_FN void operator()(const Place& place) const {
    for (int64_t i = place.index(); i < n; i += place.count()) {
      int64_t at;
      places.of(i, &at);
      out[at] = make.of(draw(seed, offset + static_cast<uint64_t>(i)));
    }
  }
};

// The attributes of these rows end in seed and offset.
template <class Make, class Places>
bp_status draw_at(const bp_launch& l, const Places& places, bp_error** err) {
  const bp_arg& out = l.args[l.n_in];
  const bp_attr* last = l.attrs + l.n_attr;
  const Draw<Make, Places> kernel{static_cast<typename Make::Out*>(out.data),
                                  numel(out),
                                  static_cast<uint64_t>(last[-2].value.i64),
                                  static_cast<uint64_t>(last[-1].value.i64),
                                  Make(l.attrs),
                                  places};
  return launch(l, cover(kernel.n), kernel, err);
}

template <class Make>
bp_status draw_all(const bp_launch& l, bp_error** err) {
  const bp_arg& out = l.args[l.n_in];
  if (out.flags & BP_ARG_CONTIGUOUS) return draw_at<Make>(l, Dense{}, err);
  return draw_at<Make>(l, offsets_of<1>(&out, out.shape, out.rank), err);
}

template <template <class> class Make, uint64_t kMask>
bp_status run_random(const bp_launch& l, bp_error** err) {
  return with_type_of<kMask>(l.args[l.n_in].dtype,
                             [&](auto t) { return draw_all<Make<decltype(t)>>(l, err); });
}
template <template <class> class Make, uint64_t kMask>
void add_stream(Registry& r, uint32_t op) {
  r.add(op, kMask, entry<run_random<Make, kMask>>);
}

}  // namespace

void add_random(Registry& r) {
  add_stream<Uniform, kFloats>(r, BP_OP_UNIFORM);
  add_stream<Normal, kFloats>(r, BP_OP_NORMAL);
  add_stream<Randint, kReals>(r, BP_OP_RANDINT);
  add_stream<Bernoulli, kReals | bit(BP_BOOL)>(r, BP_OP_BERNOULLI);
}

}  // namespace bp_gpu
