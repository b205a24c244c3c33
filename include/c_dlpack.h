/* SPDX-License-Identifier: Apache-2.0 */
/* c_dlpack.h: tensors handed to other libraries, and taken from them, without a copy, as DLPack 1.x
 * has it (github.com/dmlc/dlpack). C99; included by c_api.h, whose conventions hold. The two
 * structs are DLPack's own: a program that looks inside includes dlpack.h, and one that only passes
 * them on needs nothing.
 *
 *   struct DLManagedTensorVersioned *m = NULL;
 *   bp_tensor *same = NULL;
 *   if (bp_tensor_to_dlpack(t, 0, &m, &err) == BP_OK &&
 *       bp_tensor_from_dlpack(m, &same, &err) != BP_OK)
 *     bp_dlpack_release(m);
 *   bp_tensor_release(same);
 *
 * A device of a known kind has DLPack's number and its driver's ordinal. A simulated device, and
 * one of a kind that DLPack does not know, is an extension (kDLExtDev): its addresses mean nothing
 * to another library, but come back as they are. No stream has to be named: what is queued on t's
 * device is waited for when t goes out, and what other libraries queued when it comes in. */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_DLPACK_H
#define BACKPLANE_C_DLPACK_H

#ifdef __cplusplus
extern "C" {
#endif

struct DLManagedTensor;          /* of DLPack before 1.0, without a version and flags */
struct DLManagedTensorVersioned; /* of DLPack 1.x */

enum {
  BP_DLPACK_COPIED = 1u, /* t is a copy that was made for this; the struct says so */
  /* Nothing that is queued on the device is waited for: the caller orders streams itself. */
  BP_DLPACK_UNORDERED = 2u
};

/* The type and the id of t's device as a DLDevice has them. */
BP_API bp_status bp_tensor_dlpack_device(bp_tensor *t, int32_t *type, int32_t *id, bp_error **err);
/* A struct over t's memory, which it keeps until its deleter is called, once and on any thread. The
 * memory of an accelerator is reused only after what is queued on the device at that time.
 * BP_INVALID_ARGUMENT: t requires a gradient, which would not see what another library writes. */
BP_API bp_status bp_tensor_to_dlpack(bp_tensor *t, uint32_t flags,
                                     struct DLManagedTensorVersioned **out, bp_error **err);
BP_API bp_status bp_tensor_to_dlpack_unversioned(bp_tensor *t, uint32_t flags,
                                                 struct DLManagedTensor **out, bp_error **err);
/* A tensor over m's memory. m's deleter is called when the tensor and its views are released, which
 * waits for the device if it is an accelerator; on an error m is still the caller's. What
 * bp_tensor_to_dlpack made comes back as the tensor of which it was made, with its storage and
 * version. BP_UNSUPPORTED: a dtype or a type of device that this library does not have, another
 * major version of DLPack, or memory that is read-only or not aligned to its elements.
 * BP_INVALID_ARGUMENT: there is no shape or no data, or the address is not the named device's.
 * BP_UNAVAILABLE: the device's backend is not there, or the device is hidden from this program. */
BP_API bp_status bp_tensor_from_dlpack(struct DLManagedTensorVersioned *m, bp_tensor **out,
                                       bp_error **err);
BP_API bp_status bp_tensor_from_dlpack_unversioned(struct DLManagedTensor *m, bp_tensor **out,
                                                   bp_error **err);
/* Calls m's deleter if it has one. */
BP_API void bp_dlpack_release(struct DLManagedTensorVersioned *m);
BP_API void bp_dlpack_release_unversioned(struct DLManagedTensor *m);

#ifdef __cplusplus
}
#endif
#endif
