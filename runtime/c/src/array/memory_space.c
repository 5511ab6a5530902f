#include "array/memory_space.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/value.h"
#include "base/atomic.h"
#include "sidl_log.h"

/* What copies between spaces go through. */
enum { STAGING_BYTES = 256 << 10 };

/* What was registered for a space. */
struct access {
  const struct sidl_memory_functions* functions;
  void* context;
  char name[]; /* for messages */
};

struct sidl_memory_space {
  struct sidl_memory_space* next;
  int32_t device_type, device_id;
  const struct access* access; /* NULL until registered; accessed atomically */
  char name[];                 /* until registered */
};

/* Spaces are only ever added, at the front. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sidl_memory_space* spaces;

static bool is_host(int32_t device_type) {
  return device_type == sidl_device_host || device_type == sidl_device_cuda_host ||
         device_type == sidl_device_rocm_host || device_type == sidl_device_cuda_managed;
}

static struct sidl_memory_space* look_up(int32_t device_type, int32_t device_id) {
  struct sidl_memory_space* space = spaces;
  while (space != NULL && (space->device_type != device_type || space->device_id != device_id)) {
    space = space->next;
  }
  return space;
}

static struct sidl_memory_space* add(int32_t device_type, int32_t device_id) {
  char name[48];
  const int length = snprintf(name, sizeof name, "device %d:%d", (int)device_type, (int)device_id);
  struct sidl_memory_space* const space = malloc(sizeof *space + (size_t)length + 1);
  if (space == NULL) return NULL;
  *space = (struct sidl_memory_space){
      .next = spaces, .device_type = device_type, .device_id = device_id};
  memcpy(space->name, name, (size_t)length + 1);
  spaces = space;
  return space;
}

static struct sidl_memory_space* intern(int32_t device_type, int32_t device_id) {
  if (is_host(device_type)) return NULL;
  pthread_mutex_lock(&lock);
  struct sidl_memory_space* space = look_up(device_type, device_id);
  if (space == NULL) space = add(device_type, device_id);
  pthread_mutex_unlock(&lock);
  return space;
}

const struct sidl_memory_space* sidl_memory_space_register(
    int32_t device_type, int32_t device_id, const char* name,
    const struct sidl_memory_functions* functions, void* context) {
  struct sidl_memory_space* const space = intern(device_type, device_id);
  if (space == NULL || functions == NULL) return NULL;
  const char* const shown = name != NULL ? name : space->name;
  const size_t length = strlen(shown) + 1;
  struct access* const access = malloc(sizeof *access + length);
  if (access == NULL) return NULL;
  *access = (struct access){functions, context};
  memcpy(access->name, shown, length);
  pthread_mutex_lock(&lock);
  const bool is_first = space->access == NULL;
  if (is_first) atomic_store_release(&space->access, access);
  pthread_mutex_unlock(&lock);
  if (!is_first) free(access);
  return space;
}

const struct sidl_memory_space* sidl_memory_space_find(int32_t device_type, int32_t device_id) {
  return intern(device_type, device_id);
}

int32_t sidl_memory_space_device_type(const struct sidl_memory_space* space) {
  return space == NULL ? sidl_device_host : space->device_type;
}

int32_t sidl_memory_space_device_id(const struct sidl_memory_space* space) {
  return space == NULL ? 0 : space->device_id;
}

/* NULL if nobody has registered any. */
static const struct access* access_to(const struct sidl_memory_space* space) {
  return atomic_load_acquire(&space->access);
}

const char* sidl_memory_space_name(const struct sidl_memory_space* space) {
  if (space == NULL) return "host memory";
  const struct access* const access = access_to(space);
  return access == NULL ? space->name : access->name;
}

void* space_allocate(const struct sidl_memory_space* space, size_t bytes) {
  const struct access* const access = access_to(space);
  return access == NULL ? NULL : access->functions->allocate(access->context, bytes);
}

