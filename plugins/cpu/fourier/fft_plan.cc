// SPDX-License-Identifier: Apache-2.0
#include "fourier/fft_plan.h"

#include <cmath>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <numbers>
#include <vector>

namespace bp_cpu {
namespace {

using Wide = long double;
struct Root {
  Wide re, im;
};

// exp(-2 pi i * k / n) for 0 <= k < n, reduced to an eighth of the circle, where both functions are
// exact to the last bit or so.
Root root(uint64_t k, uint64_t n) {
  const Wide turn = 2 * std::numbers::pi_v<Wide>;
  uint64_t eighth = 8 * k / n;
  const auto part = [&](uint64_t above) {
    return turn * static_cast<Wide>(above) / static_cast<Wide>(8 * n);
  };
  const uint64_t rest = 8 * k - eighth * n;  // an eighth of the circle is n
  const bool back = eighth & 1;
  const Wide a = part(back ? n - rest : rest), c = std::cos(a), s = std::sin(a);
  switch ((eighth + 1) / 2 % 4) {
    case 0: return {c, back ? s : -s};
    case 1: return {back ? s : -s, -c};
    case 2: return {-c, back ? -s : s};
    default: return {back ? -s : s, c};
  }
}

// The roots of order n by index, each a product of two from short lists.
class Roots {
 public:
  explicit Roots(uint64_t n)
      : n_(n), step_(static_cast<uint64_t>(std::sqrt(static_cast<double>(n))) + 1) {
    for (uint64_t k = 0; k < step_; ++k) low_.push_back(root(k, n));
    for (uint64_t k = 0; k < n; k += step_) high_.push_back(root(k, n));
  }
  Root operator[](uint64_t k) const {
    k %= n_;
    const Root &a = high_[k / step_], &b = low_[k % step_];
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }

 private:
  uint64_t n_, step_;
  std::vector<Root> low_, high_;
};

constexpr int64_t kLargestRadix = 61;
constexpr int64_t kLongestColumns = 4096;

// Eights and fours come first; the list is empty when a prime is too large.
std::vector<int64_t> factors(int64_t n) {
  std::vector<int64_t> all;
  for (; n % 8 == 0 && n % 32 != 16; n /= 8) all.push_back(8);
  for (int64_t r : {4, 2, 3, 5})
    for (; n % r == 0; n /= r) all.push_back(r);
  for (int64_t r = 7; r <= kLargestRadix; r += 2)
    for (; n % r == 0; n /= r) all.push_back(r);
  if (n != 1) all.clear();
  return all;
}

bool smooth(int64_t n) { return n == 1 || !factors(n).empty(); }

// The largest divisor that is not above the square root.
int64_t middle_divisor(int64_t n) {
  for (auto d = static_cast<int64_t>(std::sqrt(static_cast<double>(n))) + 1; d > 1; --d)
    if (n % d == 0 && d <= n / d) return d;
  return 1;
}

// The shortest length from n on whose primes are 2, 3 and 5.
int64_t good_length(int64_t n) {
  int64_t best = INT64_MAX;
  for (int64_t fives = 1; fives < best; fives *= 5)
    for (int64_t threes = fives; threes < best; threes *= 3) {
      int64_t whole = threes;
      while (whole < n) whole *= 2;
      best = whole < best ? whole : best;
    }
  return best;
}

template <class T>
struct Made {
  FftPlan<T> plan{};
  std::list<std::vector<T>> tables;
  int64_t users = 0;

