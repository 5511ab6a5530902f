/* owners.h: which SIDL array the elements that a Fortran pointer points at belong to. */
#ifndef OWNERS_H
#define OWNERS_H

#include <stdbool.h>

struct sidl__array;

/* Keeps a reference to `array` under the address of its first element. False: no memory. */
bool owners_add(void* first, struct sidl__array* array);

/* The array that was added last under this address, with the reference that came with it; NULL if
 * there is none. */
struct sidl__array* owners_remove(void* first);

#endif
