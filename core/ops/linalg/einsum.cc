// SPDX-License-Identifier: Apache-2.0
// einsum.cc: sums of products over named axes. The equation gives each axis of each operand a
// label; labels that the result does not have are summed. Operands are brought to one order of
// axes, the result's labels first, and joined from the left: axes of both that nothing later needs
// are contracted by matmul.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/ops/families.h"
#include "core/ops/made_of.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

constexpr AttrSpecs kEinsumAttrs{required_str_attr("equation")};

// Labels are A-Z, a-z, then the axes of "...", of which the last has the last label.
constexpr int64_t kLetters = 52;
constexpr int64_t kLabels = kLetters + BP_MAX_RANK;

struct Equation {
  std::vector<Dims> in;  // labels of each operand's axes
  Dims out;
  std::array<int64_t, kLabels> size;  // by label; -1: not used
  Equation() { size.fill(-1); }
};

int64_t label_of(char c) {
  return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : -1;
}
char letter_of(int64_t label) {
  return static_cast<char>(label < 26 ? 'A' + label : 'a' + label - 26);
}

// Returns the labels of an operand or the result: one for each letter and, for at most one "...",
// `dots` labels; for dots < 0 as many as the rank leaves.
Dims labels(std::string_view text, const char* whose, size_t i, int64_t rank, int64_t dots) {
  Dims found;
  int64_t at = -1;
  for (size_t p = 0; p < text.size(); ++p) {
    if (text[p] == ' ') continue;
    if (text[p] == '.') {
      if (text.substr(p, 3) != "...")
        fail(BP_INVALID_ARGUMENT, "einsum(): found '.' for {} {} that is not part of any ellipsis",
             whose, i);
      if (at >= 0)
        fail(BP_INVALID_ARGUMENT,
             "einsum(): found '.' for {} {} for which an ellipsis was already found", whose, i);
      at = found.size(), p += 2;
      continue;
    }
    const int64_t label = label_of(text[p]);
    if (label < 0)
      fail(
          BP_INVALID_ARGUMENT,
          "einsum(): invalid subscript given at index {} of {} {}, subscripts must be in [a-zA-Z], got '{}'",
          p, whose, i, text[p]);
    found.push_back(label);
  }
  const auto letters = static_cast<int64_t>(found.size());
  if (dots < 0 && (at < 0 ? letters != rank : letters > rank))
    fail(
        BP_INVALID_ARGUMENT,
        "einsum(): the number of subscripts in the equation ({}) {} the number of dimensions ({}) for {} {}{}",
        letters, at < 0 ? "does not match" : "is more than", rank, whose, i,
        at < 0 ? " and no ellipsis was given" : "");
  if (dots < 0) dots = rank - letters;
  for (int64_t d = 0; at >= 0 && d < dots; ++d)
    found.insert(static_cast<uint32_t>(at + d), kLabels - dots + d);
  return found;
}

void learn_sizes(Equation& e, size_t i, Span shape) {
  for (uint32_t d = 0; d < e.in[i].size(); ++d) {
    for (uint32_t b = 0; b < d; ++b)
      if (e.in[i][b] == e.in[i][d] && shape[b] != shape[d])
        fail(
            BP_INVALID_ARGUMENT,
            "einsum(): subscript {} is repeated for operand {} but the sizes don't match, {} != {}",
            letter_of(e.in[i][d]), i, shape[d], shape[b]);
    int64_t& size = e.size[static_cast<size_t>(e.in[i][d])];
    if (size >= 0 && size != 1 && shape[d] != 1 && shape[d] != size) {
      const int64_t label = e.in[i][d];
      fail(
          BP_INVALID_ARGUMENT,
          "einsum(): {} has size {} for operand {} which does not broadcast with previously seen size {}",
          label < kLetters ? std::string("subscript ") + letter_of(label)
                           : "a dimension of the ellipsis",
          shape[d], i, size);
    }
    if (size < 0 || size == 1) size = shape[d];
  }
}

