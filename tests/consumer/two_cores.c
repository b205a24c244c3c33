/* SPDX-License-Identifier: Apache-2.0 */
/* two_cores.c <guest>: a program with a core opens a library with another one. Both use the same
 * plugin files, and neither notices the other. */
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cores.h"

static int n_faults = 0;
#define CHECK(what) \
  ((what) ? (void)0 : (void)(printf("line %d: not so: %s\n", __LINE__, #what), ++n_faults))

static const struct core mine = THIS_CORE;
static struct core theirs;

static bp_tensor *ones_on(const struct core *c, const char *device, int64_t n) {
  bp_tensor *t = NULL;
  bp_device d = 0;
  bp_error *err = NULL;
  if (c->bp_device_parse(device, &d, &err) != BP_OK ||
      c->bp_tensor_ones(1, &n, BP_F32, d, &t, &err) != BP_OK)
    printf("%s\n", c->bp_error_message(err, NULL));
  c->bp_error_release(err);
  return t;
}

/* An op, a mistake and its message. */
static int works(const struct core *c, const char *device) {
  bp_tensor *three = ones_on(c, device, 3), *four = ones_on(c, device, 4), *sum = NULL;
  bp_error *err = NULL;
  float data[3] = {0, 0, 0};
  const int right = c->bp_add(three, three, &sum, NULL) == BP_OK &&
                    c->bp_tensor_read(sum, data, sizeof data, NULL) == BP_OK && data[2] == 2 &&
                    c->bp_add(three, four, &sum, &err) != BP_OK &&
                    strstr(c->bp_error_message(err, NULL), "3") != NULL;
  c->bp_error_release(err);
  c->bp_tensor_release(sum);
  c->bp_tensor_release(three);
  c->bp_tensor_release(four);
  return right;
}

static int starts_with(const struct core *c, const char *options) {
  bp_init_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = sizeof desc;
  desc.options = options;
  return c->bp_init(&desc, NULL) == BP_OK;
}

static int n_devices(const struct core *c) {
  bp_device d = 0;
  int32_t count = -1;
  c->bp_device_parse("null", &d, NULL);
  c->bp_kind_require(bp_device_kind(d), &count, NULL);
  return count;
}

static int n_threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  int n = -2; /* "." and ".." */
  while (tasks && readdir(tasks)) ++n;
  if (tasks) closedir(tasks);
  return n;
}

static void long_op(const struct core *c) {
  bp_tensor *t = ones_on(c, "cpu", 1 << 22), *e = NULL;
  CHECK(c->bp_exp(t, &e, NULL) == BP_OK);
  c->bp_tensor_release(t);
  c->bp_tensor_release(e);
}

static int alive(const struct core *c, bp_tensor *t) {
  float one = 0;
  return c->bp_tensor_read(t, &one, sizeof one, NULL) == BP_OK && one == 1;
}

static int works_in_child(void) {
  int status = -1;
  const pid_t child = fork();
  if (child == 0) _exit(!(works(&mine, "cpu") && works(&theirs, "cpu")));
  return waitpid(child, &status, 0) == child && status == 0;
}

/* A thread that used the guest's core ends after the guest was closed. */
static pthread_barrier_t used, closed;
static void *visit(void *unused) {
  CHECK(works(&theirs, "cpu"));
  pthread_barrier_wait(&used);
  pthread_barrier_wait(&closed);
  return unused;
}

int main(int argc, char **argv) {
  const struct core *(*guest_core)(void) = NULL;
  void *symbol = NULL, *guest = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  bp_tensor *my_one, *their_one;
  pthread_t thread;
  if (guest) symbol = dlsym(guest, "guest_core");
  if (!symbol) {
    printf("%s\n", guest || argc == 2 ? dlerror() : "usage: two_cores <guest>");
    return 2;
  }
  memcpy(&guest_core, &symbol, sizeof symbol);
  theirs = *guest_core();

  CHECK(mine.bp_add != theirs.bp_add);
  CHECK(starts_with(&mine, "null.device_count=3"));
  CHECK(starts_with(&theirs, "null.device_count=2"));
  CHECK(n_devices(&mine) == 3);
  CHECK(n_devices(&theirs) == 2);
  CHECK(works(&mine, "cpu") && works(&mine, "sim:1"));
  CHECK(works(&theirs, "cpu") && works(&theirs, "sim:1"));

  /* A call takes no more threads than its core allows, whatever the other allows. */
  CHECK(mine.bp_set_num_threads(1, NULL) == BP_OK && theirs.bp_set_num_threads(4, NULL) == BP_OK);
  CHECK(mine.bp_get_num_threads() == 1 && theirs.bp_get_num_threads() == 4);
  const int before = n_threads();
  long_op(&mine);
  CHECK(n_threads() == before);
  CHECK(mine.bp_set_num_threads(4, NULL) == BP_OK);
  long_op(&theirs);
  CHECK(n_threads() > before);

  /* The end of one is not the end of the other. */
  my_one = ones_on(&mine, "cpu", 1), their_one = ones_on(&theirs, "cpu", 1);
  CHECK(alive(&mine, my_one) && alive(&theirs, their_one));
  CHECK(theirs.bp_shutdown(-1, NULL) == BP_OK);
  CHECK(alive(&mine, my_one) && !alive(&theirs, their_one));
  CHECK(works(&mine, "cpu") && works(&mine, "sim:1") && n_devices(&mine) == 3);
  CHECK(works(&theirs, "cpu")); /* anew */
  CHECK(mine.bp_shutdown(-1, NULL) == BP_OK);
  CHECK(!alive(&mine, my_one) && works(&theirs, "cpu") && works(&mine, "cpu"));
  mine.bp_tensor_release(my_one);
  theirs.bp_tensor_release(their_one);

  CHECK(works_in_child());

  pthread_barrier_init(&used, NULL, 2);
  pthread_barrier_init(&closed, NULL, 2);
  CHECK(pthread_create(&thread, NULL, visit, NULL) == 0);
  pthread_barrier_wait(&used);
  CHECK(dlclose(guest) == 0);
  pthread_barrier_wait(&closed);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(works(&mine, "cpu"));
  if (n_faults == 0) printf("two cores, and neither disturbs the other\n");
  return n_faults != 0;
}
