// SPDX-License-Identifier: Apache-2.0
// convolution.cu: convolutions and their gradients. What the vendor's library takes goes there
// (convolution.h); the core composes what is a product already, or is better one (below); the rest:
//   Tiles    a block makes tiles of an implicit product (implicit_product.h)
//   Threads  groups have so few channels that tiles would be empty for the most part: a thread makes
//            an element of the result, or of the input's gradient
//   Lanes    the same for the weight's gradient: 64 lanes share a sum
// A product of few tiles with long sums is cut into parts, which are added afterwards. The order of
// each sum is given by the shapes alone.
#include <algorithm>
#include <climits>
#include <numeric>

#include "gpu/convolution.h"
#include "gpu/implicit_product.h"
#include "gpu/kernel.h"
#include "gpu/plugin.h"
#include "gpu/tiles.h"

namespace bp_gpu {
namespace {

// ---- kernels ----

// What a sum is stored to: the result, or memory for parts of sums.
template <class T>
struct Sums {
  using S = Calc<T>;
  T* out;
  S* parts;  // [part][element]; nullptr: there is one
  int64_t numel;
  int32_t n_parts, part_terms;

  GPU_FN int32_t begin(int32_t part) const { return part * part_terms; }
  GPU_FN int32_t end(int32_t part, int32_t terms) const {
    return terms - begin(part) > part_terms ? begin(part) + part_terms : terms;
  }
  GPU_FN void store(int32_t part, int64_t i, S sum) const {
    if (parts)
      parts[part * numel + i] = sum;
    else
      out[i] = convert<T>(sum);
  }
};

template <class T>
struct AddParts {
  Sums<T> sums;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = at.index(); i < sums.numel; i += at.count()) {
      Calc<T> sum{};
      for (int32_t p = 0; p < sums.n_parts; ++p) sum += sums.parts[p * sums.numel + i];
      sums.out[i] = convert<T>(sum);
    }
  }
};

constexpr int32_t kTile = kSide * kMostPatches;

template <class T, class Kind>
struct Tiles {
  using S = Calc<T>;
  using Phase = typename Kind::Phase;
  // What is the same for all threads is kept in shared memory, so that it takes no registers.
  struct Tile {
    int64_t row, column, columns;  // where it begins; how many the phase has
    int32_t part, end, group;      // end: of the part's terms
    int32_t height, width;
    Phase phase;
  };
  struct Shared {
    alignas(16) S slabs[kSlabs];
    int64_t rows[kTile];
    Spot columns[kTile];
    Term terms[kDepth];
    Tile tile;
  };
  static constexpr int32_t kTogether = sizeof(S) == 8 ? 2 : 4;
  static constexpr int64_t kNone = INT64_MIN / 4;     // of a row or a term beyond the last
  static constexpr int32_t kNowhere = INT32_MIN / 2;  // of a column or its term
  Kind kind;
  const T *a, *b;
  Sums<T> sums;

  GPU_FN void operator()(const Place& at) const {
    const Patches grid(at);
    Shared& s = *at.shared<Shared>();
    const int64_t across = (kind.most_columns + grid.width() - 1) / grid.width(),
                  down = (kind.rows + grid.height() - 1) / grid.height(),
                  n = across * down * kind.groups * kind.phases * sums.n_parts;
    for (int64_t t = at.block(); t < n; t += at.blocks()) {
      if (at.thread() == 0) s.tile = tile_of(t, across, down, grid);
      at.barrier();
      if (s.tile.column < s.tile.columns) make(at, grid, s);
      at.barrier();
    }
  }

  GPU_FN Tile tile_of(int64_t t, int64_t across, int64_t down, const Patches& grid) const {
    Tile to;
    to.height = grid.height(), to.width = grid.width();
    to.column = t % across * grid.width();
    to.row = t / across % down * grid.height();
    auto product = static_cast<int32_t>(t / across / down);
    to.part = product % sums.n_parts;
    product /= sums.n_parts;
    to.group = product % kind.groups;
    to.phase = kind.phase(product / kind.groups);
    to.columns = kind.columns(to.phase);
    to.end = sums.end(to.part, kind.terms(to.phase));
    return to;
  }

