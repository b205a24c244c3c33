// SPDX-License-Identifier: Apache-2.0
// backplane_layers.hpp: a class for each kind of module, as nn::Linear(3, 4, {.bias = false});
// included by backplane.hpp. Printed by `./dev print` from the tables of kinds; do not edit.
#ifndef BACKPLANE_LAYERS_HPP
#define BACKPLANE_LAYERS_HPP

#include "backplane_nn.hpp"

namespace backplane {
namespace nn {

// Its children, each on what the one before it made.
class Sequential : public Module {
 public:
  Sequential(std::initializer_list<Module> children = {}) : Module("sequential") {
    for (const Module& child : children) append(child);
  }
  template <class... M>
  explicit Sequential(const Module& first, const M&... rest) : Sequential({first, rest...}) {}
};

// Children by number; it does nothing itself.
class ModuleList : public Module {
 public:
  ModuleList(std::initializer_list<Module> children = {}) : Module("module_list") {
    for (const Module& child : children) append(child);
  }
  template <class... M>
  explicit ModuleList(const Module& first, const M&... rest) : ModuleList({first, rest...}) {}
};

// Children by name; it does nothing itself.
class ModuleDict : public Module {
 public:
  ModuleDict(std::initializer_list<std::pair<std::string, Module>> children = {}) : Module("module_dict") {
    for (const auto& [name, child] : children) set_child(name, child);
  }
};

// x itself.
class Identity : public Module {
 public:
  Identity()
      : Module("identity", {}) {}
};

struct FlattenOptions {
  std::int64_t start_dim = 1;
  std::int64_t end_dim = -1;
};
// Dimensions start_dim to end_dim as one.
//   start_dim: the first dimension that is joined
//   end_dim: the last one
class Flatten : public Module {
 public:
  using Options = FlattenOptions;
  explicit Flatten(const FlattenOptions& o = {})
      : Module("flatten", {{"start_dim", o.start_dim}, {"end_dim", o.end_dim}}) {}
  explicit Flatten(std::int64_t start_dim) : Flatten(with(start_dim)) {}

