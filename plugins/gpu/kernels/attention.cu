// SPDX-License-Identifier: Apache-2.0
// attention.cu: scaled_dot_product_attention in one pass over the keys (Dao et al., FlashAttention,
// 2022). A block has a tile of queries; for each tile of keys it makes the scores, moves the
// largest of each query, and adds the weighted values to sums that it keeps in registers. No scores
// go to memory.
#include "gpu/attention_tiles.h"
#include "gpu/plugin.h"

namespace bp_gpu {
namespace {

template <class T, int32_t kWide>
struct Forward : AttentionCall<T> {
  using Call = AttentionCall<T>;
  using S = Calc<T>;
  static constexpr int32_t kColumns = kScoreColumns<T>, kPatches = kScorePatches<T>;
  static constexpr int64_t kSharedBytes =
      (kSlabs + kColumns * kPitch + 2 * kPatches * kPitch) * sizeof(S);
  // Each is [..][row of the tile].
  struct Shared {
    S *slabs, *weights, *maxima, *totals;  // of columns, of patches, of patches
    GPU_FN explicit Shared(const Place& at)
        : slabs(at.shared<S>()),
          weights(slabs + kSlabs),
          maxima(weights + kColumns * kPitch),
          totals(maxima + kPatches * kPitch) {}
  };
  // What a block works on, and a thread's part of it.
  struct Work {
    const T *q, *k, *v;
    const char* mask;
    int64_t row, column;  // of the tile
    SidePack<S> top;      // the largest score of each row
    S sums[kWide][kSide][kSide];
  };

  GPU_FN void operator()(const Place& at) const {
    const Patches grid(at);
    const int64_t height = grid.height(), width = grid.width() * kWide;
    const int64_t down = (this->queries + height - 1) / height,
                  across = (this->value_width + width - 1) / width;
    for (int64_t t = at.block(); t < this->batches * down * across; t += at.blocks()) {
      // The last queries come first: where later keys take no part they have most to do.
      const int64_t batch = t / across / down, row = (down - 1 - t / across % down) * height;
      attend(at, grid, batch, row, t % across * width);
    }
  }

  GPU_FN void attend(const Place& at, const Patches& grid, int64_t batch, int64_t row,
                     int64_t column) const {
    const Shared s(at);
    Work w{this->of_batch(Call::kQuery, batch),
           this->of_batch(Call::kKey, batch),
           this->of_batch(Call::kValue, batch),
           this->mask_of(batch),
           row,
           column,
           {},
           {}};
    for (S& x : w.top.item) x = kNoScore<S>;
    if (grid.busy)
      for (int32_t j = grid.j / kSide; j < kPatches; j += grid.columns)
        side_pack_at(s.totals + j * kPitch + grid.i) = SidePack<S>{};
    const int64_t after = row + grid.height(),
                  keys = this->causal && after < this->keys ? after : this->keys;
    for (int64_t key = 0; key < keys; key += kColumns) {
      make_scores(at, grid, s, w, key);
      at.barrier();
      if (grid.busy) weigh(grid, s, w);
      const int64_t taken = this->causal ? row + grid.i + kSide - key : kColumns;
      accumulate<kWide>(at, grid, s.weights,
                        this->terms(Call::kValue, w.v, key, this->keys, column, this->value_width),
                        0, taken, s.slabs, w.sums);
    }
    if (grid.busy) finish(grid, s, w, batch);
    at.barrier();
  }

  // Of a tile of keys, with the largest score of each patch's rows.
  GPU_FN void make_scores(const Place& at, const Patches& grid, const Shared& s, const Work& w,
                          int64_t key) const {
    for (int32_t first = 0; first < kColumns; first += grid.width()) {
      S patch[kSide][kSide] = {};
      multiply_tile(at, grid, this->rows(Call::kQuery, w.q, w.row, this->queries, this->width),
                    this->rows(Call::kKey, w.k, key + first, this->keys, this->width), s.slabs,
                    patch, PlusProduct{});
      const int32_t column = first + grid.j;
      if (!grid.busy || column >= kColumns) continue;
      SidePack<S> most;
      for (S& x : most.item) x = kNoScore<S>;
      for (int32_t j = 0; j < kSide; ++j) {
        SidePack<S> scores;
        for (int32_t i = 0; i < kSide; ++i) {
          const S x = this->score(patch[i][j], w.mask, w.row + grid.i + i, key + column + j);
          most.item[i] = x > most.item[i] ? x : most.item[i];
          scores.item[i] = x;
        }
        side_pack_at(s.weights + (column + j) * kPitch + grid.i) = scores;
      }
      side_pack_at(s.maxima + column / kSide * kPitch + grid.i) = most;
    }
  }

