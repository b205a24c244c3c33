#include "knn.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace knn {
namespace {

namespace bp = backplane;

constexpr std::int64_t kPixels = 64, kClasses = 10, kBatch = 128;

struct Need {
  const char* op;
  bp_dtype dtype;
  const char* dtype_name;
};
constexpr Need kNeeds[] = {
    {"cast", BP_U8, "u8"},      {"square", BP_F32, "f32"}, {"sum", BP_F32, "f32"},
    {"matmul", BP_F32, "f32"},  {"mul", BP_F32, "f32"},    {"add", BP_F32, "f32"},
    {"sub", BP_F32, "f32"},     {"arange", BP_I64, "i64"}, {"eq", BP_I64, "i64"},
    {"where", BP_F32, "f32"},   {"topk", BP_F32, "f32"},   {"index_select", BP_I64, "i64"},
    {"one_hot", BP_I64, "i64"}, {"sum", BP_I64, "i64"},    {"argmax", BP_I64, "i64"}};

std::runtime_error bad_line(const std::string& path, std::size_t line, const std::string& what) {
  return std::runtime_error(path + ", line " + std::to_string(line) + ": " + what);
}

// Everything that stays the same from batch to batch, on one device.
struct Reference {
  bp::Tensor images, norms, numbers, labels,
      infinity;  // [n, 64] f32, [n] f32, [n] i64, [n] i64, []
};

// Class of each image lo..hi: |a - b|^2 = |a|^2 - 2 a.b + |b|^2 to all images, itself put out of
// reach.
bp::Tensor vote(const Reference& r, std::int64_t lo, std::int64_t hi, std::int64_t neighbours) {
  const bp::Tensor batch = r.images.slice(0, lo, hi);
  const bp::Tensor products = bp::matmul(batch, r.images.t());
  const bp::Tensor distances = r.norms.slice(0, lo, hi).unsqueeze(1) - 2 * products + r.norms;
  const bp::Tensor itself = bp::eq(r.numbers.slice(0, lo, hi).unsqueeze(1), r.numbers);
  const bp::Tensor others = bp::where(itself, r.infinity, distances);
  const bp::Tensor nearest = bp::topk(others, neighbours, /*axis=*/-1, /*largest=*/false).second;
  const bp::Tensor votes =
      bp::index_select(r.labels, nearest.flatten(), /*axis=*/0).reshape({hi - lo, neighbours});
  return bp::argmax(bp::sum(bp::one_hot(votes, kClasses), {1}), {1});
}

}  // namespace

Digits load_digits(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  Digits digits;
  std::string text;
  for (std::size_t line = 1; std::getline(file, text); ++line) {
    std::istringstream fields(text);
    int value = 0;
    char comma = 0;
    for (std::int64_t i = 0; i < kPixels; ++i) {
      if (!(fields >> value >> comma) || comma != ',' || value < 0 || value > 16)
        throw bad_line(path, line, "expected 64 pixels of 0 to 16 and a label");
      digits.pixels.push_back(static_cast<std::uint8_t>(value));
    }
    if (!(fields >> value) || value < 0 || value >= kClasses)
      throw bad_line(path, line, "expected a label of 0 to 9");
    digits.labels.push_back(value);
  }
  if (digits.count() < 2) throw std::runtime_error(path + ": holds no images");
  return digits;
}

std::vector<std::string> missing_ops(bp::Device device) {
  std::vector<std::string> missing;
  for (const Need& need : kNeeds) {
    const std::uint32_t op = bp::find_op(need.op);
    std::uint32_t supported = 0;
    bp::detail::call([&](bp_error** e) {
      return bp_op_supported(op, need.dtype, device.kind(), &supported, e);
    });
    if (!supported) missing.push_back(std::string(need.op) + " of " + need.dtype_name);
  }
  return missing;
}

Outcome classify(const Digits& digits, bp::Device device, std::int64_t neighbours,
                 const std::function<void(std::int64_t)>& done, bp::Device finish_on) {
  const bp::Device cpu("cpu");
  const std::int64_t n = digits.count();
  const auto in = bp::transfers(cpu, device).bytes, out = bp::transfers(device, cpu).bytes;
  const auto start = std::chrono::steady_clock::now();

  Reference r;
  auto here = std::make_unique<bp::DeviceGuard>(device);
  r.images = bp::tensor(digits.pixels, {n, kPixels}).to(BP_F32);
  r.norms = bp::sum(bp::square(r.images), {1});
  r.numbers = bp::arange(0, n, 1);
  r.labels = bp::tensor(digits.labels);
  r.infinity = bp::full({}, std::numeric_limits<double>::infinity(), BP_F32);

  Outcome result;
  result.device = device;
  for (std::int64_t lo = 0; lo < n; lo += kBatch) {
    const std::int64_t hi = std::min(lo + kBatch, n);
    if (finish_on.value() && lo <= n / 2 && n / 2 < hi) {  // everything goes along
      r = {r.images.to(finish_on), r.norms.to(finish_on), r.numbers.to(finish_on),
           r.labels.to(finish_on), r.infinity.to(finish_on)};
      here.reset();
      here = std::make_unique<bp::DeviceGuard>(finish_on);
    }
    for (std::int64_t p : vote(r, lo, hi, neighbours).read<std::int64_t>())
      result.predictions.push_back(p);
    if (done) done(hi);
  }

  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.bytes_in = bp::transfers(cpu, device).bytes - in;
  result.bytes_out = bp::transfers(device, cpu).bytes - out;
  std::int64_t right = 0;
  for (std::int64_t i = 0; i < n; ++i)
    right += result.predictions[static_cast<std::size_t>(i)] ==
             digits.labels[static_cast<std::size_t>(i)];
  result.accuracy = static_cast<double>(right) / static_cast<double>(n);
  return result;
}

}  // namespace knn
