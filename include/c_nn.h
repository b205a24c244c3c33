/* c_nn.h: modules: parts of models, with the tensors they learn. Included by c_api.h, whose
 * conventions hold here.
 *
 * A module has named parameters, buffers and children, and a forward. Its kind is a row of a table
 * (linear, conv2d, batch_norm2d, lstm ...), which reflection shows, or a callback of the caller's.
 * Parameters are ordinary tensors that require a gradient; names, shapes and their order are
 * PyTorch's, so that its state dicts load by name. A module is moved in place: every parameter's
 * handle stays what it was, on every backend. A module may be used by several threads as long as
 * none changes it.
 *
 *   bp_attr size[2] = {{"in_features", BP_ATTR_I64, 1, {3}, 0},
 *                      {"out_features", BP_ATTR_I64, 1, {1}, 0}};
 *   bp_module *net = NULL; bp_tensor *y = NULL;
 *   if (bp_module_create("linear", size, 2, 0, BP_DTYPE_NONE, &net, &err) == BP_OK &&
 *       bp_module_forward(net, &x, 1, &y, 1, &err) == BP_OK) { ... }
 *   bp_tensor_release(y); bp_module_release(net);
 */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_NN_H
#define BACKPLANE_C_NN_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_module bp_module;
/* of bp_error_flags: the message begins with the path of the module, "net.0 (Linear): " */
enum { BP_ERROR_IN_MODULE = 4u };

/* ---- kinds ----------------------------------------------------------------------------------- */
typedef struct bp_module_kind_info {
  uint32_t struct_size;
  uint32_t n_attrs;
  const char *name, *title, *doc;  /* "linear", "Linear" as it is printed; static */
  uint32_t min_inputs, max_inputs; /* of forward; those from min_inputs on may be NULL */
  uint32_t n_outputs, reserved;    /* at most */
} bp_module_kind_info;
BP_API uint32_t bp_module_kind_count(void);
BP_API bp_status bp_module_kind_at(uint32_t i, bp_module_kind_info *out, bp_error **err);
/* BP_NOT_FOUND names the nearest kind. */
BP_API bp_status bp_module_kind_find(const char *name, bp_module_kind_info *out, bp_error **err);
BP_API bp_status bp_module_kind_attr(const char *kind, uint32_t i, bp_attr_info *out,
                                     bp_error **err);
/* device 0: the default device; dtype BP_DTYPE_NONE: the default dtype, else a floating one.
 * Parameters start as PyTorch's, drawn from the device's generator: after the same seed they are
 * equal on every device. */
BP_API bp_status bp_module_create(const char *kind, const bp_attr *attrs, uint32_t n_attr,
                                  bp_device device, bp_dtype dtype, bp_module **out,
                                  bp_error **err);

/* ---- modules of your own --------------------------------------------------------------------- */
/* inputs borrowed, NULL where none was given; puts n_out owned tensors into outputs. May call any
 * op or module, fail by bp_error_set and a negative status, and must not unwind. */
typedef bp_status (*bp_module_forward_fn)(void *user, bp_module *m, bp_tensor *const *inputs,
                                          uint32_t n_in, bp_tensor **outputs, uint32_t n_out,
                                          bp_error **err);
typedef struct bp_module_desc {
  uint32_t struct_size, flags;  /* flags 0 */
  const char *title;            /* as it is printed: "Block" */
  bp_module_forward_fn forward; /* NULL: the module has none, as lists of modules */
  void *user;
  void (*destroy)(void *user); /* with the module; may be NULL; never when the call fails */
} bp_module_desc;
BP_API bp_status bp_module_custom(const bp_module_desc *desc, bp_module **out, bp_error **err);
/* Puts a callback in place of the module's forward; forward NULL: the kind's own again. */
BP_API bp_status bp_module_set_forward(bp_module *m, bp_module_forward_fn forward, void *user,
                                       void (*destroy)(void *user), bp_error **err);
BP_API bp_module *bp_module_retain(bp_module *m);
BP_API void bp_module_release(bp_module *m);
/* With copies of everything inside; callbacks are shared, and their user must then serve both
 * (destroy runs once). Hooks are not copied. */
BP_API bp_status bp_module_clone(bp_module *m, bp_module **out, bp_error **err);

/* ---- what a module is ------------------------------------------------------------------------ */
/* Borrowed from m; "" for one of your own, and for NULL or a foreign handle. */
BP_API const char *bp_module_kind(const bp_module *m);
BP_API const char *bp_module_title(const bp_module *m);
/* The root's name in messages; "net" at first. */
BP_API bp_status bp_module_set_name(bp_module *m, const char *name, bp_error **err);
/* Attribute i as the module has it, in the kind's order; texts and lists are borrowed from m. */
BP_API bp_status bp_module_attr(bp_module *m, uint32_t i, bp_attr *out, bp_error **err);
/* As PyTorch prints it; extra: what stands between the brackets. */
BP_API bp_status bp_module_format(bp_module *m, char *buf, uint64_t capacity, uint64_t *needed,
                                  bp_error **err);
