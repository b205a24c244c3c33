/* SPDX-License-Identifier: Apache-2.0 */
/* c_io.h: named tensors, and files of them. C99; included by c_api.h, whose conventions hold.
 *
 *   bp_dict *weights = NULL;
 *   if (bp_dict_create(&weights, &err) == BP_OK &&
 *       bp_dict_set(weights, "0.weight", t, &err) == BP_OK)
 *     status = bp_safetensors_save(weights, "net.safetensors", &err);
 *   bp_dict_release(weights);
 */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_IO_H
#define BACKPLANE_C_IO_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- dicts: named tensors in order, and named text beside them ------------------------------- */
/* Names, keys and texts are UTF-8. A dict shares its tensors: whoever has one of them writes what
 * the dict shows. */

/* An empty dict. */
BP_API bp_status bp_dict_create(bp_dict **out, bp_error **err);
/* Adds a reference to d, which it returns; gives one back. */
BP_API bp_dict *bp_dict_retain(bp_dict *d);
BP_API void bp_dict_release(bp_dict *d);
/* Puts a tensor at the end, or in the place of the one that has this name. */
BP_API bp_status bp_dict_set(bp_dict *d, const char *name, bp_tensor *t, bp_error **err);
/* Gives or removes the tensor of this name. BP_NOT_FOUND names the nearest one. */
BP_API bp_status bp_dict_get(bp_dict *d, const char *name, bp_tensor **out, bp_error **err);
BP_API bp_status bp_dict_remove(bp_dict *d, const char *name, bp_error **err);
/* The number of tensors; 0 for NULL. */
BP_API uint64_t bp_dict_size(const bp_dict *d);
/* Tensor i in order. Its name is borrowed until the dict changes; the tensor is the caller's.
 * BP_INDEX_OUT_OF_RANGE beyond the last. */
BP_API bp_status bp_dict_at(bp_dict *d, uint64_t i, const char **name, bp_tensor **out,
                            bp_error **err);
/* Sets the text of a key. text NULL removes it; BP_NOT_FOUND when it is not there. */
BP_API bp_status bp_dict_set_meta(bp_dict *d, const char *key, const char *text, bp_error **err);
/* The text of a key, borrowed until the dict changes. BP_NOT_FOUND names the nearest key. */
BP_API bp_status bp_dict_get_meta(bp_dict *d, const char *key, const char **out, bp_error **err);
/* The number of keys; 0 for NULL. */
BP_API uint64_t bp_dict_meta_size(const bp_dict *d);
/* Key i in order and its text, both borrowed until the dict changes. BP_INDEX_OUT_OF_RANGE beyond
 * the last. */
BP_API bp_status bp_dict_meta_at(bp_dict *d, uint64_t i, const char **key, const char **text,
                                 bp_error **err);

/* ---- safetensors: a dict with its text, as a file or as bytes -------------------------------- */
/* Writes a file. What was at path stays until the whole new file is on the disk, and when anything
 * fails before. BP_UNAVAILABLE with the new file there: a loss of power may undo it. Tensors may be
 * of any device, dtype and layout, and are waited for; the format lacks c128: BP_UNSUPPORTED. */
BP_API bp_status bp_safetensors_save(bp_dict *d, const char *path, bp_error **err);
/* Reads a file onto a device, 0 being the default device, in the file's order. On the CPU the
 * tensors are the file's own pages, mapped copy-on-write: while they live the file may be replaced,
 * as save does, but must not be shortened, and what somebody writes into it in place may show in
 * them, as with PyTorch's mmap=True. BP_NOT_FOUND: there is no such file. BP_UNAVAILABLE: the
 * system could not read it. BP_INVALID_ARGUMENT says what is wrong with the file. BP_UNSUPPORTED:
 * it holds a dtype that this library does not have. */
BP_API bp_status bp_safetensors_load(const char *path, bp_device device, bp_dict **out,
                                     bp_error **err);
/* Reads n bytes, which are copied, as load reads a file. */
BP_API bp_status bp_safetensors_parse(const void *bytes, uint64_t n, bp_device device,
                                      bp_dict **out, bp_error **err);
/* Writes into capacity bytes. *needed, which may be NULL, receives the length; a shorter buffer is
 * not written. */
BP_API bp_status bp_safetensors_format(bp_dict *d, void *buffer, uint64_t capacity,
                                       uint64_t *needed, bp_error **err);

/* ---- .npz: a dict as NumPy's savez writes it and load reads it ------------------------------- */
/* Writes a file as bp_safetensors_save does. bf16 is BP_UNSUPPORTED, and a dict with text is
 * refused, because the format has neither. The first of these calls opens zlib; BP_UNAVAILABLE when
 * it is not installed. */
BP_API bp_status bp_npz_save(bp_dict *d, const char *path, bp_error **err);
/* Reads what savez and savez_compressed write, from a file or from n bytes. The tensors are copies.
 * BP_UNSUPPORTED: objects, records, text and big-endian numbers. */
BP_API bp_status bp_npz_load(const char *path, bp_device device, bp_dict **out, bp_error **err);
BP_API bp_status bp_npz_parse(const void *bytes, uint64_t n, bp_device device, bp_dict **out,
                              bp_error **err);

#ifdef __cplusplus
}
#endif
#endif
