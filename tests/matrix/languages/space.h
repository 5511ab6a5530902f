/*
 * space.h: what callers put arrays into the memory of a device with, and bring them back: the test
 * space of tests/memory. All are for those who have no means of their own.
 */
#ifndef MX_SPACE_H
#define MX_SPACE_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A copy on the device, or a part of a larger array there, which is made of doubles of rank 1; it
 * takes over the reference. */
struct sidl__array* mx_there(struct sidl__array* here, int32_t is_part);

/* A copy in host memory, or the array if it is there; NULL for NULL; it takes over the reference.
 */
struct sidl__array* mx_here(struct sidl__array* array);

/* The same for Fortran 77; `was_there` is 1 if the array was on the device, else 0. */
void mxthere_(int64_t* array, const int32_t* is_part);
void mxhere_(int64_t* array, int32_t* was_there);

/* Registers the space, for Python. */
void mx_space(void);

/* A part of an array there, as another library's: a DLManagedTensor. */
void* mx_part(double* values, int64_t count);

#ifdef __cplusplus
}
#endif
#endif
