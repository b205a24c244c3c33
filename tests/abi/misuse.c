/* SPDX-License-Identifier: Apache-2.0 */
/* misuse.c: every function of the API called wrongly: NULLs, handles of other types and of a
 * generation that is over, sizes that are zero or overflow, dtypes, devices and ranks that do not
 * exist. Built -O2 by a C compiler.
 *
 * Each function is called with every pair of its parameters' values (misuse_values.h) while the
 * others are good, and with all combinations where they are few. It must come back; an error must
 * be negative, carry one line of text and leave its outputs alone. `misuse --list` prints the
 * functions it knows; a test compares them with the exports. */
#include <stdio.h>
#include <stdlib.h>

#include "misuse_values.h"

enum {
  MAX_PARAMETERS = 16,
  SLOT_BYTES = 1024,
  N_SLOTS = 2,
  N_STRUCT_SLOTS = 7,
  N_HANDLE_SLOTS = 5,
  FULL_CROSS = 5000
};

typedef struct call {
  const char *name;
  bp_status (*make)(const uint32_t *pick, bp_error **err);
  int has_err;
  uint32_t n_parameters;
  uint32_t n_values[MAX_PARAMETERS];
} call;
static call calls[1024];
static uint32_t n_calls;

/* ---- where results land: filled before a call, compared after it ----------------------------- */
typedef struct handle_kind {
  void (*release)(void *handle);
  void *good, *foreign, *stale;
} handle_kind;
static void release_tensor(void *h) { bp_tensor_release(h); }
static void release_generator(void *h) { bp_generator_release(h); }
static void release_context(void *h) { bp_context_release(h); }
static void release_stream(void *h) { bp_stream_release(h); }
static void release_event(void *h) { bp_event_release(h); }
static void release_report(void *h) { bp_report_release(h); }
static void release_error(void *h) { bp_error_release(h); }
static void release_dict(void *h) { bp_dict_release(h); }
static void release_module(void *h) { bp_module_release(h); }
static void release_dataset(void *h) { bp_dataset_release(h); }
static void release_loader(void *h) { bp_loader_release(h); }
static void release_metric(void *h) { bp_metric_release(h); }
static void release_optimizer(void *h) { bp_optimizer_release(h); }
static void release_schedule(void *h) { bp_schedule_release(h); }
static void release_replicas(void *h) { bp_replicas_release(h); }
static void release_trainer(void *h) { bp_trainer_release(h); }
static void release_program(void *h) { bp_program_release(h); }
static void release_group(void *h) { bp_group_release(h); }
static void release_work(void *h) { bp_work_release(h); }
static handle_kind tensor_kind = {release_tensor, NULL, NULL, NULL};
static handle_kind generator_kind = {release_generator, NULL, NULL, NULL};
static handle_kind context_kind = {release_context, NULL, NULL, NULL};
static handle_kind stream_kind = {release_stream, NULL, NULL, NULL};
static handle_kind event_kind = {release_event, NULL, NULL, NULL};
static handle_kind report_kind = {release_report, NULL, NULL, NULL};
static handle_kind error_kind = {release_error, NULL, NULL, NULL};
static handle_kind dict_kind = {release_dict, NULL, NULL, NULL};
static handle_kind module_kind = {release_module, NULL, NULL, NULL};
static handle_kind dataset_kind = {release_dataset, NULL, NULL, NULL};
static handle_kind loader_kind = {release_loader, NULL, NULL, NULL};
static handle_kind metric_kind = {release_metric, NULL, NULL, NULL};
static handle_kind optimizer_kind = {release_optimizer, NULL, NULL, NULL};
static handle_kind schedule_kind = {release_schedule, NULL, NULL, NULL};
static handle_kind replicas_kind = {release_replicas, NULL, NULL, NULL};
static handle_kind trainer_kind = {release_trainer, NULL, NULL, NULL};
static handle_kind program_kind = {release_program, NULL, NULL, NULL};
static handle_kind group_kind = {release_group, NULL, NULL, NULL};
static handle_kind work_kind = {release_work, NULL, NULL, NULL};
static void release_versioned(void *m) { bp_dlpack_release(m); }
static void release_unversioned(void *m) { bp_dlpack_release_unversioned(m); }
static const handle_kind versioned_kind = {release_versioned, NULL, NULL, NULL};
static const handle_kind unversioned_kind = {release_unversioned, NULL, NULL, NULL};

