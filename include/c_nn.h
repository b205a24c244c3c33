/* SPDX-License-Identifier: Apache-2.0 */
/* c_nn.h: modules: parts of models, with the tensors they learn. Included by c_api.h, whose
 * conventions hold here.
 *
 * A module has named parameters, buffers and children, and a forward. Its kind is a row of a table
 * (linear, conv2d, batch_norm2d, lstm ...), which reflection shows, or its forward is a callback of
 * the caller's. Parameters are ordinary tensors that require a gradient. Their names, shapes and
 * order are PyTorch's, so that its state dicts load by name. A module is moved in place: every
 * parameter keeps its handle, on every backend. Several threads may use a module as long as none
 * changes it.
 *
 *   bp_attr size[2] = {{"in_features", BP_ATTR_I64, 1, {3}, 0},
 *                      {"out_features", BP_ATTR_I64, 1, {1}, 0}};
 *   bp_module *net = NULL;
 *   bp_tensor *y = NULL;
 *   if (bp_module_create("linear", size, 2, 0, BP_DTYPE_NONE, &net, &err) == BP_OK)
 *     status = bp_module_forward(net, &t, 1, &y, 1, &err);
 *   bp_tensor_release(y);
 *   bp_module_release(net);
 */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_NN_H
#define BACKPLANE_C_NN_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_module bp_module;
/* A flag of bp_error_flags: the message begins with the path of the module, "net.0 (Linear): ". */
enum { BP_ERROR_IN_MODULE = 4u };

/* ---- kinds ----------------------------------------------------------------------------------- */
typedef struct bp_module_kind_info {
  uint32_t struct_size;
  uint32_t n_attrs;
  const char *name, *title, *doc;  /* static; "linear", and "Linear" as it is printed */
  uint32_t min_inputs, max_inputs; /* of forward; those from min_inputs on may be NULL */
  uint32_t n_outputs, reserved;    /* at most so many outputs */
} bp_module_kind_info;
/* The kinds in order. BP_INDEX_OUT_OF_RANGE beyond the last. */
BP_API uint32_t bp_module_kind_count(void);
BP_API bp_status bp_module_kind_at(uint32_t i, bp_module_kind_info *out, bp_error **err);
/* A kind by its name. BP_NOT_FOUND names the nearest one. */
BP_API bp_status bp_module_kind_find(const char *name, bp_module_kind_info *out, bp_error **err);
/* Attribute i of a kind (c_api.h, attributes as data). BP_NOT_FOUND: there is no such kind.
 * BP_INDEX_OUT_OF_RANGE: it has no i-th attribute. */
BP_API bp_status bp_module_kind_attr(const char *kind, uint32_t i, bp_attr_info *out,
                                     bp_error **err);
/* A module of a kind. device 0 is the default device. dtype is a floating one; BP_DTYPE_NONE is the
 * default dtype. Parameters start with PyTorch's values, which are drawn from the device's
 * generator: after the same seed they are equal on every device. */
BP_API bp_status bp_module_create(const char *kind, const bp_attr *attrs, uint32_t n_attr,
                                  bp_device device, bp_dtype dtype, bp_module **out,
                                  bp_error **err);

/* ---- modules of the caller's own ------------------------------------------------------------- */
/* Puts n_out owned tensors into outputs. inputs are borrowed, and NULL where none is given. It may
 * call any op or module, fails by bp_error_set and a negative status, and must not unwind. */
typedef bp_status (*bp_module_forward_fn)(void *user, bp_module *m, bp_tensor *const *inputs,
                                          uint32_t n_in, bp_tensor **outputs, uint32_t n_out,
                                          bp_error **err);
typedef struct bp_module_desc {
  uint32_t struct_size, flags;  /* flags is 0 */
  const char *title;            /* as it is printed, "Block" */
  bp_module_forward_fn forward; /* NULL: the module has none, as lists of modules have */
  void *user;
  /* Is called when the module is gone, and never when creation fails; may be NULL. */
  void (*destroy)(void *user);
} bp_module_desc;
/* A module with the caller's forward and nothing in it yet. */
BP_API bp_status bp_module_custom(const bp_module_desc *desc, bp_module **out, bp_error **err);
/* Puts a callback in the place of the module's forward. NULL puts the kind's own back;
 * BP_INVALID_ARGUMENT when there is none. */
