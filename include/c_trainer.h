/* c_trainer.h: the training loop: a model, an optimiser, a loss and a loader, gone over epoch by
 * epoch. C99; included by c_api.h, whose conventions hold.
 *
 * Nobody waits for a device within an epoch; figures are fetched at its end. A trainer's state, and
 * so a checkpoint, is everything that what follows depends on: the model, optimiser, schedule, the
 * loader's place, the generators of the devices and of the CPU. A trainer made alike that loads it
 * goes on as if nothing had happened, on the same CPU bit for bit.
 *
 *   bp_trainer_desc what = {sizeof what, BP_TRAINER_ACCURACY, 1};
 *   bp_fit_desc how = {sizeof how, 0, 10, 0, "run.safetensors"};
 *   what.modules = &net, what.optimizers = &adam, what.loss = cross_entropy, what.loader = loader;
 *   if (bp_trainer_create(&what, &trainer, &err) == BP_OK)
 *     status = bp_trainer_fit(trainer, &how, &err);
 */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_TRAINER_H
#define BACKPLANE_C_TRAINER_H

#ifdef __cplusplus
extern "C" {
#endif

enum {
  BP_TRAINING_STOPPED = 4 /* a bp_status: not an error; what callbacks return to stop, and
                             bp_trainer_fit when it was stopped */
};
typedef struct bp_trainer bp_trainer;
typedef struct bp_train_figures {
  uint32_t struct_size, reserved;
  uint64_t epoch;            /* from 0 */
  uint64_t batch, n_batches; /* finished in this epoch, of how many */
  bp_tensor *loss; /* of on_batch: the batch's (of several devices, of the first one's part), 0-dim,
                      borrowed, on the device: reading it waits. Else NULL */
  double train_loss, train_accuracy, val_loss,
      val_accuracy; /* of on_epoch; NaN where there is none. After a resume within
                       an epoch, train_* are of the batches since */
} bp_train_figures;
enum {
  BP_TRAINER_ACCURACY = 1u /* the model's result has a score for each class, the batch's last tensor
                              the right class */
};
typedef struct bp_trainer_desc {
  uint32_t struct_size, flags;
  uint32_t n_devices; /* 1, or several: then modules, optimizers and schedules are equal, one for
                         each of these devices of a kind, each batch is cut into that many parts,
                         and gradients are averaged (c_parallel.h) */
  uint32_t reserved;
  bp_module *const *modules;
  bp_optimizer *const *optimizers;
  bp_schedule *const *schedules; /* may be NULL; a step at each epoch's end */
  bp_module *loss; /* mean over the batch, of the module's result and the batch's last tensor; the
                      module is given the tensors before it. NULL: compute_loss */
  bp_loader *loader;
  bp_loader *val_loader; /* may be NULL */
  /* *loss, 0-dim, a mean over the batch; *output (may stay NULL): for the accuracy. Owned. */
  bp_status (*compute_loss)(void *user, bp_module *m, bp_tensor *const *batch, uint32_t n,
                            bp_tensor **loss, bp_tensor **output, bp_error **err);
  /* May put an owned tensor in place of batch[i], which it then releases. training 0: a validation
   * batch. */
  bp_status (*prepare_batch)(void *user, uint32_t training, bp_tensor **batch, uint32_t n,
                             bp_error **err);
  /* After each step, and after each epoch. BP_TRAINING_STOPPED stops the run. */
  bp_status (*on_batch)(void *user, const bp_train_figures *figures, bp_error **err);
  bp_status (*on_epoch)(void *user, const bp_train_figures *figures, bp_error **err);
  void *user;
  void (*destroy)(void *user); /* with the trainer; may be NULL; never when creation fails */
} bp_trainer_desc;
/* Everything is retained. Callbacks may be NULL; they run on the thread of fit, and must not
 * unwind. */
BP_API bp_status bp_trainer_create(const bp_trainer_desc *desc, bp_trainer **out, bp_error **err);
BP_API bp_trainer *bp_trainer_retain(bp_trainer *t);
BP_API void bp_trainer_release(bp_trainer *t);
typedef struct bp_fit_desc {
  uint32_t struct_size, reserved;
  /* finished in all, those of earlier runs and of what was loaded included */
  uint64_t max_epochs;
  double gradient_clip_val; /* the norm of all gradients together is at most that; 0: no clipping */
  /* a safetensors file, written after each epoch and when the run is stopped; NULL: none */
  const char *checkpoint;
} bp_fit_desc;
/* BP_OK: all epochs are done. BP_TRAINING_STOPPED: somebody wished so. An error of a callback's is
 * this call's. Modules are in training mode while they learn, and afterwards as they were.
 * BP_BAD_STATE: it is running already. */
BP_API bp_status bp_trainer_fit(bp_trainer *t, const bp_fit_desc *desc, bp_error **err);
/* The run ends after the batch in work; without a run, the next one ends before its first batch.
 * Any thread; also a signal handler. */
BP_API void bp_trainer_stop(bp_trainer *t);
BP_API uint64_t bp_trainer_epoch(const bp_trainer *t); /* finished ones; 0 for NULL */
/* One epoch of loader, without learning, on the first device. Either may be NULL. */
BP_API bp_status bp_trainer_evaluate(bp_trainer *t, bp_loader *loader, double *loss,
                                     double *accuracy, bp_error **err);
/* Tensors "model.<name>", "optimizer.<name>" (shared, not copied), and metadata "trainer.<what>",
 * "optimizer.<what>", "schedule.<what>". Loading ignores what else is there, so that a program may
 * add its own. When it fails, a part may have been loaded. */
BP_API bp_status bp_trainer_state_dict(bp_trainer *t, bp_dict **out, bp_error **err);
BP_API bp_status bp_trainer_load_state_dict(bp_trainer *t, bp_dict *state, bp_error **err);

#ifdef __cplusplus
}
#endif
#endif
