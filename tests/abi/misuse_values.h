/* SPDX-License-Identifier: Apache-2.0 */
/* misuse_values.h: for each kind of parameter the values that misuse.c hands to the library. Value
 * 0 is a good one, so that a call with everything else at 0 reaches as far as it can. Arrays are
 * longer than any count the library may believe (BP_MAX_RANK sizes, BP_MAX_INPUTS operands): what
 * lies behind a larger count must never be read. */
#ifndef BACKPLANE_TESTS_MISUSE_VALUES_H
#define BACKPLANE_TESTS_MISUSE_VALUES_H

#include <math.h>
#include <string.h>

#include "c_api.h"

#define N(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
#define HUGE_COUNT ((int64_t)1 << 62) /* times any element size: more bytes than there are */

static int32_t ranks[] = {2, 0, 1, -1, 64, 65, INT32_MAX, INT32_MIN};
static int32_t ints[] = {2, 0, 1, -1, 99, INT32_MAX, INT32_MIN};
static uint32_t uints[] = {1, 0, 2, 65, 4097, INT32_MAX, UINT32_MAX};
/* as many results as a slot has room for */
static uint32_t param_counts[] = {1, 0, 2, 65, INT32_MAX, UINT32_MAX};
static int64_t longs[] = {1, 0, -1, 3, -3, HUGE_COUNT, INT64_MAX, INT64_MIN};
static uint64_t bytes_values[] = {24, 0, 1, 23, (uint64_t)1 << 62, UINT64_MAX};
static uint64_t capacities[] = {4096, 0, 1, 2};
static double doubles[] = {1.0, 0.0, -1.0, 1e300, -1e300, 1e-300, INFINITY, NAN};
static bp_dtype dtypes[] = {BP_F32,  BP_DTYPE_NONE, BP_BOOL,        BP_I64, BP_F16,    BP_C64,
                            BP_C128, BP_U64,        BP_DTYPE_COUNT, -2,     INT32_MAX, INT32_MIN};
static bp_fallback fallbacks[] = {BP_FALLBACK_INHERIT, BP_FALLBACK_CPU, BP_FALLBACK_REFUSE, -1, 3};
static bp_precision precisions[] = {
    BP_PRECISION_HIGH, BP_PRECISION_HIGHEST, -1, BP_PRECISION_MEDIUM + 1, INT32_MAX, INT32_MIN};
static bp_status statuses[] = {BP_INTERNAL, BP_OK, 3, -99, INT32_MAX, INT32_MIN};
static bp_kind kinds[] = {BP_KIND_CPU, BP_KIND_NONE, BP_KIND_CUDA, BP_KIND_DYNAMIC,
                          999,         -1,           INT32_MAX,    INT32_MIN};

static char long_text[6000];
// clang-format off
static const char *texts[] = {"cpu",    "",        "cpu:0",  "add",  "cpu:99999999999999999999", "cuda:0,2;sim:*",
                              "%s%n%d", "\xff\xfe", ";:,=;=", "a\nb", long_text,                 NULL};
// clang-format on

static const char *paths[] = {"misuse.file",          "",          "/",       "/dev/null",
                              "/no/such/folder/file", "a\nb/\xff", long_text, NULL};

static int64_t shape_2x3[128], shape_zero[128], shape_negative[128], shape_huge[128],
    shape_ones[128], counting[128];
static const int64_t *shapes[] = {shape_2x3,  NULL,       shape_zero, shape_negative,
                                  shape_huge, shape_ones, counting};
static const int64_t *int_arrays[] = {counting,   NULL,       shape_zero, shape_negative,
                                      shape_huge, shape_ones, shape_2x3};

/* Handles: of this generation, of none, of another type, of a generation that is over. */
static bp_tensor *tensors[9];
static bp_generator *generators[4];
static bp_context *contexts[4];
static bp_stream *streams[4];
static bp_event *events[4];
static bp_report *reports[4];
static bp_error *errors[3];
static bp_dict *dicts[4];
static bp_module *modules[4];
static bp_dataset *datasets[4];
static bp_loader *loaders[4];
static bp_metric *metrics[4];
static bp_metric_kind metric_kinds[] = {BP_METRIC_MEAN, BP_METRIC_ACCURACY, 2, -1,
                                        INT32_MAX,      INT32_MIN};
