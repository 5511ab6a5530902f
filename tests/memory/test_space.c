#define _GNU_SOURCE
#include "test_space.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct block {
  struct block* next;
  char* seen;   /* without access rights */
  char* memory; /* the same, for us */
  size_t size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block* blocks;
static int count, copies;
static size_t copied, largest;
static int fails;

static void* allocate(void* context, size_t bytes) {
  (void)context;
  struct block* const block = malloc(sizeof *block);
  const int file = memfd_create("test_space", MFD_CLOEXEC);
  if (block == NULL || file < 0 || ftruncate(file, (off_t)bytes) != 0) abort();
  block->size = bytes;
  block->seen = mmap(NULL, bytes, PROT_NONE, MAP_SHARED, file, 0);
  block->memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (block->seen == MAP_FAILED || block->memory == MAP_FAILED) abort();
  pthread_mutex_lock(&lock);
  block->next = blocks;
  blocks = block;
  ++count;
  pthread_mutex_unlock(&lock);
  return block->seen;
}

static void release(void* context, void* first, size_t bytes) {
  (void)context;
  pthread_mutex_lock(&lock);
  struct block** place = &blocks;
  while (*place != NULL && (*place)->seen != first) place = &(*place)->next;
  struct block* const block = *place;
  if (block == NULL || block->size != bytes) abort();
  *place = block->next;
  --count;
  pthread_mutex_unlock(&lock);
  munmap(block->seen, bytes);
  munmap(block->memory, bytes);
  free(block);
}

static struct block* block_with(const char* first) {
  struct block* block = blocks;
  while (block != NULL && (first < block->seen || first >= block->seen + block->size)) {
    block = block->next;
  }
  return block;
}

/* Where we find what others see at `first` to `last`; it must be within one block. */
static char* find(const char* first, const char* last) {
  const struct block* const block = block_with(first);
  if (block == NULL || last < block->seen || last > block->seen + block->size) abort();
  return block->memory + (first - block->seen);
}

static void note(size_t bytes) {
  ++copies;
  copied += bytes;
  if (bytes > largest) largest = bytes;
}

/* Calls copy(block of ours, place in host memory) for each of the blocks. */
static sidl_bool for_each(const void* there, char* host, size_t size, ptrdiff_t stride, size_t n,
                          void (*copy)(char* ours, char* host, size_t size)) {
  pthread_mutex_lock(&lock);
  const int ok = !fails;
  if (ok) note(size * n);
  for (size_t i = 0; ok && i < n; ++i) {
    const char* const at = (const char*)there + (ptrdiff_t)i * stride;
    copy(find(at, at + size), host + i * size, size);
  }
  pthread_mutex_unlock(&lock);
  return ok;
}

static void read_block(char* ours, char* host, size_t size) {
  memcpy(host, ours, size);
}

static void write_block(char* ours, char* host, size_t size) {
  memcpy(ours, host, size);
}

static sidl_bool to_host(void* context, void* host, const void* there, size_t size,
                         ptrdiff_t stride, size_t n) {
  (void)context;
  return for_each(there, host, size, stride, n, read_block);
}

static sidl_bool from_host(void* context, void* there, ptrdiff_t stride, const void* host,
                           size_t size, size_t n) {
  (void)context;
  return for_each(there, (char*)host, size, stride, n, write_block);
}

const struct sidl_memory_functions* test_space_functions(void) {
  static const struct sidl_memory_functions functions = {allocate, release, to_host, from_host};
  return &functions;
}

const struct sidl_memory_space* test_space(void) {
  return sidl_memory_space_register(sidl_device_extension, 0, "the test space",
                                    test_space_functions(), NULL);
}

static size_t take(size_t* number) {
  pthread_mutex_lock(&lock);
  const size_t value = *number;
  *number = 0;
  pthread_mutex_unlock(&lock);
  return value;
}

int test_space_blocks(void) {
  pthread_mutex_lock(&lock);
  const int now = count;
  pthread_mutex_unlock(&lock);
  return now;
}

int test_space_copies(void) {
  pthread_mutex_lock(&lock);
  const int now = copies;
  pthread_mutex_unlock(&lock);
  return now;
}

void* test_space_memory(const void* there) {
  pthread_mutex_lock(&lock);
  const struct block* const block = block_with(there);
  pthread_mutex_unlock(&lock);
  return block == NULL ? NULL : block->memory + ((const char*)there - block->seen);
}

size_t test_space_copied(void) {
  return take(&copied);
}

size_t test_space_largest(void) {
  return take(&largest);
}

void test_space_fail(int they_fail) {
  pthread_mutex_lock(&lock);
  fails = they_fail;
  pthread_mutex_unlock(&lock);
}
