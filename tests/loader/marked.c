/* SPDX-License-Identifier: Apache-2.0 */
/* marked.c: a library that says so when it is loaded: "loaded <its file>", on stdout. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

__attribute__((constructor)) static void say(void) {
  static const int here = 0;
  Dl_info self;
  if (!dladdr(&here, &self)) return;
  printf("loaded %s\n", self.dli_fname);
  fflush(stdout);
}
