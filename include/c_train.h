/* SPDX-License-Identifier: Apache-2.0 */
/* c_train.h: data for training: datasets, loaders, metrics. C99; included by c_api.h, whose
 * conventions hold.
 *
 *   bp_tensor *columns[2] = {images, labels}, *batch[2];
 *   bp_loader_desc how = {sizeof how, BP_LOADER_SHUFFLE, 128, device, 2, 0, 42, 0, 1};
 *   bp_dataset *data = NULL;
 *   bp_loader *loader = NULL;
 *   if (bp_dataset_from_tensors(columns, 2, &data, &err) == BP_OK &&
 *       bp_loader_create(data, &how, &loader, &err) == BP_OK)
 *     while ((status = bp_loader_next(loader, batch, 2, &err)) == BP_OK)
 *       bp_tensor_release(batch[0]), bp_tensor_release(batch[1]);
 *   if (status != BP_EPOCH_END) fprintf(stderr, "%s\n", bp_error_message(err, NULL));
 *   bp_loader_release(loader);
 *   bp_dataset_release(data);
 */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_TRAIN_H
#define BACKPLANE_C_TRAIN_H

#ifdef __cplusplus
extern "C" {
#endif

/* A bp_status that is no error: the epoch is over, and there was no batch. */
enum { BP_EPOCH_END = 3 };

/* ---- datasets: examples by number ------------------------------------------------------------ */
/* An example is one or several tensors. A batch of n examples has one tensor for each of these,
 * whose first dimension is n. A dataset does not change; any number of loaders and threads may use
 * it. */

typedef struct bp_dataset bp_dataset;
/* A dataset whose example i is row i of each of 1 to 64 tensors on the CPU, whose first dimensions
 * are equal. Row-major tensors are shared, others copied. */
BP_API bp_status bp_dataset_from_tensors(bp_tensor *const *tensors, uint32_t n_tensors,
                                         bp_dataset **out, bp_error **err);
typedef struct bp_dataset_desc {
  uint32_t struct_size;
  uint32_t n_tensors; /* of an example: 1 to 64 */
  int64_t length;     /* the number of examples, >= 0 */
  /* Makes the batch of these n examples: puts owned tensors on the CPU into outs[0 .. n_outs-1]. It
   * is called on a loader's thread, and perhaps on several at once. It may use this library, fails
   * by bp_error_set and a negative status, and must not unwind. */
  bp_status (*get)(void *user, const int64_t *indices, uint64_t n, bp_tensor **outs,
                   uint32_t n_outs, bp_error **err);
  void *user;
  /* Is called on any thread when nobody uses the dataset any more; may be NULL. */
  void (*destroy)(void *user);
} bp_dataset_desc;
/* A dataset whose batches the caller's function makes. */
BP_API bp_status bp_dataset_create(const bp_dataset_desc *desc, bp_dataset **out, bp_error **err);
/* A dataset whose example i is example indices[i] of d: a part of it, in any order, with
 * repeats. */
BP_API bp_status bp_dataset_subset(bp_dataset *d, const int64_t *indices, uint64_t n,
                                   bp_dataset **out, bp_error **err);
/* Adds a reference to d, which it returns; gives one back. */
BP_API bp_dataset *bp_dataset_retain(bp_dataset *d);
BP_API void bp_dataset_release(bp_dataset *d);
/* The number of examples; 0 for NULL. */
BP_API int64_t bp_dataset_length(const bp_dataset *d);
/* The number of tensors of an example; 0 for NULL. */
BP_API uint32_t bp_dataset_n_tensors(const bp_dataset *d);
/* The batch of n examples, as owned tensors on the CPU. n_outs is the dataset's n_tensors.
 * BP_INDEX_OUT_OF_RANGE: an index is not that of an example. */
BP_API bp_status bp_dataset_get(bp_dataset *d, const int64_t *indices, uint64_t n, bp_tensor **outs,
                                uint32_t n_outs, bp_error **err);

/* ---- loaders: batches of a dataset on a device, made ahead ----------------------------------- */
/* A thread of the loader's own makes up to `prefetch` batches ahead of the program: it gathers a
 * batch in the device's pinned memory and starts its copy in a stream of its own, beside the
 * program's work. The program's stream waits for the copy; the program does not. The thread rests
 * between an epoch's end and the next bp_loader_next. One thread of the program at a time takes
 * batches. */

enum {
  /* Each epoch has an order of its own, which seed and epoch determine, on every machine alike. */
  BP_LOADER_SHUFFLE = 1u,
  BP_LOADER_DROP_LAST = 2u /* a last batch that would be smaller is left out */
};
typedef struct bp_loader_desc {
  uint32_t struct_size;
  uint32_t flags;
  int64_t batch_size; /* >= 1 */
  bp_device device;   /* of the batches; 0: the default device */
  uint32_t prefetch;  /* at most 1024; 0: no thread, each batch is made when it is asked for */
  uint32_t reserved;  /* 0 */
  uint64_t seed;
  /* Each batch is cut into n_parts parts, which differ by one example at most, and this loader
   * makes part number `part` of it. The parts of equal loaders make up the whole, from seed and
   * epoch alone, so that each member of a group loads its own. The part of a small last batch may
   * be empty. n_parts 0 or 1: all of it. */
  uint32_t part, n_parts;
} bp_loader_desc;
typedef struct bp_loader bp_loader;
/* A loader. The dataset is retained; the thread starts with the first batch. */
BP_API bp_status bp_loader_create(bp_dataset *dataset, const bp_loader_desc *desc, bp_loader **out,
                                  bp_error **err);
/* Adds a reference to l, which it returns. */
BP_API bp_loader *bp_loader_retain(bp_loader *l);
/* Gives a reference back, and waits for nobody: the loader's thread finishes a batch that it has
 * begun and drops it. */
BP_API void bp_loader_release(bp_loader *l);
/* The number of batches of an epoch; 0 for NULL. */
BP_API int64_t bp_loader_length(const bp_loader *l);
/* The next batch, as owned tensors that the thread's current stream of the device may use.
 * BP_EPOCH_END, once, after the last batch of an epoch; the call after that begins the next epoch.
 * A failure of the dataset is this call's error, with its text, and the next call tries that batch
 * again. BP_BAD_STATE in the child of a fork, if the loader's thread was there before: the child
 * makes another loader. */
BP_API bp_status bp_loader_next(bp_loader *l, bp_tensor **outs, uint32_t n_outs, bp_error **err);
/* The batch that bp_loader_next gives next, and its epoch, both from 0. With the seed this is all
 * that resuming takes: another loader of the same dataset and desc that is set so goes on with the
 * same batches. It can be asked for in the child of a fork as well. */
BP_API bp_status bp_loader_get_state(bp_loader *l, uint64_t *epoch, uint64_t *batch, uint64_t *seed,
                                     bp_error **err);
/* Sets what bp_loader_next gives next. BP_INDEX_OUT_OF_RANGE: batch is above bp_loader_length. */
BP_API bp_status bp_loader_set_state(bp_loader *l, uint64_t epoch, uint64_t batch, uint64_t seed,
                                     bp_error **err);

/* ---- metrics: sums kept on the device -------------------------------------------------------- */
/* Adding queues work and waits for nobody; asking for the value fetches the sums. Tensors of
 * several devices may be added. No gradient goes back through a metric. */

typedef int32_t bp_metric_kind;
enum {
  BP_METRIC_MEAN = 0, /* the mean of all elements of x; target is NULL */
  /* How often the largest element along x's last dimension stands at the index that target says;
   * target holds integers and has x's shape without that dimension. */
  BP_METRIC_ACCURACY = 1
};
typedef struct bp_metric bp_metric;
/* An empty metric. */
BP_API bp_status bp_metric_create(bp_metric_kind kind, bp_metric **out, bp_error **err);
/* Adds a reference to m, which it returns; gives one back. */
BP_API bp_metric *bp_metric_retain(bp_metric *m);
BP_API void bp_metric_release(bp_metric *m);
/* Adds what x and target say. Each element counts weight times, a finite number >= 0: the mean loss
 * of a batch counts as often as the batch has examples. */
BP_API bp_status bp_metric_add(bp_metric *m, bp_tensor *x, bp_tensor *target, double weight,
                               bp_error **err);
/* The value so far; NaN when nothing was added. Waits for the devices. */
BP_API bp_status bp_metric_value(bp_metric *m, double *out, bp_error **err);
/* Empties the metric. */
BP_API bp_status bp_metric_reset(bp_metric *m, bp_error **err);

#ifdef __cplusplus
}
#endif
#endif
