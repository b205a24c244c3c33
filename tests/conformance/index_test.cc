// SPDX-License-Identifier: Apache-2.0
// Indexing by tensors: bp_tensor_index and bp_tensor_index_put against the definition, on every
// backend: random shapes, layouts, dtypes and mixtures of whole dimensions, integers and masks; and
// what is refused.
#include "oracle/index.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "kit/answer.h"
#include "session.h"

namespace conformance {
namespace {

using bp_test::attempt;

using Engine = std::mt19937_64;

int64_t below(Engine& r, int64_t n) { return static_cast<int64_t>(r() % static_cast<uint64_t>(n)); }
Array array_of(bp_dtype t, const Shape& shape, std::vector<Real> values) {
  return {t, shape, std::move(values), {}};
}

// What stands at one place of the list; nothing: whole dimensions.
using Entry = std::optional<Array>;

// ---- the definition ----

// Masks become integers: a list of indices for each dimension they stand for.
std::vector<Entry> without_masks(const std::vector<Entry>& entries) {
  std::vector<Entry> out;
  for (const Entry& e : entries) {
    if (!e || !is_bool(e->dtype)) {
      out.push_back(e);
      continue;
    }
    std::vector<std::vector<Real>> columns(e->shape.size());
    size_t i = 0;
    each_index(e->shape, [&](const Shape& at) {
      if (e->re[i++] == 0) return;
      for (size_t d = 0; d < at.size(); ++d) columns[d].push_back(static_cast<Real>(at[d]));
    });
    for (auto& c : columns) out.push_back(array_of(BP_I64, {static_cast<int64_t>(c.size())}, c));
  }
  return out;
}

struct Picked {
  Shape shape;
  std::vector<size_t> from;  // positions in x, in row-major order of the result
};

Picked picked(const Shape& x, const std::vector<Entry>& given) {
  std::vector<Entry> at = without_masks(given);
  at.resize(x.size());
  Shape joined;
  std::vector<size_t> indexed;
  for (size_t d = 0; d < at.size(); ++d)
    if (at[d]) joined = broadcast(joined, at[d]->shape), indexed.push_back(d);
  const bool neighbours = indexed.empty() || indexed.back() - indexed.front() + 1 == indexed.size();
  const size_t first = neighbours && !indexed.empty() ? indexed.front() : 0;
  Picked p;
  std::vector<size_t> kept;  // dims of x behind the kept dims of the result
  for (size_t d = 0; d < x.size(); ++d)
    if (!at[d]) kept.push_back(d);
  for (size_t i = 0; i < first; ++i) p.shape.push_back(x[kept[i]]);
  p.shape.insert(p.shape.end(), joined.begin(), joined.end());
  for (size_t i = first; i < kept.size(); ++i) p.shape.push_back(x[kept[i]]);
  std::vector<Array> wide(at.size());
  for (size_t d : indexed) wide[d] = expand(*at[d], joined);
  each_index(p.shape, [&](const Shape& out) {
    const Shape middle(out.begin() + static_cast<long>(first),
                       out.begin() + static_cast<long>(first + joined.size()));
    Shape from(x.size());
    for (size_t i = 0; i < kept.size(); ++i) from[kept[i]] = out[i < first ? i : i + joined.size()];
    for (size_t d : indexed) {
      from[d] = static_cast<int64_t>(value_at(wide[d], middle));
      if (from[d] < 0) from[d] += x[d];
    }
    p.from.push_back(place_of(x, from));
  });
  return p;
}

// ---- random calls ----

struct Program {
  Array x;
  Layout layout;
  std::vector<Entry> entries;
};

Entry integers(Engine& r, const Shape& shape, int64_t size) {
  const bp_dtype dtypes[] = {BP_I64, BP_I32, BP_I16};
  Array a = array_of(dtypes[below(r, 3)], shape, {});
  for (int64_t i = 0; i < count_of(shape); ++i)
    a.re.push_back(static_cast<Real>(below(r, 2 * size) - size));
  return a;
}

Program random_program(Engine& r) {
  const bp_dtype dtypes[] = {BP_F32, BP_I64, BP_U8, BP_F16, BP_BOOL};
  const Layout layouts[] = {Layout::kContiguous, Layout::kTransposed, Layout::kSliced,
                            Layout::kFlipped};
  Program p{array_of(dtypes[below(r, 5)], {}, {}), layouts[below(r, 4)], {}};
  for (int64_t rank = 1 + below(r, 4); rank > 0; --rank) p.x.shape.push_back(1 + below(r, 4));
  for (int64_t i = 0; i < count_of(p.x.shape); ++i)
    p.x.re.push_back(is_bool(p.x.dtype) ? static_cast<Real>(below(r, 2))
                                        : static_cast<Real>(i % 250));
  const Shape shapes[] = {{3}, {2, 3}, {2, 1}, {}, {1}, {0}};
  const Shape mine = shapes[below(r, 6)];
  int64_t trues = -1;  // masks that broadcast have equally many
  for (size_t d = 0; d < p.x.shape.size();) {
    const int64_t what = below(r, 5);
    if (what < 2) {
      p.entries.push_back({}), ++d;
    } else if (what < 4 || trues != -1 || !(mine == Shape{1} || mine.empty())) {
      const Shape ones(mine.size(), 1);
      p.entries.push_back(integers(r, below(r, 3) ? mine : ones, p.x.shape[d])), ++d;
    } else {
      const size_t n =
          1 + static_cast<size_t>(below(r, static_cast<int64_t>(p.x.shape.size() - d)));
      Array mask = array_of(BP_BOOL,
                            Shape(p.x.shape.begin() + static_cast<long>(d),
                                  p.x.shape.begin() + static_cast<long>(d + n)),
                            {});
      for (trues = 0; static_cast<int64_t>(mask.re.size()) < count_of(mask.shape);)
        mask.re.push_back(static_cast<Real>(below(r, 2))), trues += mask.re.back() != 0;
      p.entries.push_back(mask), d += n;
    }
    if (below(r, 6) == 0) break;
  }
  return p;
}

struct Held {
  std::vector<Handle> own;
  std::vector<bp_tensor*> list;
};
Held put_entries(const std::vector<Entry>& entries, bp_device device) {
  Held h;
  for (const Entry& e : entries) {
    h.own.push_back(e ? put(*e, Layout::kContiguous, device) : nullptr);
    h.list.push_back(h.own.back().get());
  }
  return h;
}

std::string program_text(const Program& p) {
  std::string s =
      std::string(name_of(p.x.dtype)) + text_of(p.x.shape) + " " + name_of(p.layout) + " at";
  for (const Entry& e : p.entries) {
    s += e ? std::string(" ") + name_of(e->dtype) + text_of(e->shape) + "{" : " :";
    for (size_t i = 0; e && i < e->size(); ++i)
      s += text_of(e->re[i]) + (i + 1 < e->size() ? " " : "}");
  }
  return s;
}

const bp_device kCpu = bp_device_make(BP_KIND_CPU, -1);
std::vector<bp_device> able_devices() {
  std::vector<bp_device> out;
  for (bp_device d : all_devices())
    if (supported(op_named("flat_nonzero").id, BP_BOOL, d)) out.push_back(d);
  return out;
}

TEST(Index, PicksByDefinition) {
  Engine r(1);
  for (bp_device d : able_devices())
    for (int i = 0; i < 400; ++i) {
      const Program p = random_program(r);
      const Picked want = picked(p.x.shape, p.entries);
      const Handle x = put(p.x, p.layout, d);
      const Held at = put_entries(p.entries, i % 3 ? d : kCpu);
      bp_tensor* out = nullptr;
      const auto a = attempt(bp_tensor_index, x.get(), at.list.data(),
                             static_cast<uint32_t>(at.list.size()), &out);
      ASSERT_EQ(a.status, BP_OK) << program_text(p) << ": " << a.message;
      const Handle held(out);
      const Array got = get(out);
      ASSERT_EQ(got.shape, want.shape) << program_text(p);
      for (size_t k = 0; k < want.from.size(); ++k)
        ASSERT_EQ(got.re[k], p.x.re[want.from[k]]) << program_text(p) << " at " << k;
    }
}

TEST(Index, PutsByDefinition) {
  Engine r(2);
  for (bp_device d : able_devices())
    for (int i = 0; i < 400; ++i) {
      const Program p = random_program(r);
      const bool accumulate = i % 4 == 0 && !is_bool(p.x.dtype);
      const Picked want = picked(p.x.shape, p.entries);
      Shape shape = want.shape;
      if (i % 5 == 0) shape = {};  // one value for all
      if (i % 5 == 1 && !shape.empty()) shape.erase(shape.begin());
      Array values = array_of(p.x.dtype, shape, {});
      for (int64_t k = 0; k < count_of(shape); ++k)
        values.re.push_back(is_bool(p.x.dtype) ? static_cast<Real>(below(r, 2))
                                               : static_cast<Real>(below(r, 100)));
      Array now = p.x;
      const Array all = expand(values, want.shape);
      for (size_t k = 0; k < want.from.size(); ++k) {
        Real& to = now.re[want.from[k]];
        to = accumulate ? to + all.re[k] : all.re[k];
        if (p.x.dtype == BP_U8) to = from_bits(to_bits(to), BP_U8);
        if (p.x.dtype == BP_F16) to = round_to(to, BP_F16);
      }
      const Handle x = put(p.x, p.layout, d), v = put(values, Layout::kContiguous, d);
      const Held at = put_entries(p.entries, i % 3 ? d : kCpu);
      const auto a = attempt(bp_tensor_index_put, x.get(), at.list.data(),
                             static_cast<uint32_t>(at.list.size()), v.get(), accumulate);
      ASSERT_EQ(a.status, BP_OK) << program_text(p) << ": " << a.message;
      const Array got = get(x.get());
      for (size_t k = 0; k < now.size(); ++k)
        ASSERT_EQ(got.re[k], now.re[k]) << program_text(p) << (accumulate ? " accumulated" : "")
                                        << " values " << text_of(shape) << " at " << k;
    }
}

TEST(Index, RefusesWithTheValues) {
  struct Row {
    Shape x;
    std::vector<Entry> at;
    bp_status status;
    const char* message;
  };
  const auto ints = [](Shape s, std::vector<Real> v) {
    return array_of(BP_I64, std::move(s), std::move(v));
  };
  const Row rows[] = {
      {{3, 4},
       {ints({2}, {0, 3})},
       BP_INDEX_OUT_OF_RANGE,
       "index 3 is out of bounds for dimension 0 with size 3"},
      {{3, 4},
       {{}, ints({}, {-5})},
       BP_INDEX_OUT_OF_RANGE,
       "index -5 is out of bounds for dimension 1 with size 4"},
      {{3},
       {ints({1}, {0}), ints({1}, {0})},
       BP_INDEX_OUT_OF_RANGE,
       "too many indices for tensor of dimension 1"},
      {{2, 3},
       {array_of(BP_BOOL, {2, 3}, {1, 1, 1, 1, 1, 1}), ints({}, {9})},
       BP_INDEX_OUT_OF_RANGE,
       "too many indices for tensor of dimension 2"},
      {{3, 4},
       {ints({2}, {0, 1}), ints({3}, {0, 1, 2})},
       BP_INDEX_OUT_OF_RANGE,
       "shape mismatch: indexing tensors could not be broadcast together with shapes [2], [3]"},
      {{3, 4},
       {array_of(BP_BOOL, {2}, {1, 0})},
       BP_INDEX_OUT_OF_RANGE,
       "The shape of the mask [2] at index 0 does not match the shape of the indexed tensor [3, 4] at index 0"},
      {{3, 4},
       {array_of(BP_F32, {1}, {1})},
       BP_DTYPE_MISMATCH,
       "tensors used as indices must be of an integer dtype or bool, got Float"},
  };
  for (const Row& row : rows) {
    const Handle x =
        put(array_of(BP_F32, row.x, std::vector<Real>(static_cast<size_t>(count_of(row.x)))),
            Layout::kContiguous, kCpu);
    const Held at = put_entries(row.at, kCpu);
    bp_tensor* out = nullptr;
    for (bool writes : {false, true}) {
      const Handle v = put(array_of(BP_F32, {}, {1}), Layout::kContiguous, kCpu);
      const auto n = static_cast<uint32_t>(at.list.size());
      const auto a = writes ? attempt(bp_tensor_index_put, x.get(), at.list.data(), n, v.get(), 0u)
                            : attempt(bp_tensor_index, x.get(), at.list.data(), n, &out);
      EXPECT_EQ(a.status, row.status);
      EXPECT_EQ(a.message, row.message);
    }
  }
}

TEST(Index, PutRefusesValuesThatDoNotFit) {
  const Handle x = put(array_of(BP_F32, {3, 4}, std::vector<Real>(12)), Layout::kContiguous, kCpu);
  const Handle at = put(array_of(BP_I64, {2}, {0, 2}), Layout::kContiguous, kCpu);
  bp_tensor* list[] = {at.get()};
  const auto refused = [&](const Array& values) {
    const Handle v = put(values, Layout::kContiguous, kCpu);
    return attempt(bp_tensor_index_put, x.get(), list, 1u, v.get(), 0u).message;
  };
  EXPECT_EQ(
      refused(array_of(BP_F32, {3}, {1, 2, 3})),
      "shape mismatch: value tensor of shape [3] cannot be broadcast to indexing result of shape [2, 4]");
  EXPECT_EQ(
      refused(array_of(BP_F64, {}, {1})),
      "Index put requires the source and destination dtypes match, got Float for the destination and Double for the source.");
  EXPECT_EQ(get(x.get()).re, std::vector<Real>(12));
}

}  // namespace
}  // namespace conformance