 private:
  static Options with(std::int64_t start_dim) {
    Options o;
    o.start_dim = start_dim;
    return o;
  }
};

// One dimension as several.
//   dim: the dimension that is taken apart
//   unflattened_size: what it becomes; one size may be -1
class Unflatten : public Module {
 public:
  Unflatten(std::int64_t dim, const Sizes& unflattened_size)
      : Module("unflatten", {{"dim", dim}, {"unflattened_size", unflattened_size}}) {}
};

struct LinearOptions {
  bool bias = true;
  Device device = {};
  Dtype dtype = {};
};
// x weight^T + bias.
//   in_features: size of each input's last dimension
//   out_features: size of each result's last dimension
//   bias: whether there is a learned bias
class Linear : public Module {
 public:
  using Options = LinearOptions;
  Linear(std::int64_t in_features, std::int64_t out_features, const LinearOptions& o = {})
      : Module("linear", {{"in_features", in_features}, {"out_features", out_features}, {"bias", o.bias}}, o.device, o.dtype) {}
};

struct LazyLinearOptions {
  bool bias = true;
  Device device = {};
  Dtype dtype = {};
};
// A linear that takes in_features from its first input, and is one from then on.
//   out_features: size of each result's last dimension
//   bias: whether there is a learned bias
class LazyLinear : public Module {
 public:
  using Options = LazyLinearOptions;
  LazyLinear(std::int64_t out_features, const LazyLinearOptions& o = {})
      : Module("lazy_linear", {{"out_features", out_features}, {"bias", o.bias}}, o.device, o.dtype) {}
};

struct BilinearOptions {
  bool bias = true;
  Device device = {};
  Dtype dtype = {};
};
// x1 weight x2 + bias.
//   in1_features: size of the first input's last dimension
//   in2_features: size of the second input's last dimension
//   out_features: size of each result's last dimension
//   bias: whether there is a learned bias
class Bilinear : public Module {
 public:
  using Options = BilinearOptions;
  Bilinear(std::int64_t in1_features, std::int64_t in2_features, std::int64_t out_features, const BilinearOptions& o = {})
      : Module("bilinear", {{"in1_features", in1_features}, {"in2_features", in2_features}, {"out_features", out_features}, {"bias", o.bias}}, o.device, o.dtype) {}
};

struct Conv1dOptions {
  Sizes stride = 1;
  Sizes padding = 0;
  Sizes dilation = 1;
  std::int64_t groups = 1;
  bool bias = true;
  std::string padding_mode = "zeros";
  Device device = {};
  Dtype dtype = {};
};
// Convolution of [N, C, size] or [C, size] with a kernel for each pair of channels, plus bias.
//   in_channels: channels of the input
//   out_channels: channels of the result
//   kernel_size: sizes of the kernel, or one for all
//   stride: steps of the kernel
//   padding: added on both sides; or "valid" (none), "same" (as the input)
//   dilation: steps between a kernel's elements
//   groups: groups of channels that do not meet
//   bias: whether there is a learned bias
//   padding_mode: zeros, reflect, replicate or circular
class Conv1d : public Module {
 public:
  using Options = Conv1dOptions;
  Conv1d(std::int64_t in_channels, std::int64_t out_channels, const Sizes& kernel_size, const Conv1dOptions& o = {})
      : Module("conv1d", {{"in_channels", in_channels}, {"out_channels", out_channels}, {"kernel_size", kernel_size}, {"stride", o.stride}, {"padding", o.padding}, {"dilation", o.dilation}, {"groups", o.groups}, {"bias", o.bias}, {"padding_mode", o.padding_mode}}, o.device, o.dtype) {}
};

struct Conv2dOptions {
  Sizes stride = 1;
  Sizes padding = 0;
  Sizes dilation = 1;
  std::int64_t groups = 1;
  bool bias = true;
  std::string padding_mode = "zeros";
  Device device = {};
  Dtype dtype = {};
};
// Convolution of [N, C, size] or [C, size] with a kernel for each pair of channels, plus bias.
//   in_channels: channels of the input
//   out_channels: channels of the result
//   kernel_size: sizes of the kernel, or one for all
//   stride: steps of the kernel
//   padding: added on both sides; or "valid" (none), "same" (as the input)
//   dilation: steps between a kernel's elements
//   groups: groups of channels that do not meet
//   bias: whether there is a learned bias
//   padding_mode: zeros, reflect, replicate or circular
class Conv2d : public Module {
 public:
  using Options = Conv2dOptions;
  Conv2d(std::int64_t in_channels, std::int64_t out_channels, const Sizes& kernel_size, const Conv2dOptions& o = {})
      : Module("conv2d", {{"in_channels", in_channels}, {"out_channels", out_channels}, {"kernel_size", kernel_size}, {"stride", o.stride}, {"padding", o.padding}, {"dilation", o.dilation}, {"groups", o.groups}, {"bias", o.bias}, {"padding_mode", o.padding_mode}}, o.device, o.dtype) {}
};

struct Conv3dOptions {
  Sizes stride = 1;
  Sizes padding = 0;
  Sizes dilation = 1;
  std::int64_t groups = 1;
  bool bias = true;
  std::string padding_mode = "zeros";
  Device device = {};
  Dtype dtype = {};
};
// Convolution of [N, C, size] or [C, size] with a kernel for each pair of channels, plus bias.
//   in_channels: channels of the input
//   out_channels: channels of the result
//   kernel_size: sizes of the kernel, or one for all
//   stride: steps of the kernel
//   padding: added on both sides; or "valid" (none), "same" (as the input)
//   dilation: steps between a kernel's elements
//   groups: groups of channels that do not meet
//   bias: whether there is a learned bias
//   padding_mode: zeros, reflect, replicate or circular
class Conv3d : public Module {
 public:
  using Options = Conv3dOptions;
  Conv3d(std::int64_t in_channels, std::int64_t out_channels, const Sizes& kernel_size, const Conv3dOptions& o = {})
      : Module("conv3d", {{"in_channels", in_channels}, {"out_channels", out_channels}, {"kernel_size", kernel_size}, {"stride", o.stride}, {"padding", o.padding}, {"dilation", o.dilation}, {"groups", o.groups}, {"bias", o.bias}, {"padding_mode", o.padding_mode}}, o.device, o.dtype) {}
};

struct LazyConv1dOptions {
  Sizes stride = 1;
  Sizes padding = 0;
  Sizes dilation = 1;
  std::int64_t groups = 1;
  bool bias = true;
  std::string padding_mode = "zeros";
  Device device = {};
  Dtype dtype = {};
};
// A convolution that takes in_channels from its first input, and is one from then on.
//   out_channels: channels of the result
//   kernel_size: sizes of the kernel, or one for all
//   stride: steps of the kernel
//   padding: added on both sides; or "valid" (none), "same" (as the input)
//   dilation: steps between a kernel's elements
//   groups: groups of channels that do not meet
//   bias: whether there is a learned bias
//   padding_mode: zeros, reflect, replicate or circular
class LazyConv1d : public Module {
 public:
  using Options = LazyConv1dOptions;
  LazyConv1d(std::int64_t out_channels, const Sizes& kernel_size, const LazyConv1dOptions& o = {})
      : Module("lazy_conv1d", {{"out_channels", out_channels}, {"kernel_size", kernel_size}, {"stride", o.stride}, {"padding", o.padding}, {"dilation", o.dilation}, {"groups", o.groups}, {"bias", o.bias}, {"padding_mode", o.padding_mode}}, o.device, o.dtype) {}
};

struct LazyConv2dOptions {
  Sizes stride = 1;
  Sizes padding = 0;
  Sizes dilation = 1;
  std::int64_t groups = 1;
  bool bias = true;
  std::string padding_mode = "zeros";
  Device device = {};
  Dtype dtype = {};
};
// A convolution that takes in_channels from its first input, and is one from then on.
//   out_channels: channels of the result
//   kernel_size: sizes of the kernel, or one for all
//   stride: steps of the kernel
//   padding: added on both sides; or "valid" (none), "same" (as the input)
//   dilation: steps between a kernel's elements
//   groups: groups of channels that do not meet
//   bias: whether there is a learned bias
//   padding_mode: zeros, reflect, replicate or circular
class LazyConv2d : public Module {
 public:
  using Options = LazyConv2dOptions;
  LazyConv2d(std::int64_t out_channels, const Sizes& kernel_size, const LazyConv2dOptions& o = {})
      : Module("lazy_conv2d", {{"out_channels", out_channels}, {"kernel_size", kernel_size}, {"stride", o.stride}, {"padding", o.padding}, {"dilation", o.dilation}, {"groups", o.groups}, {"bias", o.bias}, {"padding_mode", o.padding_mode}}, o.device, o.dtype) {}
};

struct LazyConv3dOptions {
  Sizes stride = 1;
  Sizes padding = 0;
  Sizes dilation = 1;
  std::int64_t groups = 1;
  bool bias = true;
  std::string padding_mode = "zeros";
  Device device = {};
  Dtype dtype = {};
};
// A convolution that takes in_channels from its first input, and is one from then on.
//   out_channels: channels of the result
//   kernel_size: sizes of the kernel, or one for all
//   stride: steps of the kernel
//   padding: added on both sides; or "valid" (none), "same" (as the input)
//   dilation: steps between a kernel's elements
//   groups: groups of channels that do not meet
//   bias: whether there is a learned bias
//   padding_mode: zeros, reflect, replicate or circular
class LazyConv3d : public Module {
 public:
  using Options = LazyConv3dOptions;
  LazyConv3d(std::int64_t out_channels, const Sizes& kernel_size, const LazyConv3dOptions& o = {})
      : Module("lazy_conv3d", {{"out_channels", out_channels}, {"kernel_size", kernel_size}, {"stride", o.stride}, {"padding", o.padding}, {"dilation", o.dilation}, {"groups", o.groups}, {"bias", o.bias}, {"padding_mode", o.padding_mode}}, o.device, o.dtype) {}
};

struct ConvTranspose1dOptions {
  Sizes stride = 1;
  Sizes padding = 0;
  Sizes output_padding = 0;
  std::int64_t groups = 1;
  bool bias = true;
  Sizes dilation = 1;
  Device device = {};
  Dtype dtype = {};
};
// The gradient of a convolution towards its input, plus bias.
//   in_channels: channels of the input
//   out_channels: channels of the result
//   kernel_size: sizes of the kernel, or one for all
//   stride: steps of the kernel
//   padding: taken from both sides of the result
//   output_padding: added to one side of the result
//   groups: groups of channels that do not meet
//   bias: whether there is a learned bias
//   dilation: steps between a kernel's elements
class ConvTranspose1d : public Module {
 public:
  using Options = ConvTranspose1dOptions;
  ConvTranspose1d(std::int64_t in_channels, std::int64_t out_channels, const Sizes& kernel_size, const ConvTranspose1dOptions& o = {})
      : Module("conv_transpose1d", {{"in_channels", in_channels}, {"out_channels", out_channels}, {"kernel_size", kernel_size}, {"stride", o.stride}, {"padding", o.padding}, {"output_padding", o.output_padding}, {"groups", o.groups}, {"bias", o.bias}, {"dilation", o.dilation}}, o.device, o.dtype) {}
};

struct ConvTranspose2dOptions {
  Sizes stride = 1;
  Sizes padding = 0;
  Sizes output_padding = 0;
  std::int64_t groups = 1;
  bool bias = true;
  Sizes dilation = 1;
  Device device = {};
  Dtype dtype = {};
};
// The gradient of a convolution towards its input, plus bias.
//   in_channels: channels of the input
//   out_channels: channels of the result
//   kernel_size: sizes of the kernel, or one for all
//   stride: steps of the kernel
//   padding: taken from both sides of the result
//   output_padding: added to one side of the result
//   groups: groups of channels that do not meet
//   bias: whether there is a learned bias
//   dilation: steps between a kernel's elements
class ConvTranspose2d : public Module {
 public:
  using Options = ConvTranspose2dOptions;
  ConvTranspose2d(std::int64_t in_channels, std::int64_t out_channels, const Sizes& kernel_size, const ConvTranspose2dOptions& o = {})
      : Module("conv_transpose2d", {{"in_channels", in_channels}, {"out_channels", out_channels}, {"kernel_size", kernel_size}, {"stride", o.stride}, {"padding", o.padding}, {"output_padding", o.output_padding}, {"groups", o.groups}, {"bias", o.bias}, {"dilation", o.dilation}}, o.device, o.dtype) {}
};

struct ConvTranspose3dOptions {
  Sizes stride = 1;
  Sizes padding = 0;
  Sizes output_padding = 0;
  std::int64_t groups = 1;
  bool bias = true;
  Sizes dilation = 1;
  Device device = {};
  Dtype dtype = {};
};
// The gradient of a convolution towards its input, plus bias.
//   in_channels: channels of the input
//   out_channels: channels of the result
//   kernel_size: sizes of the kernel, or one for all
//   stride: steps of the kernel
//   padding: taken from both sides of the result
//   output_padding: added to one side of the result
//   groups: groups of channels that do not meet
//   bias: whether there is a learned bias
//   dilation: steps between a kernel's elements
class ConvTranspose3d : public Module {
 public:
  using Options = ConvTranspose3dOptions;
  ConvTranspose3d(std::int64_t in_channels, std::int64_t out_channels, const Sizes& kernel_size, const ConvTranspose3dOptions& o = {})
      : Module("conv_transpose3d", {{"in_channels", in_channels}, {"out_channels", out_channels}, {"kernel_size", kernel_size}, {"stride", o.stride}, {"padding", o.padding}, {"output_padding", o.output_padding}, {"groups", o.groups}, {"bias", o.bias}, {"dilation", o.dilation}}, o.device, o.dtype) {}
};

struct BatchNorm1dOptions {
  double eps = 1e-05;
  double momentum = 0.1;
  bool affine = true;
  bool track_running_stats = true;
  bool bias = true;
  Device device = {};
  Dtype dtype = {};
};
// Each channel by the batch's mean and variance in training, else by the running ones.
//   num_features: channels
//   eps: added to the variance
//   momentum: share of a batch in the running statistics; NaN: the mean of all batches
//   affine: whether weight and bias are learned
//   track_running_stats: whether there are running statistics
//   bias: whether there is a bias, where affine
class BatchNorm1d : public Module {
 public:
  using Options = BatchNorm1dOptions;
  BatchNorm1d(std::int64_t num_features, const BatchNorm1dOptions& o = {})
      : Module("batch_norm1d", {{"num_features", num_features}, {"eps", o.eps}, {"momentum", o.momentum}, {"affine", o.affine}, {"track_running_stats", o.track_running_stats}, {"bias", o.bias}}, o.device, o.dtype) {}
};

struct BatchNorm2dOptions {
  double eps = 1e-05;
  double momentum = 0.1;
  bool affine = true;
  bool track_running_stats = true;
  bool bias = true;
  Device device = {};
  Dtype dtype = {};
};
// Each channel by the batch's mean and variance in training, else by the running ones.
//   num_features: channels
//   eps: added to the variance
//   momentum: share of a batch in the running statistics; NaN: the mean of all batches
//   affine: whether weight and bias are learned
//   track_running_stats: whether there are running statistics
//   bias: whether there is a bias, where affine
class BatchNorm2d : public Module {
 public:
  using Options = BatchNorm2dOptions;
  BatchNorm2d(std::int64_t num_features, const BatchNorm2dOptions& o = {})
      : Module("batch_norm2d", {{"num_features", num_features}, {"eps", o.eps}, {"momentum", o.momentum}, {"affine", o.affine}, {"track_running_stats", o.track_running_stats}, {"bias", o.bias}}, o.device, o.dtype) {}
};

struct BatchNorm3dOptions {
  double eps = 1e-05;
  double momentum = 0.1;
  bool affine = true;
  bool track_running_stats = true;
  bool bias = true;
  Device device = {};
  Dtype dtype = {};
};
// Each channel by the batch's mean and variance in training, else by the running ones.
//   num_features: channels
//   eps: added to the variance
//   momentum: share of a batch in the running statistics; NaN: the mean of all batches
//   affine: whether weight and bias are learned
//   track_running_stats: whether there are running statistics
//   bias: whether there is a bias, where affine
class BatchNorm3d : public Module {
 public:
  using Options = BatchNorm3dOptions;
  BatchNorm3d(std::int64_t num_features, const BatchNorm3dOptions& o = {})
      : Module("batch_norm3d", {{"num_features", num_features}, {"eps", o.eps}, {"momentum", o.momentum}, {"affine", o.affine}, {"track_running_stats", o.track_running_stats}, {"bias", o.bias}}, o.device, o.dtype) {}
};

struct InstanceNorm1dOptions {
  double eps = 1e-05;
  double momentum = 0.1;
  bool affine = false;
  bool track_running_stats = false;
  bool bias = true;
  Device device = {};
  Dtype dtype = {};
};
// Each channel of each element of the batch by its mean and variance; evaluating, where there are running ones, by these.
//   num_features: channels
//   eps: added to the variance
//   momentum: share of a batch in the running statistics; NaN: none
//   affine: whether weight and bias are learned
//   track_running_stats: whether there are running statistics
//   bias: whether there is a bias, where affine
class InstanceNorm1d : public Module {
 public:
  using Options = InstanceNorm1dOptions;
  InstanceNorm1d(std::int64_t num_features, const InstanceNorm1dOptions& o = {})
      : Module("instance_norm1d", {{"num_features", num_features}, {"eps", o.eps}, {"momentum", o.momentum}, {"affine", o.affine}, {"track_running_stats", o.track_running_stats}, {"bias", o.bias}}, o.device, o.dtype) {}
};

struct InstanceNorm2dOptions {
  double eps = 1e-05;
  double momentum = 0.1;
  bool affine = false;
  bool track_running_stats = false;
  bool bias = true;
  Device device = {};
  Dtype dtype = {};
};
// Each channel of each element of the batch by its mean and variance; evaluating, where there are running ones, by these.
//   num_features: channels
//   eps: added to the variance
//   momentum: share of a batch in the running statistics; NaN: none
//   affine: whether weight and bias are learned
//   track_running_stats: whether there are running statistics
//   bias: whether there is a bias, where affine
class InstanceNorm2d : public Module {
 public:
  using Options = InstanceNorm2dOptions;
  InstanceNorm2d(std::int64_t num_features, const InstanceNorm2dOptions& o = {})
      : Module("instance_norm2d", {{"num_features", num_features}, {"eps", o.eps}, {"momentum", o.momentum}, {"affine", o.affine}, {"track_running_stats", o.track_running_stats}, {"bias", o.bias}}, o.device, o.dtype) {}
};

struct InstanceNorm3dOptions {
  double eps = 1e-05;
  double momentum = 0.1;
  bool affine = false;
  bool track_running_stats = false;
  bool bias = true;
  Device device = {};
  Dtype dtype = {};
};
// Each channel of each element of the batch by its mean and variance; evaluating, where there are running ones, by these.
//   num_features: channels
//   eps: added to the variance
//   momentum: share of a batch in the running statistics; NaN: none
//   affine: whether weight and bias are learned
//   track_running_stats: whether there are running statistics
//   bias: whether there is a bias, where affine
class InstanceNorm3d : public Module {
 public:
  using Options = InstanceNorm3dOptions;
  InstanceNorm3d(std::int64_t num_features, const InstanceNorm3dOptions& o = {})
      : Module("instance_norm3d", {{"num_features", num_features}, {"eps", o.eps}, {"momentum", o.momentum}, {"affine", o.affine}, {"track_running_stats", o.track_running_stats}, {"bias", o.bias}}, o.device, o.dtype) {}
};

struct LayerNormOptions {
  double eps = 1e-05;
  bool elementwise_affine = true;
  bool bias = true;
  Device device = {};
  Dtype dtype = {};
};
// The last dimensions by their mean and variance.
//   normalized_shape: sizes of the last dimensions
//   eps: added to the variance
//   elementwise_affine: whether weight and bias are learned
//   bias: whether there is a bias
class LayerNorm : public Module {
 public:
  using Options = LayerNormOptions;
  LayerNorm(const Sizes& normalized_shape, const LayerNormOptions& o = {})
      : Module("layer_norm", {{"normalized_shape", normalized_shape}, {"eps", o.eps}, {"elementwise_affine", o.elementwise_affine}, {"bias", o.bias}}, o.device, o.dtype) {}
};

struct RMSNormOptions {
  double eps = std::numeric_limits<double>::quiet_NaN();
  bool elementwise_affine = true;
  Device device = {};
  Dtype dtype = {};
};
// The last dimensions by the root of their mean square.
//   normalized_shape: sizes of the last dimensions
//   eps: added to the mean square; NaN: the dtype's epsilon
//   elementwise_affine: whether weight is learned
class RMSNorm : public Module {
 public:
  using Options = RMSNormOptions;
  RMSNorm(const Sizes& normalized_shape, const RMSNormOptions& o = {})
      : Module("rms_norm", {{"normalized_shape", normalized_shape}, {"eps", o.eps}, {"elementwise_affine", o.elementwise_affine}}, o.device, o.dtype) {}
};

struct GroupNormOptions {
  double eps = 1e-05;
  bool affine = true;
  bool bias = true;
  Device device = {};
  Dtype dtype = {};
};
// Groups of channels by their mean and variance.
//   num_groups: groups of channels
//   num_channels: channels
//   eps: added to the variance
//   affine: whether weight and bias are learned
//   bias: whether there is a bias, where affine
class GroupNorm : public Module {
 public:
  using Options = GroupNormOptions;
  GroupNorm(std::int64_t num_groups, std::int64_t num_channels, const GroupNormOptions& o = {})
      : Module("group_norm", {{"num_groups", num_groups}, {"num_channels", num_channels}, {"eps", o.eps}, {"affine", o.affine}, {"bias", o.bias}}, o.device, o.dtype) {}
};

struct ReLUOptions {
  bool inplace = false;
};
// max(x, 0).
//   inplace: accepted; the result is a new tensor all the same
class ReLU : public Module {
 public:
  using Options = ReLUOptions;
  explicit ReLU(const ReLUOptions& o = {})
      : Module("relu", {{"inplace", o.inplace}}) {}
};

struct ReLU6Options {
  bool inplace = false;
};
// min(max(x, 0), 6).
//   inplace: accepted; the result is a new tensor all the same
class ReLU6 : public Module {
 public:
  using Options = ReLU6Options;
  explicit ReLU6(const ReLU6Options& o = {})
      : Module("relu6", {{"inplace", o.inplace}}) {}
};

struct GELUOptions {
  std::string approximate = "none";
  Device device = {};
  Dtype dtype = {};
};
// x times the normal distribution function of x.
//   approximate: none, or tanh: a polynomial's
class GELU : public Module {
 public:
  using Options = GELUOptions;
  explicit GELU(const GELUOptions& o = {})
      : Module("gelu", {{"approximate", o.approximate}}, o.device, o.dtype) {}
};

struct SiLUOptions {
  bool inplace = false;
};
// x sigmoid(x).
//   inplace: accepted; the result is a new tensor all the same
class SiLU : public Module {
 public:
  using Options = SiLUOptions;
  explicit SiLU(const SiLUOptions& o = {})
      : Module("silu", {{"inplace", o.inplace}}) {}
};

struct ELUOptions {
  double alpha = 1;
  bool inplace = false;
};
// x, below 0 alpha (exp(x) - 1).
//   alpha: what it falls to, negated
//   inplace: accepted; the result is a new tensor all the same
class ELU : public Module {
 public:
  using Options = ELUOptions;
  explicit ELU(const ELUOptions& o = {})
      : Module("elu", {{"alpha", o.alpha}, {"inplace", o.inplace}}) {}
  explicit ELU(double alpha) : ELU(with(alpha)) {}

