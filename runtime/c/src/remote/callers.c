#include "remote/callers.h"

#include <stdlib.h>

#include "base/fork.h"
#include "sidl_log.h"

struct entry {
  struct entry* next;
  uint64_t class_id; /* of handles, or of objects */
  sidl_rmi_caller caller;
  const char* instead; /* NULL: what is behind the handles can be passed */
  sidl_bool is_lent_only;
};

TABLE_LOCK(lock);
static struct entry* entries; /* few: one for each protocol */

static struct entry* find_locked(uint64_t id) {
  struct entry* entry = entries;
  while (entry != NULL && entry->class_id != id) entry = entry->next;
  return entry;
}

static struct entry* find_or_add_locked(uint64_t id) {
  struct entry* entry = find_locked(id);
  if (entry != NULL) return entry;
  entry = malloc(sizeof *entry);
  if (entry == NULL) {
    sidl_log(sidl_log_warning, "sidl", "out of memory: what a library says of its classes is lost");
    return NULL;
  }
  *entry = (struct entry){entries, id, NULL, NULL, FALSE};
  entries = entry;
  return entry;
}

void sidl_rmi_set_caller(const struct sidl_type_info* handle_class, sidl_rmi_caller caller) {
  pthread_mutex_lock(&lock);
  struct entry* const entry = find_or_add_locked(handle_class->id);
  if (entry != NULL) entry->caller = caller;
  pthread_mutex_unlock(&lock);
}

void sidl_rmi_refuse_passing(const struct sidl_type_info* handle_class, const char* instead) {
  pthread_mutex_lock(&lock);
  struct entry* const entry = find_or_add_locked(handle_class->id);
  if (entry != NULL) entry->instead = instead;
  pthread_mutex_unlock(&lock);
}

void sidl_rmi_lend_only(const struct sidl_type_info* object_class) {
  pthread_mutex_lock(&lock);
  struct entry* const entry = find_or_add_locked(object_class->id);
  if (entry != NULL) entry->is_lent_only = TRUE;
  pthread_mutex_unlock(&lock);
}

/* What has been said of a class; nothing: NULL and FALSE. */
static struct entry said_of(const struct sidl_type_info* class) {
  pthread_mutex_lock(&lock);
  const struct entry* const entry = find_locked(class->id);
  const struct entry said = entry == NULL ? (struct entry){0} : *entry;
  pthread_mutex_unlock(&lock);
  return said;
}

sidl_rmi_caller caller_of(const struct sidl_type_info* handle_class) {
  return said_of(handle_class).caller;
}

const char* instead_of_passing(const struct sidl_type_info* handle_class) {
  return said_of(handle_class).instead;
}

sidl_bool sidl_rmi_is_lent_only(const struct sidl_type_info* object_class) {
  return said_of(object_class).is_lent_only;
}
