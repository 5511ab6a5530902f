/*
 * owners.c: a table of arrays by the address of their first element.
 *
 * A Fortran pointer does not tell who owns its elements. Buckets of lists, with a lock, as any
 * thread may take and return arrays.
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
  const char* low; /* where the elements lie */
  const char* high;
  const int64_t* thread; /* who added it: its `added` */
  int64_t number;        /* how many that one had added before */
};

static _Thread_local int64_t added;

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

bool owners_add(void* first, struct sidl__array* array, const char* low, const char* high) {
  struct owner* const owner = malloc(sizeof *owner);
  if (owner == NULL) return false;
  struct owner** const bucket = bucket_of(first);
  pthread_mutex_lock(&lock);
  *owner = (struct owner){*bucket, first, array, low, high, &added, added++};
  *bucket = owner;
  pthread_mutex_unlock(&lock);
  return true;
}

/* Takes the owner at a place out of its list; NULL if there is none. */
static struct owner* take_out(struct owner** place) {
  struct owner* const found = *place;
  if (found != NULL) *place = found->next;
  return found;
}

static struct sidl__array* array_of(struct owner* found) {
  struct sidl__array* const array = found == NULL ? NULL : found->array;
  free(found);
  return array;
}

struct sidl__array* owners_remove(void* first) {
  pthread_mutex_lock(&lock);
  struct owner** place = bucket_of(first);
  while (*place != NULL && (*place)->first != first) place = &(*place)->next;
  struct owner* const found = take_out(place);
  pthread_mutex_unlock(&lock);
  return array_of(found);
}

int64_t owners_count(void) {
  return added;
}

static struct owner** find(struct owner** place, const char* address, int64_t count) {
  for (; *place != NULL; place = &(*place)->next) {
    const struct owner* const each = *place;
    const bool is_there = each->low <= address && address < each->high;
    if (is_there && each->thread == &added && each->number >= count) break;
  }
  return place;
}

struct sidl__array* owners_claim(const void* address, int64_t count) {
  if (added == count) return NULL;
  pthread_mutex_lock(&lock);
  struct owner** place = find(bucket_of(address), address, count);
  for (int i = 0; i < bucket_count && *place == NULL; ++i) {
    place = find(&buckets[i], address, count);
  }
  struct owner* const found = take_out(place);
  pthread_mutex_unlock(&lock);
  return array_of(found);
}
