/*
 * stand_ins.c: which SIDL object stands for which object of a user's Java class, so that one of
 * them stands for it wherever it is passed, as long as that is referenced.
 *
 * A hash table in C, as objects leave it when SIDL destroys them, on any thread, with or without
 * Java. One that is being destroyed is not found any more, though it is still there: another one
 * may have taken its place.
 */
#include <pthread.h>
#include <stdlib.h>

#include "internal.h"
#include "sidl_dynamic.h"

enum { least_buckets = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by the lock; never freed. */
static struct plain** buckets;
static uint32_t bucket_count; /* a power of two, or 0 */
static uint32_t plain_count;

static struct plain** bucket_of(int32_t hash) {
  return &buckets[(uint32_t)hash & (bucket_count - 1)];
}

static void insert(struct plain* each) {
  struct plain** const bucket = bucket_of(each->hash);
  each->next = *bucket;
  *bucket = each;
}

/* False if there are no buckets, and no memory for any. */
static sidl_bool has_buckets(void) {
  if (plain_count < bucket_count) return TRUE;
  const uint32_t old_count = bucket_count;
  struct plain** const old = buckets;
  const uint32_t more = old_count == 0 ? least_buckets : 2 * old_count;
  struct plain** const made = more == 0 ? NULL : calloc(more, sizeof *made);
  if (made == NULL) return old_count != 0;
  buckets = made;
  bucket_count = more;
  for (uint32_t i = 0; i < old_count; ++i) {
    for (struct plain *each = old[i], *next; each != NULL; each = next) {
      next = each->next;
      insert(each);
    }
  }
  free(old);
  return TRUE;
}

static void* find_and_revive(JNIEnv* env, jobject java, int32_t hash) {
  if (bucket_count == 0) return NULL;
  for (const struct plain* each = *bucket_of(hash); each != NULL; each = each->next) {
    if (each->hash == hash && (*env)->IsSameObject(env, each->java, java) &&
        sidl_dynamic_revive(each->ior)) {
      return each->ior;
    }
  }
  return NULL;
}

void* stand_in_for(JNIEnv* env, jobject java, int32_t hash, make_stand_in* make,
                   const struct sidl_class* class) {
  pthread_mutex_lock(&lock);
  void* found = find_and_revive(env, java, hash);
  if (found == NULL && has_buckets()) {
    struct plain* const made = make(env, java, class);
    if (made != NULL) {
      made->hash = hash;
      insert(made);
      ++plain_count;
      found = made->ior;
    }
  }
  pthread_mutex_unlock(&lock);
  return found;
}

void forget_stand_in(const struct plain* gone) {
  pthread_mutex_lock(&lock);
  struct plain** at = bucket_of(gone->hash);
  while (*at != gone) at = &(*at)->next;
  *at = gone->next;
  --plain_count;
  pthread_mutex_unlock(&lock);
}
