// SPDX-License-Identifier: Apache-2.0
// Bytes as operands and an equation of einsum: an error, or, where no "..." stands in it, the sums
// of products that the letters say.
#include <array>
#include <vector>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/model.h"

namespace {

using fuzz::Shape, fuzz::Values;

struct Operand {
  Shape shape;
  Values values;
  fuzz::Tensor tensor;
};

// Splits at commas, without spaces.
std::vector<std::string> terms(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == ',')
      out.emplace_back();
    else if (c != ' ')
      out.back() += c;
  }
  return out;
}

// The plain sum over all labels, of an equation that the library accepted.
Values summed(const std::string& equation, const std::vector<Operand>& in) {
  const size_t arrow = equation.find("->");
  const std::vector<std::string> left = terms(equation.substr(0, arrow));
  std::array<int, 256> times{};
  std::array<int64_t, 256> size{};
  for (size_t k = 0; k < in.size(); ++k)
    for (size_t d = 0; d < left[k].size(); ++d) {
      const auto label = static_cast<unsigned char>(left[k][d]);
      if (++times[label] == 1 || in[k].shape[d] != 1) size[label] = in[k].shape[d];
    }
  std::string out, order;
  if (arrow == std::string::npos) {
    for (int label = 0; label < 256; ++label)
      if (times[static_cast<size_t>(label)] == 1) out += static_cast<char>(label);
  } else {
    out = terms(equation.substr(arrow + 2)).front();
  }
  order = out;
  for (int label = 0; label < 256; ++label)
    if (times[static_cast<size_t>(label)] && out.find(static_cast<char>(label)) == out.npos)
      order += static_cast<char>(label);
  Shape all;
  for (const char label : order) all.push_back(size[static_cast<unsigned char>(label)]);
  const Shape kept(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(out.size()));
  Values sums(static_cast<size_t>(fuzz::count_of(kept)));
  fuzz::each_index(all, [&](const Shape& i) {
    double product = 1;
    for (size_t k = 0; k < in.size(); ++k) {
      Shape at;
      for (size_t d = 0; d < left[k].size(); ++d)
        at.push_back(in[k].shape[d] == 1 ? 0 : i[order.find(left[k][d])]);
      product *= in[k].values[fuzz::flat(in[k].shape, at)];
    }
    sums[fuzz::flat(kept, Shape(i.begin(), i.begin() + static_cast<std::ptrdiff_t>(out.size())))] +=
        product;
  });
  return sums;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::NothingLeft nothing_left;
  fuzz::Input in(data, size);
  std::vector<Operand> operands(1 + in.below(3));
  std::vector<bp_tensor*> tensors;
  for (Operand& o : operands) {
    for (uint64_t n = in.below(5); n > 0; --n) o.shape.push_back(static_cast<int64_t>(in.below(4)));
    for (int64_t i = fuzz::count_of(o.shape); i > 0; --i)
      o.values.push_back(static_cast<double>(i % 7 - 3));
    bp_tensor* t = nullptr;
    const double nothing = 0;
    if (bp_tensor_from_data(o.values.empty() ? &nothing : o.values.data(),
                            static_cast<int32_t>(o.shape.size()), o.shape.data(), BP_F64,
                            fuzz::kCpu, &t, nullptr) != BP_OK)
      fuzz::die("no operand");
    o.tensor.reset(t);
    tensors.push_back(t);
  }
  const std::string equation = in.rest().c_str();
  bp_tensor* t = nullptr;
  if (!fuzz::attempt(bp_einsum, tensors.data(), static_cast<uint32_t>(tensors.size()),
                     equation.c_str(), &t))
    return 0;
  const fuzz::Tensor y(t);
  if (equation.find('.') != std::string::npos) return 0;
  try {
    const Values want = summed(equation, operands);
    Values got(want.size() + 1);
    if (bp_tensor_read(t, got.data(), want.size() * sizeof(double), nullptr) != BP_OK)
      fuzz::die("another number of elements: " + equation);
    got.pop_back();
    // Sums of integers are exact, but -0 and 0 are one.
    for (size_t i = 0; i < want.size(); ++i)
      if (got[i] != want[i])
        fuzz::die(equation + ": " + std::to_string(got[i]) + ", expected " +
                  std::to_string(want[i]));
  } catch (const fuzz::Undefined&) {  // too many products
  }
  return 0;
}
