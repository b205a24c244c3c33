/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: a model in plain C, through c_api.h alone: built, trained, saved, reloaded, there on
 * another device where one is named. It learns y = x0 - 2 x1 by gradient descent; its loss falls,
 * and what was reloaded says the same. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c_api.h"

static bp_error *err;
static void must(bp_status status, const char *what) {
  if (status >= 0) return;
  printf("model: cannot %s: %s\n", what, bp_error_message(err, NULL));
  exit(1);
}

static bp_attr integer(const char *name, int64_t v) {
  bp_attr a;
  memset(&a, 0, sizeof a);
  a.name = name;
  a.kind = BP_ATTR_I64;
  a.count = 1;
  a.value.i64 = v;
  return a;
}

static bp_module *build(bp_device device) {
  const bp_attr first[] = {integer("in_features", 2), integer("out_features", 8)};
  const bp_attr last[] = {integer("in_features", 8), integer("out_features", 1)};
  bp_module *net = NULL, *parts[3] = {NULL, NULL, NULL};
  must(bp_module_create("sequential", NULL, 0, device, BP_F32, &net, &err), "make a sequence");
  must(bp_module_create("linear", first, 2, device, BP_F32, &parts[0], &err), "make a layer");
  must(bp_module_create("tanh", NULL, 0, device, BP_F32, &parts[1], &err), "make an activation");
  must(bp_module_create("linear", last, 2, device, BP_F32, &parts[2], &err), "make a layer");
  for (int i = 0; i < 3; ++i) {
    must(bp_module_append(net, parts[i], &err), "append a layer");
    bp_module_release(parts[i]);
  }
  return net;
}

static double step(bp_module *net, bp_module *loss, bp_tensor *x, bp_tensor *y) {
  bp_tensor *scores = NULL, *value = NULL, *pair[2];
  bp_value number, rate;
  uint32_t n = 0;
  must(bp_module_forward(net, &x, 1, &scores, 1, &err), "run the model");
  pair[0] = scores;
  pair[1] = y;
  must(bp_module_forward(loss, pair, 2, &value, 1, &err), "take the loss");
  must(bp_module_zero_grad(net, 0, &err), "forget gradients");
  must(bp_backward(&value, NULL, 1, 0, &err), "go back");
  memset(&rate, 0, sizeof rate);
  rate.kind = BP_VALUE_F64;
  rate.as.f64 = -0.1;
  must(bp_module_parameter_count(net, BP_MODULE_RECURSE, &n, &err), "count parameters");
  const uint32_t recorded = bp_grad_set_enabled(0);
  for (uint32_t i = 0; i < n; ++i) {
    bp_tensor *p = NULL, *grad = NULL, *change = NULL;
    must(bp_module_parameter_at(net, BP_MODULE_RECURSE, i, NULL, 0, NULL, &p, &err),
         "take a parameter");
    must(bp_tensor_grad(p, &grad, &err), "take a gradient");
    must(bp_mul_scalar(grad, &rate, &change, &err), "scale a gradient");
    must(bp_add_into(p, change, p, &err), "change a parameter");
    bp_tensor_release(change);
    bp_tensor_release(grad);
    bp_tensor_release(p);
  }
  bp_grad_set_enabled(recorded);
  must(bp_tensor_item(value, &number, &err), "read the loss");
  bp_tensor_release(value);
  bp_tensor_release(scores);
  return number.as.f64;
}

static void predict(bp_module *net, bp_tensor *x, bp_device device, float *out, uint64_t bytes) {
  bp_tensor *there = NULL, *y = NULL;
  must(bp_tensor_to(x, device, BP_DTYPE_NONE, 0, 0, &there, &err), "move the input");
  must(bp_module_forward(net, &there, 1, &y, 1, &err), "run the model");
  must(bp_tensor_read(y, out, bytes, &err), "read predictions");
  bp_tensor_release(y);
  bp_tensor_release(there);
}

int main(int argc, char **argv) {
  enum { kRows = 16 };
  const char *path = argc > 1 ? argv[1] : "model.safetensors";
  const bp_device cpu = bp_device_make(BP_KIND_CPU, -1);
  bp_device other = cpu;
  float data[kRows][2], wanted[kRows], before[kRows], after[kRows];
  const int64_t x_shape[] = {kRows, 2}, y_shape[] = {kRows, 1};
  bp_tensor *x = NULL, *y = NULL;
  bp_module *net, *copy, *loss = NULL;
  bp_dict *state = NULL, *read = NULL;
  double first = 0, last = 0;
  char text[256];
  for (int i = 0; i < kRows; ++i) {
    data[i][0] = (float)(i % 4) / 4, data[i][1] = (float)(i / 4) / 4;
    wanted[i] = data[i][0] - 2 * data[i][1];
  }
  if (argc > 2) must(bp_device_parse(argv[2], &other, &err), "read the device's name");
  must(bp_manual_seed(1, &err), "seed");
  must(bp_tensor_from_data(data, 2, x_shape, BP_F32, cpu, &x, &err), "make inputs");
  must(bp_tensor_from_data(wanted, 2, y_shape, BP_F32, cpu, &y, &err), "make targets");
  must(bp_module_create("mse_loss", NULL, 0, cpu, BP_F32, &loss, &err), "make a loss");
  net = build(cpu);
  for (int i = 0; i < 200; ++i) {
    last = step(net, loss, x, y);
    if (i == 0) first = last;
  }
  must(bp_module_train(net, 0, &err), "end training");
  must(bp_module_state_dict(net, NULL, &state, &err), "take the state");
  must(bp_safetensors_save(state, path, &err), "save");
  must(bp_safetensors_load(path, other, &read, &err), "load");
  copy = build(other);
  must(bp_module_load_state_dict(copy, read, BP_LOAD_STRICT, text, sizeof text, NULL, &err),
       "load the state");
  predict(net, x, cpu, before, sizeof before);
  predict(copy, x, other, after, sizeof after);
  remove(path);
  int wrong = 0;
  for (int i = 0; i < kRows; ++i) wrong += fabsf(before[i] - after[i]) > 1e-5f;
  printf("loss %.4f, then %.4f; %s; %d predictions differ\n", first, last, text, wrong);
  bp_dict_release(read);
  bp_dict_release(state);
  bp_module_release(copy);
  bp_module_release(net);
  bp_module_release(loss);
  bp_tensor_release(y);
  bp_tensor_release(x);
  return wrong || !(last < first / 10) || strcmp(text, "<All keys matched successfully>") != 0;
}
