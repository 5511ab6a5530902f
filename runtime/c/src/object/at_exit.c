#include <stdio.h>
#include <stdlib.h>

#include "base/fork.h"
#include "base/reference.h"
#include "sidl_misc.h"

struct task {
  struct task* next;
  void (*function)(void*);
  void* data;
};

TABLE_LOCK(lock);
static struct task* tasks;
static int registered;

static struct task* take_task(void) {
  pthread_mutex_lock(&lock);
  struct task* const task = tasks;
  if (task != NULL) tasks = task->next;
  pthread_mutex_unlock(&lock);
  return task;
}

static void run_tasks(void) {
  for (struct task* task = take_task(); task != NULL; task = take_task()) {
    task->function(task->data);
    free(task);
  }
}

void sidl_atexit(void (*function)(void*), void* data) {
  struct task* const task = malloc(sizeof *task);
  if (task == NULL) return;
  task->function = function;
  task->data = data;
  pthread_mutex_lock(&lock);
  task->next = tasks;
  tasks = task;
  if (!registered) registered = atexit(run_tasks) == 0;
  pthread_mutex_unlock(&lock);
}

void sidl_deleteRef_atexit(void* variable) {
  void** const reference = variable;
  void* const object = *reference;
  *reference = NULL;
  reference_drop(object);
}

void sidl_checkIORVersion(const char* name, int32_t user_major, int32_t user_minor,
                          int32_t library_major, int32_t library_minor) {
  if (user_major == library_major && user_minor <= library_minor) return;
  fprintf(stderr,
          "sidl: class %s was compiled for IOR version %d.%d, but this library supports %d.%d: "
          "recompile it with the sidlc of this library\n",
          name == NULL ? "?" : name, (int)user_major, (int)user_minor, (int)library_major,
          (int)library_minor);
  abort();
}