  GPU_FN void make(const Place& at, const Patches& grid, Shared& s) const {
    for (int32_t i = at.thread(); i < kTile; i += at.threads()) {
      const int64_t row = s.tile.row + i, column = s.tile.column + i;
      s.rows[i] = row < kind.rows ? kind.row(s.tile.group, row) : kNone;
      s.columns[i] =
          column < s.tile.columns ? kind.column(s.tile.phase, s.tile.group, column) : nowhere();
    }
    S made[kSide][kSide] = {};
    int32_t q = sums.begin(s.tile.part);
    find_terms(at, s, q);
    at.barrier();
    for (; q < s.tile.end; q += kDepth) {
      fetch_rows(at, s.tile.height, s);
      fetch_columns(at, s.tile.width, s);
      at.barrier();
      if (q + kDepth < s.tile.end) find_terms(at, s, q + kDepth);
      if (grid.i < s.tile.height)
        multiply_slabs(s.slabs + grid.i, s.slabs + kSlab + grid.j, made, PlusProduct{});
      at.barrier();
    }
    for (int32_t i = at.thread(); i < kTile; i += at.threads())
      if (s.tile.column + i < s.tile.columns)
        s.columns[i].offset = kind.to_column(s.tile.phase, s.tile.column + i);
    at.barrier();
    if (grid.i < s.tile.height) store(grid, s, made);
  }

  GPU_FN void store(const Patches& grid, const Shared& s, const S (&made)[kSide][kSide]) const {
    for (int32_t j = 0; j < kSide; ++j) {
      if (s.tile.column + grid.j + j >= s.tile.columns) break;
      for (int32_t i = 0; i < kSide; ++i)
        if (const int64_t row = s.tile.row + grid.i + i; row < kind.rows)
          sums.store(s.tile.part, s.columns[grid.j + j].offset + kind.to_row(s.tile.group, row),
                     made[i][j]);
    }
  }

  static GPU_FN Spot nowhere() { return {0, {kNowhere, 0, 0}}; }
  GPU_FN void find_terms(const Place& at, Shared& s, int32_t q) const {
    for (int32_t i = at.thread(); i < kDepth; i += at.threads()) {
      s.terms[i] = q + i < s.tile.end ? kind.term(s.tile.phase, q + i) : Term{kNone, nowhere()};
    }
  }

  GPU_FN void fetch_rows(const Place& at, int32_t height, Shared& s) const {
    fetch<true>(at, height, s.slabs, [&](int32_t i, int32_t q) { return of_row(s, i, q); });
  }
  GPU_FN void fetch_columns(const Place& at, int32_t width, Shared& s) const {
    fetch<Kind::kDeep>(at, width, s.slabs + kSlab,
                       [&](int32_t i, int32_t q) { return of_column(s, i, q); });
  }
  // Neighbouring threads take neighbouring terms, or neighbouring columns.
  template <bool kTerms, class Read>
  static GPU_FN void fetch(const Place& at, int32_t size, S* slab, const Read& read) {
    constexpr int32_t kAtOnce = 4;  // are on their way
    for (int32_t first = at.thread(); first < kTile * kDepth; first += kAtOnce * at.threads()) {
      S x[kAtOnce] = {};
      const auto each = [&](const auto& fn) {
        unrolled<kAtOnce>([&](int32_t k) {
          const int32_t e = first + k * at.threads(), i = kTerms ? e / kDepth : e % kTile,
                        q = kTerms ? e % kDepth : e / kTile;
          if (q < kDepth && i < size) fn(x[k], i, q);
        });
      };
      each([&](S& to, int32_t i, int32_t q) { to = read(i, q); });
      each([&](const S& from, int32_t i, int32_t q) { slab[q * kPitch + i] = from; });
    }
  }
  GPU_FN S of_row(const Shared& s, int32_t i, int32_t q) const {
    const int64_t at = s.rows[i] + s.terms[q].row;
    return at >= 0 ? convert<S>(a[at]) : S{};
  }
  GPU_FN S of_column(const Shared& s, int32_t i, int32_t q) const {
    const Spot &x = s.columns[i], &y = s.terms[q].column;
    return meet_inside(x, y, kind.source()) ? convert<S>(b[x.offset + y.offset]) : S{};
  }
};

