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
    for (auto family : {ops::unary(),         ops::binary(),    ops::activation(), ops::convert(),
                        ops::reduce(),        ops::rows(),      ops::statistics(), ops::linear(),
                        ops::linalg(),        ops::fft(),       ops::products(),   ops::indexing(),
                        ops::scatter(),       ops::selecting(), ops::creation(),   ops::random(),
                        ops::manipulate(),    ops::loss(),      ops::normalize(),  ops::network(),
                        ops::convolution(),   ops::pooling(),   ops::resample(),   ops::einsum(),
                        ops::complex_parts(), ops::foreach ()})
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