static uint64_t slots[MAX_PARAMETERS][SLOT_BYTES / 8], before[MAX_PARAMETERS][SLOT_BYTES / 8];
static int slot_used[MAX_PARAMETERS];
static const handle_kind *slot_kind[MAX_PARAMETERS];

static void *slot_room(uint32_t i) { return slots[i]; }
static void *use_slot(uint32_t i) {
  slot_used[i] = 1;
  memcpy(before[i], slots[i], SLOT_BYTES);
  return slots[i];
}
static void *slot(uint32_t i, uint32_t pick) {
  if (pick == 1) return NULL;
  memset(slots[i], 0x5a, SLOT_BYTES);
  return use_slot(i);
}
static void *struct_slot(uint32_t i, uint32_t pick, uint32_t size) {
  const uint32_t sizes[N_STRUCT_SLOTS] = {size, 0, 0, 3, 8, UINT32_MAX, size / 2};
  if (pick == 1) return NULL;
  memset(slots[i], 0x5a, SLOT_BYTES);
  memcpy(slots[i], &sizes[pick], sizeof sizes[pick]);
  return use_slot(i);
}
static void *handle_slot(uint32_t i, uint32_t pick, const handle_kind *kind) {
  void *const presets[N_HANDLE_SLOTS] = {NULL, NULL, kind->good, kind->foreign, kind->stale};
  if (pick == 1) return NULL;
  for (uint32_t k = 0; k < SLOT_BYTES / 8; ++k)
    memcpy(&slots[i][k], &presets[pick], sizeof presets[pick]);
  slot_kind[i] = kind;
  return use_slot(i);
}

static void release_results(void) {
  for (uint32_t i = 0; i < MAX_PARAMETERS; ++i) {
    if (!slot_used[i] || !slot_kind[i]) continue;
    for (uint32_t k = 0; k < SLOT_BYTES / 8; ++k) {
      void *handle;
      memcpy(&handle, &slots[i][k], sizeof handle);
      if (slots[i][k] != before[i][k]) slot_kind[i]->release(handle);
    }
  }
}

#include "misuse_calls.h"

/* ---- handles --------------------------------------------------------------------------------- */
static void must(bp_status status, const char *what) {
  if (status >= 0) return;
  printf("misuse: cannot even %s (%s)\n", what, bp_status_name(status));
  exit(2);
}

