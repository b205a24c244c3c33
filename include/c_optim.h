/* c_optim.h: optimisers, gradient clipping, schedules. C99; included by c_api.h, whose conventions
 * hold.
 *
 * An optimiser changes parameters, which are ordinary tensors that require a gradient, by their
 * gradients (bp_tensor_grad). Kinds, attributes, defaults, formulas and texts are PyTorch's
 * torch.optim; a pair of betas is two attributes here, "beta1" and "beta2". Kinds and their
 * attributes are data (bp_optimizer_kind_at), from which bindings build themselves. A step changes
 * all parameters of one device and dtype by one kernel launch and waits for nobody. What an
 * optimiser keeps for a parameter is made at its first step, where the parameter is, and follows it
 * when its data moves to another device or dtype.
 *
 *   bp_attr lr = {"lr", BP_ATTR_F64, 1, {0}, 0};
 *   bp_optimizer *o = NULL;
 *   lr.value.f64 = 0.1;
 *   if (bp_optimizer_create("SGD", params, n, &lr, 1, &o, &err) == BP_OK) {
 *     bp_optimizer_zero_grad(o, 1, &err);
 *     ...  (forward, bp_backward)
 *     bp_optimizer_step(o, &err);
 *   }
 *   bp_optimizer_release(o);
 */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_OPTIM_H
#define BACKPLANE_C_OPTIM_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- kinds as data --------------------------------------------------------------------------- */
BP_API uint32_t bp_optimizer_kind_count(void);
/* name, doc: static. Any of them may be NULL. BP_INDEX_OUT_OF_RANGE. */
BP_API bp_status bp_optimizer_kind_at(uint32_t i, const char **name, const char **doc,
                                      uint32_t *n_attrs, bp_error **err);
/* Attributes are of kind F64 or BOOL. BP_NOT_FOUND lists the kinds. */
BP_API bp_status bp_optimizer_kind_attr(const char *kind, uint32_t i, bp_attr_info *out,
                                        bp_error **err);
/* What the kind keeps for a parameter: "exp_avg"; BP_INDEX_OUT_OF_RANGE beyond the last. */
BP_API bp_status bp_optimizer_kind_state(const char *kind, uint32_t i, const char **name,
                                         bp_error **err);

/* ---- optimisers ------------------------------------------------------------------------------ */
typedef struct bp_optimizer bp_optimizer;
/* kind: "SGD", "Adam", "AdamW", "RMSprop", "Adagrad". params are retained and make group 0; at
 * least one; leaves of a floating or complex dtype, none twice; on any devices. attrs by name, for
 * this group and as defaults of further ones; the rest has the kind's defaults. BP_INVALID_ARGUMENT
 * with PyTorch's sentence for a value that makes no sense. */
BP_API bp_status bp_optimizer_create(const char *kind, bp_tensor *const *params, uint32_t n_params,
                                     const bp_attr *attrs, uint32_t n_attr, bp_optimizer **out,
                                     bp_error **err);
BP_API bp_optimizer *bp_optimizer_retain(bp_optimizer *o);
BP_API void bp_optimizer_release(bp_optimizer *o);
BP_API bp_status bp_optimizer_kind(bp_optimizer *o, const char **out, bp_error **err); /* static */
/* Parameters with attributes of their own. */
BP_API bp_status bp_optimizer_add_group(bp_optimizer *o, bp_tensor *const *params,
                                        uint32_t n_params, const bp_attr *attrs, uint32_t n_attr,
                                        bp_error **err);
/* Parameters without a gradient are passed over. A gradient has its parameter's device, dtype and
 * shape. Versions count the writes, so that a backward through an earlier forward is refused where
 * it would read what changed. */
BP_API bp_status bp_optimizer_step(bp_optimizer *o, bp_error **err);
/* set_to_none 1: takes the gradients away; 0: fills them with zeros. */
BP_API bp_status bp_optimizer_zero_grad(bp_optimizer *o, uint32_t set_to_none, bp_error **err);
BP_API uint32_t bp_optimizer_group_count(bp_optimizer *o); /* 0 for NULL */
BP_API bp_status bp_optimizer_param_count(bp_optimizer *o, uint32_t group, uint32_t *out,
                                          bp_error **err);
/* owned */
BP_API bp_status bp_optimizer_param_at(bp_optimizer *o, uint32_t group, uint32_t i, bp_tensor **out,
                                       bp_error **err);
/* An attribute of a group: value is F64 or BOOL. set takes I64 for F64 as well, and checks as
 * create does. */
BP_API bp_status bp_optimizer_get_attr(bp_optimizer *o, uint32_t group, const char *name,
                                       bp_attr *out, bp_error **err);
BP_API bp_status bp_optimizer_set_attr(bp_optimizer *o, uint32_t group, const bp_attr *attr,
                                       bp_error **err);
/* What is kept for a parameter, shared; *out NULL: nothing yet. steps: how many it has taken. */
BP_API bp_status bp_optimizer_state_at(bp_optimizer *o, uint32_t group, uint32_t i,
                                       const char *name, bp_tensor **out, bp_error **err);
