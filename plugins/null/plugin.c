/* SPDX-License-Identifier: Apache-2.0 */
/* plugin.c: the handshake. Options: null.device_count (1), null.uuids ("A,B": default
 * "NULL-<index>..."). */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "null.h"

enum { MOST_DEVICES = 64 };

bp_status null_fail(const bp_host* host, bp_error** err, bp_status code, const char* text) {
  return host->fail(host->self, err, code, text, strlen(text));
}

static bp_status probe(bp_plugin* p, uint32_t* n_devices, bp_error** err) {
  const char* text = p->host->option(p->host->self, "device_count");
  long n = 1;
  if (text) {
    char* end;
    n = strtol(text, &end, 10);
    if (end == text || *end || n < 0 || n > MOST_DEVICES)
      return null_fail(p->host, err, BP_INVALID_ARGUMENT,
                       "device_count must be a number from 0 to 64");
  }
  p->n_devices = (uint32_t)n;
  *n_devices = p->n_devices;
  return BP_OK;
}

/* The index-th entry of a comma-separated list, or "" beyond its end. */
static void list_entry(const char* list, uint32_t index, char* out, size_t size) {
  size_t n;
  while (index--) {
    list = strchr(list, ',');
    if (!list) return;
    ++list;
  }
  n = strcspn(list, ",");
  if (n >= size) n = size - 1;
  memcpy(out, list, n);
  out[n] = 0;
}

static bp_status device_props(bp_plugin* p, uint32_t physical, bp_device_props* out,
                              bp_error** err) {
  const char* uuids = p->host->option(p->host->self, "uuids");
  if (physical >= p->n_devices)
    return null_fail(p->host, err, BP_INDEX_OUT_OF_RANGE, "there is no such device");
  memset(out, 0, sizeof *out);
  out->struct_size = sizeof *out;
  out->flags = BP_PROP_SIMULATED; /* nobody has this in a slot of the machine */
  out->memory_bytes = NULL_MEMORY_BYTES;
  out->n_units = 1;
  strcpy(out->name, "Null device");
  strcpy(out->driver, "none");
  snprintf(out->pci, sizeof out->pci, "0000:%02x:00.0", (unsigned)physical);
  if (uuids)
    list_entry(uuids, physical, out->uuid, sizeof out->uuid);
  else
    snprintf(out->uuid, sizeof out->uuid, "NULL-%08x-0000-4000-8000-000000000000",
             (unsigned)physical);
  return BP_OK;
}

static void close_plugin(bp_plugin* p) { p->host->free(p->host->self, p); }

static bp_status open_plugin(const bp_host* host, bp_plugin** out, const bp_plugin_api** api,
                             bp_error** err) {
  static bp_plugin_api table; /* the same for every instance: filling it twice does no harm */
  bp_plugin* p = host->alloc(host->self, sizeof *p, 16);
  if (!p) return null_fail(host, err, BP_OUT_OF_HOST_MEMORY, "no memory for the plugin");
  p->host = host;
  p->n_devices = 0;
  table.struct_size = sizeof table;
  table.abi = BP_PLUGIN_ABI_MAX;
  table.close = close_plugin;
  table.probe = probe;
  table.device_props = device_props;
  table.kernels = null_kernels;
  null_fill_device_slots(&table);
  *out = p;
  *api = &table;
  return BP_OK;
}

BP_PLUGIN_EXPORT bp_status bp_plugin_query(uint32_t host_abi_min, uint32_t host_abi_max,
                                           bp_plugin_info* info) {
  /* The host gives the struct zeroed. Fields that a later header adds lie beyond the struct_size of
   * a host that does not know them; those below are always there. */
  info->abi_min = BP_PLUGIN_ABI_MIN;
  info->abi_max = BP_PLUGIN_ABI_MAX;
  if (host_abi_max < info->abi_min || host_abi_min > info->abi_max) {
    info->reason = "the plugin and the library speak no common ABI";
    return BP_INCOMPATIBLE;
  }
  info->abi_chosen = host_abi_max < info->abi_max ? host_abi_max : info->abi_max;
  info->api_size = sizeof(bp_plugin_api);
  info->kernel_size = sizeof(bp_kernel);
  info->launch_size = sizeof(bp_launch);
  info->host_size = sizeof(bp_host);
  info->kind = "null";
  info->version = "0.1.0";
  info->build = "C";
  info->open = open_plugin;
  return BP_OK;
}
