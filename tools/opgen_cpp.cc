// SPDX-License-Identifier: Apache-2.0
// opgen_cpp.cc: the C++ binding's functions, and methods of Tensor, one for each op. opgen.h
// declares them.
#include <cstring>

#include "tools/opgen.h"

namespace opgen {
namespace {

using bp::OpRow;

// Two operands, either of which may be a number.
bool takes_values(const OpRow& row) { return (row.flags & bp::kScalarForm) && row.n_inputs() == 2; }
// Several operands, the last of which may be a number.
bool ends_in_value(const OpRow& row) { return (row.flags & bp::kScalarForm) && row.n_inputs() > 2; }

// The parameters of a C++ function as it declares them, as a definition elsewhere repeats them, and
// as one function hands them on to another.
struct Parameters {
  std::vector<std::string> declared, defined, names;
  std::vector<std::string> call;  // what C gets, in C's order
};

std::string without_default(const std::string& parameter) {
  return parameter.substr(0, parameter.find(" = "));
}

// `skip` leaves out the first operands. Required parameters come before those with defaults; C's
// order stays in the call.
Parameters parameters(const OpRow& row, Form form, size_t skip = 0) {
  const Function f = function(row, form);
  Parameters all;
  std::vector<std::string> late;
  const auto add = [&](std::string cpp) {
    (cpp.find(" = ") == std::string::npos ? all.declared : late).push_back(std::move(cpp));
  };
  for (size_t i = 0; i < f.inputs.size(); ++i) {
    const Parameter& p = f.inputs[i];
    const bool value = takes_values(row) || (ends_in_value(row) && i + 1 == f.inputs.size());
    if (i >= skip) add(value ? fmt::format("const Value& {}", row.inputs[i].name) : p.cpp);
    all.call.push_back(p.cpp_call);
  }
  for (const Parameter& p : f.attrs) {
    if (p.cpp.empty()) continue;  // the output says it
    add(p.cpp);
    all.call.push_back(p.cpp_call);
  }
  all.declared.insert(all.declared.end(), late.begin(), late.end());
  if (creates(row) && form != Form::kInto) {
    all.declared.push_back("Device device = {}");
    all.call.push_back("device.value()");
  }
  for (const std::string& p : all.declared) {
    all.defined.push_back(without_default(p));
    all.names.push_back(all.defined.back().substr(all.defined.back().rfind(' ') + 1));
  }
  return all;
}

std::string cpp_result(uint32_t n) {
  if (n == 1) return "Tensor";
  const std::vector<std::string> each(n, "Tensor");
  return fmt::format("std::{}<{}>", n == 2 ? "pair" : "tuple", join(each));
}

// The call of a row's C function, of its output or outputs, as an expression.
std::string c_call(const std::string& name, std::vector<std::string> args, const char* out) {
  if (out) args.push_back(out);
  args.push_back("&c.err");
  return fmt::format("{}({})", name, join(args));
}

// The same where the last operand is a tensor or a number.
std::string value_call(const OpRow& row, std::vector<std::string> args, const char* out) {
  const std::string name = row.inputs[row.n_inputs() - 1].name;
  args[row.n_inputs() - 1] = name + ".tensor()";
  const std::string tensor = c_call(fmt::format("bp_{}", row.name), args, out);
  args[row.n_inputs() - 1] = name;
  return fmt::format("{}.is_tensor() ? {}\n      : {}", name, tensor,
                     c_call(fmt::format("bp_{}_scalar", row.name), args, out));
}

std::string op_function(const OpRow& row) {
  const Parameters p = parameters(row, Form::kPlain);
  const std::string head = fmt::format("// {}\n", row.doc);
  if (takes_values(row))
    return head +
           fmt::format(
               "inline Tensor {0}({1}) {{\n  return detail::binary({{BP_OP_{2}, bp_{0}, bp_{0}_scalar}}, a, b);\n}}\n",
               row.name, join(p.declared), upper(row.name));
  const uint32_t n = row.n_outputs();
  std::vector<std::string> args = p.call;
  for (uint32_t i = 0; n > 1 && i < n; ++i) args.push_back(fmt::format("&c.out[{}]", i));
  return head + fmt::format("inline {} {}({}) {{\n  detail::{} c;\n  return c.made({});\n}}\n",
                            cpp_result(n), row.name, join(p.declared),
                            n == 1 ? "Call" : fmt::format("CallOf<{}>", n),
                            ends_in_value(row) ? value_call(row, args, "&c.out")
                                               : c_call(fmt::format("bp_{}", row.name), args,
                                                        n == 1 ? "&c.out" : nullptr));
}

// Writes the result into a tensor that is there.
std::string out_function(const OpRow& row) {
  const Parameters p = parameters(row, Form::kInto);
  const std::string head = fmt::format("inline const Tensor& {}_out(const Tensor& out{}{}) {{\n",
                                       row.name, p.declared.empty() ? "" : ", ", join(p.declared));
  if (takes_values(row))
    return head +
           fmt::format("  return detail::binary_out({{BP_OP_{1}, bp_{0}_into}}, out, a, b);\n}}\n",
                       row.name, upper(row.name));
  std::vector<std::string> args = p.call;
  if (!ends_in_value(row))
    return head + fmt::format("  detail::Call c;\n  c.done({});\n  return out;\n}}\n",
                              c_call(fmt::format("bp_{}_into", row.name), args, "out.get()"));
  const size_t last = row.n_inputs() - 1;
  std::vector<std::string> values;
  for (size_t i = 0; i <= last; ++i) values.push_back(row.inputs[i].name);
  args[last] = values[last] + ".tensor()";
  return head + fmt::format(
                    "  if (!{0}.is_tensor()) return detail::invoke_out(BP_OP_{1}, out, {{{2}}});\n"
                    "  detail::Call c;\n  c.done({3});\n  return out;\n}}\n",
                    values[last], upper(row.name), join(values),
                    c_call(fmt::format("bp_{}_into", row.name), args, "out.get()"));
}

// What reads as a method: an op on a tensor that has no operands which may be left out. Operands of
// networks (input, query, grad ...) are functions alone, as PyTorch has them.
bool is_method(const OpRow& row) {
  if (!row.n_inputs() || row.takes_list() || creates(row)) return false;
  for (uint32_t i = 0; i < row.n_inputs(); ++i)
    if (row.inputs[i].optional) return false;
  for (const char* name : {"x", "a", "start"})
    if (!std::strcmp(row.inputs[0].name, name)) return true;
  return false;
}
bool is_in_place_method(const OpRow& row) {
  return row.layout == bp::Layout::kElementwise && row.n_outputs() == 1;
}

std::string method_declarations(const OpRow& row) {
  const Parameters p = parameters(row, Form::kPlain, /*skip=*/1);
  std::string s = fmt::format("  {} {}({}) const;  // {}\n", cpp_result(row.n_outputs()), row.name,
                              join(p.declared), row.doc);
  if (is_in_place_method(row))
    s += fmt::format("  const Tensor& {}_({}) const;\n", row.name, join(p.declared));
  return s;
}

std::string method_definitions(const OpRow& row) {
  const Parameters p = parameters(row, Form::kPlain, /*skip=*/1);
  std::vector<std::string> args = p.names;
  args.insert(args.begin(), "self()");
  std::string s = fmt::format(
      "inline {0} detail::OpMethods::{1}({2}) const {{\n  return backplane::{1}({3});\n}}\n",
      cpp_result(row.n_outputs()), row.name, join(p.defined), join(args));
  if (is_in_place_method(row)) {
    args.insert(args.begin(), "self()");
    s += fmt::format(
        "inline const Tensor& detail::OpMethods::{0}_({1}) const {{\n  return {0}_out({2});\n}}\n",
        row.name, join(p.defined), join(args));
  }
  return s;
}

}  // namespace

std::string print_cpp_methods(Rows rows) {
  std::string s = fmt::format(
      "// backplane_methods.hpp: ops as methods of Tensor; included by backplane_tensor.hpp. {}\n"
      "#ifndef BACKPLANE_METHODS_HPP\n#define BACKPLANE_METHODS_HPP\n\n#include \"backplane_base.hpp\"\n\n"
      "namespace backplane {{\n\nclass Tensor;\nclass Value;\n\nnamespace detail {{\n\n"
      "// What Tensor inherits. x.<op>(...) is <op>(x, ...); x.<op>_(...) writes the result into x.\n"
      "class OpMethods {{\n public:\n",
      kPrinted);
  for (const OpRow* row : rows)
    if (is_method(*row)) s += method_declarations(*row);
  return s +
         "\n protected:\n  OpMethods() = default;\n\n private:\n  const Tensor& self() const;\n};\n\n"
         "}  // namespace detail\n}  // namespace backplane\n#endif\n";
}

std::string print_cpp(Rows rows) {
  std::string s = fmt::format(
      "// backplane_ops.hpp: functions for each op: <op>(...) makes its result, <op>_out(out, ...) writes it into a tensor\n"
      "// that is there; included by backplane.hpp. {}\n"
      "#ifndef BACKPLANE_OPS_HPP\n#define BACKPLANE_OPS_HPP\n\n#include \"backplane_tensor.hpp\"\n\nnamespace backplane {{\n",
      kPrinted);
  for (const OpRow* row : rows) {
    s += "\n" + op_function(*row);
    if (row->n_outputs() == 1) s += out_function(*row);
  }
  s +=
      "\n// ---- methods ----\n"
      "inline const Tensor& detail::OpMethods::self() const {\n  return static_cast<const Tensor&>(*this);\n}\n";
  for (const OpRow* row : rows)
    if (is_method(*row)) s += method_definitions(*row);
  return s + "\n}  // namespace backplane\n#endif\n";
}

}  // namespace opgen
