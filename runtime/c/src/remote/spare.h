/*
 * spare.h: memory for what is packed and unpacked. Big blocks are kept for the next message: fresh
 * pages cost more than to send or receive what fills them. Any thread.
 */
#ifndef REMOTE_SPARE_H
#define REMOTE_SPARE_H

#include <stddef.h>

#pragma GCC visibility push(hidden)

enum { SPARE_ALIGNMENT = 64 };

/* At least so many bytes, which are not initialised; NULL if memory is exhausted. */
void* spare_take(size_t bytes);

/* How many they are. */
size_t spare_capacity(const void* block);

/* Gives it back; NULL is allowed. */
void spare_give(void* block);

#pragma GCC visibility pop
#endif