template <class T, class Kind>
struct Threads {
  using S = Calc<T>;
  static constexpr int32_t kTogether = 4;
  Kind kind;
  const T *weight, *x;
  T* out;
  int64_t numel;

  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = at.index(); i < numel; i += at.count()) out[i] = convert<T>(sum(i));
  }
  GPU_FN S sum(int64_t i) const {
    const auto spot = kind.result().of(i);
    const auto plane = static_cast<int32_t>(spot.plane), rows = static_cast<int32_t>(kind.rows);
    const int32_t of_group = plane / rows;  // counts groups of all images
    const T* w = weight + kind.row(of_group % kind.groups, plane % rows);
    const T* from = x + int64_t{of_group} * kind.channels() * kind.source().plane;
    S sum{};
    int32_t p[ConvolutionGrids::kDims];
    const int32_t(&size)[ConvolutionGrids::kDims] = kind.kernel.size;
    for (int32_t z = 0; z < size[0]; ++z) {
      if (!kind.reaches(0, spot.at[0], z, &p[0])) continue;
      for (int32_t y = 0; y < size[1]; ++y) {
        if (!kind.reaches(1, spot.at[1], y, &p[1])) continue;
        for (int32_t k = 0; k < size[2]; ++k)
          if (kind.reaches(2, spot.at[2], k, &p[2]))
            add(w + (z * size[1] + y) * size[2] + k, from + kind.offset(kind.source(), p), &sum);
      }
    }
    return sum;
  }
  GPU_FN void add(const T* w, const T* from, S* sum) const {
    for (int32_t c = 0; c < kind.channels(); ++c)
      *sum += convert<S>(w[c * kind.weight_step()]) *
              convert<S>(from[int64_t{c} * kind.source().plane]);
  }
};

constexpr int32_t kLanes =
    64;                       // of one sum: lane l adds the terms l, l + 64, l + 128, ... of a part
constexpr int32_t kSums = 4;  // at a time in a block

template <class T>
struct Lanes {
  using S = Calc<T>;
  static constexpr int64_t kSharedBytes = kSums * (kLanes + 1) * sizeof(S);
  WeightGrad kind;
  const T *grad, *x;
  Sums<T> sums;

  GPU_FN void operator()(const Place& at) const {
    S* lanes = at.shared<S>();
    const int64_t n = sums.numel * sums.n_parts;
    for (int64_t first = at.block() * kSums; first < n; first += at.blocks() * kSums) {
      for (int32_t w = at.thread(); w < kSums * kLanes; w += at.threads()) {
        const int32_t sum = w / kLanes, lane = w % kLanes;
        if (first + sum < n) lanes[sum * (kLanes + 1) + lane] = of_lane(first + sum, lane);
      }
      at.barrier();
      for (int32_t sum = at.thread(); sum < kSums && first + sum < n; sum += at.threads()) {
        S all{};
        for (int32_t lane = 0; lane < kLanes; ++lane) all += lanes[sum * (kLanes + 1) + lane];
        sums.store(part_of(first + sum), (first + sum) % sums.numel, all);
      }
      at.barrier();
    }
  }

  GPU_FN int32_t part_of(int64_t i) const { return static_cast<int32_t>(i / sums.numel); }
  GPU_FN S of_lane(int64_t i, int32_t lane) const {
    const int32_t part = part_of(i);
    const int64_t channel = i % sums.numel / kind.weights();
    const auto group = static_cast<int32_t>(channel / kind.out_channels);
    const Spot column = kind.column({}, group, i % sums.numel % kind.weights());
    const T* from = grad + channel * kind.out.plane;
    const int32_t end = sums.end(part, kind.most_terms);
    S sum{};
    for (int32_t q = sums.begin(part) + lane; q < end; q += kLanes) {
      const auto [place, window] = kind.term({}, q);
      if (meet_inside(column, window, kind.in))
        sum += convert<S>(from[place]) * convert<S>(x[column.offset + window.offset]);
    }
    return sum;
  }
};

// ---- what a launch asks for ----

// Returns false for numbers beyond 32 bits, and when nothing is to be summed.
bool take(int64_t from, int64_t least, int32_t* to) {
  *to = static_cast<int32_t>(from);
  return from >= least && from <= INT_MAX;
}

// Where the row has x, w and y among its operands.
struct Order {
  int at[3];
};
constexpr Order order_of(uint32_t op) {
  return op == BP_OP_CONVOLUTION              ? Order{{0, 1, 2}}
         : op == BP_OP_CONVOLUTION_INPUT_GRAD ? Order{{2, 1, 0}}
                                              : Order{{1, 2, 0}};
}

