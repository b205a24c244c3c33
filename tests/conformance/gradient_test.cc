// SPDX-License-Identifier: Apache-2.0
// Gradients of every op on every backend: what bp_backward gives against central differences of the
// op itself, in f64, at random points of several ranges; one of them at least must be in the op's
// domain. The cpu's are compared element by element. The others, which are made of the same ops,
// along random directions, and element by element where one of these does not agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "cases/cases.h"
#include "judge.h"
#include "kit/answer.h"

namespace conformance {
namespace {

// Ops of floats whose results have no gradient, or none that differences show, and why.
const std::map<std::string, std::string>& without_gradient() {
  static const std::map<std::string, std::string> all{
      {"nextafter", "steps from one number to the next"},
      {"eig", "the vectors' phases are free; eigvals has the values, linalg_test.py the vectors"},
  };
  return all;
}
// Of complex matrices the vectors' phases are free: only functions that do not depend on them have
// a gradient.
bool free_phase(const std::string& op) { return op == "svd" || op == "eigh"; }
// Read one triangle of a Hermitian matrix: both elements of a pair change together.
bool reads_hermitian(const std::string& op) {
  return op == "cholesky" || op == "eigh" || op == "eigvalsh";
}
// Wants a matrix that is far from singular, with values that differ.
bool wants_regular(const std::string& op) {
  static const std::set<std::string> all{
      "cholesky",    "lu_factor", "solve_triangular", "solve", "inv",
      "qr",          "svd",       "svdvals",          "eigh",  "eigvalsh",
      "eigvals",     "det",       "slogdet",          "pinv",  "matrix_power",
      "matrix_norm", "lstsq"};
  return all.count(op) != 0;
}

struct Range {
  double low, high;
};
constexpr Range kRanges[] = {{0.15, 0.85}, {-0.85, -0.15}, {1.2, 2.8}};
constexpr size_t kMostElements = 200;
// The larger calls of these write some places twice; which of the writers has the gradient then is
// not said (PyTorch's neither).
size_t most_elements(const std::string& op) {
  return op == "scatter" || op == "index_copy" ? 40 : kMostElements;
}
constexpr Real kStep = 1e-5L;
// So many elements change at once that a longer step would exchange neighbours in order.
constexpr Real kStepOfAll = 1e-6L;
constexpr uint64_t kDirections = 3;

// Not evenly spaced, so that no two are equal and no difference is.
void refill(Array& a, Range range, uint64_t seed) {
  const auto drawn = [&](uint64_t at) {
    const uint64_t x = (seed * 1000003 + at + 1) * 0x9e3779b97f4a7c15u;
    return range.low + (range.high - range.low) * static_cast<double>(x >> 11) / 0x1p53;
  };
  for (size_t i = 0; i < a.re.size(); ++i) a.re[i] = drawn(i);
  for (size_t i = 0; i < a.im.size(); ++i) a.im[i] = drawn(i + 7919) / 2;
}

// The element across the diagonal of its matrix.
size_t mirrored(const Array& a, size_t i) {
  const auto n = static_cast<size_t>(a.shape.back()), at = i % (n * n);
  return i - at + at % n * n + at / n;
}
// Large where row = column + shift, so that with a shift rows are exchanged by pivoting.
void make_regular(Array& a, bool hermitian, size_t shift) {
  if (a.shape.size() < 2) return;
  const auto n = static_cast<size_t>(a.shape.back()),
             m = static_cast<size_t>(a.shape[a.shape.size() - 2]);
  for (size_t i = 0; i < a.size(); ++i) {
    const size_t row = i / n % m, column = i % n;
    if (row == (column + shift) % m) a.re[i] += 3 + 0.5L * static_cast<Real>(row);
    if (!hermitian || m != n || row > column) continue;
    a.re[mirrored(a, i)] = a.re[i];
    if (!a.im.empty()) a.im[mirrored(a, i)] = row == column ? 0 : -a.im[i];
  }
}

bool is_subject(const Operand& x) {
  return x.is_tensor() && (x.array.dtype == BP_F64 || x.array.dtype == BP_C128);
}
// The plugin that others start from: its few kernels are not what gradients are made of.
bool is_skeleton(bp_device d) {
  const char* name = bp_kind_name(bp_device_kind(d));
  return name && std::string_view(name) == "null";
}
bool has_complex(const Call& call) {
  return std::any_of(call.in.begin(), call.in.end(),
                     [](const Operand& x) { return x.is_tensor() && x.array.dtype == BP_C128; });
}

class Gradients : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    op_ = &op_named(GetParam());
    spec_ = oracle_of(op_->name);
    ASSERT_NE(spec_, nullptr);
  }
  std::vector<Call> calls() const;
  bool beyond_the_rank(const Call& call) const;
  bool check(const Session& session, Call call, Range range);
  bool agrees_along(const Session& session, Call call, size_t operand, const Array& got,
                    uint64_t seed) const;
  void compare(const Session& session, Call& call, size_t operand, const Array& got,
               const std::string& head);
  static Real weighed(const std::vector<Array>& results);
  static Real weight(size_t output, size_t i) {
    return 0.5L + static_cast<Real>((output * 31 + i * 7) % 11) / 11;
  }

