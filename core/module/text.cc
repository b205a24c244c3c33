// SPDX-License-Identifier: Apache-2.0
// text.cc: modules as text (module.h): as PyTorch prints them, and as a table.
#include <algorithm>

#include "core/grad/autograd.h"
#include "core/module/kind.h"

namespace bp {

std::string python_text(double v) {
  std::string s = fmt::format("{}", v);
  if (s.find_first_of(".enai") == s.npos) s += ".0";
  return s;
}
std::string python_text(Span tuple) {
  std::string s = "(";
  for (size_t i = 0; i < tuple.size(); ++i) s += (i ? ", " : "") + std::to_string(tuple[i]);
  return s + (tuple.size() == 1 ? ",)" : ")");
}

std::string extra_text(const Module& m) { return m.kind && m.kind->extra ? m.kind->extra(m) : ""; }

namespace {

std::string indented(const std::string& text) {
  std::string out;
  for (char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

// Lists show children that print alike, one after the other, as "(0-5): 6 x ReLU()".
std::vector<std::string> lines_of(Module& m) {
  const bool folds = m.kind && std::string_view(m.kind->name) == "module_list";
  std::vector<std::string> texts, lines;
  for (const Module::Child& c : m.children)
    texts.push_back(indented(c.module ? module_text(*c.module) : "None"));
  for (size_t i = 0; i < texts.size();) {
    size_t end = i + 1;
    while (folds && end < texts.size() && texts[end] == texts[i]) ++end;
    lines.push_back(end - i > 1 ? fmt::format("({}-{}): {} x {}", m.children[i].name,
                                              m.children[end - 1].name, end - i, texts[i])
                                : fmt::format("({}): {}", m.children[i].name, texts[i]));
    i = end;
  }
  return lines;
}

}  // namespace

std::string module_text(Module& m) {
  const std::string extra = extra_text(m);
  const std::vector<std::string> lines = lines_of(m);
  if (lines.empty() && extra.find('\n') == extra.npos) return m.title + "(" + extra + ")";
  std::string text = m.title + "(";
  if (!extra.empty()) text += "\n  " + indented(extra);
  for (const std::string& line : lines) text += "\n  " + line;
  return text + "\n)";
}

// ---- the table ----

namespace {

struct Row {
  std::string layer, shape;
  int64_t parameters = 0, bytes = 0;
  std::string device;
};

std::string grouped(int64_t n) {
  std::string s = std::to_string(n);
  for (auto at = static_cast<int64_t>(s.size()) - 3; at > 0; at -= 3)
    s.insert(static_cast<size_t>(at), ",");
  return s;
}

Row row_of(const NamedModule& n) {
  Row r;
  const size_t depth =
      n.name.empty() ? 0 : 1 + static_cast<size_t>(std::count(n.name.begin(), n.name.end(), '.'));
  r.layer = std::string(2 * depth, ' ') + n.name.substr(n.name.rfind('.') + 1) +
            (depth ? " " : "") + n.module->title;
  for (const NamedTensor& p : list_parameters(*n.module, 0)) {
    const Tensor& t = *p.slot->tensor;
    r.shape += (r.shape.empty() ? "" : " ") + (is_uninitialized(t) ? "?" : format_shape(t.shape));
    if (!is_uninitialized(t)) r.parameters += t.count, r.bytes += t.count * dtype_bytes(t.dtype);
    if (r.device.find(t.device().label) == r.device.npos)
      r.device += (r.device.empty() ? "" : ", ") + t.device().label;
  }
  return r;
}

std::string table(const std::vector<Row>& rows, const char* shape) {
  size_t a = 5, b = 5, c = 10, d = 5;
  for (const Row& r : rows) {
    a = std::max(a, r.layer.size()), b = std::max(b, r.shape.size());
    c = std::max(c, grouped(r.parameters).size()), d = std::max(d, grouped(r.bytes).size());
  }
  std::string text = fmt::format("{:<{}}  {:<{}}  {:>{}}  {:>{}}  {}\n", "layer", a, shape, b,
                                 "parameters", c, "bytes", d, "device");
  for (const Row& r : rows)
    text += fmt::format("{:<{}}  {:<{}}  {:>{}}  {:>{}}  {}\n", r.layer, a, r.shape, b,
                        grouped(r.parameters), c, grouped(r.bytes), d,
                        r.device.empty() ? "-" : r.device);
  return text;
}

}  // namespace

std::string summary(Module& m, Inputs in) {
  std::vector<std::pair<const Module*, std::string>> shapes;
  if (!in.empty()) {
    const RecordGuard off(false);
    std::vector<std::pair<Module*, bool>> modes;
    apply(m,
          [&](Module& each) { modes.emplace_back(&each, each.training), each.training = false; });
    struct Restore {
      std::vector<std::pair<Module*, bool>>& modes;
      ~Restore() {
        for (auto& [module, training] : modes) module->training = training;
      }
    } restore{modes};
    const Watching watch([&](Module& ran, std::span<Ref<Tensor>> out) {
      shapes.emplace_back(&ran, out.empty() ? "" : format_shape(out[0]->shape));
    });
    Ref<Tensor> out[1];
    forward(m, in, out);
  }
  std::vector<Row> rows;
  Row total{"total", "", 0, 0, ""};
  for (const NamedModule& n : list_modules(m, BP_MODULE_RECURSE)) {
    Row r = row_of(n);
    if (!in.empty()) {
      const auto found = std::find_if(shapes.begin(), shapes.end(),
                                      [&](const auto& s) { return s.first == n.module; });
      r.shape = found == shapes.end() ? "-" : found->second;
    }
    if (r.shape.empty()) r.shape = "-";
    rows.push_back(r);
  }
  for (const NamedTensor& p : list_parameters(m, BP_MODULE_RECURSE)) {
    const Tensor& t = *p.slot->tensor;
    if (!is_uninitialized(t))
      total.parameters += t.count, total.bytes += t.count * dtype_bytes(t.dtype);
  }
  rows.push_back(total);
  return table(rows, in.empty() ? "shape" : "result");
}

}  // namespace bp
