// SPDX-License-Identifier: Apache-2.0
// linear.cc: layers of weights between all inputs and all outputs.
#include <cmath>

#include "core/module/initialiser.h"
#include "core/module/kind.h"

namespace bp::nn {
namespace {

constexpr AttrSpec kLinearBias = flag_attr("bias", true, "whether there is a learned bias");
constexpr AttrSpec kOutFeatures =
    required_int_attr("out_features", "size of each result's last dimension");
constexpr AttrSpecs kLazyLinear{kOutFeatures, kLinearBias};
constexpr AttrSpecs kLinear =
    AttrSpecs{required_int_attr("in_features", "size of each input's last dimension")}.with(
        kLazyLinear);
constexpr AttrSpecs kBilinear{
    required_int_attr("in1_features", "size of the first input's last dimension"),
    required_int_attr("in2_features", "size of the second input's last dimension"), kOutFeatures,
    kLinearBias};

void start_linear(Module& m) {
  init::kaiming_uniform(*m.parameter(0), std::sqrt(5.0), "fan_in", "leaky_relu");
  if (m.parameter(1)) init::bounded(*m.parameter(1), init::fans(*m.parameter(0)).in);
}
void make_linear(Maker& k) {
  const int64_t in = k.m.i64(kLinear["in_features"]), out = k.m.i64(kLinear["out_features"]);
  k.parameter("weight", Dims{out, in});
  k.optional_parameter("bias", Dims{out}, k.m.flag(kLinear["bias"]));
  start_linear(k.m);
}
void linear_forward(ForwardCall& f) {
  f.give(0, linear(f.x(), *f.m.needed_parameter(0), f.m.parameter(1)));
}
std::string linear_extra(const Module& m) {
  return fmt::format("in_features={}, out_features={}, bias={}", m.i64(kLinear["in_features"]),
                     m.i64(kLinear["out_features"]), python_text(m.parameter(1).get() != nullptr));
}

void make_lazy_linear(Maker& k) {
  k.lazy_parameter("weight");
  k.lazy_parameter("bias", k.m.flag(kLazyLinear["bias"]));
}
void materialize_linear(Module& m, Span x) {
  if (x.empty())
    fail(BP_INVALID_ARGUMENT, "LazyLinear: the input needs a last dimension to take its size from");
  const int64_t in = x.back(), out = m.i64(kLazyLinear["out_features"]);
  const bool fresh = materialize_parameter(*m.needed_parameter(0), Dims{out, in});
  if (m.parameter(1)) materialize_parameter(*m.parameter(1), Dims{out});
  become(m, "linear", in);
  if (fresh) start_linear(m);
}
std::string lazy_linear_extra(const Module& m) {
  return fmt::format("in_features=0, out_features={}, bias={}", m.i64(kLazyLinear["out_features"]),
                     python_text(m.parameter(1).get() != nullptr));
}

void make_bilinear(Maker& k) {
  const int64_t in1 = k.m.i64(kBilinear["in1_features"]), in2 = k.m.i64(kBilinear["in2_features"]),
                out = k.m.i64(kBilinear["out_features"]);
  init::bounded(k.parameter("weight", Dims{out, in1, in2}), static_cast<double>(in1));
  if (Tensor* bias = k.optional_parameter("bias", Dims{out}, k.m.flag(kBilinear["bias"])))
    init::bounded(*bias, static_cast<double>(in1));
}
// Computes y[o] = x1 W[o] x2 + b[o] by one product with all W[o] side by side and a sum over the
// dimension of x2.
void bilinear_forward(ForwardCall& f) {
  Tensor &x1 = f.x(0), &x2 = f.x(1), &w = *f.m.needed_parameter(0);
  const int64_t out = w.shape[0], in1 = w.shape[1], in2 = w.shape[2];
  if (x1.rank() == 0 || x1.rank() != x2.rank() || x1.shape.back() != in1 || x2.shape.back() != in2)
    fail(BP_INVALID_ARGUMENT, "bilinear(): inputs of {} and {} do not fit a weight of {}",
         format_shape(x1.shape), format_shape(x2.shape), format_shape(w.shape));
  Ref<Tensor> rows = reshape(x1, Dims{in1 ? x1.count / in1 : 0, in1});
  Ref<Tensor> wide = reshape(*permute(w, Dims{1, 0, 2}), Dims{in1, out * in2});
  Ref<Tensor> y = reshape(*invoke(BP_OP_MATMUL, {rows, wide}), Dims{rows->shape[0], out, in2});
  y = invoke(BP_OP_MUL, {y, reshape(x2, Dims{rows->shape[0], 1, in2})});
  const int64_t last = -1;
  y = invoke(BP_OP_SUM, {y},
             {ints_value({&last, 1}), flag_value(false), dtype_value(BP_DTYPE_NONE)});
  if (f.m.parameter(1)) y = invoke(BP_OP_ADD, {y, f.m.parameter(1)});
  Dims shape = x1.shape;
  shape.back() = out;
  f.give(0, reshape(*y, shape));
}
std::string bilinear_extra(const Module& m) {
  return fmt::format("in1_features={}, in2_features={}, out_features={}, bias={}",
                     m.i64(kBilinear["in1_features"]), m.i64(kBilinear["in2_features"]),
                     m.i64(kBilinear["out_features"]),
                     python_text(m.parameter(1).get() != nullptr));
}

// clang-format off
constexpr ModuleKind kLinearKinds[] = {
    {.name = "linear", .title = "Linear", .attrs = kLinear, .make = make_linear, .forward = linear_forward, .extra = linear_extra,
     .doc = "x weight^T + bias."},
    {.name = "lazy_linear", .title = "LazyLinear", .attrs = kLazyLinear, .make = make_lazy_linear, .forward = linear_forward,
     .extra = lazy_linear_extra, .materialize = materialize_linear,
     .doc = "A linear that takes in_features from its first input, and is one from then on."},
    {.name = "bilinear", .title = "Bilinear", .attrs = kBilinear, .min_inputs = 2, .max_inputs = 2, .make = make_bilinear,
     .forward = bilinear_forward, .extra = bilinear_extra, .doc = "x1 weight x2 + bias."},
};
// clang-format on
}  // namespace

std::span<const ModuleKind> linear_kinds() { return kLinearKinds; }

}  // namespace bp::nn
