/* c_io.h: named tensors, and files of them. C99; included by c_api.h, whose conventions hold.
 *
 *   bp_dict *weights = NULL;
 *   if (bp_dict_create(&weights, &err) == BP_OK &&
 *       bp_dict_set(weights, "0.weight", w, &err) == BP_OK) { ... }
 *   bp_dict_release(weights);
 */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_IO_H
#define BACKPLANE_C_IO_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- dicts: named tensors in order, and named text beside them ------------------------------- */
/* Names, keys and texts are UTF-8. A dict shares its tensors: who has one of them writes what the
 * dict shows. */
BP_API bp_status bp_dict_create(bp_dict **out, bp_error **err);
BP_API bp_dict *bp_dict_retain(bp_dict *d);
BP_API void bp_dict_release(bp_dict *d);
/* Last when the name is new; in the place of what had the name before. */
BP_API bp_status bp_dict_set(bp_dict *d, const char *name, bp_tensor *t, bp_error **err);
/* BP_NOT_FOUND names the nearest. */
BP_API bp_status bp_dict_get(bp_dict *d, const char *name, bp_tensor **out, bp_error **err);
BP_API bp_status bp_dict_remove(bp_dict *d, const char *name, bp_error **err);
BP_API uint64_t bp_dict_size(const bp_dict *d); /* 0 for NULL */
/* In order, i < size; else BP_INDEX_OUT_OF_RANGE. The name is borrowed until the dict changes, the
 * tensor is the caller's. */
BP_API bp_status bp_dict_at(bp_dict *d, uint64_t i, const char **name, bp_tensor **out,
                            bp_error **err);
/* text NULL: takes it away, BP_NOT_FOUND when it is not there. */
BP_API bp_status bp_dict_set_meta(bp_dict *d, const char *key, const char *text, bp_error **err);
/* What they give is borrowed until the dict changes. */
BP_API bp_status bp_dict_get_meta(bp_dict *d, const char *key, const char **out, bp_error **err);
BP_API uint64_t bp_dict_meta_size(const bp_dict *d);
BP_API bp_status bp_dict_meta_at(bp_dict *d, uint64_t i, const char **key, const char **text,
                                 bp_error **err);

/* ---- safetensors: a dict with its text, as a file or as bytes -------------------------------- */
/* What was at path stays until the whole new file is on the disk, and when anything fails. Tensors
 * of any device, dtype (c128 is BP_UNSUPPORTED: the format has no such thing) and layout; they are
 * waited for. */
BP_API bp_status bp_safetensors_save(bp_dict *d, const char *path, bp_error **err);
/* Onto device (0: the default device), in the file's order. On the CPU the tensors are the file's
 * own pages, mapped copy-on-write: while they live the file may be replaced (as save does), but
 * must not be shortened. BP_INVALID_ARGUMENT says what is wrong with the file; BP_UNSUPPORTED: a
 * dtype that this library does not have; BP_NOT_FOUND: no such file; BP_UNAVAILABLE: what the
 * system said. */
BP_API bp_status bp_safetensors_load(const char *path, bp_device device, bp_dict **out,
                                     bp_error **err);
/* The same from n bytes, which are copied; */
BP_API bp_status bp_safetensors_parse(const void *bytes, uint64_t n, bp_device device,
                                      bp_dict **out, bp_error **err);
/* and into capacity bytes. *needed (may be NULL) receives the length; a shorter buffer stays as it
 * is. */
BP_API bp_status bp_safetensors_format(bp_dict *d, void *buffer, uint64_t capacity,
                                       uint64_t *needed, bp_error **err);

/* ---- .npz: a dict as NumPy's savez writes it and load reads it ------------------------------- */
/* As above; bf16 is BP_UNSUPPORTED, and a dict with text is refused: the format has no such things.
 * zlib is opened by the first of these calls; BP_UNAVAILABLE where it is not there. */
BP_API bp_status bp_npz_save(bp_dict *d, const char *path, bp_error **err);
/* What savez and savez_compressed write. The tensors are copies. BP_UNSUPPORTED: objects, records,
 * text, big-endian numbers. */
BP_API bp_status bp_npz_load(const char *path, bp_device device, bp_dict **out, bp_error **err);
BP_API bp_status bp_npz_parse(const void *bytes, uint64_t n, bp_device device, bp_dict **out,
                              bp_error **err);

#ifdef __cplusplus
}
#endif
#endif
