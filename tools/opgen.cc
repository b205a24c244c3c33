// SPDX-License-Identifier: Apache-2.0
// opgen: prints everything that names an op from the op table: C ids, C functions, C++ wrappers,
// the manual page, Python's stubs. `opgen ROOT` writes the files; `opgen --check ROOT` says which
// ones differ and then exits with 1.
#include "tools/opgen.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "core/value/dtype.h"

using bp::AttrSpec;
using bp::OpRow;
using bp::Role;

namespace opgen {

std::string upper(std::string s) {
  for (char& c : s) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return s;
}

std::string join(const std::vector<std::string>& parts, const char* between) {
  std::string s;
  for (const std::string& p : parts) s += (s.empty() ? "" : between) + p;
  return s;
}

bool creates(const OpRow& row) { return row.flags & bp::kCreates; }

namespace {

Parameter input(const OpRow& row, uint32_t i, bool number) {
  const std::string name = row.inputs[i].name;
  if (row.inputs[i].role == Role::kList)
    return {
        fmt::format("bp_tensor *const *{0}, uint32_t n_{0}", name), "",
        fmt::format("const std::vector<Tensor>& {}", name),
        fmt::format("detail::handles({0}).data(), static_cast<std::uint32_t>({0}.size())", name)};
  if (number || row.inputs[i].role == Role::kScalar)
    return {"const bp_value *" + name, fmt::format("number_arg({0}, \"{0}\")", name),
            "const Value& " + name, name};
  if (row.inputs[i].optional)
    return {"bp_tensor *" + name, fmt::format("optional_arg({0}, \"{0}\")", name),
            "const Tensor& " + name + " = {}", name + ".get()"};
  return {"bp_tensor *" + name, fmt::format("tensor_arg({0}, \"{0}\")", name),
          "const Tensor& " + name, name + ".get()"};
}

}  // namespace

std::string cpp_default(const AttrSpec& a) {
  if (a.required) return "";
  switch (a.kind) {
    case BP_ATTR_INTS: return " = {}";
    case BP_ATTR_DTYPE: return " = BP_DTYPE_NONE";
    case BP_ATTR_BOOL: return a.value.i64 ? " = true" : " = false";
    case BP_ATTR_STR: return fmt::format(" = \"{}\"", a.value.str);
    case BP_ATTR_F64:
      return std::isnan(a.value.f64) ? " = std::numeric_limits<double>::quiet_NaN()"
                                     : fmt::format(" = {}", a.value.f64);
    default: return fmt::format(" = {}", a.value.i64);
  }
}

namespace {

Parameter attribute(const AttrSpec& a) {
  const std::string n = a.name;
  const std::string d = cpp_default(a);
  switch (a.kind) {
    case BP_ATTR_INTS:
      if (n == "shape")
        return {"int32_t rank, const int64_t *shape", "shape_arg(rank, shape)", "const Ints& shape",
                "shape.rank(), shape.data()"};
      return {fmt::format("const int64_t *{0}, uint32_t n_{0}", n),
              fmt::format("ints_arg({0}, n_{0}, \"{0}\")", n),
              fmt::format("const Ints& {}{}", n, d), fmt::format("{0}.data(), {0}.size()", n)};
    case BP_ATTR_F64:
      return {"double " + n, fmt::format("float_value({})", n), "double " + n + d, n};
    case BP_ATTR_BOOL:
      return {"uint32_t " + n, fmt::format("flag_value({} != 0)", n), "bool " + n + d, n};
    case BP_ATTR_STR:
      return {"const char *" + n, fmt::format("str_arg({0}, \"{0}\")", n), "const char* " + n + d,
              n};
    case BP_ATTR_DTYPE:
      return {"bp_dtype " + n, fmt::format("dtype_value({})", n), "bp_dtype " + n + d, n};
    default: return {"int64_t " + n, fmt::format("int_value({})", n), "std::int64_t " + n + d, n};
  }
}

}  // namespace

Function function(const OpRow& row, Form form) {
  Function f{fmt::format("bp_{}{}", row.name,
                         form == Form::kScalar ? "_scalar"
                         : form == Form::kInto ? "_into"
                                               : ""),
             {},
             {},
             {},
             form};
  for (uint32_t i = 0; i < row.n_inputs(); ++i)
    f.inputs.push_back(input(row, i, form == Form::kScalar && i + 1 == row.n_inputs()));
  for (const AttrSpec& a : row.attrs) {
    const std::string name = a.name;
    const bool said_by_output =
        form == Form::kInto && creates(row) && (name == "shape" || name == "dtype");
    Parameter p = attribute(a);
    if (said_by_output)
      p = {"", name == "shape" ? "ints_value({})" : "dtype_value(BP_DTYPE_NONE)", "", ""};
    f.attrs.push_back(p);
  }
  if (creates(row) && form != Form::kInto) f.tail.push_back("bp_device device");
  if (form == Form::kInto)
    f.tail.push_back("bp_tensor *out");
  else
    for (uint32_t i = 0; i < row.n_outputs(); ++i)
      f.tail.push_back(fmt::format("bp_tensor **{}", row.outputs[i]));
  return f;
}

namespace {

std::vector<Function> functions(const OpRow& row) {
  std::vector<Function> all{function(row, Form::kPlain)};
  if (row.flags & bp::kScalarForm) all.push_back(function(row, Form::kScalar));
  if (row.n_outputs() == 1) all.push_back(function(row, Form::kInto));
  return all;
}

std::string signature(const Function& f) {
  std::vector<std::string> parts;
  for (const auto* list : {&f.inputs, &f.attrs})
    for (const Parameter& p : *list)
      if (!p.c.empty()) parts.push_back(p.c);
  for (const std::string& t : f.tail) parts.push_back(t);
  parts.push_back("bp_error **err");
  return fmt::format("bp_status {}({})", f.name, join(parts));
}

std::string body(const OpRow& row, const Function& f) {
  std::vector<std::string> in, attrs;
  for (const Parameter& p : f.inputs) in.push_back(p.value);
  for (const Parameter& p : f.attrs) attrs.push_back(p.value);
  const std::string id = "BP_OP_" + upper(row.name);
  const std::string inputs = row.takes_list()
                                 ? fmt::format("list_arg({0}, n_{0}, \"{0}\")", row.inputs[0].name)
                                 : fmt::format("inputs({})", join(in));
  const std::string rest = fmt::format("{}, attrs({})", inputs, join(attrs));
  if (f.form == Form::kInto) return fmt::format("run_into({}, {}, out)", id, rest);
  if (creates(row)) return fmt::format("run_created({}, {}, device, out)", id, rest);
  if (row.n_outputs() > 1) {
    const std::vector<std::string> outs(row.outputs.begin(), row.outputs.begin() + row.n_outputs());
    return fmt::format("run_several({}, {}, {{{}}})", id, rest, join(outs));
  }
  return fmt::format("run({}, {}, out)", id, rest);
}

// The places of a row's attributes, in lines of at most 100 columns.
std::string attribute_places(const OpRow& row) {
  std::string s = "enum {";
  for (const AttrSpec& a : row.attrs) {
    const std::string name = fmt::format(" BP_ATTR_{}_{}{}", upper(row.name), upper(a.name),
                                         &a + 1 == row.attrs.end() ? " };" : ",");
    const size_t used = s.size() - (s.rfind('\n') == s.npos ? 0 : s.rfind('\n') + 1);
    s += (used + name.size() > 100 ? "\n      " : "") + name;
  }
  return s + "\n";
}

std::string print_ids(Rows rows) {
  std::string s = fmt::format(
      "/* {} Ids are never reused. */\n#ifndef BACKPLANE_C_OP_IDS_H\n#define BACKPLANE_C_OP_IDS_H\n\nenum {{\n",
      kPrinted);
  for (size_t i = 0; i < rows.size(); ++i)
    s += fmt::format("  BP_OP_{} = {}{}\n", upper(rows[i]->name), rows[i]->id,
                     i + 1 < rows.size() ? "," : "");
  s += "};\n\n/* The places of an op's attributes in bp_launch.attrs. */\n";
  for (const OpRow* row : rows)
    if (!row->attrs.empty()) s += attribute_places(*row);
  return s + "\n#endif\n";
}

std::string print_header(Rows rows) {
  std::string s = fmt::format(
      "/* c_ops.h: one function for each op. {}\n"
      " *\n"
      " * - bp_<op> makes its result: *out is written and never read.\n"
      " * - bp_<op>_scalar takes a number as its last operand, and makes no tensor of it.\n"
      " * - bp_<op>_into writes into `out`, which the caller made: its shape and device are the result's, and the\n"
      " *   result's dtype can be cast to its own. It may be one of the inputs (in place). Ops that create take shape and\n"
      " *   dtype from it.\n"
      " *\n"
      " * An input that docs/ops.md marks \"=none\" may be NULL; a number in the place of a tensor goes through bp_invoke.\n"
      " * With n 0 no axes are given. dtype BP_DTYPE_NONE is the op's own choice. A seed and an offset of -1 are drawn from\n"
      " * the device's generator. Tensors are borrowed. Errors are those of bp_invoke. Any thread may call; the work is\n"
      " * queued in the current stream of the operands' device. */\n"
      "#ifndef BACKPLANE_C_OPS_H\n#define BACKPLANE_C_OPS_H\n\n#include \"c_api.h\"\n#include \"c_op_ids.h\"\n\n"
      "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n",
      kPrinted);
  for (const OpRow* row : rows) {
    s += fmt::format("\n/* {} */\n", row->doc);
    for (const Function& f : functions(*row)) s += fmt::format("BP_API {};\n", signature(f));
  }
  return s + "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

std::string print_functions(Rows rows) {
  std::string s = fmt::format(
      "// {}\n#include \"core/c_api/run.h\"\n\nusing namespace bp;\n\nextern \"C\" {{\n", kPrinted);
  for (const OpRow* row : rows) {
    s += "\n";
    for (const Function& f : functions(*row))
      s += fmt::format("{} {{ return guard(err, [&] {{ {}; }}); }}\n", signature(f), body(*row, f));
  }
  return s + "\n}  // extern \"C\"\n";
}

std::string attribute_text(const AttrSpec& a) {
  if (a.required) return fmt::format("{} (required)", a.name);
  switch (a.kind) {
    case BP_ATTR_INTS:
    case BP_ATTR_DTYPE: return fmt::format("{}=none", a.name);
    case BP_ATTR_BOOL: return fmt::format("{}={}", a.name, a.value.i64 ? "true" : "false");
    case BP_ATTR_STR: return fmt::format("{}={}", a.name, a.value.str);
    case BP_ATTR_F64:
      return std::isnan(a.value.f64) ? fmt::format("{}=none", a.name)
                                     : fmt::format("{}={}", a.name, a.value.f64);
    default: return fmt::format("{}={}", a.name, a.value.i64);
  }
}

std::string layout_text(const OpRow& row) {
  constexpr const char* kText[] = {"elementwise", "reduce", "rows", "matmul", "general", "foreach"};
  return kText[static_cast<int>(row.layout)];
}

// Whether a backend must have a kernel, may have one, or, of a list, never has one.
std::string kernel_text(const OpRow& row) {
  if (row.flags & bp::kPrimitive) return "**primitive**";
  return row.takes_list() && row.layout != bp::Layout::kForeach ? "none" : "optional";
}

std::string key_text(const OpRow& row) {
  if (row.takes_list() && row.layout != bp::Layout::kForeach) return "";
  if (row.key < 0) return row.outputs[row.n_outputs() - static_cast<uint32_t>(-row.key)];
  return row.inputs[static_cast<size_t>(row.key)].name;
}

std::string print_docs(Rows rows) {
  std::string s = fmt::format(
      "# Ops\n\n{}\n\nAttributes are listed in the order in which kernels receive them, at the places `BP_ATTR_<OP>_<NAME>`. *Layout* is how a kernel sees its operands "
      "(`core/value/op_def.h`); *key* is the operand whose dtype picks the kernel. *ULP* bounds the error of f32 and f64 results; f16 and "
      "bf16 are within one of their own. Complex results, of the rows that take such operands, are within 10 units of their modulus; "
      "`pow` loses as many more as its exponent times the logarithm of its base is large, `prod` and `cumprod` up to 3 a factor.\n\n"
      "*Kernel* says what a backend needs. The {} rows marked **primitive** are enough: where it has kernels for them in f32, i64 and bool, "
      "`copy` between all dtypes and `fill` of all, every other op runs in f32, because what it has no kernel for is composed of rows that "
      "it has. An optional kernel is faster. It may also be the only way to serve a further dtype.\n\n"
      "| id | op | inputs | attributes | outputs | layout | kernel | key | ULP | what it does |\n|---|---|---|---|---|---|---|---|---|---|\n",
      kPrinted, std::count_if(rows.begin(), rows.end(), [](const OpRow* row) {
        return (row->flags & bp::kPrimitive) != 0;
      }));
  for (const OpRow* row : rows) {
    std::vector<std::string> in, attrs, out;
    for (uint32_t i = 0; i < row->n_inputs(); ++i)
      in.push_back(std::string(row->inputs[i].name) + (row->takes_list() && i == 0 ? "..."
                                                       : row->inputs[i].optional   ? "=none"
                                                                                   : ""));
    for (const AttrSpec& a : row->attrs) attrs.push_back(attribute_text(a));
    for (uint32_t i = 0; i < row->n_outputs(); ++i) out.push_back(row->outputs[i]);
    std::string doc = row->doc;
    for (size_t at = 0; (at = doc.find('|', at)) != std::string::npos; at += 2)
      doc.insert(at, "\\");
    s += fmt::format("| {} | `{}` | {} | {} | {} | {} | {} | {} | {} | {} |\n", row->id, row->name,
                     join(in), join(attrs), join(out), layout_text(*row), kernel_text(*row),
                     key_text(*row), row->max_ulp, doc);
  }
  return s;
}

// ---- Python: bindings/python/backplane/ops.pyi, what the binding makes by reflection ----

std::string python_type(const AttrSpec& a) {
  const std::string n = a.name;
  switch (a.kind) {
    case BP_ATTR_INTS: return n == "shape" ? "Shape" : "Axis";
    case BP_ATTR_DTYPE: return "Optional[DType]";
    case BP_ATTR_BOOL: return "bool";
    case BP_ATTR_F64: return "float";
    case BP_ATTR_STR: return "str";
    default: return "int";
  }
}

// Returns the other names that the binding takes for an attribute (bindings/python/src/op.cc).
std::vector<std::string> python_synonyms(const std::string& name) {
  for (const std::vector<std::string>& group :
       {std::vector<std::string>{"axis", "axes", "dim"}, {"keepdims", "keepdim"}})
    for (const std::string& word : group)
      if (word == name) return group;
  return {name};
}

std::string python_input(const OpRow& row, uint32_t i) {
  const char* type = row.inputs[i].role == Role::kList     ? "Sequence[Tensor]"
                     : row.inputs[i].role == Role::kScalar ? "Number"
                     : row.flags & bp::kScalarForm         ? "Operand"
                     : row.n_inputs() > 1 && row.layout == bp::Layout::kElementwise ? "Operand"
                                                                                    : "Tensor";
  if (row.inputs[i].optional)
    return fmt::format("{}: Optional[{}] = ...", row.inputs[i].name, type);
  return fmt::format("{}: {}", row.inputs[i].name, type);
}

// Every attribute may be given by position, in row order. A required one may be missing there only
// because a synonym of it is given, which a stub cannot say.
std::string python_parameters(const OpRow& row, bool method, bool in_place) {
  std::vector<std::string> parts, named;
  for (uint32_t i = 0; i < row.n_inputs(); ++i)
    parts.push_back(method && i == 0 ? "self" : python_input(row, i));
  for (const AttrSpec& a : row.attrs) {
    parts.push_back(fmt::format("{}: {} = ...", a.name, python_type(a)));
    for (const std::string& name : python_synonyms(a.name))
      if (name != a.name) named.push_back(fmt::format("{}: {} = ...", name, python_type(a)));
  }
  if (creates(row)) named.push_back("device: Optional[Device] = ...");
  if (row.n_outputs() == 1 && !in_place) named.push_back("out: Optional[Tensor] = ...");
  if (!named.empty()) parts.push_back("*");
  parts.insert(parts.end(), named.begin(), named.end());
  return join(parts);
}

std::string python_function(const OpRow& row, bool method, bool in_place = false) {
  const std::string pad = method ? "    " : "",
                    name = std::string(row.name) + (in_place ? "_" : "");
  const std::vector<std::string> each(row.n_outputs(), "Tensor");
  const std::string result = each.size() > 1 ? fmt::format("Tuple[{}]", join(each)) : "Tensor";
  const std::string head = fmt::format("{}def {}({}) -> {}:", pad, name,
                                       python_parameters(row, method, in_place), result);
  if (in_place) return head + " ...\n";
  return fmt::format("{}\n{}    \"\"\"{}\"\"\"\n", head, pad, row.doc);
}

bool is_python_method(const OpRow& row) {
  return row.n_inputs() && !row.takes_list() && !creates(row);
}

std::string print_python(Rows rows) {
  std::string s = fmt::format(
      "# {}\nfrom typing import Any, List, Optional, Sequence, Tuple\n\n"
      "from ._types import Axis, Device, DType, Number, Operand, Shape\nfrom .tensor import Tensor\n\n"
      "__all__: List[str]\n\nclass OpMethods:\n",
      kPrinted);
  for (const OpRow* row : rows) {
    if (!is_python_method(*row)) continue;
    s += python_function(*row, /*method=*/true);
    if (row->layout == bp::Layout::kElementwise && row->n_outputs() == 1)
      s += python_function(*row, /*method=*/true, /*in_place=*/true);
  }
  s += "\n";
  for (const OpRow* row : rows) s += python_function(*row, /*method=*/false);
  return s + "\n# Ops that a program registers.\ndef __getattr__(name: str) -> Any: ...\n";
}

// The first line of a printed source; a page of the manual has none.
std::string licence_line(std::string_view path) {
  constexpr const char* kLicence = "SPDX-License-Identifier: Apache-2.0";
  if (path.ends_with(".md")) return "";
  if (path.ends_with(".pyi")) return fmt::format("# {}\n", kLicence);
  if (path.starts_with("include/")) return fmt::format("/* {} */\n", kLicence);
  return fmt::format("// {}\n", kLicence);
}

struct Print {
  const char* path;
  std::function<std::string(Rows)> text;
  bool all = false;  // prints ops over lists too
};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream s;
  s << file.rdbuf();
  return s.str();
}

}  // namespace
}  // namespace opgen

