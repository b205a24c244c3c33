// SPDX-License-Identifier: Apache-2.0
// sort.cu: sort and topk. What is sorted are items, keys with positions (sort_runs.h); then values,
// which are read where the items came from, and indices are written.
#include "gpu/offsets.h"
#include "gpu/sort_runs.h"

namespace bp_gpu {
namespace {

enum { kX, kValues, kIndices, kArgs };

// x [outer..., n], values and indices [outer..., k].
template <class U, class ItemOf>
struct Operands {
  using Item = ItemOf;
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
  GPU_FN Item item(const Row& row, int64_t position) const {
    return Item::of(rule.key(x[row.at[kX] + position * along[kX]]), position);
  }
  GPU_FN void put(const Row& row, int64_t j, const Item& item) const {
    const int64_t position = item.position();
    values[row.at[kValues] + j * along[kValues]] = x[row.at[kX] + position * along[kX]];
    indices[row.at[kIndices] + j * along[kIndices]] = position;
  }
};

SortPlan plan_of(const bp_launch& l) {
  const bp_arg &x = l.args[kX], &values = l.args[kValues];
  SortPlan plan{1, x.shape[x.rank - 1], values.shape[x.rank - 1]};
  for (int32_t d = 0; d + 1 < x.rank; ++d) plan.rows *= x.shape[d];
  return plan;
}

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
  const bp_arg &x = l.args[kX], &values = l.args[kValues], &indices = l.args[kIndices];
  const bool descending = l.attrs[kDescending].value.i64 != 0;
  const int32_t outer = x.rank - 1;
  return with_items(x.dtype, plan.n, [&](auto u, auto item) {
    using U = decltype(u);
    const Operands<U, decltype(item)> io{
        key_rule<U>(x.dtype, descending),
        static_cast<const U*>(x.data),
        static_cast<U*>(values.data),
        static_cast<int64_t*>(indices.data),
        {x.strides[outer], values.strides[outer], indices.strides[outer]},
        offsets_of<kArgs>(l.args, x.shape, outer)};
    return sort_runs(l, plan, l.workspace, io, {rows_are_closer(x), rows_are_closer(values)}, err);
  });
}

}  // namespace

void add_sort(Registry& r) {
  constexpr uint64_t kOrdered = bit(BP_BOOL) | kReals;
  r.add(BP_OP_SORT, kOrdered, entry<run_order<BP_ATTR_SORT_DESCENDING>>, 0, order_workspace);
  r.add(BP_OP_TOPK, kOrdered, entry<run_order<BP_ATTR_TOPK_LARGEST>>, 0, order_workspace);
}

}  // namespace bp_gpu