 private:
  static Options with(double alpha) {
    Options o;
    o.alpha = alpha;
    return o;
  }
};

struct SELUOptions {
  bool inplace = false;
};
// elu, scaled so that layers keep mean 0 and variance 1.
//   inplace: accepted; the result is a new tensor all the same
class SELU : public Module {
 public:
  using Options = SELUOptions;
  explicit SELU(const SELUOptions& o = {})
      : Module("selu", {{"inplace", o.inplace}}) {}
};

struct CELUOptions {
  double alpha = 1;
  bool inplace = false;
};
// x, below 0 alpha (exp(x / alpha) - 1).
//   alpha: what it falls to, negated
//   inplace: accepted; the result is a new tensor all the same
class CELU : public Module {
 public:
  using Options = CELUOptions;
  explicit CELU(const CELUOptions& o = {})
      : Module("celu", {{"alpha", o.alpha}, {"inplace", o.inplace}}) {}
  explicit CELU(double alpha) : CELU(with(alpha)) {}

 private:
  static Options with(double alpha) {
    Options o;
    o.alpha = alpha;
    return o;
  }
};

struct LeakyReLUOptions {
  double negative_slope = 0.01;
  bool inplace = false;
};
// x, below 0 negative_slope x.
//   negative_slope: slope below 0
//   inplace: accepted; the result is a new tensor all the same
class LeakyReLU : public Module {
 public:
  using Options = LeakyReLUOptions;
  explicit LeakyReLU(const LeakyReLUOptions& o = {})
      : Module("leaky_relu", {{"negative_slope", o.negative_slope}, {"inplace", o.inplace}}) {}
  explicit LeakyReLU(double negative_slope) : LeakyReLU(with(negative_slope)) {}

