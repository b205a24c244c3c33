/* c_plugin_foreign.h: extension "bp.foreign/1" of a backend: memory of its devices that other
 * libraries of the process allocated, and work that they queued (DLPack). A plugin that has it
 * includes this page beside c_plugin.h, whose conventions hold, and answers the id in its
 * `extension`. Without it the host takes over no memory of these devices, and reuses what it had
 * handed out without waiting for whoever had it.
 *
 *   static const bp_foreign_api kForeign = {sizeof(bp_foreign_api), 0, owns, sync};
 *   static const void *extension(bp_plugin *p, const char *id) {
 *     return strcmp(id, BP_FOREIGN_ID) == 0 ? &kForeign : NULL;
 *   }
 *
 * Threads: any, as long as the device is open. No slot is optional. */
#ifndef BACKPLANE_C_PLUGIN_FOREIGN_H
#define BACKPLANE_C_PLUGIN_FOREIGN_H

#include "c_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BP_FOREIGN_ID "bp.foreign/1"

typedef struct bp_foreign_api {
  uint32_t struct_size, reserved;
  /* 1: bytes > 0 from p on are memory of the device's, whoever allocated it, that its kernels read
   * and write. Reads nothing. */
  uint32_t (*owns)(bp_pdev *d, const void *p, uint64_t bytes);
  /* Waits for everything that was queued on the device in any stream, those of other libraries
   * included. */
  bp_status (*sync)(bp_pdev *d, bp_error **err);
} bp_foreign_api;

#ifdef __cplusplus
}
#endif
#endif