static void make_handles(void) {
  const bp_device cpu = bp_device_make(BP_KIND_CPU, -1);
  bp_device null_device = 0;
  tensors[0] = tensors[8] = NULL;
  must(bp_tensor_ones(2, shape_2x3, BP_F32, cpu, &tensors[0], NULL), "make a tensor");
  must(bp_tensor_ones(2, shape_2x3, BP_I64, cpu, &tensors[4], NULL), "make an i64 tensor");
  must(bp_tensor_ones(0, NULL, BP_F32, cpu, &tensors[5], NULL), "make a 0-d tensor");
  must(bp_tensor_zeros(1, shape_zero, BP_BOOL, cpu, &tensors[6], NULL), "make an empty tensor");
  must(bp_tensor_zeros(2, shape_2x3, BP_C64, cpu, &tensors[7], NULL), "make a complex tensor");
  if (bp_device_parse("null:0", &null_device, NULL) == BP_OK) /* where there is such a backend */
    bp_tensor_empty(2, shape_2x3, BP_F32, null_device, &tensors[8], NULL);
  must(bp_generator_create(7, &generators[0], NULL), "make a generator");
  must(bp_context_capture(&contexts[0], NULL), "capture a context");
  must(bp_stream_create(cpu, 0, &streams[0], NULL), "make a stream");
  must(bp_event_create(cpu, &events[0], NULL), "make an event");
  must(bp_report_create(&reports[0], NULL), "make a report");
  bp_error_set(&errors[0], BP_CALLBACK, "an error");
  must(bp_module_create("linear", linear_attrs, 2, cpu, BP_F32, &modules[0], NULL),
       "make a module");
  must(bp_dict_create(&dicts[0], NULL), "make a dict");
  must(bp_dict_set(dicts[0], "cpu", tensors[0], NULL), "fill a dict");
  must(bp_dict_set_meta(dicts[0], "cpu", "text", NULL), "fill a dict");
  const bp_loader_desc how = {sizeof how, BP_LOADER_SHUFFLE, 1, cpu, 1, 0, 7, 0, 1};
  must(bp_dataset_from_tensors(tensors, 1, &datasets[0], NULL), "make a dataset");
  must(bp_loader_create(datasets[0], &how, &loaders[0], NULL), "make a loader");
  must(bp_metric_create(BP_METRIC_MEAN, &metrics[0], NULL), "make a metric");
  must(bp_optimizer_create("Adam", &tensors[0], 1, NULL, 0, &optimizers[0], NULL),
       "make an optimizer");
  must(bp_schedule_create("linear", optimizers[0], NULL, 0, &schedules[0], NULL),
       "make a schedule");
  bp_tensor *leaf = NULL;
  must(bp_tensor_ones(0, NULL, BP_F32, cpu, &leaf, NULL), "make a leaf");
  must(bp_tensor_set_requires_grad(leaf, 1, NULL), "make a leaf");
  must(bp_replicas_create(&leaf, 1, 1, 0, &replicas[0], NULL), "make replicas");
  fill_trainers();
  must(bp_trainer_create(trainer_descs[0], &trainers[0], NULL), "make a trainer");
  bp_tensor_release(leaf);
  bp_tensor *result = NULL;
  must(bp_program_begin(&tensors[0], 1, 0, NULL), "record");
  must(bp_neg(tensors[0], &result, NULL), "record a call");
  must(bp_program_end(&result, 1, NULL, &programs[0], NULL), "make a program");
  bp_tensor_release(result);
  const bp_group_desc lone = {sizeof lone, BP_GROUP_CHECK, "lone", 0, NULL};
  must(bp_group_join(&lone, &groups[0], NULL), "join a group");
  must(bp_group_barrier(groups[0], 0, &works[0], NULL), "begin an exchange");

  tensors[2] = (bp_tensor *)(void *)generators[0];
  generators[2] = (bp_generator *)(void *)tensors[0];
  contexts[2] = (bp_context *)(void *)tensors[0];
  streams[2] = (bp_stream *)(void *)tensors[0];
  events[2] = (bp_event *)(void *)generators[0];
  reports[2] = (bp_report *)(void *)generators[0];
  errors[2] = (bp_error *)(void *)tensors[0];
  dicts[2] = (bp_dict *)(void *)tensors[0];
  modules[2] = (bp_module *)(void *)tensors[0];
  datasets[2] = (bp_dataset *)(void *)tensors[0];
  loaders[2] = (bp_loader *)(void *)datasets[0];
  metrics[2] = (bp_metric *)(void *)tensors[0];
  optimizers[2] = (bp_optimizer *)(void *)tensors[0];
  schedules[2] = (bp_schedule *)(void *)tensors[0];
  replicas[2] = (bp_replicas *)(void *)tensors[0];
  trainers[2] = (bp_trainer *)(void *)tensors[0];
  programs[2] = (bp_program *)(void *)tensors[0];
  groups[2] = (bp_group *)(void *)tensors[0];
  works[2] = (bp_work *)(void *)groups[0];

  const bp_device all[] = {cpu,
                           0,
                           bp_device_make(BP_KIND_CPU, 0),
                           bp_device_make(BP_KIND_CPU, 7),
                           bp_device_make(BP_KIND_CPU, INT32_MIN),
                           bp_device_make(BP_KIND_CPU, INT32_MAX),
                           bp_device_make(BP_KIND_CUDA, 77),
                           bp_device_make(999, 0),
                           bp_device_make(-5, 0),
                           bp_device_make(BP_KIND_DYNAMIC + 1000, 0),
                           INT64_MIN,
                           -1,
                           null_device,
                           5};
  memcpy(devices, all, sizeof devices);
  tensor_kind.good = tensors[0], tensor_kind.foreign = tensors[2], tensor_kind.stale = tensors[3];
  generator_kind.good = generators[0], generator_kind.foreign = generators[2],
  generator_kind.stale = generators[3];
  context_kind.good = contexts[0], context_kind.foreign = contexts[2],
  context_kind.stale = contexts[3];
  stream_kind.good = streams[0], stream_kind.foreign = streams[2], stream_kind.stale = streams[3];
  event_kind.good = events[0], event_kind.foreign = events[2], event_kind.stale = events[3];
  report_kind.good = reports[0], report_kind.foreign = reports[2], report_kind.stale = reports[3];
  error_kind.good = errors[0], error_kind.foreign = errors[2];
  dict_kind.good = dicts[0], dict_kind.foreign = dicts[2], dict_kind.stale = dicts[3];
  module_kind.good = modules[0], module_kind.foreign = modules[2], module_kind.stale = modules[3];
  dataset_kind.good = datasets[0], dataset_kind.foreign = datasets[2],
  dataset_kind.stale = datasets[3];
  loader_kind.good = loaders[0], loader_kind.foreign = loaders[2], loader_kind.stale = loaders[3];
  metric_kind.good = metrics[0], metric_kind.foreign = metrics[2], metric_kind.stale = metrics[3];
  optimizer_kind.good = optimizers[0], optimizer_kind.foreign = optimizers[2],
  optimizer_kind.stale = optimizers[3];
  schedule_kind.good = schedules[0], schedule_kind.foreign = schedules[2],
  schedule_kind.stale = schedules[3];
  replicas_kind.good = replicas[0], replicas_kind.foreign = replicas[2],
  replicas_kind.stale = replicas[3];
  trainer_kind.good = trainers[0], trainer_kind.foreign = trainers[2],
  trainer_kind.stale = trainers[3];
  program_kind.good = programs[0], program_kind.foreign = programs[2],
  program_kind.stale = programs[3];
  group_kind.good = groups[0], group_kind.foreign = groups[2], group_kind.stale = groups[3];
  work_kind.good = works[0], work_kind.foreign = works[2], work_kind.stale = works[3];
  fill_values();
}

