/* SPDX-License-Identifier: Apache-2.0 */
/* The names that the examples of include/c_*.h use. */
#include <stdio.h>
#include <string.h>

#include "c_api.h"
#include "c_collective.h"
#include "c_plugin.h"
#include "c_plugin_foreign.h"
#include "c_plugin_fuse.h"
#include "c_plugin_group.h"
#include "c_plugin_wide.h"

/* usual */
extern bp_tensor *t, *x, *w;
extern bp_error *err;
extern bp_device device;
extern bp_status status;

/* c_dlpack.h */
extern void *their_tensor;
extern struct DLManagedTensorVersioned *theirs;
void *their_library_takes(struct DLManagedTensorVersioned *m);

/* c_optim.h, c_parallel.h, c_train.h, c_trainer.h */
extern bp_tensor *params[4], *all[8], *parts[2], *losses[2], *images, *labels, *loss;
extern uint32_t n, n_devices;
extern const bp_device *devices;
extern bp_replicas *r;
extern bp_optimizer *each, *adam;
extern bp_dataset *data;
extern bp_loader *loader;
extern bp_module *net, *cross_entropy;
extern bp_trainer *trainer;

/* c_program.h */
extern bp_tensor *x2;

/* c_collective.h, c_plugin_foreign.h, c_plugin_fuse.h: the plugin's own functions */
bp_status run(const bp_fused *group, bp_error **err);
bp_status make(const bp_fused *group, uint32_t *together, bp_fused_code **out, bp_error **err);
void drop(bp_fused_code *code);
bp_status open(bp_pdev *const *devices, uint32_t n, bp_pcommunicator **out, bp_error **err);
void close(bp_pcommunicator *c);
void abort(bp_pcommunicator *c);
const char *name(bp_pcommunicator *c);
uint64_t dtypes(bp_pcommunicator *c, int32_t operation);
bp_status all_reduce(bp_pcommunicator *c, int32_t operation, bp_dtype dtype, uint64_t count,
                     void *const *data, bp_pstream *const *streams, bp_error **err);
bp_status check(bp_pcommunicator *c, bp_error **err);
uint32_t owns(bp_pdev *d, const void *p, uint64_t bytes);
bp_status sync(bp_pdev *d, bp_error **err);

/* c_plugin_wide.h */
bp_status wide_library(bp_pdev *d, const char **name, bp_error **err);
bp_status wide_id(bp_pdev *d, bp_wide_id *out, bp_error **err);
bp_status wide_open(bp_pdev *d, const bp_wide_id *id, uint32_t rank, uint32_t n_members,
                    bp_pwide **out, bp_error **err);
bp_status wide_ready(bp_pwide *w, bp_error **err);
uint64_t wide_dtypes(bp_pwide *w, int32_t operation);
bp_status wide_exchange(bp_pwide *w, const bp_exchange *what, bp_pstream *s, bp_error **err);
bp_status wide_check(bp_pwide *w, bp_error **err);
void wide_abort(bp_pwide *w);
void wide_close(bp_pwide *w);

/* c_plugin_group.h */
bp_status join(bp_plugin *p, const void *native, bp_pgroup **out, bp_error **err);
bp_status split(bp_pgroup *g, int32_t color, int32_t key, bp_pgroup **out, bp_error **err);
bp_status ready(bp_pgroup *g, bp_error **err);
void leave(bp_pgroup *g, uint32_t broken);
void about(bp_pgroup *g, uint32_t *rank, uint32_t *n_members);
uint64_t reductions(bp_pgroup *g, int32_t operation);
bp_status begin(bp_pgroup *g, const bp_exchange *what, bp_pexchange **out, bp_error **err);
bp_status test(bp_pexchange *x, bp_error **err);
void give_up(bp_pexchange *x);
const void *native(bp_pgroup *g);