 private:
  static Options with(double negative_slope) {
    Options o;
    o.negative_slope = negative_slope;
    return o;
  }
};

struct PReLUOptions {
  std::int64_t num_parameters = 1;
  double init = 0.25;
  Device device = {};
  Dtype dtype = {};
};
// x, below 0 a learned slope times x.
//   num_parameters: 1, or the number of channels
//   init: the slope at first
class PReLU : public Module {
 public:
  using Options = PReLUOptions;
  explicit PReLU(const PReLUOptions& o = {})
      : Module("prelu", {{"num_parameters", o.num_parameters}, {"init", o.init}}, o.device, o.dtype) {}
  explicit PReLU(std::int64_t num_parameters) : PReLU(with(num_parameters)) {}

 private:
  static Options with(std::int64_t num_parameters) {
    Options o;
    o.num_parameters = num_parameters;
    return o;
  }
};

struct SoftplusOptions {
  double beta = 1;
  double threshold = 20;
};
// log(1 + exp(beta x)) / beta.
//   beta: scale
//   threshold: beta x above which the result is x itself
class Softplus : public Module {
 public:
  using Options = SoftplusOptions;
  explicit Softplus(const SoftplusOptions& o = {})
      : Module("softplus", {{"beta", o.beta}, {"threshold", o.threshold}}) {}
  explicit Softplus(double beta) : Softplus(with(beta)) {}

 private:
  static Options with(double beta) {
    Options o;
    o.beta = beta;
    return o;
  }
};

// x / (1 + |x|).
class Softsign : public Module {
 public:
  Softsign()
      : Module("softsign", {}) {}
};

// tanh(x).
class Tanh : public Module {
 public:
  Tanh()
      : Module("tanh", {}) {}
};

// x - tanh(x).
class Tanhshrink : public Module {
 public:
  Tanhshrink()
      : Module("tanhshrink", {}) {}
};

// 1 / (1 + exp(-x)).
class Sigmoid : public Module {
 public:
  Sigmoid()
      : Module("sigmoid", {}) {}
};

// log(sigmoid(x)).
class LogSigmoid : public Module {
 public:
  LogSigmoid()
      : Module("log_sigmoid", {}) {}
};

struct HardswishOptions {
  bool inplace = false;
};
// x relu6(x + 3) / 6.
//   inplace: accepted; the result is a new tensor all the same
class Hardswish : public Module {
 public:
  using Options = HardswishOptions;
  explicit Hardswish(const HardswishOptions& o = {})
      : Module("hardswish", {{"inplace", o.inplace}}) {}
};

struct HardsigmoidOptions {
  bool inplace = false;
};
// relu6(x + 3) / 6.
//   inplace: accepted; the result is a new tensor all the same
class Hardsigmoid : public Module {
 public:
  using Options = HardsigmoidOptions;
  explicit Hardsigmoid(const HardsigmoidOptions& o = {})
      : Module("hardsigmoid", {{"inplace", o.inplace}}) {}
};

struct HardtanhOptions {
  double min_val = -1;
  double max_val = 1;
  bool inplace = false;
};
// x within min_val and max_val.
//   min_val: the least result
//   max_val: the largest
//   inplace: accepted; the result is a new tensor all the same
class Hardtanh : public Module {
 public:
  using Options = HardtanhOptions;
  explicit Hardtanh(const HardtanhOptions& o = {})
      : Module("hardtanh", {{"min_val", o.min_val}, {"max_val", o.max_val}, {"inplace", o.inplace}}) {}
  explicit Hardtanh(double min_val) : Hardtanh(with(min_val)) {}