static bp_device devices[14];
static bp_optimizer *optimizers[4];
static bp_schedule *schedules[4];
static bp_replicas *replicas[4];
static bp_trainer *trainers[4];
static bp_program *programs[4];
static bp_group *groups[4];
static bp_work *works[4];
static bp_reduce_op reduces[] = {BP_REDUCE_SUM, BP_REDUCE_MEAN, BP_REDUCE_MAX, 5, -1, INT32_MIN};
static uint64_t byte_counts[] = {0, 1, 4096, INT64_MAX, UINT64_MAX}; /* of host_data's 4096 */
static bp_group_desc group_rooms[8];
static const bp_group_desc *group_descs[N(group_rooms) + 1];
static bp_device devices[14], equal_devices[1100], mixed_devices[1100];
static const bp_device *device_arrays[] = {equal_devices, NULL, mixed_devices};
static uint32_t op_ids[512];
static uint32_t n_op_ids;

static bp_value values[18];
static const bp_value *value_pointers[N(values) + 1];
static bp_value good_inputs[BP_MAX_INPUTS + 8], none_inputs[BP_MAX_INPUTS + 8],
    mixed_inputs[BP_MAX_INPUTS + 8];
static const bp_value *input_arrays[] = {good_inputs, NULL, none_inputs, mixed_inputs};
static bp_tensor *good_tensors[BP_MAX_INPUTS + 8], *mixed_tensors[BP_MAX_INPUTS + 8];
static bp_tensor *const *tensor_arrays[] = {good_tensors, NULL, mixed_tensors};
static bp_attr attr_sets[12][BP_MAX_ATTRS + 8];
static const bp_attr *attr_arrays[N(attr_sets) + 1];

static uint64_t host_data[512]; /* what void pointers point to */
static void *buffers[] = {host_data, NULL};
static char text_room[8192];
static char *text_buffers[] = {text_room, NULL};

/* DLPack's structs, as another library hands them over; nothing is deleted with them. */
typedef struct array {
  void *data;
  int32_t device_type, device_id, rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t offset_bytes;
} array;
struct DLManagedTensor {
  array array;
  void *owner;
  void (*deleter)(struct DLManagedTensor *);
};
struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void *owner;
  void (*deleter)(struct DLManagedTensorVersioned *);
  uint64_t flags;
  array array;
};
static struct DLManagedTensor unversioned_rooms[16];
static struct DLManagedTensorVersioned versioned_rooms[19];
static struct DLManagedTensor *unversioned[N(unversioned_rooms) + 1];
static struct DLManagedTensorVersioned *versioned[N(versioned_rooms) + 1];

static bp_print_options print_rooms[8];
static const bp_print_options *print_options[N(print_rooms) + 1];
static bp_program_options program_rooms[5];
static const bp_program_options *program_options[N(program_rooms) + 1];
static bp_profile_options profile_rooms[5];
static const bp_profile_options *profile_options[N(profile_rooms) + 1];
static char desc_room[3][65536 + 64]; /* structs with a tail */
static bp_init_desc init_rooms[6];
static const bp_init_desc *init_descs[N(init_rooms) + 3];
static bp_dataset_desc dataset_rooms[6];
static const bp_dataset_desc *dataset_descs[N(dataset_rooms) + 1];
static bp_loader_desc loader_rooms[8];
static const bp_loader_desc *loader_descs[N(loader_rooms) + 1];
static bp_trainer_desc trainer_rooms[8];
static const bp_trainer_desc *trainer_descs[N(trainer_rooms) + 1];
static bp_fit_desc fit_rooms[7];
static const bp_fit_desc *fit_descs[N(fit_rooms) + 1];
static bp_op_desc op_rooms[10];
static const bp_op_desc *op_descs[N(op_rooms) + 1];

static bp_grad_function_desc grad_function_rooms[6];
static const bp_grad_function_desc *grad_function_descs[N(grad_function_rooms) + 1];

static void ignore(void *user) { (void)user; }
typedef void (*release_fn)(void *user);
static release_fn release_fns[] = {ignore, NULL};

