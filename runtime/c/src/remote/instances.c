#include "remote/instances.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/fork.h"
#include "base/reference.h"
#include "object/object.h"
#include "object/throw.h"
#include "sidl_String.h"
#include "sidl_protocol.h"
#include "sidl_rmi_NetworkException_IOR.h"

/* Of random ids, and the length of their texts. */
enum { ID_BYTES = 16, ID_LENGTH = 2 * ID_BYTES };

enum { FIRST_BUCKETS = 64 };

struct entry {
  struct entry* next_by_id;
  struct entry* next_by_object;
  void* object;  /* the start of the object; holds a reference */
  uint64_t hash; /* of id */
  size_t length; /* of id */
  bool is_random;
  bool is_loan;  /* only for peers: removed with their last count */
  int64_t loans; /* counts held for peers */
  char id[];
};

/* Two hash tables over the same entries, of the same size: a power of two. */
TABLE_LOCK(lock);
static struct entry** by_id;
static struct entry** by_object;
static size_t bucket_count;
static size_t entry_count;

/* Ids are looked up for every call: eight characters at a time. */
static inline uint64_t hash_of(const char* id, size_t left) {
  uint64_t hash = left;
  uint64_t word = 0;
  for (; left >= sizeof word; left -= sizeof word, id += sizeof word) {
    memcpy(&word, id, sizeof word);
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 32;
  }
  for (; left > 0; --left, ++id) hash = (hash ^ (unsigned char)*id) * UINT64_C(0x100000001b3);
  return hash ^ hash >> 32;
}

static uint64_t id_hash(const char* id, size_t length) {
  return length == ID_LENGTH ? hash_of(id, ID_LENGTH) : hash_of(id, length); /* the usual length */
}

