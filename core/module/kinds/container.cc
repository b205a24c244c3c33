// SPDX-License-Identifier: Apache-2.0
// container.cc: modules of modules, and those that change a shape alone.
#include "core/module/kind.h"

namespace bp::nn {
namespace {

constexpr AttrSpecs kFlatten{int_attr("start_dim", 1, "the first dimension that is joined"),
                             int_attr("end_dim", -1, "the last one")};
constexpr AttrSpecs kUnflatten{
    required_int_attr("dim", "the dimension that is taken apart"),
    required_ints_attr("unflattened_size", "what it becomes; one size may be -1")};

void sequential(ForwardCall& f) {
  if (f.m.children.empty()) return f.give(0, Ref<Tensor>::share(&f.x()));
  Ref<Tensor> x = Ref<Tensor>::share(&f.x());
  const size_t n = f.m.children.size();
  for (size_t i = 0; i < n; ++i) {
    Tensor* in[] = {x.get()};
    Ref<Tensor> out[1];
    // The last child gives all the results that are wanted.
    const std::span<Ref<Tensor>> results = i + 1 == n ? f.out : std::span<Ref<Tensor>>(out);
    if (!f.m.children[i].module)
      fail(BP_INVALID_ARGUMENT, "module {} is none", f.m.children[i].name);
    forward(f.m.child(i), in, results);
    if (i + 1 < n) x = std::move(out[0]);
  }
}
void identity(ForwardCall& f) { f.give(0, Ref<Tensor>::share(&f.x())); }

void flatten_forward(ForwardCall& f) {
  f.give(0, flatten(f.x(), f.m.i64(kFlatten["start_dim"]), f.m.i64(kFlatten["end_dim"])));
}
std::string flatten_extra(const Module& m) {
  return fmt::format("start_dim={}, end_dim={}", m.i64(kFlatten["start_dim"]),
                     m.i64(kFlatten["end_dim"]));
}

void unflatten_forward(ForwardCall& f) {
  const Tensor& x = f.x();
  const int64_t dim = wrap_dim(f.m.i64(kUnflatten["dim"]), x.rank());
  Dims shape;
  for (int64_t d = 0; d < static_cast<int64_t>(x.rank()); ++d) {
    if (d != dim) {
      shape.push_back(x.shape[static_cast<size_t>(d)]);
      continue;
    }
    for (int64_t s :
         resolve_reshape(f.m.ints(kUnflatten["unflattened_size"]), x.shape[static_cast<size_t>(d)]))
      shape.push_back(s);
  }
  f.give(0, reshape(f.x(), shape));
}
std::string unflatten_extra(const Module& m) {
  return fmt::format("dim={}, unflattened_size={}", m.i64(kUnflatten["dim"]),
                     python_text(m.ints(kUnflatten["unflattened_size"])));
}

constexpr uint32_t kAnyOutputs = BP_MAX_OUTPUTS;
// clang-format off
constexpr ModuleKind kContainerKinds[] = {
    {.name = "sequential", .title = "Sequential", .n_outputs = kAnyOutputs, .forward = sequential,
     .doc = "Its children, each on what the one before it made."},
    {.name = "module_list", .title = "ModuleList", .min_inputs = 0, .max_inputs = 0, .n_outputs = 0,
     .doc = "Children by number; it does nothing itself."},
    {.name = "module_dict", .title = "ModuleDict", .min_inputs = 0, .max_inputs = 0, .n_outputs = 0,
     .doc = "Children by name; it does nothing itself."},
    {.name = "identity", .title = "Identity", .forward = identity, .doc = "x itself."},
    {.name = "flatten", .title = "Flatten", .attrs = kFlatten, .forward = flatten_forward, .extra = flatten_extra,
     .doc = "Dimensions start_dim to end_dim as one."},
    {.name = "unflatten", .title = "Unflatten", .attrs = kUnflatten, .forward = unflatten_forward, .extra = unflatten_extra,
     .doc = "One dimension as several."},
};
// clang-format on
}  // namespace

std::span<const ModuleKind> container_kinds() { return kContainerKinds; }

}  // namespace bp::nn
