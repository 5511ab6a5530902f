#include "remote/spare.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Smaller blocks malloc keeps itself; of larger ones too much would lie idle. */
enum { SMALLEST = 1 << 16, LARGEST = 1 << 24, SLOTS = 4 };

/* Let the sanitizer detect use after free. */
#if defined __SANITIZE_ADDRESS__
#define FORGETS true
#elif defined __has_feature
#define FORGETS __has_feature(address_sanitizer)
#else
#define FORGETS false
#endif

/* What precedes the memory. */
struct spare {
  _Alignas(SPARE_ALIGNMENT) size_t capacity;
  void* whole; /* malloc's */
};

static _Atomic(struct spare*) slots[SLOTS];

/* Not by aligned_alloc: see array_core.c. */
static struct spare* allocate(size_t bytes) {
  char* const whole = malloc(sizeof(struct spare) + SPARE_ALIGNMENT - 1 + bytes);
  if (whole == NULL) return NULL;
  const size_t gap = -(uintptr_t)whole & (SPARE_ALIGNMENT - 1);
  struct spare* const block = (struct spare*)(void*)(whole + gap);
  *block = (struct spare){.capacity = bytes, .whole = whole};
  return block;
}

static void release(struct spare* block) {
  if (block != NULL) free(block->whole);
}

/* One that is large enough, and not far too large; else NULL. */
static struct spare* find(size_t bytes) {
  for (int i = 0; i < SLOTS; ++i) {
    struct spare* const block = atomic_exchange(&slots[i], NULL);
    if (block == NULL) continue;
    if (block->capacity >= bytes && block->capacity / 4 <= bytes) return block;
    release(atomic_exchange(&slots[i], block));
  }
  return NULL;
}

static void drop_all(void) {
  for (int i = 0; i < SLOTS; ++i) release(atomic_exchange(&slots[i], NULL));
}

void* spare_take(size_t bytes) {
  if (bytes > PTRDIFF_MAX - (size_t)(2 * SPARE_ALIGNMENT)) return NULL;
  bytes = (bytes + SPARE_ALIGNMENT - 1) / SPARE_ALIGNMENT * SPARE_ALIGNMENT;
  struct spare* block = bytes >= SMALLEST ? find(bytes) : NULL;
  if (block == NULL) block = allocate(bytes);
  if (block == NULL) {
    drop_all();
    block = allocate(bytes);
  }
  return block == NULL ? NULL : block + 1;
}

size_t spare_capacity(const void* block) {
  return ((const struct spare*)block - 1)->capacity;
}

void spare_give(void* block) {
  struct spare* given = block == NULL ? NULL : (struct spare*)block - 1;
  if (given == NULL) return;
  if (FORGETS || given->capacity < SMALLEST || given->capacity > LARGEST) {
    release(given);
    return;
  }
  for (int i = 0; i < SLOTS; ++i) {
    struct spare* none = NULL;
    if (atomic_compare_exchange_strong(&slots[i], &none, given)) return;
  }
  release(atomic_exchange(&slots[0], given));
}
