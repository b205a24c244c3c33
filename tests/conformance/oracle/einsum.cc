// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "oracle/dot.h"
#include "oracle/index.h"

namespace conformance {
namespace einsum_specs {
namespace {

// "..." as digits, the last axis 0.
std::string spelled(std::string labels, size_t rank) {
  const size_t at = labels.find("...");
  if (at == std::string::npos) return labels;
  std::string digits;
  for (size_t d = rank - (labels.size() - 3); d-- > 0;) digits += static_cast<char>('0' + d);
  return labels.replace(at, 3, digits);
}

// Every index of the result and of what is summed, as one walk.
Answer einsum(const Call& call) {
  std::string left, equation = call.str("equation", "");
  equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
  const size_t arrow = equation.find("->");
  left = equation.substr(0, arrow) + ",";
  std::vector<std::string> labels;
  std::map<char, int64_t> size, times;
  size_t dots = 0;
  for (const Operand& x : call.in) {
    const Shape& shape = x.array.shape;
    const std::string own = left.substr(0, left.find(','));
    left.erase(0, own.size() + 1);
    if (own.find('.') != std::string::npos) dots = std::max(dots, shape.size() + 3 - own.size());
    labels.push_back(spelled(own, shape.size()));
    for (size_t d = 0; d < shape.size(); ++d) {
      ++times[labels.back()[d]];
      if (!size.count(labels.back()[d]) || shape[d] != 1) size[labels.back()[d]] = shape[d];
    }
  }
  std::string out;
  if (arrow != std::string::npos) {
    out = equation.substr(arrow + 2);
    out = spelled(out, out.find('.') == std::string::npos ? 0 : dots + out.size() - 3);
  } else {
    for (size_t d = dots; d-- > 0;) out += static_cast<char>('0' + d);
    for (auto [c, n] : times)
      if (n == 1 && c > '9') out += c;
  }
  std::string inner;
  for (auto [c, n] : times)
    if (out.find(c) == std::string::npos) inner += c;
  const bp_dtype t = call.in[0].array.dtype;
  Shape shape, rest;
  for (char c : out) shape.push_back(size[c]);
  for (char c : inner) rest.push_back(size[c]);
  Expected e = sums(t, shape);
  each_index(shape, [&](const Shape& at) {
    Dot dot{t};
    std::map<char, int64_t> place;
    for (size_t d = 0; d < at.size(); ++d) place[out[d]] = at[d];
    each_index(rest, [&](const Shape& k) {
      for (size_t d = 0; d < k.size(); ++d) place[inner[d]] = k[d];
      Real product = 1;
      for (size_t i = 0; i < labels.size(); ++i) {
        const Array& x = call.in[i].array;
        Shape from;
        for (size_t d = 0; d < x.shape.size(); ++d)
          from.push_back(x.shape[d] == 1 ? 0 : place[labels[i][d]]);
        product *= value_at(x, from);
      }
      dot.add(product, 1);
    });
    dot.append_to(e);
  });
  return {e};
}

constexpr Spec kSpecs[] = {{"einsum", Family::kComposed, kInts | kFloats, einsum}};

}  // namespace
}  // namespace einsum_specs

std::span<const Spec> einsum_oracles() { return einsum_specs::kSpecs; }

}  // namespace conformance
