// SPDX-License-Identifier: Apache-2.0
// print_text.cc: the half of print.h that lays out. Its steps are those of torch/_tensor_str.py:
// choose one style for all elements, write each element in it, join them into lines and brackets,
// append the suffixes.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "core/base/guard.h"
#include "core/io/print.h"
#include "core/value/element.h"

namespace bp {
namespace {

constexpr std::string_view kPrefix = "tensor(";

bp_value element(const HostElements& e, int64_t i) {
  return read_element(e.dtype, static_cast<const char*>(e.data) + i * dtype_bytes(e.dtype));
}

std::string whole_text(bp_dtype dtype, bp_value v) {
  if (dtype == BP_BOOL) return v.as.i64 ? "True" : "False";
  return dtype == BP_U64 ? std::to_string(static_cast<uint64_t>(v.as.i64))
                         : std::to_string(v.as.i64);
}

// Writes as Python's format(value, ".4f") does: exact rounding, no locale, no sign on nan.
std::string number_text(double value, std::chars_format format, int precision) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[512];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, format, precision).ptr;
  return {buffer, end};
}

std::string padded(std::string text, size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

// How every element of one tensor is written, or every real or imaginary part.
struct FloatStyle {
  bool whole = true, scientific = false;
  size_t width = 1;
  int precision = 4;

  FloatStyle(const std::vector<double>& values, const bp_print_options& options)
      : precision(options.precision) {
    const auto counts = [](double v) { return std::isfinite(v) && v != 0; };
    double low = INFINITY, high = 0;
    for (double v : values) {
      if (!counts(v)) continue;
      low = std::min(low, std::fabs(v));
      high = std::max(high, std::fabs(v));
      whole = whole && v == std::ceil(v);
    }
    if (high > 0) {
      scientific = high / low > 1000 || high > 1e8 || (!whole && low < 1e-4);
      for (double v : values)
        if (counts(v)) width = std::max(width, plain(v).size());
      // The width stays that of the automatic choice, as in PyTorch.
      if (options.sci_mode >= 0) scientific = options.sci_mode == 1;
    }
  }

  std::string plain(double v) const {
    if (scientific) return number_text(v, std::chars_format::scientific, precision);
    if (!whole) return number_text(v, std::chars_format::fixed, precision);
    return number_text(v, std::chars_format::fixed, 0) + (std::isfinite(v) ? "." : "");
  }
  std::string write(double v) const { return padded(plain(v), width); }
};

struct Cells {
  std::vector<std::string> text;
  size_t width = 1;  // one element's, for the count per line; nan and inf may be wider
};

Cells whole_cells(const HostElements& e, int64_t n) {
  Cells cells;
  for (int64_t i = 0; i < n; ++i) {
    cells.text.push_back(whole_text(e.dtype, element(e, i)));
    cells.width = std::max(cells.width, cells.text.back().size());
  }
  for (std::string& text : cells.text) text = padded(std::move(text), cells.width);
  return cells;
}

Cells float_cells(const HostElements& e, int64_t n, const bp_print_options& options) {
  std::vector<double> values;
  for (int64_t i = 0; i < n; ++i) values.push_back(element(e, i).as.f64);
  const FloatStyle style(values, options);
  Cells cells{{}, style.width};
  for (double v : values) cells.text.push_back(style.write(v));
  return cells;
}

Cells complex_cells(const HostElements& e, int64_t n, const bp_print_options& options) {
  std::vector<double> real, imaginary;
  for (int64_t i = 0; i < n; ++i) {
    const bp_value v = element(e, i);
    real.push_back(v.as.c128[0]);
    imaginary.push_back(v.as.c128[1]);
  }
  const FloatStyle left(real, options), right(imaginary, options);
  Cells cells{{}, left.width + right.width + 1};
  for (size_t i = 0; i < real.size(); ++i) {
    std::string part = right.write(imaginary[i]);
    part.erase(0, part.find_first_not_of(' '));
    cells.text.push_back(left.write(real[i]) + (part[0] == '-' ? "" : "+") + part + "j");
  }
  return cells;
}

Cells make_cells(const HostElements& e, const bp_print_options& options) {
  const int64_t n = numel(e.shown);
  if (is_complex(e.dtype)) return complex_cells(e, n, options);
  if (is_floating(e.dtype)) return float_cells(e, n, options);
  return whole_cells(e, n);
}

std::string join(const std::vector<std::string>& parts, size_t first, size_t last,
                 const std::string& separator) {
  std::string out;
  for (size_t i = first; i < last; ++i) out += (i > first ? separator : "") + parts[i];
  return out;
}

// Puts brackets and lines around the cells, dimension by dimension.
struct Page {
  const HostElements& e;
  const bp_print_options& options;
  const Cells& cells;

  bool abridged(size_t dim) const { return e.shown[dim] != e.shape[dim]; }

  std::string line_group(int64_t at, size_t dim, size_t indent) const {
    std::vector<std::string> parts;
    for (int64_t i = 0; i < e.shown[dim]; ++i) {
      if (abridged(dim) && i == e.shown[dim] / 2) parts.emplace_back(" ...");
      parts.push_back(cells.text[static_cast<size_t>(at + i)]);
    }
    if (abridged(dim) && parts.empty()) parts.emplace_back(" ...");
    const int64_t room = options.line_width - static_cast<int64_t>(indent);
    const auto per_line =
        static_cast<size_t>(std::max<int64_t>(1, room / static_cast<int64_t>(cells.width + 2)));
    std::vector<std::string> lines;
    for (size_t i = 0; i < parts.size(); i += per_line)
      lines.push_back(join(parts, i, std::min(i + per_line, parts.size()), ", "));
    return "[" + join(lines, 0, lines.size(), ",\n" + std::string(indent + 1, ' ')) + "]";
  }

  std::string block(int64_t at, size_t dim, size_t indent) const {
    const size_t rank = e.shape.size();
    if (rank == 0) return cells.text[0];
    if (dim + 1 == rank) return line_group(at, dim, indent);
    const int64_t step = numel(e.shown.subspan(dim + 1));
    std::vector<std::string> parts;
    for (int64_t i = 0; i < e.shown[dim]; ++i) {
      if (abridged(dim) && i == e.shown[dim] / 2) parts.emplace_back("...");
      parts.push_back(block(at + i * step, dim + 1, indent + 1));
    }
    if (abridged(dim) && parts.empty()) parts.emplace_back("...");
    const std::string separator =
        "," + std::string(rank - dim - 1, '\n') + std::string(indent + 1, ' ');
    return "[" + join(parts, 0, parts.size(), separator) + "]";
  }
};

std::vector<std::string> suffixes(const HostElements& e, bool empty) {
  std::vector<std::string> out;
  if (!e.device.empty()) out.push_back("device='" + e.device + "'");
  if (empty && e.shape.size() != 1) {
    std::string size = format_shape(e.shape);
    size.front() = '(';
    size.back() = ')';
    out.push_back("size=" + size);
  }
  // An empty tensor has no element that would tell i64 and bool apart.
  const bool usual =
      e.dtype == default_dtype() ||
      (!empty && (e.dtype == default_complex_dtype() || e.dtype == BP_I64 || e.dtype == BP_BOOL));
  if (!usual) out.push_back(fmt::format("dtype=torch.{}", dtype_name(e.dtype)));
  if (!e.grad.empty()) out.push_back(e.grad);
  return out;
}

std::string with_suffixes(std::string text, const std::vector<std::string>& suffixes,
                          int32_t line_width) {
  const size_t newline = text.rfind('\n');
  size_t column = newline == std::string::npos ? text.size() + 2 : text.size() - newline + 1;
  for (const std::string& suffix : suffixes) {
    if (static_cast<int64_t>(column + suffix.size() + 2) > line_width) {
      text += ",\n" + std::string(kPrefix.size(), ' ') + suffix;
      column = kPrefix.size() + suffix.size();
    } else {
      text += ", " + suffix;
      column += suffix.size() + 2;
    }
  }
  return text + ")";
}

}  // namespace

