/**
 * sidl_String.h: strings as they pass through SIDL interfaces.
 *
 * A SIDL string is a NUL-terminated UTF-8 text in memory from malloc: these functions and plain
 * malloc and free may be mixed. NULL is the null string; functions that only read treat it as
 * empty. A returned string belongs to the caller.
 *
 * The *_ex forms report exhausted memory as sidl.MemAllocException; *_ex is always written. The
 * others return NULL.
 */
#ifndef SIDL_STRING_H
#define SIDL_STRING_H

#include <stddef.h>

#include "sidlType.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sidl_BaseInterface__object;

/** Memory for `size` bytes, the terminating NUL included. */
char* sidl_String_alloc(size_t size);
char* sidl_String_alloc_ex(size_t size, struct sidl_BaseInterface__object** _ex);

/**
 * Frees a string; NULL is allowed. Ignores strings at odd addresses, which malloc never returns:
 * they are elements of an array, for example from a network, that stores its texts in one block and
 * frees them itself. So do not use plain free on elements of arrays.
 */
void sidl_String_free(char* s);

/** Length in bytes. */
size_t sidl_String_strlen(const char* s);

/** Copies `s2`, NUL included, to `s1`, which must be large enough. */
void sidl_String_strcpy(char* s1, const char* s2);

/** A copy; NULL for NULL, which is allowed. */
char* sidl_String_strdup(const char* s);
char* sidl_String_strdup_ex(const char* s, struct sidl_BaseInterface__object** _ex);

/** A copy of at most n bytes; NULL for NULL. Ignores character boundaries. */
char* sidl_String_strndup(const char* s, size_t n);
char* sidl_String_strndup_ex(const char* s, size_t n, struct sidl_BaseInterface__object** _ex);

/** True when both have the same bytes. NULL equals only NULL. */
sidl_bool sidl_String_equals(const char* s1, const char* s2);

/** True when `s` ends with `end`. */
sidl_bool sidl_String_endsWith(const char* s, const char* end);

/** True when `s` starts with `start`. */
sidl_bool sidl_String_startsWith(const char* s, const char* start);

/** The bytes from offset `index` to the end; the empty string if there are none. */
char* sidl_String_substring(const char* s, int index);

/** The concatenation of the strings. */
char* sidl_String_concat2(const char* s1, const char* s2);
char* sidl_String_concat2_ex(const char* s1, const char* s2,
                             struct sidl_BaseInterface__object** _ex);
char* sidl_String_concat3(const char* s1, const char* s2, const char* s3);
char* sidl_String_concat3_ex(const char* s1, const char* s2, const char* s3,
                             struct sidl_BaseInterface__object** _ex);
char* sidl_String_concat4(const char* s1, const char* s2, const char* s3, const char* s4);
char* sidl_String_concat4_ex(const char* s1, const char* s2, const char* s3, const char* s4,
                             struct sidl_BaseInterface__object** _ex);

/** Replaces each byte `oldchar` by `newchar`, in place. */
void sidl_String_replace(char* s, char oldchar, char newchar);

#ifdef __cplusplus
}
#endif
#endif
