/* c_dlpack.h: tensors handed to other libraries, and taken from them, without a copy, as DLPack 1.x
 * has it (github.com/dmlc/dlpack). C99; included by c_api.h, whose conventions hold. The two
 * structs are DLPack's own: a program that looks inside includes dlpack.h; one that only passes
 * them on needs nothing.
 *
 *   struct DLManagedTensorVersioned *m = NULL;
 *   if (bp_tensor_to_dlpack(t, 0, &m, &err) == BP_OK) their_tensor = their_library_takes(m);
 *   if (bp_tensor_from_dlpack(theirs, &t, &err) < 0)
 *     bp_dlpack_release(theirs);  // on an error it is still the caller's
 *
 * Devices: known kinds have DLPack's numbers and their driver's ordinals. A simulated device, and
 * one of a kind that DLPack does not know, is an extension (kDLExtDev): its addresses mean nothing
 * to another library, but come back as they are. Order: what is queued on t's device is waited for
 * when t goes out, and what other libraries queued when it comes in, so that no stream has to be
 * named. */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_DLPACK_H
#define BACKPLANE_C_DLPACK_H

#ifdef __cplusplus
extern "C" {
#endif

struct DLManagedTensor;          /* of DLPack before 1.0: no version, no flags */
struct DLManagedTensorVersioned; /* 1.x */

enum {
  BP_DLPACK_COPIED = 1u, /* t is a copy that was made for this; the struct says so */
  BP_DLPACK_UNORDERED =
      2u /* do not wait for what is queued on the device: the caller orders streams itself */
};

/* A DLDevice's type and id. */
BP_API bp_status bp_tensor_dlpack_device(bp_tensor *t, int32_t *type, int32_t *id, bp_error **err);
/* *out shares t's memory and keeps it until its deleter is called, once, on any thread. An
 * accelerator's memory is reused after what is queued on the device then. BP_INVALID_ARGUMENT: t
 * requires a gradient, which would not see what is written there. */
BP_API bp_status bp_tensor_to_dlpack(bp_tensor *t, uint32_t flags,
                                     struct DLManagedTensorVersioned **out, bp_error **err);
BP_API bp_status bp_tensor_to_dlpack_unversioned(bp_tensor *t, uint32_t flags,
                                                 struct DLManagedTensor **out, bp_error **err);
/* A tensor over m's memory; m's deleter is called at the last release of it and its views, which
 * waits for m's device if that is an accelerator. What bp_tensor_to_dlpack made comes back as the
 * tensor it was made of, versions of its storage included. BP_UNSUPPORTED: a dtype or a type of
 * device that this library has not got, another DLPack major version, memory that is read-only or
 * not aligned to its elements. BP_INVALID_ARGUMENT: no shape or no data, or an address that is not
 * of the device it names. BP_UNAVAILABLE: that device's backend is not there, or the device is
 * hidden from this program. */
BP_API bp_status bp_tensor_from_dlpack(struct DLManagedTensorVersioned *m, bp_tensor **out,
                                       bp_error **err);
BP_API bp_status bp_tensor_from_dlpack_unversioned(struct DLManagedTensor *m, bp_tensor **out,
                                                   bp_error **err);
/* Calls m's deleter, where it has one. */
BP_API void bp_dlpack_release(struct DLManagedTensorVersioned *m);
BP_API void bp_dlpack_release_unversioned(struct DLManagedTensor *m);

#ifdef __cplusplus
}
#endif
#endif
