// SPDX-License-Identifier: Apache-2.0
// reduce_arg.cc: argmax, argmin: the position of the first of the best, NaN before all. Sequences
// keep their row-major order. Along a sequence, whole blocks are reduced as max and min are, and
// only the first block that holds the best is searched.
#include "device/registry.h"
#include "kernels/reduction/elements.h"
#include "kernels/reduction/extreme.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kBlockRows = kLeafRows;

template <class A>
struct Found {
  A value;
  int64_t at;
};

template <class A, class Op>
Found<A> first_best(const A* x, int64_t n) {
  Found<A> best{x[0], 0};
  for (int64_t i = 1; i < n; ++i)
    if (Op::better(x[i], best.value)) best = {x[i], i};
  return best;
}

template <class A, class Op>
Found<A> search_rows(const Along<A, Op>& source, int64_t row, int64_t n_rows, A value) {
  constexpr int64_t kLanes = Along<A, Op>::kLanes;
  A buffer[kLanes];
  for (int64_t r = 0; r < n_rows; ++r) {
    int64_t step = 0;
    const A* x = source.direct(row + r, 1, kLanes, &step);
    if (!x) source.fetch(row + r, 1, buffer);
    if (!x) x = buffer;
    for (int64_t i = 0; i < kLanes; ++i)
      if (x[i] == value || x[i] != x[i]) return {x[i], (row + r) * kLanes + i};
  }
  return {value, row * kLanes};
}

template <class A, class Op>
Found<A> find_along(const Along<A, Op>& source, int64_t begin, int64_t end) {
  constexpr int64_t kLanes = Along<A, Op>::kLanes;
  A lanes[kLanes];
  A best{};
  int64_t best_row = -1;
  const int64_t last = (end + kLanes - 1) / kLanes;
  for (int64_t row = begin / kLanes; row < last; row += kBlockRows) {
    const int64_t stop = (row + kBlockRows) * kLanes;
    reduce_rows(source, row, stop < end ? stop : end, lanes);
    const A value = fold<A, Op>(lanes);
    if (best_row >= 0 && !Op::better(value, best)) continue;
    best = value;
    best_row = row;
  }
  return search_rows(source, best_row, best_row + kBlockRows < last ? kBlockRows : last - best_row,
                     best);
}

template <class A, class Op>
void find_across(const Across<A, Op>& source, int64_t begin, int64_t end, A* value, int64_t* at) {
  A buffer[kTileBytes / sizeof(A)];
  const int64_t width = source.width();
  const auto row = [&](int64_t p) {
    int64_t step = 0;
    const A* x = source.direct(p, 1, width, &step);
    if (!x) source.fetch(p, 1, buffer);
    return x ? x : buffer;
  };
  const A* x = row(begin);
  for (int64_t j = 0; j < width; ++j) {
    value[j] = x[j];
    at[j] = begin;
  }
  for (int64_t p = begin + 1; p < end; ++p) {
    x = row(p);
#pragma omp simd
    for (int64_t j = 0; j < width; ++j) {
      const bool better = Op::better(x[j], value[j]);
      value[j] = better ? x[j] : value[j];
      at[j] = better ? p : at[j];
    }
  }
}

// Searches positions [begin, end) of a tile's sequences, which the core keeps from being empty.
template <class A, class Op>
void find_part(const Reduction<A>& how, const ReducePlan& plan, const ReduceTile& tile,
               int64_t begin, int64_t end, A* value, int64_t* at) {
  const char* first = static_cast<const char*>(plan.data) + tile.in * how.item_bytes;
  if (plan.across)
    return find_across(Across<A, Op>{how, plan, first, tile, nullptr}, begin, end, value, at);
  for (int64_t j = 0; j < tile.width; ++j) {
    const Along<A, Op> source{how, plan, first + j * tile.in_stride * how.item_bytes, end, nullptr};
    Found<A> found{};
    if (plan.n <= kShort) {
      A buffer[kShort];
      const int64_t run = plan.inner();
      for (int64_t p = 0; p < plan.n; p += run)
        how.load(buffer + p, source.first + plan.position(p) * how.item_bytes, run,
                 plan.inner_stride(), nullptr);
      found = first_best<A, Op>(buffer, plan.n);
    } else {
      found = find_along(source, begin, end);
    }
    value[j] = found.value;
    at[j] = found.at;
  }
}

