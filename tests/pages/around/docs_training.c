/* SPDX-License-Identifier: Apache-2.0 */
#include <c_api.h>
#include <stdio.h>

int main(void) {
  const bp_device cpu = bp_device_make(BP_KIND_CPU, -1);
  const float pixels[4 * 2] = {0, 1, 1, 0, 1, 1, 0, 0};
  const int64_t digits[4] = {0, 1, 2, 2}, shape[2] = {4, 2};
  const bp_attr size[2] = {{"in_features", BP_ATTR_I64, 1, {2}, 0},
                           {"out_features", BP_ATTR_I64, 1, {3}, 0}};
  bp_tensor *images = NULL, *labels = NULL, *params[2] = {NULL, NULL};
  bp_module *net = NULL, *cross_entropy = NULL;
  bp_optimizer *adam = NULL;
  bp_dataset *data = NULL;
  bp_loader *loader = NULL;
  bp_trainer *trainer = NULL;
  bp_error *err = NULL;
  bp_status status = bp_tensor_from_data(pixels, 2, shape, BP_F32, cpu, &images, &err);
  if (status == BP_OK) status = bp_tensor_from_data(digits, 1, shape, BP_I64, cpu, &labels, &err);
  if (status == BP_OK) status = bp_module_create("linear", size, 2, 0, BP_DTYPE_NONE, &net, &err);
  if (status == BP_OK)
    status =
        bp_module_create("cross_entropy_loss", NULL, 0, 0, BP_DTYPE_NONE, &cross_entropy, &err);
  for (uint32_t i = 0; status == BP_OK && i < 2; ++i)
    status = bp_module_parameter_at(net, BP_MODULE_RECURSE, i, NULL, 0, NULL, &params[i], &err);
  if (status == BP_OK) status = bp_optimizer_create("Adam", params, 2, NULL, 0, &adam, &err);
  if (status != BP_OK) return 2;
  status = BP_INTERNAL;
  // ...
  if (status != BP_OK) puts(err ? bp_error_message(err, NULL) : "no training");
  return status == BP_OK ? 0 : 1;
}