static size_t object_bucket(const void* object, size_t buckets) {
  return (size_t)(((uintptr_t)object >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (buckets - 1);
}

static void link_entry(struct entry* entry) {
  struct entry** const id_bucket = &by_id[entry->hash & (bucket_count - 1)];
  struct entry** const object_list = &by_object[object_bucket(entry->object, bucket_count)];
  entry->next_by_id = *id_bucket;
  entry->next_by_object = *object_list;
  *id_bucket = entry;
  *object_list = entry;
}

/* Grows the tables for one more entry. False, without effect, if memory is exhausted. */
static bool grow_locked(void) {
  if (entry_count < bucket_count) return true;
  const size_t old_count = bucket_count;
  const size_t count = old_count == 0 ? FIRST_BUCKETS : 2 * old_count;
  struct entry** const old = by_id;
  struct entry** const ids = calloc(count, sizeof *ids);
  struct entry** const objects = calloc(count, sizeof *objects);
  if (ids == NULL || objects == NULL) {
    free(ids);
    free(objects);
    return entry_count > 0; /* a fuller table still works */
  }
  free(by_object);
  by_id = ids;
  by_object = objects;
  bucket_count = count;
  for (size_t b = 0; b < old_count; ++b) {
    for (struct entry *entry = old[b], *next = NULL; entry != NULL; entry = next) {
      next = entry->next_by_id;
      link_entry(entry);
    }
  }
  free(old);
  return true;
}

/* In a time that does not depend on where they differ: ids are secrets of those who have them. */
static inline bool have_same(const char* a, const char* b, size_t length) {
  uint64_t difference = 0;
  size_t i = 0;
  for (; i + sizeof difference <= length; i += sizeof difference) {
    uint64_t left = 0, right = 0;
    memcpy(&left, a + i, sizeof left);
    memcpy(&right, b + i, sizeof right);
    difference |= left ^ right;
  }
  for (; i < length; ++i) difference |= (unsigned char)(a[i] ^ b[i]);
  return difference == 0;
}

static inline bool are_same(const char* a, const char* b, size_t length) {
  return length == ID_LENGTH ? have_same(a, b, ID_LENGTH) : have_same(a, b, length);
}

static struct entry* find_hashed_locked(const char* id, size_t length, uint64_t hash) {
  if (bucket_count == 0) return NULL;
  struct entry* entry = by_id[hash & (bucket_count - 1)];
  while (entry != NULL &&
         (entry->hash != hash || entry->length != length || !are_same(entry->id, id, length))) {
    entry = entry->next_by_id;
  }
  return entry;
}

static struct entry* find_locked(const char* id) {
  const size_t length = strlen(id);
  return find_hashed_locked(id, length, id_hash(id, length));
}

/* The object's random entry, or if `any` another one. */
static struct entry* find_object_locked(const void* object, bool any) {
  struct entry* found = NULL;
  if (bucket_count == 0) return NULL;
  struct entry* entry = by_object[object_bucket(object, bucket_count)];
  for (; entry != NULL; entry = entry->next_by_object) {
    if (entry->object != object) continue;
    if (entry->is_random) return entry;
    if (any) found = entry;
  }
  return found;
}

static struct entry* make_entry(void* object, const char* id, bool is_random) {
  const size_t length = strlen(id);
  struct entry* const entry = malloc(sizeof *entry + length + 1);
  if (entry == NULL) return NULL;
  entry->object = object;
  entry->hash = id_hash(id, length);
  entry->length = length;
  entry->is_random = is_random;
  entry->is_loan = false;
  entry->loans = 0;
  memcpy(entry->id, id, length + 1);
  return entry;
}

static bool add_locked(void* object, const char* id, bool is_random) {
  if (!grow_locked()) return false;
  struct entry* const entry = make_entry(object, id, is_random);
  if (entry == NULL) return false;
  reference_take(object);
  link_entry(entry);
  ++entry_count;
  return true;
}

static void unlink_locked(struct entry* entry) {
  struct entry** at = &by_id[entry->hash & (bucket_count - 1)];
  while (*at != entry) at = &(*at)->next_by_id;
  *at = entry->next_by_id;
  at = &by_object[object_bucket(entry->object, bucket_count)];
  while (*at != entry) at = &(*at)->next_by_object;
  *at = entry->next_by_object;
  --entry_count;
}

/* 128 unguessable bits: the id is the capability to call the object. */
static bool random_id(char* id) {
  unsigned char bytes[ID_BYTES];
  static const char digits[] = "0123456789abcdef";
  ssize_t got = 0;
  do {
    got = getrandom(bytes, sizeof bytes, 0);
  } while (got < 0 && errno == EINTR);
  if (got != sizeof bytes) return false;
  for (size_t i = 0; i < sizeof bytes; ++i) {
    id[2 * i] = digits[bytes[i] >> 4];
    id[2 * i + 1] = digits[bytes[i] & 15];
  }
  id[2 * sizeof bytes] = '\0';
  return true;
}

static char* enter(void* object, bool for_peer, struct sidl_BaseInterface__object** _ex) {
  char id[ID_LENGTH + 1];
  void* const self = object_of(object);
  char* result = NULL;
  *_ex = NULL;
  if (!random_id(id)) {
    THROW(_ex, sidl_rmi_NetworkException, "cannot generate random numbers: getrandom: %s",
          strerror(errno));
    return NULL;
  }
  pthread_mutex_lock(&lock);
  const bool is_new = find_object_locked(self, false) == NULL;
  if (!is_new || add_locked(self, id, true)) {
    struct entry* const entry = find_object_locked(self, false);
    result = sidl_String_strdup(entry->id);
    if (result != NULL && for_peer) ++entry->loans;
    entry->is_loan = for_peer && (is_new || entry->is_loan);
  }
  pthread_mutex_unlock(&lock);
  if (result == NULL) throw_memory(_ex);
  return result;
}

char* instances_add(void* object, struct sidl_BaseInterface__object** _ex) {
  return enter(object, false, _ex);
}

char* sidl_rmi_lend(void* obj, struct sidl_BaseInterface__object** _ex) {
  return enter(obj, true, _ex);
}

void sidl_rmi_take_back(const char* id, int64_t count) {
  pthread_mutex_lock(&lock);
  struct entry* const entry = find_locked(id);
  if (entry != NULL) entry->loans -= count < entry->loans ? count : entry->loans;
  const bool is_over = entry != NULL && entry->is_loan && entry->loans == 0;
  if (is_over) unlink_locked(entry);
  pthread_mutex_unlock(&lock);
  if (!is_over) return;
  reference_drop(entry->object); /* outside the lock: may destroy */
  free(entry);
}

bool instances_add_name(void* object, const char* name, struct sidl_BaseInterface__object** _ex) {
  void* const self = object_of(object);
  *_ex = NULL;
  pthread_mutex_lock(&lock);
  const struct entry* const known = find_locked(name);
  const bool is_free = known == NULL;
  const bool ok = is_free ? add_locked(self, name, false) : known->object == self;
  pthread_mutex_unlock(&lock);
  if (ok) return true;
  if (is_free) {
    throw_memory(_ex);
  } else {
    THROW(_ex, sidl_rmi_NetworkException, "the name \"%s\" is already used by another object",
          name);
  }
  return false;
}

void* sidl_rmi_find_instance(const char* id, size_t length) {
  const uint64_t hash = id_hash(id, length);
  pthread_mutex_lock(&lock);
  const struct entry* const entry = find_hashed_locked(id, length, hash);
  void* const object = entry == NULL ? NULL : reference_take(entry->object);
  pthread_mutex_unlock(&lock);
  return object;
}

void* instances_find(const char* id) {
  return sidl_rmi_find_instance(id, strlen(id));
}

char* instances_id(const void* object) {
  pthread_mutex_lock(&lock);
  const struct entry* const entry = find_object_locked(object_of(object), true);
  char* const id = entry == NULL ? NULL : sidl_String_strdup(entry->id);
  pthread_mutex_unlock(&lock);
  return id;
}

void* instances_remove(const char* id) {
  pthread_mutex_lock(&lock);
  struct entry* const entry = find_locked(id);
  if (entry != NULL) unlink_locked(entry);
  pthread_mutex_unlock(&lock);
  void* const object = entry == NULL ? NULL : entry->object;
  free(entry);
  return object;
}

char* instances_remove_object(const void* object) {
  const void* const self = object_of(object);
  char* id = NULL;
  for (;;) {
    pthread_mutex_lock(&lock);
    struct entry* const entry = find_object_locked(self, true);
    if (entry != NULL) unlink_locked(entry);
    pthread_mutex_unlock(&lock);
    if (entry == NULL) return id;
    if (id == NULL) id = sidl_String_strdup(entry->id); /* the random one takes precedence */
    reference_drop(entry->object);                      /* outside the lock: may destroy */
    free(entry);
  }
}

static int compare_ids(const void* a, const void* b) {
  const struct entry* const* const left = a;
  const struct entry* const* const right = b;
  return strcmp((*left)->id, (*right)->id);
}

bool instances_published(void (*visit)(const char* name, const void* object, void* data),
                         void* data) {
  size_t count = 0;
  pthread_mutex_lock(&lock);
  const struct entry** const published = malloc((entry_count + 1) * sizeof *published);
  for (size_t b = 0; published != NULL && b < bucket_count; ++b) {
    for (const struct entry* entry = by_id[b]; entry != NULL; entry = entry->next_by_id) {
      if (!entry->is_random) published[count++] = entry;
    }
  }
  if (published != NULL) qsort(published, count, sizeof *published, compare_ids);
  for (size_t i = 0; i < count; ++i) visit(published[i]->id, published[i]->object, data);
  pthread_mutex_unlock(&lock);
  free(published);
  return published != NULL;
}