  Made() = default;
  Made(const Made&) = delete;
  ~Made() {
    if (plan.longer) release_fft_plan(plan.longer);
  }
  uint64_t bytes() const {
    uint64_t sum = sizeof *this;
    for (const auto& t : tables) sum += t.size() * sizeof(T);
    return sum;
  }
  T* table(int64_t n) { return tables.emplace_back(static_cast<size_t>(n)).data(); }
};

template <class T>
void make_columns(Made<T>& made, FftColumns<T>& c, int64_t n) {
  c.n = n;
  int64_t left = n, stride = 1;
  for (int64_t r : factors(n)) {
    FftPass<T>& pass = c.pass[c.passes++];
    pass.radix = r;
    pass.m = left / r;
    pass.stride = stride;
    const Roots roots(static_cast<uint64_t>(left));
    T *re = made.table(pass.m * (r - 1)), *im = made.table(pass.m * (r - 1));
    for (int64_t p = 0, at = 0; p < pass.m; ++p)
      for (int64_t k = 1; k < r; ++k, ++at) {
        const Root w = roots[static_cast<uint64_t>(p * k)];
        re[at] = static_cast<T>(w.re);
        im[at] = static_cast<T>(w.im);
      }
    T *cosine = made.table(r), *sine = made.table(r);
    for (int64_t k = 0; k < r; ++k) {
      const Root w = root(static_cast<uint64_t>(k), static_cast<uint64_t>(r));
      cosine[k] = static_cast<T>(w.re);
      sine[k] = static_cast<T>(-w.im);
    }
    pass.re = re, pass.im = im, pass.cosine = cosine, pass.sine = sine;
    left = pass.m;
    stride *= r;
  }
}

template <class T>
void make_split(Made<T>& made, int64_t rows) {
  FftPlan<T>& p = made.plan;
  const int64_t cols = p.n / rows;
  make_columns(made, p.rows, rows);
  make_columns(made, p.cols, cols);
  constexpr int64_t kVector = 16;  // what a vector reads beyond a short last row
  T *re = made.table(p.n + kVector), *im = made.table(p.n + kVector);
  const Roots roots(static_cast<uint64_t>(p.n));
  for (int64_t i = 0, at = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j, ++at) {
      const Root w = roots[static_cast<uint64_t>(i * j)];
      re[at] = static_cast<T>(w.re);
      im[at] = static_cast<T>(w.im);
    }
  p.cross_re = re, p.cross_im = im;
}

template <class T>
bool make_chirp(Made<T>& made, FftRun run, const bp_launch& launch) {
  FftPlan<T>& p = made.plan;
  const int64_t n = p.n, length = good_length(2 * n - 1);
  p.longer = acquire_fft_plan<T>(length, /*half=*/false, run, launch);
  if (!p.longer) return false;
  const Roots roots(static_cast<uint64_t>(2 * n));
  T *re = made.table(n), *im = made.table(n);
  std::vector<double> b_re(static_cast<size_t>(length)), b_im(static_cast<size_t>(length));
  uint64_t square = 0;  // j^2 modulo 2n
  for (int64_t j = 0; j < n; ++j) {
    const Root w = roots[square];
    re[j] = static_cast<T>(w.re);
    im[j] = static_cast<T>(w.im);
    for (const int64_t at : {j, j ? length - j : 0}) {
      b_re[static_cast<size_t>(at)] = static_cast<double>(w.re / static_cast<Wide>(length));
      b_im[static_cast<size_t>(at)] = static_cast<double>(-w.im / static_cast<Wide>(length));
    }
    square = (square + 2 * static_cast<uint64_t>(j) + 1) % static_cast<uint64_t>(2 * n);
  }
  p.chirp_re = re, p.chirp_im = im;
  const FftPlan<double>* exact = acquire_fft_plan<double>(length, /*half=*/false, run, launch);
  const bool done = exact && run(*exact, b_re.data(), b_im.data(), launch);
  if (exact) release_fft_plan(exact);
  if (!done) return false;
  T *s_re = made.table(length), *s_im = made.table(length);
  for (size_t i = 0; i < b_re.size(); ++i)
    s_re[i] = static_cast<T>(b_re[i]), s_im[i] = static_cast<T>(b_im[i]);
  p.spectrum_re = s_re, p.spectrum_im = s_im;
  return true;
}

template <class T>
void make_half(Made<T>& made) {
  FftPlan<T>& p = made.plan;
  T *re = made.table(p.n + 1), *im = made.table(p.n + 1);
  const Roots roots(static_cast<uint64_t>(2 * p.n));
  for (int64_t j = 0; j <= p.n; ++j) {
    const Root w = roots[static_cast<uint64_t>(j)];
    re[j] = static_cast<T>(w.re);
    im[j] = static_cast<T>(w.im);
  }
  p.half_re = re, p.half_im = im;
}

template <class T>
bool make(Made<T>& made, int64_t n, bool half, FftRun run, const bp_launch& launch) {
  made.plan.n = n;
  if (half) make_half(made);
  if (!smooth(n)) return make_chirp(made, run, launch);
  const int64_t rows = middle_divisor(n);
  if (n <= kLongestColumns || rows == 1) make_columns(made, made.plan.columns, n);
  constexpr int64_t kShortestSplit = 64;
  if (n >= kShortestSplit && rows > 1) make_split(made, rows);
  return true;
}

// The plans of one type of number. Those in use stay, and the latest; of the others as many stay as
// a bound in bytes allows.
template <class T>
class Plans {
 public:
  const FftPlan<T>* acquire(int64_t n, bool half, FftRun run, const bp_launch& launch) {
    if (const FftPlan<T>* found = find(n, half)) return found;
    auto made = std::make_unique<Made<T>>();  // outside the lock: it may need other plans
    if (!make(*made, n, half, run, launch)) return nullptr;
    if (const FftPlan<T>* found = find(n, half)) return found;  // another thread was faster
    made->users = 1;
    const std::lock_guard lock(mutex_);
    plans_.push_front(std::move(made));
    return &plans_.front()->plan;
  }

