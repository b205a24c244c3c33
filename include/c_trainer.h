/* SPDX-License-Identifier: Apache-2.0 */
/* c_trainer.h: the training loop: a model, an optimiser, a loss and a loader, gone over epoch by
 * epoch. C99; included by c_api.h, whose conventions hold.
 *
 * Nobody waits for a device within an epoch; figures are fetched at its end. A trainer's state, and
 * so a checkpoint, is everything on which the rest of the run depends: the model, the optimiser,
 * the schedule, the loader's place, and the generators of the devices and of the CPU. A trainer
 * that was made alike and loads it goes on as if nothing had happened, on the same CPU bit for bit.
 *
 * With a group, several processes train one model: each makes the same calls, takes its own part of
 * the data, and all take the same steps, on gradients that are averaged over all examples of a
 * step, however many each member has. Figures of an epoch are those of all members; whoever stops
 * stops all after the same batch. Buffers such as BatchNorm's running statistics are each member's
 * own while it learns, and averaged before an evaluation and a checkpoint. When a member fails or
 * is lost, bp_trainer_fit fails on all others, and the weights are those of the last step that was
 * complete everywhere or those of the one after it. With BP_TRAINER_SHARD_STATES some may be of the
 * one and some of the other, and the lost member's states are gone: the run goes on from its last
 * checkpoint.
 *
 *   bp_trainer *trainer = NULL;
 *   bp_trainer_desc what = {sizeof what, BP_TRAINER_ACCURACY, 1};
 *   bp_fit_desc how = {sizeof how, 0, 10, 0, "run.safetensors"};
 *   what.modules = &net, what.optimizers = &adam, what.loss = cross_entropy, what.loader = loader;
 *   if (bp_trainer_create(&what, &trainer, &err) == BP_OK)
 *     status = bp_trainer_fit(trainer, &how, &err);
 *   bp_trainer_release(trainer);
 */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_TRAINER_H
#define BACKPLANE_C_TRAINER_H

