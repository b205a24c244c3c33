// SPDX-License-Identifier: Apache-2.0
// backplane ops: a matrix of ops and dtypes for each backend.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"

namespace cli {
namespace {

namespace bp = backplane;
using nlohmann::json;

#define BP_BRIEF(name, value, text, brief, title, bytes, kind) brief,
constexpr const char* kDtypes[] = {BP_DTYPES(BP_BRIEF)};
#undef BP_BRIEF

struct Op {
  std::uint32_t id;
  bp_op_info info;
};

std::vector<Op> matching(const std::vector<std::string>& words) {
  std::vector<Op> out;
  for (std::uint32_t i = 0, n = bp_op_count(); i < n; ++i) {
    Op op{};
    op.info.struct_size = sizeof op.info;
    bp::detail::call([&](bp_error** e) { return bp_op_at(i, &op.id, e); });
    bp::detail::call([&](bp_error** e) { return bp_op_get_info(op.id, &op.info, e); });
    bool wanted = words.empty();
    for (const std::string& word : words)
      wanted = wanted || std::string(op.info.name).find(word) != std::string::npos;
    if (wanted) out.push_back(op);
  }
  return out;
}

std::vector<std::string> op_names() {
  std::vector<std::string> names;
  for (const Op& op : matching({})) names.emplace_back(op.info.name);
  return names;
}

bool supported(std::uint32_t op, bp_dtype dtype, bp_kind kind) {
  std::uint32_t yes = 0;
  bp::detail::call([&](bp_error** e) { return bp_op_supported(op, dtype, kind, &yes, e); });
  return yes != 0;
}

bool is_composed(const Op& op) { return (op.info.flags & BP_OP_FLAG_COMPOSED) != 0; }

json op_json(const Op& op, const std::vector<bp_kind>& kinds) {
  json backends = json::object();
  for (bp_kind kind : kinds) {
    json dtypes = json::array();
    for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t)
      if (supported(op.id, t, kind)) dtypes.push_back(kDtypes[t]);
    backends[bp_kind_name(kind)] = dtypes;
  }
  return {{"id", op.id},
          {"name", op.info.name},
          {"doc", op.info.doc},
          {"composed", is_composed(op)},
          {"primitive", (op.info.flags & BP_OP_FLAG_PRIMITIVE) != 0},
          {"backends", backends}};
}

void print_matrix(bp_kind kind, const std::vector<Op>& list) {
  std::vector<std::vector<std::string>> rows{{bp_kind_name(kind)}};
  for (const char* dtype : kDtypes) rows[0].emplace_back(dtype);
  std::size_t lacking = 0;
  for (const Op& op : list) {
    std::vector<std::string> row{std::string(op.info.name) + (is_composed(op) ? "*" : "")};
    bool any = false;
    for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t) {
      const bool yes = supported(op.id, t, kind);
      any = any || yes;
      row.emplace_back(yes ? "x" : ".");
    }
    if (any)
      rows.push_back(row);
    else
      ++lacking;
  }
  if (rows.size() > 1)
    fmt::print("{}", columns(rows));
  else
    fmt::print("{}\n", rows[0][0]);
  if (lacking) fmt::print("{} of {} ops are not there for any dtype\n", lacking, list.size());
  fmt::print("\n");
}

std::vector<bp_kind> usable_kinds(const std::vector<std::string>& names) {
  std::vector<bp_kind> out;
  if (names.empty()) {
    for (bp_kind kind : bp::kinds())
      if (bp::device_count(kind) > 0) out.push_back(kind);
    return out;
  }
  for (const std::string& name : names) {
    const bp_kind kind = bp::Device(name).kind();
    std::int32_t n = 0;
    bp::detail::call([&](bp_error** e) { return bp_kind_require(kind, &n, e); });
    out.push_back(kind);
  }
  return out;
}

int run(const std::vector<std::string>& words, const std::vector<std::string>& names,
        bool as_json) {
  const std::vector<Op> list = matching(words);
  if (list.empty())
    throw BadInput(fmt::format("no op has {} in its name{}", fmt::join(words, " or "),
                               did_you_mean(words.front(), op_names())));
  const std::vector<bp_kind> kinds = usable_kinds(names);
  if (as_json) {
    json page{{"version", bp_version()}, {"ops", json::array()}};
    for (const Op& op : list) page["ops"].push_back(op_json(op, kinds));
    fmt::print("{}\n", page.dump(2));
    return 0;
  }
  for (bp_kind kind : kinds) print_matrix(kind, list);
  fmt::print("x: the backend has it for operands of that dtype.  *: composed of other ops.\n");
  return 0;
}

}  // namespace

Run ops(CLI::App& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  auto kinds = std::make_shared<std::vector<std::string>>();
  auto as_json = std::make_shared<bool>(false);
  app.add_option("name", *words, "Only ops with one of these in their name");
  app.add_option("--kind", *kinds,
                 "Only this backend; may be given several times (default: all that can be used)")
      ->take_all();
  app.add_flag("--json", *as_json, "Print JSON: version, ops with their dtypes for each backend");
  app.footer(
      "dtypes: b bool, u unsigned, i signed, f float, bf bfloat, c complex; the number is the size "
      "in bits.");
  return [=] { return run(*words, *kinds, *as_json); };
}

}  // namespace cli