BP_API bp_status bp_optimizer_steps_at(bp_optimizer *o, uint32_t group, uint32_t i, int64_t *out,
                                       bp_error **err);
/* Everything but the parameters: tensors "state.<parameter>.<name>" and "state.<parameter>.step"
 * (i64, cpu), parameters numbered through all groups; metadata "kind", "groups", "group.<i>.params"
 * (how many), "group.<i>.<attribute>". The tensors are the optimiser's own. Loading copies them to
 * where the parameters are, and takes the attributes; groups and shapes must fit, else
 * BP_INVALID_ARGUMENT and nothing has changed. A resumed run continues bit for bit. */
BP_API bp_status bp_optimizer_state_dict(bp_optimizer *o, bp_dict **out, bp_error **err);
BP_API bp_status bp_optimizer_load_state_dict(bp_optimizer *o, bp_dict *state, bp_error **err);

/* ---- clipping -------------------------------------------------------------------------------- */
/* Scales the gradients of params so that the norm of all of them together is at most max_norm.
 * norm_type: 2, HUGE_VAL (the largest element) or any other order. *total (may be NULL): that norm
 * before, 0-dim, on the first gradient's device; f64 where a gradient is, else f32. Neither waits
 * for a device, unless gradients are on several kinds of them, or error_if_nonfinite is 1: then
 * BP_INVALID_ARGUMENT where the norm is infinite or NaN. */
BP_API bp_status bp_clip_grad_norm(bp_tensor *const *params, uint32_t n_params, double max_norm,
                                   double norm_type, uint32_t error_if_nonfinite, bp_tensor **total,
                                   bp_error **err);
/* Every element of the gradients within [-limit, limit]. */
BP_API bp_status bp_clip_grad_value(bp_tensor *const *params, uint32_t n_params, double limit,
                                    bp_error **err);

/* ---- schedules ------------------------------------------------------------------------------- */
/* A schedule sets "lr" of an optimiser's groups: when it is made (epoch 0) and at each step, by
 * PyTorch's formulas (torch.optim.lr_scheduler). Several on one optimiser multiply. */
typedef struct bp_schedule bp_schedule;
BP_API uint32_t bp_schedule_kind_count(void);
BP_API bp_status bp_schedule_kind_at(uint32_t i, const char **name, const char **doc,
                                     uint32_t *n_attrs, bp_error **err);
/* BP_NOT_FOUND lists the kinds. */
BP_API bp_status bp_schedule_kind_attr(const char *kind, uint32_t i, bp_attr_info *out,
                                       bp_error **err);
/* kind: "step", "multi_step", "exponential", "constant", "linear", "polynomial", "cosine",
 * "cosine_restarts", "one_cycle". The optimiser is retained. */
BP_API bp_status bp_schedule_create(const char *kind, bp_optimizer *o, const bp_attr *attrs,
                                    uint32_t n_attr, bp_schedule **out, bp_error **err);
/* The first rate times factor(epoch). destroy (may be NULL) is called when the schedule goes, also
 * when creation fails. */
typedef bp_status (*bp_schedule_factor_fn)(void *user, int64_t epoch, double *factor,
                                           bp_error **err);
BP_API bp_status bp_schedule_create_lambda(bp_optimizer *o, bp_schedule_factor_fn factor,
                                           void *user, void (*destroy)(void *user),
                                           bp_schedule **out, bp_error **err);
/* All parts at each step, in order. Parts are retained, and are of one optimiser. */
BP_API bp_status bp_schedule_create_chained(bp_schedule *const *parts, uint32_t n_parts,
                                            bp_schedule **out, bp_error **err);
/* One part after the other: part i + 1 from epoch milestones[i] on, n_parts - 1 of them. */
BP_API bp_status bp_schedule_create_sequential(bp_schedule *const *parts, uint32_t n_parts,
                                               const int64_t *milestones, uint32_t n_milestones,
                                               bp_schedule **out, bp_error **err);
BP_API bp_schedule *bp_schedule_retain(bp_schedule *s);
BP_API void bp_schedule_release(bp_schedule *s);
BP_API bp_status bp_schedule_step(bp_schedule *s, bp_error **err);
/* Steps since it was made, and the rate it set last. */
BP_API bp_status bp_schedule_epoch(bp_schedule *s, int64_t *out, bp_error **err);
BP_API bp_status bp_schedule_last_lr(bp_schedule *s, uint32_t group, double *out, bp_error **err);
/* As metadata: "schedule.kind", "schedule.epoch", "schedule.last_lr" ..., of parts
 * "schedule.<i>.kind" ...; the optimiser's own state has the rates themselves. A schedule is loaded
 * into one that was made alike. */
BP_API bp_status bp_schedule_state_dict(bp_schedule *s, bp_dict **out, bp_error **err);
BP_API bp_status bp_schedule_load_state_dict(bp_schedule *s, bp_dict *state, bp_error **err);

#ifdef __cplusplus
}
#endif
#endif
