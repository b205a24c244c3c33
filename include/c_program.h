/* SPDX-License-Identifier: Apache-2.0 */
/* c_program.h: calls that are recorded once and run again. C99; included by c_api.h, whose
 * conventions hold.
 *
 * Between begin and end a thread's calls run as usual, on any devices, and are recorded: kernels,
 * copies, gradients, the steps of optimisers. The program that end gives runs the same kernels
 * over other inputs, with nothing looked up, checked or inferred again, and with the memory in
 * between planned once.
 *
 * - The tensors that begin is given are the program's inputs. Each run binds others of the same
 *   dtypes, shapes and devices.
 * - What is neither an input nor made between begin and end is held by reference, and read or
 *   written in place at each run: weights, states of optimisers, running statistics.
 * - Random numbers are drawn from the devices' generators at each run, as the calls would. The
 *   options of an optimiser are those that it has at the run, and its steps are counted.
 * - Whatever the calls decided on the host is decided once: shapes, numbers, branches of the
 *   program. What was made from host memory (bp_tensor_from_data, bp_tensor_write) is a constant.
 *
 * Refused with BP_BAD_STATE, in a sentence that names the call: reading the values of a tensor
 * (bp_tensor_item, bp_tensor_read) or handing its memory to somebody who may; ops whose result's
 * shape depends on values (nonzero, masked_select, unique); callbacks of the host and events; a
 * second stream of a device; users' ops with kernels of their own; writing memory that two tensors
 * borrow; the first step of an optimiser, which makes states that must outlive the run. After a
 * refusal the thread still records: go another way, or abandon the recording.
 *
 *   bp_tensor *y = NULL, *y2 = NULL;
 *   bp_program *p = NULL;
 *   if (bp_program_begin(&x, 1, 0, &err) == BP_OK &&
 *       bp_exp(x, &y, &err) == BP_OK &&
 *       bp_program_end(&y, 1, NULL, &p, &err) == BP_OK)
 *     status = bp_program_run(p, &x2, 1, &y2, 1, &err);
 *   bp_program_release(p);
 */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_PROGRAM_H
#define BACKPLANE_C_PROGRAM_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_program bp_program;

/* What end does to a program before it runs. Results stay what eager calls give, bit for bit; where
 * a reduction runs block by block, and where something joined a product, within the bound of its
 * row. */
enum {
  BP_PASS_DEAD = 1u,  /* leaves out what nobody reads */
  BP_PASS_EQUAL = 2u, /* computes once what is computed several times from the same values */
  /* Runs neighbouring steps block by block, or as one launch, as the backend can ("bp.fuse/1").
   * Where they run block by block, a reduction over the outermost dim of what others make is done
   * in parts first, and what is cheap is made again where it is read. */
  BP_PASS_GROUP = 4u,
  /* Makes an activation part of the product before it, where the backend has such a kernel: the
   * sums may be added up in another order then, within the bound of the row. */
  BP_PASS_JOIN = 8u
};
typedef struct bp_program_options {
  uint32_t struct_size;
  uint32_t without; /* BP_PASS_* flags of what is not to be done */
  /* How many bytes a block of a group of steps reads and writes, about; 0: what suits the caches.
   */
  uint64_t block_bytes;
} bp_program_options;

enum {
  /* What cannot be recorded is no error of its call, which goes on as usual: it ends the recording,
   * and bp_program_end fails with the sentence. So a program may try. */
  BP_PROGRAM_GOES_ON = 1u,
  /* Outputs that require a gradient have one at each run too: end records the way back from them,
   * to the inputs that require one and to the leaves that the calls read (weights), as a program
   * of its own, which backward runs. What it needs of a run is kept as long as the results.
   * A leaf that the results in use do not depend on gets zeros. Hooks, and gradients of gradients,
   * are not part of it. */
  BP_PROGRAM_GRADIENTS = 2u
};
/* Begins to record this thread's calls, with n inputs, which may be 0. flags are BP_PROGRAM_*.
 * Ordinary calls of all threads are slower meanwhile. BP_BAD_STATE: the thread records already.
 * BP_INVALID_ARGUMENT: two inputs share memory, or a flag is not known. */
BP_API bp_status bp_program_begin(bp_tensor *const *inputs, uint32_t n, uint32_t flags,
                                  bp_error **err);
/* Ends the recording, also when it fails. The program's results are the n outputs; options may be
 * NULL. BP_BAD_STATE: the thread does not record. */
BP_API bp_status bp_program_end(bp_tensor *const *outputs, uint32_t n,
                                const bp_program_options *options, bp_program **out,
                                bp_error **err);
