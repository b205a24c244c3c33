/* SPDX-License-Identifier: Apache-2.0 */
/* c_optim.h: optimisers, gradient clipping, schedules. C99; included by c_api.h, whose conventions
 * hold.
 *
 * An optimiser changes parameters, which are ordinary tensors that require a gradient, by their
 * gradients (bp_tensor_grad). Kinds, attributes, defaults, formulas and texts are those of
 * PyTorch's torch.optim; a pair of betas is two attributes here, "beta1" and "beta2". Kinds and
 * their attributes are data (bp_optimizer_kind_at), from which bindings build themselves. A step
 * changes all parameters of one device and dtype by one kernel launch and waits for nobody. The
 * state that an optimiser keeps for a parameter is made at the parameter's first step, on its
 * device, and follows it when its data moves to another device or dtype.
 *
 *   bp_attr lr = {"lr", BP_ATTR_F64, 1, {0}, 0};
 *   bp_optimizer *sgd = NULL;
 *   lr.value.f64 = 0.1;
 *   if (bp_optimizer_create("SGD", &t, 1, &lr, 1, &sgd, &err) == BP_OK &&
 *       bp_backward(&loss, NULL, 1, 0, &err) == BP_OK &&
 *       bp_optimizer_step(sgd, &err) == BP_OK)
 *     status = bp_optimizer_zero_grad(sgd, 1, &err);
 *   bp_optimizer_release(sgd);
 */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_OPTIM_H
#define BACKPLANE_C_OPTIM_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- kinds as data --------------------------------------------------------------------------- */
/* The number of kinds of optimiser. */
BP_API uint32_t bp_optimizer_kind_count(void);
/* Kind i: its name and its description, both static, and how many attributes it has. Each of the
 * three may be NULL. BP_INDEX_OUT_OF_RANGE beyond the last. */
BP_API bp_status bp_optimizer_kind_at(uint32_t i, const char **name, const char **doc,
                                      uint32_t *n_attrs, bp_error **err);
/* Attribute i of a kind (c_api.h, attributes as data): a number or a flag. BP_NOT_FOUND lists the
 * kinds. */
BP_API bp_status bp_optimizer_kind_attr(const char *kind, uint32_t i, bp_attr_info *out,
                                        bp_error **err);
/* The name of the i-th tensor that the kind keeps for a parameter, "exp_avg".
 * BP_INDEX_OUT_OF_RANGE beyond the last. */
BP_API bp_status bp_optimizer_kind_state(const char *kind, uint32_t i, const char **name,
                                         bp_error **err);

/* ---- optimisers ------------------------------------------------------------------------------ */
typedef struct bp_optimizer bp_optimizer;
/* An optimiser of a kind: "SGD", "Adam", "AdamW", "RMSprop" or "Adagrad". params, at least one, are
 * retained and make group 0. They are leaves of a floating or complex dtype, none of them twice, on
 * any devices. attrs go by name, for this group and as defaults of further ones; what is missing
 * has the kind's default. BP_INVALID_ARGUMENT, in PyTorch's words: a value makes no sense. */
BP_API bp_status bp_optimizer_create(const char *kind, bp_tensor *const *params, uint32_t n_params,
                                     const bp_attr *attrs, uint32_t n_attr, bp_optimizer **out,
                                     bp_error **err);
/* Adds a reference to o, which it returns; gives one back. */
BP_API bp_optimizer *bp_optimizer_retain(bp_optimizer *o);
BP_API void bp_optimizer_release(bp_optimizer *o);
/* The name of the kind, a static string. */
BP_API bp_status bp_optimizer_kind(bp_optimizer *o, const char **out, bp_error **err);
/* Adds a group: parameters with attributes of their own. */
BP_API bp_status bp_optimizer_add_group(bp_optimizer *o, bp_tensor *const *params,
                                        uint32_t n_params, const bp_attr *attrs, uint32_t n_attr,
                                        bp_error **err);
/* Takes a step with every parameter that has a gradient, which has the parameter's device, dtype
 * and shape. Versions count these writes, so that a backward through an earlier forward is refused
 * where it would read what has changed. */
BP_API bp_status bp_optimizer_step(bp_optimizer *o, bp_error **err);
/* Takes the gradients away with set_to_none 1, or fills them with zeros. */
BP_API bp_status bp_optimizer_zero_grad(bp_optimizer *o, uint32_t set_to_none, bp_error **err);
/* The number of groups; 0 for NULL. */
BP_API uint32_t bp_optimizer_group_count(bp_optimizer *o);
/* The parameters of a group; the tensor is the caller's. BP_INDEX_OUT_OF_RANGE: there is no such
 * group or parameter. */
BP_API bp_status bp_optimizer_param_count(bp_optimizer *o, uint32_t group, uint32_t *out,
                                          bp_error **err);
BP_API bp_status bp_optimizer_param_at(bp_optimizer *o, uint32_t group, uint32_t i, bp_tensor **out,
                                       bp_error **err);
/* An attribute of a group, F64 or BOOL. set takes I64 in the place of F64 as well, and checks the
 * value as bp_optimizer_create does. */
BP_API bp_status bp_optimizer_get_attr(bp_optimizer *o, uint32_t group, const char *name,
                                       bp_attr *out, bp_error **err);
BP_API bp_status bp_optimizer_set_attr(bp_optimizer *o, uint32_t group, const bp_attr *attr,
                                       bp_error **err);
/* A tensor that is kept for a parameter, shared with the optimiser; *out is NULL while there is
 * none. */