BP_API bp_status bp_module_extra(bp_module *m, char *buf, uint64_t capacity, uint64_t *needed,
                                 bp_error **err);
/* A table of layers: shape, parameters, bytes, device. With inputs, the module runs on them without
 * recording or training, and the shapes are those of each layer's result; without (n_in 0), of its
 * parameters. */
BP_API bp_status bp_module_summary(bp_module *m, bp_tensor *const *inputs, uint32_t n_in, char *buf,
                                   uint64_t capacity, uint64_t *needed, bp_error **err);

/* ---- what is in it: names are "weight", or from an outer module "0.weight" ------------------- */
/* t NULL: there is none of that name, though there may be. A parameter need not require a gradient:
 * it keeps what t says. An existing name gets t in its place. BP_INVALID_ARGUMENT: the name is
 * taken by something else, is empty or holds a dot. */
BP_API bp_status bp_module_set_parameter(bp_module *m, const char *name, bp_tensor *t,
                                         bp_error **err);
BP_API bp_status bp_module_set_buffer(bp_module *m, const char *name, bp_tensor *t,
                                      uint32_t persistent, bp_error **err);
BP_API bp_status bp_module_set_child(bp_module *m, const char *name, bp_module *child,
                                     bp_error **err);
/* At the end, named by its number: for sequential and module_list. */
BP_API bp_status bp_module_append(bp_module *m, bp_module *child, bp_error **err);
BP_API bp_status bp_module_remove(bp_module *m, const char *name, bp_error **err);
/* A parameter or buffer; *out NULL: registered as none. BP_NOT_FOUND names what there is. */
BP_API bp_status bp_module_get(bp_module *m, const char *path, bp_tensor **out, bp_error **err);
BP_API bp_status bp_module_get_child(bp_module *m, const char *path, bp_module **out,
                                     bp_error **err);
enum {
  BP_MODULE_RECURSE = 1u,    /* also inside children, named with their paths */
  BP_MODULE_DUPLICATES = 2u, /* what is there twice is listed twice */
  BP_MODULE_EMPTY = 4u, /* names registered without a tensor too: *out is NULL; not with RECURSE */
  BP_MODULE_PERSISTENT = 8u /* of buffers: those that state dicts hold alone */
};
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
/* Without RECURSE the children; with it the module itself, named "", and everything inside. */
BP_API bp_status bp_module_child_count(bp_module *m, uint32_t flags, uint32_t *out, bp_error **err);
BP_API bp_status bp_module_child_at(bp_module *m, uint32_t flags, uint32_t i, char *name,
                                    uint64_t capacity, uint64_t *needed, bp_module **out,
                                    bp_error **err);
/* fn for everything inside, children first, the module itself last. A negative status ends it and
 * is returned. */
typedef bp_status (*bp_module_visit_fn)(void *user, bp_module *m, bp_error **err);
BP_API bp_status bp_module_apply(bp_module *m, bp_module_visit_fn fn, void *user, bp_error **err);

/* ---- for all that is inside ------------------------------------------------------------------ */
BP_API bp_status bp_module_train(bp_module *m, uint32_t on, bp_error **err);
BP_API uint32_t bp_module_is_training(const bp_module *m);
/* Of this module alone. */
BP_API bp_status bp_module_set_training(bp_module *m, uint32_t on, bp_error **err);
BP_API bp_status bp_module_requires_grad(bp_module *m, uint32_t on, bp_error **err);
/* to_zeros 0: gradients are taken away; else they become zeros. */
BP_API bp_status bp_module_zero_grad(bp_module *m, uint32_t to_zeros, bp_error **err);
/* In place: parameters, their gradients and buffers, of which only floating and complex ones change
 * dtype. Handles stay. device 0, dtype BP_DTYPE_NONE: as it is. When a copy fails, those before it
 * have moved. */
BP_API bp_status bp_module_to(bp_module *m, bp_device device, bp_dtype dtype, uint32_t non_blocking,
                              bp_error **err);
/* The same for what is on device `from` alone (0: anywhere) and of dtype `of` alone (BP_DTYPE_NONE:
 * any). */
BP_API bp_status bp_module_move(bp_module *m, bp_device from, bp_dtype of, bp_device device,
                                bp_dtype dtype, uint32_t non_blocking, bp_error **err);

/* ---- forward --------------------------------------------------------------------------------- */
/* outputs: n_out owned tensors, the first of those the module has. An error in it names the module:
 * BP_ERROR_IN_MODULE. */
BP_API bp_status bp_module_forward(bp_module *m, bp_tensor *const *inputs, uint32_t n_in,
                                   bp_tensor **outputs, uint32_t n_out, bp_error **err);
