// SPDX-License-Identifier: Apache-2.0
// activation.cc: functions of each element, and softmax along a dimension.
#include "core/module/initialiser.h"
#include "core/module/kind.h"

namespace bp::nn {
namespace {

constexpr AttrSpec kInplace =
    flag_attr("inplace", false, "accepted; the result is a new tensor all the same");
constexpr AttrSpecs kInplaceOnly{kInplace};
constexpr AttrSpecs kGelu{str_attr("approximate", "none", "none, or tanh: a polynomial's")};
constexpr AttrSpecs kElu{float_attr("alpha", 1, "what it falls to, negated"), kInplace};
constexpr AttrSpecs kLeaky{float_attr("negative_slope", 0.01, "slope below 0"), kInplace};
constexpr AttrSpecs kSoftplus{
    float_attr("beta", 1, "scale"),
    float_attr("threshold", 20, "beta x above which the result is x itself")};
constexpr AttrSpecs kHardtanh{float_attr("min_val", -1, "the least result"),
                              float_attr("max_val", 1, "the largest"), kInplace};
constexpr AttrSpecs kSoftmax{
    ints_attr("dim", "along which the sum is 1; none: as PyTorch chooses")};
constexpr AttrSpecs kGlu{int_attr("dim", -1, "the dimension that is halved")};
constexpr AttrSpecs kPrelu{int_attr("num_parameters", 1, "1, or the number of channels"),
                           float_attr("init", 0.25, "the slope at first")};
constexpr AttrSpecs kThreshold{float_attr("threshold", 0, "above which x stays"),
                               float_attr("value", 0, "in its place else"), kInplace};

template <uint32_t kOp>
void plain(ForwardCall& f) {
  f.give(0, invoke(kOp, {value(f.x())}));
}
// The op's attributes are the module's numbers, in their order.
template <uint32_t kOp>
void with_numbers(ForwardCall& f) {
  SmallVec<bp_attr, 2> numbers;
  for (const AttrValue& a : f.m.attrs)
    if (a.kind == BP_ATTR_F64) numbers.push_back(float_value(a.f));
  f.give(0, invoke(kOp, {f.x()}, numbers));
}

// "alpha=1.0, inplace=True": the module's numbers, and inplace where it is set.
std::string numbers_extra(const Module& m) {
  std::string text;
  for (size_t i = 0; i < m.attrs.size(); ++i) {
    const AttrValue& a = m.attrs[i];
    if (a.kind == BP_ATTR_BOOL && a.i == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(m.kind->attrs.at(i).name) + "=" +
            (a.kind == BP_ATTR_F64 ? python_text(a.f) : "True");
  }
  return text;
}

void check_gelu(Maker& k) {
  const std::string_view how = k.m.str(kGelu["approximate"]);
  if (how != "none" && how != "tanh")
    fail(BP_INVALID_ARGUMENT, "approximate argument must be either none or tanh, got {}", how);
}
void gelu(ForwardCall& f) {
  f.give(0, invoke(f.m.str(kGelu["approximate"]) == "tanh" ? BP_OP_GELU_TANH : BP_OP_GELU,
                   {value(f.x())}));
}

int64_t softmax_dim(const ForwardCall& f) {
  if (const Span dim = f.m.ints(kSoftmax["dim"]); !dim.empty()) return dim[0];
  const uint32_t rank = f.x().rank();
  return rank == 0 || rank == 1 || rank == 3 ? 0 : 1;
}
template <uint32_t kOp>
void along(ForwardCall& f) {
  f.give(0, invoke(kOp, {value(f.x())}, {int_value(softmax_dim(f))}));
}
std::string softmax_extra(const Module& m) {
  const Span dim = m.ints(kSoftmax["dim"]);
  return dim.empty() ? "dim=None" : fmt::format("dim={}", dim[0]);
}

constexpr double kSeluAlpha = 1.6732632423543772848170429916717,
                 kSeluScale = 1.0507009873554804934193349852946;
void selu(ForwardCall& f) {
  f.give(0, invoke(BP_OP_MUL, {invoke(BP_OP_ELU, {value(f.x())}, {float_value(kSeluAlpha)}),
                               number(kSeluScale)}));
}
// alpha elu(x / alpha), for x below 0.
void celu(ForwardCall& f) {
  const double alpha = f.m.f64(kElu["alpha"]);
  if (alpha == 0) fail(BP_INVALID_ARGUMENT, "ZeroDivisionError: alpha cannot be 0 for CELU");
  Ref<Tensor> y =
      invoke(BP_OP_ELU, {invoke(BP_OP_DIV, {value(f.x()), number(alpha)})}, {float_value(1)});
  f.give(0, invoke(BP_OP_MUL, {y, number(alpha)}));
}
void log_sigmoid(ForwardCall& f) {
  Ref<Tensor> y = invoke(BP_OP_SOFTPLUS, {invoke(BP_OP_NEG, {value(f.x())})},
                         {float_value(1), float_value(20)});
  f.give(0, invoke(BP_OP_NEG, {y}));
}
void softsign(ForwardCall& f) {
  f.give(0, invoke(BP_OP_DIV, {value(f.x()), invoke(BP_OP_ADD, {invoke(BP_OP_ABS, {value(f.x())}),
                                                                number(1.0)})}));
}
void tanhshrink(ForwardCall& f) {
  f.give(0, invoke(BP_OP_SUB, {value(f.x()), invoke(BP_OP_TANH, {value(f.x())})}));
}
void threshold_forward(ForwardCall& f) {
  const double threshold = f.m.f64(kThreshold["threshold"]), low = f.m.f64(kThreshold["value"]);
  f.give(0, invoke(BP_OP_WHERE, {invoke(BP_OP_GT, {value(f.x()), number(threshold)}), value(f.x()),
                                 number(low)}));
}
void glu(ForwardCall& f) {
  Tensor& x = f.x();
  const int64_t dim = wrap_dim(f.m.i64(kGlu["dim"]), x.rank()),
                n = x.rank() ? x.shape[static_cast<size_t>(dim)] : 1;
  if (n % 2)
    fail(BP_INVALID_ARGUMENT, "Halving dimension must be even, but dimension {} is size {}", dim,
         n);
  f.give(0, invoke(BP_OP_MUL, {narrow(x, dim, 0, n / 2),
                               invoke(BP_OP_SIGMOID, {narrow(x, dim, n / 2, n / 2)})}));
}

void make_prelu(Maker& k) {
  init::constant(k.parameter("weight", Dims{k.m.i64(kPrelu["num_parameters"])}),
                 k.m.f64(kPrelu["init"]));
}
void prelu(ForwardCall& f) {
  Tensor& x = f.x();
  Ref<Tensor> w = f.m.needed_parameter(0);
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
  Ref<Tensor> below = invoke(BP_OP_MUL, {w, invoke(BP_OP_MINIMUM, {value(x), number(0.0)})});
  f.give(0, invoke(BP_OP_ADD, {invoke(BP_OP_RELU, {value(x)}), below}));
}

using Extra = std::string (*)(const Module&);
constexpr ModuleKind activation(const char* name, const char* title, void (*forward)(ForwardCall&),
                                const char* doc, const AttrSpecs& attrs = kNoAttrs,
                                Extra extra = nullptr) {
  return {
      .name = name, .title = title, .attrs = attrs, .forward = forward, .extra = extra, .doc = doc};
}
// clang-format off
constexpr ModuleKind kActivationKinds[] = {
    activation("relu", "ReLU", plain<BP_OP_RELU>, "max(x, 0).", kInplaceOnly, numbers_extra),
    activation("relu6", "ReLU6", plain<BP_OP_RELU6>, "min(max(x, 0), 6).", kInplaceOnly, numbers_extra),
    {.name = "gelu", .title = "GELU", .attrs = kGelu, .make = check_gelu, .forward = gelu,
     .extra = [](const Module& m) { return fmt::format("approximate='{}'", m.str(kGelu["approximate"])); },
     .doc = "x times the normal distribution function of x."},
    activation("silu", "SiLU", plain<BP_OP_SILU>, "x sigmoid(x).", kInplaceOnly, numbers_extra),
    activation("elu", "ELU", with_numbers<BP_OP_ELU>, "x, below 0 alpha (exp(x) - 1).", kElu, numbers_extra),
    activation("selu", "SELU", selu, "elu, scaled so that layers keep mean 0 and variance 1.", kInplaceOnly, numbers_extra),
    activation("celu", "CELU", celu, "x, below 0 alpha (exp(x / alpha) - 1).", kElu, numbers_extra),
    activation("leaky_relu", "LeakyReLU", with_numbers<BP_OP_LEAKY_RELU>, "x, below 0 negative_slope x.", kLeaky, numbers_extra),
    {.name = "prelu", .title = "PReLU", .attrs = kPrelu, .make = make_prelu, .forward = prelu,
     .extra = [](const Module& m) { return fmt::format("num_parameters={}", m.i64(kPrelu["num_parameters"])); },
     .doc = "x, below 0 a learned slope times x."},
    activation("softplus", "Softplus", with_numbers<BP_OP_SOFTPLUS>, "log(1 + exp(beta x)) / beta.", kSoftplus,
               numbers_extra),
    activation("softsign", "Softsign", softsign, "x / (1 + |x|)."),
    activation("tanh", "Tanh", plain<BP_OP_TANH>, "tanh(x)."),
    activation("tanhshrink", "Tanhshrink", tanhshrink, "x - tanh(x)."),
    activation("sigmoid", "Sigmoid", plain<BP_OP_SIGMOID>, "1 / (1 + exp(-x))."),
    activation("log_sigmoid", "LogSigmoid", log_sigmoid, "log(sigmoid(x))."),
    activation("hardswish", "Hardswish", plain<BP_OP_HARDSWISH>, "x relu6(x + 3) / 6.", kInplaceOnly),
    activation("hardsigmoid", "Hardsigmoid", plain<BP_OP_HARDSIGMOID>, "relu6(x + 3) / 6.", kInplaceOnly),
    activation("hardtanh", "Hardtanh", with_numbers<BP_OP_HARDTANH>, "x within min_val and max_val.", kHardtanh, numbers_extra),
    activation("mish", "Mish", plain<BP_OP_MISH>, "x tanh(softplus(x)).", kInplaceOnly, numbers_extra),
    activation("threshold", "Threshold", threshold_forward, "x above threshold, else value.", kThreshold, numbers_extra),
    activation("glu", "GLU", glu, "The first half of a dimension times sigmoid of the second.", kGlu,
               [](const Module& m) { return fmt::format("dim={}", m.i64(kGlu["dim"])); }),
    activation("softmax", "Softmax", along<BP_OP_SOFTMAX>, "exp(x) over its sum along dim.", kSoftmax, softmax_extra),
    activation("log_softmax", "LogSoftmax", along<BP_OP_LOG_SOFTMAX>, "log of softmax.", kSoftmax, softmax_extra),
};
// clang-format on
}  // namespace

std::span<const ModuleKind> activation_kinds() { return kActivationKinds; }

}  // namespace bp::nn
