// SPDX-License-Identifier: Apache-2.0
// The reference backend's kernels are those of the primitive rows, a page for each.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "c_api.h"
#include "c_plugin.h"

namespace {

using Names = std::set<std::string>;

std::string name_of(uint32_t op) {
  bp_op_info info{};
  info.struct_size = sizeof info;
  return bp_op_get_info(op, &info, nullptr) == BP_OK ? info.name : "";
}

Names primitive_rows() {
  Names names;
  for (uint32_t i = 0; i < bp_op_count(); ++i) {
    uint32_t op = 0;
    bp_op_info info{};
    info.struct_size = sizeof info;
    if (bp_op_at(i, &op, nullptr) == BP_OK && bp_op_get_info(op, &info, nullptr) == BP_OK &&
        (info.flags & BP_OP_FLAG_PRIMITIVE))
      names.insert(info.name);
  }
  return names;
}

// The dtypes for which the plugin has kernels, by the names of ops.
std::map<std::string, uint64_t> kernels() {
  std::map<std::string, uint64_t> dtypes;
  void* file = ::dlopen(BP_REFERENCE "/libbackplane_reference.so", RTLD_NOW | RTLD_LOCAL);
  if (!file) return dtypes;
  const auto query = reinterpret_cast<bp_plugin_query_fn>(::dlsym(file, "bp_plugin_query"));
  bp_host host{};
  host.struct_size = sizeof host;
  host.alloc = [](void*, uint64_t bytes, uint64_t) { return std::malloc(bytes); };
  host.free = [](void*, void* p) { std::free(p); };
  bp_plugin_info info{};
  info.struct_size = sizeof info;
  bp_plugin* plugin = nullptr;
  const bp_plugin_api* api = nullptr;
  const bp_kernel* records = nullptr;
  uint32_t count = 0;
  EXPECT_EQ(query(BP_PLUGIN_ABI_MIN, BP_PLUGIN_ABI_MAX, &info), BP_OK);
  EXPECT_EQ(info.open(&host, &plugin, &api, nullptr), BP_OK);
  EXPECT_EQ(api->kernels(plugin, &records, &count, nullptr), BP_OK);
  for (uint32_t i = 0; i < count; ++i) dtypes[name_of(records[i].op)] |= records[i].dtypes;
  api->close(plugin);
  return dtypes;
}

TEST(Kernels, AreThoseOfThePrimitiveRows) {
  Names ops;
  for (const auto& [name, dtypes] : kernels()) ops.insert(name);
  EXPECT_EQ(ops, primitive_rows());
  EXPECT_LE(ops.size(), 50U);
}

TEST(Kernels, HaveAPageEach) {
  Names pages;
  for (const auto& file : std::filesystem::directory_iterator(BP_REFERENCE_SOURCE "/kernels"))
    pages.insert(file.path().stem());
  EXPECT_EQ(pages, primitive_rows());
}

TEST(Kernels, AreOfTheDtypesThatABackendNeedsAndOfAllWhereElementsAreMoved) {
  constexpr uint64_t kNeeded = 1U << BP_F32 | 1U << BP_I64 | 1U << BP_BOOL,
                     kAll = (1U << BP_DTYPE_COUNT) - 1;
  const Names moving{"copy", "fill", "where", "gather", "scatter"}, sources{"arange", "randint"};
  for (const auto& [name, dtypes] : kernels()) {
    const uint64_t more = name == "eig" ? 1U << BP_C64 : 0U;
    if (moving.count(name)) {
      EXPECT_EQ(dtypes, kAll) << name;
    } else if (!sources.count(name)) {
      EXPECT_EQ(dtypes & ~kNeeded & ~more, 0U) << name;
    }
  }
}

}  // namespace
