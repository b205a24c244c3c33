// SPDX-License-Identifier: Apache-2.0
// opgen_kinds.cc: the C++ binding's classes for kinds of modules, optimisers and schedules, each
// with a struct of its optional attributes. opgen.h declares the printers.
#include <cctype>

#include "core/module/kind.h"
#include "core/optim/algorithms.h"
#include "core/optim/schedule.h"
#include "tools/opgen.h"

namespace opgen {
namespace {

using bp::AttrSpec;

constexpr const char* kPrintedKinds =
    "Printed by `./dev print` from the tables of kinds; do not edit.";

// "multi_step" is "MultiStep".
std::string camel(const std::string& name) {
  std::string s;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '_') continue;
    const bool first = i == 0 || name[i - 1] == '_';
    s += first ? static_cast<char>(std::toupper(static_cast<unsigned char>(name[i]))) : name[i];
  }
  return s;
}

std::string type_of(const AttrSpec& a) {
  switch (a.kind) {
    case BP_ATTR_INTS: return "Sizes";
    case BP_ATTR_DTYPE: return "Dtype";
    case BP_ATTR_BOOL: return "bool";
    case BP_ATTR_F64: return "double";
    case BP_ATTR_STR: return "std::string";
    default: return "std::int64_t";
  }
}
std::string default_of(const AttrSpec& a) {
  if (a.kind == BP_ATTR_DTYPE) return " = {}";
  if (a.kind != BP_ATTR_INTS) return cpp_default(a);
  return a.none ? " = {}" : fmt::format(" = {}", a.value.i64);
}
std::string parameter_of(const AttrSpec& a) {
  const bool by_reference = a.kind == BP_ATTR_INTS || a.kind == BP_ATTR_STR;
  return fmt::format("{}{}{} {}", by_reference ? "const " : "", type_of(a), by_reference ? "&" : "",
                     a.name);
}
std::string attr_of(const AttrSpec& a, const std::string& value) {
  if (a.kind == BP_ATTR_DTYPE) return fmt::format("Attr::dtype(\"{}\", {})", a.name, value);
  return fmt::format("{{\"{}\", {}}}", a.name, value);
}

// A kind as a class.
struct Printed {
  std::string name, doc, base, kind;
  std::string subject = {},
              subject_value = {};  // a parameter before the others, and how the base gets it
  bool placed = false;             // has a device and a dtype
};

std::string print_kind(const Printed& k, const bp::AttrSpecs& specs) {
  std::vector<std::string> required, optional, attrs, docs;
  const AttrSpec* first = nullptr;  // the first optional one
  for (size_t i = 0; i < specs.size(); ++i) {
    const AttrSpec& a = specs.at(i);
    docs.push_back(fmt::format("//   {}: {}\n", a.name, a.doc));
    attrs.push_back(attr_of(a, (a.required ? "" : "o.") + std::string(a.name)));
    if (a.required) {
      required.push_back(parameter_of(a));
      continue;
    }
    if (!first) first = &a;
    optional.push_back(fmt::format("  {} {}{};\n", type_of(a), a.name, default_of(a)));
  }
  if (k.placed) optional.push_back("  Device device = {};\n  Dtype dtype = {};\n");
  std::string s = "\n";
  if (!optional.empty())
    s += fmt::format("struct {}Options {{\n{}}};\n", k.name, join(optional, ""));
  s += fmt::format("// {}\n{}class {} : public {} {{\n public:\n", k.doc, join(docs, ""), k.name,
                   k.base);
  std::vector<std::string> parameters = required;
  if (!k.subject.empty()) parameters.insert(parameters.begin(), k.subject);
  if (!optional.empty()) {
    s += fmt::format("  using Options = {}Options;\n", k.name);
    parameters.push_back(fmt::format("const {}Options& o = {{}}", k.name));
  }
  s += fmt::format("  {}{}({})\n      : {}(\"{}\", {}{{{}}}{}) {{}}\n",
                   parameters.size() == 1 ? "explicit " : "", k.name, join(parameters), k.base,
                   k.kind, k.subject_value, join(attrs), k.placed ? ", o.device, o.dtype" : "");
  // Dropout(0.5), Softmax(1), SGD(params, 0.1): the first option by itself.
  const bool number = first && (first->kind == BP_ATTR_F64 || first->kind == BP_ATTR_I64 ||
                                first->kind == BP_ATTR_INTS);
  if (number && required.empty()) {
    const std::string subject = k.subject.empty() ? "" : k.subject + ", ";
    const std::string handed_on =
        k.subject.empty() ? "" : k.subject.substr(k.subject.rfind(' ') + 1) + ", ";
    s += fmt::format("  {}{}({}{}) : {}({}with({})) {{}}\n", subject.empty() ? "explicit " : "",
                     k.name, subject, parameter_of(*first), k.name, handed_on, first->name);
    s += fmt::format(
        "\n private:\n  static Options with({0}) {{\n    Options o;\n    o.{1} = {1};\n    return o;\n  }}\n",
        parameter_of(*first), first->name);
  }
  return s + "};\n";
}

