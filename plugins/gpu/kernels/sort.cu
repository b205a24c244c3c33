// SPDX-License-Identifier: Apache-2.0
// sort.cu: sort and topk. What is sorted are items, keys with positions (sort_runs.h); then values,
// which are read where the items came from, and indices are written. Long rows are sorted by the
// vendor's own sort, one after the other, where it has one (sort_pairs.h).
#include "gpu/offsets.h"
#include "gpu/sort_pairs.h"
#include "gpu/sort_runs.h"

namespace bp_gpu {
namespace {

enum { kX, kValues, kIndices, kArgs };

// x [outer..., n], values and indices [outer..., k].
template <class U>
struct Operands {
  KeyRule<U> rule;
  const U* x;
  U* values;
  int64_t* indices;
  int64_t along[kArgs];
  Offsets<kArgs> rows;

  struct Row {
    int64_t at[kArgs];
  };
  GPU_FN Row row(int64_t r) const {
    Row row;
    rows.of(r, row.at);
    return row;
  }
  GPU_FN U key(const Row& row, int64_t position) const {
    return rule.key(x[row.at[kX] + position * along[kX]]);
  }
  GPU_FN void put(const Row& row, int64_t j, int64_t position) const {
    values[row.at[kValues] + j * along[kValues]] = x[row.at[kX] + position * along[kX]];
    indices[row.at[kIndices] + j * along[kIndices]] = position;
  }
};

template <class U>
Operands<U> operands(const bp_launch& l, bool descending) {
  const bp_arg &x = l.args[kX], &values = l.args[kValues], &indices = l.args[kIndices];
  const int32_t outer = x.rank - 1;
  return {key_rule<U>(x.dtype, descending),
          static_cast<const U*>(x.data),
          static_cast<U*>(values.data),
          static_cast<int64_t*>(indices.data),
          {x.strides[outer], values.strides[outer], indices.strides[outer]},
          offsets_of<kArgs>(l.args, x.shape, outer)};
}

// Where sort_runs gets items from and puts them.
template <class U, class ItemOf>
struct RowItems {
  using Item = ItemOf;
  using Row = typename Operands<U>::Row;
  Operands<U> io;
  GPU_FN Row row(int64_t r) const { return io.row(r); }
  GPU_FN Item item(const Row& row, int64_t position) const {
    return Item::of(io.key(row, position), position);
  }
  GPU_FN void put(const Row& row, int64_t j, const Item& item) const {
    io.put(row, j, item.position());
  }
};

SortPlan plan_of(const bp_launch& l) {
  const bp_arg &x = l.args[kX], &values = l.args[kValues];
  SortPlan plan{1, x.shape[x.rank - 1], values.shape[x.rank - 1]};
  for (int32_t d = 0; d + 1 < x.rank; ++d) plan.rows *= x.shape[d];
  return plan;
}

// ---- by the vendor's own sort ----

template <class U>
using PairKey = std::conditional_t<sizeof(U) <= 4, uint32_t, uint64_t>;

template <class U>
struct MakePairs {
  Operands<U> io;
  int64_t r, n;
  PairKey<U>* keys;
  uint32_t* positions;
  GPU_FN void operator()(const Place& at) const {
    const auto row = io.row(r);
    for (int64_t i = at.index(); i < n; i += at.count()) {
      keys[i] = io.key(row, i);
      positions[i] = static_cast<uint32_t>(i);
    }
  }
};

template <class U>
struct PutPairs {
  Operands<U> io;
  int64_t r, n;
  const uint32_t* positions;
  GPU_FN void operator()(const Place& at) const {
    const auto row = io.row(r);
    for (int64_t i = at.index(); i < n; i += at.count()) io.put(row, i, positions[i]);
  }
};

// Returns 0 where it does not pay or there is none: it takes some launches for each row, and merges
// them for all rows together.
uint64_t row_pairs(const bp_launch& l, const SortPlan& plan, SortPairs* pairs) {
  constexpr int64_t kLongRow = 1 << 16, kRows = 16;
  if (plan.k != plan.n || plan.n > kMostPairs || plan.n < kLongRow * least(plan.rows, kRows))
    return 0;
  const int32_t bytes = kItemBytes[l.args[kX].dtype];
  *pairs = {.key_bytes = bytes <= 4 ? 4 : 8, .first_bit = 0, .bits = 8 * bytes, .n = plan.n};
  return pairs_workspace(l, pairs);
}

template <class U>
bp_status order_pairs(const bp_launch& l, const SortPlan& plan, const SortPairs& measured,
                      const Operands<U>& io, bp_error** err) {
  for (int64_t r = 0; r < plan.rows; ++r) {
    SortPairs pairs = measured;
    place_pairs(l.workspace, &pairs);
    const MakePairs<U> make{io, r, plan.n, static_cast<PairKey<U>*>(pairs.keys), pairs.values};
    if (const bp_status s = launch(l, cover(plan.n), make, err)) return s;
    if (const bp_status s = sort_pairs(l, &pairs, err)) return s;
    if (const bp_status s = launch(l, cover(plan.n), PutPairs<U>{io, r, plan.n, pairs.values}, err))
      return s;
  }
  return BP_OK;
}

// ---- both ----

// Calls fn(U{}, Item{}) for the operands' width and length.
template <class F>
bp_status with_items(bp_dtype d, int64_t n, const F& fn) {
  return with_size(d, [&](auto u) -> bp_status {
    using U = decltype(u);
    if constexpr (!std::is_integral_v<U>)
      return BP_INTERNAL;  // complex numbers have no order
    else if (sizeof(U) <= 4 && n <= kMostNarrow)
      return fn(u, Narrow{});
    else
      return fn(u, Wide{});
  });
}

bp_status order_workspace(const bp_launch* l, uint64_t* bytes, bp_error**) {
  const SortPlan plan = plan_of(*l);
  SortPairs pairs;
  *bytes = plan.nothing() ? 0 : row_pairs(*l, plan, &pairs);
  if (*bytes) return BP_OK;
  return with_items(l->args[kX].dtype, plan.n, [&](auto, auto item) {
    *bytes = plan.workspace_bytes(sizeof item);
    return BP_OK;
  });
}

bool rows_are_closer(const bp_arg& a) {
  const int32_t axis = a.rank - 1;
  return axis > 0 && a.shape[axis - 1] > 1 &&
         distance(a.strides[axis - 1]) < distance(a.strides[axis]);
}

template <uint32_t kDescending>
bp_status run_order(const bp_launch& l, bp_error** err) {
  const SortPlan plan = plan_of(l);
  if (plan.nothing()) return BP_OK;
  const bp_arg &x = l.args[kX], &values = l.args[kValues];
  const bool descending = l.attrs[kDescending].value.i64 != 0;
  SortPairs pairs;
  const bool by_pairs = row_pairs(l, plan, &pairs) != 0;
  return with_items(x.dtype, plan.n, [&](auto u, auto item) {
    const auto io = operands<decltype(u)>(l, descending);
    if (by_pairs) return order_pairs(l, plan, pairs, io, err);
    return sort_runs(l, plan, l.workspace, RowItems<decltype(u), decltype(item)>{io},
                     {rows_are_closer(x), rows_are_closer(values)}, err);
  });
}

}  // namespace

void add_sort(Registry& r) {
  constexpr uint64_t kOrdered = bit(BP_BOOL) | kReals;
  r.add(BP_OP_SORT, kOrdered, entry<run_order<BP_ATTR_SORT_DESCENDING>>, 0, order_workspace);
  r.add(BP_OP_TOPK, kOrdered, entry<run_order<BP_ATTR_TOPK_LARGEST>>, 0, order_workspace);
}

}  // namespace bp_gpu
