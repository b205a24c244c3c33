/* c_parallel.h: one model on several devices of a kind. C99; included by c_api.h, whose conventions
 * hold.
 *
 * The parameters are copied to each device, each device takes a part of each batch, gradients are
 * averaged over the devices while backward still computes, and each device's optimiser takes the
 * same step. One thread drives all devices: what it queues on one runs while it queues on the next.
 *
 *   bp_replicate(params, n, devices, n_devices, all, &err);  // all[device * n + i]
 *   bp_replicas_create(all, n * n_devices, n_devices, 25 << 20, &r, &err);
 *   bp_scatter_batch(x, devices, n_devices, parts, &err);
 *   ...  // a forward and a loss on each device
 *   bp_backward(losses, NULL, n_devices, 0, &err);
 *   bp_replicas_finish(r, &err);
 *   bp_optimizer_step(each, &err);
 *   bp_replicas_release(r);
 */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_PARALLEL_H
#define BACKPLANE_C_PARALLEL_H

#ifdef __cplusplus
extern "C" {
#endif

/* tensors[i], one on each of several devices of one kind, of one dtype (a mean: floating) and
 * shape: each becomes the sum, or the mean, of all, in place, the same bits everywhere. Queued in
 * the devices' current streams: through the backend's library for it (NCCL), else around a ring of
 * copies; the load report says why no library. BP_DEVICE_MISMATCH: devices of several kinds. */
BP_API bp_status bp_all_reduce(bp_tensor *const *tensors, uint32_t n_tensors, uint32_t mean,
                               bp_error **err);
/* outs[device * n_params + i]: parameter i on that device, a leaf of its own with the same value
 * and requires_grad; the parameter itself where it is already. outs are the caller's. */
BP_API bp_status bp_replicate(bp_tensor *const *params, uint32_t n_params, const bp_device *devices,
                              uint32_t n_devices, bp_tensor **outs, bp_error **err);
/* outs[device]: its part of batch, cut along the first dimension into equal parts; the last ones
 * are smaller, or empty, where that does not come out even. Does not wait where batch is pinned. */
BP_API bp_status bp_scatter_batch(bp_tensor *batch, const bp_device *devices, uint32_t n_devices,
                                  bp_tensor **outs, bp_error **err);

typedef struct bp_replicas bp_replicas;
/* Averages the gradients of params[device * (n_params / n_devices) + i] over the devices: leaves
 * that require a gradient, equal models, each on a device of its own, all of one kind. Gradients
 * are exchanged in buckets of about bucket_bytes (the first one of 1 MiB at most), each as soon as
 * backward has reached its last one on the last device, in streams of their own. A device that is
 * alone exchanges nothing. Several backwards may run before bp_replicas_finish: what each adds is
 * averaged. */
BP_API bp_status bp_replicas_create(bp_tensor *const *params, uint32_t n_params, uint32_t n_devices,
                                    uint64_t bucket_bytes, bp_replicas **out, bp_error **err);
BP_API bp_replicas *bp_replicas_retain(bp_replicas *r);
BP_API void bp_replicas_release(bp_replicas *r);
/* After backward of all devices: exchanges what is left, and lets what comes next in the devices'
 * current streams wait for all of it. A parameter that some device has no gradient of counts as
 * zeros there; without one anywhere it keeps none. */
BP_API bp_status bp_replicas_finish(bp_replicas *r, bp_error **err);

#ifdef __cplusplus
}
#endif
#endif
