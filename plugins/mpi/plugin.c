/* SPDX-License-Identifier: Apache-2.0 */
/* plugin.c: the plugin says hello, and what went wrong. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mpi_plugin.h"

bp_status mpi_fail(const bp_host *host, bp_error **err, bp_status code, const char *format, ...) {
  char text[512];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return host->fail(host->self, err, code, text, strlen(text));
}

bp_status mpi_check(const bp_host *host, bp_error **err, int error, const char *what) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0, class = MPI_ERR_OTHER;
  if (error == MPI_SUCCESS) return BP_OK;
  if (MPI_Error_string(error, text, &length) != MPI_SUCCESS) length = 0;
  text[length] = 0;
  MPI_Error_class(error, &class);
  return mpi_fail(
      host, err, BP_UNAVAILABLE, "%s failed: %s%s", what, length ? text : "MPI does not say why",
      class == MPI_ERR_TRUNCATE
          ? "; the members' calls are not of one size, and BACKPLANE_CHECK_GROUPS=1 says whose"
          : "");
}

static bp_status probe(bp_plugin *p, uint32_t *n_devices, bp_error **err) {
  (void)p;
  (void)err;
  *n_devices = 0;
  return BP_OK;
}

static const void *extension(bp_plugin *p, const char *id) {
  static const bp_group_api group = {
      sizeof(bp_group_api), 0,         mpi_join, mpi_split, mpi_ready, mpi_leave, mpi_about,
      mpi_dtypes,           mpi_begin, mpi_test, mpi_drop,  mpi_native};
  (void)p;
  return strcmp(id, BP_GROUP_ID) == 0 ? &group : NULL;
}

static void close_plugin(bp_plugin *p) { p->host->free(p->host->self, p); }

static bp_status open_plugin(const bp_host *host, bp_plugin **out, const bp_plugin_api **api,
                             bp_error **err) {
  static bp_plugin_api table; /* the same for every instance: filling it twice does no harm */
  bp_plugin *p = host->alloc(host->self, sizeof *p, 16);
  if (!p) return mpi_fail(host, err, BP_OUT_OF_HOST_MEMORY, "no memory for the plugin");
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
  info->kind = "mpi";
  info->version = "0.1.0";
  info->build = "C";
  info->open = open_plugin;
  return BP_OK;
}