static bp_status run_nothing(void *user, const bp_launch *launch, bp_error **err) {
  (void)user;
  (void)launch;
  return bp_error_set(err, BP_CALLBACK, "the kernel of misuse refuses");
}
static bp_op_kernel_fn kernel_fns[] = {run_nothing, NULL};

static bp_schedule *good_schedules[4100], *mixed_schedules[4100];
static bp_schedule *const *schedule_arrays[] = {good_schedules, NULL, mixed_schedules};
static bp_status factor_one(void *user, int64_t epoch, double *factor, bp_error **err) {
  (void)user, (void)epoch, (void)factor, (void)err;
  return BP_OK;
}
static bp_status factor_refuses(void *user, int64_t epoch, double *factor, bp_error **err) {
  (void)user, (void)epoch, (void)factor;
  return bp_error_set(err, BP_CALLBACK, "the factor of misuse refuses");
}
static bp_schedule_factor_fn factor_fns[] = {factor_one, factor_refuses, NULL};

static bp_status hook_nothing(void *user, bp_tensor *grad, bp_tensor **out, bp_error **err) {
  (void)user, (void)grad, (void)out, (void)err;
  return BP_OK;
}
static bp_status hook_refuses(void *user, bp_tensor *grad, bp_tensor **out, bp_error **err) {
  (void)user, (void)grad, (void)out;
  return bp_error_set(err, BP_CALLBACK, "the hook of misuse refuses");
}
static bp_grad_hook_fn grad_hooks[] = {hook_nothing, hook_refuses, NULL};

static void visit_context(void *user, void (*destroy)(void *user), void *arg) {
  (void)user, (void)destroy, (void)arg;
}
static bp_context_visit_fn context_fns[] = {visit_context, NULL};

static bp_status wait_on(void *user, bp_error **err) {
  (void)user, (void)err;
  return BP_OK;
}
static bp_wait_fn wait_fns[] = {wait_on, NULL};

static bp_status no_backward(void *user, bp_tensor *const *saved, uint32_t n_saved,
                             bp_tensor *const *grads, uint32_t n_grads, bp_tensor **out,
                             uint32_t n_out, bp_error **err) {
  (void)user, (void)saved, (void)n_saved, (void)grads, (void)n_grads, (void)out, (void)n_out,
      (void)err;
  return BP_OK;
}

static bp_status infer_nonsense(void *user, const bp_tensor_spec *in, uint32_t n_in,
                                const bp_attr *attrs, uint32_t n_attr, bp_tensor_spec *out,
                                uint32_t n_out, bp_error **err) {
  (void)in, (void)n_in, (void)attrs, (void)n_attr, (void)err;
  for (uint32_t i = 0; i < n_out; ++i) {
    out[i].dtype = user ? 77 : BP_F32;
    out[i].rank = user ? 1000 : 1;
    out[i].shape[0] = user ? -5 : 2;
  }
  return BP_OK;
}
static bp_status fail_silently(void *user, bp_tensor *const *in, uint32_t n_in,
                               const bp_attr *attrs, uint32_t n_attr, bp_tensor **out,
                               uint32_t n_out, bp_error **err) {
  (void)user, (void)in, (void)n_in, (void)attrs, (void)n_attr, (void)out, (void)n_out, (void)err;
  return -77;
}
static bp_status forget_outputs(void *user, bp_tensor *const *in, uint32_t n_in,
                                const bp_attr *attrs, uint32_t n_attr, bp_tensor **out,
                                uint32_t n_out, bp_error **err) {
  (void)user, (void)in, (void)n_in, (void)attrs, (void)n_attr, (void)out, (void)n_out, (void)err;
  return BP_OK;
}