  // Scores become weights relative to the largest score so far, to which what was summed is moved.
  // Where every score is -inf all weights are 0. A NaN goes to the total.
  GPU_FN void weigh(const Patches& grid, const Shared& s, Work& w) const {
    const SidePack<S> before = w.top;
    for (int32_t p = 0; p < kPatches; ++p) {
      const SidePack<S> most = side_pack_at(s.maxima + p * kPitch + grid.i);
      for (int32_t i = 0; i < kSide; ++i)
        w.top.item[i] = most.item[i] > w.top.item[i] ? most.item[i] : w.top.item[i];
    }
    SidePack<S> base, moved;
    for (int32_t i = 0; i < kSide; ++i) {
      base.item[i] = w.top.item[i] == kNoScore<S> ? S{0} : w.top.item[i];
      moved.item[i] = exp(before.item[i] - base.item[i]);
    }
    for (int32_t column = grid.j; column < kColumns; column += grid.width()) {
      SidePack<S>& total = side_pack_at(s.totals + column / kSide * kPitch + grid.i);
      SidePack<S> sum = total;
      for (int32_t i = 0; i < kSide; ++i) sum.item[i] *= moved.item[i];
      for (int32_t j = 0; j < kSide; ++j) {
        SidePack<S>& weights = side_pack_at(s.weights + (column + j) * kPitch + grid.i);
        SidePack<S> x = weights;
        for (int32_t i = 0; i < kSide; ++i) {
          x.item[i] = exp(x.item[i] - base.item[i]);
          sum.item[i] += x.item[i];
        }
        weights = x;
      }
      total = sum;
    }
    for (auto& patch : w.sums)
      for (int32_t i = 0; i < kSide; ++i)
        for (int32_t j = 0; j < kSide; ++j) patch[i][j] *= moved.item[i];
  }

  // A query whose keys are all masked gets 0, as does one without keys.
  GPU_FN void finish(const Patches& grid, const Shared& s, Work& w, int64_t batch) const {
    SidePack<S> total{};
    for (int32_t p = 0; p < kPatches; ++p) {
      const SidePack<S> part = side_pack_at(s.totals + p * kPitch + grid.i);
      for (int32_t i = 0; i < kSide; ++i) total.item[i] += part.item[i];
    }
    const bool may_be_alone = this->mask != Call::Mask::kNone || this->keys == 0;
    for (int32_t i = 0; i < kSide; ++i) {
      if (may_be_alone && total.item[i] == 0) total.item[i] = 1;
      for (auto& patch : w.sums)
        for (int32_t j = 0; j < kSide; ++j) patch[i][j] /= total.item[i];
    }
    this->template store<kWide>(Call::kOut, this->of_batch(Call::kOut, batch), w.row + grid.i,
                                this->queries, w.column + grid.j, this->value_width, grid.width(),
                                w.sums);
  }
};

bp_status refuse(const bp_launch* l, uint64_t* bytes, bp_error**) {
  Attention a;
  *bytes = 0;
  return describe(*l, &a) ? BP_OK : BP_UNSUPPORTED;
}

template <class T>
bp_status run(const bp_launch& l, bp_error** err) {
  Attention a;
  describe(l, &a);
  if (const auto attend = vendor().attend)
    if (const bp_status s = attend(l, a, err); s != BP_UNSUPPORTED) return s;
  return with_wide(a.value_width, [&](auto wide) {
    using K = Forward<T, wide>;
    return launch(
        l,
        {.blocks = tile_blocks(a, a.queries, a.value_width, wide), .shared_bytes = K::kSharedBytes},
        K{AttentionCall<T>(a)}, err);
  });
}

}  // namespace

void add_attention(Registry& r) {
  each_type<kFloats>([&](auto t, bp_dtype d) {
    r.add(BP_OP_SCALED_DOT_PRODUCT_ATTENTION, bit(d), entry<run<decltype(t)>>, BP_KERNEL_TAKES_NONE,
          refuse);
  });
}

}  // namespace bp_gpu