 private:
  static Options with(double min_val) {
    Options o;
    o.min_val = min_val;
    return o;
  }
};

struct MishOptions {
  bool inplace = false;
};
// x tanh(softplus(x)).
//   inplace: accepted; the result is a new tensor all the same
class Mish : public Module {
 public:
  using Options = MishOptions;
  explicit Mish(const MishOptions& o = {})
      : Module("mish", {{"inplace", o.inplace}}) {}
};

struct ThresholdOptions {
  double threshold = 0;
  double value = 0;
  bool inplace = false;
};
// x above threshold, else value.
//   threshold: above which x stays
//   value: in its place else
//   inplace: accepted; the result is a new tensor all the same
class Threshold : public Module {
 public:
  using Options = ThresholdOptions;
  explicit Threshold(const ThresholdOptions& o = {})
      : Module("threshold", {{"threshold", o.threshold}, {"value", o.value}, {"inplace", o.inplace}}) {}
  explicit Threshold(double threshold) : Threshold(with(threshold)) {}

 private:
  static Options with(double threshold) {
    Options o;
    o.threshold = threshold;
    return o;
  }
};

struct GLUOptions {
  std::int64_t dim = -1;
};
// The first half of a dimension times sigmoid of the second.
//   dim: the dimension that is halved
class GLU : public Module {
 public:
  using Options = GLUOptions;
  explicit GLU(const GLUOptions& o = {})
      : Module("glu", {{"dim", o.dim}}) {}
  explicit GLU(std::int64_t dim) : GLU(with(dim)) {}

 private:
  static Options with(std::int64_t dim) {
    Options o;
    o.dim = dim;
    return o;
  }
};

struct SoftmaxOptions {
  Sizes dim = {};
};
// exp(x) over its sum along dim.
//   dim: along which the sum is 1; none: as PyTorch chooses
class Softmax : public Module {
 public:
  using Options = SoftmaxOptions;
  explicit Softmax(const SoftmaxOptions& o = {})
      : Module("softmax", {{"dim", o.dim}}) {}
  explicit Softmax(const Sizes& dim) : Softmax(with(dim)) {}

 private:
  static Options with(const Sizes& dim) {
    Options o;
    o.dim = dim;
    return o;
  }
};

struct LogSoftmaxOptions {
  Sizes dim = {};
};
// log of softmax.
//   dim: along which the sum is 1; none: as PyTorch chooses
class LogSoftmax : public Module {
 public:
  using Options = LogSoftmaxOptions;
  explicit LogSoftmax(const LogSoftmaxOptions& o = {})
      : Module("log_softmax", {{"dim", o.dim}}) {}
  explicit LogSoftmax(const Sizes& dim) : LogSoftmax(with(dim)) {}

