#include "sidl_process.h"

static const struct sidl_standby* of_process;

void sidl_set_standby(const struct sidl_standby* standby) {
  __atomic_store_n(&of_process, standby, __ATOMIC_RELEASE);
}

const struct sidl_standby* sidl_standby_of_process(void) {
  return __atomic_load_n(&of_process, __ATOMIC_ACQUIRE);
}
