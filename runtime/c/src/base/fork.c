#include "base/fork.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/loading.h"

uint32_t sidl_fork_count;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards both lists */
static struct sidl_fork_handler* handlers;               /* by ascending level */
static struct table_lock* tables;

static void before_fork(void) {
  sidl_await_loading();
  pthread_mutex_lock(&lock);
  for (const struct sidl_fork_handler* each = handlers; each != NULL; each = each->next) {
    if (each->before != NULL) each->before();
  }
  for (const struct table_lock* each = tables; each != NULL; each = each->next) {
    pthread_mutex_lock(each->mutex);
  }
}

static void open_tables(void) {
  for (const struct table_lock* each = tables; each != NULL; each = each->next) {
    pthread_mutex_unlock(each->mutex);
  }
}

/* In reverse order, by recursion: there are few handlers. */
static void after_fork(const struct sidl_fork_handler* handler, bool is_child) {
  if (handler == NULL) return;
  after_fork(handler->next, is_child);
  void (*const function)(void) = is_child ? handler->in_child : handler->in_parent;
  if (function != NULL) function();
}

static void in_parent(void) {
  open_tables();
  after_fork(handlers, false);
  pthread_mutex_unlock(&lock);
  loading_after_fork();
}

static void in_child(void) {
  ++sidl_fork_count;
  loading_begin_as_child();
  open_tables();
  after_fork(handlers, true);
  pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void begin(void) {
  pthread_atfork(before_fork, in_parent, in_child);
}

void fork_guard(struct table_lock* table) {
  pthread_mutex_lock(&lock);
  table->next = tables;
  tables = table;
  pthread_mutex_unlock(&lock);
}

void sidl_at_fork(struct sidl_fork_handler* handler) {
  pthread_mutex_lock(&lock);
  struct sidl_fork_handler** place = &handlers;
  while (*place != NULL && (*place)->level <= handler->level) place = &(*place)->next;
  handler->next = *place;
  *place = handler;
  pthread_mutex_unlock(&lock);
}
