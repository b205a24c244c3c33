// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cases/cases.h"
#include "cases/inputs.h"

namespace conformance {
namespace {

const Layout kOfSignals[] = {Layout::kContiguous, Layout::kTransposed, Layout::kSliced,
                             Layout::kFlipped};

// Every short length; then powers of two, the radices alone and mixed, primes beyond the largest
// radix, and lengths whose transforms are split in two, or just not.
const int64_t kLengths[] = {
    1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  11,   12,   13,   14,   15,   16,   17,  18,
    19,  20,  21,  22,  25,  27,  29,  30,  31,  32,  33,   49,   60,   61,   64,   67,   77,  97,
    121, 125, 128, 134, 210, 243, 256, 343, 505, 512, 1000, 1009, 1536, 2048, 3000, 4096, 8192};

std::vector<Call> one_axis(const std::string& op, bp_dtype t) {
  std::vector<Call> calls;
  const bool from_half = op == "fft_c2r", plain = op == "fft_c2c";
  auto add = [&](const Shape& shape, int64_t axis, Layout layout, uint64_t seed) {
    std::vector<Attribute> attrs = {int_attr("axis", axis)};
    const int64_t m = shape[wrap_axis(axis, shape.size())];
    if (from_half) attrs.push_back(int_attr("n", 2 * m - 1));
    calls.push_back({{tensor(make(t, shape, Flavor::kSmall, seed), layout)}, attrs});
    if (from_half && m > 1) {
      attrs[1] = int_attr("n", 2 * m - 2);
      attrs.push_back(float_attr("scale", 0.5));
      calls.push_back({{tensor(make(t, shape, Flavor::kSmall, seed), layout)}, attrs});
    }
    if (!plain) {
      attrs.push_back(flag_attr("conj", true));
      calls.push_back({{tensor(make(t, shape, Flavor::kSmall, seed), layout)}, attrs});
    }
    if (plain) {
      attrs.push_back(flag_attr("inverse", true));
      attrs.push_back(float_attr("scale", 0.25));
      calls.push_back({{tensor(make(t, shape, Flavor::kSmall, seed), layout)}, attrs});
    }
  };
  add({4, 6}, 1, Layout::kContiguous, 140);
  for (int64_t n : kLengths)
    // twice as many results there
    if (!from_half || n < 520) add({n}, 0, Layout::kContiguous, 141);
  for (Layout layout : kOfSignals)
    for (int64_t axis : {0, 1, 2}) add({3, 4, 5}, axis, layout, 142);
  for (int64_t rows : {2, 16, 17, 40}) add({rows, 24}, 1, Layout::kContiguous, 143);
  if (!from_half)  // several lines of several passes: none may write beyond its own
    for (int64_t n : {3000, 8192}) add({3, n}, 1, Layout::kContiguous, 147);
  // Lines that go together: in whole groups and parts of one, along rows and columns.
  for (int64_t n : {33, 50, 128, 256})
    for (int64_t lines : {5, 20}) {
      if (from_half && n > 128) continue;
      add({lines, n}, 1, Layout::kContiguous, 149);
      add({n, lines}, 0, Layout::kContiguous, 149);
    }
  add({96, 37}, 0, Layout::kTransposed, 144);
  add({6, 5}, 0, Layout::kSliced, 145);
  add({3, 134}, 1, Layout::kFlipped, 146);
  add({5, 520}, 1, Layout::kContiguous, 147);
  calls.push_back(calls[0]);
  calls.back().in[0] =
      tensor(repeat_first(make(t, {6, 6}, Flavor::kSmall, 148)), Layout::kExpanded);
  if (from_half) calls.back().attrs = {int_attr("axis", 1), int_attr("n", 10)};
  return calls;
}

std::vector<Call> one_axis_composed(bp_dtype t) {
  std::vector<Call> calls;
  auto add = [&](const Shape& shape, std::vector<Attribute> attrs,
                 Layout layout = Layout::kContiguous) {
    calls.push_back({{tensor(make(t, shape, Flavor::kSmall, 150), layout)}, std::move(attrs)});
  };
  add({4, 6}, {});
  for (const char* norm : {"backward", "forward", "ortho"}) add({5, 7}, {str_attr("norm", norm)});
  for (int64_t n : {1, 2, 3, 5, 6, 9, 16, 40})
    add({3, 6}, {int_attr("n", n), int_attr("axis", -1)});
  for (Layout layout : kOfSignals)
    add({6, 4, 3}, {int_attr("axis", 1), int_attr("n", 7), str_attr("norm", "ortho")}, layout);
  add({2, 134}, {});
  add({0, 6}, {});
  return calls;
}

std::vector<Call> several_axes(bp_dtype t) {
  std::vector<Call> calls;
  auto add = [&](const Shape& shape, std::vector<Attribute> attrs,
                 Layout layout = Layout::kContiguous) {
    calls.push_back({{tensor(make(t, shape, Flavor::kSmall, 151), layout)}, std::move(attrs)});
  };
  add({4, 6}, {});
  for (const char* norm : {"backward", "forward", "ortho"}) add({5, 7}, {str_attr("norm", norm)});
  for (Layout layout : kOfSignals) add({3, 4, 5}, {ints_attr("axes", {2, 0})}, layout);
  add({3, 4, 5}, {ints_attr("s", {6, 3})});
  add({3, 4, 5}, {ints_attr("s", {2, 8}), ints_attr("axes", {1, 0}), str_attr("norm", "forward")});
  add({3, 4, 5}, {ints_attr("s", {-1, 4}), ints_attr("axes", {0, -1})});
  add({20, 30}, {});
  add({7}, {});
  return calls;
}

}  // namespace

std::vector<Call> fft_cases(const Spec& spec, bp_dtype t) {
  const std::string op = spec.op;
  if (op.substr(0, 4) == "fft_") return one_axis(op, t);
  return op.back() == 'n' ? several_axes(t) : one_axis_composed(t);
}

}  // namespace conformance
