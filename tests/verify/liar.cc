// SPDX-License-Identifier: Apache-2.0
// liar.cc: a plugin over another one's file (BASE), which it hands everything on to but for one lie
// (LIE). It is built once per lie, as libbackplane_<lie>.so.
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "kit/plugin_over.h"

namespace {

enum Lie {
  honest,
  wrong_sum,              // the last element of a sum is off by one unit in the last place
  wrong_strides,          // a transposed matrix is copied as if it were not
  leaks_a_block,          // every fiftieth block stays
  another_streams_event,  // an event tells of the one that was recorded last
  throws,                 // where a status should be returned
  crashes,                // at a wait between streams
  never_done              // a stream says for ever that it is at work
};
constexpr Lie kLie = LIE;
#define TEXT(x) #x
#define NAME(x) TEXT(x)

bp_plugin_api base;  // the other plugin's table
std::atomic<unsigned> n_frees{0};
std::atomic<bp_pevent*> last{nullptr};

bp_status (*honest_add)(const bp_launch* launch, bp_error** err);
bp_status (*honest_copy)(const bp_launch* launch, bp_error** err);

bp_status add(const bp_launch* launch, bp_error** err) {
  const bp_status status = honest_add(launch, err);
  const bp_arg& out = launch->args[2];
  int64_t n = 1;
  for (int32_t d = 0; d < out.rank; ++d) n *= out.shape[d];
  if (out.dtype != BP_F32 || n == 0) return status;
  float& end = static_cast<float*>(out.data)[n - 1];
  end = std::nextafter(end, INFINITY);
  return status;
}

bp_status copy(const bp_launch* launch, bp_error** err) {
  bp_arg args[] = {launch->args[0], launch->args[1]};
  bp_arg& in = args[0];
  const int64_t straight[] = {in.rank == 2 ? in.shape[1] : 1, 1};
  const bool transposed = in.rank == 2 && in.strides[0] == 1 && in.strides[1] == in.shape[0];
  if (transposed) in.strides = straight;
  bp_launch told = *launch;
  told.args = args;
  return honest_copy(&told, err);
}

bp_status kernels(bp_plugin* p, const bp_kernel** records, uint32_t* count, bp_error** err) {
  static std::vector<bp_kernel> told;
  const bp_status status = base.kernels(p, records, count, err);
  if (status != BP_OK) return status;
  told.assign(*records, *records + *count);
  for (bp_kernel& k : told) {
    if (kLie == wrong_sum && k.op == BP_OP_ADD) honest_add = k.run, k.run = add;
    if (kLie == wrong_strides && k.op == BP_OP_COPY) honest_copy = k.run, k.run = copy;
  }
  *records = told.data();
  return BP_OK;
}

void mem_free(bp_pdev* d, void* block, uint64_t bytes) {
  if (++n_frees % 50 != 0) base.mem_free(d, block, bytes);
}

bp_status mem_alloc(bp_pdev* d, uint64_t bytes, void** out, bp_error** err) {
  if (bytes >> 40) throw std::runtime_error("there is no block that large");
  return base.mem_alloc(d, bytes, out, err);
}

bp_status event_record(bp_pevent* e, bp_pstream* s, bp_error** err) {
  last = e;
  return base.event_record(e, s, err);
}
bp_status event_query(bp_pevent* e, bp_error** err) {
  bp_pevent* other = last;
  return base.event_query(other ? other : e, err);
}
void event_close(bp_pevent* e) {
  bp_pevent* mine = e;
  last.compare_exchange_strong(mine, nullptr);
  base.event_close(e);
}

bp_status stream_wait(bp_pstream*, bp_pevent*, bp_error**) {
  *static_cast<volatile int*>(nullptr) = 1;
  return BP_OK;
}
bp_status stream_query(bp_pstream*, bp_error**) { return BP_NOT_READY; }

bp_status open_plugin(const bp_host* host, bp_plugin** out, const bp_plugin_api** api,
                      bp_error** err) {
  static bp_plugin_api told;
  bp_plugin_info info{};
  info.struct_size = sizeof info;
  bp_test::base_query()(BP_PLUGIN_ABI_MIN, BP_PLUGIN_ABI_MAX, &info);
  const bp_plugin_api* table = nullptr;
  const bp_status status = info.open(host, out, &table, err);
  if (status != BP_OK) return status;
  base = told = *table;
  told.kernels = kernels;
  if (kLie == leaks_a_block) told.mem_free = mem_free;
  if (kLie == throws) told.mem_alloc = mem_alloc;
  if (kLie == another_streams_event) {
    told.event_record = event_record;
    told.event_query = event_query;
    told.event_close = event_close;
  }
  if (kLie == crashes) told.stream_wait = stream_wait;
  if (kLie == never_done) told.stream_query = stream_query;
  *api = &told;
  return BP_OK;
}

}  // namespace

extern "C" BP_PLUGIN_EXPORT bp_status bp_plugin_query(uint32_t host_abi_min, uint32_t host_abi_max,
                                                      bp_plugin_info* info) {
  const bp_status status = bp_test::base_query()(host_abi_min, host_abi_max, info);
  info->kind = NAME(LIE);
  info->open = open_plugin;
  return status;
}
