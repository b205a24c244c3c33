// SPDX-License-Identifier: Apache-2.0
// filter.cc: a plugin over another one's file (BASE), of the same kind, that tells of few of its
// kernels. FEW_KERNELS has the names of their ops, "add,mul". Without it they are those of the
// primitive rows, for the dtypes that a backend needs: f32, i64 and bool; copy and fill for all.
// With FEW_F64 they are there for f64 too, in which the modules' numbers are.
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "c_api.h"
#include "kit/plugin_over.h"

namespace {

constexpr uint64_t kAll = ~uint64_t{0};
constexpr uint64_t kNeeded = uint64_t{1} << BP_F32 | uint64_t{1} << BP_I64 | uint64_t{1} << BP_BOOL;

bp_plugin_info base_info{};
bp_plugin_api base_api{};

bool is_primitive(uint32_t op) {
  bp_op_info info{};
  info.struct_size = sizeof info;
  return bp_op_get_info(op, &info, nullptr) == BP_OK && (info.flags & BP_OP_FLAG_PRIMITIVE);
}

// The dtypes for which the kernels of an op are told of.
uint64_t told_dtypes(uint32_t op) {
  if (const char* names = std::getenv("FEW_KERNELS")) {
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, ',');) {
      uint32_t id = 0;
      if (bp_op_find(name.c_str(), &id, nullptr) == BP_OK && id == op) return kAll;
    }
    return 0;
  }
  if (!is_primitive(op)) return 0;
  const uint64_t wide = std::getenv("FEW_F64") ? uint64_t{1} << BP_F64 : 0;
  return op == BP_OP_COPY || op == BP_OP_FILL ? kAll : kNeeded | wide;
}

bp_status kernels(bp_plugin* p, const bp_kernel** records, uint32_t* count, bp_error** err) {
  static std::vector<bp_kernel> told;  // as long as the process: the core may read it again
  const bp_status status = base_api.kernels(p, records, count, err);
  if (status != BP_OK) return status;
  told.clear();
  for (uint32_t i = 0; i < *count; ++i) {
    bp_kernel k = (*records)[i];
    k.dtypes &= told_dtypes(k.op);
    if (k.dtypes) told.push_back(k);
  }
  *records = told.data();
  *count = static_cast<uint32_t>(told.size());
  return BP_OK;
}

bp_status open_plugin(const bp_host* host, bp_plugin** out, const bp_plugin_api** api,
                      bp_error** err) {
  static bp_plugin_api told;
  const bp_status status = base_info.open(host, out, api, err);
  if (status != BP_OK) return status;
  told = base_api = **api;
  told.kernels = kernels;
  *api = &told;
  return BP_OK;
}

}  // namespace

extern "C" BP_PLUGIN_EXPORT bp_status bp_plugin_query(uint32_t host_abi_min, uint32_t host_abi_max,
                                                      bp_plugin_info* info) {
  const bp_status status = bp_test::base_query()(host_abi_min, host_abi_max, info);
  base_info = *info;
  info->open = open_plugin;
  return status;
}
