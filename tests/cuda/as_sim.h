// SPDX-License-Identifier: Apache-2.0
// as_sim.h: sim's test programs on the cuda backend over the machine. Where SIM_IS_CUDA names the
// machine's folder, a session calls cuda by the name of sim, and its options sim.<key> are the
// machine's variables, with which it begins anew.
#pragma once
#include <dlfcn.h>
#include <stdlib.h>

#include <cctype>
#include <string>

namespace bp_test {

template <class Start>
void start_as_sim(Start* start) {
  static const char* const kKeys[] = {"DEVICES",     "MEMORY",      "PEERS",       "SLOW_US",
                                      "SLOW_STREAM", "FAIL_ALLOC",  "FAIL_COPY",   "FAIL_LAUNCH",
                                      "FAIL_TIMES",  "FAIL_PINNED", "FAIL_KERNEL", "LOSE_DEVICE"};
  for (const char* key : kKeys) unsetenv(("CUDA_MACHINE_" + std::string(key)).c_str());
  setenv("CUDA_MACHINE_DEVICES", "4", 1);  // as many as sim has
  std::string rest = start->options;
  start->options.clear();
  while (!rest.empty()) {
    const size_t end = rest.find(';');
    const std::string option = rest.substr(0, end);
    rest = end == rest.npos ? "" : rest.substr(end + 1);
    const size_t equals = option.find('=');
    if (option.rfind("sim.", 0) != 0 || equals == option.npos) {
      start->options += option + ";";
      continue;
    }
    std::string key = option.substr(4, equals - 4);
    if (key == "device_count") key = "devices";
    for (char& c : key) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    setenv(("CUDA_MACHINE_" + key).c_str(), option.c_str() + equals + 1, 1);
  }
  start->plugin_dirs = SIM_IS_CUDA + (":" + start->plugin_dirs);
  start->alias = "sim=cuda";
  for (const char* library : {"CUDA_BLAS", "CUDA_LT", "CUDA_DNN", "CUDA_NCCL"})
    setenv(library, "off", 1);
  // Nothing to begin anew when the plugin was not opened yet.
  if (void* runtime = dlopen("libcudart.so.13", RTLD_NOW | RTLD_NOLOAD))
    reinterpret_cast<void (*)()>(dlsym(runtime, "cuda_machine_restart"))();
}

}  // namespace bp_test
