/* SPDX-License-Identifier: Apache-2.0 */
/* c_parallel.h: one model on several devices of a kind. C99; included by c_api.h, whose conventions
 * hold.
 *
 * The parameters are copied to each device, each device takes a part of each batch, gradients are
 * averaged over the devices while backward still computes, and each device's optimiser takes the
 * same step. One thread drives all devices: what it queues on one runs while it queues on the next.
 * bp_trainer does all of this; by hand it is, with a forward and a loss for each device:
 *
 *   bp_replicas *replicas = NULL;
 *   if (bp_replicate(&t, 1, devices, 2, params, &err) == BP_OK &&
 *       bp_replicas_create(params, 2, 2, 25 << 20, &replicas, &err) == BP_OK &&
 *       bp_scatter_batch(x, devices, 2, parts, &err) == BP_OK &&
 *       bp_backward(losses, NULL, 2, 0, &err) == BP_OK)
 *     status = bp_replicas_finish(replicas, &err);
 *   bp_replicas_release(replicas);
 */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_PARALLEL_H
#define BACKPLANE_C_PARALLEL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Makes each tensor the sum, or with mean 1 the mean, of all, in place and with the same bits
 * everywhere. The tensors are on different devices of one kind and have one shape and one dtype,
 * which for a mean is a floating one. The work is queued in the devices' current streams: by the
 * backend's library for it (NCCL), or around a ring of copies; the load report says why there is no
 * library. BP_DEVICE_MISMATCH: the devices are of several kinds. */
BP_API bp_status bp_all_reduce(bp_tensor *const *tensors, uint32_t n_tensors, uint32_t mean,
                               bp_error **err);
/* Copies parameters to devices: outs[device * n_params + i] is parameter i on that device, a leaf
 * of its own with the same value and requires_grad, or the parameter itself where it is there
 * already. outs are the caller's. */
BP_API bp_status bp_replicate(bp_tensor *const *params, uint32_t n_params, const bp_device *devices,
                              uint32_t n_devices, bp_tensor **outs, bp_error **err);
/* Cuts batch along its first dimension into equal parts, one for each device; the last ones are
 * smaller, or empty, where that does not come out even. Waits for nobody when batch is pinned. */
BP_API bp_status bp_scatter_batch(bp_tensor *batch, const bp_device *devices, uint32_t n_devices,
                                  bp_tensor **outs, bp_error **err);

typedef struct bp_replicas bp_replicas;
/* Averages the gradients of equal models over their devices, all different and of one kind.
 * params[device * (n_params / n_devices) + i] is parameter i on that device, a leaf that requires a
 * gradient. Gradients are exchanged in streams of their own, in buckets of about bucket_bytes, the
 * first one of at most 1 MiB: each bucket as soon as its last gradient has arrived on the last
 * device. One device alone exchanges nothing. Several backwards may run before bp_replicas_finish;
 * what each of them adds is averaged. */
BP_API bp_status bp_replicas_create(bp_tensor *const *params, uint32_t n_params, uint32_t n_devices,
                                    uint64_t bucket_bytes, bp_replicas **out, bp_error **err);
/* Adds a reference to r, which it returns; gives one back. */
BP_API bp_replicas *bp_replicas_retain(bp_replicas *r);
BP_API void bp_replicas_release(bp_replicas *r);
/* Lets the replicas of all members of g be one model: gradients are averaged over all devices of
 * all members, with the same bits everywhere, bucket after bucket while backward computes. Each
 * member has as many devices and the same parameters, which is checked; their values become those
 * of member 0's first device. All members call it, and afterwards make the same backwards and
 * bp_replicas_finish; a parameter that has a gradient on no device of any member keeps none. Of
 * several backwards before bp_replicas_finish all but the last are held (bp_replicas_hold). A loss
 * is a mean over the member's own part: where parts differ in size, multiply it by
 * n_members * own_size / size_of_all first.
 * NULL for g: the replicas are this process's alone again, also when their group is broken.
 * BP_INVALID_ARGUMENT, on every member: their parameters differ, in the sentence. */
BP_API bp_status bp_replicas_join(bp_replicas *r, bp_group *g, bp_error **err);
/* While on is 1, backwards add up gradients and exchange nothing. */
BP_API bp_status bp_replicas_hold(bp_replicas *r, uint32_t on, bp_error **err);
/* Comes after the backward of all devices: exchanges what is left, and lets what is queued next in
 * the devices' current streams wait for all exchanges. A gradient that a device does not have
 * counts as zeros there; a parameter that has one on no device keeps none. */
BP_API bp_status bp_replicas_finish(bp_replicas *r, bp_error **err);

#ifdef __cplusplus
}
#endif
#endif
