// SPDX-License-Identifier: Apache-2.0
// state.cc: what a module has learned (module.h) becomes named tensors, and is loaded from them.
#include <algorithm>

#include "core/grad/autograd.h"
#include "core/io/dict.h"
#include "core/module/kind.h"

namespace bp {
namespace {

struct Entry {
  std::string name;
  Module::Slot* slot;
};
// Lists a module's own parameters and buffers before those of its children. A tensor that is shared
// is listed once for each place.
void collect(Module& m, const std::string& prefix, std::vector<Entry>& out) {
  for (Module::Slot& p : m.parameters)
    if (p.tensor) out.push_back({prefix + p.name, &p});
  for (Module::Slot& b : m.buffers)
    if (b.tensor && b.persistent) out.push_back({prefix + b.name, &b});
  for (Module::Child& c : m.children)
    if (c.module) collect(*c.module, prefix + c.name + ".", out);
}
std::vector<Entry> entries_of(Module& m, const std::string& prefix) {
  std::vector<Entry> out;
  collect(m, prefix, out);
  return out;
}

std::string quoted(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& n : names) all += (all.empty() ? "\"" : ", \"") + n + "\"";
  return all;
}
std::string size_text(Span shape) { return "torch.Size(" + format_shape(shape) + ")"; }

// Returns what went wrong, or "".
std::string load_one(const Entry& e, const Ref<Tensor>& from, bool assign) {
  Tensor& to = *e.slot->tensor;
  if (!is_uninitialized(to) && to.shape != from->shape)
    return fmt::format(
        "size mismatch for {}: copying a param with shape {} from checkpoint, the shape in current model is {}.",
        e.name, size_text(from->shape), size_text(to.shape));
  try {
    if (assign) {
      const bool wanted = wants_grad(to) || is_uninitialized(to);
      set_data(to, *from);
      set_requires_grad(to, wanted && (is_floating(to.dtype) || is_complex(to.dtype)));
      return "";
    }
    if (is_uninitialized(to)) materialize_parameter(to, from->shape);
    copy_into(to, *from, /*non_blocking=*/false);
  } catch (const Error& error) {
    return fmt::format(
        "While copying the parameter named \"{}\", whose dimensions in the model are {} and whose dimensions in the "
        "checkpoint are {}, an exception occurred : ('{}',).",
        e.name, size_text(to.shape), size_text(from->shape), error.message());
  }
  return "";
}

}  // namespace

Ref<Dict> state_dict(Module& m, const std::string& prefix) {
  Ref<Dict> d = new_dict();
  for (const Entry& e : entries_of(m, prefix))
    if (!is_uninitialized(*e.slot->tensor)) d->set(e.name, detach(*e.slot->tensor));
  return d;
}

LoadResult load_state_dict(Module& m, const Dict& from, bool strict, bool assign) {
  const RecordGuard off(false);
  LoadResult result;
  std::vector<std::string> errors;
  const std::vector<Entry> entries = entries_of(m, "");
  for (const Entry& e : entries) {
    const Ref<Tensor> t = from.find(e.name);
    if (!t) {
      result.missing.push_back(e.name);
      continue;
    }
    checked(t.get(), e.name.c_str());
    if (std::string text = load_one(e, t, assign); !text.empty()) errors.push_back(std::move(text));
  }
  for (const auto& entry : from.entries()) {
    const auto known = [&](const Entry& e) { return e.name == entry.name; };
    if (std::none_of(entries.begin(), entries.end(), known))
      result.unexpected.push_back(entry.name);
  }
  if (strict && !result.unexpected.empty())
    errors.insert(errors.begin(),
                  fmt::format("Unexpected key(s) in state_dict: {}. ", quoted(result.unexpected)));
  if (strict && !result.missing.empty())
    errors.insert(errors.begin(),
                  fmt::format("Missing key(s) in state_dict: {}. ", quoted(result.missing)));
  if (errors.empty()) return result;
  std::string all;
  // The error object turns line breaks into spaces, as a message is one line.
  for (const std::string& e : errors) all += "\n\t" + e;
  fail(BP_INVALID_ARGUMENT, "Error(s) in loading state_dict for {}:{}", m.title, all);
}

std::string LoadResult::text() const {
  if (missing.empty() && unexpected.empty()) return "<All keys matched successfully>";
  return fmt::format("missing: {}; unexpected: {}", missing.empty() ? "none" : quoted(missing),
                     unexpected.empty() ? "none" : quoted(unexpected));
}

}  // namespace bp