#ifdef __cplusplus
extern "C" {
#endif

/* A bp_status that is no error: callbacks return it to stop a run, and bp_trainer_fit when it was
 * stopped. */
enum { BP_TRAINING_STOPPED = 4 };
typedef struct bp_trainer bp_trainer;
/* What callbacks are told. */
typedef struct bp_train_figures {
  uint32_t struct_size, reserved;
  uint64_t epoch;            /* from 0 */
  uint64_t batch, n_batches; /* the batches of this epoch that are finished, and all of them */
  /* For on_batch: the batch's loss, or with several devices or members that of the first one's part
   * here; NULL when that is empty. It is 0-dim, borrowed and on the device, so that reading it
   * waits. For on_epoch: NULL. */
  bp_tensor *loss;
  /* For on_epoch, NaN where there is none. After a resume within an epoch, train_loss and
   * train_accuracy are those of the batches since. */
  double train_loss, train_accuracy, val_loss, val_accuracy;
} bp_train_figures;
enum {
  /* The accuracy is counted: the model's result has a score for each class, and the last tensor of
   * a batch is the right class. */
  BP_TRAINER_ACCURACY = 1u,
  /* What the optimizers keep is spread over all devices of all members (ZeRO, stage 1): each
   * parameter has one optimizer that keeps its state and takes its step, and then the others copy
   * the parameter. The steps are those that all of them would take, bit for bit, at the price of
   * sending the parameters once a step. While the trainer lives, these optimizers step their own
   * part alone. BP_BAD_STATE: another trainer would need states that they gave away, or without the
   * trainer a step of their own; bp_optimizer_load_state_dict then brings whole states back. */
  BP_TRAINER_SHARD_STATES = 2u
};
typedef struct bp_trainer_desc {
  uint32_t struct_size, flags;
  /* With several devices of a kind there are as many equal modules, optimizers and schedules, one
   * for each. Each batch is cut into that many parts, and gradients are averaged (c_parallel.h). */
  uint32_t n_devices;
  uint32_t reserved;
  bp_module *const *modules;
  bp_optimizer *const *optimizers;
  bp_schedule *const *schedules; /* take a step at each epoch's end; may be NULL */
  /* Makes the loss, a mean over the batch, of the model's result and the batch's last tensor; the
   * model is given the tensors before it. NULL: compute_loss makes it. */
  bp_module *loss;
  bp_loader *loader;
  bp_loader *val_loader; /* for validation after each epoch; may be NULL */
  /* Puts owned tensors into *loss, which is 0-dim and a mean over the batch, and into *output,
   * which the accuracy reads and which may stay NULL. */
  bp_status (*compute_loss)(void *user, bp_module *m, bp_tensor *const *batch, uint32_t n,
                            bp_tensor **loss, bp_tensor **output, bp_error **err);
  /* Sees each batch first. It may put an owned tensor into batch[i] and then releases what was
   * there. training is 0 for a batch of the validation. */
  bp_status (*prepare_batch)(void *user, uint32_t training, bp_tensor **batch, uint32_t n,
                             bp_error **err);
  /* Are called after each step and after each epoch. BP_TRAINING_STOPPED stops the run. */
  bp_status (*on_batch)(void *user, const bp_train_figures *figures, bp_error **err);
  bp_status (*on_epoch)(void *user, const bp_train_figures *figures, bp_error **err);
  void *user;
  /* Is called when the trainer is gone, and never when creation fails; may be NULL. */
  void (*destroy)(void *user);
  /* The processes that train together; NULL: this one alone. All members create their trainers at
   * the same time: the modules' parameters and buffers become those of member 0. Loaders make the
   * members' parts (bp_loader_desc), or each goes over data of its own: who has no more joins in
   * with nothing until all are through. A member with an empty part computes no loss. */
  bp_group *group;
  /* A table that grows by a line for each epoch, written by member 0: "epoch,train_loss,
   * train_accuracy,val_loss,val_accuracy", counted from 1; what was not computed is empty. A run
   * that goes on adds to the file that is there, any other one begins it anew. NULL: none. */
  const char *csv;
} bp_trainer_desc;
/* A trainer. Everything in desc is retained. Callbacks may be NULL; they run on the thread of fit,
 * and must not unwind. */
BP_API bp_status bp_trainer_create(const bp_trainer_desc *desc, bp_trainer **out, bp_error **err);
/* Adds a reference to t, which it returns; gives one back. */
BP_API bp_trainer *bp_trainer_retain(bp_trainer *t);
BP_API void bp_trainer_release(bp_trainer *t);
typedef struct bp_fit_desc {
  uint32_t struct_size, reserved;
  /* The run ends when so many epochs are finished in all, in earlier runs and in what was loaded as
   * well. */
  uint64_t max_epochs;
  double gradient_clip_val; /* the bound of the norm of all gradients together; 0: none */
  /* A file that is written after each epoch and when the run is stopped, as bp_trainer_save does;
   * NULL: none. */
  const char *checkpoint;
} bp_fit_desc;
/* Runs the loop. BP_OK when all epochs are done, BP_TRAINING_STOPPED when somebody stopped it. An
 * error of a callback is this call's error. Modules are in training mode while they learn, and
 * afterwards in the mode in which they were. BP_BAD_STATE: the trainer runs already. */
BP_API bp_status bp_trainer_fit(bp_trainer *t, const bp_fit_desc *desc, bp_error **err);
/* Ends the run after the batch at which it is, or the next run before its first batch. Any thread
 * may call this, and a signal handler. */
BP_API void bp_trainer_stop(bp_trainer *t);
/* The number of epochs that are finished; 0 for NULL. */
BP_API uint64_t bp_trainer_epoch(const bp_trainer *t);
/* Goes over one epoch of loader without learning, on the first device. loss and accuracy may be
 * NULL. In a group all members call it, and the figures are those of all. */
BP_API bp_status bp_trainer_evaluate(bp_trainer *t, bp_loader *loader, double *loss,
                                     double *accuracy, bp_error **err);
/* The state: tensors "model.<name>" and "optimizer.<name>", which are shared and not copied, and
 * metadata "trainer.<what>", "optimizer.<what>" and "schedule.<what>". Loading ignores everything
 * else, so that a program may add its own. When it fails, a part may have been loaded.
 * With BP_TRAINER_SHARD_STATES the optimizers' states are those of this member's part. */
BP_API bp_status bp_trainer_state_dict(bp_trainer *t, bp_dict **out, bp_error **err);
BP_API bp_status bp_trainer_load_state_dict(bp_trainer *t, bp_dict *state, bp_error **err);
/* Writes a checkpoint, a safetensors file with the state and what extra has, which may be NULL. In
 * a group all members call it, with the same path; extra is member 0's, and the file has the
 * generators of all. With BP_TRAINER_SHARD_STATES each member writes its optimizers' part into a
 * file beside it, named as "run-<number>-<rank>-of-<members>.safetensors" for "run.safetensors",
 * and member 0 then this one, with all else and their names; the folder is one that all members
 * see. What was at path stays until all of it is on the disk, and when anything fails before; the
 * parts of an older checkpoint of this path are removed at the end. */
BP_API bp_status bp_trainer_save(bp_trainer *t, const char *path, bp_dict *extra, bp_error **err);
/* Reads what bp_trainer_save and bp_trainer_fit write, with all parts, as bp_safetensors_load does
 * and with its errors. bp_trainer_load_state_dict takes it, whatever the number of members, and
 * reads of the optimizers' states only those that it keeps. BP_NOT_FOUND: a part is missing.
 * BP_INVALID_ARGUMENT: a part is of another checkpoint. */
BP_API bp_status bp_checkpoint_load(const char *path, bp_device device, bp_dict **out,
                                    bp_error **err);

#ifdef __cplusplus
}
#endif
#endif