bool describe(const bp_launch& l, ConvolutionShape* s) {
  // The attributes end in those of a convolution; its gradients have a size before them.
  const bp_attr* attrs = l.attrs + (l.n_attr - 1 - BP_ATTR_CONVOLUTION_GROUPS);
  const Order order = order_of(l.op);
  const int32_t n = l.args[0].rank - 2, ones = n == 1 ? 1 : 0;
  s->op = l.op;
  s->dtype = l.args[0].dtype;
  s->may_round = s->dtype == BP_F32 && (l.flags & (BP_LAUNCH_TF32 | BP_LAUNCH_BF16));
  s->dims = n + ones;
  bool fits = take(attrs[BP_ATTR_CONVOLUTION_GROUPS].value.i64, 1, &s->groups);
  for (int k = 0; k < 3; ++k) {
    const bp_arg& a = l.args[order.at[k]];
    fits &= take(a.shape[0], 1, &s->size[k][0]) && take(a.shape[1], 1, &s->size[k][1]);
    s->size[k][2] = 1;
    for (int32_t d = 0; d < n; ++d) fits &= take(a.shape[d + 2], 1, &s->size[k][d + 2 + ones]);
  }
  const auto values = [&](int32_t attr, int32_t absent, int32_t* to) {
    const bp_attr& a = attrs[attr];
    to[0] = absent;
    for (int32_t d = 0; d < n; ++d)
      fits &=
          take(a.count == 0 ? absent : a.value.ints[a.count == 1 ? 0 : d], absent, &to[d + ones]);
  };
  values(BP_ATTR_CONVOLUTION_STRIDE, 1, s->stride);
  values(BP_ATTR_CONVOLUTION_PADDING, 0, s->padding);
  values(BP_ATTR_CONVOLUTION_DILATION, 1, s->dilation);
  return fits;
}

// Returns false where 32 bits do not hold the positions of a plane, or around it.
bool lay_grids(const ConvolutionShape& s, ConvolutionGrids* g) {
  constexpr int64_t kMost = int64_t{1} << 28;  // some of these are added
  using Shape = ConvolutionShape;
  const int32_t absent = ConvolutionGrids::kDims - s.dims;
  PoolShape p;
  int64_t plane[3] = {1, 1, 1};
  for (int32_t d = 0; d < ConvolutionGrids::kDims; ++d) {
    const int32_t i = d - absent;
    p.in[d] = i < 0 ? 1 : s.size[Shape::kX][i + 2];
    p.kernel[d] = i < 0 ? 1 : s.size[Shape::kW][i + 2];
    p.out[d] = i < 0 ? 1 : s.size[Shape::kY][i + 2];
    p.step[d] = i < 0 ? 1 : s.stride[i];
    p.padding[d] = i < 0 ? 0 : s.padding[i];
    p.dilation[d] = i < 0 ? 1 : s.dilation[i];
    for (const int64_t n : {p.in[d], p.kernel[d], p.out[d], p.step[d], p.padding[d], p.dilation[d],
                            p.reach(d), p.out[d] * p.step[d]})
      if (n >= kMost) return false;
    g->step[d] = static_cast<int32_t>(p.step[d]);
    g->padding[d] = static_cast<int32_t>(p.padding[d]);
    g->dilation[d] = static_cast<int32_t>(p.dilation[d]);
    plane[0] *= p.in[d], plane[1] *= p.kernel[d], plane[2] *= p.out[d];
    for (const int64_t n : plane)
      if (n > INT_MAX) return false;
  }
  g->groups = s.groups;
  g->in_channels = s.size[Shape::kW][1];
  g->out_channels = s.size[Shape::kW][0] / s.groups;
  const int64_t n = s.size[Shape::kX][0];
  const int64_t planes[] = {n * s.size[Shape::kX][1], n * s.size[Shape::kY][1]};
  if (planes[0] > INT_MAX || planes[1] > INT_MAX) return false;
  g->in = grid_of<int32_t>(planes[0], p.in);
  g->kernel = grid_of<int32_t>(g->in_channels, p.kernel);
  g->out = grid_of<int32_t>(planes[1], p.out);
  return g->kernel.few;
}