 private:
  static Options with(const Sizes& dim) {
    Options o;
    o.dim = dim;
    return o;
  }
};

struct MaxPool1dOptions {
  Sizes stride = {};
  Sizes padding = 0;
  Sizes dilation = 1;
  bool return_indices = false;
  bool ceil_mode = false;
};
// The largest of each window.
//   kernel_size: sizes of the windows, or one for all
//   stride: steps; none: kernel_size
//   padding: added on both sides, never the largest
//   dilation: steps between a window's elements
//   return_indices: whether the places are a second result
//   ceil_mode: whether windows may go beyond the end
class MaxPool1d : public Module {
 public:
  using Options = MaxPool1dOptions;
  MaxPool1d(const Sizes& kernel_size, const MaxPool1dOptions& o = {})
      : Module("max_pool1d", {{"kernel_size", kernel_size}, {"stride", o.stride}, {"padding", o.padding}, {"dilation", o.dilation}, {"return_indices", o.return_indices}, {"ceil_mode", o.ceil_mode}}) {}
};

struct MaxPool2dOptions {
  Sizes stride = {};
  Sizes padding = 0;
  Sizes dilation = 1;
  bool return_indices = false;
  bool ceil_mode = false;
};
// The largest of each window.
//   kernel_size: sizes of the windows, or one for all
//   stride: steps; none: kernel_size
//   padding: added on both sides, never the largest
//   dilation: steps between a window's elements
//   return_indices: whether the places are a second result
//   ceil_mode: whether windows may go beyond the end
class MaxPool2d : public Module {
 public:
  using Options = MaxPool2dOptions;
  MaxPool2d(const Sizes& kernel_size, const MaxPool2dOptions& o = {})
      : Module("max_pool2d", {{"kernel_size", kernel_size}, {"stride", o.stride}, {"padding", o.padding}, {"dilation", o.dilation}, {"return_indices", o.return_indices}, {"ceil_mode", o.ceil_mode}}) {}
};

struct MaxPool3dOptions {
  Sizes stride = {};
  Sizes padding = 0;
  Sizes dilation = 1;
  bool return_indices = false;
  bool ceil_mode = false;
};
// The largest of each window.
//   kernel_size: sizes of the windows, or one for all
//   stride: steps; none: kernel_size
//   padding: added on both sides, never the largest
//   dilation: steps between a window's elements
//   return_indices: whether the places are a second result
//   ceil_mode: whether windows may go beyond the end
class MaxPool3d : public Module {
 public:
  using Options = MaxPool3dOptions;
  MaxPool3d(const Sizes& kernel_size, const MaxPool3dOptions& o = {})
      : Module("max_pool3d", {{"kernel_size", kernel_size}, {"stride", o.stride}, {"padding", o.padding}, {"dilation", o.dilation}, {"return_indices", o.return_indices}, {"ceil_mode", o.ceil_mode}}) {}
};

struct AvgPool1dOptions {
  Sizes stride = {};
  Sizes padding = 0;
  bool ceil_mode = false;
  bool count_include_pad = true;
};
// The mean of each window.
//   kernel_size: sizes of the windows, or one for all
//   stride: steps; none: kernel_size
//   padding: zeros added on both sides
//   ceil_mode: whether windows may go beyond the end
//   count_include_pad: whether these zeros count
class AvgPool1d : public Module {
 public:
  using Options = AvgPool1dOptions;
  AvgPool1d(const Sizes& kernel_size, const AvgPool1dOptions& o = {})
      : Module("avg_pool1d", {{"kernel_size", kernel_size}, {"stride", o.stride}, {"padding", o.padding}, {"ceil_mode", o.ceil_mode}, {"count_include_pad", o.count_include_pad}}) {}
};

struct AvgPool2dOptions {
  Sizes stride = {};
  Sizes padding = 0;
  bool ceil_mode = false;
  bool count_include_pad = true;
};
// The mean of each window.
//   kernel_size: sizes of the windows, or one for all
//   stride: steps; none: kernel_size
//   padding: zeros added on both sides
//   ceil_mode: whether windows may go beyond the end
//   count_include_pad: whether these zeros count
class AvgPool2d : public Module {
 public:
  using Options = AvgPool2dOptions;
  AvgPool2d(const Sizes& kernel_size, const AvgPool2dOptions& o = {})
      : Module("avg_pool2d", {{"kernel_size", kernel_size}, {"stride", o.stride}, {"padding", o.padding}, {"ceil_mode", o.ceil_mode}, {"count_include_pad", o.count_include_pad}}) {}
};

struct AvgPool3dOptions {
  Sizes stride = {};
  Sizes padding = 0;
  bool ceil_mode = false;
  bool count_include_pad = true;
};
// The mean of each window.
//   kernel_size: sizes of the windows, or one for all
//   stride: steps; none: kernel_size
//   padding: zeros added on both sides
//   ceil_mode: whether windows may go beyond the end
//   count_include_pad: whether these zeros count
class AvgPool3d : public Module {
 public:
  using Options = AvgPool3dOptions;
  AvgPool3d(const Sizes& kernel_size, const AvgPool3dOptions& o = {})
      : Module("avg_pool3d", {{"kernel_size", kernel_size}, {"stride", o.stride}, {"padding", o.padding}, {"ceil_mode", o.ceil_mode}, {"count_include_pad", o.count_include_pad}}) {}
};

// Means of so many windows as the result has places.
//   output_size: sizes of the result, or one for all
class AdaptiveAvgPool1d : public Module {
 public:
  explicit AdaptiveAvgPool1d(const Sizes& output_size)
      : Module("adaptive_avg_pool1d", {{"output_size", output_size}}) {}
};

// Means of so many windows as the result has places.
//   output_size: sizes of the result, or one for all
class AdaptiveAvgPool2d : public Module {
 public:
  explicit AdaptiveAvgPool2d(const Sizes& output_size)
      : Module("adaptive_avg_pool2d", {{"output_size", output_size}}) {}
};

// Means of so many windows as the result has places.
//   output_size: sizes of the result, or one for all
class AdaptiveAvgPool3d : public Module {
 public:
  explicit AdaptiveAvgPool3d(const Sizes& output_size)
      : Module("adaptive_avg_pool3d", {{"output_size", output_size}}) {}
};

// The largest of so many windows as the result has places.
//   output_size: sizes of the result, or one for all
class AdaptiveMaxPool1d : public Module {
 public:
  explicit AdaptiveMaxPool1d(const Sizes& output_size)
      : Module("adaptive_max_pool1d", {{"output_size", output_size}}) {}
};

// The largest of so many windows as the result has places.
//   output_size: sizes of the result, or one for all
class AdaptiveMaxPool2d : public Module {
 public:
  explicit AdaptiveMaxPool2d(const Sizes& output_size)
      : Module("adaptive_max_pool2d", {{"output_size", output_size}}) {}
};

// The largest of so many windows as the result has places.
//   output_size: sizes of the result, or one for all
class AdaptiveMaxPool3d : public Module {
 public:
  explicit AdaptiveMaxPool3d(const Sizes& output_size)
      : Module("adaptive_max_pool3d", {{"output_size", output_size}}) {}
};

struct UnfoldOptions {
  Sizes dilation = 1;
  Sizes padding = 0;
  Sizes stride = 1;
};
// The windows of images as columns.
//   kernel_size: sizes of the windows, or one for both
//   dilation: steps between a window's elements
//   padding: zeros added on both sides
//   stride: steps of the windows
class Unfold : public Module {
 public:
  using Options = UnfoldOptions;
  Unfold(const Sizes& kernel_size, const UnfoldOptions& o = {})
      : Module("unfold", {{"kernel_size", kernel_size}, {"dilation", o.dilation}, {"padding", o.padding}, {"stride", o.stride}}) {}
};

struct FoldOptions {
  Sizes dilation = 1;
  Sizes padding = 0;
  Sizes stride = 1;
};
// Columns added up, where windows overlap, to images.
//   output_size: sizes of the images, or one for both
//   kernel_size: sizes of the windows, or one for both
//   dilation: steps between a window's elements
//   padding: zeros added on both sides
//   stride: steps of the windows
class Fold : public Module {
 public:
  using Options = FoldOptions;
  Fold(const Sizes& output_size, const Sizes& kernel_size, const FoldOptions& o = {})
      : Module("fold", {{"output_size", output_size}, {"kernel_size", kernel_size}, {"dilation", o.dilation}, {"padding", o.padding}, {"stride", o.stride}}) {}
};

struct EmbeddingOptions {
  Sizes padding_idx = {};
  Device device = {};
  Dtype dtype = {};
};
// The vector of each index.
//   num_embeddings: how many vectors
//   embedding_dim: their size
//   padding_idx: a vector that starts as zeros and does not learn
class Embedding : public Module {
 public:
  using Options = EmbeddingOptions;
  Embedding(std::int64_t num_embeddings, std::int64_t embedding_dim, const EmbeddingOptions& o = {})
      : Module("embedding", {{"num_embeddings", num_embeddings}, {"embedding_dim", embedding_dim}, {"padding_idx", o.padding_idx}}, o.device, o.dtype) {}
};

struct DropoutOptions {
  double p = 0.5;
  bool inplace = false;
  Device device = {};
  Dtype dtype = {};
};
// In training elements become 0 with probability p, the others 1 / (1 - p) times as large.
//   p: share of elements that become 0
//   inplace: accepted; the result is a new tensor all the same
class Dropout : public Module {
 public:
  using Options = DropoutOptions;
  explicit Dropout(const DropoutOptions& o = {})
      : Module("dropout", {{"p", o.p}, {"inplace", o.inplace}}, o.device, o.dtype) {}
  explicit Dropout(double p) : Dropout(with(p)) {}

 private:
  static Options with(double p) {
    Options o;
    o.p = p;
    return o;
  }
};

struct Dropout1dOptions {
  double p = 0.5;
  bool inplace = false;
  Device device = {};
  Dtype dtype = {};
};
// In training whole channels become 0 with probability p, the others 1 / (1 - p) times as large.
//   p: share of elements that become 0
//   inplace: accepted; the result is a new tensor all the same
class Dropout1d : public Module {
 public:
  using Options = Dropout1dOptions;
  explicit Dropout1d(const Dropout1dOptions& o = {})
      : Module("dropout1d", {{"p", o.p}, {"inplace", o.inplace}}, o.device, o.dtype) {}
  explicit Dropout1d(double p) : Dropout1d(with(p)) {}

 private:
  static Options with(double p) {
    Options o;
    o.p = p;
    return o;
  }
};

struct Dropout2dOptions {
  double p = 0.5;
  bool inplace = false;
  Device device = {};
  Dtype dtype = {};
};
// In training whole channels become 0 with probability p, the others 1 / (1 - p) times as large.
//   p: share of elements that become 0
//   inplace: accepted; the result is a new tensor all the same
class Dropout2d : public Module {
 public:
  using Options = Dropout2dOptions;
  explicit Dropout2d(const Dropout2dOptions& o = {})
      : Module("dropout2d", {{"p", o.p}, {"inplace", o.inplace}}, o.device, o.dtype) {}
  explicit Dropout2d(double p) : Dropout2d(with(p)) {}