// Its children are given to it: Sequential(a, b), ModuleList{a, b}, ModuleDict{{"head", a}}.
std::string print_container(const bp::ModuleKind& kind) {
  if (std::string_view(kind.name) == "module_dict")
    return fmt::format(
        "\n// {2}\nclass {0} : public Module {{\n public:\n"
        "  {0}(std::initializer_list<std::pair<std::string, Module>> children = {{}}) : Module(\"{1}\") {{\n"
        "    for (const auto& [name, child] : children) set_child(name, child);\n  }}\n}};\n",
        kind.title, kind.name, kind.doc);
  return fmt::format(
      "\n// {2}\nclass {0} : public Module {{\n public:\n"
      "  {0}(std::initializer_list<Module> children = {{}}) : Module(\"{1}\") {{\n"
      "    for (const Module& child : children) append(child);\n  }}\n"
      "  template <class... M>\n"
      "  explicit {0}(const Module& first, const M&... rest) : {0}({{first, rest...}}) {{}}\n}};\n",
      kind.title, kind.name, kind.doc);
}

std::string header(const char* name, const char* what, const char* space,
                   std::initializer_list<const char*> includes) {
  std::string guard = fmt::format("BACKPLANE_{}_HPP", upper(name)), text;
  for (const char* include : includes)
    text += fmt::format("#include \"backplane_{}.hpp\"\n", include);
  return fmt::format(
      "// backplane_{}.hpp: {} {}\n#ifndef {}\n#define {}\n\n{}\nnamespace backplane {{\nnamespace {} {{\n",
      name, what, kPrintedKinds, guard, guard, text, space);
}
std::string footer(const char* space) {
  return fmt::format("\n}}  // namespace {}\n}}  // namespace backplane\n#endif\n", space);
}

}  // namespace

std::string print_cpp_layers(Rows /*rows*/) {
  std::string s = header("layers",
                         "a class for each kind of module, as nn::Linear(3, 4, {.bias = false});\n"
                         "// included by backplane.hpp.",
                         "nn", {"nn"});
  for (const bp::ModuleKind* kind : bp::module_kinds()) {
    const std::string name = kind->name;
    if (name == "sequential" || name == "module_list" || name == "module_dict") {
      s += print_container(*kind);
      continue;
    }
    s += print_kind({.name = kind->title,
                     .doc = kind->doc,
                     .base = "Module",
                     .kind = kind->name,
                     .placed = kind->make != nullptr},
                    kind->attrs);
  }
  return s + footer("nn");
}

std::string print_cpp_optimizers(Rows /*rows*/) {
  std::string s = header("optimizers",
                         "a class for each kind of optimiser and of schedule, as\n"
                         "// optim::Adam(params, {.lr = 1e-3}); included by backplane.hpp.",
                         "optim", {"optim"});
  for (const bp::OptimizerKind& kind : bp::optimizer_kinds())
    s += print_kind({.name = kind.name,
                     .doc = kind.doc,
                     .base = "Optimizer",
                     .kind = kind.name,
                     .subject = "const std::vector<Tensor>& params",
                     .subject_value = "params, "},
                    kind.attrs);
  for (const bp::ScheduleKind& kind : bp::schedule_kinds())
    s += print_kind({.name = camel(kind.name) + "LR",
                     .doc = kind.doc,
                     .base = "Schedule",
                     .kind = kind.name,
                     .subject = "const Optimizer& optimizer",
                     .subject_value = "optimizer, "},
                    kind.attrs);
  return s + footer("optim");
}

}  // namespace opgen