/* Ends the recording without a program. Does nothing when the thread does not record. */
BP_API void bp_program_abandon(void);
/* 1 while this thread records, else 0. */
BP_API uint32_t bp_program_recording(void);

/* Adds a reference to p, which it returns; gives one back. */
BP_API bp_program *bp_program_retain(bp_program *p);
BP_API void bp_program_release(bp_program *p);

/* Runs the program in the current streams of its devices. inputs are as those of begin; one in
 * another layout is copied first. outputs[i] is NULL, and gets a new tensor that is the caller's,
 * or a tensor of its shape, which is written. Results have no gradient, unless they were recorded
 * with BP_PROGRAM_GRADIENTS and the thread records gradients. Any thread; two runs at
 * once are the program's fault where it writes what it holds or what both were given.
 * BP_DTYPE_MISMATCH, BP_DEVICE_MISMATCH or BP_INVALID_ARGUMENT: an input is not what was recorded,
 * or shares memory with another or with what the program holds while one of them is written;
 * nothing has run. Other errors are those of the calls; what was to be written in place may then be
 * half done. */
BP_API bp_status bp_program_run(bp_program *p, bp_tensor *const *inputs, uint32_t n_in,
                                bp_tensor **outputs, uint32_t n_out, bp_error **err);

/* Writes the program into one file, whole or not at all, as bp_safetensors_save does: a safetensors
 * file whose tensors are what the program holds, with their values now, and whose metadata is the
 * rest. The program need not have come from a file, and may be saved again after runs. Waits for
 * the devices that it holds tensors on; a run of another thread that writes these at the same time
 * is the program's fault.
 *
 * The options of an optimiser are saved as they are now, and so is the number of its next step: the
 * program that is loaded counts on by itself, and its options change no more.
 * BP_BAD_STATE: this thread records. BP_UNSUPPORTED: a view lies between the elements of its
 * memory. Otherwise as bp_safetensors_save. */
BP_API bp_status bp_program_save(bp_program *p, const char *path, bp_error **err);

/* Makes a program of a file that bp_program_save wrote, on any machine, for any backends. Its calls
 * are recorded again without being run: each finds its kernel on its device, or is composed of
 * others as it would be in an eager call. The results are those of the saved program where the
 * kernels are the same, and else within the bounds of their rows. Random numbers come from the
 * generators of the devices on which it runs. The tensors that it holds are the program's own,
 * read as bp_safetensors_load does: on the cpu they are the mapped file, which must keep its
 * length.
 *
 * n is 0: the devices are those that the file names; 1: all of it runs on devices[0]; or else as
 * many as the file names, in its order. A copy between two devices that become one stays a copy.
 * options: what is done before it runs; NULL: what was done before it was saved. *out is the
 * caller's.
 *
 * The file may come from anywhere: whatever it says is checked before it is used.
 * BP_INVALID_ARGUMENT: it is no such file, with what is wrong and where. BP_UNSUPPORTED: it is of a
 * version that this library does not read, or a device has no kernel for a call and none for what
 * it is composed of. BP_BAD_STATE: this thread records; or a call cannot be recorded on its device:
 * the step of an optimiser that counts, where the backend has no kernel for it. Otherwise as
 * bp_safetensors_load and bp_device_parse. */
BP_API bp_status bp_program_load(const char *path, const bp_device *devices, uint32_t n,
                                 const bp_program_options *options, bp_program **out,
                                 bp_error **err);

/* What a program is. */
typedef struct bp_program_facts {
  uint32_t struct_size;
  uint32_t n_inputs, n_outputs;
  uint32_t n_recorded;       /* kernels and transfers that the calls ran */
  uint32_t n_steps;          /* what a run does: some of these, and what passes add */
  uint32_t n_launches;       /* in so many calls of the backends */
  uint32_t n_dead, n_equal;  /* what was left out */
  uint64_t arena_bytes;      /* memory in between that a run takes, on all devices */
  uint64_t eager_peak_bytes; /* what the recorded calls made and had at most at once, results
                                included */
  uint64_t held_bytes;       /* of tensors that the program holds */
  uint64_t moved_bytes; /* that the launches of a run read and write in memory; what steps of one
                           group hand on in registers or scratch memory is not */
  uint32_t n_joined;    /* activations that became part of the product before them */
} bp_program_facts;
/* Fills *out, whose struct_size is set. */
BP_API bp_status bp_program_info(bp_program *p, bp_program_facts *out, bp_error **err);
/* The steps as text, a line for each, after all passes. For people: it may change. */
BP_API bp_status bp_program_format(bp_program *p, char *buf, uint64_t capacity, uint64_t *needed,
                                   bp_error **err);

#ifdef __cplusplus
}
#endif
#endif
