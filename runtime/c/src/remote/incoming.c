#include "remote/incoming.h"

#include "sidl_rmi_Call_IOR.h"
#include "sidl_rmi_Return_IOR.h"

/* In the place of an object's EPV: no object has this one. */
static const char mark;

struct incoming* incoming_of(const void* call_or_return) {
  const struct sidl_facet_object* const facet = call_or_return;
  return facet->d_epv == &mark ? facet->d_object : NULL;
}

void incoming_run(void* obj, const struct sidl_method_info* method, struct incoming* incoming,
                  struct sidl_BaseInterface__object** _ex) {
  struct sidl_rmi_Call__object call = {.d_epv = (const void*)&mark, .d_object = (void*)incoming};
  struct sidl_rmi_Return__object ret = {.d_epv = (const void*)&mark, .d_object = (void*)incoming};
  method->exec(obj, &call, &ret, _ex);
}
