/*
 * interruption.c: the hook that waiting threads ask for interruptions.
 */
#include "sidl_process.h"

const struct sidl_interruption* sidl_interruption_of_process;

void sidl_set_interruption(const struct sidl_interruption* interruption) {
  __atomic_store_n(&sidl_interruption_of_process, interruption, __ATOMIC_RELEASE);
}
