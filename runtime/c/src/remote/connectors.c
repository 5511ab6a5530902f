#include "remote/connectors.h"

#include <stdlib.h>
#include <string.h>

#include "base/fork.h"

struct connector {
  struct connector* next;
  void* function;
  char name[];
};

TABLE_LOCK(lock);
static struct connector* first;

/* The link to the entry, or that at the end of the list, which is NULL. */
static struct connector** find_locked(const char* name) {
  struct connector** place = &first;
  while (*place != NULL && strcmp((*place)->name, name) != 0) place = &(*place)->next;
  return place;
}

bool connectors_set(const char* name, void* function) {
  const size_t size = strlen(name) + 1;
  pthread_mutex_lock(&lock);
  struct connector* connector = *find_locked(name);
  if (connector == NULL) {
    connector = malloc(sizeof *connector + size);
    if (connector != NULL) {
      memcpy(connector->name, name, size);
      connector->next = first;
      first = connector;
    }
  }
  if (connector != NULL) connector->function = function;
  pthread_mutex_unlock(&lock);
  return connector != NULL;
}

void* connectors_get(const char* name) {
  pthread_mutex_lock(&lock);
  const struct connector* const connector = *find_locked(name);
  void* const function = connector == NULL ? NULL : connector->function;
  pthread_mutex_unlock(&lock);
  return function;
}

void* connectors_remove(const char* name) {
  pthread_mutex_lock(&lock);
  struct connector** const place = find_locked(name);
  struct connector* const connector = *place;
  void* const function = connector == NULL ? NULL : connector->function;
  if (connector != NULL) *place = connector->next;
  pthread_mutex_unlock(&lock);
  free(connector);
  return function;
}
