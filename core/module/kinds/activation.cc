// SPDX-License-Identifier: Apache-2.0
// activation.cc: functions of each element, and softmax along a dimension.
#include "core/module/initialiser.h"
#include "core/module/kind.h"

namespace bp::nn {
namespace activation_rows {
namespace {

constexpr ModuleAttr kInplace[] = {
    attr::flag("inplace", false, "accepted; the result is a new tensor all the same")};
constexpr ModuleAttr kGelu[] = {attr::text("approximate", "none", "none, or tanh: a polynomial's")};
constexpr ModuleAttr kElu[] = {attr::real("alpha", 1, "what it falls to, negated"), kInplace[0]};
constexpr ModuleAttr kLeaky[] = {attr::real("negative_slope", 0.01, "slope below 0"), kInplace[0]};
constexpr ModuleAttr kSoftplus[] = {
    attr::real("beta", 1, "scale"),
    attr::real("threshold", 20, "beta x above which the result is x itself")};
constexpr ModuleAttr kHardtanh[] = {attr::real("min_val", -1, "the least result"),
                                    attr::real("max_val", 1, "the largest"), kInplace[0]};
constexpr ModuleAttr kSoftmax[] = {
    attr::no_integers("dim", "along which the sum is 1; none: as PyTorch chooses")};
constexpr ModuleAttr kGlu[] = {attr::integer("dim", -1, "the dimension that is halved")};
constexpr ModuleAttr kPrelu[] = {attr::integer("num_parameters", 1, "1, or the number of channels"),
                                 attr::real("init", 0.25, "the slope at first")};
constexpr ModuleAttr kThreshold[] = {attr::real("threshold", 0, "above which x stays"),
                                     attr::real("value", 0, "in its place else"), kInplace[0]};

template <uint32_t kOp>
void plain(ForwardCall& f) {
  f.give(0, op(kOp, {value(f.x())}));
}
template <uint32_t kOp>  // the op's only attribute is the module's first
void with_number(ForwardCall& f) {
  f.give(0, op(kOp, {value(f.x())}, {float_value(f.m.f64(0))}));
}
template <uint32_t kOp>
void with_two(ForwardCall& f) {
  f.give(0, op(kOp, {value(f.x())}, {float_value(f.m.f64(0)), float_value(f.m.f64(1))}));
}

std::string inplace(const Module& m, size_t at, bool comma) {
  return m.flag(at) ? std::string(comma ? ", " : "") + "inplace=True" : "";
}
std::string only_inplace(const Module& m) { return inplace(m, 0, false); }

void check_gelu(Maker& k) {
  if (k.m.str(0) != "none" && k.m.str(0) != "tanh")
    fail(BP_INVALID_ARGUMENT, "approximate argument must be either none or tanh, got {}",
         k.m.str(0));
}
void gelu(ForwardCall& f) {
  f.give(0, op(f.m.str(0) == "tanh" ? BP_OP_GELU_TANH : BP_OP_GELU, {value(f.x())}));
}

int64_t softmax_dim(const ForwardCall& f) {
  if (!f.m.ints(0).empty()) return f.m.ints(0)[0];
  const uint32_t rank = f.x().rank();
  return rank == 0 || rank == 1 || rank == 3 ? 0 : 1;
}
template <uint32_t kOp>
void along(ForwardCall& f) {
  f.give(0, op(kOp, {value(f.x())}, {int_value(softmax_dim(f))}));
}
std::string softmax_extra(const Module& m) {
  return m.ints(0).empty() ? "dim=None" : fmt::format("dim={}", m.ints(0)[0]);
}

constexpr double kSeluAlpha = 1.6732632423543772848170429916717,
                 kSeluScale = 1.0507009873554804934193349852946;
void selu(ForwardCall& f) {
  f.give(0, op(BP_OP_MUL,
               {op(BP_OP_ELU, {value(f.x())}, {float_value(kSeluAlpha)}), number(kSeluScale)}));
}
// alpha elu(x / alpha), for x below 0.
void celu(ForwardCall& f) {
  const double alpha = f.m.f64(0);
  if (alpha == 0) fail(BP_INVALID_ARGUMENT, "ZeroDivisionError: alpha cannot be 0 for CELU");
  Ref<Tensor> y = op(BP_OP_ELU, {op(BP_OP_DIV, {value(f.x()), number(alpha)})}, {float_value(1)});
  f.give(0, op(BP_OP_MUL, {y, number(alpha)}));
}
void log_sigmoid(ForwardCall& f) {
  Ref<Tensor> y =
      op(BP_OP_SOFTPLUS, {op(BP_OP_NEG, {value(f.x())})}, {float_value(1), float_value(20)});
  f.give(0, op(BP_OP_NEG, {y}));
}
void softsign(ForwardCall& f) {
  f.give(0, op(BP_OP_DIV,
               {value(f.x()), op(BP_OP_ADD, {op(BP_OP_ABS, {value(f.x())}), number(1.0)})}));
}
void tanhshrink(ForwardCall& f) {
  f.give(0, op(BP_OP_SUB, {value(f.x()), op(BP_OP_TANH, {value(f.x())})}));
}
void threshold(ForwardCall& f) {
  f.give(0, op(BP_OP_WHERE, {op(BP_OP_GT, {value(f.x()), number(f.m.f64(0))}), value(f.x()),
                             number(f.m.f64(1))}));
}
void glu(ForwardCall& f) {
  Tensor& x = f.x();
  const int64_t dim = wrap_dim(f.m.i64(0), x.rank()),
                n = x.rank() ? x.shape[static_cast<size_t>(dim)] : 1;
  if (n % 2)
    fail(BP_INVALID_ARGUMENT, "Halving dimension must be even, but dimension {} is size {}", dim,
         n);
  f.give(0, op(BP_OP_MUL,
               {narrow(x, dim, 0, n / 2), op(BP_OP_SIGMOID, {narrow(x, dim, n / 2, n / 2)})}));
}

void make_prelu(Maker& k) { init::constant(k.parameter("weight", Dims{k.m.i64(0)}), k.m.f64(1)); }
void prelu(ForwardCall& f) {
  Tensor& x = f.x();
  Ref<Tensor> w = f.m.parameter(0);
  if (w->count != 1) {
    if (x.rank() < 2 || x.shape[1] != w->count)
      fail(
          BP_INVALID_ARGUMENT,
          "Mismatch of parameter numbers and input channel size. Found parameter numbers = {} and channel "
          "size = {}.",
          w->count, x.rank() < 2 ? 1 : x.shape[1]);
    Dims shape(x.rank(), 1);
    shape[1] = w->count;
    w = reshape(*w, shape);
  }
  Ref<Tensor> below = op(BP_OP_MUL, {w, op(BP_OP_MINIMUM, {value(x), number(0.0)})});
  f.give(0, op(BP_OP_ADD, {op(BP_OP_RELU, {value(x)}), below}));
}

using Extra = std::string (*)(const Module&);
constexpr ModuleKind simple(const char* name, const char* title, void (*forward)(ForwardCall&),
                            const char* doc, std::span<const ModuleAttr> attrs = {},
                            Extra extra = nullptr) {
  return {
      .name = name, .title = title, .attrs = attrs, .forward = forward, .extra = extra, .doc = doc};
}
// clang-format off
constexpr ModuleKind kRows[] = {
    simple("relu", "ReLU", plain<BP_OP_RELU>, "max(x, 0).", kInplace, only_inplace),
    simple("relu6", "ReLU6", plain<BP_OP_RELU6>, "min(max(x, 0), 6).", kInplace, only_inplace),
    {.name = "gelu", .title = "GELU", .attrs = kGelu, .make = check_gelu, .forward = gelu,
     .extra = [](const Module& m) { return fmt::format("approximate='{}'", m.str(0)); },
     .doc = "x times the normal distribution function of x."},
    simple("silu", "SiLU", plain<BP_OP_SILU>, "x sigmoid(x).", kInplace, only_inplace),
    simple("elu", "ELU", with_number<BP_OP_ELU>, "x, below 0 alpha (exp(x) - 1).", kElu,
           [](const Module& m) { return "alpha=" + python_text(m.f64(0)) + inplace(m, 1, true); }),
    simple("selu", "SELU", selu, "elu, scaled so that layers keep mean 0 and variance 1.", kInplace, only_inplace),
    simple("celu", "CELU", celu, "x, below 0 alpha (exp(x / alpha) - 1).", kElu,
           [](const Module& m) { return "alpha=" + python_text(m.f64(0)) + inplace(m, 1, true); }),
    simple("leaky_relu", "LeakyReLU", with_number<BP_OP_LEAKY_RELU>, "x, below 0 negative_slope x.", kLeaky,
           [](const Module& m) { return "negative_slope=" + python_text(m.f64(0)) + inplace(m, 1, true); }),
    {.name = "prelu", .title = "PReLU", .attrs = kPrelu, .make = make_prelu, .forward = prelu,
     .extra = [](const Module& m) { return fmt::format("num_parameters={}", m.i64(0)); },
     .doc = "x, below 0 a learned slope times x."},
    simple("softplus", "Softplus", with_two<BP_OP_SOFTPLUS>, "log(1 + exp(beta x)) / beta.", kSoftplus,
           [](const Module& m) { return "beta=" + python_text(m.f64(0)) + ", threshold=" + python_text(m.f64(1)); }),
    simple("softsign", "Softsign", softsign, "x / (1 + |x|)."),
    simple("tanh", "Tanh", plain<BP_OP_TANH>, "tanh(x)."),
    simple("tanhshrink", "Tanhshrink", tanhshrink, "x - tanh(x)."),
    simple("sigmoid", "Sigmoid", plain<BP_OP_SIGMOID>, "1 / (1 + exp(-x))."),
    simple("log_sigmoid", "LogSigmoid", log_sigmoid, "log(sigmoid(x))."),
    simple("hardswish", "Hardswish", plain<BP_OP_HARDSWISH>, "x relu6(x + 3) / 6.", kInplace),
    simple("hardsigmoid", "Hardsigmoid", plain<BP_OP_HARDSIGMOID>, "relu6(x + 3) / 6.", kInplace),
    simple("hardtanh", "Hardtanh", with_two<BP_OP_HARDTANH>, "x within min_val and max_val.", kHardtanh,
           [](const Module& m) {
             return "min_val=" + python_text(m.f64(0)) + ", max_val=" + python_text(m.f64(1)) + inplace(m, 2, true);
           }),
    simple("mish", "Mish", plain<BP_OP_MISH>, "x tanh(softplus(x)).", kInplace, only_inplace),
    simple("threshold", "Threshold", threshold, "x above threshold, else value.", kThreshold,
           [](const Module& m) {
             return "threshold=" + python_text(m.f64(0)) + ", value=" + python_text(m.f64(1)) + inplace(m, 2, true);
           }),
    simple("glu", "GLU", glu, "The first half of a dimension times sigmoid of the second.", kGlu,
           [](const Module& m) { return fmt::format("dim={}", m.i64(0)); }),
    simple("softmax", "Softmax", along<BP_OP_SOFTMAX>, "exp(x) over its sum along dim.", kSoftmax, softmax_extra),
    simple("log_softmax", "LogSoftmax", along<BP_OP_LOG_SOFTMAX>, "log of softmax.", kSoftmax, softmax_extra),
};
// clang-format on
}  // namespace
}  // namespace activation_rows

std::span<const ModuleKind> activation_kinds() { return activation_rows::kRows; }

}  // namespace bp::nn
