// SPDX-License-Identifier: Apache-2.0
#include "core/module/module.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "core/grad/autograd.h"
#include "core/module/kind.h"

namespace bp {
namespace {

void check_name(std::string_view name, const char* what) {
  if (name.empty()) fail(BP_INVALID_ARGUMENT, "{} name can't be empty string \"\"", what);
  if (name.find('.') != name.npos)
    fail(BP_INVALID_ARGUMENT, "{} name can't contain \".\", got: {}", what, name);
}

template <class V>
auto find_in(V& entries, std::string_view name) {
  return std::find_if(entries.begin(), entries.end(),
                      [&](const auto& e) { return e.name == name; });
}
template <class V>
bool holds(const V& entries, std::string_view name) {
  return find_in(entries, name) != entries.end();
}

void set_slot(Module& m, std::vector<Module::Slot>& here, std::string_view name, Ref<Tensor> t,
              bool persistent, const char* what) {
  check_name(name, what);
  const bool taken =
      (&here == &m.parameters ? holds(m.buffers, name) : holds(m.parameters, name)) ||
      holds(m.children, name);
  if (taken) fail(BP_INVALID_ARGUMENT, "attribute '{}' already exists", name);
  module_changes.fetch_add(1);
  if (auto found = find_in(here, name); found != here.end()) {
    found->tensor = std::move(t);
    found->persistent = persistent;
    return;
  }
  here.push_back({std::string(name), std::move(t), persistent});
}

bool inside(const Module& outer, const Module& wanted) {
  if (&outer == &wanted) return true;
  return std::any_of(outer.children.begin(), outer.children.end(),
                     [&](const Module::Child& c) { return c.module && inside(*c.module, wanted); });
}

// Returns the names that not_found() lists: "weight, bias, 0, 1".
std::string names_in(const Module& m) {
  std::string all;
  const auto add = [&](const std::string& name) { all += (all.empty() ? "" : ", ") + name; };
  for (const auto& p : m.parameters) add(p.name);
  for (const auto& b : m.buffers) add(b.name);
  for (const auto& c : m.children) add(c.name);
  return all.empty() ? "nothing" : all;
}

[[noreturn]] void not_found(const Module& m, std::string_view name) {
  fail(BP_NOT_FOUND, "{} has no attribute `{}`; it has {}", m.title, name, names_in(m));
}

std::string joined(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : name.empty() ? prefix : prefix + "." + name;
}

void collect(Module& m, const std::string& prefix, uint32_t flags,
             std::unordered_set<const Module*>& seen, std::vector<NamedModule>& out) {
  if (!seen.insert(&m).second && !(flags & BP_MODULE_DUPLICATES)) return;
  out.push_back({prefix, &m});
  for (const Module::Child& c : m.children)
    if (c.module) collect(*c.module, joined(prefix, c.name), flags, seen, out);
}

std::vector<NamedTensor> list_slots(Module& m, uint32_t flags,
                                    std::vector<Module::Slot> Module::*slots) {
  std::vector<NamedTensor> out;
  std::unordered_set<const Tensor*> seen;
  const std::vector<NamedModule> from =
      flags & BP_MODULE_RECURSE ? list_modules(m, flags) : std::vector<NamedModule>{{"", &m}};
  for (const NamedModule& n : from)
    for (Module::Slot& s : n.module->*slots) {
      if ((flags & BP_MODULE_PERSISTENT) && !s.persistent) continue;
      const bool wanted = s.tensor
                              ? (flags & BP_MODULE_DUPLICATES) || seen.insert(s.tensor.get()).second
                              : (flags & BP_MODULE_EMPTY) && !(flags & BP_MODULE_RECURSE);
      if (wanted) out.push_back({joined(n.name, s.name), &s});
    }
  return out;
}

Ref<Tensor> copied(const Ref<Tensor>& t) {
  if (!t) return {};
  if (is_uninitialized(*t)) return new_uninitialized(t->dtype, t->device());
  const RecordGuard off(false);
  Ref<Tensor> made = clone(*t);
  set_requires_grad(*made, wants_grad(*t));
  return made;
}

// What was copied already, so that what is shared in the module is shared in its copy.
struct Copies {
  std::map<const Module*, Ref<Module>> modules;
  std::map<const Tensor*, Ref<Tensor>> tensors;
};

Ref<Module> cloned(Module& m, Copies& copies) {
  if (const auto known = copies.modules.find(&m); known != copies.modules.end())
    return known->second;
  auto c = Ref<Module>::adopt(new Module);
  copies.modules[&m] = c;
  c->kind = m.kind, c->title = m.title, c->name = m.name, c->attrs = m.attrs,
  c->training = m.training, c->forward = m.forward;
  c->own_parameters = m.own_parameters, c->own_buffers = m.own_buffers;
  c->own_children = m.own_children;
  const auto again = [&](const std::vector<Module::Slot>& from, std::vector<Module::Slot>& to) {
    for (const Module::Slot& s : from) {
      Ref<Tensor>& copy = copies.tensors[s.tensor.get()];
      if (!copy) copy = copied(s.tensor);
      to.push_back({s.name, copy, s.persistent});
    }
  };
  again(m.parameters, c->parameters), again(m.buffers, c->buffers);
  for (const Module::Child& child : m.children)
    c->children.push_back(
        {child.name, child.module ? cloned(*child.module, copies) : Ref<Module>{}});
  return c;
}

}  // namespace

}  // namespace bp

using namespace bp;