bool set_terms(int64_t n, ConvolutionGrids* k) {
  constexpr int64_t kMost = INT_MAX - kLanes;  // a loop goes beyond the last by a step
  k->most_terms = static_cast<int32_t>(n);
  return n <= kMost;
}
bool lay(const ConvolutionShape& s, Forward* k) {
  if (!lay_grids(s, k)) return false;
  k->rows = k->out_channels;
  k->most_columns = int64_t{s.size[ConvolutionShape::kX][0]} * k->out.plane;
  k->phases = 1;
  return set_terms(int64_t{k->in_channels} * k->kernel.plane, k);
}
bool lay(const ConvolutionShape& s, WeightGrad* k) {
  if (!lay_grids(s, k)) return false;
  k->rows = k->out_channels;
  k->most_columns = int64_t{k->in_channels} * k->kernel.plane;
  k->phases = 1;
  return set_terms(int64_t{s.size[ConvolutionShape::kX][0]} * k->out.plane, k);
}
bool lay(const ConvolutionShape& s, InputGrad* k) {
  if (!lay_grids(s, k)) return false;
  k->rows = k->in_channels;
  k->batch = k->most_columns = s.size[ConvolutionShape::kX][0];
  k->phases = 1;
  int64_t terms = k->out_channels;
  for (int32_t d = 0; d < ConvolutionGrids::kDims; ++d) {
    const int32_t step = k->step[d];
    k->by_step[d] = Quotients<int32_t>(step);
    k->phases_of[d] = std::min(step, k->in.size[d]);
    k->phases *= k->phases_of[d];
    k->tap_step[d] = step / std::gcd(step, k->dilation[d]);
    k->most_columns *= (k->in.size[d] + step - 1) / step;
    k->most_taps[d] = (k->kernel.size[d] + k->tap_step[d] - 1) / k->tap_step[d];
    k->by_taps[d][0] = Quotients<int32_t>(k->most_taps[d]);
    k->by_taps[d][1] = Quotients<int32_t>(k->most_taps[d] - 1);
    terms *= k->most_taps[d];
    if (terms > INT_MAX) return false;
  }
  return set_terms(terms, k);
}

// Calls fn(kind), or returns BP_UNSUPPORTED where no kernel here does it.
template <class F>
bp_status with_kind(const ConvolutionShape& s, const F& fn) {
  const auto with = [&](auto kind) { return lay(s, &kind) ? fn(kind) : BP_UNSUPPORTED; };
  if (s.op == BP_OP_CONVOLUTION) return with(Forward{});
  return s.op == BP_OP_CONVOLUTION_INPUT_GRAD ? with(InputGrad{}) : with(WeightGrad{});
}

constexpr int64_t kNarrow = 8;  // so few rows leave tiles empty
bool is_narrow(const ConvolutionGrids& k) { return k.rows <= kNarrow; }
bool is_narrow(const WeightGrad& k) { return k.rows <= kNarrow || k.most_columns <= kNarrow; }

int64_t tiles(const ConvolutionGrids& k) {
  return k.groups * k.phases * ((k.rows + kTile - 1) / kTile) *
         ((k.most_columns + kTile - 1) / kTile);
}
// How many pieces of work there are when sums stay whole; 0: they are too small to be cut.
int64_t pieces(const ConvolutionGrids& k, int64_t) { return is_narrow(k) ? 0 : tiles(k); }
int64_t pieces(const WeightGrad& k, int64_t numel) {
  return is_narrow(k) ? (numel + kSums - 1) / kSums : tiles(k);
}
template <class Kind>
int64_t parts(const Kind& k, int64_t numel) {
  constexpr int64_t kManyPieces = 512, kFewTerms = 128;  // busy cards; worth an addition
  const int64_t n = pieces(k, numel);
  return n == 0 ? 1 : std::max<int64_t>(1, std::min(kManyPieces / n, k.most_terms / kFewTerms));
}

// ---- launches ----

constexpr int64_t kMostBlocks = 1 << 16;
constexpr int64_t blocks(int64_t n) { return n < kMostBlocks ? n : kMostBlocks; }

template <class T, class Kind>
bp_status convolve_narrow(const bp_launch& l, const Kind& kind, const Sums<T>& sums, const T* a,
                          const T* b, bp_error** err) {
  if constexpr (std::is_same_v<Kind, WeightGrad>)
    return launch(l,
                  {.blocks = blocks((sums.numel * sums.n_parts + kSums - 1) / kSums),
                   .shared_bytes = Lanes<T>::kSharedBytes},
                  Lanes<T>{kind, a, b, sums}, err);
  else
    return launch(l, cover(sums.numel), Threads<T, Kind>{kind, a, b, sums.out, sums.numel}, err);
}