static void release_handles(void) {
  const int owned[] = {0, 4, 5, 6, 7, 8};
  for (uint32_t i = 0; i < N(owned); ++i) bp_tensor_release(tensors[owned[i]]);
  bp_generator_release(generators[0]);
  bp_context_release(contexts[0]);
  bp_stream_release(streams[0]);
  bp_event_release(events[0]);
  bp_report_release(reports[0]);
  bp_error_release(errors[0]);
  bp_dict_release(dicts[0]);
  bp_module_release(modules[0]);
  bp_dataset_release(datasets[0]);
  bp_loader_release(loaders[0]);
  bp_metric_release(metrics[0]);
  bp_work_release(works[0]);
  bp_group_release(groups[0]);
  bp_program_release(programs[0]);
  bp_trainer_release(trainers[0]);
  bp_replicas_release(replicas[0]);
  bp_schedule_release(schedules[0]);
  bp_optimizer_release(optimizers[0]);
}

/* Handles of a generation that is over. */
static void make_stale_handles(void) {
  make_handles();
  tensors[3] = tensors[0], generators[3] = generators[0], contexts[3] = contexts[0],
  reports[3] = reports[0];
  streams[3] = streams[0], events[3] = events[0], dicts[3] = dicts[0], modules[3] = modules[0];
  datasets[3] = datasets[0], loaders[3] = loaders[0], metrics[3] = metrics[0];
  optimizers[3] = optimizers[0], schedules[3] = schedules[0], replicas[3] = replicas[0],
  trainers[3] = trainers[0], programs[3] = programs[0];
  groups[3] = groups[0], works[3] = works[0];
  must(bp_shutdown(-1, NULL), "shut down");
  const int others[] = {4, 5, 6, 7, 8};
  for (uint32_t i = 0; i < N(others); ++i) bp_tensor_release(tensors[others[i]]);
  bp_error_release(errors[0]);
}

