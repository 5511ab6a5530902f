/*
 * test_space.c: each block is a file in memory, mapped twice: without any rights at the address
 * that arrays have, and for the copies somewhere else.
 */
#define _GNU_SOURCE
#include "test_space.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct block {
  struct block* next;
  char* shown; /* what arrays have */
  char* real;
  size_t size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block* blocks;
static int block_count, copy_count;
static sidl_bool copies_fail;

static char* map(int file, size_t size, int rights) {
  void* const at = mmap(NULL, size, rights, MAP_SHARED, file, 0);
  return at == MAP_FAILED ? NULL : at;
}

static void* allocate(void* context, size_t bytes) {
  struct block* const block = malloc(sizeof *block);
  const int file = memfd_create("test_space", MFD_CLOEXEC);
  (void)context;
  if (block == NULL || file < 0 || ftruncate(file, (off_t)bytes) != 0) return NULL;
  *block = (struct block){
      .shown = map(file, bytes, PROT_NONE),
      .real = map(file, bytes, PROT_READ | PROT_WRITE),
      .size = bytes,
  };
  close(file);
  if (block->shown == NULL || block->real == NULL) return NULL;
  pthread_mutex_lock(&lock);
  block->next = blocks;
  blocks = block;
  ++block_count;
  pthread_mutex_unlock(&lock);
  return block->shown;
}

static void release(void* context, void* first, size_t bytes) {
  struct block** at = &blocks;
  (void)context;
  pthread_mutex_lock(&lock);
  while (*at != NULL && ((*at)->shown != first || (*at)->size != bytes)) at = &(*at)->next;
  struct block* const block = *at;
  if (block == NULL) abort();
  *at = block->next;
  --block_count;
  pthread_mutex_unlock(&lock);
  munmap(block->shown, block->size);
  munmap(block->real, block->size);
  free(block);
}

void* test_space_memory(const void* there) {
  const char* const address = there;
  char* found = NULL;
  pthread_mutex_lock(&lock);
  for (const struct block* each = blocks; each != NULL && found == NULL; each = each->next) {
    if (address >= each->shown && address < each->shown + each->size) {
      found = each->real + (address - each->shown);
    }
  }
  pthread_mutex_unlock(&lock);
  return found;
}

static sidl_bool begin_copy(void) {
  pthread_mutex_lock(&lock);
  const sidl_bool ok = !copies_fail;
  copy_count += ok;
  pthread_mutex_unlock(&lock);
  return ok;
}

static sidl_bool to_host(void* context, void* host, const void* there, size_t size,
                         ptrdiff_t stride, size_t count) {
  const char* from = test_space_memory(there);
  char* to = host;
  (void)context;
  if (!begin_copy()) return FALSE;
  if (from == NULL) abort();
  for (size_t i = 0; i < count; ++i, from += stride, to += size) memcpy(to, from, size);
  return TRUE;
}

static sidl_bool from_host(void* context, void* there, ptrdiff_t stride, const void* host,
                           size_t size, size_t count) {
  char* to = test_space_memory(there);
  const char* from = host;
  (void)context;
  if (!begin_copy()) return FALSE;
  if (to == NULL) abort();
  for (size_t i = 0; i < count; ++i, to += stride, from += size) memcpy(to, from, size);
  return TRUE;
}

const struct sidl_memory_space* test_space(void) {
  static const struct sidl_memory_functions functions = {allocate, release, to_host, from_host};
  return sidl_memory_space_register(sidl_device_extension, 0, "test device", &functions, NULL);
}

int test_space_blocks(void) {
  pthread_mutex_lock(&lock);
  const int count = block_count;
  pthread_mutex_unlock(&lock);
  return count;
}

int test_space_copies(void) {
  pthread_mutex_lock(&lock);
  const int count = copy_count;
  pthread_mutex_unlock(&lock);
  return count;
}

void test_space_fail(sidl_bool fails) {
  pthread_mutex_lock(&lock);
  copies_fail = fails;
  pthread_mutex_unlock(&lock);
}
