#include "remote/origin.h"

static struct sidl_rmi_origin* origins; /* few: one for each protocol */

void sidl_rmi_add_origin(struct sidl_rmi_origin* origin) {
  origin->next = __atomic_load_n(&origins, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&origins, &origin->next, origin, 1, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
}

const struct sidl_rmi_origin* origin_of_call(void) {
  const struct sidl_rmi_origin* origin = __atomic_load_n(&origins, __ATOMIC_ACQUIRE);
  while (origin != NULL && !origin->is_there()) origin = origin->next;
  return origin;
}