static bp_status forward_nothing(void *user, bp_module *m, bp_tensor *const *inputs, uint32_t n_in,
                                 bp_tensor **outputs, uint32_t n_out, bp_error **err) {
  (void)user, (void)m, (void)inputs, (void)n_in, (void)outputs, (void)n_out;
  return bp_error_set(err, BP_CALLBACK, "the forward of misuse refuses");
}
static bp_module_forward_fn forward_fns[] = {forward_nothing, NULL};
static bp_module_hook_fn hook_fns[] = {forward_nothing, NULL};
static bp_status visit_nothing(void *user, bp_module *m, bp_error **err) {
  (void)user, (void)m, (void)err;
  return -77;
}
static bp_module_visit_fn visit_fns[] = {visit_nothing, NULL};
static bp_module_desc module_rooms[6];
static const bp_module_desc *module_descs[N(module_rooms) + 1];
static bp_attr linear_attrs[2];
static bp_status give_nonsense(void *user, const int64_t *indices, uint64_t n, bp_tensor **outs,
                               uint32_t n_outs, bp_error **err) {
  (void)user, (void)indices, (void)n, (void)n_outs, (void)err;
  outs[0] = bp_tensor_retain(tensors[0]);
  return BP_OK;
}

static void fill_arrays(void) {
  memset(long_text, 'x', sizeof long_text - 1);
  for (int i = 0; i < 128; ++i) {
    shape_2x3[i] = i == 0 ? 2 : i == 1 ? 3 : 1;
    shape_negative[i] = -1 - i;
    shape_huge[i] = HUGE_COUNT;
    shape_ones[i] = 1;
    counting[i] = i;
  }
}

static bp_value value_of(int32_t kind, int64_t number) {
  bp_value v;
  memset(&v, 0, sizeof v);
  v.kind = kind;
  v.as.i64 = number;
  return v;
}
static bp_value value_of_double(double number) {
  bp_value v = value_of(BP_VALUE_F64, 0);
  v.as.f64 = number;
  return v;
}
static bp_value value_of_complex(double real, double imaginary) {
  bp_value v = value_of(BP_VALUE_C128, 0);
  v.as.c128[0] = real;
  v.as.c128[1] = imaginary;
  return v;
}
static bp_value value_of_tensor(bp_tensor *t) {
  bp_value v = value_of(BP_VALUE_TENSOR, 0);
  v.as.tensor = t;
  return v;
}

static void fill_values(void) {
  for (uint32_t i = 0; i < N(equal_devices); ++i) {
    equal_devices[i] = devices[0];
    mixed_devices[i] = devices[i % N(devices)];
  }
  for (uint32_t i = 0; i < N(good_schedules); ++i) {
    good_schedules[i] = schedules[0];
    mixed_schedules[i] = schedules[i % 4];
  }
  const bp_value all[] = {value_of(BP_VALUE_I64, 1),
                          value_of_tensor(tensors[0]),
                          value_of_tensor(NULL),
                          value_of_tensor(tensors[2]),
                          value_of_tensor(tensors[3]),
                          value_of(BP_VALUE_NONE, 0),
                          value_of(BP_VALUE_BOOL, 1),
                          value_of(BP_VALUE_BOOL, 55),
                          value_of(77, 1),
                          value_of(-1, 1),
                          value_of(BP_VALUE_I64, INT64_MIN),
                          value_of_double(2.5),
                          value_of_double(1e300),
                          value_of_double(NAN),
                          value_of_double(-INFINITY),
                          value_of_tensor(tensors[4]),
                          value_of_complex(1, -2),
                          value_of_complex(NAN, INFINITY)};
  memcpy(values, all, sizeof values);
  for (uint32_t i = 0; i < N(values); ++i) value_pointers[i] = &values[i];
  value_pointers[N(values)] = NULL;
  for (uint32_t i = 0; i < N(good_inputs); ++i) {
    good_inputs[i] = values[1];
    none_inputs[i] = values[5];
    mixed_inputs[i] = values[i % N(values)];
    good_tensors[i] = tensors[0];
    mixed_tensors[i] = tensors[i % N(tensors)];
  }
}

static bp_attr attr_of(const char *name, bp_attr_kind kind, uint32_t count, int64_t number) {
  bp_attr a;
  memset(&a, 0, sizeof a);
  a.name = name;
  a.kind = kind;
  a.count = count;
  a.value.i64 = number;
  return a;
}
static bp_attr attr_of_ints(const char *name, uint32_t count, const int64_t *ints) {
  bp_attr a = attr_of(name, BP_ATTR_INTS, count, 0);
  a.value.ints = ints;
  return a;
}

