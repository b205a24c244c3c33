/* SPDX-License-Identifier: Apache-2.0 */
/* train_digits.c: a convolutional net learns which digit is on an 8x8 image, is saved, and predicts
 * the same on another backend, all through the C API.
 *   ./train_digits_c [DEVICE] [DIGITS.CSV] [FILE]
 * DEVICE is where the net is loaded (sim:0 if it is there, else cpu), DIGITS.CSV holds the images
 * (data/digits.csv), and FILE is where the net is saved (digits.safetensors). */
#include <c_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2000, MOST_PARAMS = 16 };
/* the images to learn, and those held out */
static struct images {
  float pixels[MOST][64];
  int64_t labels[MOST], n;
} sets[2];
static int64_t predicted[2][MOST]; /* of those held out, by two nets */
static bp_error *err = NULL;
/* Every call gives a status. This program ends at the first error; the library never would. */
static void check(bp_status status, const char *what) {
  if (status >= 0) return;
  fprintf(stderr, "train_digits: %s: %s (%s)\n", what, bp_error_message(err, NULL),
          bp_status_name(status)),
      exit(1);
}
#define TRY(call) check(call, #call)
#define SIZE(text, v) \
  { .name = text, .kind = BP_ATTR_I64, .count = 1, .value.i64 = v }
#define REAL(text, v) \
  { .name = text, .kind = BP_ATTR_F64, .count = 1, .value.f64 = v }
/* Reads lines of 64 pixels, 0 to 16, and a label. Of five images of a digit one, chosen by chance,
 * is held out. */
static void load(const char *path, unsigned seed) {
  FILE *file = fopen(path, "r");
  check(file ? BP_OK : BP_NOT_FOUND, path), srand(seed);
  int seen[10] = {0}, turn[10] = {0}, label = 0, i = 0;
  for (float image[64];; i = 0) {
    while (i < 64 && fscanf(file, "%f,", &image[i]) == 1) image[i++] /= 16;
    if (i == 0 && feof(file)) break;
    const int good = i == 64 && fscanf(file, "%d", &label) == 1 && (unsigned)label < 10 &&
                     sets[0].n + sets[1].n < MOST;
    check(good ? BP_OK : BP_INVALID_ARGUMENT,
          "expected at most 2,000 lines of 64 pixels and a label");
    if (seen[label] % 5 == 0) turn[label] = rand() % 5;
    struct images *s = &sets[seen[label]++ % 5 == turn[label]];
    memcpy(s->pixels[s->n], image, sizeof image), s->labels[s->n++] = label;
  }
  fclose(file);
}

/* clang-format off */
static const struct { const char *kind; uint32_t n; bp_attr attrs[4]; } kLayers[] = {
    {"conv2d", 4, {SIZE("in_channels", 1), SIZE("out_channels", 16), SIZE("kernel_size", 3), SIZE("padding", 1)}},
    {"batch_norm2d", 1, {SIZE("num_features", 16)}}, {"relu", 0, {{0}}}, {"max_pool2d", 1, {SIZE("kernel_size", 2)}},
    {"conv2d", 4, {SIZE("in_channels", 16), SIZE("out_channels", 32), SIZE("kernel_size", 3), SIZE("padding", 1)}},
    {"batch_norm2d", 1, {SIZE("num_features", 32)}}, {"relu", 0, {{0}}}, {"flatten", 0, {{0}}},
    {"dropout", 1, {REAL("p", 0.3)}}, {"linear", 2, {SIZE("in_features", 512), SIZE("out_features", 10)}}};
/* clang-format on */
static bp_module *new_net(void) {
  bp_module *net = NULL, *part = NULL;
  TRY(bp_module_create("sequential", NULL, 0, 0, BP_DTYPE_NONE, &net, &err));
  for (size_t i = 0; i < sizeof kLayers / sizeof *kLayers; ++i) {
    TRY(bp_module_create(kLayers[i].kind, kLayers[i].attrs, kLayers[i].n, 0, BP_DTYPE_NONE, &part,
                         &err));
    TRY(bp_module_append(net, part, &err));
    bp_module_release(part);
  }
  TRY(bp_module_train(net, 0, &err)); /* in eval mode, except while it learns */
  return net;
}