static void list_ops(void) {
  const uint32_t bad[] = {0,           511,         512,         INT32_MAX,
                          0x80000000u, 0x80000001u, 0x80000077u, UINT32_MAX};
  n_op_ids = 0;
  op_ids[n_op_ids++] = BP_OP_ADD;
  for (uint32_t i = 0; i < bp_op_count() && n_op_ids < N(op_ids) - N(bad); ++i)
    must(bp_op_at(i, &op_ids[n_op_ids++], NULL), "list the ops");
  memcpy(op_ids + n_op_ids, bad, sizeof bad);
  n_op_ids += N(bad);
}

/* Undoes what calls that succeeded did to the process. */
static void settle(void) {
  void *data = NULL;
  bp_set_default_device(0, NULL);
  bp_set_default_dtype(BP_F32, NULL);
  bp_set_num_threads(1, NULL);
  bp_set_matmul_precision(BP_PRECISION_HIGHEST, NULL);
  if (bp_tensor_data(tensors[0], &data, NULL) == BP_OK) return;
  bp_shutdown(-1, NULL);
  release_handles();
  make_handles();
  list_ops();
}

/* ---- the driver ------------------------------------------------------------------------------ */
static uint64_t n_made, n_refused;
static int n_faults;

static void fault(const call *c, const uint32_t *pick, const char *what, bp_status status,
                  const char *text) {
  if (++n_faults > 50) return;
  printf("FAULT %s(", c->name);
  for (uint32_t i = 0; i < c->n_parameters; ++i) printf(i ? ",%u" : "%u", pick[i]);
  printf("): %s; %s: %s\n", what, bp_status_name(status), text);
}

static bp_status make(const call *c, const uint32_t *pick) {
  bp_error *err = NULL;
  const int with_err = n_made++ % 5 != 0; /* err may be NULL */
  memset(slot_used, 0, sizeof slot_used);
  memset(slot_kind, 0, sizeof slot_kind);
  if (strcmp(c->name, "bp_init") == 0) bp_shutdown(-1, NULL);
  const bp_status status = c->make(pick, with_err ? &err : NULL);
  if (status >= 0) {
    if (err)
      fault(c, pick, "an error object without an error", status, bp_error_message(err, NULL));
    release_results();
  } else {
    uint64_t length = 0;
    const char *text = bp_error_message(err, &length);
    n_refused++;
    if (with_err && (!err || length == 0))
      fault(c, pick, "an error without a sentence", status, text);
    if (with_err && bp_error_code(err) != status)
      fault(c, pick, "status and error disagree", status, text);
    if (strchr(text, '\n') || length != strlen(text))
      fault(c, pick, "not one line of text", status, text);
    for (uint32_t i = 0; i < MAX_PARAMETERS; ++i)
      if (slot_used[i] && memcmp(slots[i], before[i], SLOT_BYTES) != 0)
        fault(c, pick, "wrote an output", status, text);
  }
  bp_error_release(err);
  return status;
}

