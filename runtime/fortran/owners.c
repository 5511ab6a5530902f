/*
 * owners.c: a table of arrays by the address of their first element.
 *
 * A Fortran pointer says where elements are and nothing of who owns them.
 * Buckets of lists, and a lock: any thread may take and give back arrays.
 */
#include "owners.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "sidl_process.h"

struct owner {
  struct owner* next;
  void* first;
  struct sidl__array* array;
};

enum { bucket_count = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct owner* buckets[bucket_count];

static void take_lock(void) {
  pthread_mutex_lock(&lock);
}

static void give_lock_back(void) {
  pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void begin(void) {
  static struct sidl_fork_handler handler = {
      .level = sidl_fork_table,
      .before = take_lock,
      .in_parent = give_lock_back,
      .in_child = give_lock_back,
  };
  sidl_at_fork(&handler);
}

static struct owner** bucket_of(const void* first) {
  return &buckets[((uintptr_t)first >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 54];
}

bool owners_add(void* first, struct sidl__array* array) {
  struct owner* const owner = malloc(sizeof *owner);
  if (owner == NULL) return false;
  struct owner** const bucket = bucket_of(first);
  pthread_mutex_lock(&lock);
  *owner = (struct owner){*bucket, first, array};
  *bucket = owner;
  pthread_mutex_unlock(&lock);
  return true;
}

struct sidl__array* owners_remove(void* first) {
  struct sidl__array* array = NULL;
  pthread_mutex_lock(&lock);
  struct owner** place = bucket_of(first);
  while (*place != NULL && (*place)->first != first) place = &(*place)->next;
  struct owner* const found = *place;
  if (found != NULL) {
    array = found->array;
    *place = found->next;
  }
  pthread_mutex_unlock(&lock);
  free(found);
  return array;
}
