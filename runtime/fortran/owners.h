/*
 * owners.h: maps Fortran pointers to the SIDL arrays that own their elements.
 */
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

/* Removes the array added last under this address, with its reference; NULL if there is none. */
struct sidl__array* owners_remove(void* first);

/* How many arrays this thread has added so far. */
int64_t owners_count(void);

/*
 * As remove, for an array with an element at this address that this thread has added since
 * owners_count was `count`: one made by the call, not one of its caller's.
 */
struct sidl__array* owners_claim(const void* address, int64_t count);

#endif
