/* sample.h: which checks are due, if not all are, and the time that they and methods take. */
#ifndef CONTRACT_SAMPLE_H
#define CONTRACT_SAMPLE_H

#include "sidl_contract.h"

#pragma GCC visibility push(hidden)

/* Nanoseconds of a clock that never goes back. */
uint64_t sample_now(void);

/* Around the method of a call that is timed. */
void sample_call(struct sidl_check* check);
void sample_result(struct sidl_check* check);

#pragma GCC visibility pop
#endif
