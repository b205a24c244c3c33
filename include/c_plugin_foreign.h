/* SPDX-License-Identifier: Apache-2.0 */
/* c_plugin_foreign.h: extension "bp.foreign/1" of a backend: memory of its devices that other
 * libraries of the process allocated, and work that they queued (DLPack). The conventions of
 * c_plugin.h hold. Without the extension, the host takes over no memory of these devices, and
 * reuses memory that it had handed out without waiting for the work of whoever had it. A plugin
 * that has it answers in its `extension`:
 *
 *   static const void *extension_of(bp_plugin *p, const char *id) {
 *     static const bp_foreign_api foreign = {sizeof(bp_foreign_api), 0, owns, sync};
 *     return strcmp(id, BP_FOREIGN_ID) == 0 ? &foreign : NULL;
 *   }
 *
 * Both slots are called from any thread, as long as the device is open. None is optional. */
#ifndef BACKPLANE_C_PLUGIN_FOREIGN_H
#define BACKPLANE_C_PLUGIN_FOREIGN_H

#include "c_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BP_FOREIGN_ID "bp.foreign/1"

typedef struct bp_foreign_api {
  uint32_t struct_size, reserved;
  /* 1 when bytes > 0 from p on are memory of the device, whoever allocated it, that its kernels can
   * read and write. The memory itself is not read. */
  uint32_t (*owns)(bp_pdev *d, const void *p, uint64_t bytes);
  /* Waits for everything that was queued on the device in any stream, also in those of other
   * libraries. */
  bp_status (*sync)(bp_pdev *d, bp_error **err);
} bp_foreign_api;

#ifdef __cplusplus
}
#endif
#endif
