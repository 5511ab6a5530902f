/*
 * Loaded before everything else: counts the bytes of big pieces of memory that a process asks for.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

static const size_t big = 1 << 20;
static uint64_t bytes;

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

static void count(size_t size) {
  if (size >= big) __atomic_add_fetch(&bytes, size, __ATOMIC_RELAXED);
}

/* Since it was asked last. */
uint64_t bytes_asked_for(void) {
  return __atomic_exchange_n(&bytes, 0, __ATOMIC_RELAXED);
}

void* malloc(size_t size) {
  count(size);
  return __libc_malloc(size);
}

void* calloc(size_t number, size_t size) {
  count(number * size);
  return __libc_calloc(number, size);
}

void* realloc(void* memory, size_t size) {
  count(size);
  return __libc_realloc(memory, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size) {
  count(size);
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? 12 : 0;
}

void* mmap(void* address, size_t size, int protection, int flags, int file, off_t offset) {
  static void* (*real)(void*, size_t, int, int, int, off_t);
  if (real == NULL) real = (void* (*)(void*, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
  if ((flags & MAP_ANONYMOUS) != 0) count(size);
  return real(address, size, protection, flags, file, offset);
}