template <class T, class Kind>
bp_status convolve(const bp_launch& l, const Kind& kind, bp_error** err) {
  const bp_arg &first = l.args[0], &second = l.args[1], &out = l.args[2];
  Sums<T> sums{static_cast<T*>(out.data), nullptr, numel(out), 1, 0};
  // Of which there is less when a library, which now fails, was asked for what it needs.
  const int64_t room =
      static_cast<int64_t>(l.workspace_bytes / sizeof(Calc<T>)) / std::max<int64_t>(1, sums.numel);
  const int64_t n = std::min(parts(kind, sums.numel), room < 2 ? 1 : room);
  const int64_t each = ((kind.most_terms + n - 1) / n + kLanes - 1) / kLanes * kLanes;
  sums.part_terms = static_cast<int32_t>(each);
  sums.n_parts = static_cast<int32_t>((kind.most_terms + each - 1) / each);
  if (sums.n_parts > 1) sums.parts = static_cast<Calc<T>*>(l.workspace);
  // The weight gives rows where it is an operand, else the result's gradient, which is the first.
  const auto *a = static_cast<const T*>(first.data), *b = static_cast<const T*>(second.data);
  if constexpr (!std::is_same_v<Kind, WeightGrad>) std::swap(a, b);
  bp_status status = BP_OK;
  if (is_narrow(kind)) {
    status = convolve_narrow(l, kind, sums, a, b, err);
  } else {
    using Kernel = Tiles<T, Kind>;
    status = launch(l,
                    {.blocks = blocks(tiles(kind) * sums.n_parts),
                     .shared_bytes = sizeof(typename Kernel::Shared)},
                    Kernel{kind, a, b, sums}, err);
  }
  if (status != BP_OK || sums.n_parts == 1) return status;
  return launch(l, cover(sums.numel), AddParts<T>{sums}, err);
}

// Whether the core shall compose it of products. One with a kernel of one place is a product of
// operands as they lie. A BLAS multiplies halves, and f32 that may be rounded, on a card's matrix
// units, so many times as fast that its windows may be written for it.
bool is_better_composed(const bp_launch& l, const ConvolutionShape& s) {
  const bool is_half = s.dtype == BP_F16 || s.dtype == BP_BF16;
  const int32_t* w = s.size[ConvolutionShape::kW];
  const int32_t channels = std::min(w[0] / s.groups, w[1]);
  if ((is_half || s.may_round) && channels > kNarrow && vendor().has_blas && vendor().has_blas(l))
    return true;
  bool is = true;
  for (int32_t d = 0; d < s.dims; ++d)
    is &= s.size[ConvolutionShape::kW][d + 2] == 1 && s.stride[d] == 1 && s.padding[d] == 0;
  return is;
}

bp_status ask_workspace(const bp_launch* l, uint64_t* bytes, bp_error** err) {
  Convolution c{};
  if (!describe(*l, &c.shape)) return BP_UNSUPPORTED;
  if (vendor().convolve) {
    const bp_status status = vendor().convolve(*l, &c, err);
    *bytes = c.workspace_bytes;
    if (status != BP_UNSUPPORTED) return status;
  }
  if (is_better_composed(*l, c.shape)) return BP_UNSUPPORTED;
  return with_kind(c.shape, [&](const auto& kind) {
    const int64_t n = numel(l->args[2]), n_parts = parts(kind, n);
    const int64_t sum_bytes = c.shape.dtype == BP_F64 ? sizeof(double) : sizeof(float);
    *bytes = static_cast<uint64_t>(n_parts > 1 ? n_parts * n * sum_bytes : 0);
    return BP_OK;
  });
}

bp_status run_convolution(const bp_launch& l, bp_error** err) {
  Convolution c{};
  describe(l, &c.shape);
  if (vendor().convolve) {
    c.first = l.args[0].data, c.second = l.args[1].data, c.out = l.args[2].data;
    c.workspace = l.workspace, c.workspace_bytes = l.workspace_bytes;
    const bp_status status = vendor().convolve(l, &c, err);
    if (status != BP_UNSUPPORTED) return status;
  }
  return with_kind(c.shape, [&](const auto& kind) {
    return with_type_of<kFloats>(c.shape.dtype,
                                 [&](auto t) { return convolve<Word<decltype(t)>>(l, kind, err); });
  });
}

}  // namespace

void add_convolution(Registry& r) {
  for (uint32_t op :
       {BP_OP_CONVOLUTION, BP_OP_CONVOLUTION_INPUT_GRAD, BP_OP_CONVOLUTION_WEIGHT_GRAD})
    r.add(op, kFloats, entry<run_convolution>, BP_KERNEL_CONTIGUOUS, ask_workspace);
}

}  // namespace bp_gpu