  const Op* op_ = nullptr;
  const Spec* spec_ = nullptr;
};

// svd's vectors that no singular value goes with are not determined.
bool Gradients::beyond_the_rank(const Call& call) const {
  const Shape& shape = call.in[0].array.shape;
  return op_->name == "svd" && call.i64("full_matrices", 1) &&
         shape[shape.size() - 1] != shape[shape.size() - 2];
}

// Small ones, of different shapes, whose floats are f64 or c128.
std::vector<Call> Gradients::calls() const {
  std::vector<Call> out;
  for (const bp_dtype dtype : {BP_F64, BP_C128}) {
    if (!(spec_->dtypes >> dtype & 1) || (is_complex(dtype) && free_phase(op_->name))) continue;
    size_t taken = 0;
    for (Call& call : cases_of(*spec_, dtype)) {
      size_t n = 0, subjects = 0;
      for (Operand& x : call.in) {
        x.layout = Layout::kContiguous;
        n += x.array.size();
        subjects += is_subject(x) && x.array.size() > 0;
      }
      if (subjects == 0 || n > most_elements(op_->name) || beyond_the_rank(call)) continue;
      out.push_back(std::move(call));
      if (++taken == 6) break;
    }
  }
  return out;
}

// The function of the operands that is differentiated: of complex results the real part of a
// product with conjugates.
Real Gradients::weighed(const std::vector<Array>& results) {
  Real sum = 0;
  for (size_t k = 0; k < results.size(); ++k) {
    if (!has_gradient(results[k].dtype)) continue;
    for (size_t i = 0; i < results[k].size(); ++i) sum += weight(k, i) * results[k].re[i];
    for (size_t i = 0; i < results[k].im.size(); ++i) sum += weight(k, i + 3) * results[k].im[i];
  }
  return sum;
}

double most_apart(Real want) { return 2e-5 * (1 + std::fabs(static_cast<double>(want))); }

// Whether a step of all elements along a random direction makes the difference that got says.
bool Gradients::agrees_along(const Session& session, Call call, size_t operand, const Array& got,
                             uint64_t seed) const {
  Array& x = call.in[operand].array;
  const Array from = x;
  Array way = from;
  refill(way, {-1, 1}, 977 + seed);
  if (operand == 0 && reads_hermitian(op_->name))
    for (size_t i = 0; i < way.size(); ++i) {
      const size_t other = mirrored(way, i);
      if (other < i) continue;
      way.re[other] = way.re[i];
      if (!way.im.empty()) way.im[other] = other == i ? 0 : -way.im[i];
    }
  Real side[2], want = 0;
  for (int s = 0; s < 2; ++s) {
    const Real step = s ? kStepOfAll : -kStepOfAll;
    for (size_t i = 0; i < x.re.size(); ++i)
      x.re[i] = round_to(from.re[i] + step * way.re[i], BP_F64);
    for (size_t i = 0; i < x.im.size(); ++i)
      x.im[i] = round_to(from.im[i] + step * way.im[i], BP_F64);
    side[s] = weighed(session.run(op_->id, call).results);
  }
  const Real found = (side[1] - side[0]) / (2 * kStepOfAll);
  for (size_t i = 0; i < got.re.size(); ++i) want += got.re[i] * way.re[i];
  for (size_t i = 0; i < got.im.size(); ++i) want += got.im[i] * way.im[i];
  return std::isfinite(found) && std::fabs(static_cast<double>(found - want)) <= most_apart(want);
}

