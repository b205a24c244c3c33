/* SPDX-License-Identifier: Apache-2.0 */
/* c_profile.h: what a program does, and when. C99; included by c_api.h, whose conventions hold.
 *
 * A profile sees, from start to stop, in all threads: each op with the dtypes and shapes of its
 * operands and results, their bytes and its kernel, and within it the ops of which it is composed;
 * copies and their directions; waits for a device, and what they are for; gradients, each tied to
 * the op that it belongs to; the modules around them, by their paths; steps of optimisers; what
 * each device has in use, and for each block that a tensor holds the op and the module that made
 * it; what ran in each queue of an accelerator, and each exchange of a group while it is under way.
 * The sentence of memory that ran out names the five that hold the most. Views and other calls that
 * compute nothing are not seen.
 *
 * bp_profile_save writes it in the Trace Event Format: chrome://tracing and Perfetto show it, and
 * `backplane profile` prints its tables. The profile of a member of a group says its rank.
 *
 * With BACKPLANE_PROFILE=trace.json in the environment a profile runs from the first use of the
 * library, and is saved by bp_shutdown or when the process exits; a failure to save goes to the
 * log. "%p" in the name becomes the process's number, for programs that start others, and "%r" its
 * rank (in no group: its number); a later runtime of a process adds ".2" to it.
 *
 *   bp_tensor *y = NULL;
 *   if (bp_profile_start(NULL, &err) == BP_OK) {
 *     status = bp_exp(x, &y, &err);
 *     bp_profile_stop(NULL);
 *     bp_profile_save("trace.json", NULL);
 *   }
 */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_PROFILE_H
#define BACKPLANE_C_PROFILE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_profile_options {
  uint32_t struct_size;
  uint32_t flags; /* 0 */
  /* How many spans are kept, and how many blocks, at about 500 bytes each; 0: 1,000,000. Later
   * spans are counted alone: "dropped" in the file. */
  uint64_t most_spans;
} bp_profile_options;

/* Starts a profile; options NULL: the defaults. BP_BAD_STATE when one runs. While it runs, a call
 * of an op costs about two microseconds more, and an accelerator's queue gets two events for each
 * thing that it is given. */
BP_API bp_status bp_profile_start(const bp_profile_options *options, bp_error **err);
/* Ends it, and waits for what the profile has seen queued. What the calling thread is still about
 * is seen until now. BP_BAD_STATE when none runs. */
BP_API bp_status bp_profile_stop(bp_error **err);
/* 1 while one runs. */
BP_API uint32_t bp_profile_running(void);
/* Writes the last profile that was stopped; it may be saved again. The file is replaced as a whole
 * or not at all. bp_shutdown forgets it. BP_BAD_STATE when there is none; what the system says
 * when the file cannot be written. */
BP_API bp_status bp_profile_save(const char *path, bp_error **err);

/* Writes who holds memory now, in the same format, while a profile runs: each block that a tensor
 * made since its start holds, with its device, its bytes, the op and the module that made it, and
 * when; and what each device has in use. `backplane profile memory` prints it. BP_BAD_STATE while
 * no profile runs. */
BP_API bp_status bp_memory_snapshot(const char *path, bp_error **err);

/* A range of the program's own around what the calling thread does until pop, which takes the token
 * of its newest push. While no profile runs, push does nothing and gives the token 0, which pop
 * takes. BP_BAD_STATE: the token is not of this thread's newest range. */
BP_API bp_status bp_profile_push(const char *name, uint64_t *token, bp_error **err);
BP_API bp_status bp_profile_pop(uint64_t token, bp_error **err);

#ifdef __cplusplus
}
#endif

#endif
