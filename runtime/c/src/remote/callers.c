#include "remote/callers.h"

#include <stdlib.h>

#include "base/fork.h"
#include "sidl_log.h"

struct entry {
  struct entry* next;
  uint64_t handle_class; /* its type id */
  sidl_rmi_caller caller;
};

TABLE_LOCK(lock);
static struct entry* entries; /* few: one for each protocol */

static struct entry* find_locked(uint64_t id) {
  struct entry* entry = entries;
  while (entry != NULL && entry->handle_class != id) entry = entry->next;
  return entry;
}

void sidl_rmi_set_caller(const struct sidl_type_info* handle_class, sidl_rmi_caller caller) {
  pthread_mutex_lock(&lock);
  struct entry* entry = find_locked(handle_class->id);
  if (entry == NULL) {
    entry = malloc(sizeof *entry);
    if (entry != NULL) {
      entry->next = entries;
      entry->handle_class = handle_class->id;
      entries = entry;
    } else {
      sidl_log(sidl_log_warning, "sidl", "out of memory: remote calls will be slower");
    }
  }
  if (entry != NULL) entry->caller = caller;
  pthread_mutex_unlock(&lock);
}

sidl_rmi_caller caller_of(const struct sidl_type_info* handle_class) {
  pthread_mutex_lock(&lock);
  const struct entry* const entry = find_locked(handle_class->id);
  const sidl_rmi_caller caller = entry == NULL ? NULL : entry->caller;
  pthread_mutex_unlock(&lock);
  return caller;
}