static void fill_attrs(void) {
  const bp_attr first[] = {attr_of_ints("axis", 1, counting),
                           attr_of("axis", BP_ATTR_I64, 1, HUGE_COUNT),
                           attr_of("dtype", BP_ATTR_DTYPE, 1, 99),
                           attr_of(NULL, BP_ATTR_I64, 1, 0),
                           attr_of("no_such_attribute", BP_ATTR_I64, 1, 0),
                           attr_of("axis", 77, 1, 0),
                           attr_of_ints("axis", 5, NULL),
                           attr_of_ints("shape", UINT32_MAX, counting),
                           attr_of_ints("shape", 2, shape_huge),
                           attr_of_ints("shape", 2, shape_negative),
                           attr_of("num_classes", BP_ATTR_I64, 1, INT64_MAX),
                           attr_of(long_text, BP_ATTR_STR, 9, 0)};
  for (uint32_t set = 0; set < N(attr_sets); ++set) {
    attr_sets[set][0] = first[set];
    for (uint32_t i = 1; i < N(attr_sets[0]); ++i) attr_sets[set][i] = first[(set + i) % N(first)];
    attr_arrays[set] = attr_sets[set];
  }
  attr_arrays[N(attr_sets)] = NULL;
}

static void fill_arrays_of_others(void) {
  const array good = {host_data, 1, 0, 2, 2, 32, 1, shape_2x3, NULL, 0};
  array all[N(unversioned_rooms)];
  for (uint32_t i = 0; i < N(all); ++i) all[i] = good;
  all[1].rank = -1;
  all[2].rank = INT32_MAX;
  all[3].shape = NULL;
  all[4].bits = 77;
  all[5].lanes = 4;
  all[6].device_type = 99;
  all[7].device_type = 12;
  all[8].device_type = 2, all[8].device_id = -1;
  all[9].data = NULL;
  all[10].shape = shape_huge;
  all[11].strides = shape_huge;
  all[12].offset_bytes = 1;
  all[13].shape = shape_negative;
  all[14].device_type = -1;
  all[15].device_type = INT32_MAX;
  for (uint32_t i = 0; i < N(versioned_rooms); ++i) {
    const struct DLManagedTensorVersioned m = {1, 0, NULL, NULL, 0, i < N(all) ? all[i] : good};
    versioned_rooms[i] = m;
    versioned[i] = &versioned_rooms[i];
  }
  versioned_rooms[16].major = 2;
  versioned_rooms[17].major = 0;
  versioned_rooms[18].flags = 1; /* read-only */
  for (uint32_t i = 0; i < N(unversioned_rooms); ++i) {
    const struct DLManagedTensor m = {all[i], NULL, NULL};
    unversioned_rooms[i] = m;
    unversioned[i] = &unversioned_rooms[i];
  }
}