// Without "->" the result has the axes of the ellipsis, then every letter that stands once, in the
// order of the alphabet.
Dims implicit_result(const Equation& e) {
  std::array<int, kLabels> times{};
  for (const Dims& in : e.in)
    for (int64_t label : in) ++times[static_cast<size_t>(label)];
  Dims out;
  for (int64_t label = kLetters; label < kLabels; ++label)
    if (times[static_cast<size_t>(label)]) out.push_back(label);
  for (int64_t label = 0; label < kLetters; ++label)
    if (times[static_cast<size_t>(label)] == 1) out.push_back(label);
  return out;
}

template <class ShapeOf>
Equation parse(std::string_view text, size_t n, const ShapeOf& shape_of) {
  Equation e;
  const size_t arrow = text.find("->");
  std::string_view left = text.substr(0, arrow);
  const auto operands = static_cast<size_t>(std::count(left.begin(), left.end(), ',')) + 1;
  if (operands != n)
    fail(BP_INVALID_ARGUMENT,
         "einsum(): {} operands were provided than specified in the equation: {} for '{}'",
         operands < n ? "more" : "fewer", n, text);
  int64_t dots = 0;
  for (size_t i = 0; i < n; ++i) {
    const size_t comma = left.find(',');
    e.in.push_back(
        labels(left.substr(0, comma), "operand", i, static_cast<int64_t>(shape_of(i).size()), -1));
    dots = std::max<int64_t>(dots, std::count_if(e.in[i].begin(), e.in[i].end(),
                                                 [](int64_t l) { return l >= kLetters; }));
    learn_sizes(e, i, shape_of(i));
    if (comma != left.npos) left.remove_prefix(comma + 1);
  }
  e.out = arrow == text.npos ? implicit_result(e)
                             : labels(text.substr(arrow + 2), "result", 0, 0, dots);
  for (uint32_t d = 0; d < e.out.size(); ++d) {
    const int64_t label = e.out[d];
    if (e.size[static_cast<size_t>(label)] < 0)
      fail(BP_INVALID_ARGUMENT,
           "einsum(): output subscript {} does not appear in the equation for any input operand",
           letter_of(label));
    if (std::count(e.out.begin(), e.out.end(), label) > 1)
      fail(BP_INVALID_ARGUMENT,
           "einsum(): output subscript {} appears more than once in the output", letter_of(label));
  }
  return e;
}

void einsum_shape(Inference& f) {
  const Equation e =
      parse(f.str(kEinsumAttrs["equation"]), f.in.size(), [&](size_t i) { return f.in[i].shape; });
  for (int64_t label : e.out) f.out_shape[0].push_back(e.size[static_cast<size_t>(label)]);
}

// Returns a view of the operand with its axes in this order of labels: size 1 where it lacks a
// label, the diagonal of a label that stands twice.
Ref<Tensor> ordered(const Tensor& t, const Dims& labels, const Dims& order) {
  Dims shape(order.size(), 1), strides(order.size(), 0);
  for (uint32_t d = 0; d < labels.size(); ++d) {
    const auto at =
        static_cast<uint32_t>(std::find(order.begin(), order.end(), labels[d]) - order.begin());
    if (t.shape[d] != 1) shape[at] = t.shape[d], strides[at] += t.strides[d];
  }
  return strided(t, shape, strides, t.offset);
}

Ref<Tensor> summed(const Ref<Tensor>& t, const Dims& axes) {
  if (axes.empty()) return t;
  return invoke(BP_OP_SUM, {t}, {ints_value(axes), flag_value(true), dtype_value(t->dtype)});
}