/* The kind's own forward, without hooks and without what bp_module_set_forward put in its place. */
BP_API bp_status bp_module_kind_forward(bp_module *m, bp_tensor *const *inputs, uint32_t n_in,
                                        bp_tensor **outputs, uint32_t n_out, bp_error **err);
/* Before forward: outputs is inputs, n_out is n_in. After: both. A hook may put an owned tensor
 * into outputs[i] in place of what is there, which it then releases; inputs[i] are borrowed. */
typedef bp_status (*bp_module_hook_fn)(void *user, bp_module *m, bp_tensor *const *inputs,
                                       uint32_t n_in, bp_tensor **outputs, uint32_t n_out,
                                       bp_error **err);
BP_API bp_status bp_module_add_hook(bp_module *m, uint32_t before, bp_module_hook_fn hook,
                                    void *user, void (*destroy)(void *user), uint64_t *id,
                                    bp_error **err);
BP_API bp_status bp_module_remove_hook(bp_module *m, uint64_t id, bp_error **err);
/* For bindings whose modules run without bp_module_forward: between the two, this thread is inside
 * m, so that errors of modules inside it have the whole path. leave takes the newest token. where:
 * "net.0 (Linear)"; "" outside of all modules. */
BP_API bp_status bp_module_enter(bp_module *m, uint64_t *token, bp_error **err);
BP_API bp_status bp_module_leave(uint64_t token, bp_error **err);
BP_API bp_status bp_module_where(char *buf, uint64_t capacity, uint64_t *needed, bp_error **err);

/* ---- what a module has learned --------------------------------------------------------------- */
/* Parameters and persistent buffers, named with paths after prefix (NULL: ""); they share the
 * module's memory. */
BP_API bp_status bp_module_state_dict(bp_module *m, const char *prefix, bp_dict **out,
                                      bp_error **err);
enum {
  BP_LOAD_STRICT = 1u, /* names that are missing or that the module does not have are an error */
  BP_LOAD_ASSIGN = 2u  /* the module takes the dict's tensors as its data, with their devices and
                          dtypes, instead of copying */
};
/* Copies tensors into the module's, which keep their devices and dtypes. BP_INVALID_ARGUMENT says
 * all that does not fit, when the rest has been loaded. buf: which names were missing or not known,
 * "<All keys matched successfully>". */
BP_API bp_status bp_module_load_state_dict(bp_module *m, bp_dict *from, uint32_t flags, char *buf,
                                           uint64_t capacity, uint64_t *needed, bp_error **err);

/* ---- filling parameters as PyTorch's nn.init does; not recorded ------------------------------ */
BP_API bp_status bp_init_uniform(bp_tensor *t, double low, double high, bp_error **err);
BP_API bp_status bp_init_normal(bp_tensor *t, double mean, double std, bp_error **err);
/* Normal, drawn anew where outside [low, high]. */
BP_API bp_status bp_init_trunc_normal(bp_tensor *t, double mean, double std, double low,
                                      double high, bp_error **err);
BP_API bp_status bp_init_constant(bp_tensor *t, const bp_value *value, bp_error **err);
BP_API bp_status bp_init_eye(bp_tensor *t, bp_error **err);
/* (Glorot and Bengio, 2010) of at least two dimensions: uniform in +-gain sqrt(6 / (fan_in +
 * fan_out)); normal 0, the variance 2 gain^2 / (fan_in + fan_out). */
BP_API bp_status bp_init_xavier_uniform(bp_tensor *t, double gain, bp_error **err);
BP_API bp_status bp_init_xavier_normal(bp_tensor *t, double gain, bp_error **err);
/* (He et al., 2015) mode: "fan_in", "fan_out"; nonlinearity as bp_init_gain's; a: the slope of
 * leaky_relu. */
BP_API bp_status bp_init_kaiming_uniform(bp_tensor *t, double a, const char *mode,
                                         const char *nonlinearity, bp_error **err);
BP_API bp_status bp_init_kaiming_normal(bp_tensor *t, double a, const char *mode,
                                        const char *nonlinearity, bp_error **err);
/* Rows or columns that are orthonormal, times gain (Saxe et al., 2014). */
BP_API bp_status bp_init_orthogonal(bp_tensor *t, double gain, bp_error **err);
/* nonlinearity: linear, conv1d .. conv_transpose3d, sigmoid, tanh, relu, leaky_relu (a: its slope),
 * selu. */
BP_API bp_status bp_init_gain(const char *nonlinearity, double a, double *out, bp_error **err);

/* ---- a tensor's data ------------------------------------------------------------------------- */
/* t becomes another look at from's data: its shape, dtype and device with it. t's handle, whether
 * it requires a gradient and its history stay. What backward kept of t counts as changed. */
BP_API bp_status bp_tensor_set_data(bp_tensor *t, bp_tensor *from, bp_error **err);

#ifdef __cplusplus
}
#endif
#endif