BP_API bp_status bp_module_set_forward(bp_module *m, bp_module_forward_fn forward, void *user,
                                       void (*destroy)(void *user), bp_error **err);
/* Adds a reference to m, which it returns; gives one back. */
BP_API bp_module *bp_module_retain(bp_module *m);
BP_API void bp_module_release(bp_module *m);
/* A module with copies of everything inside. Callbacks are shared: their user serves both modules,
 * and destroy is called once. Hooks are not copied. */
BP_API bp_status bp_module_clone(bp_module *m, bp_module **out, bp_error **err);

/* ---- what a module is ------------------------------------------------------------------------ */
/* The name of the kind, borrowed from m; "" for a module of the caller's own, and for a handle that
 * is no module. */
BP_API const char *bp_module_kind(const bp_module *m);
/* The name as it is printed, borrowed from m; "" for a handle that is no module. */
BP_API const char *bp_module_title(const bp_module *m);
/* What messages call m when it is the root of a path; "net" at first. */
BP_API bp_status bp_module_set_name(bp_module *m, const char *name, bp_error **err);
/* Attribute i of the kind as the module has it. Texts and lists are borrowed from m.
 * BP_INDEX_OUT_OF_RANGE beyond the last. */
BP_API bp_status bp_module_attr(bp_module *m, uint32_t i, bp_attr *out, bp_error **err);
/* The module as PyTorch prints it. */
BP_API bp_status bp_module_format(bp_module *m, char *buf, uint64_t capacity, uint64_t *needed,
                                  bp_error **err);
/* The part of that text which stands between the module's own brackets. */
BP_API bp_status bp_module_extra(bp_module *m, char *buf, uint64_t capacity, uint64_t *needed,
                                 bp_error **err);
/* A table of the layers: shape, parameters, bytes, device. With inputs, the module runs on them
 * without recording or training, and the shapes are those of each layer's result. With n_in 0 they
 * are those of its parameters. */
BP_API bp_status bp_module_summary(bp_module *m, bp_tensor *const *inputs, uint32_t n_in, char *buf,
                                   uint64_t capacity, uint64_t *needed, bp_error **err);

/* ---- what is in a module: its parameters, buffers and children, by name ---------------------- */
/* A path leads through children to what is inside them: the weight of child 0 is "0.weight". */

/* Puts t under a name, or in the place of what has the name. NULL registers the name with nothing.
 * A parameter need not require a gradient. A buffer that is not persistent stays out of state
 * dicts. BP_INVALID_ARGUMENT: the name is empty, holds a dot, or belongs to something else; a
 * parameter is no leaf. */
BP_API bp_status bp_module_set_parameter(bp_module *m, const char *name, bp_tensor *t,
                                         bp_error **err);
BP_API bp_status bp_module_set_buffer(bp_module *m, const char *name, bp_tensor *t,
                                      uint32_t persistent, bp_error **err);
BP_API bp_status bp_module_set_child(bp_module *m, const char *name, bp_module *child,
                                     bp_error **err);
/* Puts a child at the end, named by its number, as sequential and module_list have them. */
BP_API bp_status bp_module_append(bp_module *m, bp_module *child, bp_error **err);
/* Removes a parameter, buffer or child. One that the module's kind made keeps its name and is
 * empty, as if NULL had been set: forward counts on its place. BP_NOT_FOUND: m has nothing of this
 * name. */
BP_API bp_status bp_module_remove(bp_module *m, const char *name, bp_error **err);
/* A parameter or a buffer; *out is NULL when nothing stands under the name. BP_NOT_FOUND says what
 * there is. */
BP_API bp_status bp_module_get(bp_module *m, const char *path, bp_tensor **out, bp_error **err);
/* A child. BP_NOT_FOUND says what there is. */
BP_API bp_status bp_module_get_child(bp_module *m, const char *path, bp_module **out,
                                     bp_error **err);
enum {
  BP_MODULE_RECURSE = 1u,    /* what is inside children as well, named by its path */
  BP_MODULE_DUPLICATES = 2u, /* what is there twice is listed twice */
  /* Names with nothing under them as well, for which *out is NULL; not with RECURSE. */
  BP_MODULE_EMPTY = 4u,
  BP_MODULE_PERSISTENT = 8u /* of buffers: only those that are in state dicts */
};
/* Parameters and buffers in the order in which they were registered; flags, BP_MODULE_*, say which.
 * The tensor is the caller's. BP_INDEX_OUT_OF_RANGE beyond the last. */
