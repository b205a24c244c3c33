// SPDX-License-Identifier: Apache-2.0
// opgen.h: what opgen's printers share: how a row becomes functions of C and C++. opgen.cc prints
// what names an op, opgen_cpp.cc the C++ binding's part of it, opgen_kinds.cc its typed layers,
// optimisers and schedules.
//
//   for (const Function& f : functions(row)) text += signature(f);
#pragma once
#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

#include "core/value/op_def.h"

namespace opgen {

using Rows = std::span<const bp::OpRow* const>;

inline constexpr const char* kPrinted =
    "Printed by `./dev print` from the op table (core/ops); do not edit.";

// One parameter: how C declares it, what the body hands to the core, and how C++ declares it and
// passes it on.
struct Parameter {
  std::string c, value, cpp, cpp_call;
};

// One C function of a row.
enum class Form { kPlain, kScalar, kInto };

struct Function {
  std::string name;
  std::vector<Parameter> inputs, attrs;
  std::vector<std::string> tail;  // device and outputs, in C
  Form form;
};
Function function(const bp::OpRow& row, Form form);

std::string upper(std::string s);
std::string join(const std::vector<std::string>& parts, const char* between = ", ");
bool creates(const bp::OpRow& row);
// Returns " = <default>" in C++, or "" for an attribute that must be given.
std::string cpp_default(const bp::AttrSpec& a);

std::string print_cpp_methods(Rows rows);  // backplane_methods.hpp
std::string print_cpp(Rows rows);          // backplane_ops.hpp
std::string print_cpp_layers(Rows rows);   // backplane_layers.hpp, from core/module/kinds
// backplane_optimizers.hpp, from core/optim
std::string print_cpp_optimizers(Rows rows);

}  // namespace opgen