 private:
  static Options with(double p) {
    Options o;
    o.p = p;
    return o;
  }
};

struct RNNOptions {
  std::int64_t num_layers = 1;
  bool bias = true;
  bool batch_first = false;
  double dropout = 0;
  bool bidirectional = false;
  std::string nonlinearity = "tanh";
  Device device = {};
  Dtype dtype = {};
};
// h = tanh(W_ih x + b_ih + W_hh h + b_hh) along a sequence. Inputs x, h0; results y, h.
//   input_size: size of each input
//   hidden_size: size of the state
//   num_layers: layers, each on the results of the one before
//   bias: whether there are learned biases
//   batch_first: whether inputs and results are [N, L, ..], not [L, N, ..]
//   dropout: share of the results left out between layers in training
//   bidirectional: whether the sequence is also read from its end
//   nonlinearity: tanh or relu
class RNN : public Module {
 public:
  using Options = RNNOptions;
  RNN(std::int64_t input_size, std::int64_t hidden_size, const RNNOptions& o = {})
      : Module("rnn", {{"input_size", input_size}, {"hidden_size", hidden_size}, {"num_layers", o.num_layers}, {"bias", o.bias}, {"batch_first", o.batch_first}, {"dropout", o.dropout}, {"bidirectional", o.bidirectional}, {"nonlinearity", o.nonlinearity}}, o.device, o.dtype) {}
};

struct LSTMOptions {
  std::int64_t num_layers = 1;
  bool bias = true;
  bool batch_first = false;
  double dropout = 0;
  bool bidirectional = false;
  Device device = {};
  Dtype dtype = {};
};
// Long short-term memory along a sequence. Inputs x, h0, c0; results y, h, c.
//   input_size: size of each input
//   hidden_size: size of the state
//   num_layers: layers, each on the results of the one before
//   bias: whether there are learned biases
//   batch_first: whether inputs and results are [N, L, ..], not [L, N, ..]
//   dropout: share of the results left out between layers in training
//   bidirectional: whether the sequence is also read from its end
class LSTM : public Module {
 public:
  using Options = LSTMOptions;
  LSTM(std::int64_t input_size, std::int64_t hidden_size, const LSTMOptions& o = {})
      : Module("lstm", {{"input_size", input_size}, {"hidden_size", hidden_size}, {"num_layers", o.num_layers}, {"bias", o.bias}, {"batch_first", o.batch_first}, {"dropout", o.dropout}, {"bidirectional", o.bidirectional}}, o.device, o.dtype) {}
};

struct GRUOptions {
  std::int64_t num_layers = 1;
  bool bias = true;
  bool batch_first = false;
  double dropout = 0;
  bool bidirectional = false;
  Device device = {};
  Dtype dtype = {};
};
// Gated recurrent units along a sequence. Inputs x, h0; results y, h.
//   input_size: size of each input
//   hidden_size: size of the state
//   num_layers: layers, each on the results of the one before
//   bias: whether there are learned biases
//   batch_first: whether inputs and results are [N, L, ..], not [L, N, ..]
//   dropout: share of the results left out between layers in training
//   bidirectional: whether the sequence is also read from its end
class GRU : public Module {
 public:
  using Options = GRUOptions;
  GRU(std::int64_t input_size, std::int64_t hidden_size, const GRUOptions& o = {})
      : Module("gru", {{"input_size", input_size}, {"hidden_size", hidden_size}, {"num_layers", o.num_layers}, {"bias", o.bias}, {"batch_first", o.batch_first}, {"dropout", o.dropout}, {"bidirectional", o.bidirectional}}, o.device, o.dtype) {}
};

struct RNNCellOptions {
  bool bias = true;
  std::string nonlinearity = "tanh";
  Device device = {};
  Dtype dtype = {};
};
// One step of an rnn: [N, input_size] or [input_size]. Inputs x, h; result h.
//   input_size: size of each input
//   hidden_size: size of the state
//   bias: whether there are learned biases
//   nonlinearity: tanh or relu
class RNNCell : public Module {
 public:
  using Options = RNNCellOptions;
  RNNCell(std::int64_t input_size, std::int64_t hidden_size, const RNNCellOptions& o = {})
      : Module("rnn_cell", {{"input_size", input_size}, {"hidden_size", hidden_size}, {"bias", o.bias}, {"nonlinearity", o.nonlinearity}}, o.device, o.dtype) {}
};

struct LSTMCellOptions {
  bool bias = true;
  Device device = {};
  Dtype dtype = {};
};
// One step of an lstm: [N, input_size] or [input_size]. Inputs x, h, c; results h, c.
//   input_size: size of each input
//   hidden_size: size of the state
//   bias: whether there are learned biases
class LSTMCell : public Module {
 public:
  using Options = LSTMCellOptions;
  LSTMCell(std::int64_t input_size, std::int64_t hidden_size, const LSTMCellOptions& o = {})
      : Module("lstm_cell", {{"input_size", input_size}, {"hidden_size", hidden_size}, {"bias", o.bias}}, o.device, o.dtype) {}
};

struct GRUCellOptions {
  bool bias = true;
  Device device = {};
  Dtype dtype = {};
};
// One step of a gru: [N, input_size] or [input_size]. Inputs x, h; result h.
//   input_size: size of each input
//   hidden_size: size of the state
//   bias: whether there are learned biases
class GRUCell : public Module {
 public:
  using Options = GRUCellOptions;
  GRUCell(std::int64_t input_size, std::int64_t hidden_size, const GRUCellOptions& o = {})
      : Module("gru_cell", {{"input_size", input_size}, {"hidden_size", hidden_size}, {"bias", o.bias}}, o.device, o.dtype) {}
};

struct MultiheadAttentionOptions {
  double dropout = 0;
  bool bias = true;
  bool add_bias_kv = false;
  bool add_zero_attn = false;
  Sizes kdim = {};
  Sizes vdim = {};
  bool batch_first = false;
  Device device = {};
  Dtype dtype = {};
};
// Inputs query, key, value, key_padding_mask, attn_mask (bool: true is left out; else added). Results: attended, and the weights' mean over heads.
//   embed_dim: size of queries and results
//   num_heads: heads, which share embed_dim
//   dropout: share of the weights left out in training
//   bias: whether projections have biases
//   add_bias_kv: whether a learned key and value join each sequence
//   add_zero_attn: whether a key and a value of zeros join
//   kdim: size of keys; none: embed_dim
//   vdim: size of values; none: embed_dim
//   batch_first: whether sequences are [N, L, ..], not [L, N, ..]
class MultiheadAttention : public Module {
 public:
  using Options = MultiheadAttentionOptions;
  MultiheadAttention(std::int64_t embed_dim, std::int64_t num_heads, const MultiheadAttentionOptions& o = {})
      : Module("multihead_attention", {{"embed_dim", embed_dim}, {"num_heads", num_heads}, {"dropout", o.dropout}, {"bias", o.bias}, {"add_bias_kv", o.add_bias_kv}, {"add_zero_attn", o.add_zero_attn}, {"kdim", o.kdim}, {"vdim", o.vdim}, {"batch_first", o.batch_first}}, o.device, o.dtype) {}
};

struct TransformerEncoderLayerOptions {
  std::int64_t dim_feedforward = 2048;
  double dropout = 0.1;
  std::string activation = "relu";
  double layer_norm_eps = 1e-05;
  bool batch_first = false;
  bool norm_first = false;
  bool bias = true;
  Device device = {};
  Dtype dtype = {};
};
// Attention of a sequence to itself, then two linear layers, each added to what it got. Inputs src, src_mask, src_key_padding_mask.
//   d_model: size of inputs and results
//   nhead: heads of attention
//   dim_feedforward: size between the two linear layers
//   dropout: share left out in training
//   activation: relu or gelu
//   layer_norm_eps: of the normalizations
//   batch_first: whether sequences are [N, L, E], not [L, N, E]
//   norm_first: whether normalization comes before attention and the linear layers
//   bias: whether there are biases
class TransformerEncoderLayer : public Module {
 public:
  using Options = TransformerEncoderLayerOptions;
  TransformerEncoderLayer(std::int64_t d_model, std::int64_t nhead, const TransformerEncoderLayerOptions& o = {})
      : Module("transformer_encoder_layer", {{"d_model", d_model}, {"nhead", nhead}, {"dim_feedforward", o.dim_feedforward}, {"dropout", o.dropout}, {"activation", o.activation}, {"layer_norm_eps", o.layer_norm_eps}, {"batch_first", o.batch_first}, {"norm_first", o.norm_first}, {"bias", o.bias}}, o.device, o.dtype) {}
};

struct TransformerEncoderOptions {
  std::int64_t dim_feedforward = 2048;
  double dropout = 0.1;
  std::string activation = "relu";
  double layer_norm_eps = 1e-05;
  bool batch_first = false;
  bool norm_first = false;
  bool bias = true;
  std::int64_t num_layers = 1;
  bool final_norm = false;
  Device device = {};
  Dtype dtype = {};
};
// num_layers layers, one after the other.
//   d_model: size of inputs and results
//   nhead: heads of attention
//   dim_feedforward: size between the two linear layers
//   dropout: share left out in training
//   activation: relu or gelu
//   layer_norm_eps: of the normalizations
//   batch_first: whether sequences are [N, L, E], not [L, N, E]
//   norm_first: whether normalization comes before attention and the linear layers
//   bias: whether there are biases
//   num_layers: how many equal layers
//   final_norm: whether a normalization comes last
class TransformerEncoder : public Module {
 public:
  using Options = TransformerEncoderOptions;
  TransformerEncoder(std::int64_t d_model, std::int64_t nhead, const TransformerEncoderOptions& o = {})
      : Module("transformer_encoder", {{"d_model", d_model}, {"nhead", nhead}, {"dim_feedforward", o.dim_feedforward}, {"dropout", o.dropout}, {"activation", o.activation}, {"layer_norm_eps", o.layer_norm_eps}, {"batch_first", o.batch_first}, {"norm_first", o.norm_first}, {"bias", o.bias}, {"num_layers", o.num_layers}, {"final_norm", o.final_norm}}, o.device, o.dtype) {}
};

struct CrossEntropyLossOptions {
  std::int64_t ignore_index = -100;
  std::string reduction = "mean";
  double label_smoothing = 0;
  Device device = {};
  Dtype dtype = {};
};
// Of the logarithms of softmax(input) those of the targets' classes, negated; buffer weight: of each class.
//   ignore_index: a target that does not count
//   reduction: none, mean or sum
//   label_smoothing: share of the uniform distribution in targets
class CrossEntropyLoss : public Module {
 public:
  using Options = CrossEntropyLossOptions;
  explicit CrossEntropyLoss(const CrossEntropyLossOptions& o = {})
      : Module("cross_entropy_loss", {{"ignore_index", o.ignore_index}, {"reduction", o.reduction}, {"label_smoothing", o.label_smoothing}}, o.device, o.dtype) {}
  explicit CrossEntropyLoss(std::int64_t ignore_index) : CrossEntropyLoss(with(ignore_index)) {}

