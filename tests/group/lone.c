/* SPDX-License-Identifier: Apache-2.0 */
/* lone.c: libbackplane_lone.so, a plugin whose groups have one member, for tests that need a group
 * and no other process. An exchange is over as soon as it is begun. */
#include <string.h>

#include "c_plugin_group.h"

struct bp_plugin {
  const bp_host *host;
};
struct bp_pgroup {
  const bp_host *host;
  uint32_t n_members;
};
struct bp_pexchange {
  const bp_host *host;
};

static bp_status no_memory(const bp_host *host, bp_error **err) {
  static const char text[] = "no memory for a group of one";
  return host->fail(host->self, err, BP_OUT_OF_HOST_MEMORY, text, sizeof text - 1);
}

static bp_status new_group(const bp_host *host, bp_pgroup **out, bp_error **err) {
  bp_pgroup *g = host->alloc(host->self, sizeof *g, 16);
  if (!g) return no_memory(host, err);
  g->host = host;
  g->n_members = 1;
  *out = g;
  return BP_OK;
}

static bp_status join(bp_plugin *p, const void *native, bp_pgroup **out, bp_error **err) {
  (void)native;
  return new_group(p->host, out, err);
}

static bp_status split(bp_pgroup *g, int32_t color, int32_t key, bp_pgroup **out, bp_error **err) {
  const bp_status status = new_group(g->host, out, err);
  (void)key;
  if (status == BP_OK) (*out)->n_members = color >= 0;
  return status;
}

static bp_status ready(bp_pgroup *g, bp_error **err) {
  (void)g, (void)err;
  return BP_OK;
}

static void leave(bp_pgroup *g, uint32_t broken) {
  (void)broken;
  g->host->free(g->host->self, g);
}

static void about(bp_pgroup *g, uint32_t *rank, uint32_t *n_members) {
  *rank = 0;
  *n_members = g->n_members;
}

static uint64_t dtypes(bp_pgroup *g, int32_t operation) {
  const uint64_t halves = 1ull << BP_F16 | 1ull << BP_BF16;
  (void)g;
  return operation >= BP_REDUCE_SUM && operation <= BP_REDUCE_MAX
             ? ((1ull << BP_DTYPE_COUNT) - 1) & ~halves
             : 0;
}

static uint64_t bytes_of(const bp_exchange *x) {
#define BYTES(name, value, text, brief, title, bytes, kind) bytes,
  static const unsigned char all[] = {BP_DTYPES(BYTES)};
#undef BYTES
  return x->count * all[x->dtype];
}

static bp_status begin(bp_pgroup *g, const bp_exchange *x, bp_pexchange **out, bp_error **err) {
  bp_pexchange *e = g->host->alloc(g->host->self, sizeof *e, 16);
  if (!e) return no_memory(g->host, err);
  e->host = g->host;
  if (x->from && x->to) memcpy(x->to, x->from, bytes_of(x));
  *out = e;
  return BP_OK;
}

static void drop(bp_pexchange *e) { e->host->free(e->host->self, e); }

static bp_status test(bp_pexchange *e, bp_error **err) {
  (void)err;
  drop(e);
  return BP_OK;
}

static const void *native(bp_pgroup *g) { return g; }

static const void *extension(bp_plugin *p, const char *id) {
  static const bp_group_api group = {
      sizeof(bp_group_api), 0, join, split, ready, leave, about, dtypes, begin, test, drop, native};
  (void)p;
  return strcmp(id, BP_GROUP_ID) == 0 ? &group : NULL;
}

static bp_status probe(bp_plugin *p, uint32_t *n_devices, bp_error **err) {
  (void)p, (void)err;
  *n_devices = 0;
  return BP_OK;
}

static void close_plugin(bp_plugin *p) { p->host->free(p->host->self, p); }

static bp_status open_plugin(const bp_host *host, bp_plugin **out, const bp_plugin_api **api,
                             bp_error **err) {
  static bp_plugin_api table;
  bp_plugin *p = host->alloc(host->self, sizeof *p, 16);
  if (!p) return no_memory(host, err);
  p->host = host;
  table.struct_size = sizeof table;
  table.abi = BP_PLUGIN_ABI_MAX;
  table.close = close_plugin;
  table.probe = probe;
  table.extension = extension;
  *out = p;
  *api = &table;
  return BP_OK;
}

BP_PLUGIN_EXPORT bp_status bp_plugin_query(uint32_t host_abi_min, uint32_t host_abi_max,
                                           bp_plugin_info *info) {
  (void)host_abi_min, (void)host_abi_max;
  info->abi_min = BP_PLUGIN_ABI_MIN;
  info->abi_max = BP_PLUGIN_ABI_MAX;
  info->abi_chosen = BP_PLUGIN_ABI_MAX;
  info->api_size = sizeof(bp_plugin_api);
  info->kernel_size = sizeof(bp_kernel);
  info->launch_size = sizeof(bp_launch);
  info->host_size = sizeof(bp_host);
  info->kind = "lone";
  info->version = "1";
  info->build = "C";
  info->open = open_plugin;
  return BP_OK;
}