BP_API bp_status bp_module_parameter_count(bp_module *m, uint32_t flags, uint32_t *out,
                                           bp_error **err);
BP_API bp_status bp_module_parameter_at(bp_module *m, uint32_t flags, uint32_t i, char *name,
                                        uint64_t capacity, uint64_t *needed, bp_tensor **out,
                                        bp_error **err);
BP_API bp_status bp_module_buffer_count(bp_module *m, uint32_t flags, uint32_t *out,
                                        bp_error **err);
BP_API bp_status bp_module_buffer_at(bp_module *m, uint32_t flags, uint32_t i, char *name,
                                     uint64_t capacity, uint64_t *needed, bp_tensor **out,
                                     bp_error **err);
/* The children; with BP_MODULE_RECURSE the module itself, named "", and every module inside. The
 * module is the caller's. BP_INDEX_OUT_OF_RANGE beyond the last. */
BP_API bp_status bp_module_child_count(bp_module *m, uint32_t flags, uint32_t *out, bp_error **err);
BP_API bp_status bp_module_child_at(bp_module *m, uint32_t flags, uint32_t i, char *name,
                                    uint64_t capacity, uint64_t *needed, bp_module **out,
                                    bp_error **err);
typedef bp_status (*bp_module_visit_fn)(void *user, bp_module *m, bp_error **err);
/* Calls fn for every module inside, children first and the module itself last. A negative status
 * ends this and is returned. */
BP_API bp_status bp_module_apply(bp_module *m, bp_module_visit_fn fn, void *user, bp_error **err);

/* ---- the whole module: the module itself and everything inside ------------------------------- */
/* Puts the module and everything inside into training mode, or with on 0 into evaluation mode. */
BP_API bp_status bp_module_train(bp_module *m, uint32_t on, bp_error **err);
/* 1 when the module itself is in training mode. */
BP_API uint32_t bp_module_is_training(const bp_module *m);
/* Sets the mode of the module alone. */
BP_API bp_status bp_module_set_training(bp_module *m, uint32_t on, bp_error **err);
/* Sets whether each parameter requires a gradient. */
BP_API bp_status bp_module_requires_grad(bp_module *m, uint32_t on, bp_error **err);
/* Takes the gradients away, or with to_zeros fills them with zeros. */
BP_API bp_status bp_module_zero_grad(bp_module *m, uint32_t to_zeros, bp_error **err);
/* Moves parameters, their gradients and buffers in place; only floating and complex ones change
 * their dtype, and all keep their handles. device 0 and dtype BP_DTYPE_NONE leave what is. When a
 * copy fails, those before it have been moved. */
BP_API bp_status bp_module_to(bp_module *m, bp_device device, bp_dtype dtype, uint32_t non_blocking,
                              bp_error **err);
/* The same, but only for tensors on device `from` and of dtype `of`; 0 and BP_DTYPE_NONE are
 * any. */
BP_API bp_status bp_module_move(bp_module *m, bp_device from, bp_dtype of, bp_device device,
                                bp_dtype dtype, uint32_t non_blocking, bp_error **err);

/* ---- forward --------------------------------------------------------------------------------- */
/* Runs the module. outputs receives n_out owned tensors, the first of those that the module makes.
 * An error names the module in which it happened, BP_ERROR_IN_MODULE. */
BP_API bp_status bp_module_forward(bp_module *m, bp_tensor *const *inputs, uint32_t n_in,
                                   bp_tensor **outputs, uint32_t n_out, bp_error **err);
/* Runs the kind's own forward, without hooks and without what bp_module_set_forward put in its
 * place. */
BP_API bp_status bp_module_kind_forward(bp_module *m, bp_tensor *const *inputs, uint32_t n_in,
                                        bp_tensor **outputs, uint32_t n_out, bp_error **err);
/* Is called before forward, with the inputs as outputs, or after it. A hook may put an owned tensor
 * into outputs[i] and then releases what was there; inputs are borrowed. */
typedef bp_status (*bp_module_hook_fn)(void *user, bp_module *m, bp_tensor *const *inputs,
                                       uint32_t n_in, bp_tensor **outputs, uint32_t n_out,
                                       bp_error **err);
/* Adds a hook, and removes it. BP_NOT_FOUND: m has none of this id. */
BP_API bp_status bp_module_add_hook(bp_module *m, uint32_t before, bp_module_hook_fn hook,
                                    void *user, void (*destroy)(void *user), uint64_t *id,
                                    bp_error **err);
