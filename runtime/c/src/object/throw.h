/*
 * throw.h: throwing exceptions within libsidl.
 */
#ifndef OBJECT_THROW_H
#define OBJECT_THROW_H

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/*
 * Sets *_ex to a new exception of class `type`, which descends from sidl.SIDLException, with a note
 * and a first trace line.
 */
void throw_note(const struct sidl_type_info* type, struct sidl_BaseInterface__object** _ex,
                const char* file, int32_t line, const char* function, const char* format, ...)
    __attribute__((format(printf, 6, 7)));

/* Sets *_ex to the preallocated sidl.MemAllocException; needs no memory. */
void throw_memory(struct sidl_BaseInterface__object** _ex);

#define THROW(ex, type, ...) \
  throw_note(&type##__info, (ex), __FILE__, __LINE__, __func__, __VA_ARGS__)

#pragma GCC visibility pop
#endif
