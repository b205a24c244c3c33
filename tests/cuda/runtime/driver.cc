// SPDX-License-Identifier: Apache-2.0
// driver.cc: a libcuda.so.1 for those who look whether there is one. The runtime needs none; a
// library that starts the driver itself, as cuBLAS does, is told that there is no device.
#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int cuInit(unsigned) { return 100; }  // CUDA_ERROR_NO_DEVICE
EXPORTED int cuDriverGetVersion(int* version) { return *version = 13000, 0; }