BP_API bp_status bp_optimizer_state_at(bp_optimizer *o, uint32_t group, uint32_t i,
                                       const char *name, bp_tensor **out, bp_error **err);
/* How many steps a parameter has taken. */
BP_API bp_status bp_optimizer_steps_at(bp_optimizer *o, uint32_t group, uint32_t i, int64_t *out,
                                       bp_error **err);
/* Everything but the parameters, so that a run can be resumed bit for bit: the tensors
 * "state.<parameter>.<name>", which are the optimiser's own, and "state.<parameter>.step" (i64, on
 * the cpu), with parameters numbered through all groups; as metadata "kind", "groups",
 * "group.<i>.params" (their number) and "group.<i>.<attribute>". */
BP_API bp_status bp_optimizer_state_dict(bp_optimizer *o, bp_dict **out, bp_error **err);
/* Takes over the attributes of such a dict, and copies its tensors to where the parameters are.
 * BP_INVALID_ARGUMENT: groups or shapes do not fit, and nothing has changed. */
BP_API bp_status bp_optimizer_load_state_dict(bp_optimizer *o, bp_dict *state, bp_error **err);

/* ---- clipping -------------------------------------------------------------------------------- */
/* Scales the gradients of params so that the norm of all of them together is at most max_norm.
 * norm_type is 2, HUGE_VAL (the largest element) or any other order. *total, which may be NULL,
 * receives the norm as it was: a 0-dim tensor on the first gradient's device, f64 where a gradient
 * is, and f32 otherwise. This waits for a device only when gradients are on several kinds of
 * devices, or when error_if_nonfinite is 1; then a norm that is infinite or NaN is
 * BP_INVALID_ARGUMENT. */
BP_API bp_status bp_clip_grad_norm(bp_tensor *const *params, uint32_t n_params, double max_norm,
                                   double norm_type, uint32_t error_if_nonfinite, bp_tensor **total,
                                   bp_error **err);
/* Clips every element of the gradients of params to [-limit, limit]. */
BP_API bp_status bp_clip_grad_value(bp_tensor *const *params, uint32_t n_params, double limit,
                                    bp_error **err);

/* ---- schedules ------------------------------------------------------------------------------- */
/* A schedule sets the attribute "lr" of an optimiser's groups when it is made, which is epoch 0,
 * and at each step, by PyTorch's formulas (torch.optim.lr_scheduler). Several schedules of one
 * optimiser multiply. */

typedef struct bp_schedule bp_schedule;
/* The number of kinds of schedule. */
BP_API uint32_t bp_schedule_kind_count(void);
/* Kind i, as bp_optimizer_kind_at gives it. */
BP_API bp_status bp_schedule_kind_at(uint32_t i, const char **name, const char **doc,
                                     uint32_t *n_attrs, bp_error **err);
/* Attribute i of a kind. BP_NOT_FOUND lists the kinds. */
BP_API bp_status bp_schedule_kind_attr(const char *kind, uint32_t i, bp_attr_info *out,
                                       bp_error **err);
/* A schedule of a kind: "step", "multi_step", "exponential", "constant", "linear", "polynomial",
 * "cosine", "cosine_restarts" or "one_cycle". The optimiser is retained. */
BP_API bp_status bp_schedule_create(const char *kind, bp_optimizer *o, const bp_attr *attrs,
                                    uint32_t n_attr, bp_schedule **out, bp_error **err);
typedef bp_status (*bp_schedule_factor_fn)(void *user, int64_t epoch, double *factor,
                                           bp_error **err);
/* A schedule that sets the first rate times factor(epoch). destroy, which may be NULL, is called
 * when the schedule is gone, and also when creation fails. */
BP_API bp_status bp_schedule_create_lambda(bp_optimizer *o, bp_schedule_factor_fn factor,
                                           void *user, void (*destroy)(void *user),
                                           bp_schedule **out, bp_error **err);
/* A schedule that steps all its parts, in order. Parts are retained, and are of one optimiser. */
BP_API bp_status bp_schedule_create_chained(bp_schedule *const *parts, uint32_t n_parts,
                                            bp_schedule **out, bp_error **err);
/* A schedule that takes one part after the other: part i + 1 from epoch milestones[i] on. There are
 * n_parts - 1 milestones. */
BP_API bp_status bp_schedule_create_sequential(bp_schedule *const *parts, uint32_t n_parts,
                                               const int64_t *milestones, uint32_t n_milestones,
                                               bp_schedule **out, bp_error **err);
/* Adds a reference to s, which it returns; gives one back. */
BP_API bp_schedule *bp_schedule_retain(bp_schedule *s);
BP_API void bp_schedule_release(bp_schedule *s);
/* Goes on by one epoch. */
BP_API bp_status bp_schedule_step(bp_schedule *s, bp_error **err);
/* The number of steps since the schedule was made. */
BP_API bp_status bp_schedule_epoch(bp_schedule *s, int64_t *out, bp_error **err);
/* The rate that it set last. */
BP_API bp_status bp_schedule_last_lr(bp_schedule *s, uint32_t group, double *out, bp_error **err);
/* The state as metadata: "schedule.kind", "schedule.epoch", "schedule.last_lr" and so on, of parts
 * "schedule.<i>.kind" and so on. The rates themselves are in the optimiser's state. Loading wants a
 * schedule that was made alike. */
BP_API bp_status bp_schedule_state_dict(bp_schedule *s, bp_dict **out, bp_error **err);
BP_API bp_status bp_schedule_load_state_dict(bp_schedule *s, bp_dict *state, bp_error **err);

#ifdef __cplusplus
}
#endif
#endif