 private:
  static Options with(std::int64_t ignore_index) {
    Options o;
    o.ignore_index = ignore_index;
    return o;
  }
};

struct NLLLossOptions {
  std::int64_t ignore_index = -100;
  std::string reduction = "mean";
  Device device = {};
  Dtype dtype = {};
};
// Of input those of the targets' classes, negated; buffer weight: of each class.
//   ignore_index: a target that does not count
//   reduction: none, mean or sum
class NLLLoss : public Module {
 public:
  using Options = NLLLossOptions;
  explicit NLLLoss(const NLLLossOptions& o = {})
      : Module("nll_loss", {{"ignore_index", o.ignore_index}, {"reduction", o.reduction}}, o.device, o.dtype) {}
  explicit NLLLoss(std::int64_t ignore_index) : NLLLoss(with(ignore_index)) {}

 private:
  static Options with(std::int64_t ignore_index) {
    Options o;
    o.ignore_index = ignore_index;
    return o;
  }
};

struct MSELossOptions {
  std::string reduction = "mean";
  Device device = {};
  Dtype dtype = {};
};
// (input - target)^2.
//   reduction: none, mean or sum
class MSELoss : public Module {
 public:
  using Options = MSELossOptions;
  explicit MSELoss(const MSELossOptions& o = {})
      : Module("mse_loss", {{"reduction", o.reduction}}, o.device, o.dtype) {}
};

struct L1LossOptions {
  std::string reduction = "mean";
  Device device = {};
  Dtype dtype = {};
};
// |input - target|.
//   reduction: none, mean or sum
class L1Loss : public Module {
 public:
  using Options = L1LossOptions;
  explicit L1Loss(const L1LossOptions& o = {})
      : Module("l1_loss", {{"reduction", o.reduction}}, o.device, o.dtype) {}
};

struct BCELossOptions {
  std::string reduction = "mean";
  Device device = {};
  Dtype dtype = {};
};
// Binary cross entropy of probabilities; buffer weight.
//   reduction: none, mean or sum
class BCELoss : public Module {
 public:
  using Options = BCELossOptions;
  explicit BCELoss(const BCELossOptions& o = {})
      : Module("bce_loss", {{"reduction", o.reduction}}, o.device, o.dtype) {}
};

struct BCEWithLogitsLossOptions {
  std::string reduction = "mean";
  Device device = {};
  Dtype dtype = {};
};
// Binary cross entropy of sigmoid(input); buffers weight, pos_weight.
//   reduction: none, mean or sum
class BCEWithLogitsLoss : public Module {
 public:
  using Options = BCEWithLogitsLossOptions;
  explicit BCEWithLogitsLoss(const BCEWithLogitsLossOptions& o = {})
      : Module("bce_with_logits_loss", {{"reduction", o.reduction}}, o.device, o.dtype) {}
};

struct HuberLossOptions {
  std::string reduction = "mean";
  double delta = 1;
  Device device = {};
  Dtype dtype = {};
};
// (input - target)^2 / 2, linear from delta on.
//   reduction: none, mean or sum
//   delta: from where on it is linear
class HuberLoss : public Module {
 public:
  using Options = HuberLossOptions;
  explicit HuberLoss(const HuberLossOptions& o = {})
      : Module("huber_loss", {{"reduction", o.reduction}, {"delta", o.delta}}, o.device, o.dtype) {}
};

struct SmoothL1LossOptions {
  std::string reduction = "mean";
  double beta = 1;
  Device device = {};
  Dtype dtype = {};
};
// Huber's loss over beta.
//   reduction: none, mean or sum
//   beta: from where on it is linear
class SmoothL1Loss : public Module {
 public:
  using Options = SmoothL1LossOptions;
  explicit SmoothL1Loss(const SmoothL1LossOptions& o = {})
      : Module("smooth_l1_loss", {{"reduction", o.reduction}, {"beta", o.beta}}, o.device, o.dtype) {}
};

struct KLDivLossOptions {
  std::string reduction = "mean";
  bool log_target = false;
  Device device = {};
  Dtype dtype = {};
};
// target (log target - input); reduction may be batchmean.
//   reduction: none, mean or sum
//   log_target: whether the target is a logarithm
class KLDivLoss : public Module {
 public:
  using Options = KLDivLossOptions;
  explicit KLDivLoss(const KLDivLossOptions& o = {})
      : Module("kl_div_loss", {{"reduction", o.reduction}, {"log_target", o.log_target}}, o.device, o.dtype) {}
};

}  // namespace nn
}  // namespace backplane
#endif