static bp_status tell(void *user, const bp_train_figures *f, bp_error **e) {
  (void)user, (void)e;
  const double learned_right = 100 * f->train_accuracy, held = 100 * f->val_accuracy;
  return printf("epoch %2d   learned %.2f %%   held out %.2f %%\n", (int)f->epoch + 1,
                learned_right, held),
         BP_OK;
}
static void train(bp_module *net, bp_loader *learned, bp_loader *held_out) {
  const bp_attr lr = REAL("lr", 2e-3);
  bp_tensor *all[MOST_PARAMS] = {NULL};
  bp_optimizer *adam = NULL;
  bp_trainer *trainer = NULL;
  bp_trainer_desc what = {.struct_size = sizeof what,
                          .flags = BP_TRAINER_ACCURACY,
                          .n_devices = 1,
                          .modules = &net,
                          .optimizers = &adam,
                          .loader = learned,
                          .val_loader = held_out,
                          .on_epoch = tell};
  const bp_fit_desc how = {.struct_size = sizeof how, .max_epochs = 10};
  uint32_t n = 0;
  TRY(bp_module_parameter_count(net, BP_MODULE_RECURSE, &n, &err));
  for (uint32_t i = 0; i < n; ++i)
    TRY(bp_module_parameter_at(net, BP_MODULE_RECURSE, i, NULL, 0, NULL, all + i, &err));
  TRY(bp_optimizer_create("Adam", all, n, &lr, 1, &adam, &err));
  TRY(bp_module_create("cross_entropy_loss", NULL, 0, 0, BP_DTYPE_NONE, &what.loss, &err));
  TRY(bp_trainer_create(&what, &trainer, &err)), TRY(bp_trainer_fit(trainer, &how, &err));
  for (uint32_t i = 0; i < n; ++i) bp_tensor_release(all[i]);
  bp_trainer_release(trainer), bp_module_release(what.loss), bp_optimizer_release(adam);
}

static void predict(bp_module *net, bp_tensor *images, bp_device device, int64_t *out) {
  bp_tensor *there = NULL, *scores = NULL, *best = NULL;
  TRY(bp_tensor_to(images, device, BP_DTYPE_NONE, 0, 0, &there, &err));
  TRY(bp_module_forward(net, &there, 1, &scores, 1, &err));
  TRY(bp_argmax(scores, (int64_t[]){1}, 1, 0, &best, &err));
  TRY(bp_tensor_read(best, out, (uint64_t)sets[1].n * sizeof *out, &err));
  bp_tensor_release(there), bp_tensor_release(scores), bp_tensor_release(best);
}

int main(int argc, char **argv) {
  const bp_device cpu = bp_device_make(BP_KIND_CPU, -1);
  const char *path = argc > 3 ? argv[3] : "digits.safetensors";
  bp_device there = 0;
  int32_t sims = 0, equal = 0;
  if (bp_device_parse("sim:0", &there, NULL) == BP_OK)
    TRY(bp_device_count(bp_device_kind(there), &sims, &err));
  TRY(bp_device_parse(argc > 1 ? argv[1] : sims ? "sim:0" : "cpu", &there, &err));
  TRY(bp_manual_seed(42, &err)), load(argc > 2 ? argv[2] : "data/digits.csv", 42);
  bp_tensor *xy[2][2] = {{NULL, NULL}, {NULL, NULL}}; /* inputs and targets of each set */
  bp_loader *loaders[2] = {NULL, NULL};
  for (int s = 0; s < 2; ++s) {
    const int64_t shape[4] = {sets[s].n, 1, 8, 8};
    const bp_loader_desc how = {sizeof how, s ? 0 : BP_LOADER_SHUFFLE, 64, cpu, 2, 0, 42, 0, 0};
    bp_dataset *data = NULL;
    TRY(bp_tensor_from_data(sets[s].pixels, 4, shape, BP_F32, cpu, &xy[s][0], &err));
    TRY(bp_tensor_from_data(sets[s].labels, 1, shape, BP_I64, cpu, &xy[s][1], &err));
    TRY(bp_dataset_from_tensors(xy[s], 2, &data, &err)),
        TRY(bp_loader_create(data, &how, &loaders[s], &err));
    bp_dataset_release(data);
  }
  bp_module *net = new_net(), *loaded = new_net();
  bp_dict *state = NULL, *kept = NULL;
  TRY(bp_module_to(loaded, there, BP_DTYPE_NONE, 0, &err)), train(net, loaders[0], loaders[1]);
  TRY(bp_module_state_dict(net, NULL, &state, &err)), TRY(bp_safetensors_save(state, path, &err));
  TRY(bp_safetensors_load(path, there, &kept, &err));
  TRY(bp_module_load_state_dict(loaded, kept, BP_LOAD_STRICT, NULL, 0, NULL, &err));
  predict(net, xy[1][0], cpu, predicted[0]), predict(loaded, xy[1][0], there, predicted[1]);
  for (int64_t i = 0; i < sets[1].n; ++i) equal += predicted[0][i] == predicted[1][i];
  printf("%d of %d predictions are the same on the other device\n", (int)equal, (int)sets[1].n);
  for (int s = 0; s < 2; ++s)
    bp_tensor_release(xy[s][0]), bp_tensor_release(xy[s][1]), bp_loader_release(loaders[s]);
  bp_dict_release(state), bp_dict_release(kept), bp_module_release(net), bp_module_release(loaded);
  return equal == sets[1].n ? 0 : 1;
}
