/* c_train.h: data for training: datasets, loaders, metrics. C99; included by c_api.h, whose
 * conventions hold.
 *
 *   bp_tensor *columns[2] = {images, labels}, *batch[2];
 *   bp_loader_desc how = {sizeof how, BP_LOADER_SHUFFLE, 128, device, 2, 0, 42};
 *   if (bp_dataset_from_tensors(columns, 2, &data, &err) == BP_OK &&
 *       bp_loader_create(data, &how, &loader, &err) == BP_OK)
 *     for (int epoch = 0; epoch < 10; ++epoch)
 *       while ((status = bp_loader_next(loader, batch, 2, &err)) == BP_OK) { ... }
 *   if (status != BP_EPOCH_END) { ... }  // err says why
 */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_TRAIN_H
#define BACKPLANE_C_TRAIN_H

#ifdef __cplusplus
extern "C" {
#endif

enum { BP_EPOCH_END = 3 }; /* a bp_status: not an error, and nothing was given */

/* ---- datasets: examples by number ------------------------------------------------------------ */
/* An example is one or several tensors. A batch of n examples has one tensor for each, whose first
 * dimension is n. A dataset does not change; it may be used by any number of loaders and threads.
 */
typedef struct bp_dataset bp_dataset;
/* Row i of each of 1 to 64 tensors on the CPU, of equal first size. Row-major ones are shared, not
 * copied. */
BP_API bp_status bp_dataset_from_tensors(bp_tensor *const *tensors, uint32_t n_tensors,
                                         bp_dataset **out, bp_error **err);
typedef struct bp_dataset_desc {
  uint32_t struct_size;
  uint32_t n_tensors; /* of an example: 1 to 64 */
  int64_t length;     /* examples, >= 0 */
  /* Puts owned tensors on the CPU into outs[0 .. n_outs-1], the batch of these n examples. It is
   * called on a thread of a loader's, perhaps on several at once; it may use this library, and
   * fails by bp_error_set and a negative status; it must not unwind. */
  bp_status (*get)(void *user, const int64_t *indices, uint64_t n, bp_tensor **outs,
                   uint32_t n_outs, bp_error **err);
  void *user;
  void (*destroy)(void *user); /* once nobody uses it, on any thread; may be NULL */
} bp_dataset_desc;
BP_API bp_status bp_dataset_create(const bp_dataset_desc *desc, bp_dataset **out, bp_error **err);
/* Example i is example indices[i] of d: a part of it, an order, or with repeats. */
BP_API bp_status bp_dataset_subset(bp_dataset *d, const int64_t *indices, uint64_t n,
                                   bp_dataset **out, bp_error **err);
BP_API bp_dataset *bp_dataset_retain(bp_dataset *d);
BP_API void bp_dataset_release(bp_dataset *d);
BP_API int64_t bp_dataset_length(const bp_dataset *d);     /* 0 for NULL */
BP_API uint32_t bp_dataset_n_tensors(const bp_dataset *d); /* 0 for NULL */
/* One batch, on the CPU. n_outs: the dataset's n_tensors. */
BP_API bp_status bp_dataset_get(bp_dataset *d, const int64_t *indices, uint64_t n, bp_tensor **outs,
                                uint32_t n_outs, bp_error **err);

/* ---- loaders: batches of a dataset on a device, made ahead ----------------------------------- */
/* A thread of the loader's own makes up to `prefetch` batches ahead of the program: it gathers a
 * batch in the device's pinned memory and starts its copy in a stream of its own, beside the
 * program's work. The program's stream waits for the copy, the program does not. It stands still
 * between an epoch's end and the next bp_loader_next. One thread at a time takes batches. */
enum {
  /* each epoch in an order of its own, which seed and epoch determine, the same on every machine */
  BP_LOADER_SHUFFLE = 1u,
  BP_LOADER_DROP_LAST = 2u /* a last batch that would be smaller is left out */
};
typedef struct bp_loader_desc {
  uint32_t struct_size;
  uint32_t flags;
  int64_t batch_size; /* >= 1 */
  bp_device device;   /* where batches go; 0: the default device */
  uint32_t prefetch;  /* 0: no thread, each batch is made when it is asked for; at most 1024 */
  uint32_t reserved;  /* 0 */
  uint64_t seed;
} bp_loader_desc;
typedef struct bp_loader bp_loader;
BP_API bp_status bp_loader_create(bp_dataset *dataset, const bp_loader_desc *desc, bp_loader **out,
                                  bp_error **err);
BP_API bp_loader *bp_loader_retain(bp_loader *l);
/* Waits for nobody: a batch in the making is finished and dropped by the loader's thread. */
BP_API void bp_loader_release(bp_loader *l);
BP_API int64_t bp_loader_length(const bp_loader *l); /* batches of an epoch; 0 for NULL */
/* The next batch, owned, ready for the thread's current stream of the device. BP_EPOCH_END once
 * behind an epoch's last batch; the call after it begins the next epoch. A failure of the dataset's
 * is this call's error, with its text; the next call tries that batch again. BP_BAD_STATE in the
 * child of a fork, when the loader's thread was already there: make another there. */
BP_API bp_status bp_loader_next(bp_loader *l, bp_tensor **outs, uint32_t n_outs, bp_error **err);
/* What bp_loader_next gives next: that batch of that epoch, both from 0. With seed it is all that
 * resuming takes: a loader of the same dataset and desc that is set so goes on with the same
 * batches. Also in the child of a fork. */
BP_API bp_status bp_loader_get_state(bp_loader *l, uint64_t *epoch, uint64_t *batch, uint64_t *seed,
                                     bp_error **err);
/* batch at most bp_loader_length. */
BP_API bp_status bp_loader_set_state(bp_loader *l, uint64_t epoch, uint64_t batch, uint64_t seed,
                                     bp_error **err);

/* ---- metrics: sums kept on the device -------------------------------------------------------- */
/* add queues work and waits for nobody; value fetches the sums. Tensors of several devices may be
 * added. No gradient goes back. */
typedef int32_t bp_metric_kind;
enum {
  BP_METRIC_MEAN = 0,    /* of all elements of x; target NULL */
  BP_METRIC_ACCURACY = 1 /* how often the largest of x's last dimension stands where target, of x's
                            shape without it, says */
};
typedef struct bp_metric bp_metric;
BP_API bp_status bp_metric_create(bp_metric_kind kind, bp_metric **out, bp_error **err);
BP_API bp_metric *bp_metric_retain(bp_metric *m);
BP_API void bp_metric_release(bp_metric *m);
/* Each element counts weight times (finite, >= 0): the mean loss of a batch by the size of the
 * batch. */
BP_API bp_status bp_metric_add(bp_metric *m, bp_tensor *x, bp_tensor *target, double weight,
                               bp_error **err);
/* NaN when nothing was added. Waits. */
BP_API bp_status bp_metric_value(bp_metric *m, double *out, bp_error **err);
BP_API bp_status bp_metric_reset(bp_metric *m, bp_error **err);

#ifdef __cplusplus
}
#endif
#endif
