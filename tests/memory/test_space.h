/**
 * test_space.h: a memory space for tests: device (12, 0), whose memory this process has, but may
 * not touch where arrays say that it is: any unguarded access is a fault.
 */
#ifndef TEST_SPACE_H
#define TEST_SPACE_H

#include "sidl_memory_space.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The space, registered by the first call. NULL if that failed. */
const struct sidl_memory_space* test_space(void);

/** Blocks that are allocated in it. */
int test_space_blocks(void);

/** Copies to and from the host so far. */
int test_space_copies(void);

/** Copies fail from now on, or work again. */
void test_space_fail(sidl_bool fails);

/** Where the memory at an address of the space can be accessed; NULL if it is none. */
void* test_space_memory(const void* there);

#ifdef __cplusplus
}
#endif
#endif