BP_API bp_status bp_module_remove_hook(bp_module *m, uint64_t id, bp_error **err);
/* For bindings whose modules run without bp_module_forward: between these two calls the thread is
 * inside m, so that errors of modules in it have the whole path. leave takes the newest token. */
BP_API bp_status bp_module_enter(bp_module *m, uint64_t *token, bp_error **err);
BP_API bp_status bp_module_leave(uint64_t token, bp_error **err);
/* The module inside which the thread is, "net.0 (Linear)"; "" when it is in none. */
BP_API bp_status bp_module_where(char *buf, uint64_t capacity, uint64_t *needed, bp_error **err);

/* ---- what a module has learned --------------------------------------------------------------- */
/* The parameters and persistent buffers, which share the module's memory. Names are paths with
 * prefix in front; NULL is "". */
BP_API bp_status bp_module_state_dict(bp_module *m, const char *prefix, bp_dict **out,
                                      bp_error **err);
enum {
  BP_LOAD_STRICT = 1u, /* names that are missing, or that the module does not have, are an error */
  /* The module takes the dict's tensors as its data, with their devices and dtypes, instead of
   * copying them. */
  BP_LOAD_ASSIGN = 2u
};
/* Copies tensors into the module's, which keep their devices and dtypes. buf receives the names
 * that are missing or unknown, or "<All keys matched successfully>". BP_INVALID_ARGUMENT says
 * everything that does not fit; the rest has been loaded by then. */
BP_API bp_status bp_module_load_state_dict(bp_module *m, bp_dict *from, uint32_t flags, char *buf,
                                           uint64_t capacity, uint64_t *needed, bp_error **err);

/* ---- initialisers: they fill parameters as PyTorch's nn.init does, and are not recorded ------ */
/* Fills t with numbers in [low, high), or with normal ones, from its device's generator. */
BP_API bp_status bp_init_uniform(bp_tensor *t, double low, double high, bp_error **err);
BP_API bp_status bp_init_normal(bp_tensor *t, double mean, double std, bp_error **err);
/* Fills t with normal numbers, each of which is drawn again while it is outside of [low, high]. */
BP_API bp_status bp_init_trunc_normal(bp_tensor *t, double mean, double std, double low,
                                      double high, bp_error **err);
/* Fills t with one number. */
BP_API bp_status bp_init_constant(bp_tensor *t, const bp_value *value, bp_error **err);
/* Makes t, a matrix, zeros with ones on the main diagonal. */
BP_API bp_status bp_init_eye(bp_tensor *t, bp_error **err);
/* Glorot and Bengio (2010), for at least two dimensions: uniform in +-gain sqrt(6 / (fan_in +
 * fan_out)), or normal with mean 0 and variance 2 gain^2 / (fan_in + fan_out). */
BP_API bp_status bp_init_xavier_uniform(bp_tensor *t, double gain, bp_error **err);
BP_API bp_status bp_init_xavier_normal(bp_tensor *t, double gain, bp_error **err);
/* He et al. (2015). mode is "fan_in" or "fan_out"; nonlinearity and a, the slope of leaky_relu, are
 * those of bp_init_gain. */
BP_API bp_status bp_init_kaiming_uniform(bp_tensor *t, double a, const char *mode,
                                         const char *nonlinearity, bp_error **err);
BP_API bp_status bp_init_kaiming_normal(bp_tensor *t, double a, const char *mode,
                                        const char *nonlinearity, bp_error **err);
/* Rows or columns that are orthonormal, times gain: Saxe et al. (2014). */
BP_API bp_status bp_init_orthogonal(bp_tensor *t, double gain, bp_error **err);
/* The gain that PyTorch recommends for a nonlinearity: linear, conv1d to conv_transpose3d, sigmoid,
 * tanh, relu, leaky_relu with slope a, or selu. */
BP_API bp_status bp_init_gain(const char *nonlinearity, double a, double *out, bp_error **err);

/* ---- a tensor's data ------------------------------------------------------------------------- */
/* Makes t a view of from's data, with its shape, dtype and device. t keeps its handle, its history
 * and whether it requires a gradient. What backward saved of t counts as changed. */
BP_API bp_status bp_tensor_set_data(bp_tensor *t, bp_tensor *from, bp_error **err);

#ifdef __cplusplus
}
#endif
#endif
