/*
 * test_space.h: a memory space for tests, DLPack's device (12, 0), whose memory cannot be touched.
 *
 * It is host memory that is mapped twice: without access rights where arrays find it, so that a
 * read that did not ask first is a fault, and with them where the space's functions copy from and
 * to.
 */
#ifndef TEST_SPACE_H
#define TEST_SPACE_H

#include "sidl_memory_space.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The space, which the first call registers. */
const struct sidl_memory_space* test_space(void);

/* What it registers. They take no context. */
const struct sidl_memory_functions* test_space_functions(void);

/* Blocks of memory that have not been given back. */
int test_space_blocks(void);

/* Copies to and from the host so far. */
int test_space_copies(void);

/* Where the memory at an address of the space can be accessed; NULL if it is none. */
void* test_space_memory(const void* there);

/* Bytes that were copied to and from the host since the last call. */
size_t test_space_copied(void);

/* Of how many bytes the largest of these copies was. */
size_t test_space_largest(void);

/* TRUE: copies fail. */
void test_space_fail(int fails);

#ifdef __cplusplus
}
#endif
#endif