static void fill_descs(void) {
  fill_arrays_of_others();
  linear_attrs[0] = attr_of("in_features", BP_ATTR_I64, 1, 3);
  linear_attrs[1] = attr_of("out_features", BP_ATTR_I64, 1, 2);
  for (uint32_t i = 0; i < N(module_rooms); ++i) {
    memset(&module_rooms[i], 0, sizeof module_rooms[i]);
    module_rooms[i].struct_size = i == 1 ? 3 : (uint32_t)sizeof module_rooms[i];
    module_rooms[i].title = i == 2 ? NULL : i == 3 ? "two\nlines" : i == 4 ? long_text : "Misused";
    module_rooms[i].flags = i == 5 ? 64 : 0;
    module_rooms[i].forward = forward_nothing;
    module_descs[i] = &module_rooms[i];
  }
  module_descs[N(module_rooms)] = NULL;
  const uint32_t sizes[] = {sizeof(bp_print_options), 0, 3, 8, 65536, 65537, UINT32_MAX,
                            sizeof(bp_print_options)};
  for (uint32_t i = 0; i < N(print_rooms); ++i) {
    const bp_print_options p = {
        sizes[i], i == 7 ? -5 : 4, i == 7 ? -1 : 1000, i == 7 ? INT32_MIN : 3, 80, -1, 0};
    print_rooms[i] = p;
    print_options[i] = &print_rooms[i];
  }
  /* Sizes that promise a tail get one. */
  memcpy(desc_room[0], &print_rooms[4], sizeof print_rooms[4]);
  memcpy(desc_room[1], &print_rooms[5], sizeof print_rooms[5]);
  print_options[4] = (const bp_print_options *)(void *)desc_room[0];
  print_options[5] = (const bp_print_options *)(void *)desc_room[1];
  print_options[N(print_rooms)] = NULL;

  const uint32_t room_of_program[] = {sizeof(bp_program_options), 0, 4, 65537, UINT32_MAX};
  for (uint32_t i = 0; i < N(program_rooms); ++i) {
    program_rooms[i].struct_size = room_of_program[i];
    program_rooms[i].without = i % 2 ? 64 : BP_PASS_DEAD;
    program_options[i] = &program_rooms[i];
  }
  program_options[N(program_rooms)] = NULL;
  const uint32_t room_of_profile[] = {sizeof(bp_profile_options), 0, 4, 65537, UINT32_MAX};
  for (uint32_t i = 0; i < N(profile_rooms); ++i) {
    profile_rooms[i].struct_size = room_of_profile[i];
    profile_rooms[i].most_spans = 1000;
    profile_options[i] = &profile_rooms[i];
  }
  profile_options[N(profile_rooms)] = NULL;

  for (uint32_t i = 0; i < N(init_rooms); ++i) {
    memset(&init_rooms[i], 0, sizeof init_rooms[i]);
    init_rooms[i].struct_size = sizeof init_rooms[i];
    init_descs[i] = &init_rooms[i];
  }
  init_rooms[1].struct_size = 3;
  init_rooms[2].flags = 0x40000000u;
  init_rooms[3].plugin_dirs = "relative:/no/such/directory::";
  init_rooms[3].options = ";=;cpu;=cpu.x=;cpu.=1";
  init_rooms[4].visible_devices = "cpu:0,,;;9";
  init_rooms[4].alias = "a=b=c,=";
  init_rooms[5].allow = long_text;
  init_descs[6] = (const bp_init_desc *)(void *)desc_room[2];
  memset(desc_room[2], 0x5a, sizeof desc_room[2]); /* a size of 0x5a5a5a5a and garbage behind it */
  init_descs[7] = (const bp_init_desc *)(void *)(desc_room[0] + 64); /* all zero: a size of 0 */
  init_descs[8] = NULL;

  for (uint32_t i = 0; i < N(op_rooms); ++i) {
    memset(&op_rooms[i], 0, sizeof op_rooms[i]);
    op_rooms[i].struct_size = sizeof op_rooms[i];
    op_rooms[i].name = "misuse.op";
    op_rooms[i].n_inputs = op_rooms[i].n_outputs = 1;
    op_rooms[i].infer = infer_nonsense;
    op_rooms[i].compose = forget_outputs;
    op_descs[i] = &op_rooms[i];
  }
  op_rooms[1].struct_size = 5;
  op_rooms[2].name = NULL;
  op_rooms[3].name = "Not a name";
  op_rooms[4].name = "add";
  op_rooms[5].n_inputs = UINT32_MAX;
  op_rooms[6].n_outputs = 0;
  op_rooms[7].infer = NULL;
  op_rooms[8].name = "misuse.fails", op_rooms[8].compose = fail_silently;
  op_rooms[9].name = "misuse.nonsense", op_rooms[9].user = host_data;
  op_descs[N(op_rooms)] = NULL;
  for (uint32_t i = 0; i < N(grad_function_rooms); ++i) {
    grad_function_rooms[i].struct_size = sizeof grad_function_rooms[i];
    grad_function_rooms[i].name = "MisuseBackward";
    grad_function_rooms[i].backward = no_backward;
    grad_function_descs[i] = &grad_function_rooms[i];
  }
  grad_function_rooms[1].struct_size = 5;
  grad_function_rooms[2].name = NULL;
  grad_function_rooms[3].backward = NULL;
  grad_function_rooms[4].n_saved = 3;
  grad_function_rooms[5].n_saved = UINT32_MAX;
  grad_function_descs[N(grad_function_rooms)] = NULL;
  for (uint32_t i = 0; i < N(dataset_rooms); ++i) {
    const bp_dataset_desc d = {sizeof d, 1, 5, give_nonsense, NULL, NULL};
    dataset_rooms[i] = d;
    dataset_descs[i] = &dataset_rooms[i];
  }
  dataset_rooms[1].struct_size = 3;
  dataset_rooms[2].n_tensors = UINT32_MAX;
  dataset_rooms[3].length = -1;
  dataset_rooms[4].get = NULL;
  dataset_rooms[5].n_tensors = 0;
  dataset_descs[N(dataset_rooms)] = NULL;
  for (uint32_t i = 0; i < N(group_rooms); ++i) {
    const bp_group_desc d = {sizeof d, 0, "lone", 0, NULL};
    group_rooms[i] = d;
    group_descs[i] = &group_rooms[i];
  }
  group_rooms[1].struct_size = 5;
  group_rooms[2].flags = UINT32_MAX;
  group_rooms[3].flags = BP_GROUP_CHECK | BP_GROUP_NO_CHECK;
  group_rooms[4].timeout_ns = INT64_MIN;
  group_rooms[5].kind = NULL;
  group_rooms[6].kind = "cpu";
  group_rooms[7].kind = "no/kind";
  group_descs[N(group_rooms)] = NULL;
  for (uint32_t i = 0; i < N(loader_rooms); ++i) {
    const bp_loader_desc d = {
        sizeof d, BP_LOADER_SHUFFLE, 2, bp_device_make(BP_KIND_CPU, -1), 2, 0, 7, 0, 1};
    loader_rooms[i] = d;
    loader_descs[i] = &loader_rooms[i];
  }
  loader_rooms[1].struct_size = 5;
  loader_rooms[2].flags = UINT32_MAX;
  loader_rooms[3].batch_size = 0;
  loader_rooms[4].batch_size = INT64_MAX;
  loader_rooms[5].device = bp_device_make(999, 0);
  loader_rooms[6].prefetch = UINT32_MAX;
  loader_rooms[7].reserved = 1;
  loader_descs[N(loader_rooms)] = NULL;
}