void space_release(const struct sidl_memory_space* space, void* first, size_t bytes) {
  const struct access* const access = access_to(space);
  access->functions->release(access->context, first, bytes);
}

static bool is_dense(ptrdiff_t step, size_t size) {
  return step == (ptrdiff_t)size;
}

/* Whether functions were found for blocks, which are made one if they are neighbours. */
static const struct access* access_blocks(const struct sidl_memory_space* space, ptrdiff_t stride,
                                          size_t* size, size_t* count) {
  if (is_dense(stride, *size)) {
    *size *= *count;
    *count = *size == 0 ? 0 : 1;
  }
  return space == NULL ? NULL : access_to(space);
}

sidl_bool sidl_memory_to_host(const struct sidl_memory_space* space, void* host, const void* there,
                              size_t size, ptrdiff_t stride, size_t count) {
  const struct access* const access = access_blocks(space, stride, &size, &count);
  if (count == 0) return TRUE;
  if (space != NULL) {
    return access != NULL &&
           access->functions->to_host(access->context, host, there, size, stride, count);
  }
  char* to = host;
  for (const char* from = there; count-- > 0; from += stride, to += size) memcpy(to, from, size);
  return TRUE;
}

sidl_bool sidl_memory_from_host(const struct sidl_memory_space* space, void* there,
                                ptrdiff_t stride, const void* host, size_t size, size_t count) {
  const struct access* const access = access_blocks(space, stride, &size, &count);
  if (count == 0) return TRUE;
  if (space != NULL) {
    return access != NULL &&
           access->functions->from_host(access->context, there, stride, host, size, count);
  }
  const char* from = host;
  for (char* to = there; count-- > 0; to += stride, from += size) memcpy(to, from, size);
  return TRUE;
}

/* Through memory of ours, a part at a time. */
static bool copy_staged(const struct sidl_memory_space* from_space, const char* from,
                        ptrdiff_t from_step, const struct sidl_memory_space* to_space, char* to,
                        ptrdiff_t to_step, size_t size, size_t count) {
  const size_t most = size >= STAGING_BYTES ? 1 : STAGING_BYTES / size;
  void* const staging = malloc(size * (most < count ? most : count));
  bool ok = staging != NULL;
  for (size_t done = 0; ok && done < count;) {
    const size_t some = count - done < most ? count - done : most;
    const ptrdiff_t at = (ptrdiff_t)done;
    ok = sidl_memory_to_host(from_space, staging, from + at * from_step, size, from_step, some) &&
         sidl_memory_from_host(to_space, to + at * to_step, to_step, staging, size, some);
    done += some;
  }
  free(staging);
  return ok;
}

bool space_copy(const struct sidl_memory_space* from_space, const char* from, ptrdiff_t from_step,
                const struct sidl_memory_space* to_space, char* to, ptrdiff_t to_step, size_t size,
                size_t count) {
  if (from_space == NULL && is_dense(from_step, size)) {
    return sidl_memory_from_host(to_space, to, to_step, from, size, count);
  }
  if (to_space == NULL && is_dense(to_step, size)) {
    return sidl_memory_to_host(from_space, to, from, size, from_step, count);
  }
  return copy_staged(from_space, from, from_step, to_space, to, to_step, size, count);
}

bool space_takes(struct element_type of) {
  if (of.type == sidl_struct_array) return of.structure != NULL && struct_is_plain(of.structure);
  return array_is_type(of.type) && of.structure == NULL && of.type != sidl_string_array &&
         of.type != sidl_opaque_array && of.type != sidl_interface_array;
}

void space_refuse(const struct sidl__array* array) {
  char text[192];
  snprintf(text, sizeof text,
           "elements of an array were asked for on the host, but they are in %s: copy them with "
           "sidl__array_in first",
           sidl_memory_space_name(array->d_space));
  sidl_log(sidl_log_error, "array", text);
}