bp_print_options default_print_options() {
  return {sizeof(bp_print_options), 4, 1000, 3, 80, -1, 0};
}

bp_print_options checked_print_options(const bp_print_options* given) {
  if (!given) return default_print_options();
  const bp_print_options o = get_struct(given, "options");
  const auto check = [](const char* name, int64_t value, int64_t low, int64_t high) {
    if (value < low || value > high)
      fail(BP_INVALID_ARGUMENT, "options.{} is {}, expected {} to {}", name, value, low, high);
  };
  check("precision", o.precision, 0, 64);
  check("threshold", o.threshold, 0, INT64_MAX);
  check("edge_items", o.edge_items, 0, 1 << 20);
  check("line_width", o.line_width, 1, 1 << 20);
  check("sci_mode", o.sci_mode, -1, 1);
  check("reserved", o.reserved, 0, 0);
  return o;
}

Dims shown_shape(Span shape, const bp_print_options& options) {
  Dims shown(shape);
  if (numel(shape) <= options.threshold) return shown;
  for (int64_t& size : shown) size = std::min<int64_t>(size, 2 * int64_t{options.edge_items});
  return shown;
}

std::string format_host(const HostElements& elements, const bp_print_options& options) {
  const bool empty = numel(elements.shape) == 0;
  std::string text(kPrefix);
  if (empty) {
    text += "[]";
  } else {
    const Cells cells = make_cells(elements, options);
    text += Page{elements, options, cells}.block(0, 0, kPrefix.size());
  }
  return with_suffixes(std::move(text), suffixes(elements, empty), options.line_width);
}

}  // namespace bp
