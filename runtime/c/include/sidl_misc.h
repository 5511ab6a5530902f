/**
 * sidl_misc.h: utility functions that programs written for Babel expect.
 */
#ifndef SIDL_MISC_H
#define SIDL_MISC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sidl_BaseInterface__object;

/**
 * Memory for `size` bytes, to be freed with free. When memory is exhausted: NULL, and *_ex is set
 * to a sidl.MemAllocException whose trace names the place (the note is not kept, because that would
 * need memory).
 */
void* sidl_malloc(size_t size, const char* note, const char* file, int32_t line,
                  const char* function, struct sidl_BaseInterface__object** _ex);

/** Calls function(data) when the program ends, in reverse order of registration. */
void sidl_atexit(void (*function)(void*), void* data);

/**
 * For sidl_atexit: `variable` is the address of one that holds a reference or NULL when the program
 * ends. Drops the reference, and leaves NULL.
 *
 *     static pkg_Type shared;
 *     sidl_atexit(sidl_deleteRef_atexit, &shared);
 */
void sidl_deleteRef_atexit(void* variable);

/**
 * Ends the program with a message if an object of class `name`, compiled for IOR version
 * `user_major`.`user_minor`, cannot work with version `library_major`.`library_minor`.
 */
void sidl_checkIORVersion(const char* name, int32_t user_major, int32_t user_minor,
                          int32_t library_major, int32_t library_minor);

#ifdef __cplusplus
}
#endif
#endif