int main(int argc, char** argv) {
  using namespace opgen;
  const bool check = argc == 3 && std::string(argv[1]) == "--check";
  if (argc != (check ? 3 : 2)) {
    std::cerr << "usage: opgen [--check] ROOT\n";
    return 2;
  }
  const Print prints[] = {{"include/c_op_ids.h", print_ids, true},
                          {"include/c_ops.h", print_header},
                          {"core/c_api/c_ops.cc", print_functions},
                          {"bindings/cpp/backplane_methods.hpp", print_cpp_methods},
                          {"bindings/cpp/backplane_ops.hpp", print_cpp},
                          {"bindings/cpp/backplane_layers.hpp", print_cpp_layers},
                          {"bindings/cpp/backplane_optimizers.hpp", print_cpp_optimizers},
                          {"docs/ops.md", print_docs, true},
                          {"bindings/python/backplane/ops.pyi", print_python}};
  // Ops over lists have an id and a line in the manual; they are called through bp_invoke alone.
  std::vector<const OpRow*> functions;
  for (const OpRow* row : bp::op_table())
    if (row->layout != bp::Layout::kForeach) functions.push_back(row);
  int drift = 0;
  for (const Print& p : prints) {
    const Rows rows = p.all ? bp::op_table() : Rows(functions);
    const std::string path = std::string(argv[argc - 1]) + "/" + p.path;
    const std::string text = licence_line(p.path) + p.text(rows);
    if (contents(path) == text) continue;
    if (check) {
      std::cerr << p.path << " differs from the tables; run ./dev print\n";
      drift = 1;
    } else {
      std::ofstream(path, std::ios::binary) << text;
      std::cout << "printed " << p.path << "\n";
    }
  }
  return drift;
}