// Of each element's parts: got against the difference that it makes.
void Gradients::compare(const Session& session, Call& call, size_t operand, const Array& got,
                        const std::string& head) {
  if (!is_cpu(session.device())) {
    uint64_t agree = 0;
    while (agree < kDirections && agrees_along(session, call, operand, got, agree)) ++agree;
    if (agree == kDirections) return;
  }
  Array& x = call.in[operand].array;
  const bool pairs = operand == 0 && reads_hermitian(op_->name);
  for (size_t j = 0; j < x.size(); ++j)
    for (const bool imaginary : {false, true}) {
      std::vector<Real>& part = imaginary ? x.im : x.re;
      if (part.empty()) continue;
      const size_t other = pairs ? mirrored(x, j) : j;
      if (other < j || (pairs && imaginary && other == j)) continue;
      const Real before = part[j], mirror = part[other], sign = imaginary ? -1 : 1;
      Real side[2];
      for (int s = 0; s < 2; ++s) {
        part[j] = static_cast<double>(before + (s ? kStep : -kStep));
        if (other != j) part[other] = sign * part[j];
        side[s] = weighed(session.run(op_->id, call).results);
      }
      part[j] = before, part[other] = mirror;
      const Real want = (side[1] - side[0]) /
                        (static_cast<double>(before + kStep) - static_cast<double>(before - kStep));
      if (!std::isfinite(want)) continue;
      const std::vector<Real>& g = imaginary ? got.im : got.re;
      const auto found = static_cast<double>(g[j] + (other != j ? sign * g[other] : 0));
      EXPECT_NEAR(found, static_cast<double>(want), most_apart(want))
          << head << ": of operand " << operand << " at " << j << (imaginary ? ", imaginary" : "");
      if (HasFailure()) return;
    }
}

// False: not in the op's domain.
bool Gradients::check(const Session& session, Call call, Range range) {
  for (size_t i = 0; i < call.in.size(); ++i)
    if (is_subject(call.in[i])) {
      refill(call.in[i].array, range, i + 1);
      if (i == 0 && wants_regular(op_->name))
        make_regular(call.in[i].array, reads_hermitian(op_->name),
                     op_->name == std::string_view("lu_factor"));
    }
  const std::string head = headline(*op_, call, session.device());
  std::vector<Handle> handles = session.put_inputs(call);
  std::vector<bp_tensor*> inputs;
  for (size_t i = 0; i < call.in.size(); ++i) {
    inputs.push_back(handles[i].get());
    if (!is_subject(call.in[i])) continue;
    EXPECT_EQ(bp_tensor_set_requires_grad(inputs[i], 1, nullptr), BP_OK);
  }
  const Outcome o =
      session.run(op_->id, call, inputs, std::vector<bp_tensor*>(op_->info.n_outputs, nullptr));
  if (o.status != BP_OK) return false;
  std::vector<bp_tensor*> roots, grads;
  std::vector<Handle> weights;
  for (size_t k = 0; k < o.results.size(); ++k) {
    for (Real v : o.results[k].re)
      if (!std::isfinite(v)) return false;
    if (!has_gradient(o.results[k].dtype)) continue;
    // then no operand may make a difference
    if (!bp_tensor_requires_grad(o.made[k].get())) continue;
    Array w{o.results[k].dtype, o.results[k].shape, {}, {}};
    for (size_t i = 0; i < o.results[k].size(); ++i)
      w.re.push_back(round_to(weight(k, i), w.dtype));
    for (size_t i = 0; i < o.results[k].im.size(); ++i)
      w.im.push_back(round_to(weight(k, i + 3), w.dtype));
    weights.push_back(put(w, Layout::kContiguous, session.device()));
    roots.push_back(o.made[k].get());
    grads.push_back(weights.back().get());
  }
  const bp_test::Answer back = bp_test::attempt(bp_backward, roots.data(), grads.data(),
                                                static_cast<uint32_t>(roots.size()), 0u);
  EXPECT_EQ(back.status, BP_OK) << head << ": " << back.message;
  if (back.status != BP_OK) return true;
  for (size_t i = 0; i < call.in.size(); ++i) {
    if (!is_subject(call.in[i])) continue;
    bp_tensor* raw = nullptr;
    EXPECT_EQ(bp_tensor_grad(inputs[i], &raw, nullptr), BP_OK);
    const Handle grad(raw);
    Array got{call.in[i].array.dtype,
              call.in[i].array.shape,
              std::vector<Real>(call.in[i].array.size()),
              {}};
    got.im.resize(call.in[i].array.im.size());
    if (raw) got = get(raw);
    EXPECT_EQ(got.shape, call.in[i].array.shape) << head;
    EXPECT_EQ(got.dtype, call.in[i].array.dtype) << head;
    if (!HasFailure()) compare(session, call, i, got, head);
    if (HasFailure()) return true;
  }
  return true;
}