// Returns the product of a and b, which have the same axes. Those of `gone` are summed: in the
// product where both have them, else before it.
Ref<Tensor> contract(Ref<Tensor> a, Ref<Tensor> b, const SmallVec<bool, 8>& gone) {
  Dims only_a, only_b, batch, rows, columns, inner;
  for (uint32_t d = 0; d < a->rank(); ++d) {
    const bool in_a = a->shape[d] != 1, in_b = b->shape[d] != 1;
    if (gone[d] && (in_a || in_b))
      (in_a && in_b ? inner : in_a ? only_a : only_b).push_back(d);
    else if (!gone[d])
      (in_a && !in_b ? rows : in_b && !in_a ? columns : batch).push_back(d);
  }
  a = summed(a, only_a), b = summed(b, only_b);
  if (inner.empty()) return mul(a, b);
  const auto matrix = [&](const Ref<Tensor>& t, const Dims& first, const Dims& second) {
    Dims order = batch, shape{1, 1, 1};
    for (int64_t d : batch) shape[0] *= t->shape[d];
    for (int64_t d : first) order.push_back(d), shape[1] *= t->shape[d];
    for (int64_t d : second) order.push_back(d), shape[2] *= t->shape[d];
    for (uint32_t d = 0; d < t->rank(); ++d)
      if (std::find(order.begin(), order.end(), d) == order.end()) order.push_back(d);
    return reshape(*permute(*t, order), shape);
  };
  Ref<Tensor> c = product(matrix(a, rows, inner), matrix(b, inner, columns));
  Dims order, shape, back(a->rank(), 0);
  for (const Dims* part : {&batch, &rows, &columns}) order.append(part->begin(), part->end());
  for (int64_t d : order)
    shape.push_back(std::find(columns.begin(), columns.end(), d) == columns.end() ? a->shape[d]
                                                                                  : b->shape[d]);
  for (uint32_t d = 0; d < a->rank(); ++d)
    if (gone[d]) order.push_back(d), shape.push_back(1);
  for (uint32_t d = 0; d < order.size(); ++d) back[order[d]] = d;
  return permute(*reshape(*c, shape), back);
}

void einsum(Composer& c) {
  const Equation e = parse(c.str(kEinsumAttrs["equation"]), c.in.size(),
                           [&](size_t i) { return Span(c.tensor(i).shape); });
  Dims order = e.out;
  for (int64_t label = 0; label < kLabels; ++label)
    if (e.size[static_cast<size_t>(label)] >= 0 &&
        std::find(e.out.begin(), e.out.end(), label) == e.out.end())
      order.push_back(label);
  if (order.size() > BP_MAX_RANK)
    fail(BP_INVALID_ARGUMENT, "einsum(): {} different dimensions, at most {} are possible",
         order.size(), +BP_MAX_RANK);
  // An axis may be summed when the last operand that has it is joined.
  SmallVec<size_t, 8> last(order.size(), 0);
  for (size_t i = 0; i < c.in.size(); ++i)
    for (int64_t label : e.in[i])
      last[static_cast<uint32_t>(std::find(order.begin(), order.end(), label) - order.begin())] = i;
  Ref<Tensor> y = ordered(*c.wide(0), e.in[0], order);
  for (size_t i = 1; i < c.in.size(); ++i) {
    SmallVec<bool, 8> gone;
    for (uint32_t d = 0; d < order.size(); ++d) gone.push_back(d >= e.out.size() && last[d] <= i);
    y = contract(y, ordered(*c.wide(i), e.in[i], order), gone);
  }
  Dims rest;
  for (uint32_t d = e.out.size(); d < order.size(); ++d)
    if (c.in.size() == 1 || y->shape[d] != 1) rest.push_back(d);
  c.out[0] = reshape(*summed(y, rest), c.plan.out_shape[0]);
}

// clang-format off
constexpr OpRow kEinsumRows[] = {
    {.id = 197, .name = "einsum", .inputs = {{{"operands", Role::kList}}}, .attrs = kEinsumAttrs,
     .layout = Layout::kGeneral, .dtype = rule::arithmetic, .shape = einsum_shape, .compose = einsum,
     .doc = "Sums of products: a letter of the equation names an axis, as in \"bij,bjk->bik\"; letters that the result does not "
            "have are summed, \"...\" stands for the axes without one, and without \"->\" the result has the letters that stand "
            "once, in alphabetical order. Operands are joined from the left. Error as matmul."},
};
// clang-format on
}  // namespace

std::span<const OpRow> einsum_rows() { return kEinsumRows; }

}  // namespace bp::ops
