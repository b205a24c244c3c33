// SPDX-License-Identifier: Apache-2.0
// table.cc: the families joined in id order, with lookups by id and by name.
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/ops/families.h"

namespace bp {
namespace {

struct Table {
  std::vector<const OpRow*> rows;
  std::array<const OpRow*, kMaxBuiltinOp> by_id{};

  Table() {
    for (auto family : {ops::unary_rows(),      ops::binary_rows(),        ops::activation_rows(),
                        ops::convert_rows(),    ops::complex_parts_rows(), ops::reduce_rows(),
                        ops::along_axis_rows(), ops::statistics_rows(),    ops::indexing_rows(),
                        ops::scatter_rows(),    ops::selecting_rows(),     ops::manipulate_rows(),
                        ops::linear_rows(),     ops::linalg_rows(),        ops::products_rows(),
                        ops::einsum_rows(),     ops::fft_rows(),           ops::loss_rows(),
                        ops::normalize_rows(),  ops::network_rows(),       ops::convolution_rows(),
                        ops::pooling_rows(),    ops::resample_rows(),      ops::creation_rows(),
                        ops::random_rows(),     ops::foreach_rows(),       ops::gamma_rows(),
                        ops::unfold_rows(),     ops::distance_rows(),      ops::recurrent_rows()})
      for (const OpRow& row : family) rows.push_back(&row);
    std::sort(rows.begin(), rows.end(), [](auto* a, auto* b) { return a->id < b->id; });
    for (const OpRow* row : rows) by_id[row->id] = row;
  }
};

const Table& table() {
  static const Table& t = *new Table;  // never destroyed: releases may come at exit
  return t;
}

}  // namespace

std::span<const OpRow* const> op_table() { return table().rows; }

const OpRow* find_op(uint32_t id) { return id < kMaxBuiltinOp ? table().by_id[id] : nullptr; }

const OpRow* find_op(std::string_view name) {
  for (const OpRow* row : table().rows)
    if (row->name == name) return row;
  return nullptr;
}

}  // namespace bp