static bp_status refuse_loss(void *user, bp_module *m, bp_tensor *const *batch, uint32_t n,
                             bp_tensor **loss, bp_tensor **output, bp_error **err) {
  (void)user, (void)m, (void)batch, (void)n, (void)loss, (void)output;
  return bp_error_set(err, BP_CALLBACK, "the loss of misuse refuses");
}

/* Points at the handles of the day. */
static void fill_trainers(void) {
  for (uint32_t i = 0; i < N(trainer_rooms); ++i) {
    const bp_trainer_desc d = {sizeof d, 0,    1,          0,    modules,     optimizers,
                               NULL,     NULL, loaders[0], NULL, refuse_loss, NULL,
                               NULL,     NULL, NULL,       NULL, NULL,        NULL};
    trainer_rooms[i] = d;
    trainer_descs[i] = &trainer_rooms[i];
  }
  trainer_rooms[1].struct_size = 5;
  trainer_rooms[2].flags = UINT32_MAX;
  trainer_rooms[3].n_devices = 0;
  trainer_rooms[4].n_devices = UINT32_MAX;
  trainer_rooms[5].modules = NULL;
  trainer_rooms[6].loader = (bp_loader *)(void *)tensors[0];
  trainer_rooms[7].modules = modules + 1; /* NULL inside */
  trainer_descs[N(trainer_rooms)] = NULL;
  for (uint32_t i = 0; i < N(fit_rooms); ++i) {
    const bp_fit_desc d = {sizeof d, 0, 1, 0, NULL};
    fit_rooms[i] = d;
    fit_descs[i] = &fit_rooms[i];
  }
  fit_rooms[1].struct_size = 0;
  fit_rooms[2].reserved = 7;
  fit_rooms[3].gradient_clip_val = -1;
  fit_rooms[4].gradient_clip_val = HUGE_VAL;
  fit_rooms[5].max_epochs = UINT64_MAX;
  fit_rooms[6].checkpoint = "/nowhere/at/all";
  fit_descs[N(fit_rooms)] = NULL;
}

#endif