void store_positions(const bp_launch& launch, const ReduceTile& tile, const int64_t* at) {
  int64_t* out = static_cast<int64_t*>(launch.args[1].data) + tile.out;
  for (int64_t j = 0; j < tile.width; ++j) out[j * tile.out_stride] = at[j];
}

template <class A, class Op>
bp_status find_chunks(const bp_launch& launch, const Reduction<A>& how, const ReducePlan& plan,
                      bp_error** err) {
  const int64_t n_tasks = plan.n_tiles * plan.n_chunks;
  Scratch scratch(launch,
                  static_cast<uint64_t>(n_tasks * plan.tile) * (sizeof(A) + sizeof(int64_t)));
  int64_t* at = scratch.as<int64_t>();
  if (!at) return scratch.fail(err);
  A* value = reinterpret_cast<A*>(at + n_tasks * plan.tile);
  parallel_for(n_tasks, plan.task_grain, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t from = task % plan.n_chunks * plan.chunk;
      const int64_t to = from + plan.chunk < plan.n ? from + plan.chunk : plan.n;
      find_part<A, Op>(how, plan, reduce_tile(plan, task / plan.n_chunks), from, to,
                       value + task * plan.tile, at + task * plan.tile);
    }
  });
  for (int64_t t = 0; t < plan.n_tiles; ++t) {
    const ReduceTile tile = reduce_tile(plan, t);
    const int64_t base = t * plan.n_chunks * plan.tile;
    for (int64_t c = 1; c < plan.n_chunks; ++c)
      for (int64_t j = base; j < base + tile.width; ++j)
        if (const int64_t other = j + c * plan.tile; Op::better(value[other], value[j])) {
          value[j] = value[other];
          at[j] = at[other];
        }
    store_positions(launch, tile, at + base);
  }
  return BP_OK;
}

template <class T, template <class> class Which, class A = Calc<T>>
bp_status run(const bp_launch* launch, bp_error** err) {
  using Op = Which<A>;
  const Reduction<A> how{
      .item_bytes = sizeof(T), .dense_is_direct = std::is_same_v<T, A>, .load = load_plain<T, A>};
  ReducePlan plan;
  plan_reduction(*launch, sizeof(T), /*any_order=*/false, Along<A, Op>::kLanes,
                 kTileBytes / sizeof(A), &plan);
  if (plan.n_chunks > 1) return find_chunks<A, Op>(*launch, how, plan, err);
  parallel_for(plan.n_tiles, plan.task_grain, [&](int64_t begin, int64_t end) {
    A value[kTileBytes / sizeof(A)];
    int64_t at[kTileBytes / sizeof(A)];
    for (int64_t t = begin; t < end; ++t) {
      const ReduceTile tile = reduce_tile(plan, t);
      find_part<A, Op>(how, plan, tile, 0, plan.n, value, at);
      store_positions(*launch, tile, at);
    }
  });
  return BP_OK;
}

template <template <class> class Op>
void add_op(Registry& r, uint32_t op) {
  r.add(op, bit(BP_BOOL), run<Bool, Op, uint8_t>);
  each_type<kReals>([&](auto t, bp_dtype d) { r.add(op, bit(d), run<decltype(t), Op>); });
}

}  // namespace

void add_reduce_arg(Registry& r) {
  add_op<Larger>(r, BP_OP_ARGMAX);
  add_op<Smaller>(r, BP_OP_ARGMIN);
}

}  // namespace bp_cpu::BP_ISA
