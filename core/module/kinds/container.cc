// SPDX-License-Identifier: Apache-2.0
// container.cc: modules of modules, and those that change a shape alone.
#include "core/module/kind.h"

namespace bp::nn {
namespace container_rows {
namespace {

constexpr ModuleAttr kFlatten[] = {
    attr::integer("start_dim", 1, "the first dimension that is joined"),
    attr::integer("end_dim", -1, "the last one")};
constexpr ModuleAttr kUnflatten[] = {
    attr::size("dim", "the dimension that is taken apart"),
    attr::sizes("unflattened_size", "what it becomes; one size may be -1")};

void sequential(ForwardCall& f) {
  if (f.m.children.empty()) return f.give(0, Ref<Tensor>::share(&f.x()));
  Ref<Tensor> x = Ref<Tensor>::share(&f.x());
  const size_t n = f.m.children.size();
  for (size_t i = 0; i < n; ++i) {
    Tensor* in[] = {x.get()};
    Ref<Tensor> out[1];
    // The last one gives all that is wanted.
    const std::span<Ref<Tensor>> results = i + 1 == n ? f.out : std::span<Ref<Tensor>>(out);
    if (!f.m.children[i].module)
      fail(BP_INVALID_ARGUMENT, "module {} is none", f.m.children[i].name);
    forward(f.m.child(i), in, results);
    if (i + 1 < n) x = std::move(out[0]);
  }
}
void identity(ForwardCall& f) { f.give(0, Ref<Tensor>::share(&f.x())); }

void flatten_forward(ForwardCall& f) { f.give(0, flatten(f.x(), f.m.i64(0), f.m.i64(1))); }
std::string flatten_extra(const Module& m) {
  return fmt::format("start_dim={}, end_dim={}", m.i64(0), m.i64(1));
}

void unflatten(ForwardCall& f) {
  const Tensor& x = f.x();
  const int64_t dim = wrap_dim(f.m.i64(0), x.rank());
  Dims shape;
  for (int64_t d = 0; d < static_cast<int64_t>(x.rank()); ++d) {
    if (d != dim) {
      shape.push_back(x.shape[static_cast<size_t>(d)]);
      continue;
    }
    for (int64_t s : resolve_reshape(f.m.ints(1), x.shape[static_cast<size_t>(d)]))
      shape.push_back(s);
  }
  f.give(0, reshape(f.x(), shape));
}
std::string unflatten_extra(const Module& m) {
  return fmt::format("dim={}, unflattened_size={}", m.i64(0), python_text(m.ints(1)));
}

constexpr uint32_t kAny = BP_MAX_OUTPUTS;
// clang-format off
constexpr ModuleKind kRows[] = {
    {.name = "sequential", .title = "Sequential", .n_outputs = kAny, .forward = sequential,
     .doc = "Its children, each on what the one before it made."},
    {.name = "module_list", .title = "ModuleList", .min_inputs = 0, .max_inputs = 0, .n_outputs = 0,
     .doc = "Children by number; it does nothing itself."},
    {.name = "module_dict", .title = "ModuleDict", .min_inputs = 0, .max_inputs = 0, .n_outputs = 0,
     .doc = "Children by name; it does nothing itself."},
    {.name = "identity", .title = "Identity", .forward = identity, .doc = "x itself."},
    {.name = "flatten", .title = "Flatten", .attrs = kFlatten, .forward = flatten_forward, .extra = flatten_extra,
     .doc = "Dimensions start_dim to end_dim as one."},
    {.name = "unflatten", .title = "Unflatten", .attrs = kUnflatten, .forward = unflatten, .extra = unflatten_extra,
     .doc = "One dimension as several."},
};
// clang-format on
}  // namespace
}  // namespace container_rows

std::span<const ModuleKind> container_kinds() { return container_rows::kRows; }

}  // namespace bp::nn