TEST_P(Gradients, AgreeWithDifferences) {
  const auto all = calls();
  if (all.empty() || spec_->family == Family::kRandom) GTEST_SKIP() << "no operand is a float";
  if (without_gradient().count(op_->name)) GTEST_SKIP() << without_gradient().at(op_->name);
  for (bp_device device : all_devices()) {
    const Session session(device);
    if (is_skeleton(device)) continue;
    if (!supported(op_->id, key_of(*spec_, all[0]), device)) continue;
    if (const Outcome first = session.run(op_->id, all[0]); first.status == BP_OK) {
      bool floats = false;
      for (const Array& a : first.results) floats |= has_gradient(a.dtype);
      if (!floats) GTEST_SKIP() << "no result is a float";
    }
    std::map<bool, int> checked;  // calls of real and of complex numbers
    for (const Call& call : all)
      for (Range range : kRanges)
        if (!HasFailure()) checked[has_complex(call)] += check(session, call, range);
    for (const auto& [complex, times] : checked)
      if (is_cpu(device) && !HasFailure()) {
        EXPECT_GT(times, 0) << "no " << (complex ? "complex" : "real") << " call was in the domain";
      }
  }
}

// Where a function has no slope the gradient is PyTorch's: 0, or shared by those that are equal.
struct Edge {
  const char* op;
  std::vector<Array> in;
  std::vector<Attribute> attrs;
  std::vector<std::vector<Real>> want;  // of each operand
};
Array f64s(const Shape& shape, std::vector<Real> v) { return {BP_F64, shape, std::move(v), {}}; }

