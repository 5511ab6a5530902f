/* interruption.c: who is asked by threads that wait; the waiting is done elsewhere. */
#include "sidl_process.h"

const struct sidl_interruption* sidl_interruption_of_process;

void sidl_set_interruption(const struct sidl_interruption* interruption) {
  __atomic_store_n(&sidl_interruption_of_process, interruption, __ATOMIC_RELEASE);
}