/* Counts `pick` up over the parameters in `turn`; 0 when all were seen. */
static int next(const call *c, uint32_t *pick, const uint32_t *turn, uint32_t n_turn) {
  for (uint32_t i = 0; i < n_turn; ++i) {
    if (++pick[turn[i]] < c->n_values[turn[i]]) return 1;
    pick[turn[i]] = 0;
  }
  return 0;
}

static void misuse(const call *c) {
  uint64_t product = 1;
  uint32_t pick[MAX_PARAMETERS] = {0}, turn[MAX_PARAMETERS], refused = 0;
  for (uint32_t i = 0; i < c->n_parameters; ++i) {
    turn[i] = i;
    if (product <= FULL_CROSS) product *= c->n_values[i];
  }
  if (product <= FULL_CROSS) {
    do refused += make(c, pick) < 0;
    while (next(c, pick, turn, c->n_parameters));
  } else {
    for (uint32_t a = 0; a < c->n_parameters; ++a) {
      for (uint32_t b = a + 1; b < c->n_parameters; ++b) {
        const uint32_t pair[] = {a, b};
        do refused += make(c, pick) < 0;
        while (next(c, pick, pair, 2));
      }
    }
    /* and all of them wrong at once */
    for (uint32_t i = 0; i < c->n_parameters; ++i) pick[i] = c->n_values[i] - 1;
    refused += make(c, pick) < 0;
  }
  static const char *const cannot_fail[] = {"bp_shutdown", "bp_manual_seed", "bp_set_wait_callback",
                                            "bp_grad_collect"};
  for (size_t i = 0; i < N(cannot_fail); ++i)
    if (strcmp(c->name, cannot_fail[i]) == 0) return;
  if (c->has_err && refused == 0) fault(c, pick, "nothing was refused", 0, "");
}

int main(int argc, char **argv) {
  const int list = argc > 1 && strcmp(argv[1], "--list") == 0;
  const char *only = argc > 1 && !list ? argv[1] : NULL;
  fill_arrays();
  fill_attrs();
  fill_descs();
  if (list) {
    n_op_ids = 1;
    fill_calls();
    for (uint32_t i = 0; i < n_calls; ++i) printf("%s\n", calls[i].name);
    return 0;
  }
  make_stale_handles();
  make_handles();
  uint32_t registered = 0;
  for (uint32_t i = 0; i < N(op_descs); ++i) bp_op_register(op_descs[i], &registered, NULL);
  list_ops();
  fill_calls();
  for (uint32_t i = 0; i < n_calls; ++i) {
    if (only && strcmp(only, calls[i].name) != 0) continue;
    if (getenv("MISUSE_TRACE")) fprintf(stderr, "%s\n", calls[i].name);
    misuse(&calls[i]);
    settle();
  }
  release_handles();
  bp_tensor_release(tensors[3]);
  bp_generator_release(generators[3]);
  bp_context_release(contexts[3]);
  bp_stream_release(streams[3]);
  bp_event_release(events[3]);
  bp_report_release(reports[3]);
  bp_dict_release(dicts[3]);
  bp_module_release(modules[3]);
  bp_dataset_release(datasets[3]);
  bp_loader_release(loaders[3]);
  bp_metric_release(metrics[3]);
  bp_program_release(programs[3]);
  bp_work_release(works[3]);
  bp_group_release(groups[3]);
  bp_trainer_release(trainers[3]);
  bp_replicas_release(replicas[3]);
  bp_schedule_release(schedules[3]);
  bp_optimizer_release(optimizers[3]);
  must(bp_shutdown(-1, NULL), "shut down at the end");
  remove(paths[0]); /* what saving made */
  printf("%u functions, %llu calls, %llu refused, %d faults\n", n_calls, (unsigned long long)n_made,
         (unsigned long long)n_refused, n_faults);
  return n_faults != 0;
}