const Ref<Tensor>& bp_module::tensor_in(const std::vector<Slot>& slots, size_t i) {
  static const Ref<Tensor> none;
  return i < slots.size() ? slots[i].tensor : none;
}
const Ref<Tensor>& bp_module::needed_parameter(size_t i) const {
  const Ref<Tensor>& t = parameter(i);
  if (!t && i < parameters.size())
    fail(BP_INVALID_ARGUMENT, "parameter {} of {} is none", parameters[i].name, title);
  if (!t) fail(BP_INVALID_ARGUMENT, "{} has no parameter of this use", title);
  return t;
}
bp_module& bp_module::child(size_t i) const {
  if (i >= children.size()) fail(BP_INVALID_ARGUMENT, "{} has no module of this use", title);
  if (!children[i].module)
    fail(BP_INVALID_ARGUMENT, "module {} of {} is none", children[i].name, title);
  return *children[i].module;
}

namespace bp {

constinit std::atomic<uint64_t> module_changes{0};

Module& checked(const bp_module* m, const char* what) {
  if (!m) fail(BP_INVALID_ARGUMENT, "{} must not be NULL", what);
  if (m->tag != Tag::kModule) fail(BP_INVALID_ARGUMENT, "{} is not a module handle", what);
  if (m->born != generation())
    fail(BP_BAD_STATE, "{} was made before the runtime was shut down; it can only be released",
         what);
  return const_cast<Module&>(*m);
}

void set_parameter(Module& m, std::string_view name, Ref<Tensor> t) {
  set_slot(m, m.parameters, name, std::move(t), true, "parameter");
}
void set_buffer(Module& m, std::string_view name, Ref<Tensor> t, bool persistent) {
  set_slot(m, m.buffers, name, std::move(t), persistent, "buffer");
}
void set_child(Module& m, std::string_view name, Ref<Module> child) {
  check_name(name, "module");
  if (holds(m.parameters, name) || holds(m.buffers, name))
    fail(BP_INVALID_ARGUMENT, "attribute '{}' already exists", name);
  if (child && inside(*child, m))
    fail(BP_INVALID_ARGUMENT, "{} cannot be inside itself, as '{}'", m.title, name);
  module_changes.fetch_add(1);
  const std::string next = std::to_string(m.children.size());
  const bool all_numbered = m.n_numbered == m.children.size();
  // A search through all names for each new one would take time by the square of their number.
  const auto found = all_numbered && name == next ? m.children.end() : find_in(m.children, name);
  if (found != m.children.end()) {
    found->module = std::move(child);
    return;
  }
  m.children.push_back({std::string(name), std::move(child)});
  m.n_numbered += all_numbered && name == next;
}
void append(Module& m, Ref<Module> child) {
  set_child(m, std::to_string(m.children.size()), std::move(child));
}
void remove(Module& m, std::string_view name) {
  module_changes.fetch_add(1);
  m.n_numbered = 0;
  const auto drop = [&](auto& entries, size_t own, auto held) {
    const auto found = find_in(entries, name);
    if (found == entries.end()) return false;
    if (static_cast<size_t>(found - entries.begin()) < own)
      (*found).*held = {};
    else
      entries.erase(found);
    return true;
  };
  if (!drop(m.parameters, m.own_parameters, &Module::Slot::tensor) &&
      !drop(m.buffers, m.own_buffers, &Module::Slot::tensor) &&
      !drop(m.children, m.own_children, &Module::Child::module))
    not_found(m, name);
}

Module& find_child(Module& m, std::string_view path) {
  if (path.empty()) return m;
  const size_t dot = path.find('.');
  const std::string_view first = path.substr(0, dot);
  const auto found = find_in(m.children, first);
  if (found == m.children.end() || !found->module) not_found(m, first);
  return dot == path.npos ? *found->module : find_child(*found->module, path.substr(dot + 1));
}

Module::Slot& find_tensor(Module& m, std::string_view path) {
  const size_t dot = path.rfind('.');
  Module& owner = dot == path.npos ? m : find_child(m, path.substr(0, dot));
  const std::string_view name = dot == path.npos ? path : path.substr(dot + 1);
  if (auto p = find_in(owner.parameters, name); p != owner.parameters.end()) return *p;
  if (auto b = find_in(owner.buffers, name); b != owner.buffers.end()) return *b;
  not_found(owner, name);
}

std::vector<NamedTensor> list_parameters(Module& m, uint32_t flags) {
  return list_slots(m, flags, &Module::parameters);
}
std::vector<NamedTensor> list_buffers(Module& m, uint32_t flags) {
  return list_slots(m, flags, &Module::buffers);
}
std::vector<NamedModule> list_modules(Module& m, uint32_t flags) {
  std::vector<NamedModule> out;
  std::unordered_set<const Module*> seen;
  if (flags & BP_MODULE_RECURSE) {
    collect(m, "", flags, seen, out);
    return out;
  }
  for (const Module::Child& c : m.children) {
    const bool wanted = c.module
                            ? (flags & BP_MODULE_DUPLICATES) || seen.insert(c.module.get()).second
                            : flags & BP_MODULE_EMPTY;
    if (wanted) out.push_back({c.name, c.module.get()});
  }
  return out;
}

void apply(Module& m, const std::function<void(Module&)>& visit) {
  for (size_t i = 0; i < m.children.size(); ++i)
    // The child is held because visit may remove it.
    if (const Ref<Module> c = m.children[i].module) apply(*c, visit);
  visit(m);
}

Ref<Module> clone(Module& m) {
  Copies copies;
  return cloned(m, copies);
}

}  // namespace bp

void bp_module::destroy(bp_module* m) noexcept {
  bp::module_changes.fetch_add(1);
  m->tag = bp::Tag::kDead;
  delete m;
}
