/* owners.h: which SIDL array the elements that a Fortran pointer points at belong to. */
#ifndef OWNERS_H
#define OWNERS_H

#include <stdbool.h>
#include <stdint.h>

struct sidl__array;

/*
 * Keeps a reference to `array` under the address of its first element; all of them lie from `low`
 * up to `high`. False: no memory.
 */
bool owners_add(void* first, struct sidl__array* array, const char* low, const char* high);

/* The array that was added last under this address, with the reference that came with it; NULL if
 * there is none. */
struct sidl__array* owners_remove(void* first);

/* How many arrays this thread has added so far. */
int64_t owners_count(void);

/*
 * As remove, of an array of which an element lies at this address, and that this thread has added
 * since owners_count was `count`: what a call has made, and not what its caller has.
 */
struct sidl__array* owners_claim(const void* address, int64_t count);

#endif