  void release(const FftPlan<T>* plan) {
    std::list<std::unique_ptr<Made<T>>> gone;  // destroyed outside the lock: they release others
    const std::lock_guard lock(mutex_);
    uint64_t bytes = 0;
    for (auto at = plans_.begin(); at != plans_.end();) {
      auto here = at++;
      Made<T>& made = **here;
      if (&made.plan == plan) --made.users;
      bytes += made.bytes();
      if (made.users == 0 && bytes > kMostBytes && here != plans_.begin())
        gone.splice(gone.end(), plans_, here);
    }
  }

 private:
  static constexpr uint64_t kMostBytes = uint64_t{64} << 20;

  const FftPlan<T>* find(int64_t n, bool half) {
    const std::lock_guard lock(mutex_);
    for (auto at = plans_.begin(); at != plans_.end(); ++at) {
      if ((*at)->plan.n != n || ((*at)->plan.half_re != nullptr) != half) continue;
      ++(*at)->users;
      plans_.splice(plans_.begin(), plans_, at);
      return &plans_.front()->plan;
    }
    return nullptr;
  }

  std::mutex mutex_;
  std::list<std::unique_ptr<Made<T>>> plans_;  // the latest first
};

template <class T>
Plans<T>& plans() {
  static Plans<T>& p = *new Plans<T>;  // never destroyed: calls may come at exit
  return p;
}

}  // namespace

template <class T>
const FftPlan<T>* acquire_fft_plan(int64_t n, bool half, FftRun run, const bp_launch& launch) {
  try {
    return plans<T>().acquire(n, half, run, launch);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

template <class T>
void release_fft_plan(const FftPlan<T>* plan) {
  plans<T>().release(plan);
}

template const FftPlan<float>* acquire_fft_plan(int64_t, bool, FftRun, const bp_launch&);
template const FftPlan<double>* acquire_fft_plan(int64_t, bool, FftRun, const bp_launch&);
template void release_fft_plan(const FftPlan<float>*);
template void release_fft_plan(const FftPlan<double>*);

}  // namespace bp_cpu
