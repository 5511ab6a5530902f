#include "remote/fate.h"

#include <stddef.h>

#include "base/reference.h"
#include "object/object.h"
#include "sidl_rmi_NetworkException.h"

static _Thread_local const struct fate_answer* innermost;

void fate_begin(struct fate_answer* answer, void* thrown, int64_t fate) {
  answer->exception = sidl_cast_borrowed(thrown, &sidl_rmi_NetworkException__info);
  answer->fate = fate;
  answer->outer = innermost;
  innermost = answer;
}

void fate_end(const struct fate_answer* answer) {
  innermost = answer->outer;
}

void fate_set(struct sidl_BaseInterface__object* thrown, int64_t fate) {
  struct sidl_rmi_NetworkException__object* const network =
      sidl_cast_borrowed(thrown, &sidl_rmi_NetworkException__info);
  struct sidl_BaseInterface__object* ignored = NULL;
  if (network == NULL) return;
  sidl_rmi_NetworkException_setFate(network, fate, &ignored);
  reference_drop(ignored);
}

int64_t fate_to_pack(const struct sidl_rmi_NetworkException__object* exception, int64_t own) {
  return innermost != NULL && innermost->exception == exception ? innermost->fate : own;
}