TEST(GradientEdges, ArePyTorchs) {
  const Real inf = std::numeric_limits<Real>::infinity(),
             nan = std::numeric_limits<Real>::quiet_NaN();
  const auto ord = [](double p) { return std::vector<Attribute>{float_attr("ord", p)}; };
  const Array zeros = f64s({2}, {0, 0});
  const std::vector<Edge> edges{
      {"vector_norm", {zeros}, {}, {{0, 0}}},
      {"vector_norm", {f64s({2}, {3, -4})}, {}, {{0.6L, -0.8L}}},
      {"vector_norm", {zeros}, ord(1), {{0, 0}}},
      {"vector_norm", {f64s({2}, {0, 3})}, ord(0.5), {{0, 1}}},
      {"vector_norm", {zeros}, ord(3), {{0, 0}}},
      {"vector_norm", {f64s({2}, {0, 3})}, ord(-1), {{0, 0}}},
      {"vector_norm", {f64s({2}, {-2, 2})}, ord(HUGE_VAL), {{-0.5L, 0.5L}}},
      {"vector_norm", {f64s({2}, {2, -2})}, ord(-HUGE_VAL), {{0.5L, -0.5L}}},
      {"vector_norm", {f64s({2}, {1, 2})}, ord(0), {{0, 0}}},
      {"matrix_norm", {f64s({2, 2}, {0, 0, 0, 0})}, {}, {{0, 0, 0, 0}}},
      {"std", {f64s({3}, {2, 2, 2})}, {}, {{0, 0, 0}}},
      {"atan2", {f64s({1}, {0}), f64s({1}, {0})}, {}, {{0}, {0}}},
      {"logaddexp", {f64s({1}, {inf}), f64s({1}, {1})}, {}, {{1}, {0}}},
      {"max", {f64s({2}, {nan, 1})}, {}, {{1, 0}}},
      {"maximum", {f64s({2}, {1, nan}), f64s({2}, {1, 2})}, {}, {{0.5L, 1}, {0.5L, 1}}},
      {"clip",
       {f64s({3}, {0, 1, 2}), f64s({}, {0}), f64s({}, {1})},
       {},
       {{0.5L, 0.5L, 0}, {0.5L}, {1.5L}}},
      {"hardswish", {f64s({2}, {-3, 3})}, {}, {{0, 1}}},
      {"prod", {f64s({3}, {0, 2, 3})}, {}, {{6, 0, 0}}},
      {"prod", {f64s({3}, {0, 0, 3})}, {}, {{0, 0, 0}}},
      {"cumprod", {f64s({3}, {2, 0, 3})}, {int_attr("axis", 0)}, {{1, 8, 0}}},
      {"binary_cross_entropy", {f64s({2}, {0, 1}), f64s({2}, {0, 1})}, {}, {{0, 0}, {50, -50}}},
      {"adaptive_max_pool1d",
       {f64s({1, 1, 4}, {1, 1, 2, 2})},
       {ints_attr("output_size", {2})},
       {{1, 0, 1, 0}}},
      // of rank 1; the pseudo-inverse is the matrix over 25
      {"pinv", {f64s({2, 2}, {1, 2, 2, 4})}, {}, {{0.0048L, -0.0144L, -0.0144L, -0.0768L}}},
      {"pinv", {f64s({2, 2}, {1, 0, 0, 1})}, {}, {{-1, -1, -1, -1}}},
      {"lstsq", {f64s({2, 2}, {1, 0, 0, 1}), f64s({2, 1}, {1, 2})}, {}, {{-1, -2, -1, -2}, {1, 1}}},
      {"matrix_power", {f64s({2, 2}, {1, 2, 3, 4})}, {int_attr("n", 0)}, {{0, 0, 0, 0}}},
      {"logsumexp", {f64s({0}, {})}, {}, {{}}},
  };
  for (bp_device device : all_devices()) {
    if (is_skeleton(device)) continue;
    const Session session(device);
    for (const Edge& edge : edges) {
      Call call{{}, edge.attrs};
      for (const Array& x : edge.in) call.in.push_back(tensor(x));
      const Op& op = op_named(edge.op);
      while (call.in.size() < op.info.n_inputs) call.in.push_back(none());
      const std::string head = headline(op, call, device);
      const std::vector<Handle> handles = session.put_inputs(call);
      std::vector<bp_tensor*> inputs;
      for (size_t i = 0; i < handles.size(); ++i) {
        inputs.push_back(handles[i].get());
        if (i < edge.in.size()) {
          ASSERT_EQ(bp_tensor_set_requires_grad(inputs[i], 1, nullptr), BP_OK);
        }
      }
      const Outcome o =
          session.run(op.id, call, inputs, std::vector<bp_tensor*>(op.info.n_outputs, nullptr));
      if (o.status == BP_UNSUPPORTED) continue;
      ASSERT_EQ(o.status, BP_OK) << head << ": " << o.message;
      const std::vector<Real> ones(o.results[0].size(), 1);
      const Handle weights =
          put({BP_F64, o.results[0].shape, ones, {}}, Layout::kContiguous, device);
      bp_tensor *root = o.made[0].get(), *grad = weights.get();
      const bp_test::Answer back = bp_test::attempt(bp_backward, &root, &grad, 1u, 0u);
      ASSERT_EQ(back.status, BP_OK) << head << ": " << back.message;
      for (size_t i = 0; i < edge.in.size(); ++i) {
        bp_tensor* raw = nullptr;
        ASSERT_EQ(bp_tensor_grad(inputs[i], &raw, nullptr), BP_OK);
        const Handle kept(raw);
        ASSERT_NE(raw, nullptr) << head << ": operand " << i;
        const Array got = get(raw);
        for (size_t j = 0; j < edge.want[i].size(); ++j)
          EXPECT_NEAR(static_cast<double>(got.re[j]), static_cast<double>(edge.want[i][j]), 1e-12)
              << head << ": of operand " << i << " at " << j;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, Gradients, testing::ValuesIn(op_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace conformance
