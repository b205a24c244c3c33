// SPDX-License-Identifier: Apache-2.0
// Bytes as lists of indices: what bp_tensor_index picks is what PyTorch's rules say of integers and
// masks, and bp_tensor_index_put with these values changes nothing.
#include <optional>
#include <vector>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/model.h"

namespace {

using fuzz::Shape;

fuzz::Tensor tensor_of(const std::vector<int64_t>& values, const Shape& shape, bp_dtype dtype) {
  bp_tensor *wide = nullptr, *t = nullptr;
  const int64_t nothing = 0;
  if (bp_tensor_from_data(values.empty() ? &nothing : values.data(),
                          static_cast<int32_t>(shape.size()), shape.data(), BP_I64, fuzz::kCpu,
                          &wide, nullptr) != BP_OK)
    fuzz::die("no tensor");
  const fuzz::Tensor owned(wide);
  if (bp_tensor_to(wide, 0, dtype, 0, 0, &t, nullptr) != BP_OK) fuzz::die("no cast");
  return fuzz::Tensor(t);
}

// Integers that stand for one dimension.
struct Integers {
  size_t dim;
  Shape shape;
  std::vector<int64_t> values;
};

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::NothingLeft nothing_left;
  fuzz::Input in(data, size);
  Shape shape;
  for (uint64_t n = in.below(4); n > 0; --n) shape.push_back(static_cast<int64_t>(in.below(4)));
  std::vector<int64_t> elements;
  for (int64_t i = 0; i < fuzz::count_of(shape); ++i) elements.push_back(i);
  const fuzz::Tensor x = tensor_of(elements, shape, BP_I64);

  std::vector<fuzz::Tensor> owned;
  std::vector<bp_tensor*> given;
  std::vector<Integers> picks;
  bool known = true;  // whether the model knows the answer
  size_t dim = 0;
  for (uint64_t n = 1 + in.below(3); n > 0; --n) {
    const uint64_t kind = in.below(4);
    if (kind == 0) {
      given.push_back(nullptr), ++dim;
      continue;
    }
    Shape s;
    for (uint64_t r = in.below(3); r > 0; --r) s.push_back(static_cast<int64_t>(in.below(4)));
    std::vector<int64_t> values;
    for (int64_t i = fuzz::count_of(s); i > 0; --i)
      values.push_back(kind == 1 ? static_cast<int64_t>(in.below(2)) : in.any_integer());
    if (kind == 1) {  // a mask is the integers of each of its dimensions
      known = known && !s.empty() && dim + s.size() <= shape.size() &&
              std::equal(s.begin(), s.end(), shape.begin() + static_cast<std::ptrdiff_t>(dim));
      std::vector<Integers> of(s.size());
      size_t at = 0;
      fuzz::each_index(s, [&](const Shape& i) {
        if (values[at++])
          for (size_t d = 0; d < s.size(); ++d) of[d].values.push_back(i[d]);
      });
      for (size_t d = 0; d < s.size(); ++d) {
        of[d].dim = dim++, of[d].shape = {static_cast<int64_t>(of[d].values.size())};
        picks.push_back(of[d]);
      }
    } else {
      picks.push_back({dim++, s, values});
    }
    owned.push_back(tensor_of(values, s, kind == 1 ? BP_BOOL : BP_I64));
    given.push_back(owned.back().get());
  }

  bp_tensor* t = nullptr;
  const bool ok = fuzz::attempt(bp_tensor_index, x.get(), given.data(),
                                static_cast<uint32_t>(given.size()), &t);
  const fuzz::Tensor y(t);
  std::optional<Shape> common = Shape{};
  for (const Integers& p : picks)
    if (common) common = fuzz::broadcast(*common, p.shape);
  bool good = common && dim <= shape.size();
  if (good && known)
    for (const Integers& p : picks)
      for (const int64_t v : p.values) good = good && v >= -shape[p.dim] && v < shape[p.dim];
  // Whether an index out of range matters that another, empty one keeps from being used, is left
  // open.
  if (known && !ok && good) fuzz::die("refused");
  if (known && ok && !good && common && fuzz::count_of(*common)) fuzz::die("accepted");
  if (!ok || !known || !good) return 0;

  bool neighbours = true;
  for (size_t k = 1; k < picks.size(); ++k)
    neighbours = neighbours && picks[k].dim == picks[k - 1].dim + 1;
  const size_t front = neighbours && !picks.empty() ? picks[0].dim : 0;
  Shape out;
  std::vector<size_t> kept;
  for (size_t d = 0; d < shape.size(); ++d)
    if (std::none_of(picks.begin(), picks.end(), [&](const Integers& p) { return p.dim == d; }))
      kept.push_back(d);
  for (const size_t d : kept) out.push_back(shape[d]);
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(front), common->begin(), common->end());
  std::vector<int64_t> want;
  fuzz::each_index(out, [&](const Shape& i) {
    Shape at(shape.size()), inner(i.begin() + static_cast<std::ptrdiff_t>(front),
                                  i.begin() + static_cast<std::ptrdiff_t>(front + common->size()));
    for (size_t k = 0; k < kept.size(); ++k) at[kept[k]] = i[k < front ? k : k + common->size()];
    for (const Integers& p : picks) {
      Shape own(inner.end() - static_cast<std::ptrdiff_t>(p.shape.size()), inner.end());
      for (size_t d = 0; d < own.size(); ++d)
        if (p.shape[d] == 1) own[d] = 0;
      const int64_t v = p.values[fuzz::flat(p.shape, own)];
      at[p.dim] = v < 0 ? v + shape[p.dim] : v;
    }
    want.push_back(elements[fuzz::flat(shape, at)]);
  });
  std::vector<int64_t> got(want.size() + 1);
  const int64_t* sizes = bp_tensor_shape(t);
  if (Shape(sizes, sizes + bp_tensor_rank(t)) != out) fuzz::die("another shape");
  if (bp_tensor_read(t, got.data(), want.size() * sizeof(int64_t), nullptr) != BP_OK)
    fuzz::die("it cannot be read");
  got.pop_back();
  if (got != want) fuzz::die("other elements");
  if (!fuzz::attempt(bp_tensor_index_put, x.get(), given.data(),
                     static_cast<uint32_t>(given.size()), t, 0u))
    fuzz::die("its own elements cannot be put back");
  std::vector<int64_t> after(elements.size() + 1);
  if (bp_tensor_read(x.get(), after.data(), elements.size() * sizeof(int64_t), nullptr) != BP_OK)
    fuzz::die("x cannot be read");
  after.pop_back();
  if (after != elements) fuzz::die("putting back changed something");
  return 0;
}
